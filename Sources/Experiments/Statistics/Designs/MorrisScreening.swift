package import EventKernel
internal import Quantities

/// Which of many settings matter, from few runs: Morris's elementary effects.
///
/// A trajectory starts at a random point of a grid of `levels` values an axis and changes one axis
/// after another, in random order, by ±Δ = levels / (2 (levels − 1)) of its range. The change of
/// the output over ±Δ is an elementary effect, in output units per whole range of the axis.
///
/// Source: Morris 1991, doi:10.1080/00401706.1991.10484804; the mean size μ* by Campolongo,
/// Cariboni and Saltelli 2007, doi:10.1016/j.envsoft.2006.10.004
package struct MorrisScreening: Equatable, Sendable {
  /// Axes.
  package let factors: Int
  /// Trajectories, each of `factors` + 1 points.
  package let trajectories: Int
  /// Values an axis, even.
  package let levels: Int
  /// Where to evaluate the model: trajectory after trajectory, one row a point, shares of the
  /// axes' ranges from 0 to 1. Make settings of them with `Design(axes:shares:)`.
  package let points: [[Double]]

  /// What an axis does to the output.
  package struct Effect: Equatable, Sendable {
    /// Mean effect, μ: signs may cancel.
    package let mean: Double
    /// Mean size of the effect, μ*, with Student's t interval over the trajectories: how much the
    /// axis matters.
    package let size: ConfidenceInterval
    /// Standard deviation, σ: large relative to μ* when the axis interacts or acts unevenly.
    package let deviation: Double
  }

  /// - Parameters:
  ///   - factors: From 1 to 1,000.
  ///   - trajectories: From 2 to 10,000; 10 to 50 are usual.
  ///   - levels: Even, from 2 to 100; 4 is usual.
  ///   - seed: Names the trajectories.
  /// - Throws: `StatisticsError.count`; `.estimator` for an odd number of levels.
  /// - Complexity: O(trajectories × factors²).
  package init(
    factors: Int, trajectories: Int = 20, levels: Int = 4, seed: UInt64
  ) throws(StatisticsError) {
    guard (1...1_000).contains(factors) else {
      throw .count(name: "factors", count: factors, allowed: 1...1_000)
    }
    guard (2...10_000).contains(trajectories) else {
      throw .count(name: "trajectories", count: trajectories, allowed: 2...10_000)
    }
    guard (2...100).contains(levels) else {
      throw .count(name: "levels", count: levels, allowed: 2...100)
    }
    guard levels.isMultiple(of: 2) else {
      throw .estimator(.badParameter(name: "levels", value: Double(levels)))
    }
    self.factors = factors
    self.trajectories = trajectories
    self.levels = levels
    points = (0..<trajectories).flatMap { trajectory in
      Self.trajectory(factors: factors, levels: levels, seed: seed, entity: UInt64(trajectory))
    }
  }

  private static func trajectory(
    factors: Int, levels: Int, seed: UInt64, entity: UInt64
  ) -> [[Double]] {
    var stream = RandomStream(
      seed: seed, purpose: ExperimentPurpose.morris.rawValue, entity: entity)
    let top = Double(levels - 1)
    let jump = levels / 2
    // Steps from the bottom: an axis that rises starts in the lower half, one that falls above it.
    var place: [Int] = []
    var rises: [Bool] = []
    for _ in 0..<factors {
      let base = Int(stream.uniformIndex(below: UInt64(levels - jump)))
      let up = stream.uniformIndex(below: 2) == 1
      rises.append(up)
      place.append(up ? base : base + jump)
    }
    var order = Array(0..<factors)
    for last in stride(from: factors - 1, to: 0, by: -1) {
      order.swapAt(last, Int(stream.uniformIndex(below: UInt64(last + 1))))
    }
    var rows = [place.map { Double($0) / top }]
    for factor in order {
      place[factor] += rises[factor] ? jump : -jump
      rows.append(place.map { Double($0) / top })
    }
    return rows
  }

  /// One effect an axis from the model's values.
  ///
  /// - Parameters:
  ///   - values: One a point, in the order of `points`, finite.
  ///   - taken: Where the model really was, one row a point, from 0 to 1: a setting of whole numbers
  ///     moves by more or less than the design says. An axis that did not move has no effect there.
  ///     Nil where it was at `points`.
  ///   - level: Coverage of the interval of the size, above 0 and below 1.
  /// - Throws: `StatisticsError.lengths` or `.estimator`.
  /// - Complexity: O(points × factors).
  package func analyse(
    _ values: [Double], taken: [[Double]]? = nil, level: Double = 0.95
  ) throws(StatisticsError) -> [Effect] {
    guard values.count == points.count else {
      throw .lengths(name: "values", count: values.count, needed: points.count)
    }
    let taken = taken ?? points
    guard taken.count == points.count, taken.allSatisfy({ $0.count == factors }) else {
      throw .lengths(name: "taken", count: taken.count, needed: points.count)
    }
    try StatisticsError.requireFinite(values)
    var signed = [Tally](repeating: Tally(), count: factors)
    var sizes = signed
    for trajectory in 0..<trajectories {
      let start = trajectory * (factors + 1)
      for step in start..<(start + factors) {
        let (before, after) = (points[step], points[step + 1])
        for factor in 0..<factors where before[factor] != after[factor] {
          let moved = taken[step + 1][factor] - taken[step][factor]
          let effect = moved == 0 ? 0 : (values[step + 1] - values[step]) / moved
          try StatisticsError.estimating { () throws(EstimatorError) in
            try signed[factor].add(effect)
            try sizes[factor].add(abs(effect))
          }
        }
      }
    }
    var effects: [Effect] = []
    for factor in 0..<factors {
      invariant(signed[factor].count == trajectories, "each trajectory moves each axis once")
      let size = try StatisticsError.estimating { () throws(EstimatorError) in
        try sizes[factor].interval(level: level)
      }
      effects.append(
        Effect(
          mean: signed[factor].mean ?? 0, size: size,
          deviation: signed[factor].standardDeviation ?? 0))
    }
    return effects
  }
}
