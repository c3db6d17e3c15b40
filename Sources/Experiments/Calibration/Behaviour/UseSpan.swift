internal import Foundation
internal import RewardModel

/// The part of a member's mean gap between purchases over which the member uses what was bought, found
/// by simulated members who use theirs as many days after their latest purchase as those of a history.
///
/// The mean is what counts: things bought and not yet used are as many as are bought in that time
/// (Little 1961, doi:10.1287/opre.9.3.383). The simulated mean grows with the span, about in proportion
/// as long as things are used up before the next purchase, and ever more slowly with longer spans. A
/// search along secants of both logarithms finds the span in a few simulations; it ends by what is left
/// of the span, as a small part of the days is a large one of a long span. One more simulation, with a
/// span that is wrong by about as much as may be, tells how the days go with the span there.
package struct UseSpan: Sendable, Equatable {
  /// The longest, in mean gaps.
  package static let most = 10.0
  /// Means below an hour are at once.
  private static let atOnce = 1.0 / 24
  /// Spans are alike where their logarithms differ by less.
  private static let tolerance = 0.01
  /// No step of the search is longer, in the logarithm of the span.
  private static let step = 3.5

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
  /// With a span away from `value`; nil until it was asked for.
  private var probe: Trial?

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
  var spread: Double {
    let noise = trials.last?.error ?? 0
    return (error * error + noise * noise).squareRoot() / slope
  }

  /// A span that is wrong by about as much as may be; nil where that is not known, or none.
  var wrongSpan: Double? {
    guard let last = trials.last, last.days > 0, value > 0, spread > 0 else { return nil }
    let factor = exp(min(max(spread, 0.05), 0.5))
    return value * factor > Self.most ? value / factor : value * factor
  }

  /// The span with another value.
  func with(_ value: Double) -> UseSpan {
    var span = self
    span.value = value
    return span
  }

  /// How many times as fast as the logarithm of the span that of the days grows: by what a wrong span
  /// came to, or the two simulations that came nearest; 1 with fewer.
  private var slope: Double {
    if let probe, let last = trials.last, let slope = Self.slope(last, probe) { return slope }
    let near = nearest
    guard near.count > 1 else { return 1 }
    return Self.slope(near[0], near[1]) ?? 1
  }

  /// Simulations with different spans, the one first whose days are nearest to the history's.
  private var nearest: [Trial] {
    var near: [Trial] = []
    for trial in trials.reversed() where trial.days > 0 && trial.span > 0 {
      if !near.contains(where: { $0.span == trial.span }) { near.append(trial) }
    }
    return near.sorted { abs(log($0.days / days)) < abs(log($1.days / days)) }
  }

  private static func slope(_ a: Trial, _ b: Trial) -> Double? {
    guard a.span > 0, b.span > 0, a.span != b.span, a.days > 0, b.days > 0 else { return nil }
    // Within what a mean of waits can do; noise alone would lead anywhere.
    return min(max(log(b.days / a.days) / log(b.span / a.span), 0.05), 1.5)
  }

  /// Takes what a simulation with `wrongSpan` came to.
  mutating func probe(_ span: Double, _ wait: ClusterRatio) {
    let simulated = wait.ratio ?? 0
    probe = Trial(
      span: span, days: simulated, error: simulated > 0 ? (wait.standardError ?? 0) / simulated : 0)
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
    probe = nil
    let before = value
    if days < Self.atOnce {
      value = 0
    } else if simulated > 0 {
      // Not beyond spans that came to too few days, or to too many.
      let low = trials.filter { $0.days < days }.map(\.span).max() ?? 0
      let high = trials.filter { $0.days > days }.map(\.span).min() ?? Self.most
      let wanted = min(max(log(days / simulated) / slope, -Self.step), Self.step)
      let next = value * exp(wanted)
      let inside = low < high && (next <= low || next >= high) && low > 0 && high < Self.most
      value = min(inside ? (low * high).squareRoot() : next, Self.most)
      if abs(log(value / before)) < Self.tolerance { value = before }
    }
    return value != before
  }
}
