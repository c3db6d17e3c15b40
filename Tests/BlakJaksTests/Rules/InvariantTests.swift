// Goal: what must always hold is declared by name, and a broken promise is a value that says so.
// Method: books are brought out of balance on purpose, one way for each promise that money can
// break.
import BlakJaks
import Quantities
import RewardModel
import Testing

@Suite struct InvariantTests {
  private func broken(_ programme: LiveProgramme) throws -> [String] {
    var ids: [String] = []
    for invariant in LiveProgramme.invariants {
      do {
        try invariant.check(
          programme, scenario: "planted", seed: 7, at: Instant(microseconds: 0))
      } catch let violation as Violation {
        #expect(violation.invariant == invariant.name.id)
        #expect(violation.description.contains("scenario planted, seed 7"))
        ids.append(violation.invariant)
      }
    }
    return ids
  }

  private func programme() throws -> LiveProgramme {
    var programme = try LiveProgramme(
      rules: ProgrammeRules(), firstDate: CivilDate(year: 2026, month: 1, day: 1))
    try programme.books.sell(tins: 40)
    return programme
  }

  @Test func everyInvariantHasANameOfItsOwnAndASentence() {
    let names = BlakJaksProgramme.invariants
    #expect(names.count >= 20)
    #expect(Set(names.map(\.id)).count == names.count)
    #expect(Set(names.map(\.sentence)).count == names.count)
  }

  @Test("Checked together, the first broken promise is told, and nothing is changed")
  func together() throws {
    func told(_ programme: inout LiveProgramme) throws -> Violation? {
      do {
        try Invariant.check(
          LiveProgramme.laws, of: &programme, scenario: "planted", seed: 7,
          at: Instant(microseconds: 0))
      } catch let violation as Violation { return violation }
      return nil
    }
    var sound = try programme()
    #expect(try told(&sound) == nil)
    var damaged = try programme()
    try damaged.books.payOut { (_, ledger) throws(MoneyError) in
      try ledger.post(.whole(5), from: .memberPayable, to: .compPool)
    }
    let before = damaged.books.ledger
    let violation = try #require(try told(&damaged))
    #expect(damaged.books.ledger == before)
    let laws = Set(LiveProgramme.laws.map(\.name.id))
    #expect(violation.invariant == (try broken(damaged)).first { laws.contains($0) })
    #expect(violation.scenario == "planted" && violation.seed == 7)
  }

  @Test func soundBooksBreakNothing() throws {
    #expect(try broken(try programme()) == [])
  }

  @Test func aBankBelowZeroIsNamed() throws {
    var programme = try programme()
    try programme.books.payOut { (_, ledger) throws(MoneyError) in
      try ledger.post(
        .whole(1_000_000_000), from: .equity, to: Treasury.operatingBank.ledgerAccount)
    }
    #expect(try broken(programme) == ["treasuries_not_negative"])
  }

  @Test func profitThatNoTinEarnedIsNamed() throws {
    var programme = try programme()
    try programme.books.payOut { (_, ledger) throws(MoneyError) in
      try ledger.post(.whole(5), from: .grossProfit, to: .equity)
    }
    #expect(try broken(programme) == ["profit_of_tins"])
  }

  @Test func aPromiseOutsideTheDeskIsNamed() throws {
    var programme = try programme()
    try programme.books.payOut { (_, ledger) throws(MoneyError) in
      try ledger.post(.whole(5), from: .equity, to: .memberPayable)
    }
    #expect(try broken(programme) == ["payables_owed"])
  }

  @Test func anAwardThatTheLedgerOfPayoutsDoesNotKnowIsNamed() throws {
    var programme = try programme()
    try programme.books.payOut { (desk, _) throws(MoneyError) in
      try desk.award(
        .guarantee, AwardRun(count: 1, amount: .whole(3), at: Instant(microseconds: 0)))
    }
    #expect(try broken(programme) == ["payouts_promised", "payables_owed"])
  }

  @Test func aGapInTheGlobalNumbersIsNamed() throws {
    var programme = try programme()
    programme.board.skip(through: 3)
    #expect(try broken(programme) == ["scans_numbered"])
  }
}
