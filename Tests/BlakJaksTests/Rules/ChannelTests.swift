// Goal: the channels of the brief are open to whom the brief says, for reading and for writing.
// Method: the catalog written out by hand; every tier on every channel against a plain table.
import BlakJaks
import Testing

@Suite struct ChannelTests {
  private let channels = Channels(rules: SocialRules())

  @Test func theCatalogueIsThatOfTheBrief() {
    #expect(
      channels.all.map { "\($0.group.rawValue) \($0.name)" } == [
        "General #announcements", "General #general-chat", "General #introductions",
        "High Roller Lounge #vip-chat", "High Roller Lounge #exclusive-deals",
        "Comps & Crypto #comp-claims", "Comps & Crypto #wallet-talk",
        "Comps & Crypto #trading-tips", "Governance #proposals", "Governance #voting",
      ])
    #expect(channels.all.filter(\.isReadOnly).map(\.id) == ["general/announcements"])
    #expect(
      channels.all.filter { $0.requiredTier > .standard }.map(\.id)
        == ["lounge/vip-chat", "lounge/exclusive-deals"])
    #expect(Set(channels.all.map(\.id)).count == 10)
  }

  @Test(
    "The lounge is open from its tier on and no other channel asks for one",
    arguments: Tier.allCases, Tier.allCases)
  func tierLock(lounge: Tier, member: Tier) throws {
    var rules = SocialRules()
    rules.loungeTier = lounge
    let channels = Channels(rules: rules)
    for (row, channel) in channels.all.enumerated() {
      let isLocked = channel.group == .lounge && member < lounge
      if isLocked {
        let refusal = ChannelRefusal.tierLocked(id: channel.id, required: lounge)
        #expect(throws: refusal) { try channels.read(by: member, channel.id) }
        #expect(throws: refusal) { try channels.post(by: member, channel.id) }
      } else {
        #expect(try channels.read(by: member, channel.id) == row)
        if channel.isReadOnly {
          #expect(throws: ChannelRefusal.readOnly(id: channel.id)) {
            try channels.post(by: member, channel.id)
          }
        } else {
          #expect(try channels.post(by: member, channel.id) == row)
        }
      }
    }
  }

  @Test(
    "An id that names no channel is refused",
    arguments: ["", "general", "general-chat", "General/general-chat", "general/general-chat "])
  func unknown(id: String) {
    #expect(throws: ChannelRefusal.unknown(id: id)) { try channels.post(by: .whale, id) }
    #expect(throws: ChannelRefusal.unknown(id: id)) { try channels.read(by: .whale, id) }
  }

  @Test func theLoungeIsForHighRollersUnlessARuleSaysOtherwise() {
    #expect(throws: ChannelRefusal.tierLocked(id: "lounge/vip-chat", required: .highRoller)) {
      try channels.read(by: .vip, "lounge/vip-chat")
    }
    #expect(throws: Never.self) { try channels.read(by: .highRoller, "lounge/vip-chat") }
  }

  @Test func eachRefusalHasAKeyOfItsOwn() {
    let refusals: [ChannelRefusal] = [
      .unknown(id: "x"), .tierLocked(id: "x", required: .whale), .readOnly(id: "x"),
    ]
    #expect(refusals.map(\.key) == ["unknown_channel", "tier_locked", "read_only"])
  }
}
