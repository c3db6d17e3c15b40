/// Where a search with points left should look next, judged by all points that it has run.
///
/// A descent along smooth surfaces stops where a condition jumps: a share of few replications, a
/// count of months, a whole number. Exploration asks less of the model. A place is likely to meet
/// the conditions when points near it do; its objective is read from a quadratic trend and the
/// residuals of the points around. Both weights are Shepard's (1968, doi:10.1145/800186.810616),
/// with the fourth power of the distance. The next point is the one of the greatest expected gain
/// over the best: gain times likelihood. Between a point that holds and a better one that does not,
/// that is close to bisection; around the best point it is a poll of its neighbors, as pattern
/// search has it (Torczon 1997, doi:10.1137/S1052623493250780); and where nothing was run it goes
/// on its own.
///
/// As long as no point meets the conditions, places far from all others and near points that miss
/// little come first.
struct SearchExploration {
  /// A point as an exploration sees it.
  struct Point {
    let place: [Double]
    /// Of the objective, the less the better.
    let cost: Double
    /// How far conditions are missed, at least 0.
    let miss: Double
    let isFeasible: Bool
  }

  /// The next point.
  struct Proposal {
    let values: [Double]
    /// Expected gain in the unit of the costs; nil while no point meets the conditions.
    let gain: Double?
  }

  let axes: [SearchAxis]
  /// At least as many as the axes and one.
  let points: [Point]
  /// The numbers of the points, the best first.
  let ranking: [Int]
  /// Places that turned out to be points run before.
  let avoided: [[Double]]
  /// The distance from which on two places differ, as a share of each range; whole settings differ
  /// by their step at least.
  let resolution: Double

  /// Even places over the whole cube, and in the box around the best point.
  private static let scatter = 48
  private static let nearby = 16
  /// Half the width of that box.
  private static let reach = 0.1
  /// Points between which and all others the middle is looked at.
  private static let heads = 3
  /// Steps from the best point, in units of the resolution.
  private static let steps = [1.0, 2, 4, 8]

  /// The next point to run; nil when every place in sight has been run.
  ///
  /// - Throws: as `ResponseSurface` and `SobolSequence`.
  /// - Complexity: O(candidates × points × axes), with about a hundred candidates and three for
  ///   each point.
  func next() throws(StatisticsError) -> Proposal? {
    guard let best = ranking.first else { return nil }
    let trend = try ResponseSurface(
      places: points.map(\.place), values: points.map(\.cost), centre: best, radius: 1)
    let residuals = points.map { $0.cost - trend.value(at: $0.place) }
    let least = max(points[best].miss, 1e-9)
    var found: (values: [Double], score: Double)?
    for candidate in try candidates(best) {
      let values = zip(axes, candidate).map { $0.rounded($1, .toNearestOrEven) }
      let place = zip(axes, values).map { $0.place(of: $1) }
      guard !avoided.contains(where: { isSame($0, place) }),
        let view = view(place, residuals)
      else { continue }
      let score: Double
      if points[best].isFeasible {
        let cost = trend.value(at: place) + view.residual
        score = (points[best].cost - cost) * view.likelihood
      } else {
        score = view.distance / (view.miss + least)
      }
      if score > found?.score ?? 0 { found = (values, score) }
    }
    return found.map {
      Proposal(values: $0.values, gain: points[best].isFeasible ? $0.score : nil)
    }
  }

  /// What the points say of a place: averages by distance, and how far the nearest is.
  private struct View {
    var likelihood = 0.0
    var residual = 0.0
    var miss = 0.0
    var distance = Double.infinity
  }

  /// Nil for a place that does not differ from a point.
  private func view(_ place: [Double], _ residuals: [Double]) -> View? {
    var view = View()
    var total = 0.0
    for (number, point) in points.enumerated() {
      if isSame(point.place, place) { return nil }
      var square = 0.0
      for axis in axes.indices {
        let difference = place[axis] - point.place[axis]
        square += difference * difference
      }
      let weight = 1 / (square * square)
      total += weight
      if point.isFeasible { view.likelihood += weight }
      view.residual += weight * residuals[number]
      view.miss += weight * point.miss
      view.distance = min(view.distance, square)
    }
    guard total > 0, total.isFinite else { return nil }
    view.likelihood /= total
    view.residual /= total
    view.miss /= total
    view.distance = view.distance.squareRoot()
    return view
  }

  private func step(_ axis: Int) -> Double { max(resolution, axes[axis].wholeStep) }

  private func isSame(_ one: [Double], _ other: [Double]) -> Bool {
    for axis in axes.indices where abs(one[axis] - other[axis]) >= 0.999 * step(axis) {
      return false
    }
    return true
  }

  private func candidates(_ best: Int) throws(StatisticsError) -> [[Double]] {
    let centre = points[best].place
    var all = neighbours(centre)
    for head in ranking.prefix(SearchExploration.heads) {
      for other in points where !other.isFeasible {
        all.append(zip(points[head].place, other.place).map { ($0 + $1) / 2 })
      }
    }
    let even = try SobolSequence.points(
      count: SearchExploration.scatter, dimensions: axes.count)
    all += even
    for share in even.prefix(SearchExploration.nearby) {
      all.append(
        zip(centre, share).map { within($0 + (2 * $1 - 1) * SearchExploration.reach) })
    }
    return all
  }

  /// Places some steps away in one axis, and in every two of them.
  private func neighbours(_ centre: [Double]) -> [[Double]] {
    var all: [[Double]] = []
    func moved(_ place: [Double], _ axis: Int, _ steps: Double) -> [Double] {
      var place = place
      place[axis] = within(place[axis] + steps * step(axis))
      return place
    }
    for first in axes.indices {
      for size in SearchExploration.steps {
        for sign in [-1.0, 1] {
          let one = moved(centre, first, sign * size)
          all.append(one)
          // Along the edge of a condition one setting gives way to another.
          for second in axes.indices where second != first {
            all.append(moved(one, second, -1))
            all.append(moved(one, second, 1))
          }
        }
      }
    }
    return all
  }

  private func within(_ share: Double) -> Double { max(0, min(1, share)) }
}
