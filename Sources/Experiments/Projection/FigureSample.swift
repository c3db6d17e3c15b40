package import EventKernel

/// The values of one figure over replications, in bounded memory.
package struct FigureSample: Sendable {
  package private(set) var tally = Tally()
  package private(set) var sketch: PercentileSketch
  /// Means of neighbours, of the first value and the second, the third and the fourth, …
  private var neighbours = Tally()
  /// A value whose neighbour is still to come.
  private var single: Double?
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
      if let first = single {
        try neighbours.add(first / 2 + value / 2)
        single = nil
      } else {
        single = value
      }
    } catch { isBroken = true }
  }

  /// The values in order; nil without any.
  package var ordered: SampleQuantiles? {
    isBroken ? nil : try? SampleQuantiles(sketch.ordered)
  }

  /// Mean, percentiles and their intervals; nil without a value.
  ///
  /// - Parameter paired: Whether neighbours may depend on each other.
  package func estimate(paired: Bool = false) -> Estimate? {
    guard var estimate = ordered.flatMap({ Estimate(tally, $0) }) else { return nil }
    estimate.halfWidth = halfWidth(paired: paired)
    return estimate
  }

  /// Half-width of the 95 % interval of the mean; nil with fewer than two values, or two pairs.
  package func halfWidth(paired: Bool = false) -> Double? {
    isBroken ? nil : (try? (paired ? neighbours : tally).interval())?.halfWidth
  }
}
