package import EventKernel

/// The values of one figure over replications, in bounded memory.
package struct FigureSample: Sendable {
  package private(set) var tally = Tally()
  package private(set) var sketch: PercentileSketch
  /// What ran in antithetic pairs.
  package private(set) var pairs = PairedValues()
  private var reduction = ReductionSums()
  /// A value was not finite, so that nothing can be said.
  private var isBroken = false

  /// No values.
  ///
  /// - Parameter relativeError: That of `PercentileSketch`, from 1e-4 to 0.5.
  package init(relativeError: Double = 0.001) {
    do { sketch = try PercentileSketch(relativeError: relativeError) } catch {
      fatalError("a sketch with the error \(relativeError): \(error)")
    }
  }

  /// Adds a value for its percentiles alone; one that is not finite leaves nothing to estimate.
  package mutating func add(_ value: Double) {
    do {
      try tally.add(value)
      try sketch.add(value)
    } catch { isBroken = true }
  }

  /// Adds a replication's value, for its mean and the intervals of its percentiles too.
  ///
  /// - Parameters:
  ///   - value: Nil where the run does not have the figure.
  ///   - controls: See `ReductionSums.add`.
  ///   - joins: Whether the replication mirrors the one before it.
  package mutating func add(_ value: Double?, controls: [Double], joins: Bool) {
    reduction.add(value, controls: controls, joins: joins)
    pairs.add(value, joins: joins)
    if let value { add(value) }
  }

  /// The values in order; nil without any.
  package var ordered: SampleQuantiles? {
    isBroken ? nil : try? SampleQuantiles(sketch.ordered)
  }

  /// The mean by pairs and controls, with Student's half-widths; nil where there are neither, and
  /// with too few values.
  package var reduced: ReducedMean? {
    reduction.isOfUse && !isBroken ? reduction.mean : nil
  }

  /// Mean, percentiles and their intervals; nil without a value.
  package var estimate: Estimate? {
    guard var estimate = ordered.flatMap({ Estimate(tally, $0, pairs: pairs) }) else { return nil }
    if reduction.isOfUse {
      estimate.reduced = reduced?.widened(by: estimate.widening)
      estimate.halfWidth = estimate.reduced?.halfWidth
    }
    if let reduced { estimate.mean = reduced.mean }
    return estimate
  }

  /// Half-width of the 95 % interval of the mean; nil with fewer than two values that are
  /// independent: a pair counts as one.
  package var halfWidth: Double? { estimate?.halfWidth }
}
