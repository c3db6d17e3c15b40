import BlakJaks
// Goal: members live in the states of the census, pay their taxes, and lose rewards where banned.
// Method: the census total; rates of some states as the source prints them; refused tables.
import Quantities
import RewardModel
import Testing

@Suite struct StateTests {
  private let standard = Result { try StateTable(StateRecord.unitedStates) }

  @Test func theFiftyStatesAndTheDistrictAddUpToTheCensus() throws {
    let table = try standard.get()
    #expect(table.count == 51)
    #expect(table.weights.reduce(0, +) == 331_449_281)
    #expect(Set(table.codes).count == 51)
    #expect(
      table.codes.allSatisfy { code in
        code.utf8.count == 2 && code.utf8.allSatisfy { (65...90).contains($0) }
      })
    let largest = try #require(StateRecord.unitedStates.max { $0.weight < $1.weight })
    #expect(largest.code == "CA")
    #expect(StateRecord.unitedStates.min { $0.weight < $1.weight }?.code == "WY")
  }

  @Test(
    "A state levies its own rate",
    arguments: [
      ("CA", 7_250), ("TX", 6_250), ("FL", 6_000), ("NY", 4_000), ("MN", 6_875), ("NJ", 6_625),
      ("MO", 4_225), ("NM", 4_875), ("CO", 2_900), ("TN", 7_000), ("UT", 6_100), ("VA", 5_300),
      ("OR", 0), ("MT", 0), ("NH", 0), ("DE", 0), ("AK", 0),
    ] as [(String, Int64)])
  func rates(code: String, thousandths: Int64) throws {
    let table = try standard.get()
    let state = try #require(table.index(of: code))
    #expect(table.codes[Int(state)] == code)
    #expect(table.tax(for: state) == TaxRate(thousandths))
  }

  @Test func fiveStatesLevyNoTaxAndNoneLeviesMoreThanCalifornia() throws {
    let rates = StateRecord.unitedStates.map(\.tax)
    #expect(rates.count { $0 == .zero } == 5)
    #expect(rates.max() == TaxRate(7_250))
  }

  @Test func aBanSuspendsItsStateFromItsDateOnAndNoOther() throws {
    let table = try StateTable(
      StateRecord.unitedStates, bans: [StateBan(state: "CA", date: CivilDate("2026-07-01")!)])
    let california = try #require(table.index(of: "CA"))
    let nevada = try #require(table.index(of: "NV"))
    let first = CivilDate(year: 2026, month: 7, day: 1)
    #expect(table.ban(of: california) == first)
    #expect(table.ban(of: nevada) == nil)
    #expect(!table.bansRewards(in: california, on: first.adding(days: -1)))
    #expect(table.bansRewards(in: california, on: first))
    #expect(table.bansRewards(in: california, on: first.adding(days: 400)))
    #expect(!table.bansRewards(in: nevada, on: first.adding(days: 400)))
  }

  @Test func withoutStatesThereIsNeitherTaxNorBan() throws {
    let table = try StateTable([])
    #expect(table.count == 0)
    #expect(table.tax(for: 0) == .zero)
    #expect(table.ban(of: 0) == nil)
    #expect(!table.bansRewards(in: 0, on: CivilDate(year: 2199, month: 1, day: 1)))
    #expect(table.index(of: "CA") == nil)
  }

  @Test func aTableThatContradictsItselfIsRefused() {
    let california = StateRecord(code: "CA", weight: 1, tax: .zero)
    let empty = StateRecord(code: "NV", weight: 0, tax: .zero)
    #expect(throws: StateTable.Refusal.repeatedCode("CA")) {
      try StateTable([california, empty, california])
    }
    #expect(throws: StateTable.Refusal.noWeight) { try StateTable([empty]) }
    #expect(throws: StateTable.Refusal.unknownState("NV")) {
      try StateTable([california], bans: [StateBan(state: "NV", date: CivilDate("2026-01-01")!)])
    }
    let ban = StateBan(state: "CA", date: CivilDate("2026-01-01")!)
    #expect(throws: StateTable.Refusal.repeatedBan("CA")) {
      try StateTable([california], bans: [ban, ban])
    }
    let many = (0..<257).map { StateRecord(code: "\($0)", weight: 1, tax: .zero) }
    #expect(throws: StateTable.Refusal.tooManyStates(257)) { try StateTable(many) }
    #expect(throws: Never.self) { try StateTable(Array(many.prefix(256))) }
  }
}
