internal import Quantities

/// The members of a world as its house reaches them.
protocol WorldDirectory: MemberDirectory {
  /// Enters a trip into what a member was given; the other prizes are in the account.
  mutating func noteTrip(_ amount: MicroUSDT, to member: UInt32)
}

/// What a member was given in a window that was concluded beside the next one's cells.
struct MemberNote: Sendable, Equatable {
  var member: UInt32
  var amount: MicroUSDT
  /// Whether it is a trip, which does not count as a comp in the account.
  var isTrip: Bool
}

/// The members while their cells run: what is theirs is noted down until the cells are back.
///
/// It is for worlds without wallets, chips and bans, in which nobody is suspended and a credit goes
/// nowhere.
struct LateDirectory: WorldDirectory {
  /// The member behind each row of the affiliate table.
  let owners: [UInt32]
  private(set) var notes: [MemberNote] = []

  /// Nothing noted.
  init(owners: [UInt32]) { self.owners = owners }

  var keepsReceivers: Bool { false }

  func owner(of affiliate: UInt32) -> UInt32 { owners[Int(affiliate)] }

  func isSuspended(_ member: UInt32) -> Bool { false }

  mutating func count(comp: MicroUSDT, to member: UInt32) {
    notes.append(MemberNote(member: member, amount: comp, isTrip: false))
  }

  mutating func noteTrip(_ amount: MicroUSDT, to member: UInt32) {
    notes.append(MemberNote(member: member, amount: amount, isTrip: true))
  }

  mutating func credit(
    _ amount: MicroUSDT, _ kind: CreditKind, to member: UInt32, at time: Instant
  ) {}

  mutating func release(_ amount: MicroUSDT, to member: UInt32) {}

  // Its cells have the accounts: see `House.mayConcludeLater`.

  func account(of member: UInt32) -> MemberAccount { Self.isAway(member) }

  mutating func change<Answer>(
    _ member: UInt32, _ body: (inout MemberAccount) throws(MoneyError) -> Answer
  ) throws(MoneyError) -> Answer { Self.isAway(member) }

  func drawWeight(atLeast tier: Tier) -> Int64 { Self.isAway(nil) }

  func member(atLeast tier: Tier, place: Int64, except weight: [UInt32: Int64]) -> UInt32? {
    Self.isAway(nil)
  }

  private static func isAway(_ member: UInt32?) -> Never {
    let who = member.map { "member \($0 + 1)" } ?? "members"
    fatalError("a rule asks for \(who) while the cells run")
  }
}
