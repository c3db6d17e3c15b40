internal import EventKernel

/// A mean over replications, made more precise where that can be: by antithetic pairs, replications
/// that err in opposite directions, and by controls, figures of the same replications whose
/// expectation is known to be 0.
///
/// An observation is a single replication, or the mean of a pair, which counts twice.
/// The figure is regressed on the controls (Lavenberg and Welch 1981, doi:10.1287/mnsc.27.3.322);
/// the variance of the intercept is that of weighted sums of independent residuals, so that it
/// holds however the two of a pair depend on each other. With replications alone, or pairs alone,
/// it is that of least squares. Controls are left out where they do not help.
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
  package private(set) var halfWidth: Double
  /// The half-width that as many independent replications have, without controls.
  package private(set) var plainHalfWidth: Double
  /// How many times as many plain replications the half-width would take: the square of the ratio
  /// of the half-widths; nil where either has no spread.
  package let gain: Double?
  /// What the controls do to the variance, used or not; nil where they could not be tried.
  package let controlGain: Double?
  /// Whether `mean` and `halfWidth` are adjusted by the controls.
  package let usesControls: Bool
  /// Distance of the worst control's mean from 0 in standard errors; nil without controls. Beyond
  /// `scoreAllowed` the expectation is more likely wrong than the sample unlucky.
  package let worstScore: Double?
  /// What pairing does to the variance of what the controls leave, 1 / (1 + ρ) for a correlation ρ
  /// within pairs; nil without pairs, and where nothing varies.
  package let pairGain: Double?

  /// - Parameters:
  ///   - alone: Single replications, without a mirrored one.
  ///   - pairs: Means of pairs.
  ///   - singles: All replications one by one.
  ///   - origin: What was taken off the figure's values.
  ///   - mayAdjust: Whether every replication has its controls.
  init?(
    alone: CrossMoments, pairs: CrossMoments, singles: CrossMoments, origin: Double,
    mayAdjust: Bool
  ) {
    let clusters = Clusters(alone: alone, pairs: pairs)
    guard clusters.count >= 2, let plainFit = clusters.once.fit([]),
      let plain = clusters.halfWidth(plainFit, controls: 0),
      let independent = Clusters(alone: singles, pairs: CrossMoments(controls: singles.controls))
        .halfWidth(plainFit, controls: 0)
    else { return nil }
    plainHalfWidth = independent
    let chosen = mayAdjust && clusters.count >= Self.observationsNeeded ? clusters.controls : []
    worstScore = chosen.compactMap(clusters.score).max()
    let fit =
      chosen.isEmpty || (worstScore ?? 0) > Self.scoreAllowed
      ? nil : clusters.once.fit(chosen) ?? clusters.once.fit(Array(chosen.prefix(1)))
    let adjusted = fit.flatMap { fit in
      clusters.halfWidth(fit, controls: fit.residual.dropFirst(2).count { $0 != 0 })
    }
    // Below the rounding errors of the sums there is no spread left to compare.
    let noise = 1e-7 * plain
    controlGain =
      plain > 0 ? adjusted.flatMap { $0 > noise ? plain * plain / ($0 * $0) : nil } : nil
    usesControls = plain > 0 && adjusted.map { plain * plain >= Self.gainNeeded * $0 * $0 } ?? false
    let used = usesControls ? fit ?? plainFit : plainFit
    mean = origin + used.intercept
    halfWidth = usesControls ? adjusted ?? plain : plain
    gain =
      independent > 0 && halfWidth > noise
      ? (independent / halfWidth) * (independent / halfWidth) : nil
    pairGain = Self.pairGain(used, pairs: pairs, singles: singles)
  }

  /// The same with half-widths so many times as wide.
  func widened(by factor: Double) -> ReducedMean {
    var wide = self
    wide.halfWidth *= factor
    wide.plainHalfWidth *= factor
    return wide
  }

  /// The variance of one over that of two halves that are not a pair.
  private static func pairGain(
    _ fit: CrossMoments.Fit, pairs: CrossMoments, singles: CrossMoments
  ) -> Double? {
    func variance(_ moments: CrossMoments) -> Double {
      let sum = moments.sum(of: fit.residual)
      let count = Double(moments.count)
      return max(0, moments.squares(of: fit.residual) - sum * sum / count) / (count - 1)
    }
    guard pairs.count >= 2 else { return nil }
    let (whole, half) = (variance(singles), variance(pairs))
    return half > 1e-14 * whole ? whole / (2 * half) : nil
  }
}

/// Independent observations, each of one replication or the mean of two.
private struct Clusters {
  let count: Int
  /// Products weighted by the number of replications, and by its square.
  let once: CrossMoments
  let twice: CrossMoments

  init(alone: CrossMoments, pairs: CrossMoments) {
    count = alone.count + pairs.count
    once = alone.adding(pairs, weight: 2)
    twice = alone.adding(pairs, weight: 4)
  }

  /// Controls that vary, by number.
  var controls: [Int] {
    (0..<once.controls).filter { once.squares($0 + 2) > 1e-12 * once[$0 + 2, $0 + 2] }
  }

  /// Half-width of the 95 % interval of a fit's intercept; nil with too few observations.
  func halfWidth(_ fit: CrossMoments.Fit, controls: Int) -> Double? {
    let degrees = Double(count - 1 - controls)
    let replications = once[0, 0]
    guard degrees > 0,
      let student = try? ConfidenceInterval.studentQuantile(level: 0.95, degreesOfFreedom: degrees)
    else { return nil }
    let spread = twice.squares(of: fit.residual) / replications * Double(count) / degrees
    return student * (spread * fit.factor).squareRoot()
  }

  /// Distance of a control's mean from 0, in standard errors.
  func score(_ control: Int) -> Double? {
    let replications = once[0, 0]
    let mean = once[0, control + 2] / replications
    var residual = Array(repeating: 0.0, count: once.controls + 2)
    residual[control + 2] = 1
    residual[0] = -mean
    let spread = twice.squares(of: residual) * Double(count) / Double(count - 1)
    return spread > 0 ? abs(mean) * replications / spread.squareRoot() : nil
  }
}
