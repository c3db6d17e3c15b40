/// The part of a search's cube around one of its points, and the best place in it of a function
/// that costs next to nothing.
struct SearchRegion {
  /// How a place is judged: any that meets the conditions ranks before all that miss them.
  enum Judgement {
    case meets(cost: Double)
    case misses(Double)

    /// One number in that order. The simplex only compares, so its size does not matter.
    var merit: Double {
      switch self {
      case .meets(let cost): max(-1e6, min(1e6, cost))
      case .misses(let miss): 2e6 + min(1e6, miss)
      }
    }
  }

  private let axes: [SearchAxis]
  private let centre: [Double]
  private let low: [Double]
  private let high: [Double]

  /// Even places from which the best ones start a simplex.
  private static let scatter = 64
  private static let starts = 2
  /// Simplexes in a row at most, each from where the last one shrank: one alone may collapse at a
  /// bound. Two without a gain end the row.
  private static let restarts = 6

  /// - Parameter radius: As a share of each axis; at least one whole step is always within.
  init(axes: [SearchAxis], centre: [Double], radius: Double) {
    self.axes = axes
    self.centre = centre
    low = zip(axes, centre).map { max(0, $1 - max(radius, $0.wholeStep)) }
    high = zip(axes, centre).map { min(1, $1 + max(radius, $0.wholeStep)) }
  }

  /// The values of the grain that are judged best within the region, by GSL's `nmsimplex2`.
  ///
  /// - Throws: as `SobolSequence`.
  func best(_ judge: ([Double]) -> Judgement) throws(StatisticsError) -> [Double] {
    var starts = [centre]
    for share in try SobolSequence.points(count: SearchRegion.scatter, dimensions: axes.count) {
      starts.append(
        share.indices.map { low[$0] * (1 - share[$0]) + high[$0] * share[$0] })
    }
    let ranked = starts.map { (place: $0, merit: judge($0).merit) }.enumerated()
      .sorted { ($0.element.merit, $0.offset) < ($1.element.merit, $1.offset) }
      .prefix(SearchRegion.starts)
    var place = ranked.first?.element.place ?? centre
    var merit = ranked.first?.element.merit ?? judge(centre).merit
    withoutActuallyEscaping(judge) { judge in
      for start in ranked {
        let end = descend(start.element, judge)
        if end.merit < merit { (place, merit) = end }
      }
    }
    return onGrain(place, judge)
  }

  /// Simplexes in a row from one place.
  private func descend(
    _ start: (place: [Double], merit: Double), _ judge: @escaping ([Double]) -> Judgement
  ) -> (place: [Double], merit: Double) {
    var best = start
    let width = zip(low, high).reduce(0) { max($0, $1.1 - $1.0) }
    var idle = 0
    for round in 0..<SearchRegion.restarts where idle < 2 {
      // Turned round each time, and smaller.
      let step = width / Double(2 << round) * (round.isMultiple(of: 2) ? 1 : -1)
      let found = Simplex.minimum(
        from: best.place, step: step, size: width * 1e-4, maximumSteps: 200
      ) { judge(within($0)).merit }
      guard let found, found.value < best.merit else {
        idle += 1
        continue
      }
      idle = best.merit - found.value < 1e-5 ? idle + 1 : 0
      best = (within(found.point), found.value)
    }
    return best
  }

  private func within(_ place: [Double]) -> [Double] {
    place.indices.map { max(low[$0], min(high[$0], place[$0])) }
  }

  /// The best of the values next to a place: every axis rounded either way.
  private func onGrain(_ place: [Double], _ judge: ([Double]) -> Judgement) -> [Double] {
    var best: (values: [Double], merit: Double)?
    for mask in 0..<(1 << axes.count) {
      let values = axes.indices.map { axis in
        axes[axis].rounded(place[axis], (mask >> axis) & 1 == 0 ? .down : .up)
      }
      let merit = judge(zip(axes, values).map { $0.place(of: $1) }).merit
      if best.map({ merit < $0.merit }) ?? true { best = (values, merit) }
    }
    return best?.values ?? zip(axes, place).map { $0.rounded($1, .toNearestOrEven) }
  }
}
