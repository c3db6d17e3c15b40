import BlakJaks
// Goal: every promise is paid once or is still owed, in count and in money.
// Method: worked examples of batching, funds and retries, and random calls beside a plain list of
// promises; the sums are added up anew after every call.
import EventKernel
import Foundation
import Quantities
import RewardModel
import Testing

@Suite struct PayoutDeskTests {
  private let start = Instant(microseconds: 1_767_614_400_000_000)

  private func desk(edit: (inout PayoutRules) -> Void = { _ in }) -> PayoutDesk {
    var rules = PayoutRules()
    edit(&rules)
    return PayoutDesk(rules: rules, prizes: Prize.brief)
  }

  private func funded(_ amount: Int64) throws -> Ledger {
    var ledger = Ledger()
    for treasury in Treasury.allCases {
      try ledger.post(.whole(amount), from: treasury.ledgerAccount, to: .equity)
    }
    return ledger
  }

  private func batched(_ desk: inout PayoutDesk, at instant: Instant) throws -> [Int] {
    var slots: [Int] = []
    try desk.batch(at: instant, from: start) { slots.append($0) }
    return slots
  }

  @Test func awardsOfTenMinutesArePaidTogetherByType() throws {
    var desk = desk()
    try desk.award(.scanReward, AwardRun(count: 3, amount: .whole(1), at: start))
    try desk.award(.scanReward, AwardRun(count: 2, amount: .whole(2), at: start + .seconds(599)))
    try desk.award(.match, AwardRun(count: 1, amount: .whole(21), at: start + .seconds(60)))
    try desk.award(.scanReward, AwardRun(count: 1, amount: .whole(9), at: start + .seconds(600)))
    #expect(desk.nextBatch(from: start) == start + .minutes(10))
    let slots = try batched(&desk, at: start + .minutes(10))
    #expect(slots.map { desk[$0].count } == [1, 5])
    #expect(slots.map { desk[$0].amount } == [.whole(21), .whole(3)])
    #expect(slots.map { desk[$0].source } == [.affiliateWallet, .memberWallet])
    #expect(desk.nextBatch(from: start) == start + .minutes(20))
  }

  @Test("The earliest batch is known whatever the order in which awards are told")
  func theEarliestBatchIsKnown() throws {
    var desk = desk()
    #expect(desk.earliestBatch(from: start) == .distantFuture)
    var stream = RandomStream(seed: 3, purpose: 77, entity: 1)
    for round in 0..<6 {
      let first = start + .minutes(Int64(100 * round))
      for _ in 0..<300 {
        let time = first + .seconds(Int64(stream.uniformIndex(below: 6_000)))
        let type: PayoutType = stream.uniform() < 0.5 ? .scanReward : .match
        try desk.award(type, AwardRun(count: 1, amount: .whole(1), at: time))
        var other = desk
        let earliest = desk.earliestBatch(from: start)
        #expect(try batched(&other, at: earliest - TimeSpan(microseconds: 1)).isEmpty)
        #expect(try !batched(&other, at: earliest).isEmpty)
      }
      let packed = try JSONEncoder().encode(desk)
      desk = try JSONDecoder().decode(PayoutDesk.self, from: packed)
      var other = desk
      let earliest = desk.earliestBatch(from: start)
      #expect(try batched(&other, at: earliest - TimeSpan(microseconds: 1)).isEmpty)
      #expect(try !batched(&other, at: earliest).isEmpty)
      for minute in 1...11 {
        _ = try batched(&desk, at: first + .minutes(Int64(10 * minute)))
        #expect(
          desk.earliestBatch(from: start) == desk.nextBatch(from: start) ?? .distantFuture)
      }
    }
  }

  @Test(
    "Shares of a pool that are put together are paid together as they would be one by one",
    arguments: [(23, 7), (21, 7), (6, 7), (500, 1)])
  func sharesOfAPool(count: Int, limit: Int) throws {
    let time = start + .seconds(61)
    let shares = (0..<count).map { (row: Int) -> (row: Int, share: MicroUSDT) in
      let parts: Int = row * row % 11 + 1
      return (row, MicroUSDT(microunits: Int64(1_000_003 * parts)))
    }
    func payouts(_ owner: (Int) -> UInt32?) throws -> (runs: Int, [Payout]) {
      var desk = desk { $0.batchLimit = Int64(limit) }
      let runs = try AwardRun.runs(of: shares, at: time, atMost: Int64(limit), owner: owner)
      for run in runs { try desk.award(.pool, run) }
      #expect(desk.awarded.count == Int64(count))
      var made = try batched(&desk, at: start + .minutes(10)).map { desk[$0] }
      for place in made.indices { made[place].awards = [] }
      return (runs.count, made)
    }
    let (known, single) = try payouts { UInt32($0) }
    let (together, grouped) = try payouts { _ in nil }
    #expect(single == grouped)
    #expect(known == count && together == (count + limit - 1) / limit)
  }

  @Test func aLargeBatchIsSplitWithoutLosingAMicro() throws {
    var desk = desk { $0.batchLimit = 7 }
    try desk.award(
      .scanReward, AwardRun(count: 23, amount: MicroUSDT(microunits: 1_000_003), at: start))
    let slots = try batched(&desk, at: start + .minutes(10))
    #expect(slots.map { desk[$0].count } == [7, 7, 7, 2])
    #expect(slots.map { desk[$0].firstAward } == [1, 8, 15, 22])
    #expect(slots.reduce(0) { $0 + desk[$1].amount.microunits } == 1_000_003)
  }

  @Test func aTransactionIsTheSumOfItsAwards() throws {
    var desk = desk { $0.batchLimit = 4 }
    let amounts: [Int64] = [5, 70, 900, 1, 20, 3, 800, 11, 6, 40, 2]
    var run = AwardRun(Award(to: 0, MicroUSDT(microunits: amounts[0]), at: start))
    for (member, amount) in amounts.enumerated().dropFirst() {
      let time = start + .seconds(Int64(member))
      try run.append(
        Award(to: UInt32(member), MicroUSDT(microunits: amount), at: time), keepsReceiver: true)
    }
    try desk.award(.scanReward, run)
    let last = Award(to: 77, .whole(1), at: start + .seconds(61))
    try desk.award(.scanReward, AwardRun(last))
    #expect(desk.lastAward(.scanReward) == AwardID(type: .scanReward, number: 12))
    #expect(desk.lastAward(.match) == nil)
    let slots = try batched(&desk, at: start + .minutes(10))
    #expect(slots.map { desk[$0].firstAward } == [1, 5, 9])
    for slot in slots {
      let payout = desk[slot]
      #expect(payout.amount.microunits == payout.awards.reduce(0) { $0 + $1.amount.microunits })
      #expect(payout.minutes.reduce(0) { $0 + $1.count } == payout.count)
    }
    #expect(slots.map { desk[$0].amount.microunits } == [976, 834, 1_000_048])
    #expect(
      slots.flatMap { desk[$0].awards.map(\.receiver) } == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 77])
    #expect(
      desk[slots[2]].minutes == [
        AwardMinute(start: start, count: 3, offsets: 27_000_000),
        AwardMinute(start: start + .seconds(60), count: 1, offsets: 1_000_000),
      ])
  }

  @Test func whatIsToldLateIsBatchedWithTheLaterAwardsOfItsType() throws {
    var desk = desk()
    try desk.award(.match, AwardRun(count: 1, amount: .whole(1), at: start + .minutes(11)))
    try desk.award(.match, AwardRun(count: 1, amount: .whole(2), at: start + .minutes(2)))
    try desk.award(.guarantee, AwardRun(count: 1, amount: .whole(3), at: start + .minutes(2)))
    #expect(try batched(&desk, at: start + .minutes(10)).map { desk[$0].type } == [.guarantee])
    let slots = try batched(&desk, at: start + .minutes(20))
    #expect(slots.map { desk[$0].count } == [2])
    #expect(desk[slots[0]].firstAward == 1)
  }

  @Test func withoutBatchingEachAwardIsPaidAtOnce() throws {
    var desk = desk { $0.batch = .seconds(0) }
    try desk.award(.scanReward, AwardRun(count: 1, amount: .whole(1), at: start + .seconds(5)))
    try desk.award(.scanReward, AwardRun(count: 1, amount: .whole(1), at: start + .seconds(5)))
    #expect(desk.nextBatch(from: start) == start + .seconds(5))
    #expect(try batched(&desk, at: start + .seconds(5)).count == 2)
  }

  @Test func aPayoutWaitsUntilItsWalletHoldsItsAmountAndTheGas() throws {
    var desk = desk()
    var ledger = Ledger()
    let amount = MicroUSDT.whole(100)
    let gas = PayoutRules().gas
    try ledger.post(.whole(100), from: .walletMember, to: .equity)
    try ledger.post(.whole(100), from: .expenseCrypto, to: .memberPayable)
    try desk.award(.prize(0), AwardRun(count: 1, amount: amount, at: start))
    let slot = try #require(try batched(&desk, at: start + .minutes(10)).first)
    #expect(try !desk.begin(slot, holding: ledger.holding(desk[slot].source)))
    #expect(try !desk.begin(slot, holding: ledger.holding(desk[slot].source)))
    #expect(desk.waitingForFunds == 1)
    #expect(desk.attempts == 0)
    try ledger.post(gas, from: .walletMember, to: .equity)
    #expect(try desk.begin(slot, holding: ledger.holding(desk[slot].source)))
    #expect(desk.waitingForFunds == 0)
    #expect(try desk.available(.memberWallet, ledger) == .zero)
    try desk.confirm(slot, &ledger)
    #expect(ledger.holding(.memberWallet) == .zero)
    #expect(ledger.balance(.memberPayable) == .zero)
    #expect(ledger.balance(.gas) == MicroUSDT(microunits: -gas.microunits))
    #expect(desk.paid == PayoutSum(count: 1, amount: amount))
  }

  @Test func retriesWaitTwiceAsLongEachTimeAndThenSomebodyHasToLook() throws {
    var desk = desk()
    var ledger = try funded(1_000)
    try desk.award(.prize(0), AwardRun(count: 1, amount: .whole(100), at: start))
    let slot = try #require(try batched(&desk, at: start + .minutes(10)).first)
    for seconds in [30, 60, 120, 240, 480] as [Int64] {
      #expect(try desk.begin(slot, holding: ledger.holding(desk[slot].source)))
      #expect(try desk.reject(slot) == .seconds(seconds))
    }
    #expect(try desk.begin(slot, holding: ledger.holding(desk[slot].source)))
    #expect(try desk.reject(slot) == nil)
    #expect(desk[slot].status == .failed)
    #expect(desk.failed == PayoutSum(count: 1, amount: .whole(100)))
    #expect(desk.pending == PayoutSum())
    #expect(desk.retries == 5)
    #expect(try desk.available(.memberWallet, ledger) == .whole(1_000))
    try desk.resubmit(slot)
    #expect(desk.failed == PayoutSum())
    #expect(try desk.begin(slot, holding: ledger.holding(desk[slot].source)))
    try ledger.post(.whole(100), from: .expenseCrypto, to: .memberPayable)
    try desk.confirm(slot, &ledger)
    #expect(desk.paid.count == 1)
  }

  @Test func aRepeatedAttemptAtAPaidPayoutPaysNothing() throws {
    var desk = desk()
    var ledger = try funded(1_000)
    try desk.award(.prize(0), AwardRun(count: 1, amount: .whole(100), at: start))
    let slot = try #require(try batched(&desk, at: start + .minutes(10)).first)
    #expect(try desk.begin(slot, holding: ledger.holding(desk[slot].source)))
    desk.refuseRepeat(slot)
    try ledger.post(.whole(100), from: .expenseCrypto, to: .memberPayable)
    try desk.confirm(slot, &ledger)
    let held = ledger.holding(.memberWallet)
    desk.refuseRepeat(slot)
    #expect(ledger.holding(.memberWallet) == held)
    #expect(desk.paid.count == 1)
    #expect(desk.repeatsRefused == 2)
  }

  @Test("Awarded = paid + pending + failed, and wallets stay above zero", arguments: UInt64(0)..<40)
  func conservation(seed: UInt64) throws {
    var state = seed | 1
    func random(_ bound: Int64) -> Int64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64(state >> 33) % bound
    }
    var desk = desk {
      $0.batchLimit = 4
      $0.retries = 2
    }
    var ledger = try funded(40)
    var queued: [Int] = []
    var submitted: [Int] = []
    var now = start
    var promised: Int64 = 0
    var seen = (waited: 0, failed: 0, split: 0)
    let types: [PayoutType] = [.scanReward, .match, .wholesale, .guarantee, .prize(0)]
    for _ in 0..<600 {
      now = now + .seconds(random(300))
      switch random(6) {
      case 0:
        let type = types[Int(random(5))]
        let amount = MicroUSDT(microunits: random(9_000_000) + 1)
        promised += amount.microunits
        try ledger.post(amount, from: .expenseMatch, to: type.payable)
        try desk.award(type, AwardRun(count: random(9) + 1, amount: amount, at: now))
      case 1:
        let slots = try batched(&desk, at: now)
        seen.split += slots.count > 1 ? 1 : 0
        queued += slots
      case 2, 3:
        guard !queued.isEmpty else { continue }
        let place = Int(random(Int64(queued.count)))
        if try desk.begin(queued[place], holding: ledger.holding(desk[queued[place]].source)) {
          submitted.append(queued.remove(at: place))
        } else {
          seen.waited += 1
          try ledger.post(.whole(5), from: desk[queued[place]].source.ledgerAccount, to: .equity)
        }
      case 4:
        guard let slot = submitted.popLast() else { continue }
        if try desk.reject(slot) != nil { queued.append(slot) } else { seen.failed += 1 }
      default:
        guard let slot = submitted.popLast() else { continue }
        try desk.confirm(slot, &ledger)
        desk.forget(slot)
      }
      let replay = "replay: seed \(seed)"
      let sums = [desk.paid, desk.pending, desk.failed]
      #expect(sums.reduce(0) { $0 + $1.count } == desk.awarded.count, "\(replay)")
      #expect(sums.reduce(0) { $0 + $1.amount.microunits } == promised, "\(replay)")
      #expect(try desk.recountPending() == desk.pending, "\(replay)")
      let owed = [LedgerAccount.memberPayable, .affiliatePayable, .wholesalePayable]
        .reduce(0) { $0 + ledger.balance($1).microunits }
      #expect(
        owed == desk.pending.amount.microunits + desk.failed.amount.microunits, "\(replay)")
      for treasury in Treasury.allCases {
        #expect(try desk.available(treasury, ledger) >= .zero, "\(replay)")
      }
    }
    #expect(seen.waited > 0 && seen.failed > 0 && seen.split > 0, "replay: seed \(seed)")
  }
}
