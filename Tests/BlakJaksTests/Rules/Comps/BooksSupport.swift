// Books of a run in UTC, with a simulated chain beside them, for tests of the rules.
import BlakJaks
import Quantities

extension ProgrammeBooks {
  init(rules: ProgrammeRules, calendar: ProgrammeCalendar) throws(MoneyError) {
    try self.init(rules: rules, firstDate: calendar.dates[0])
  }

  /// A calendar in UTC from the books' first day on.
  var calendar: ProgrammeCalendar {
    do {
      return try ProgrammeCalendar(
        zone: "UTC", firstDate: date.adding(days: -today), days: today + 60)
    } catch { fatalError("UTC is a zone: \(error)") }
  }

  /// A morning's sweep, carried out on the chain.
  mutating func sweep(_ chain: inout SimulatedChain) throws {
    try chain.carryOut(try sweep())
  }

  /// A morning's reconciliation with what the chain shows then.
  mutating func reconcile(at time: Instant, _ chain: inout SimulatedChain) throws {
    try chain.settle(through: time)
    try reconcile(at: time, chain: chain.readings)
  }
}

extension LiveProgramme {
  init(rules: ProgrammeRules, calendar: ProgrammeCalendar) throws(MoneyError) {
    try self.init(rules: rules, firstDate: calendar.dates[0])
  }

  /// Turns the day of a programme without members.
  mutating func turnDay() throws(MoneyError) {
    var members = MemberList()
    try turnDay(&members)
  }

  /// A morning of a programme whose affiliates are nobody but their rows.
  mutating func openMorning(
    at five: Instant, receive: (Int, MicroUSDT) -> Void = { _, _ in }
  ) throws(MoneyError) -> [ChainTransfer] {
    var rows = AffiliateRows()
    let transfers = try openMorning(at: five, &rows)
    for (row, share) in rows.received { receive(row, share) }
    return transfers
  }
}

/// Affiliates without members: each is the row that it has in the affiliate table.
private struct AffiliateRows: MemberDirectory {
  var received: [(Int, MicroUSDT)] = []

  func account(of member: UInt32) -> MemberAccount { MemberAccount() }

  func owner(of affiliate: UInt32) -> UInt32 { affiliate }

  mutating func change<Answer>(
    _ member: UInt32, _ body: (inout MemberAccount) throws(MoneyError) -> Answer
  ) throws(MoneyError) -> Answer {
    var account = MemberAccount()
    return try body(&account)
  }

  mutating func credit(
    _ amount: MicroUSDT, _ kind: CreditKind, to member: UInt32, at time: Instant
  ) throws(MoneyError) {
    received.append((Int(member), amount))
  }

  mutating func release(_ amount: MicroUSDT, to member: UInt32) {}

  func drawWeight(atLeast tier: Tier) -> Int64 { 0 }

  func member(atLeast tier: Tier, place: Int64, except weight: [UInt32: Int64]) -> UInt32? { nil }
}
