internal import EventKernel
internal import Foundation

/// Whether the replications of a projection run in antithetic pairs.
package enum Antithetic: String, Sendable, CaseIterable {
  /// Tried on some pairs, and kept where they surely help.
  case auto
  case on
  case off
}

/// What became of a projection's antithetic pairs.
package struct PairTrial: Sendable, Equatable {
  /// How it ended.
  package enum Verdict: String, Sendable {
    /// Nobody asked for pairs.
    case off
    /// Too few replications for a trial.
    case tooFew = "too_few"
    /// Pairs were asked for without a trial.
    case on
    /// Pairs help, and all replications after the trial ran in pairs.
    case helped
    /// Pairs help the figure that decides but surely hurt another that is printed, and all
    /// replications after the trial are single.
    case hurt
    /// Pairs do not surely help, and all replications after the trial are single.
    case notShown = "not_shown"
  }

  /// Pairs of a trial.
  package static let size = 20
  /// Replications still to run from which on a trial is made.
  package static let needed = 80

  package var verdict: Verdict
  /// Numbers of the replications that ran in pairs.
  package var pairs = 0..<0
  /// The figure that decided; nil without a trial.
  package private(set) var figure: String?
  /// Its gain in the trial and the ends of the 90 % interval; nil without a trial, and where
  /// nothing varied.
  package private(set) var gain: EstimatedInterval?
  /// The printed figure that pairs make least precise, with its gain, where they surely hurt one.
  package private(set) var hurt: (figure: String, gain: Double)?

  /// Before any replication.
  package init(_ antithetic: Antithetic) {
    switch antithetic {
    case .auto: verdict = .tooFew
    case .on:
      verdict = .on
      pairs = 0..<Int.max
    case .off: verdict = .off
    }
  }

  /// Whether a replication mirrors the one before it.
  package func joins(_ number: Int) -> Bool {
    pairs.contains(number) && !number.isMultiple(of: 2)
  }

  /// Begins a trial at a number of a replication, which is even.
  package mutating func begin(at number: Int) { pairs = number..<(number + 2 * PairTrial.size) }

  /// Ends the trial: pairs are kept where their gain is above 1 with 95 % confidence and no other
  /// printed figure's is below 1 with 95 % confidence in all of them (Bonferroni).
  ///
  /// The interval is that of a correlation by Fisher's z (1921), carried over to 1 / (1 + ρ).
  ///
  /// - Parameters:
  ///   - figure: What decides.
  ///   - gain: Its gain by the trial's pairs, after the controls; nil where nothing varied.
  ///   - others: The gains of the other figures that are printed, those that varied.
  package mutating func end(
    _ figure: String, gain: Double?, others: [(figure: String, gain: Double)] = []
  ) {
    self.figure = figure
    verdict = .notShown
    guard let gain, gain > 0.5 else {
      self.gain = gain.map {
        EstimatedInterval(estimate: $0, low: nil, high: nil, level: 0.9, count: PairTrial.size)
      }
      return
    }
    let (low, high) = Self.ends(of: gain, miss: 0.05)
    self.gain = EstimatedInterval(
      estimate: gain, low: low, high: high, level: 0.9, count: PairTrial.size)
    guard low > 1 else { return }
    let losers = others.filter {
      $0.gain <= 0.5 || Self.ends(of: $0.gain, miss: 0.05 / Double(others.count)).high < 1
    }
    if let worst = losers.min(by: { $0.gain < $1.gain }) {
      verdict = .hurt
      hurt = worst
      return
    }
    verdict = .helped
    pairs = pairs.lowerBound..<Int.max
  }

  /// The ends of a gain, each beyond the true one with a probability.
  private static func ends(of gain: Double, miss: Double) -> (low: Double, high: Double) {
    let centre = atanh(1 / gain - 1)
    let reach = RandomStream.normalQuantile(1 - miss) / Double(PairTrial.size - 3).squareRoot()
    return (1 / (1 + tanh(centre + reach)), 1 / (1 + tanh(centre - reach)))
  }

  /// Whether two trials came to the same, figure by figure.
  package static func == (a: PairTrial, b: PairTrial) -> Bool {
    a.verdict == b.verdict && a.pairs == b.pairs && a.figure == b.figure && a.gain == b.gain
      && a.hurt?.figure == b.hurt?.figure && a.hurt?.gain == b.hurt?.gain
  }
}
