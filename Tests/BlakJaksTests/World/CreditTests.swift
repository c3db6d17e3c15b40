import BlakJaks
// Goal: a credit turns available with its own payout, and one that fails holds back nobody else.
// Method: the state machine, payout by payout; worlds whose payouts fail for good, whose traced
// transactions are added up; and the same world with wallets and without, which pay the same.
import EventKernel
import Population
import Quantities
import RewardModel
import TestSupport
import Testing

@Suite struct CreditStateTests {
  private let start = Instant(microseconds: 1_767_614_400_000_000)

  private func slots(_ answer: ProgrammeAnswer) -> [Int] {
    if case .payout(.batched(let slots)) = answer { slots } else { [] }
  }

  @Test func aFailedPayoutHoldsBackItsOwnReceiversOnly() throws {
    var rules = ProgrammeRules()
    rules.payouts.batchLimit = 2
    rules.payouts.retries = 0
    var state = try ProgrammeState(
      rules: rules, firstDate: CivilDate("2026-01-05")!, codes: CodeBook(key: 1),
      draws: SeededDraws(seed: 1))
    for member in 0..<3 as Range<UInt32> {
      _ = try state.commit(.signUp(member: member, state: nil), at: start)
    }
    // Member 0 scans twice, so that one award of theirs is in each transaction.
    var ids: [AwardID?] = []
    for (second, member) in [0, 1, 0, 2].enumerated() {
      let answer = try state.commit(
        .scanTin(member: UInt32(member)), at: start + .seconds(Int64(second)))
      if case .scan(let scan) = answer { ids.append(scan.rewardID) }
    }
    #expect(ids == (1...4).map { AwardID(type: .scanReward, number: $0) })
    let later = start + .minutes(10)
    func commit(_ step: PayoutStep) throws -> ProgrammeAnswer {
      try state.commit(.payout(step), at: later)
    }
    func wallets() -> [[Int64]] {
      state.members.purses.map {
        [$0.wallet.available.microunits, $0.wallet.pending.microunits]
      }
    }
    let payouts = slots(try commit(.batch(origin: start)))
    #expect(payouts.count == 2)
    #expect(wallets() == [[0, 400_000], [0, 200_000], [0, 200_000]])
    _ = try commit(.begin(slot: payouts[0]))
    _ = try commit(.begin(slot: payouts[1]))
    #expect(try commit(.reject(slot: payouts[0])) == .payout(.retries(after: nil)))
    // The second is confirmed, although the first has failed.
    _ = try commit(.confirm(slot: payouts[1]))
    #expect(wallets() == [[200_000, 200_000], [0, 200_000], [200_000, 0]])
    _ = try commit(.resubmit(slot: payouts[0]))
    _ = try commit(.begin(slot: payouts[0]))
    _ = try commit(.confirm(slot: payouts[0]))
    #expect(wallets() == [[400_000, 0], [200_000, 0], [200_000, 0]])
    // Nothing is released twice.
    _ = try commit(.repeated(slot: payouts[0]))
    _ = try commit(.forget(slot: payouts[0]))
    #expect(wallets() == [[400_000, 0], [200_000, 0], [200_000, 0]])
  }
}

@Suite(.tags(.slow)) struct CreditTests {
  private func run(
    checking: Bool = false, _ edit: (inout WorldInput) -> Void
  ) throws -> BlakJaksRecord {
    let input = try smallWorld(seed: 31, members: 120, days: 120, window: .hours(1)) { input in
      input.population.adoption.model = .cohort
      input.population.wallet.enabled = true
      input.population.wallet.traced = 120
      input.rules.prizes = []
      input.rules.wholesale.accounts = 0
      input.rules.payouts.failure = 0.3
      input.rules.payouts.retries = 2
      input.rules.payouts.review = TimeSpan(microseconds: 0)
      edit(&input)
    }
    var world = try World(input, threads: 2)
    return try world.run(checking: checking)
  }

  private func series(_ record: BlakJaksRecord, _ key: String) throws -> Int64 {
    let values = try #require(record.series.first { $0.key == key }, "no series \(key)").values
    return try #require(values.last ?? nil, "\(key)")
  }

  @Test func whatIsPendingIsWhatFailedOrIsUnderWay() throws {
    let record = try run(checking: true) { _ in }
    let failed = try series(record, "payouts.failed_value")
    let underWay = try series(record, "payouts.pending_value")
    let pending = record.transactions.filter { $0.status == "pending" }
      .reduce(0) { $0 + $1.amount.microunits }
    #expect(failed > 1_000_000)
    #expect(pending == failed + underWay)
    // What failed is owed as much as what is under way.
    #expect(record.figure("liability.payouts_pending") == Double(pending) / 1e6)
    #expect(try series(record, "wallet.pending") == pending)
    // All others have their money, and use it.
    let awarded = try series(record, "payouts.awarded_value")
    #expect(pending < awarded / 10)
    #expect(try series(record, "wallet.withdrawn") > awarded / 4)
  }

  @Test func withoutFailuresNothingButTheLastBatchesIsPending() throws {
    let record = try run { $0.rules.payouts.failure = 0 }
    #expect(try series(record, "payouts.failed") == 0)
    let pending = record.transactions.filter { $0.status == "pending" }
    #expect(pending.allSatisfy { $0.time > record.end - .minutes(20) })
  }

  @Test func aReviewPaysWhatFailedAndReleasesIt() throws {
    let record = try run(checking: true) { $0.rules.payouts.review = .hours(5) }
    let all = record.transactions.count { $0.amount > .zero }
    let old = record.transactions.filter {
      $0.status == "pending" && $0.time < record.end - .days(2)
    }
    #expect(all > 300)
    #expect(old.isEmpty, "\(old.count) of \(all) credits")
  }

  @Test(
    "Wallets change nothing of what is paid, and when",
    arguments: [
      (TimeSpan.minutes(10), Int64(3)), (.hours(5), 4), (.seconds(45), 1), (.seconds(0), 500),
      (.minutes(3), 500),
    ])
  func walletsPayTheSame(batch: TimeSpan, limit: Int64) throws {
    func paid(_ wallets: Bool, window: TimeSpan = .hours(1)) throws -> [String] {
      let record = try run { input in
        input.population.members = 300
        input.population.wallet.enabled = wallets
        input.window = window
        input.rules.payouts.batch = batch
        input.rules.payouts.batchLimit = limit
      }
      return record.series.filter { $0.key.contains("payouts") || $0.key.contains("payable") }
        .map { "\($0.key) \($0.values)" }
    }
    let without = try paid(false)
    #expect(without.count > 15)
    #expect(try paid(true) == without)
    #expect(try paid(false, window: .seconds(5_430)) == without)
  }
}

@Suite struct LateCreditTests {
  // A member looks at the wallet every other week or so and withdraws at one visit of seven: of those
  // who have had 50 USDT for months, nearly all have taken some. Half of those who had left did not
  // before they came back for what was awarded later.
  @Test func whoHasLeftTakesWhatIsAwardedAfterwards() throws {
    let record = try told(
      try story(
        "launch-year", "population.members=1000", "population.adoption.model=cohort",
        "population.wallet.enabled=true", "population.wallet.traced=1000"))
    let last = try #require(record.days.last).date
    var guaranteed: [Int64: Bool] = [:]
    for row in record.transactions {
      if row.kind == "guarantee" {
        guaranteed[row.member] = false
      } else if row.amount < .zero, guaranteed[row.member] != nil {
        guaranteed[row.member] = true
      }
    }
    let untouched = guaranteed.count { !$0.value }
    #expect(guaranteed.count > 300, "until \(last)")
    #expect(untouched * 20 < guaranteed.count, "\(untouched) of \(guaranteed.count) untouched")
  }
}
