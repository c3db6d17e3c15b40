package import Quantities

/// The votes on one proposal.
package struct ProposalTally: Sendable, Equatable, Codable {
  package var inFavour: Int64 = 0
  package var against: Int64 = 0

  /// Votes in favor and against.
  package init(inFavour: Int64 = 0, against: Int64 = 0) {
    self.inFavour = inFavour
    self.against = against
  }

  /// Votes cast.
  package var votes: Int64 { inFavour + against }

  /// Whether the proposal passes: more votes in favour than against. A tie does not pass.
  package var passes: Bool { inFavour > against }
}

/// Why a vote was refused.
package enum VoteRefusal: Error, Equatable, Sendable {
  /// No proposal has this number.
  case unknown(proposal: Int)
  /// The voting has not begun or is over.
  case closed(proposal: Int)
  /// The member's tier is below that of voters.
  case ineligible(required: Tier)
  /// The member has voted on this proposal before.
  case alreadyVoted(proposal: Int)

  /// The reason's key in answers and exports.
  package var key: String {
    switch self {
    case .unknown: "unknown_proposal"
    case .closed: "voting_closed"
    case .ineligible: "voter_ineligible"
    case .alreadyVoted: "already_voted"
    }
  }
}

/// Proposals and their votes: one vote a member, while the voting lasts.
///
/// Voting lasts from the opening instant up to, but not at, the closing instant. Who has voted is
/// kept only until then.
package struct ProposalDesk: Sendable, Codable {
  /// One proposal.
  package struct Proposal: Sendable, Equatable, Codable {
    package let opens: Instant
    package let closes: Instant
    package fileprivate(set) var tally = ProposalTally()
    /// Whether the desk has closed it.
    package fileprivate(set) var isClosed = false
    fileprivate var voters: Set<UInt32> = []

    /// Whether votes count at this instant.
    package func takesVotes(at instant: Instant) -> Bool {
      !isClosed && instant >= opens && instant < closes
    }
  }

  /// The lowest tier that votes.
  package let votingTier: Tier
  /// Every proposal; its number is its row.
  package private(set) var proposals: [Proposal] = []

  /// A desk without proposals.
  package init(rules: SocialRules) { votingTier = rules.votingTier }

  /// Opens a proposal.
  ///
  /// - Parameters:
  ///   - opens: The first instant of the voting.
  ///   - span: How long it lasts; more than nothing.
  /// - Returns: Its number.
  package mutating func open(at opens: Instant, for span: TimeSpan) -> Int {
    invariant(span > .seconds(0), "a voting takes time")
    proposals.append(Proposal(opens: opens, closes: opens + span))
    return proposals.count - 1
  }

  /// Casts one vote.
  ///
  /// - Throws: `VoteRefusal`: unknown, closed, ineligible, alreadyVoted, in this order; nothing is
  ///   then changed.
  /// - Complexity: O(1) on average.
  package mutating func vote(
    _ proposal: Int, member: UInt32, tier: Tier, inFavour: Bool, at instant: Instant
  ) throws(VoteRefusal) {
    guard proposals.indices.contains(proposal) else { throw .unknown(proposal: proposal) }
    guard proposals[proposal].takesVotes(at: instant) else { throw .closed(proposal: proposal) }
    guard tier >= votingTier else { throw .ineligible(required: votingTier) }
    guard proposals[proposal].voters.insert(member).inserted else {
      throw .alreadyVoted(proposal: proposal)
    }
    if inFavour {
      proposals[proposal].tally.inFavour += 1
    } else {
      proposals[proposal].tally.against += 1
    }
    invariant(
      proposals[proposal].tally.votes == Int64(proposals[proposal].voters.count),
      "each voter has one vote")
  }

  /// Closes every proposal whose voting is over at `instant`, and forgets who voted on it.
  ///
  /// - Returns: The numbers of those closed now, in order.
  /// - Complexity: O(proposals).
  package mutating func close(at instant: Instant) -> [Int] {
    var closed: [Int] = []
    for row in proposals.indices where !proposals[row].isClosed && proposals[row].closes <= instant
    {
      proposals[row].isClosed = true
      proposals[row].voters = []
      closed.append(row)
    }
    return closed
  }
}
