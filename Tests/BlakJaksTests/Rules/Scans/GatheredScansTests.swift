// Goal: scans of one instant are concluded together, and sales posted together, as if each came alone.
// Method: two state machines of the same rules get the same requests, one of them the tins in runs that are
// concluded together, by whatever comes next, and the other scan by scan; what they promised is batched, and
// their saved states must not differ in a byte.
import BlakJaks
import Foundation
import Quantities
import RewardModel
import Testing

@Suite struct GatheredScansTests {
  private let start = Instant(microseconds: 1_767_225_600_000_000)

  /// Kinds of rules under which runs end for different reasons.
  enum Rules: String, CaseIterable, Sendable {
    case plain, paidAtOnce, smallTransactions, draws, chips, watched, bans, noReward

    func edit(_ rules: inout ProgrammeRules) {
      for (row, every) in [7, 40, 900].enumerated() where row < rules.prizes.count {
        rules.prizes[row].every = Int64(every)
      }
      switch self {
      case .plain, .watched: break
      case .paidAtOnce: rules.payouts.batch = .seconds(0)
      case .smallTransactions: rules.payouts.batchLimit = 10
      case .draws: for row in rules.prizes.indices { rules.prizes[row].allocation = .draw }
      case .chips: rules.chips.enabled = true
      case .bans:
        rules.bans = [
          StateBan(state: StateRecord.unitedStates[0].code, date: CivilDate("2026-01-04")!)
        ]
      case .noReward: rules.scanReward.base = .zero
      }
    }
  }

  private struct SeededPlace: DrawSource {
    func place(of prize: Prize, dueScan: Int64, below total: UInt64) -> UInt64 {
      UInt64(bitPattern: dueScan) &* 0x9E37_79B9_7F4A_7C15 % total
    }
  }

  private func state(_ kind: Rules) throws -> ProgrammeState {
    var rules = ProgrammeRules()
    kind.edit(&rules)
    var state = try ProgrammeState(
      rules: rules, firstDate: CivilDate("2026-01-01")!, codes: CodeBook(key: 1),
      draws: SeededPlace())
    if kind == .watched { state.watchSubmissions() }
    for member in UInt32(0)..<6 {
      _ = try state.commit(.signUp(member: member, state: UInt8(member)), at: start)
    }
    for member in UInt32(3)..<6 {
      _ = try state.commit(.refer(member: member, affiliate: member - 3), at: start)
    }
    return state
  }

  private func saved(_ state: ProgrammeState) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(state), as: UTF8.self)
  }

  /// Batches what was promised.
  private func batch(_ state: inout ProgrammeState, at time: Instant) throws {
    _ = try state.commit(.payout(.batch(origin: start)), at: time)
  }

  @Test(
    "Scans of one instant that are concluded together leave what as many single ones leave",
    arguments: Rules.allCases, UInt64(1)...6)
  func runs(kind: Rules, seed: UInt64) throws {
    var draw = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(_ bound: Int) -> Int {
      draw = draw &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((draw >> 33) % UInt64(bound))
    }
    var (runs, singles) = (try state(kind), try state(kind))
    var (long, cut, refused, joint, between) = (0, 0, 0, 0, 0)
    var (wins, others) = ([Win](), [Win]())
    var newest: UInt32 = 5
    for step in 0..<60 {
      let time = start + .days(Int64(step / 10)) + .minutes(Int64(step))
      if step > 0, step % 10 == 0 {
        let midnight = start + .days(Int64(step / 10))
        _ = try runs.commit(.turnDay, at: midnight)
        wins += runs.wins
        _ = try singles.commit(.turnDay, at: midnight)
      }
      var sold: (tins: Int64, sales: Int64) = (0, 0)
      for _ in 0..<random(5) {
        // Requests that can tell whether scans are concluded, and some that cannot.
        if random(4) == 0 {
          let known = newest
          newest += 1
          let requests: [ProgrammeRequest] = [
            .signUp(member: newest, state: nil), .refer(member: newest, affiliate: known),
            .scanTin(member: newest),
          ]
          for request in requests.prefix(1 + random(3)) {
            if runs.programme.books.scans < singles.programme.books.scans { between += 1 }
            _ = try runs.commit(request, at: time)
            wins += runs.wins
            _ = try singles.commit(request, at: time)
            others += singles.wins
          }
        }
        // The first ones have states, affiliates and bans.
        let member = UInt32(random(random(2) == 0 ? 6 : Int(newest) + 1))
        let tins = Int64(1 + random(12))
        var left = tins
        while left > 0 {
          let scans = try #require(try runs.scanTins(member, left, at: time))
          #expect((1...left).contains(scans.count), "\(kind), seed \(seed), step \(step)")
          if scans.count > 1 { long += 1 }
          if scans.outcome == .memberIneligible { refused += 1 }
          if scans.count < left { cut += 1 }
          left -= scans.count
          wins += runs.wins
        }
        sold = (sold.tins + tins, sold.sales + 1)
        _ = try singles.commit(.sell(tins: tins), at: time)
        for _ in 0..<tins {
          _ = try singles.commit(.scanTin(member: member), at: time)
          others += singles.wins
        }
      }
      if sold.sales > 0 { try runs.sell(tins: sold.tins, sales: sold.sales) }
      if sold.sales > 1 { joint += 1 }
      // What comes later concludes them as well.
      guard random(3) > 0 else { continue }
      try runs.concludeScans()
      wins += runs.wins
      #expect(wins == others, "\(kind), seed \(seed), step \(step)")
      #expect(runs.outcomes == singles.outcomes)
      for account in LedgerAccount.allCases {
        let (together, alone) = (
          runs.programme.books.ledger.postings(account),
          singles.programme.books.ledger.postings(account)
        )
        #expect(together == alone, "\(account), \(kind), seed \(seed), step \(step)")
      }
      #expect(
        runs.programme.books.desk.lastAward(.scanReward)
          == singles.programme.books.desk.lastAward(.scanReward))
    }
    let end = start + .days(60)
    try batch(&runs, at: end)
    wins += runs.wins
    try batch(&singles, at: end)
    #expect(wins == others, "\(kind), seed \(seed)")
    #expect(runs.programme.books.desk.promises == 0)
    #expect(try saved(runs) == saved(singles), "\(kind), seed \(seed)")
    #expect(joint > 5 && wins.count > 5, "sometimes: several rows of an instant, and comps")
    #expect((between > 0) == (kind != .paidAtOnce), "sometimes: a request behind gathered scans")
    #expect((long > 0) == (kind != .paidAtOnce), "runs longer than one scan, unless each is paid")
    #expect(cut > 0, "no run was cut")
    #expect((refused > 0) == (kind == .bans))
  }

  @Test func aRunEndsBeforeTheScanThatMovesTheTier() throws {
    var state = try state(.plain)
    let first = Int64(state.rules.tiers.vip) - 1
    let run = try state.scanTins(0, first + 100, at: start)
    #expect(run?.count == first, "the scan that makes a VIP begins a run")
    #expect(state.members.account(of: 0).standing.tier == .standard)
    _ = try state.scanTins(0, 100, at: start)
    #expect(state.members.account(of: 0).standing.tier == .vip)
    #expect(state.programme.books.scans == 0, "nothing is concluded")
    try state.concludeScans()
    #expect(state.programme.books.scans > first)
    #expect(!state.wins.isEmpty, "one in seven is due")
    try state.concludeScans()
    #expect(state.wins.isEmpty, "there is nothing more to conclude")
  }

  @Test("No promise is longer than a transaction, however many scans an instant has")
  func promisesAreNoLongerThanTransactions() throws {
    var state = try state(.smallTransactions)
    let most = state.rules.payouts.fullTransaction
    #expect(most == 10)
    for member in UInt32(0)..<3 {
      var left: Int64 = 1_000
      while left > 0 {
        left -= try #require(try state.scanTins(member, left, at: start)).count
      }
    }
    try state.concludeScans()
    var rewards: Int64 = 0
    state.programme.books.desk.forEachPromise(after: 0) { first, run in
      #expect(run.count <= most)
      if first.type == .scanReward { rewards += run.count }
    }
    #expect(rewards == 3_000)
  }

  @Test func whoHasNotSignedUpScansNothing() throws {
    var state = try state(.plain)
    #expect(try state.scanTins(99, 3, at: start) == nil)
    #expect(state.outcomes.allSatisfy { $0 == 0 })
  }

  @Test func aRunWhoseMoneyDoesNotFitEndsTheProgramme() throws {
    var rules = ProgrammeRules()
    rules.scanReward.base = MicroUSDT(microunits: .max / 1_000)
    var state = try ProgrammeState(
      rules: rules, firstDate: CivilDate("2026-01-01")!, codes: CodeBook(key: 1),
      draws: SeededPlace())
    _ = try state.commit(.signUp(member: 0, state: nil), at: start)
    #expect(throws: CommitError.self) {
      for _ in 0..<1_000 { _ = try state.scanTins(0, 1_000, at: start) }
    }
    var books = try ProgrammeBooks(rules: ProgrammeRules(), firstDate: CivilDate("2026-01-01")!)
    #expect(throws: MoneyError.self) { try books.sell(tins: .max / 2, sales: 7) }
  }
}
