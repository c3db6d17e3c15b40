package import EventKernel

/// The values of one figure over replications, in bounded memory.
package struct FigureSample: Sendable {
  package private(set) var tally = Tally()
  package private(set) var sketch: PercentileSketch
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

  /// Adds a value; one that is not finite leaves nothing to estimate.
  package mutating func add(_ value: Double) {
    do {
      try tally.add(value)
      try sketch.add(value)
    } catch { isBroken = true }
  }

  /// The values in order; nil without any.
  package var ordered: SampleQuantiles? {
    isBroken ? nil : try? SampleQuantiles(sketch.ordered)
  }

  /// Mean, percentiles and their intervals; nil without a value.
  package var estimate: Estimate? { ordered.flatMap { Estimate(tally, $0) } }

  /// Half-width of the 95 % interval of the mean; nil with fewer than two values.
  package var halfWidth: Double? { isBroken ? nil : (try? tally.interval())?.halfWidth }
}
