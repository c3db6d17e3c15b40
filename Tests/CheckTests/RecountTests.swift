// Goal: the second reading of a journal finds what is wrong, and only that.
// Method: a world's journal is committed; answers are tampered with one at a time, entries are left
// out of the recount, and the promise that is named broken has to be the one that was broken.
import BlakJaks
import Population
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite struct RecountTests {
  private func input() throws -> WorldInput {
    let overrides = [
      "population.members=40", "calendar.days=40", "rules.chips.enabled=true",
      "population.wallet.enabled=true", "population.adoption.per_day=20",
      "rules.guarantee.after=10 d", "rules.guarantee.minimum_scans=2",
      "rules.prizes=[{name: Small, kind: crypto, amount: 3, every: 7, tier: standard}]",
    ]
    return try WorldInput(
      try Scenario.load(
        text: "name: recount", file: "recount",
        overrides: overrides.map { SettingOverride(argument: $0) }))
  }

  private func entries(_ input: WorldInput) throws -> [JournalEntry] {
    var entries: [JournalEntry] = []
    var world = try World(input, threads: 1, journal: { entries.append($0) })
    _ = try world.run()
    return entries
  }

  /// Commits the journal with a recount, and answers the promise that is found broken first.
  private func broken(
    _ tamper: (JournalEntry, ProgrammeAnswer) -> ProgrammeAnswer? = { $1 }
  ) throws -> RecountLaw? {
    let input = try input()
    var course = try Recounted(
      input.rules, firstDate: input.calendar.dates[0], codes: CodeBook(key: input.seed),
      draws: SeededDraws(seed: input.seed))
    do {
      for entry in try entries(input) {
        try course.take(entry.request, at: entry.time) { answer, _ in tamper(entry, answer) }
      }
      try course.recount.compare(course.state, at: input.calendar.end)
    } catch let failure as RecountFailure {
      return failure.law
    }
    let seen = course.recount.seen
    #expect(seen["guarantee", default: 0] > 0, "\(seen)")
    return nil
  }

  @Test func anUntouchedJournalKeepsEveryPromise() throws { #expect(try broken() == nil) }

  /// The first answer that `change` has another for is told so.
  private func changed(
    _ change: @escaping (ProgrammeRequest, ProgrammeAnswer) -> ProgrammeAnswer?
  ) throws -> RecountLaw? {
    var isDone = false
    return try broken { entry, answer in
      guard !isDone, let other = change(entry.request, answer) else { return answer }
      isDone = true
      return other
    }
  }

  @Test func anAnswerWithAnotherOutcomeIsFound() throws {
    let law = try changed { _, answer in
      guard case .scan(let scan) = answer, scan.outcome == .accepted else { return nil }
      return .refused(.text)
    }
    #expect(law == .answers)
  }

  @Test func aGuaranteeThatPaysOtherwiseIsFound() throws {
    let law = try changed { request, answer in
      guard case .settleGuarantee = request, case .amount(let amount) = answer, amount > .zero
      else { return nil }
      return .amount(MicroUSDT(microunits: amount.microunits + 1))
    }
    #expect(law == .guaranteeOnce)
  }

  @Test("A request that nobody recounts shows at the next midnight or before")
  func hidden() throws {
    /// The promise that breaks when the n-th request of a kind is not recounted.
    func law(
      _ number: Int = 1, hiding isHidden: @escaping (ProgrammeRequest) -> Bool
    ) throws -> RecountLaw? {
      var seen = 0
      return try broken { entry, answer in
        guard isHidden(entry.request) else { return answer }
        seen += 1
        return seen == number ? nil : answer
      }
    }
    let sales = try law { if case .sell = $0 { true } else { false } }
    #expect(sales == .poolAccrual)
    let tins = try law { if case .printTins = $0 { true } else { false } }
    #expect(tins == .codesOnce)
    let morning = try law(20) { $0 == .openMorning }
    #expect(morning == .calendar)
    // The next step of that payout is not allowed before it is confirmed.
    let confirmed = try law {
      if case .payout(.confirm) = $0 { true } else { false }
    }
    #expect(confirmed == .payoutStates)
    // Two mornings are then of one day.
    let midnight = try law { $0 == .turnDay }
    #expect(midnight == .calendar)
  }

  @Test("Who is suspended for bad codes earns no bonus chip, by the rules and by the recount")
  func bonusOfSuspended() throws {
    var rules = try input().rules
    rules.abuse.refusals = 3
    rules.guarantee.enabled = false
    let calendar = try ProgrammeCalendar(
      zone: "America/New_York", firstDate: CivilDate("2026-01-30")!, days: 40)
    let (codes, draws) = (CodeBook(key: 1), SeededDraws(seed: 1))
    let first = calendar.dates[0]
    var state = try ProgrammeState(rules: rules, firstDate: first, codes: codes, draws: draws)
    state.watchSubmissions()
    let recount = Recount(
      rules: rules, firstDate: first, codes: codes, draws: draws, watchesSubmissions: true)
    func take(_ request: ProgrammeRequest, at time: Instant) throws {
      let answer = try state.commit(request, at: time)
      try recount.take(request, at: time, answer: answer, state)
    }
    var tin: UInt64 = 0
    for (day, morning) in ProgrammeRules.mornings(calendar).enumerated() {
      let noon = morning + .hours(7)
      try take(.openMorning, at: morning)
      for member in UInt32(0)...1 {
        if day == 0 {
          try take(.signUp(member: member, state: nil), at: noon)
          for _ in 0..<5 {
            tin += 1
            try take(.printTins(run: 0, through: tin), at: noon)
            try take(.scan(member: member, code: codes.code(ofSerial: tin - 1).text), at: noon)
          }
          try take(.vaultChips(member: member), at: noon)
        }
        // Chips that were there for all of February bring a bonus, but not to whoever guesses codes.
        guard day == 20, member == 1 else { continue }
        for _ in 0..<3 { try take(.scan(member: member, code: "no code"), at: noon) }
      }
      guard day + 1 < calendar.dates.count else { continue }
      try take(.turnDay, at: calendar.dayStarts[day + 1])
      try recount.compare(state, at: calendar.dayStarts[day + 1])
    }
    #expect(state.members.purses.map(\.vault.vaulted) == [6, 5])
    #expect(recount.seen["bonus_of_expelled"] == 1)
  }

  @Test func everyPromiseHasANameAndASentence() {
    let names = BlakJaksProgramme.checkedInvariants
    #expect(Set(names.map(\.id)).count == names.count)
    #expect(names.count >= 40)
    for name in names {
      #expect(name.id.allSatisfy { $0.isLowercase || $0 == "_" }, "\(name.id)")
      #expect(name.sentence.contains(" ") && !name.sentence.hasSuffix("."), "\(name.sentence)")
    }
  }
}
