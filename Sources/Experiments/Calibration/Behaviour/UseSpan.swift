internal import Foundation
internal import RewardModel

/// The part of a member's mean gap between purchases over which the member uses what was bought, found
/// by simulated members who use theirs as many days after their latest purchase as those of a history.
///
/// The mean is what counts: things bought and not yet used are as many as are bought in that time
/// (Little 1961, doi:10.1287/opre.9.3.383). The simulated mean grows with the span, about in proportion
/// as long as things are used up before the next purchase. A search along the secant of both
/// logarithms finds the span in a few simulations.
package struct UseSpan: Sendable, Equatable {
  /// The longest, in mean gaps.
  package static let most = 10.0
  /// Means below an hour are at once.
  private static let atOnce = 1.0 / 24
  /// Means are alike where they differ by less.
  private static let tolerance = 0.01

  /// What a simulation with a span came to.
  private struct Trial: Equatable {
    var span: Double
    var days: Double
    /// Of `days`, over them.
    var error: Double
  }

  /// Days from the member's latest purchase to a use, on average.
  package let days: Double
  /// Of `days`, over them.
  private let error: Double
  /// What to simulate with.
  private var value = 1.0
  private var trials: [Trial] = []

  /// - Parameter wait: Days to a use, by members of the history.
  init(_ wait: ClusterRatio) {
    days = wait.ratio ?? 0
    error = days > 0 ? (wait.standardError ?? 0) / days : 0
  }

  /// The span, with what is known of it; nil until members were simulated. At once has no interval.
  package var estimate: EstimatedInterval? {
    guard !trials.isEmpty else { return nil }
    let reach = exp(ProfileLikelihood.reach * spread)
    let isSure = value == 0 || spread == 0
    return EstimatedInterval(
      estimate: value, low: isSure ? nil : value / reach,
      high: isSure ? nil : min(value * reach, Self.most), level: 0.95, count: trials.count)
  }

  /// The law of what is not known of it, for `uncertain`.
  var law: String? {
    guard !trials.isEmpty, value > 0, spread > 0 else { return nil }
    return "lognormal(\(PurchaseBlock.digits(value, 4)), \(PurchaseBlock.digits(spread, 3)))"
  }

  /// The standard deviation of the logarithm: that of the history's mean and of the latest simulated
  /// one.
  private var spread: Double {
    let noise = trials.last?.error ?? 0
    return (error * error + noise * noise).squareRoot() / slope
  }

  /// How many times as fast as the logarithm of the span that of the days grows, by the last two
  /// simulations; 1 with fewer.
  private var slope: Double {
    guard trials.count > 1 else { return 1 }
    let (a, b) = (trials[trials.count - 2], trials[trials.count - 1])
    guard a.span > 0, b.span > 0, a.span != b.span, a.days > 0, b.days > 0 else { return 1 }
    // Within what a mean of waits can do; noise alone would lead anywhere.
    return min(max(log(b.days / a.days) / log(b.span / a.span), 0.2), 1.5)
  }

  /// Takes what a simulation with the value so far came to.
  ///
  /// - Returns: Whether the value moved.
  mutating func move(after wait: ClusterRatio) -> Bool {
    let simulated = wait.ratio ?? 0
    trials.append(
      Trial(
        span: value, days: simulated,
        error: simulated > 0 ? (wait.standardError ?? 0) / simulated : 0))
    let before = value
    if days < Self.atOnce {
      value = 0
    } else if simulated > 0, abs(log(simulated / days)) > Self.tolerance {
      value = min(value * exp(log(days / simulated) / slope), Self.most)
    }
    return value != before
  }
}
