internal import EventKernel
internal import Foundation
internal import RewardModel

/// The share of what is bought that is used in the end, and when it is used.
///
/// What was bought lately is still to be used, so that the share used so far is too small. By how much
/// is asked of simulated members with the fitted purchases, amounts, sign-ups and season over the same
/// days, of whom the share is known: what they have used so far over it is the completeness, by which
/// the share of the history is divided (indirect inference: Gouriéroux, Monfort and Renault 1993,
/// doi:10.1002/jae.3950080507). The population spreads what a member uses over a part of the member's
/// own gap between purchases, which is found in the same way (`UseSpan`). Where the history's members use
/// theirs at quite other times than simulated ones all the same, nothing is corrected.
package struct UseFit: Sendable, Equatable {
  /// Used until the end over bought, with its interval by members.
  package let soFar: EstimatedInterval
  /// Things bought and used.
  package let bought: Int
  package let used: Int
  /// Of what simulated members will use, what they have used by the end; nil until they are asked, and
  /// where they are too unlike to tell.
  package private(set) var completeness: Double?
  /// Why simulated members cannot correct the share, without a full stop; nil where they can.
  package private(set) var objection: String?
  /// The share that is used in the end; that of `soFar` until simulated members are asked.
  package private(set) var share: EstimatedInterval
  /// Of `share`.
  package private(set) var standardError: Double
  /// Days of a bin of the counts.
  package let binDays: Int
  /// Things used by days since the member's latest purchase, in the last place all later ones.
  package let counts: [Int]
  /// Shares of things that simulated members used, alike; empty until they are asked.
  package private(set) var simulated: [Double] = []
  /// Days since the latest purchase by which half and 90 % of things are used.
  package let days: (half: Double, most: Double)
  /// The same of simulated members; nil until they are asked.
  package private(set) var simulatedDays: (half: Double, most: Double)?
  /// The part of a member's gap between purchases over which things are used.
  package private(set) var span: UseSpan
  /// Of `soFar`.
  private let errorSoFar: Double
  /// Of the completeness, over it.
  private var noise = 0.0
  /// How far the share and the span move together, 0...1: a longer span asks for a greater share.
  private(set) var correlation = 0.0
  /// How many times as fast as the logarithm of the span that of the completeness grows: below 0, as
  /// what is used later is used less by the end.
  private var slope = 0.0

  /// Whether both were fitted to the same uses; pairs of numbers cannot be compared by the compiler, and
  /// follow from these.
  package static func == (a: Self, b: Self) -> Bool {
    a.share == b.share && a.counts == b.counts && a.simulated == b.simulated && a.span == b.span
  }

  /// Most bins of the counts.
  private static let bins = 24

  /// - Throws: `Untold` where nothing tells the share.
  package init(_ observed: ObservedHistory) throws(Untold) {
    guard let event = observed.use else {
      throw Untold("the histories of this program do not say what members do with what they bought")
    }
    let column = observed.history.form.column
    var uses = UseCounts(observed.history.form)
    for row in observed.rows { uses.add(row) }
    let left = "the share of \(column) used is left at its default"
    let ratio = uses.ratio
    guard ratio.above > 0 else { throw Untold("no '\(event.word)' rows: \(left)") }
    guard ratio.members >= 2 else { throw Untold("fewer than two members bought: \(left)") }
    guard ratio.above <= ratio.below else {
      throw Untold("more \(column) in '\(event.word)' rows than were bought: \(left)")
    }
    guard let interval = ratio.share(), let trials = ratio.effectiveTrials,
      let half = uses.days(0.5), let most = uses.days(0.9), let far = uses.days(0.95)
    else { throw Untold("too few '\(event.word)' rows: \(left)") }
    soFar = interval
    share = interval
    errorSoFar = (interval.estimate * (1 - interval.estimate) / trials).squareRoot()
    standardError = errorSoFar
    bought = Int(ratio.below)
    used = Int(ratio.above)
    days = (half, most)
    span = UseSpan(uses.wait)
    binDays = max(1, Int((far / Double(Self.bins - 1)).rounded(.up)))
    counts = uses.binned(days: binDays, bins: Self.bins)
  }

  /// Moves the span to where simulated members would use things after as many days as those of the
  /// history.
  ///
  /// - Parameter simulation: Of members with the span so far.
  /// - Returns: Whether it moved, so that they are to be simulated once more.
  mutating func moveSpan(after simulation: UseCounts) -> Bool { span.move(after: simulation.wait) }

  /// Takes what simulated members did, of whom a share is used in the end, instead of what others did
  /// before.
  ///
  /// The interval puts together how far that of `soFar` reaches, the noise of the completeness, and, once
  /// `probe` has told it, how it goes with what is not known of the span. Where members used more than
  /// the simulated ones would have, all of it is used in the end, and the interval ends there.
  ///
  /// Source: Zou and Donner 2008, doi:10.1002/sim.3095.
  package mutating func compare(with simulation: UseCounts, share known: Double) {
    (share, standardError, correlation) = (soFar, errorSoFar, 0)
    (completeness, objection, simulated, simulatedDays, slope) = (nil, nil, [], nil, 0)
    let ratio = simulation.ratio
    guard known > 0, let reached = ratio.ratio, reached > 0,
      let half = simulation.days(0.5), let most = simulation.days(0.9)
    else { return }
    let total = Double(max(1, simulation.timed))
    simulated = simulation.binned(days: binDays, bins: Self.bins).map { Double($0) / total }
    simulatedDays = (half, most)
    guard max(half, 1) <= 2 * max(days.half, 1), max(days.half, 1) <= 2 * max(half, 1) else {
      objection =
        "simulated members use theirs at other times, so that nothing is corrected: by the end of the "
        + "history they have used \(PurchaseBlock.percent(reached)) of what they bought, where these have used "
        + "\(PurchaseBlock.percent(soFar.estimate)). What the scenario's members use, and what that costs, is off "
        + "by as much"
      return
    }
    let part = min(1, reached / known)
    completeness = part
    noise = (ratio.standardError ?? 0) / reached
    take(part)
  }

  /// The share and its interval, where so much of it is used by the end.
  private mutating func take(_ part: Double) {
    let estimate = min(1, soFar.estimate / part)
    func root(_ parts: Double...) -> Double { parts.reduce(0) { $0 + $1 * $1 }.squareRoot() }
    let moved = estimate * slope.magnitude * span.spread
    func reach(to end: Double?) -> Double {
      root(
        (soFar.estimate - (end ?? soFar.estimate)) / part,
        ProfileLikelihood.reach * estimate * noise, ProfileLikelihood.reach * moved)
    }
    standardError = root(errorSoFar / part, estimate * noise, moved)
    correlation = standardError > 0 ? moved / standardError : 0
    share = EstimatedInterval(
      estimate: estimate, low: max(0, estimate - reach(to: soFar.low)),
      high: min(1, estimate + reach(to: soFar.high)), level: soFar.level, count: soFar.count)
  }

  /// The fit with a span that is wrong by about as much as may be, to be simulated; nil where the span
  /// is known, or nothing was corrected.
  var wrong: UseFit? {
    guard completeness != nil, let wrong = span.wrongSpan else { return nil }
    var fit = self
    fit.span = span.with(wrong)
    return fit
  }

  /// Takes what members of the `wrong` fit did: a share that is wrong for its span is one that the
  /// history would have led to as well, so that it is in the interval.
  ///
  /// - Parameters:
  ///   - wrong: The fit that was simulated.
  ///   - known: The share that the members use in the end.
  mutating func probe(_ wrong: UseFit, _ simulation: UseCounts, share known: Double) {
    guard let part = completeness, let before = span.estimate?.estimate,
      let after = wrong.span.estimate?.estimate, let reached = simulation.ratio.ratio,
      known > 0, reached > 0, before > 0, after > 0, before != after
    else { return }
    span.probe(after, simulation.wait)
    // Later use is never more of it.
    slope = min(0, log(min(1, reached / known) / part) / log(after / before))
    take(part)
  }

  /// The law of what the history leaves open of the share, for `uncertain`.
  package var law: String? { BetaLaw(mean: share.estimate, error: standardError)?.text }
}

/// A beta distribution with a mean and a standard deviation.
struct BetaLaw {
  /// As an entry of `uncertain` writes it.
  let text: String

  /// - Returns: Nil where no beta distribution is like that.
  init?(mean: Double, error: Double) {
    guard mean > 0, mean < 1, error > 0 else { return nil }
    let count = mean * (1 - mean) / (error * error) - 1
    guard count.isFinite, count > 0 else { return nil }
    text =
      "beta(\(PurchaseBlock.digits(mean * count, 6)), "
      + "\(PurchaseBlock.digits((1 - mean) * count, 6)))"
  }
}
