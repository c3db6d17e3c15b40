/// Whether the replications of a projection run in antithetic pairs.
package enum Antithetic: String, Sendable, CaseIterable {
  /// Tried on some pairs, and gone on with where they help.
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
    /// The trial helped, and all replications behind it ran in pairs.
    case helped
    /// The trial did not help, and all replications behind it were independent.
    case noHelp = "no_help"
  }

  /// Pairs of a trial.
  package static let size = 10
  /// Replications still to run from which on a trial is made.
  package static let needed = 40
  /// Gain from which on pairs are gone on with.
  package static let gainNeeded = 1.25

  package var verdict: Verdict
  /// Numbers of the replications that ran in pairs.
  package var pairs = 0..<0
  /// The gain in the trial; nil without one, and where nothing varied.
  package var gain: Double?

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

  /// Begins a trial at a number of a replication, which is even.
  package mutating func begin(at number: Int) { pairs = number..<(number + 2 * PairTrial.size) }

  /// Ends the trial.
  ///
  /// - Parameters:
  ///   - values: Of the figure that decides, one a replication from number 0 to the trial's end.
  ///   - controls: As those of `ReducedMean`.
  package mutating func end(_ values: [Double], controls: [[Double]]) {
    gain = ReducedMean(values, controls: controls, pairs: pairs)?.pairGain
    guard let gain, gain >= PairTrial.gainNeeded else {
      verdict = .noHelp
      return
    }
    verdict = .helped
    pairs = pairs.lowerBound..<Int.max
  }
}
