/// Finds the settings at which a noisy figure is largest or smallest while conditions hold: the
/// most generous program that goes Critical with 5 % at most, say.
///
/// Sample average approximation (Kleywegt, Shapiro and Homem-de-Mello 2002,
/// doi:10.1137/S1052623499363220): every point is run with the same replication numbers, common
/// random numbers, so that means, shares and quantiles become functions of the settings without
/// noise of their own. A first design (corners, center, Sobol points) is followed by descents from
/// the two best points that are far apart. Each step of a descent fits a `ResponseSurface` to the
/// objective and to how far each condition is missed, finds the best point of the surfaces within
/// a region around the present one by GSL's `nmsimplex2`, and runs the model there; the region
/// grows with a success at its edge and halves with a failure. So the simplex takes its many steps
/// where they cost nothing, and the model is run at few points. Points that the descents leave are
/// spent by `SearchExploration`, which sees to conditions that jump and to places not yet visited.
///
/// Points are ranked by Deb's rule (2000, doi:10.1016/S0045-7825(99)00389-8): those that meet all
/// conditions before those that do not, the former by the objective, the latter by how far they
/// miss, in units of the range over the first design.
///
/// An optimum over one sample flatters itself, most of all at the edge of a condition. So the best
/// point is put to fresh replications; where these contradict a condition, its bound is moved by
/// half as much again as the two samples differ there, and the search continues beyond it. Where
/// nothing meets the moved bounds, as on a plateau at the bound itself, they move back, and the
/// points that were not contradicted are put to fresh replications, the best first, and the last
/// time the one farthest from all that do not hold. The intervals of the confirmations share the
/// error level.
///
/// A result is a pure function of plan and evaluation.
package struct ConstrainedSearch: Sendable {
  /// Gives one observation a replication, in order, at values of the settings; the same number
  /// means the same seed at every point.
  package typealias Evaluation = ([Double], Range<Int>) throws -> [SearchObservation]

  package let plan: SearchPlan
  /// All points, in the order in which they were run.
  package private(set) var points: [SearchPoint] = []
  /// Replications run.
  package private(set) var spent = 0
  package private(set) var counts = SearchCounts()
  package private(set) var outcome = SearchOutcome.nowhereFeasible(leastBad: 0)

  /// What is added to each condition's excess before it must be at most 0.
  package private(set) var shifts: [Double]
  /// Sizes by which the objective and the conditions are measured: their ranges over the design.
  private var objectiveScale = 1.0
  private var scales: [Double]
  /// Whether the bounds moved back because nothing met them where they had moved to.
  private var areBoundsBack = false
  /// Points by the texts of their settings.
  private var known: [[String]: Int] = [:]

  /// Coverage of the intervals of a point in the search.
  private static let level = 0.95
  /// Coverage of the interval that calls a point hopeless.
  private static let hopelessLevel = 0.999
  /// Descents before the first confirmation.
  private static let starts = 2
  /// Distance, as a share of the range, from which two starts count as apart.
  private static let apart = 0.3
  /// Points explored in a row without a gain, for each axis and one more, that end an exploration.
  private static let patience = 6

  /// Runs the whole search.
  ///
  /// - Parameters:
  ///   - plan: Axes, conditions and bounds of the effort.
  ///   - key: The settings at a point as the model takes them: points of one key are run once.
  ///   - evaluate: Runs the model.
  /// - Throws: `StatisticsError` for a bad plan or bad values, and what `key` and `evaluate` throw.
  package static func run(
    _ plan: SearchPlan, key: ([Double]) throws -> [String] = { $0.map { "\($0)" } },
    evaluate: Evaluation
  ) throws -> Self {
    try plan.check()
    var search = Self(plan)
    for place in try plan.design() {
      let values = zip(plan.axes, place).map { $0.rounded($1, .toNearestOrEven) }
      _ = try search.measure(values, key, evaluate)
    }
    search.takeScales()
    // A quarter of the points is kept for what confirmations bring.
    try search.improve(until: plan.points * 3 / 4, key, evaluate)
    for round in 0..<plan.confirmations {
      let best = search.best
      guard search.isFeasible(search.points[best]) else {
        search.outcome =
          round == 0 ? .nowhereFeasible(leastBad: best) : .notConfirmed(leastBad: best)
        return search
      }
      let isLast = round == plan.confirmations - 1
      let candidate = isLast && search.areBoundsBack ? search.safest : best
      if try search.confirm(candidate, round, evaluate) {
        search.outcome = .found(candidate)
        return search
      }
      search.tighten(candidate)
      if !isLast { try search.recover(key, evaluate) }
    }
    search.outcome = .notConfirmed(leastBad: search.best)
    return search
  }

  private init(_ plan: SearchPlan) {
    self.plan = plan
    shifts = plan.conditions.map { _ in 0 }
    scales = plan.conditions.map { _ in 1 }
  }

  // MARK: - Running points

  /// The number of the point with these values, which is run unless it has been.
  private mutating func measure(
    _ values: [Double], _ key: ([Double]) throws -> [String], _ evaluate: Evaluation
  ) throws -> (number: Int, isNew: Bool) {
    let texts = try key(values)
    if let number = known[texts] {
      counts.cacheHits += 1
      return (number, false)
    }
    var observations = try run(values, 0..<plan.first, evaluate)
    let early = try SearchFigures(
      observations, plan.conditions, level: ConstrainedSearch.hopelessLevel)
    let isHopeless = zip(plan.conditions, early.conditions).contains { $0.isHopeless($1) }
    if isHopeless {
      counts.leftEarly += 1
    } else if plan.first < plan.replications {
      observations += try run(values, plan.first..<plan.replications, evaluate)
    }
    points.append(
      SearchPoint(
        values: values, place: zip(plan.axes, values).map { $0.place(of: $1) },
        figures: try SearchFigures(
          observations, plan.conditions, level: ConstrainedSearch.level),
        isLeftEarly: isHopeless, confirmation: nil))
    known[texts] = points.count - 1
    return (points.count - 1, true)
  }

  private mutating func run(
    _ values: [Double], _ numbers: Range<Int>, _ evaluate: Evaluation
  ) throws -> [SearchObservation] {
    let observations = try evaluate(values, numbers)
    guard observations.count == numbers.count else {
      throw StatisticsError.lengths(
        name: "observations", count: observations.count, needed: numbers.count)
    }
    spent += numbers.count
    return observations
  }

  /// Puts a point to fresh replications.
  private mutating func confirm(
    _ number: Int, _ round: Int, _ evaluate: Evaluation
  ) throws -> Bool {
    let first = plan.replications + round * plan.confirmation
    let fresh = try run(points[number].values, first..<(first + plan.confirmation), evaluate)
    let figures = try SearchFigures(fresh, plan.conditions, level: plan.confirmationLevel)
    points[number].confirmation = figures
    return figures.isMet
  }

  /// Moves the bounds of the conditions that fresh replications contradicted.
  private mutating func tighten(_ number: Int) {
    counts.tightenings += 1
    guard !areBoundsBack, let fresh = points[number].confirmation else { return }
    for (place, condition) in plan.conditions.enumerated()
    where !condition.isMet(by: fresh.conditions[place].estimate) {
      let difference = fresh.excesses[place] - points[number].figures.excesses[place]
      shifts[place] = max(shifts[place], 1.5 * difference)
    }
  }

  /// Continues within bounds that have moved, or moves them back where nothing meets them.
  private mutating func recover(
    _ key: ([Double]) throws -> [String], _ evaluate: Evaluation
  ) throws {
    if areBoundsBack { return }
    try descend(
      from: best, radius: max(0.1, plan.tolerance), until: plan.points, key, evaluate)
    guard isFeasible(points[best]) else {
      areBoundsBack = true
      shifts = shifts.map { _ in 0 }
      return
    }
    // Half of the points left: the next confirmation may move the bounds again.
    try explore(until: (points.count + plan.points) / 2, key, evaluate)
  }

  /// Of the points that meet all conditions the one farthest from all others.
  private var safest: Int {
    let others = points.filter { !isFeasible($0) }
    func clearance(_ number: Int) -> Double {
      others.reduce(.infinity) {
        min($0, ConstrainedSearch.distance($1.place, points[number].place))
      }
    }
    return ranking.filter { isFeasible(points[$0]) }
      .reduce(best) { clearance($1) > clearance($0) ? $1 : $0 }
  }

  // MARK: - Ranking

  private func cost(_ point: SearchPoint) -> Double {
    let mean = point.figures.objective.estimate
    return (plan.direction == .maximise ? -mean : mean) / objectiveScale
  }

  /// By how much a point misses the current conditions, in their scales.
  private func miss(_ point: SearchPoint) -> Double { miss(point.figures.excesses) }

  private func miss(_ excesses: [Double]) -> Double {
    var sum = 0.0
    for (place, excess) in excesses.enumerated() {
      sum += max(0, (excess + shifts[place]) / scales[place])
    }
    return sum
  }

  /// Whether a point meets all current conditions, tightened ones included.
  package func isFeasible(_ point: SearchPoint) -> Bool {
    point.figures.isMet && !point.isContradicted && miss(point) <= 0
  }

  /// Whether one point ranks before another; of equals the earlier.
  private func isBetter(_ one: Int, than other: Int) -> Bool {
    func rank(_ number: Int) -> (Int, Double, Double, Int) {
      let point = points[number]
      return isFeasible(point)
        ? (0, cost(point), 0, number) : (1, miss(point), cost(point), number)
    }
    return rank(one) < rank(other)
  }

  /// The number of the best point.
  private var best: Int {
    points.indices.reduce(0) { isBetter($1, than: $0) ? $1 : $0 }
  }

  /// The numbers of all points, the best first.
  package var ranking: [Int] { points.indices.sorted { isBetter($0, than: $1) } }

  private mutating func takeScales() {
    func range(_ values: [Double]) -> Double {
      let size = (values.max() ?? 0) - (values.min() ?? 0)
      return size > 0 && size.isFinite ? size : 1
    }
    objectiveScale = range(points.map { $0.figures.objective.estimate })
    scales = plan.conditions.indices.map { place in
      range(points.map { $0.figures.excesses[place] })
    }
  }

  // MARK: - Descents

  /// Descents from the best points that are far apart, then an exploration.
  private mutating func improve(
    until limit: Int, _ key: ([Double]) throws -> [String], _ evaluate: Evaluation
  ) throws {
    var visited: [[Double]] = []
    for _ in 0..<ConstrainedSearch.starts {
      let free = points.indices.filter { number in
        visited.allSatisfy {
          ConstrainedSearch.distance($0, points[number].place) >= ConstrainedSearch.apart
        }
      }
      guard let first = free.first else { return }
      let start = free.reduce(first) { isBetter($1, than: $0) ? $1 : $0 }
      visited.append(points[start].place)
      let end = try descend(from: start, radius: 0.25, until: limit, key, evaluate)
      visited.append(points[end].place)
    }
    try explore(until: limit, key, evaluate)
  }

  /// Runs points that may be better than the best, and descends from those that are by much.
  private mutating func explore(
    until limit: Int, _ key: ([Double]) throws -> [String], _ evaluate: Evaluation
  ) throws {
    var avoided: [[Double]] = []
    var idle = 0
    // Every round runs a point or is idle, so that both numbers bound the loop.
    while points.count < limit, idle < ConstrainedSearch.patience * (plan.axes.count + 1) {
      let exploration = SearchExploration(
        axes: plan.axes,
        points: points.map {
          SearchExploration.Point(
            place: $0.place, cost: cost($0), miss: miss($0), isFeasible: isFeasible($0))
        }, ranking: ranking, avoided: avoided, resolution: plan.tolerance / 4)
      guard let proposal = try exploration.next() else { return }
      if let gain = proposal.gain, gain < plan.tolerance / 20 { return }
      let before = best
      let (number, isNew) = try measure(proposal.values, key, evaluate)
      guard isNew else {
        avoided.append(zip(plan.axes, proposal.values).map { $0.place(of: $1) })
        idle += 1
        continue
      }
      guard isBetter(number, than: before) else {
        idle += 1
        continue
      }
      idle = 0
      let isMuch =
        !isFeasible(points[before]) || cost(points[before]) - cost(points[number]) > plan.tolerance
      if isMuch { try descend(from: number, radius: 0.1, until: limit, key, evaluate) }
    }
  }

  /// The largest difference of two places in any axis.
  private static func distance(_ one: [Double], _ other: [Double]) -> Double {
    zip(one, other).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }

  /// Steps from a point to better ones, each within a region around the last.
  ///
  /// - Returns: Where it ended.
  @discardableResult
  private mutating func descend(
    from start: Int, radius first: Double, until limit: Int,
    _ key: ([Double]) throws -> [String], _ evaluate: Evaluation
  ) throws -> Int {
    var centre = start
    var radius = first
    // The radius halves with every failure, so that the number of points bounds the loop.
    while radius >= plan.tolerance / 4, points.count < limit {
      let (number, isNew) = try measure(try proposal(centre, radius), key, evaluate)
      guard isBetter(number, than: centre) else {
        radius /= 2
        continue
      }
      // A point of an earlier descent: that one went on from there.
      guard isNew else { return number }
      let step = ConstrainedSearch.distance(points[number].place, points[centre].place)
      let gain = cost(points[centre]) - cost(points[number])
      if step >= 0.9 * radius {
        radius = min(0.5, 2 * radius)
      } else if isFeasible(points[centre]), gain < plan.tolerance / 20 {
        radius /= 2
      }
      centre = number
    }
    return centre
  }

  /// Where the surfaces around a point are best.
  private func proposal(_ centre: Int, _ radius: Double) throws(StatisticsError) -> [Double] {
    let places = points.map(\.place)
    let objective = try ResponseSurface(
      places: places, values: points.map(cost), centre: centre, radius: radius)
    var excesses: [ResponseSurface] = []
    for condition in plan.conditions.indices {
      excesses.append(
        try ResponseSurface(
          places: places, values: points.map { $0.figures.excesses[condition] }, centre: centre,
          radius: radius))
    }
    let surfaces = excesses
    let region = SearchRegion(axes: plan.axes, centre: places[centre], radius: radius)
    return try region.best { place in
      let missed = miss(surfaces.map { $0.value(at: place) })
      return missed > 0 ? .misses(missed) : .meets(cost: objective.value(at: place))
    }
  }
}
