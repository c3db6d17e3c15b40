/// What a mean over replications needs to be made more precise, in bounded memory: sums over
/// single replications, over means of antithetic pairs, and over all one by one.
package struct ReductionSums: Sendable {
  /// Taken off the figure's values.
  private var origin = 0.0
  private var alone = CrossMoments(controls: 0)
  private var pairs = CrossMoments(controls: 0)
  private var singles = CrossMoments(controls: 0)
  /// A replication whose partner may follow.
  private var open: [Double]?
  /// A replication did not have the figure, or its controls.
  private var isLacking = false

  /// No replications.
  package init() {}

  /// Whether there is anything to make the mean more precise with.
  var isOfUse: Bool { pairs.count > 0 || singles.controls > 0 }

  /// Adds a replication.
  ///
  /// - Parameters:
  ///   - value: The figure; nil where the run does not have it.
  ///   - controls: Each of expectation 0. Where replications have different numbers of them, as
  ///     drawn settings can make it, none of them adjusts the mean.
  ///   - joins: Whether it mirrors the replication that was added last.
  package mutating func add(_ value: Double?, controls: [Double], joins: Bool = false) {
    guard let value, value.isFinite else {
      isLacking = true
      close()
      return
    }
    if singles.count == 0 {
      origin = value
      singles = CrossMoments(controls: controls.count)
      (alone, pairs) = (singles, singles)
    }
    if controls.count != singles.controls { isLacking = true }
    let missing = max(0, singles.controls - controls.count)
    let row =
      [value - origin] + controls.prefix(singles.controls) + [Double](repeating: 0, count: missing)
    singles.add(row)
    if joins, let first = open {
      pairs.add(zip(first, row).map { $0 / 2 + $1 / 2 })
      open = nil
    } else {
      close()
      open = row
    }
  }

  /// Counts a single replication.
  private mutating func close() {
    if let row = open { alone.add(row) }
    open = nil
  }

  /// The mean, as precise as it can be; nil with fewer than two observations.
  package var mean: ReducedMean? {
    var done = self
    done.close()
    return ReducedMean(
      alone: done.alone, pairs: done.pairs, singles: done.singles, origin: origin,
      mayAdjust: !isLacking)
  }
}
