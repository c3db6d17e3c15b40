package import Quantities
package import RewardModel

/// All members of the programme by number, as replay and service keep them.
package struct MemberList: MemberDirectory, Sendable, Equatable, Codable {
  @Packed package private(set) var accounts: [MemberAccount] = []
  @Packed package internal(set) var purses: [MemberPurse] = []
  /// Where each member lives, by row of the rules' states; nil where nobody knows.
  @Packed package private(set) var states: [UInt8?] = []
  package private(set) var census = TierCensus()
  /// The member behind each row of the affiliate table.
  @Packed package private(set) var owners: [UInt32] = []
  /// Each member's own row in the affiliate table.
  @PackedSorted private var rows: [UInt32: UInt32] = [:]
  /// Whose accounts or purses the last request may have changed, in any order.
  @Unsaved package private(set) var touched: [UInt32] = []
  /// Whether it may have changed those of everybody.
  @Unsaved package private(set) var touchedAll = false

  /// A list without members.
  package init() {}

  /// Whether a member has signed up.
  package func knows(_ member: UInt32) -> Bool {
    Int(member) < accounts.count && accounts[Int(member)].hasSignedUp
  }

  /// Makes room for members, so that lists of so many do not have to grow.
  package mutating func reserve(_ count: Int) {
    accounts.reserveCapacity(count)
    purses.reserveCapacity(count)
    states.reserveCapacity(count)
  }

  /// Begins a request: nobody is touched.
  mutating func begin() {
    // One by one, as there are few: `removeAll` takes longer to find that out.
    while touched.popLast() != nil {}
    touchedAll = false
  }

  /// Says that a request may change a member.
  mutating func touch(_ member: UInt32) {
    if touched.last != member { touched.append(member) }
  }

  /// Signs somebody up.
  ///
  /// - Parameter isBanned: Whether rewards are banned where they live.
  mutating func enroll(
    _ member: UInt32, state: UInt8?, guarantee: Bool, isBanned: (UInt8) -> Bool
  ) {
    let index = Int(member)
    while accounts.count <= index {
      accounts.append(MemberAccount())
      purses.append(MemberPurse())
      states.append(nil)
    }
    accounts[index].enroll(guarantee: guarantee)
    states[index] = state
    accounts[index].suspendAtSignUp(state.map(isBanned) ?? false)
    census.add(accounts[index])
    touch(member)
  }

  /// A member's row in the affiliate table; a new one where there is none.
  mutating func row(of member: UInt32, _ table: inout AffiliateTable) -> UInt32 {
    if let row = rows[member] { return row }
    let row = UInt32(table.add())
    rows[member] = row
    owners.append(member)
    return row
  }

  /// Suspends members by where they live, or lifts it.
  mutating func suspend(_ isBanned: (UInt8) -> Bool) {
    for index in accounts.indices where accounts[index].hasSignedUp {
      let isBannedHere = states[index].map(isBanned) ?? false
      guard accounts[index].suspend(isBannedHere) else { continue }
      census.suspend(accounts[index])
      touch(UInt32(index))
    }
  }

  /// Suspends a member for good.
  mutating func expel(_ member: UInt32) {
    guard accounts[Int(member)].expel() else { return }
    census.suspend(accounts[Int(member)])
    touch(member)
  }

  /// Enters the next calendar quarter.
  mutating func turnQuarter(_ rules: TierRules) {
    touchedAll = true
    census = TierCensus()
    for index in accounts.indices where accounts[index].hasSignedUp {
      accounts[index].turnQuarter(rules)
      census.add(accounts[index])
    }
  }

  /// The account of a member who has signed up.
  package func account(of member: UInt32) -> MemberAccount { accounts[Int(member)] }

  /// The member who is the affiliate of a row of the affiliate table.
  package func owner(of affiliate: UInt32) -> UInt32 { owners[Int(affiliate)] }

  /// Changes a member's account and keeps the census right.
  @inline(__always)
  package mutating func change<Answer>(
    _ member: UInt32, _ body: (inout MemberAccount) throws(MoneyError) -> Answer
  ) throws(MoneyError) -> Answer {
    touch(member)
    let before = accounts[Int(member)].standing
    let answer = try body(&accounts[Int(member)])
    census.move(from: before, to: accounts[Int(member)].standing)
    return answer
  }

  /// Credits a member's wallet.
  package mutating func credit(
    _ amount: MicroUSDT, _ kind: CreditKind, to member: UInt32, at time: Instant
  ) throws(MoneyError) {
    touch(member)
    try purses[Int(member)].credit(amount)
  }

  /// Credits a member's wallet with several awards of one amount, one after another.
  mutating func credit(
    _ amount: MicroUSDT, times: Int64, to member: UInt32
  ) throws(MoneyError) {
    touch(member)
    for _ in 0..<times { try purses[Int(member)].credit(amount) }
  }

  /// Makes a credit of a member's wallet available.
  package mutating func release(_ amount: MicroUSDT, to member: UInt32) {
    touch(member)
    purses[Int(member)].wallet.release(amount)
  }

  /// The weight of all members of a tier or higher in a draw.
  package func drawWeight(atLeast tier: Tier) -> Int64 { census.weight(atLeast: tier) }

  /// The member at a place of a draw among those of a tier or higher; nil when none is there.
  package func member(
    atLeast tier: Tier, place: Int64, except weight: [UInt32: Int64]
  ) -> UInt32? {
    var left = place
    let index = accounts.indices.first { index in
      left -= weight[UInt32(index)] ?? accounts[index].drawWeight(atLeast: tier)
      return left < 0
    }
    return index.map { UInt32($0) }
  }
}
