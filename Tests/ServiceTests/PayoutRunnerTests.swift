// Goal: a service's payouts go the way of the simulation's.
// Method: the runner's steps are taken by a payout desk without a service, with waits that tell
// apart who had to wait for whom.
import Quantities
import RewardModel
import Testing

@testable import BlakJaks

@Suite("A service's payouts")
struct PayoutRunnerTests {
  private let start = ServiceFixture.start

  /// Takes the steps that are due through an instant.
  private func run(
    _ runner: inout PayoutRunner, _ books: inout ProgrammeBooks, through end: Instant
  ) throws {
    while let due = runner.take(through: end) {
      runner.note(due.step, try books.take(due.step, at: due.time), at: due.time)
    }
  }

  @Test("A payout that waits for its retry holds no worker", arguments: [1, 3])
  func backoff(workers: Int) throws {
    var rules = ProgrammeRules()
    rules.payouts.batch = .seconds(0)
    rules.payouts.service = .seconds(1)
    rules.payouts.confirmation = .seconds(1)
    rules.payouts.failure = 0.5
    rules.payouts.workers = workers
    rules.payouts.backoff = .hours(1)
    rules.payouts.review = .seconds(0)
    var books = try ProgrammeBooks(rules: rules, firstDate: CivilDate("2026-01-05")!)
    for _ in 0..<40 { try books.pay(.scanReward, total: .whole(1), at: start) }
    var runner = PayoutRunner(rules, seed: 7)
    runner.resume(books, at: start)
    let batch = PayoutStep.batch(origin: start)
    runner.note(batch, try books.take(batch, at: start), at: start)
    try run(&runner, &books, through: start + .minutes(30))
    // Each was tried once, and none twice before the hour is over.
    #expect(books.desk.attempts == 40)
    let left = books.desk.pending.count
    #expect(books.desk.paid.count == 40 - left && 0 < left && left < 40)
    try run(&runner, &books, through: start + .days(3))
    #expect(books.desk.retries > 0 && books.desk.pending.count == 0)
    #expect(books.desk.paid.count + books.desk.failed.count == 40)
  }

  @Test("Each award is timed from its own minute, not from the mean of its transaction")
  func confirmations() {
    var times = ConfirmationTimes()
    let now = start + .minutes(60)
    // Ten transactions of ten awards, of which the first one was made nine minutes earlier.
    for slot in 0..<10 {
      let payout = Payout(
        type: .scanReward, firstAward: Int64(10 * slot + 1), count: 10, amount: .whole(10),
        source: .memberWallet,
        minutes: [
          AwardMinute(start: now - .minutes(10), count: 1, offsets: 0),
          AwardMinute(start: now - .minutes(1), count: 9, offsets: 0),
        ])
      times.begin(slot, at: now - .seconds(20))
      times.confirm(slot, payout, submitted: slot < 5 ? now - .seconds(10) : nil, at: now)
    }
    let (fromAward, fromSubmission) = times.times(at: now)
    #expect(fromAward.mean == .seconds(114))
    #expect(fromAward.p95 == .minutes(10))
    // Where nobody knows when it was submitted, it was when the worker took it up.
    #expect(fromSubmission.mean == .seconds(15) && fromSubmission.p95 == .seconds(20))
  }

  @Test("A confirmation is timed from when its worker was done, in the journal as well")
  func submission() throws {
    var rules = ProgrammeRules()
    rules.payouts.batch = .seconds(0)
    rules.payouts.service = .minutes(10)
    rules.payouts.confirmation = .seconds(0)
    rules.payouts.failure = 0
    var books = try ProgrammeBooks(rules: rules, firstDate: CivilDate("2026-01-05")!)
    try books.pay(.scanReward, total: .whole(1), at: start)
    var runner = PayoutRunner(rules, seed: 7)
    runner.resume(books, at: start)
    let batch = PayoutStep.batch(origin: start)
    runner.note(batch, try books.take(batch, at: start), at: start)
    let first = runner.take(through: start)
    let begin = try #require(first)
    #expect(begin.submitted == nil)
    runner.note(begin.step, try books.take(begin.step, at: start), at: start)
    let second = runner.take(through: start + .days(1))
    let due = try #require(second)
    #expect(due.step == .confirm(slot: 0))
    #expect(due.submitted == due.time && due.time > start)
    var request = BlakJaksMachine.Request(.payout(due.step))
    request.submitted = due.submitted
    let bytes = try BlakJaksMachine.encode(request)
    #expect(try BlakJaksMachine.decode(bytes) == request)
    // What is cut short or begins with another form is no confirmation.
    #expect(throws: (any Error).self) { try BlakJaksMachine.decode(Array(bytes.prefix(9))) }
    #expect(throws: (any Error).self) { try BlakJaksMachine.decode([3] + bytes.dropFirst(9)) }
  }
}
