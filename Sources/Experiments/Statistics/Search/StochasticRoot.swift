internal import EventKernel
internal import Quantities

/// Finds where a noisy, monotone figure crosses a target: the last value of a setting at which,
/// say, the probability of going Critical is still at most 5 %.
///
/// Bisection under common random numbers. Both ends come first and give the direction. A point is
/// replicated until its interval excludes the target or the cap is spent; the intervals of the
/// looks share 1 − level equally, so a point's verdict is wrong with about that probability at most,
/// however often it is looked at: of a mean as far as its Student interval holds, of a rare event a
/// little more often (simulated: up to 6.2 % for 5 %, at a chance of exactly the bound, 3 %, and a
/// cap of 400). The bracket always has a feasible end and one that is not; when
/// it is narrow, fresh replications confirm the feasible end. If they disagree, the search continues
/// at some distance from it, 1, 4, 16, … % of the range, with replications that are new again; the
/// confirmations share 1 − level. When both ends agree, points between look for a figure that
/// turns, one that is shown to meet the requirement, to miss it, and to meet it again: the seven
/// that part the range evenly, then six around the one nearest to the target, closer and closer.
///
/// The answer is the last value shown to meet the requirement, so it is before the root. Where
/// undecided values follow it, the search narrows their far side as well: between the last of them
/// and the first value shown not to meet the requirement.
///
/// Use: while `request` is not nil, run what it asks for and pass the values to `supply`; then read
/// `outcome`. Or call `solve`.
///
/// Source: the plan follows sequential testing at each step of a bisection, Waeber, Frazier and
/// Henderson 2013, doi:10.1137/120861898; without their posterior, so that every verdict can be
/// read off an interval.
package struct StochasticRoot: Equatable, Sendable {
  /// The replications to run next.
  package struct Request: Equatable, Sendable {
    /// Value of the setting.
    package let x: Double
    /// Replications, numbered from 0: the same number means the same seed at every x.
    package let replications: Range<Int>
  }

  package let settings: RootSettings
  /// All points, in the order in which they were finished.
  package private(set) var points: [RootPoint] = []
  /// Replications run so far.
  package private(set) var spent = 0
  /// The outcome; nil while replications are asked for.
  package private(set) var outcome: RootOutcome?

  /// What the replications under way are for.
  private enum Task: Equatable {
    case search(x: Double)
    case confirm(place: Int)
  }

  private var task: Task
  private var tally = Tally()
  private let looks: [Int]
  /// Values between agreeing ends still to be tried, last first.
  private var probes: [Double]?
  /// Rounds of values tried around the one nearest to the target.
  private var rounds = 0

  /// - Throws: as `RootSettings.check()`.
  package init(_ settings: RootSettings) throws(StatisticsError) {
    try settings.check()
    self.settings = settings
    looks = settings.looks
    task = .search(x: settings.ends.low)
  }

  /// What to run next; nil when the outcome is final.
  package var request: Request? {
    guard outcome == nil else { return nil }
    switch task {
    case .search(let x):
      let look = looks.first { $0 > tally.count } ?? settings.cap
      return Request(x: x, replications: tally.count..<look)
    case .confirm(let place):
      let first = settings.cap + failures * settings.confirmation
      return Request(
        x: points[place].x, replications: first..<(first + settings.confirmation))
    }
  }

  /// Candidates that fresh replications contradicted.
  private var failures: Int { points.count { $0.isContradicted } }

  /// Takes the values that `request` asked for.
  ///
  /// - Parameter values: One a replication, in order.
  /// - Throws: `StatisticsError.nothingAsked`, `.lengths`, `.notZeroOrOne`, or `.estimator` for a
  ///   value that is not finite; nothing has changed then.
  package mutating func supply(_ values: [Double]) throws(StatisticsError) {
    guard let request else { throw .nothingAsked }
    guard values.count == request.replications.count else {
      throw .lengths(name: "values", count: values.count, needed: request.replications.count)
    }
    var more = tally
    for value in values {
      if settings.figure == .probability, value != 0, value != 1 { throw .notZeroOrOne(value) }
      try StatisticsError.estimating { () throws(EstimatorError) in try more.add(value) }
    }
    switch task {
    case .search(let x):
      let figure = try interval(of: more, level: settings.lookLevel)
      spent += values.count
      tally = more
      let verdict = verdict(of: figure)
      // Equal values have an interval without width, which would decide on nothing.
      let isEqual = settings.figure == .mean && tally.minimum == tally.maximum
      guard verdict != .undecided && !isEqual || tally.count >= settings.cap else { return }
      points.append(RootPoint(x: x, figure: figure, verdict: verdict, confirmation: nil))
    case .confirm(let place):
      let figure = try interval(of: more, level: settings.confirmationLevel)
      spent += values.count
      points[place].confirmation = figure
      if !settings.requirement.isMet(by: figure.estimate) { points[place].verdict = .infeasible }
    }
    tally = Tally()
    advance()
  }

  private func interval(
    of tally: Tally, level: Double
  ) throws(StatisticsError) -> EstimatedInterval {
    try StatisticsError.estimating { () throws(EstimatorError) in
      switch settings.figure {
      case .probability:
        let successes = Int(((tally.mean ?? 0) * Double(tally.count)).rounded())
        return try Proportion(successes: successes, trials: tally.count).wilson(level: level)
      case .mean: return EstimatedInterval(try tally.interval(level: level))
      }
    }
  }

  private func verdict(of figure: EstimatedInterval) -> RootVerdict {
    let low = settings.requirement.isMet(by: figure.low ?? figure.estimate)
    let high = settings.requirement.isMet(by: figure.high ?? figure.estimate)
    return low && high ? .feasible : low || high ? .undecided : .infeasible
  }

  /// True when the search treats a point as meeting the requirement.
  private func isAccepted(_ point: RootPoint) -> Bool {
    switch point.verdict {
    case .feasible: true
    case .infeasible: false
    case .undecided:
      settings.undecided == .byEstimate && settings.requirement.isMet(by: point.figure.estimate)
    }
  }

  /// True when a point may become the answer: ends always, others at a distance from candidates
  /// that fresh replications contradicted.
  private func isCandidate(_ place: Int) -> Bool {
    isAccepted(points[place]) && (place < 2 || !isTooClose(points[place].x))
  }

  /// True when a value is so close to one that fresh replications contradicted that it is passed
  /// over: within 1 % of the range after one contradiction, and four times as far after each more.
  package func isTooClose(_ x: Double) -> Bool {
    let contradicted = points.filter(\.isContradicted)
    var gap = 0.01
    for _ in contradicted.dropFirst() { gap *= 4 }
    return contradicted.contains {
      abs(settings.place(of: $0.x) - settings.place(of: x)) < gap
    }
  }

  /// Chooses the next task, or ends.
  private mutating func advance() {
    if points.count == 1 {
      task = .search(x: settings.ends.high)
    } else if settings.confirmation > 0, failures >= settings.confirmations {
      outcome = .notConfirmed
    } else if let acceptedIsLow, points.indices.contains(where: isCandidate) {
      bisect(acceptedIsLow)
    } else if failures > 0 {
      outcome = .notConfirmed
    } else {
      probe()
    }
  }

  /// Whether the accepted side of the root is the low one; nil while there is no root to bracket.
  private var acceptedIsLow: Bool? {
    let (low, high) = (isAccepted(points[0]), isAccepted(points[1]))
    if low != high { return low }
    let verdicts = shown
    guard !low, changes(verdicts) == 1 else { return nil }
    return verdicts[0] == .feasible
  }

  /// What was shown, along the range: undecided points say nothing.
  private var shown: [RootVerdict] {
    points.sorted { $0.x < $1.x }.map(\.verdict).filter { $0 != .undecided }
  }

  private func changes(_ verdicts: [RootVerdict]) -> Int {
    zip(verdicts, verdicts.dropFirst()).count { $0 != $1 }
  }

  /// Parts of a range whose ends agree, at the ends of which values are tried.
  private static let evenParts = 8
  /// Rounds of two values around the one nearest to the target.
  private static let closerRounds = 3

  /// Tries the inside of a range whose ends agree.
  private mutating func probe() {
    let (low, high) = settings.ends
    if probes == nil {
      var values: [Double] = []
      // The quarters first, for they find a wide turn soonest.
      for part in [7, 5, 3, 1, 6, 4, 2] {
        let share = Double(part) / Double(Self.evenParts)
        if let value = settings.value(between: low, and: high, share: share),
          !values.contains(value)
        {
          values.append(value)
        }
      }
      probes = values
    }
    if changes(shown) > 1 {
      outcome = .notMonotone
      return
    }
    // Where a point is undecided nothing can be claimed of the whole range.
    if probes?.isEmpty == true, rounds < Self.closerRounds,
      !points.contains(where: { $0.verdict == .undecided })
    {
      rounds += 1
      probes = turning
    }
    if let next = probes?.popLast() {
      task = .search(x: next)
    } else if points.allSatisfy(isAccepted) {
      outcome = .everywhereFeasible
    } else {
      outcome = points.allSatisfy { $0.verdict == .infeasible } ? .nowhereFeasible : .notShown
    }
  }

  /// Values halfway from the point nearest to the target to those on both sides of it: where a
  /// figure that turns would cross.
  private var turning: [Double] {
    let sorted = points.sorted { $0.x < $1.x }
    let target = settings.requirement.target
    let near = sorted.indices.min {
      abs(sorted[$0].figure.estimate - target) < abs(sorted[$1].figure.estimate - target)
    }
    guard let near else { return [] }
    return [near - 1, near].compactMap { left in
      guard sorted.indices.contains(left), sorted.indices.contains(left + 1) else { return nil }
      let (low, high) = (sorted[left].x, sorted[left + 1].x)
      return settings.isNarrow(low, high)
        ? nil : settings.value(between: low, and: high, share: 0.5)
    }
  }

  /// Halves the bracket, or confirms its feasible end.
  private mutating func bisect(_ acceptedIsLow: Bool) {
    let (accepted, rejected) = bracket(acceptedIsLow)
    let point = points[accepted]
    var edge = points[rejected].x
    // Values too close to a contradicted one are passed over; each pass halves the bracket.
    while !settings.isNarrow(min(point.x, edge), max(point.x, edge)),
      let middle = settings.value(
        between: min(point.x, edge), and: max(point.x, edge), share: 0.5)
    {
      guard isTooClose(middle) else {
        task = .search(x: middle)
        return
      }
      edge = middle
    }
    let limit = nearest(behind: accepted, acceptedIsLow) {
      points[$0].verdict == .infeasible && !points[$0].isContradicted
    }
    if let limit, let middle = beyondUndecided(limit, acceptedIsLow) {
      task = .search(x: middle)
    } else if settings.confirmation > 0, point.confirmation == nil {
      task = .confirm(place: accepted)
    } else {
      let figure = point.confirmation ?? point.figure
      outcome = .found(
        RootAnswer(
          x: point.x, figure: figure, isConfirmed: point.confirmation != nil,
          isShown: verdict(of: figure) == .feasible, neighbour: points[rejected],
          limit: limit.map { points[$0] }))
    }
  }

  /// The middle between a point that was shown to be rejected and the undecided one before it; nil
  /// where there is none, or the two are as close as asked for.
  private func beyondUndecided(_ limit: Int, _ acceptedIsLow: Bool) -> Double? {
    guard let before = nearest(behind: limit, !acceptedIsLow, where: { _ in true }),
      points[before].verdict == .undecided
    else { return nil }
    let low = min(points[before].x, points[limit].x)
    let high = max(points[before].x, points[limit].x)
    guard !settings.isNarrow(low, high) else { return nil }
    return settings.value(between: low, and: high, share: 0.5)
  }

  /// Places of the candidate nearest to the rejected side, and of the next point after it.
  private func bracket(_ acceptedIsLow: Bool) -> (accepted: Int, rejected: Int) {
    let candidates = points.indices.filter(isCandidate)
    let accepted =
      acceptedIsLow
      ? candidates.max { points[$0].x < points[$1].x }
      : candidates.min { points[$0].x < points[$1].x }
    guard let accepted,
      let rejected = nearest(behind: accepted, acceptedIsLow, where: { _ in true })
    else { fatalError("invariant broken: a bracket has two ends") }
    return (accepted, rejected)
  }

  /// The place of the nearest point after another, toward the rejected side.
  private func nearest(
    behind place: Int, _ acceptedIsLow: Bool, where holds: (Int) -> Bool
  ) -> Int? {
    let x = points[place].x
    let behind = points.indices.filter {
      (acceptedIsLow ? points[$0].x > x : points[$0].x < x) && holds($0)
    }
    return behind.min { abs(points[$0].x - x) < abs(points[$1].x - x) }
  }

  /// Pairs of points whose intervals say that the figure is not monotone in the direction that the
  /// two ends show. Intervals of one look; with many points a pair may appear by chance.
  ///
  /// - Complexity: O(points²).
  package var contradictions: [RootContradiction] {
    guard points.count >= 3 else { return [] }
    let rises = points[1].figure.estimate >= points[0].figure.estimate
    let sorted = points.sorted { $0.x < $1.x }
    var found: [RootContradiction] = []
    for upper in sorted.indices {
      for lower in sorted[..<upper].indices {
        let (a, b) = rises ? (lower, upper) : (upper, lower)
        guard let low = sorted[a].figure.low, let high = sorted[b].figure.high else { continue }
        if low > high {
          found.append(RootContradiction(lower: sorted[lower], upper: sorted[upper]))
        }
      }
    }
    return found
  }

  /// Runs the whole search.
  ///
  /// - Parameters:
  ///   - settings: What is searched, and how.
  ///   - evaluate: Gives one value a replication, in order, for a value of the setting; the same
  ///     replication number must mean the same seed at every value.
  /// - Throws: `StatisticsError` for bad settings or values, and what `evaluate` throws.
  package static func solve(
    _ settings: RootSettings, evaluate: (Double, Range<Int>) throws -> [Double]
  ) throws -> Self {
    var search = try Self(settings)
    while let request = search.request {
      try search.supply(try evaluate(request.x, request.replications))
    }
    return search
  }
}
