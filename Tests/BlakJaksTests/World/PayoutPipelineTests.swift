import BlakJaks
// Goal: the pipeline is the queue that it claims to be, and an outage costs time, not money.
// Method: with batching off it is an M/M/c queue, whose mean wait is known in closed form; faults
// and outages are run on a Poisson stream of awards, and every award is accounted for.
import EventKernel
import Foundation
import Population
import Quantities
import RewardModel
import TestSupport
import Testing

@Suite(.tags(.slow)) struct PayoutPipelineTests {
  private static let days = 20

  /// Runs a Poisson stream of 1 USDT awards through books and pipeline, then lets it drain.
  private func run(
    perSecond rate: Double, awards: Int, seed: UInt64, faults: FaultSettings = FaultSettings(),
    outages: [(from: TimeSpan, to: TimeSpan, kind: OutageKind)] = [],
    edit: (inout PayoutRules) -> Void
  ) throws -> (books: ProgrammeBooks, pipeline: PayoutPipeline) {
    var rules = ProgrammeRules()
    edit(&rules.payouts)
    rules.treasury.opening.memberWallet = .whole(10_000_000)
    let calendar = try ProgrammeCalendar(
      zone: "UTC", firstDate: CivilDate("2026-01-01")!, days: Self.days)
    var books = try ProgrammeBooks(rules: rules, calendar: calendar)
    let pipeline = PayoutPipeline(
      rules: rules, faults: faults,
      outages: outages.map {
        OutageInterval(start: calendar.start + $0.from, end: calendar.start + $0.to, kind: $0.kind)
      }, seed: seed, start: calendar.start)
    var stream = RandomStream(seed: seed, purpose: 999, entity: 1)
    var now = calendar.start
    for _ in 0..<awards {
      now = now + TimeSpan(microseconds: Int64(stream.exponential(mean: 1 / rate) * 1e6) + 1)
      try pipeline.advance(to: now, &books)
      try books.pay(.guarantee, count: 1, total: .whole(1), at: now)
    }
    try pipeline.advance(to: calendar.end, &books)
    return (books, pipeline)
  }

  // λ = 2, μ = 1 a second, three workers: Wq = .444444 (Erlang C).
  @Test func withoutBatchingItIsAnErlangQueue() throws {
    var tally = Tally()
    for seed in 1...6 as ClosedRange<UInt64> {
      let (books, pipeline) = try run(perSecond: 2, awards: 15_000, seed: seed) {
        $0.batch = .seconds(0)
        $0.workers = 3
        $0.service = .seconds(1)
        $0.failure = 0
      }
      #expect(books.desk.paid.count == 15_000)
      #expect(pipeline.workers.waits.count == 15_000)
      try tally.add(try #require(pipeline.workers.waits.mean))
    }
    let interval = try tally.interval(level: 0.99)
    #expect(
      abs(interval.mean - 0.444444) < interval.halfWidth + 0.01,
      "mean wait \(interval.mean) ± \(interval.halfWidth)")
    #expect(interval.halfWidth < 0.15)
  }

  // An award waits 300 s for its batch on average, then 2 s for service and 30 s for confirmation.
  @Test func confirmationTimeIsBatchingPlusServicePlusConfirmation() throws {
    let (_, pipeline) = try run(perSecond: 0.02, awards: 20_000, seed: 3) {
      $0.failure = 0
      $0.workers = 50
    }
    let (award, submission) = (pipeline.day.fromAward, pipeline.day.fromSubmission)
    #expect(award.count == 20_000 && submission.count == 20_000)
    let mean = try #require(award.mean).inSeconds
    #expect(abs(mean - 332) < 6, "mean \(mean)")
    let confirmation = try #require(submission.mean).inSeconds
    #expect(abs(confirmation - 30) < 4, "mean \(confirmation)")
    // The share above t of U(0, 600) + Exp(2) + Exp(30) is (∫ tail of the sum of both from t − 600
    // to t) / 600. The tail is (30 e^(−x/30) − 2 e^(−x/2)) / 28.
    func above(_ time: Double) -> Double {
      func integral(_ x: Double) -> Double { (900 * exp(-x / 30) - 4 * exp(-x / 2)) / 28 }
      return (integral(max(time - 600, 0)) - integral(time) + max(600 - time, 0)) / 600
    }
    let high = try #require(award.quantile(0.95)).inSeconds
    #expect(abs(above(high) - 0.05) < 0.012, "P95 \(high): \(above(high)) above")
    let late = try #require(submission.quantile(0.95)).inSeconds
    #expect(abs(exp(-late / 30) - 0.05) < 0.015, "P95 \(late)")
  }

  // Without chance, each award waits exactly from its own instant to the end of its batch.
  @Test func eachAwardIsTimedFromItsOwnInstant() throws {
    var stream = RandomStream(seed: 4, purpose: 999, entity: 1)
    var (now, total): (Int64, Int64) = (0, 0)
    for _ in 0..<2_000 {
      now += Int64(stream.exponential(mean: 25) * 1e6) + 1
      total += 600_000_000 - now % 600_000_000
    }
    let (_, pipeline) = try run(perSecond: 0.04, awards: 2_000, seed: 4) {
      $0.failure = 0
      $0.service = TimeSpan(microseconds: 0)
      $0.confirmation = TimeSpan(microseconds: 0)
    }
    #expect(pipeline.day.fromAward.mean == TimeSpan(microseconds: total / 2_000))
    #expect(pipeline.day.fromSubmission.mean == TimeSpan(microseconds: 0))
  }

  // A geometric number of failures: each payout needs 1 / (1 - p) attempts on average, and fails
  // for good with p to the power of 6.
  @Test func failuresRetriesAndDeadLettersHaveTheirExpectedNumbers() throws {
    let (books, _) = try run(perSecond: 1, awards: 20_000, seed: 5) {
      $0.batch = .seconds(0)
      $0.failure = 0.4
      $0.review = .seconds(0)
      $0.workers = 100
    }
    let desk = books.desk
    let expected = 20_000 * (1 - 0.004096) / 0.6
    let (attempts, failed) = (Double(desk.attempts), Double(desk.failed.count))
    #expect(abs(attempts - expected) < 600, "attempts \(attempts), 4 × 150")
    #expect(abs(failed - 81.9) < 36.4, "failed \(failed), 4 × 9.1")
    #expect(desk.paid.count + desk.failed.count == 20_000)
    #expect(desk.pending.count == 0)
    #expect(books.ledger.balance(.memberPayable) == desk.failed.amount)
  }

  @Test func whoLooksAtFailedPayoutsGetsThemPaid() throws {
    let (books, _) = try run(perSecond: 1, awards: 5_000, seed: 6) {
      $0.batch = .seconds(0)
      $0.failure = 0.5
      $0.workers = 100
      $0.review = .hours(2)
    }
    #expect(books.desk.paid.count == 5_000)
    #expect(books.desk.failed.count == 0)
  }

  @Test(arguments: OutageKind.allCases)
  func anOutageDelaysOrFailsButLosesNothing(_ kind: OutageKind) throws {
    let outage = (from: TimeSpan.hours(1), to: TimeSpan.hours(4), kind: kind)
    let (books, pipeline) = try run(perSecond: 0.5, awards: 10_000, seed: 7, outages: [outage]) {
      $0.failure = 0
      $0.review = .seconds(0)
    }
    let desk = books.desk
    #expect(desk.paid.count + desk.failed.count == 10_000)
    let high = try #require(pipeline.day.fromAward.quantile(0.95)).inSeconds
    switch kind {
    case .halt:
      #expect(desk.failed.count == 0)
      #expect(high > 5_000, "P95 \(high)")
    case .reject:
      // All retries of a payout fit into 16 minutes, so most of what fell due then is lost.
      #expect(desk.failed.count > 4_000)
      #expect(desk.retries > 0)
    }
  }

  @Test(
    "Outages of one kind that overlap or adjoin are as one", arguments: OutageKind.allCases,
    [[(0, 48), (6, 8)], [(0, 48), (0, 2)], [(0, 24), (24, 48)], [(20, 48), (0, 20), (19, 30)]]
      as [[(Int64, Int64)]])
  func outagesAsOne(_ kind: OutageKind, _ parts: [(Int64, Int64)]) throws {
    func run(_ parts: [(Int64, Int64)]) throws -> (books: ProgrammeBooks, pipeline: PayoutPipeline)
    {
      let outages = parts.map { (from: TimeSpan.hours($0), to: TimeSpan.hours($1), kind: kind) }
      return try self.run(perSecond: 0.02, awards: 5_000, seed: 17, outages: outages) {
        $0.failure = 0
        $0.workers = 200
      }
    }
    let (apart, one) = (try run(parts), try run([(0, 48)]))
    #expect(apart.books.desk.paid == one.books.desk.paid)
    #expect(apart.books.desk.failed == one.books.desk.failed)
    #expect(apart.books.desk.retries == one.books.desk.retries)
    #expect(apart.pipeline.day.fromAward.mean == one.pipeline.day.fromAward.mean)
    #expect(apart.pipeline.events == one.pipeline.events)
    // What is awarded as the outage begins is paid when it ends.
    let longest = try #require(one.pipeline.day.fromAward.quantile(0.999)).inSeconds
    #expect(kind == .reject || longest > 40 * 3_600, "\(longest)")
  }

  @Test func aLostResponseIsRepeatedAndPaidOnce() throws {
    var faults = FaultSettings()
    faults.payouts.lostResponse = 0.3
    let (books, pipeline) = try run(perSecond: 1, awards: 5_000, seed: 8, faults: faults) {
      $0.batch = .seconds(0)
    }
    let desk = books.desk
    #expect(desk.paid == PayoutSum(count: 5_000, amount: .whole(5_000)))
    let refused = Double(desk.repeatsRefused)
    #expect(abs(refused - 1_500) < 132, "4 × 33")
    #expect(pipeline.chain.balance(.memberWallet) == books.holding(.memberWallet))
  }

  @Test func chainFaultsAreDrawnAtTheirRates() throws {
    var faults = FaultSettings()
    faults.chain.unbookedFee = 0.1
    faults.chain.failed = 0.05
    faults.chain.duplicated = 0.02
    faults.chain.late = 0.01
    let (books, pipeline) = try run(perSecond: 1, awards: 10_000, seed: 9, faults: faults) {
      $0.batch = .seconds(0)
      $0.failure = 0
    }
    #expect(books.desk.paid.count == 10_000)
    for (seen, expected) in zip(pipeline.chain.faults, [1_000.0, 500, 200, 100]) {
      #expect(abs(Double(seen) - expected) < 4 * expected.squareRoot(), "\(seen) of \(expected)")
    }
  }

  // Late money is paid all the same, so that nothing but the chain may differ.
  @Test func whatGoesWrongOnTheChainShiftsNobodysLuck() throws {
    func course(late: Double) throws -> (desk: PayoutDesk, day: PayoutPipeline.Day, late: Int64) {
      var faults = FaultSettings()
      faults.chain.late = late
      let (books, pipeline) = try run(perSecond: 1, awards: 5_000, seed: 10, faults: faults) {
        $0.batch = .seconds(0)
        $0.failure = 0.1
      }
      return (books.desk, pipeline.day, pipeline.chain.faults.reduce(0) { $0 + Int64($1) })
    }
    let (without, with) = (try course(late: 0), try course(late: 0.01))
    #expect(without.late == 0 && with.late > 20, "\(with.late) were late")
    #expect(without.desk.retries == with.desk.retries && without.desk.retries > 100)
    for share in [0.1, 0.5, 0.95] {
      #expect(without.day.fromAward.quantile(share) == with.day.fromAward.quantile(share))
    }
  }

  @Test(
    "Many small steps of the clock lead to what few large ones do", arguments: [0, 600] as [Int64])
  func stepsOfTheClock(batch: Int64) throws {
    var faults = FaultSettings()
    faults.payouts.lostResponse = 0.2
    var rules = ProgrammeRules()
    rules.payouts.batch = .seconds(batch)
    rules.payouts.failure = 0.2
    rules.treasury.opening.memberWallet = .whole(100_000)
    let calendar = try ProgrammeCalendar(zone: "UTC", firstDate: CivilDate("2026-01-01")!, days: 2)
    func run(steps: Int64) throws -> (books: ProgrammeBooks, pipeline: PayoutPipeline) {
      var books = try ProgrammeBooks(rules: rules, calendar: calendar)
      let pipeline = PayoutPipeline(
        rules: rules, faults: faults, outages: [], seed: 5, start: calendar.start)
      var stream = RandomStream(seed: 5, purpose: 998, entity: 1)
      var now = calendar.start
      func go(to end: Instant) throws {
        let length = (end - now).microseconds
        for step in 1...steps {
          let part = TimeSpan(microseconds: length * step / steps)
          try pipeline.advance(to: now + part, &books)
        }
        now = end
      }
      for award in 0..<400 {
        try go(to: now + .seconds(Int64(stream.uniformIndex(below: 240))))
        // Some are told late, and some at the instant at which a batch ends.
        let late: Int64 = award % 5 == 0 ? 900 : award % 7 == 0 ? 600 : 0
        try books.pay(
          .guarantee, count: 1, total: .whole(1), at: max(now - .seconds(late), calendar.start))
      }
      try go(to: calendar.end)
      return (books, pipeline)
    }
    let (few, many) = (try run(steps: 1), try run(steps: 97))
    #expect(few.books.desk.paid.count + few.books.desk.failed.count == 400)
    #expect(few.books.ledger == many.books.ledger)
    #expect(few.books.desk.paid == many.books.desk.paid)
    #expect(few.books.desk.attempts == many.books.desk.attempts)
    #expect(few.books.desk.repeatsRefused == many.books.desk.repeatsRefused)
    #expect(few.pipeline.events == many.pipeline.events)
    #expect(few.pipeline.workers.waits.mean == many.pipeline.workers.waits.mean)
    #expect(few.pipeline.day.fromAward.mean == many.pipeline.day.fromAward.mean)
    #expect(
      few.pipeline.chain.balance(.memberWallet) == many.pipeline.chain.balance(.memberWallet))
  }
}
