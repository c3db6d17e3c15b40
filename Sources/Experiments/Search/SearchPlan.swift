internal import EventKernel

/// What a search over several settings moves, what has to hold, what is wanted, and how much may
/// be spent.
package struct SearchPlan: Equatable, Sendable {
  /// What is wanted of the objective's mean.
  package enum Direction: String, Equatable, Sendable {
    case maximise, minimise
  }

  /// Most axes of a search.
  package static let axesMaximum = 8
  /// Points of the first design for each axis, besides the center and the corners.
  private static let designShare = 3

  package var axes: [SearchAxis]
  /// All of them have to hold; at least one.
  package var conditions: [SearchCondition]
  package var direction: Direction
  /// Most points at which the model is run.
  package var points = 60
  /// Replications of a point, the same ones everywhere.
  package var replications = 40
  /// Replications after which a hopeless point is left, from 2 to `replications`.
  package var first = 10
  /// Replications, never used before, that confirm the answer.
  package var confirmation = 200
  /// Most confirmations; the first that fails tightens the search.
  package var confirmations = 4
  /// Probability that the intervals of all confirmations of one figure hold.
  package var level = 0.95
  /// The search ends when its steps are below a quarter of this share of the range.
  package var tolerance = 0.02

  /// A search with the defaults for effort.
  package init(axes: [SearchAxis], conditions: [SearchCondition], direction: Direction) {
    self.axes = axes
    self.conditions = conditions
    self.direction = direction
  }

  /// Coverage of the interval of one confirmation: they share the error equally.
  package var confirmationLevel: Double { 1 - (1 - level) / Double(confirmations) }

  /// The fewest points that a search of so many axes can do with: the design and as many again.
  package static func pointsMinimum(axes: Int) -> Int { 2 * designCount(axes: axes) }

  private static func designCount(axes: Int) -> Int {
    (axes <= 3 ? 1 << axes : 2) + 1 + designShare * axes
  }

  /// The places at which a search begins: the center; the corners, of more than three axes only
  /// the lowest and the highest; and Sobol points.
  ///
  /// - Throws: as `SobolSequence`.
  func design() throws(StatisticsError) -> [[Double]] {
    let count = axes.count
    let corners: [[Double]] =
      count <= 3
      ? (0..<(1 << count)).map { (mask: Int) in (0..<count).map { Double((mask >> $0) & 1) } }
      : [Array(repeating: 0, count: count), Array(repeating: 1, count: count)]
    // Without a shift the sequence begins with the center.
    let even = try SobolSequence.points(
      count: 1 + SearchPlan.designShare * count, dimensions: count)
    return corners + even
  }

  /// - Throws: `StatisticsError` for a number out of range.
  package func check() throws(StatisticsError) {
    try SearchPlan.check("axes", axes.count, 1...SearchPlan.axesMaximum)
    try SearchPlan.check("conditions", conditions.count, 1...100)
    try SearchPlan.check(
      "points", points, SearchPlan.pointsMinimum(axes: axes.count)...100_000)
    try SearchPlan.check("replications", replications, 2...1_000_000)
    try SearchPlan.check("first", first, 2...replications)
    try SearchPlan.check("confirmation", confirmation, 2...1_000_000)
    try SearchPlan.check("confirmations", confirmations, 1...100)
    try StatisticsError.requireLevel(level)
    guard tolerance > 0, tolerance < 1 else {
      throw .estimator(.badParameter(name: "tolerance", value: tolerance))
    }
    for condition in conditions {
      try StatisticsError.requireFinite([condition.bound])
      if condition.figure == .probability, !(condition.bound > 0 && condition.bound < 1) {
        throw .estimator(.badParameter(name: "bound", value: condition.bound))
      }
    }
  }

  private static func check(
    _ name: String, _ count: Int, _ allowed: ClosedRange<Int>
  ) throws(StatisticsError) {
    guard allowed.contains(count) else { throw .count(name: name, count: count, allowed: allowed) }
  }
}
