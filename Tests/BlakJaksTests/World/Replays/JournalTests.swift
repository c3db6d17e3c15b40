// Goal: one adjudication for world, replay and service.
// Method: worlds write every request that they act on; a state machine of the same rules that
// commits them one by one comes to the same awards, money, tiers and outcomes. It is saved as JSON
// and restored in between, at random requests.
import BlakJaks
import Foundation
import Population
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite(.tags(.slow)) struct JournalTests {
  /// A small world of a scenario in which guarantees fall due and permanent floors are reached.
  private func input(_ name: String, members: Int, days: Int) throws -> WorldInput {
    let overrides = [
      "population.members=\(members)", "calendar.days=\(days)",
      "population.adoption.per_day=20", "rules.guarantee.after=30 d",
      "rules.guarantee.minimum_scans=2",
      "rules.tiers.floors.vip=20", "rules.tiers.floors.high_roller=60",
      "rules.tiers.floors.whale=150",
    ]
    return try WorldInput(try story(name, overrides))
  }

  /// Runs the world and answers its record with its journal.
  private func run(_ input: WorldInput) throws -> (BlakJaksRecord, [JournalEntry]) {
    var entries: [JournalEntry] = []
    var world = try World(input, threads: 2) { entries.append($0) }
    return (try world.run(), entries)
  }

  private func state(_ input: WorldInput) throws -> ProgrammeState {
    try ProgrammeState(
      rules: input.rules, firstDate: input.calendar.dates[0], codes: CodeBook(key: input.seed),
      draws: SeededDraws(seed: input.seed))
  }

  private func restored(_ state: ProgrammeState, _ input: WorldInput) throws -> ProgrammeState {
    struct Saved: Decodable {
      var state: ProgrammeState

      init(from decoder: any Decoder) throws {
        guard let seed = decoder.userInfo[.seed] as? UInt64 else { fatalError("no seed") }
        state = try ProgrammeState(
          from: decoder, codes: CodeBook(key: seed), draws: SeededDraws(seed: seed))
      }
    }
    let decoder = JSONDecoder()
    decoder.userInfo[.seed] = input.seed
    return try decoder.decode(Saved.self, from: try JSONEncoder().encode(state)).state
  }

  @Test("A world's journal leads the state machine to the same program", arguments: stories)
  func journal(_ name: String) throws {
    // Transactions of few awards, so that many batches are split.
    var input = try input(name, members: 400, days: 120)
    input.rules.payouts.batchLimit = 3
    try compare(input)
  }

  @Test("So does the journal of a world whose banks run short")
  func shortBanks() throws {
    var input = try input("full-programme", members: 200, days: 90)
    input.rules.treasury.opening.operatingBank = .zero
    input.rules.treasury.float = .whole(20)
    input.rules.compPool.share = BasisPoints(9_000)
    input.rules.wholesale.accounts = 0
    input.population.tins.shop = 0.9
    input.population.shop.refunded = 0.8
    let record = try compare(input)
    #expect(try #require(record.figure("bank.topped_up")) > 0)
    #expect(try #require(record.figure("bank.deepest_shortfall")) > 0)
  }

  @discardableResult
  private func compare(_ input: WorldInput) throws -> BlakJaksRecord {
    let (record, entries) = try run(input)
    var state = try state(input)
    var wins: [Win] = []
    let stops = Set((1...4).map { entries.count * $0 / 5 })
    for (place, entry) in entries.enumerated() {
      if stops.contains(place) { state = try restored(state, input) }
      let answer = try state.commit(entry.request, at: entry.time)
      if case .refused(.payoutStep) = answer {
        Issue.record("entry \(place) was refused: \(entry) \(answer)")
        return record
      }
      wins += state.wins
    }
    try state.close()
    let books = state.programme.books
    #expect(record.acceptedScans > 100)
    #expect(books.scans == record.acceptedScans)
    #expect(books.tinsSold == record.tinsSold)
    #expect(wins.map(\.award.wonScan) == record.awards.map(\.wonScan))
    #expect(wins.map { String($0.member + 1) } == record.awards.map(\.member))
    #expect(state.outcomes == record.outcomes.map(\.count))
    #expect(books.months.map(\.sums.spendCash) == record.months.map(\.spendCash))
    #expect(books.months.map(\.budget) == record.months.map(\.budget))
    #expect(books.months.map(\.status) == record.months.map(\.status))
    #expect(books.days.map(\.sums.grossProfit) == record.days.map(\.grossProfit))
    for (line, row) in zip(books.payouts.lines, record.payouts) {
      #expect(line.total == row.total, "\(line.id)")
    }
    for account in LedgerAccount.allCases {
      let row = record.accounts.first { $0.account == account.key }
      #expect(books.ledger.balance(account) == row?.balance, "\(account.key)")
    }
    #expect(books.reconciliations.map(\.difference) == record.reconciliations.map(\.difference))
    for tier in Tier.allCases { #expect(state.members.census.members[tier] == record.tiers[tier]) }
    return record
  }

  @Test("A state that is saved and restored after every request is the same state")
  func restoredAtEveryRequest() throws {
    var input = try input("full-programme", members: 12, days: 40)
    input.rules.bans = []
    let (_, entries) = try run(input)
    #expect(entries.count > 300)
    var straight = try state(input)
    var saved = try state(input)
    for entry in entries {
      let answer = try straight.commit(entry.request, at: entry.time)
      #expect(try saved.commit(entry.request, at: entry.time) == answer)
      saved = try restored(saved, input)
    }
    #expect(try encoded(saved) == encoded(straight))
  }

  @Test("What always holds of the program holds after every request of a journal")
  func invariantsHold() throws {
    let input = try input("full-programme", members: 60, days: 60)
    let (_, entries) = try run(input)
    var state = try state(input)
    for entry in entries {
      _ = try state.commit(entry.request, at: entry.time)
      for invariant in LiveProgramme.invariants {
        try invariant.check(
          state.programme, scenario: input.scenario, seed: input.seed, at: entry.time)
      }
    }
  }

  @Test func requestsAndAnswersReadBackAsTheyWereWritten() throws {
    let (_, entries) = try run(try input("full-programme", members: 150, days: 60))
    let data = try JSONEncoder().encode(entries)
    #expect(try JSONDecoder().decode([JournalEntry].self, from: data) == entries)
    let input = try input("full-programme", members: 150, days: 60)
    var state = try state(input)
    var kinds = Set<String>()
    for entry in entries {
      let answer = try state.commit(entry.request, at: entry.time)
      kinds.insert(String("\(answer)".prefix { $0 != "(" }))
      let copy = try JSONEncoder().encode(answer)
      #expect(try JSONDecoder().decode(ProgrammeAnswer.self, from: copy) == answer)
    }
    #expect(kinds.isSuperset(of: ["done", "scan", "order", "transfers", "payout"]), "\(kinds)")
  }

  @Test func aRefusalChangesNothing() throws {
    let input = try input("launch-year", members: 10, days: 10)
    var state = try state(input)
    let now = input.calendar.start
    let before = try encoded(state)
    let refused: [ProgrammeRequest] = [
      .scanTin(member: 3), .refer(member: 1, affiliate: 2), .settleGuarantee(member: 9),
      .orderWholesale(account: 99, tins: 5), .placeOrder(member: 1, number: 1, tins: 1),
      .moveOrder(member: 1, number: 1, to: .shipped), .withdraw(member: 1, amount: .whole(1)),
      .payout(.confirm(slot: 0)), .payout(.begin(slot: -1)),
    ]
    for request in refused {
      guard case .refused = try state.commit(request, at: now) else {
        Issue.record("\(request) was not refused")
        continue
      }
      #expect(try encoded(state) == before, "\(request)")
    }
    _ = try state.commit(.signUp(member: 1, state: nil), at: now)
    #expect(
      try state.commit(.signUp(member: 1, state: nil), at: now) == .refused(.alreadySignedUp(1)))
    #expect(
      try state.commit(.withdraw(member: 1, amount: .whole(50)), at: now)
        == .refused(.wallet(.insufficient(available: .zero, amount: .whole(50)))))
  }

  @Test func whoIsNoMemberAndWhatIsNoCodeAreToldApart() throws {
    let input = try input("launch-year", members: 10, days: 10)
    var state = try state(input)
    let now = input.calendar.start
    let code = CodeBook(key: input.seed).code(ofSerial: 0).text
    func outcome(_ member: UInt32?, _ code: String) throws -> ScanOutcome? {
      guard case .scan(let answer) = try state.commit(.scan(member: member, code: code), at: now)
      else { return nil }
      return answer.outcome
    }
    #expect(try outcome(1, "no code") == .invalidCode)
    #expect(try outcome(1, code) == .unknownCode)
    _ = try state.commit(.printTins(run: 0, through: 1), at: now)
    #expect(try outcome(1, code) == .memberIneligible)
    _ = try state.commit(.signUp(member: 1, state: nil), at: now)
    #expect(try outcome(nil, code) == .memberIneligible)
    #expect(try outcome(1, code) == .accepted)
    #expect(try outcome(1, code) == .alreadyScanned)
  }

  private func encoded(_ state: ProgrammeState) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(state)
  }
}

extension CodingUserInfoKey {
  fileprivate static let seed = CodingUserInfoKey(rawValue: "seed")!
}
