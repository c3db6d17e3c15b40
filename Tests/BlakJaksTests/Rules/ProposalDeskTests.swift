import BlakJaks
// Goal: one vote a member while the voting lasts; every refusal leaves the tally as it was.
// Method: the boundaries by hand.
import Quantities
import Testing

@Suite struct ProposalDeskTests {
  private let opens = Instant(microseconds: 1_000)

  private func desk(voters: Tier = .standard) -> ProposalDesk {
    var rules = SocialRules()
    rules.votingTier = voters
    return ProposalDesk(rules: rules)
  }

  @Test func votesAreCountedAndTheMajorityPasses() throws {
    var desk = desk()
    let number = desk.open(at: opens, for: .days(7))
    #expect(number == 0)
    try desk.vote(number, member: 1, tier: .standard, inFavour: true, at: opens)
    try desk.vote(number, member: 2, tier: .whale, inFavour: false, at: opens + .hours(1))
    #expect(!desk.proposals[number].tally.passes, "a tie does not pass")
    try desk.vote(number, member: 3, tier: .vip, inFavour: true, at: opens + .hours(2))
    #expect(desk.proposals[number].tally == ProposalTally(inFavour: 2, against: 1))
    #expect(desk.proposals[number].tally.votes == 3)
    #expect(desk.proposals[number].tally.passes)
    #expect(!ProposalTally().passes, "nothing passes without a vote")
  }

  @Test func aSecondVoteIsRefusedEitherWay() throws {
    var desk = desk()
    let number = desk.open(at: opens, for: .days(7))
    try desk.vote(number, member: 7, tier: .vip, inFavour: true, at: opens)
    for inFavour in [true, false] {
      #expect(throws: VoteRefusal.alreadyVoted(proposal: number)) {
        try desk.vote(number, member: 7, tier: .vip, inFavour: inFavour, at: opens)
      }
    }
    #expect(desk.proposals[number].tally == ProposalTally(inFavour: 1))
    let other = desk.open(at: opens, for: .days(7))
    try desk.vote(other, member: 7, tier: .vip, inFavour: false, at: opens)
    #expect(desk.proposals[other].tally == ProposalTally(against: 1))
  }

  @Test func theClosingInstantIsTooLateAndTheOneBeforeIsNot() throws {
    var desk = desk()
    let number = desk.open(at: opens, for: .days(7))
    let closes = opens + .days(7)
    #expect(desk.proposals[number].closes == closes)
    try desk.vote(
      number, member: 1, tier: .vip, inFavour: true, at: closes - TimeSpan(microseconds: 1))
    for instant in [closes, closes + .days(1), opens - TimeSpan(microseconds: 1)] {
      #expect(throws: VoteRefusal.closed(proposal: number)) {
        try desk.vote(number, member: 2, tier: .vip, inFavour: true, at: instant)
      }
    }
    #expect(desk.proposals[number].tally.votes == 1)
  }

  @Test func votersBelowTheTierAndUnknownProposalsAreRefused() {
    var desk = desk(voters: .vip)
    let number = desk.open(at: opens, for: .days(1))
    let opens = opens
    #expect(throws: VoteRefusal.ineligible(required: .vip)) {
      try desk.vote(number, member: 1, tier: .standard, inFavour: true, at: opens)
    }
    for unknown in [-1, 1] {
      #expect(throws: VoteRefusal.unknown(proposal: unknown)) {
        try desk.vote(unknown, member: 1, tier: .whale, inFavour: true, at: opens)
      }
    }
    #expect(desk.proposals[number].tally.votes == 0)
    // The refused member has not used up a vote.
    #expect(throws: Never.self) {
      try desk.vote(number, member: 1, tier: .vip, inFavour: true, at: opens)
    }
  }

  @Test func closingHappensOnceAndKeepsTheResult() throws {
    var desk = desk()
    let long = desk.open(at: opens, for: .days(7))
    let short = desk.open(at: opens, for: .days(1))
    try desk.vote(short, member: 1, tier: .vip, inFavour: true, at: opens)
    #expect(desk.close(at: opens + .days(1) - TimeSpan(microseconds: 1)) == [])
    #expect(desk.close(at: opens + .days(1)) == [short])
    #expect(desk.close(at: opens + .days(2)) == [])
    #expect(desk.proposals[short].isClosed && !desk.proposals[long].isClosed)
    #expect(desk.proposals[short].tally == ProposalTally(inFavour: 1))
    // Closed stays closed, also for an instant within the voting.
    #expect(throws: VoteRefusal.closed(proposal: short)) {
      try desk.vote(short, member: 2, tier: .vip, inFavour: true, at: opens)
    }
    #expect(desk.close(at: opens + .days(9)) == [long])
  }

  @Test func eachRefusalHasAKeyOfItsOwn() {
    let refusals: [VoteRefusal] = [
      .unknown(proposal: 0), .closed(proposal: 0), .ineligible(required: .vip),
      .alreadyVoted(proposal: 0),
    ]
    #expect(Set(refusals.map(\.key)).count == refusals.count)
  }
}
