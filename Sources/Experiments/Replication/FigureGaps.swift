package import RewardModel

/// Replications that give a figure no number, where a mean needs one of each.
package struct FigureGaps: Sendable, Equatable {
  package let figure: FigureDescription
  /// Replications in which it is infinite, as utilization is where there is spend and no budget;
  /// see `RunSample.compared`. They have their place in a percentile and in a share, and leave no mean.
  package let infinite: Int
  /// Replications that do not have it at all.
  package let absent: Int
  /// All replications.
  package let count: Int
  /// Of the first replication without a number; nil where it is not kept.
  package let seed: UInt64?

  /// Gaps that are known by their numbers; nil without any.
  package init?(
    _ figure: FigureDescription, infinite: Int, absent: Int, of count: Int, seed: UInt64? = nil
  ) {
    guard infinite + absent > 0 else { return nil }
    self.figure = figure
    self.infinite = infinite
    self.absent = absent
    self.count = count
    self.seed = seed
  }

  /// The gaps of a figure; nil where every replication has a number.
  package init?(
    _ figure: FigureDescription, _ replications: [Replication], _ measured: MeasuredFigures
  ) {
    let gaps = replications.filter { $0.compared(figure, measured)?.isFinite != true }
    let infinite = gaps.count { $0.compared(figure, measured) != nil }
    self.init(
      figure, infinite: infinite, absent: gaps.count - infinite, of: replications.count,
      seed: gaps.first?.seed)
  }
}
