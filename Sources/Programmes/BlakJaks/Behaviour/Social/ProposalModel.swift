internal import EventKernel
internal import Population
package import Quantities

/// A proposal whose voting has begun.
package struct ProposalOpening: Sendable, Equatable, Codable {
  /// 1 for the first of a run.
  package var number: Int
  package var opens: Instant
  package var closes: Instant
  /// Members entitled to vote.
  package var eligible: Int
}

/// A proposal whose voting is over.
package struct ProposalClosing: Sendable, Equatable {
  package var number: Int
  package var closes: Instant
  package var eligible: Int
  package var inFavour: Int
  package var against: Int

  /// Votes among those entitled, 0...1; 0 when nobody was.
  package var turnout: Double {
    eligible > 0 ? Double(inFavour + against) / Double(eligible) : 0
  }
}

/// What one window saw of proposals.
struct ProposalWindow: Equatable {
  /// In the order of their opening.
  var opened: [ProposalOpening] = []
  /// In the order of their opening, which is that of their closing.
  var closed: [ProposalClosing] = []
  /// Votes cast in the window.
  var votes = 0
}

/// Proposals and how members vote on them, counted and not listed voter by voter.
///
/// Over the whole voting the number of votes is binomial (eligible, turnout), spread evenly over
/// its time: each window takes its part conditional on what was cast before. No member votes
/// twice.
struct ProposalModel: Sendable {
  /// Proposals open at once at most; a further one is not opened.
  static let mostOpen = 256
  /// Pseudo-votes that a proposal's support is made of, a beta variate around the mean of the
  /// settings.
  private static let concentration = 10.0
  private static let monthDays = 30.436875

  /// A proposal that is open.
  struct Open: Codable {
    var opening: ProposalOpening
    var support: Double
    var inFavour = 0
    var against = 0
    /// Part of the voting's time that has passed.
    var passed = 0.0
  }

  private let settings: ProposalSettings
  private let seed: UInt64
  var open: [Open] = []
  /// Proposals so far.
  var count = 0

  init(_ settings: ProposalSettings, seed: UInt64) {
    invariant(settings.votingDays >= 1, "a voting lasts at least a day")
    self.settings = settings
    self.seed = seed
  }

  /// Moves to the end of the window. A proposal that closes at or before it is closed.
  ///
  /// - Parameters:
  ///   - index: Of the window, below 2^40.
  ///   - eligible: Members who may vote, for proposals that open now.
  /// - Complexity: O(open proposals).
  mutating func window(index: UInt64, start: Instant, end: Instant, eligible: Int)
    -> ProposalWindow
  {
    var result = ProposalWindow()
    openNew(index, start, end, eligible, &result)
    for row in open.indices {
      var stream = RandomStream(
        seed: seed, purpose: RandomPurpose.proposal.rawValue,
        entity: index << 24 | UInt64(open[row].opening.number & 0xff_ffff))
      result.votes += vote(row, start, end, &stream)
    }
    for proposal in open where proposal.opening.closes <= end {
      result.closed.append(
        ProposalClosing(
          number: proposal.opening.number, closes: proposal.opening.closes,
          eligible: proposal.opening.eligible, inFavour: proposal.inFavour,
          against: proposal.against))
    }
    open.removeAll { $0.opening.closes <= end }
    return result
  }

  private mutating func openNew(
    _ index: UInt64, _ start: Instant, _ end: Instant, _ eligible: Int,
    _ result: inout ProposalWindow
  ) {
    var stream = RandomStream(
      seed: seed, purpose: RandomPurpose.proposal.rawValue, entity: index << 24)
    let length = end - start
    let days = length.inSeconds / 86_400
    let wanted = stream.poisson(mean: settings.perMonth / Self.monthDays * days)
    let times = (0..<min(wanted, Self.mostOpen - open.count)).map { _ in
      start.microseconds + Int64(stream.uniformIndex(below: UInt64(length.microseconds)))
    }
    let a = settings.support * Self.concentration
    let b = (1 - settings.support) * Self.concentration
    for time in times.sorted() {
      count += 1
      let opens = Instant(microseconds: time)
      let opening = ProposalOpening(
        number: count, opens: opens, closes: opens + .days(settings.votingDays),
        eligible: eligible)
      let support = a > 0 && b > 0 ? stream.beta(a, b) : settings.support
      open.append(Open(opening: opening, support: support))
      result.opened.append(opening)
    }
  }

  /// Casts the window's votes on one proposal and returns their number.
  private mutating func vote(
    _ row: Int, _ start: Instant, _ end: Instant, _ stream: inout RandomStream
  ) -> Int {
    var proposal = open[row]
    let opening = proposal.opening
    let overlap = min(opening.closes, end) - max(opening.opens, start)
    let whole = (opening.closes - opening.opens).inSeconds
    let part = min(1 - proposal.passed, max(0, overlap.inSeconds / whole))
    let left = 1 - settings.turnout * proposal.passed
    let chance = left > 0 ? min(1, max(0, settings.turnout * part / left)) : 0
    let waiting = opening.eligible - proposal.inFavour - proposal.against
    let votes = stream.binomial(waiting, chance)
    let inFavour = stream.binomial(votes, proposal.support)
    proposal.inFavour += inFavour
    proposal.against += votes - inFavour
    proposal.passed += part
    open[row] = proposal
    return votes
  }
}
