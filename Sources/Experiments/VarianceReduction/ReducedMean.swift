internal import EventKernel

/// A mean over replications, made more precise where that can be: by pairs of replications that
/// err in opposite directions, and by controls, figures of the same replications whose expectation
/// is known to be 0.
///
/// Where replications ran in pairs, any of them, the observations are the means of neighbours (0
/// and 1, 2 and 3, …): those of independent neighbours are as good as any, so that the interval
/// holds whether the pairs helped or not. Controls are left out where they do not help.
package struct ReducedMean: Sendable, Equatable {
  /// Fewest observations with which controls are used.
  package static let observationsNeeded = 20
  /// Gain from which on controls are used: below it they may only have seemed to help.
  package static let gainNeeded = 1.1
  /// Distance of a control's mean from 0, in standard errors, beyond which no control is used.
  package static let scoreAllowed = 4.0

  /// In the figure's unit.
  package let mean: Double
  /// Half-width of the 95 % interval.
  package let halfWidth: Double
  /// How many times as many plain replications the half-width would take: the square of the ratio
  /// of half-widths, that of as many independent replications over this one; nil where either has
  /// no spread.
  package let gain: Double?
  /// What the controls alone do to the variance, used or not; nil where they could not be tried.
  package let controlGain: Double?
  /// Whether `mean` and `halfWidth` are adjusted by the controls.
  package let usesControls: Bool
  /// What pairing alone does to the variance of what the controls leave; nil without pairs.
  package let pairGain: Double?

  /// - Parameters:
  ///   - values: One a replication, in their order.
  ///   - controls: As many values a control, each of expectation 0.
  ///   - pairs: Numbers of the replications that ran in pairs.
  /// - Returns: Nil for fewer than two observations, or a value that is not finite.
  /// - Complexity: O(n).
  package init?(_ values: [Double], controls: [[Double]], pairs: Range<Int>) {
    let isPaired = !pairs.isEmpty
    let observations = isPaired ? Self.neighbours(values) : values
    guard let single = Self.interval(values), let plain = Self.interval(observations) else {
      return nil
    }
    let fit = Self.fit(observations, isPaired ? controls.map(Self.neighbours) : controls)
    let helps = fit.map { ($0.gain ?? .infinity) >= Self.gainNeeded && $0.helps } ?? false
    let used = helps ? fit : nil
    mean = used?.adjusted.estimate ?? plain.mean
    halfWidth = used?.adjusted.halfWidth ?? plain.halfWidth
    controlGain = fit?.gain
    usesControls = helps
    gain =
      halfWidth > 0 && single.halfWidth > 0
      ? (single.halfWidth / halfWidth) * (single.halfWidth / halfWidth) : nil
    pairGain = Self.pairGain(
      values, used.map { zip($0.coefficients, controls).map { ($0, $1) } } ?? [], pairs)
  }

  /// Means of neighbours; a last one without its neighbour is left out.
  private static func neighbours(_ values: [Double]) -> [Double] {
    stride(from: 1, to: values.count, by: 2).map { values[$0 - 1] / 2 + values[$0] / 2 }
  }

  private static func interval(_ values: [Double]) -> ConfidenceInterval? {
    var tally = Tally()
    for value in values {
      guard (try? tally.add(value)) != nil else { return nil }
    }
    return values.count > 1 ? try? tally.interval() : nil
  }

  /// The regression on the controls; nil where it is not to be had or not to be trusted.
  private static func fit(_ values: [Double], _ controls: [[Double]]) -> ControlVariate? {
    guard !controls.isEmpty, values.count >= observationsNeeded else { return nil }
    let fit = try? ControlVariate(
      output: values,
      controls: controls.enumerated().map {
        ControlVariate.Control(name: "control \($0)", values: $1, expectation: 0)
      })
    guard let fit, fit.expectationScores.allSatisfy({ abs($0) <= scoreAllowed }) else {
      return nil
    }
    return fit
  }

  /// The gain of the pairs among values less what their controls explain.
  private static func pairGain(
    _ values: [Double], _ controls: [(coefficient: Double, values: [Double])], _ pairs: Range<Int>
  ) -> Double? {
    let numbers = pairs.clamped(to: 0..<values.count)
    func rest(_ row: Int) -> Double {
      controls.reduce(values[row]) { $0 - $1.coefficient * $1.values[row] }
    }
    let first = stride(from: numbers.lowerBound, to: numbers.upperBound - 1, by: 2)
    return try? AntitheticPairs(first: first.map(rest), second: first.map { rest($0 + 1) }).gain
  }
}
