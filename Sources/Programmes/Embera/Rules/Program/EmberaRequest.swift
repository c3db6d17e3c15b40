package import Quantities

/// Everything that happens to the program, as one journal records it.
package enum EmberaRequest: Sendable, Equatable, Codable {
  /// A new member, who gets the next number.
  case signUp(state: UInt8)
  /// An order from a channel's log; `number` makes it count once.
  case order(member: UInt32, channel: EntryChannel, number: UInt32, contents: OrderContents)
  /// A redemption from a channel's log, by the offer's id.
  case redeem(member: UInt32, channel: EntryChannel, number: UInt32, offer: String)
  /// The books close: a month that has ended lets points expire first, and a part of one does not.
  case closeMonth(isComplete: Bool)
  /// A device asks for a challenge.
  case challenge(member: UInt32, channel: EntryChannel)
  /// A device answers its last challenge.
  case signIn(member: UInt32, channel: EntryChannel, counter: UInt32)
}

/// What the program answers.
package enum EmberaAnswer: Sendable, Equatable, Codable {
  case signedUp(member: UInt32)
  case ordered(amounts: OrderAmounts, points: Int64, balance: Int64, tier: EmberaTier)
  case redeemed(points: PointRange, balance: Int64)
  /// The entry was answered before; nothing changed.
  case repeated
  case closed(MonthClose)
  case challenged
  case signedIn(sessionEnds: Instant)
  case refused(EmberaRefusal)
}

/// Why the program refused a request; nothing changed but what is said.
package enum EmberaRefusal: Sendable, Equatable, Codable {
  case unknownMember
  case unknownState
  /// A request at an instant before the last one.
  case clock
  case order(OrderRefusal)
  case entry(EntryRefusal)
  /// The challenge, where there was one, is used up.
  case passkey(PasskeyRefusal)
}
