internal import EventKernel
package import RewardModel
package import Scenario

/// What became of a threshold of a scenario over replications.
package struct ExpectationVerdict: Sendable {
  package let expectation: Expectation
  /// What is compared.
  package let figure: FigureDescription
  /// The figure's percentile over replications, `Expectation.percentile`; nil where not every
  /// replication has the figure, which misses the threshold.
  package let reached: Double?
  /// Replications that meet the threshold one by one, and how many there were.
  package let met: Int
  package let count: Int

  /// Whether the threshold holds.
  package var holds: Bool {
    reached.map { expectation.comparison.holds($0, expectation.bound) } ?? false
  }

  /// Judges a threshold by the replications of a fold.
  ///
  /// - Returns: Nil where the fold does not measure the figure.
  /// - Complexity: O(n log n) for n different values.
  package init?(_ expectation: Expectation, _ fold: ProjectionFold) {
    guard let row = fold.measured.row(of: expectation.figure) else { return nil }
    let sample = fold.figures[row]
    let values = sample.ordered
    self.expectation = expectation
    figure = fold.measured.figures[row]
    count = fold.count
    met =
      values?.sorted.count { expectation.comparison.holds($0, expectation.bound) } ?? 0
    let hasAll = sample.tally.count == fold.count
    reached =
      hasAll ? values.flatMap { try? $0.interpolated(Double(expectation.percentile) / 100) } : nil
  }
}
