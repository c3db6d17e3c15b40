// Goal: the second reading of EMBERA's journal finds what is wrong, and only that; faults happen as
// their rates say.
// Method: a world's journal is committed; answers are tampered with one at a time, entries are left
// out of the recount, and the promise that is named broken has to be the one that was broken.
import Check
import Embera
import Population
import Quantities
import RewardModel
import Scenario
import Synchronization
import Testing

@Suite struct EmberaRecountTests {
  private struct Run {
    var frame: RunFrame
    var rules: EmberaRules
    var entries: [JournalEntry]
  }

  private func run() throws -> Run {
    let frame = RunFrame(
      scenario: "recount", seed: 11,
      calendar: try ProgrammeCalendar(
        zone: "America/New_York", firstDate: CivilDate(year: 2026, month: 1, day: 20), days: 75),
      window: .hours(6))
    var settings = EmberaSettings()
    settings.population.members = 60
    settings.population.redemption.probability = 0.9
    settings.population.devices.offline = 0.6
    settings.population.devices.stretch = .days(4)
    settings.population.devices.perMember = 2
    settings.population.purchase.r = 3
    settings.population.purchase.alpha = 1
    settings.population.devices.lostAnswers = 0.2
    settings.population.subscriptions.share = 0.5
    settings.rules.expiryMonths = 1
    settings.rules.liability.months = 1
    settings.rules.pointsPerDollar = 20
    settings.rules.tiers.multipliers = [10_000, 12_345, 20_001]
    var world = EmberaWorld(frame, settings, threads: 1, journals: true)
    _ = try world.run()
    return Run(frame: frame, rules: settings.rules, entries: world.journal)
  }

  /// Commits the journal with a recount, and answers the promise that is found broken first.
  ///
  /// - Parameter tamper: Another answer, or nil where the recount does not hear of the request.
  private func broken(
    _ tamper: (JournalEntry, EmberaAnswer) -> EmberaAnswer? = { $1 }
  ) throws -> EmberaLaw? {
    let run = try run()
    let month = Int32(24_312)
    var state = EmberaState(run.rules, month: month)
    let recount = EmberaRecount(run.rules, month: month)
    do {
      for entry in run.entries {
        let answer = try state.commit(entry.request, at: entry.instant)
        guard let told = tamper(entry, answer) else { continue }
        try recount.take(entry.request, at: entry.instant, answer: told, state)
      }
      try recount.compare(state)
    } catch let failure as EmberaRecountFailure {
      #expect(!failure.facts.isEmpty)
      return failure.law
    }
    for name in ["points_expired", "share_estimated", "points_multiplied", "delivery"] {
      #expect(recount.seen[name, default: 0] > 0, "\(name): \(recount.seen)")
    }
    return nil
  }

  /// The first answer that `change` has another for is told so.
  private func changed(
    _ change: @escaping (EmberaAnswer) -> EmberaAnswer?
  ) throws -> EmberaLaw? {
    var isDone = false
    return try broken { _, answer in
      guard !isDone, let other = change(answer) else { return answer }
      isDone = true
      return other
    }
  }

  @Test func anUntouchedJournalKeepsEveryPromise() throws { #expect(try broken() == nil) }

  @Test func anOrderThatIsAnsweredOtherwiseIsFound() throws {
    let points = try changed { answer in
      guard case .ordered(let amounts, let points, let balance, let tier) = answer else {
        return nil
      }
      return .ordered(amounts: amounts, points: points + 1, balance: balance, tier: tier)
    }
    #expect(points == .points)
    let balance = try changed { answer in
      guard case .ordered(let amounts, let points, let balance, let tier) = answer else {
        return nil
      }
      return .ordered(amounts: amounts, points: points, balance: balance - 1, tier: tier)
    }
    #expect(balance == .balances)
    let tier = try changed { answer in
      guard case .ordered(let amounts, let points, let balance, .aura) = answer else { return nil }
      return .ordered(amounts: amounts, points: points, balance: balance, tier: .halo)
    }
    #expect(tier == .tiers)
    let price = try changed { answer in
      guard case .ordered(var amounts, let points, let balance, let tier) = answer else {
        return nil
      }
      amounts.tax = MicroUSDT(microunits: amounts.tax.microunits + 1)
      return .ordered(amounts: amounts, points: points, balance: balance, tier: tier)
    }
    #expect(price == .prices)
    let again = try changed { $0 == .repeated ? .refused(.entry(.gap)) : nil }
    #expect(again == .once)
  }

  @Test func aRedemptionThatIsAnsweredOtherwiseIsFound() throws {
    let newest = try changed { answer in
      guard case .redeemed(var range, let balance) = answer, range.first > 0 else { return nil }
      range.first -= 1
      return .redeemed(points: range, balance: balance)
    }
    #expect(newest == .oldestFirst)
    let refused = try changed { answer in
      if case .redeemed = answer { .refused(.entry(.balance)) } else { nil }
    }
    #expect(refused == .redemption)
    var earlier: EmberaAnswer?
    let granted = try changed { answer in
      if case .redeemed = answer { earlier = answer }
      return answer == .refused(.entry(.balance)) ? earlier : nil
    }
    #expect(granted == .redemption)
  }

  @Test func aMonthThatClosesOtherwiseIsFound() throws {
    func law(
      _ edit: @escaping (inout MonthClose) -> Void
    ) throws -> EmberaLaw? {
      try changed { answer in
        guard case .closed(var close) = answer else { return nil }
        edit(&close)
        return .closed(close)
      }
    }
    let microunit = MicroUSDT(microunits: 1)
    #expect(try law { $0.sums.expired += 1 } == .expiry)
    #expect(try law { $0.sums.issued += 1 } == .months)
    #expect(try law { $0.outstanding += 1 } == .balances)
    #expect(try law { $0.rewardCost = microunit } == .offers)
    #expect(try law { $0.status = $0.status == .critical ? .normal : .critical } == .budget)
    #expect(try law { $0.valuation.share = BasisPoints(1) } == .share)
    #expect(try law { $0.valuation.breakage = microunit } == .owedAtCost)
    #expect(try law { $0.valuation.contractLiability = microunit } == .contract)
  }

  @Test func aSignInThatIsAnsweredOtherwiseIsFound() throws {
    let session = try changed { answer in
      guard case .signedIn(let ends) = answer else { return nil }
      return .signedIn(sessionEnds: ends + .seconds(1))
    }
    #expect(session == .sessions)
    let used = try changed { answer in
      if case .signedIn = answer { .refused(.passkey(.used)) } else { nil }
    }
    #expect(used == .challenges)
  }

  /// The promise that breaks when one of a few requests, a second apart, is not recounted.
  private func broken(hiding hidden: Int?, of requests: [EmberaRequest]) throws -> EmberaLaw? {
    var rules = EmberaSettings().rules
    rules.pointsPerDollar = 20
    let month = Int32(24_312)
    var state = EmberaState(rules, month: month)
    let recount = EmberaRecount(rules, month: month)
    do {
      for (place, request) in requests.enumerated() {
        let time = Instant(microseconds: 1_767_600_000_000_000) + .seconds(Int64(place))
        let answer = try state.commit(request, at: time)
        if place != hidden { try recount.take(request, at: time, answer: answer, state) }
      }
      try recount.compare(state)
    } catch let failure as EmberaRecountFailure { return failure.law }
    return nil
  }

  @Test("A request that nobody recounts shows")
  func hidden() throws {
    let signUp = EmberaRequest.signUp(state: 0)
    let order = EmberaRequest.order(
      member: 0, channel: .firstDevice, number: 1, contents: .amount(.whole(20)))
    let redeem = EmberaRequest.redeem(
      member: 0, channel: .firstDevice, number: 2, offer: "espresso")
    let close = EmberaRequest.closeMonth(isComplete: true)
    let challenge = EmberaRequest.challenge(member: 0, channel: .secondDevice)
    let signIn = EmberaRequest.signIn(member: 0, channel: .secondDevice, counter: 1)

    let all = [signUp, order, redeem, close, challenge, signIn]
    #expect(try broken(hiding: 0, of: [signUp]) == .members)
    #expect(try broken(hiding: 0, of: all) == .answers)
    #expect(try broken(hiding: 1, of: [signUp, order]) == .once)
    #expect(try broken(hiding: 1, of: all) == .inOrder)
    #expect(try broken(hiding: 2, of: [signUp, order, redeem]) == .once)
    #expect(try broken(hiding: 2, of: all) == .months)
    #expect(try broken(hiding: 3, of: [signUp, order, redeem, close]) == .months)
    #expect(try broken(hiding: 4, of: all) == .challenges)
    #expect(try broken(hiding: nil, of: all + [signIn]) == nil)
    #expect(try broken(hiding: 5, of: all + [signIn]) == .challenges)
    // The last of their kind, which only the end's comparison can miss.
    #expect(try broken(hiding: 1, of: [signUp, challenge]) == .challenges)
    #expect(try broken(hiding: 5, of: all) == .sessions)
  }

  @Test("A sign-up that nobody recounts shows in a world's journal")
  func hiddenSignUp() throws {
    var isHidden = false
    let law = try broken { entry, answer in
      guard !isHidden, case .signUp = entry.request else { return answer }
      isHidden = true
      return nil
    }
    #expect(law == .answers)
  }

  @Test func everyPromiseHasANameAndASentence() {
    let names = EmberaProgramme.checkedInvariants
    #expect(Set(names.map(\.id)).count == names.count)
    #expect(names.count >= 40)
    for name in names {
      #expect(name.id.allSatisfy { $0.isLowercase || $0 == "_" }, "\(name.id)")
      #expect(name.sentence.contains(" ") && !name.sentence.hasSuffix("."), "\(name.sentence)")
    }
    let kinds = EmberaProgramme.faultKinds.map(\.id)
    #expect(Set(kinds).count == kinds.count)
  }
}

@Suite struct EmberaCaseTests {
  private func one(_ seed: UInt64, _ settings: [String] = []) -> Case {
    Case(text: "name: case\nprogramme: embera\n", settings: settings, seed: seed)
  }

  private let asWritten = [
    "check.as_written=true", "population.members=40", "calendar.days=60",
    "calendar.start=2026-02-20", "population.adoption.model=cohort",
    "population.redemption.probability=1", "population.subscriptions.share=0.5",
  ]

  @Test("A case gives the same answer twice", arguments: [1, 2, 3, 4] as [UInt64])
  func repeats(seed: UInt64) throws {
    let answer = try CaseRunner.run(one(seed))
    #expect(answer.verdict == .passed, "\(answer)")
    #expect(answer.events > 0 && answer.requests > 0)
    #expect(try CaseRunner.run(one(seed)) == answer)
  }

  @Test(
    "A fault's rate moves how often it happens",
    arguments: [
      "sent_twice", "sent_late", "sent_again", "other_contents", "interleaved", "same_points",
      "uncovered", "boundary", "month_end", "clock_change", "delivery_at_boundary", "clock_steps",
      "restart", "near_limits",
    ])
  func rate(kind: String) throws {
    func times(_ rate: Double) throws -> Int64 {
      let answer = try CaseRunner.run(
        one(5, asWritten + ["check.faults=[\"\(kind) \(rate)\"]"]))
      #expect(answer.verdict == .passed, "\(kind) \(rate): \(answer)")
      return answer.faults[kind, default: 0]
    }
    let (none, few, many) = (try times(0), try times(0.05), try times(0.4))
    #expect(none == 0)
    #expect(few < many, "\(kind): \(few) at 0.05, \(many) at 0.4")
  }

  @Test func anEntryOvertakesOnlyWhereAnotherWaits() throws {
    func times(_ faults: String) throws -> Int64 {
      let answer = try CaseRunner.run(one(5, asWritten + ["check.faults=[\(faults)]"]))
      #expect(answer.verdict == .passed, "\(faults): \(answer)")
      return answer.faults["overtaken", default: 0]
    }
    #expect(try times("\"overtaken 0.5\"") == 0)
    #expect(try times("\"overtaken 0.5\", \"sent_late 0.5\"") > 0)
  }

  @Test func allFaultsTogetherBreakNoPromise() throws {
    let kinds = EmberaProgramme.faultKinds.filter { $0.settings == nil }
    let faults = kinds.map { "\"\($0.id) 0.3\"" }.joined(separator: ", ")
    for seed in 1...3 as ClosedRange<UInt64> {
      let answer = try CaseRunner.run(one(seed, asWritten + ["check.faults=[\(faults)]"]))
      #expect(answer.verdict == .passed, "\(answer)")
      for kind in kinds { #expect(answer.faults[kind.id, default: 0] > 0, "\(kind.id)") }
      #expect(answer.seen["overflow", default: 0] > 0)
    }
  }

  @Test func submissionsThatAreLeftOutAreNotMade() throws {
    let all = try CaseRunner.run(one(3, asWritten))
    let few = try CaseRunner.run(one(3, asWritten + ["check.kept=3-9,20-90"]))
    #expect(few.verdict == .passed, "\(few)")
    #expect(few.submissions == all.submissions && few.requests < all.requests)
  }

  @Test func anEndCutsTheCase() throws {
    var early = one(3, asWritten)
    let whole = try CaseRunner.run(early)
    early.until = 1_773_000_000_000_000
    let cut = try CaseRunner.run(early)
    #expect(cut.verdict == .passed, "\(cut)")
    #expect(cut.requests < whole.requests)
  }

  @Test func aStoryTellsOfRequestsAndMoney() throws {
    let lines = Mutex<[TraceLine]>([])
    _ = try CaseRunner.run(one(3, asWritten + ["check.faults=[\"sent_late 0.3\"]"])) { line in
      lines.withLock { $0.append(line) }
    }
    let told = lines.withLock { $0 }
    #expect(told.contains { $0.text.contains("signs up") && !$0.members.isEmpty })
    #expect(told.contains { $0.text.contains("bags") && $0.text.contains("goods_sales +") })
    #expect(told.contains { $0.text.contains("waits on the device") })
  }
}
