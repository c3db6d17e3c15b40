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
}
