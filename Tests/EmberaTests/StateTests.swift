// Goal: the program is a deterministic state machine that refuses what it must and keeps its books.
// Method: requests by hand, with answers and balances worked out by hand.
import Embera
import Foundation
import Quantities
import RewardModel
import Testing

private let start = Instant(microseconds: 1_767_243_600_000_000)

/// What a month's end came to.
private func closed(_ answer: EmberaAnswer) throws -> MonthClose {
  guard case .closed(let close) = answer else { throw Unexpected(answer: answer) }
  return close
}

/// Another answer than a test is about.
private struct Unexpected: Error {
  var answer: EmberaAnswer
}

private func order(_ number: UInt32, dollars: Int64, channel: EntryChannel = .firstDevice)
  -> EmberaRequest
{
  .order(
    member: 0, channel: channel, number: number, contents: .amount(.whole(dollars)))
}

private func redeem(_ number: UInt32, _ offer: String, channel: EntryChannel = .firstDevice)
  -> EmberaRequest
{
  .redeem(member: 0, channel: channel, number: number, offer: offer)
}

/// A program with one member.
private func program(_ edit: (inout EmberaRules) -> Void = { _ in }) throws -> EmberaState {
  var rules = EmberaRules()
  edit(&rules)
  var state = EmberaState(rules, month: 24_312)
  _ = try state.commit(.signUp(state: rules.states.isEmpty ? 0 : 4), at: start)
  return state
}

@Suite struct StateTests {
  @Test func anOrderAwardsOnceByItsNumber() throws {
    var state = try program()
    let first = try state.commit(order(1, dollars: 60), at: start)
    guard case .ordered(_, let points, let balance, let tier) = first else {
      Issue.record("\(first)")
      return
    }
    #expect((points, balance, tier) == (600, 600, .aura))
    let before = state.snapshot
    #expect(try state.commit(order(1, dollars: 60), at: start) == .repeated)
    #expect(try state.commit(order(1, dollars: 999), at: start) == .repeated)
    #expect(state.accounts[0].issued == 600 && state.books.total.repeated == 2)
    #expect(state.books.ledger == before.books.ledger)
    #expect(try state.commit(order(3, dollars: 60), at: start) == .refused(.entry(.gap)))
  }

  @Test func aRedemptionTakesTheOldestPointsOrIsRefused() throws {
    var state = try program()
    #expect(try state.commit(redeem(1, "espresso"), at: start) == .refused(.entry(.balance)))
    _ = try state.commit(order(2, dollars: 60), at: start)
    let first = try state.commit(redeem(3, "espresso"), at: start)
    guard case .redeemed(let range, let balance) = first else {
      Issue.record("\(first)")
      return
    }
    #expect((range.first, range.count, balance) == (0, 150, 450))
    #expect(try state.commit(redeem(4, "filter_bag"), at: start) == .refused(.entry(.balance)))
    #expect(try state.commit(redeem(5, "grinder"), at: start) == .refused(.entry(.offer)))
    guard case .redeemed(let next, 300) = try state.commit(redeem(6, "espresso"), at: start)
    else {
      Issue.record("the second espresso was refused")
      return
    }
    #expect(next.first == 150)
    #expect(state.accounts[0].issued == 600, "redeeming lowers no tier")
  }

  @Test func twoDevicesThatSpendTheSamePointsGetOneOffer() throws {
    var state = try program()
    _ = try state.commit(order(1, dollars: 15), at: start)
    guard case .redeemed = try state.commit(redeem(2, "espresso"), at: start) else {
      Issue.record("the first device was refused")
      return
    }
    let second = try state.commit(redeem(1, "espresso", channel: .secondDevice), at: start)
    #expect(second == .refused(.entry(.balance)))
    #expect(state.accounts[0].balance == 0)
  }

  @Test func pointsExpireWithTheTwelfthMonthAfterTheLastOrderAndNotBefore() throws {
    var state = try program { $0.expiryMonths = 12 }
    _ = try state.commit(order(1, dollars: 20), at: start)
    for month in 0..<12 {
      _ = try state.commit(.closeMonth(isComplete: true), at: start + .days(31 * Int64(month)))
      #expect(state.accounts[0].balance == 200, "after month \(month)")
    }
    _ = try state.commit(.closeMonth(isComplete: false), at: start + .days(380))
    #expect(state.accounts[0].balance == 200, "a part of a month lets nothing expire")
    _ = try state.commit(.closeMonth(isComplete: true), at: start + .days(400))
    #expect(state.accounts[0].balance == 0, "the month after the part ended as a whole")
  }

  @Test func pointsExpireAtTheEndOfTheirMonth() throws {
    var state = try program { $0.expiryMonths = 2 }
    _ = try state.commit(order(1, dollars: 20), at: start)
    for balance in [200, 200, 0] as [Int64] {
      _ = try state.commit(.closeMonth(isComplete: true), at: start)
      #expect(state.accounts[0].balance == balance)
    }
    #expect(state.books.total.expired == 200 && state.accounts[0].issued == 200)
    var keeping = try program()
    _ = try keeping.commit(order(1, dollars: 20), at: start)
    for _ in 0..<40 { _ = try keeping.commit(.closeMonth(isComplete: true), at: start) }
    #expect(keeping.accounts[0].balance == 200)
  }

  @Test func refusalsLeaveNoTrace() throws {
    var state = try program()
    let before = state.snapshot
    let refused: [(EmberaRequest, EmberaRefusal)] = [
      (.signUp(state: 51), .unknownState),
      (
        .order(member: 1, channel: .firstDevice, number: 1, contents: .amount(.whole(1))),
        .unknownMember
      ),
      (order(1, dollars: 0), .order(.empty)),
      (order(1, dollars: -5), .order(.empty)),
      (order(1, dollars: 1_000_000_001), .order(.amount)),
      (
        .order(member: 0, channel: .firstDevice, number: 1, contents: .items([])),
        .order(.empty)
      ),
      (
        .order(member: 0, channel: .firstDevice, number: 1, contents: .bags(BagCounts())),
        .order(.empty)
      ),
      (order(2, dollars: 5), .entry(.gap)),
      (.challenge(member: 9, channel: .firstDevice), .unknownMember),
      (.challenge(member: 0, channel: .subscription), .unknownMember),
    ]
    for (request, refusal) in refused {
      #expect(try state.commit(request, at: start) == .refused(refusal))
      #expect(state.snapshot == before)
    }
    #expect(try state.commit(order(1, dollars: 5), at: start - .seconds(1)) == .refused(.clock))
    #expect(state.snapshot == before)
  }

  @Test func bagsOfNoSizeAreNoOrder() throws {
    var state = try program()
    for (first, last) in [(0, 5), (1, 1), (1, -1), (0, Int32.max)] as [(Int32, Int32)] {
      for isSubscribed in [false, true] {
        var bags = BagCounts()
        bags.once[0] = first
        if isSubscribed { bags.subscribed[3] = last } else { bags.once[3] = last }
        let answer = try state.commit(
          .order(member: 0, channel: .firstDevice, number: 1, contents: .bags(bags)), at: start)
        #expect(answer == .refused(.order(.quantity)))
      }
    }
    #expect(state.books.total.orders == 0)
  }

  @Test func entriesAreNumberedFromOne() throws {
    var state = try program()
    let before = state.snapshot
    #expect(try state.commit(order(0, dollars: 60), at: start) == .refused(.entry(.gap)))
    #expect(try state.commit(redeem(0, "espresso"), at: start) == .refused(.entry(.gap)))
    #expect(state.snapshot == before)
  }

  @Test func whatIsRefusedBeforeItCountsDoesNotMoveTheClock() throws {
    var state = try program()
    let before = state.snapshot
    let later = start + .days(400)
    #expect(try state.commit(order(7, dollars: 60), at: later) == .refused(.entry(.gap)))
    let nobody = EmberaRequest.redeem(
      member: 9, channel: .firstDevice, number: 1, offer: "espresso")
    #expect(try state.commit(nobody, at: later) == .refused(.unknownMember))
    #expect(state.snapshot == before)
    guard case .ordered = try state.commit(order(1, dollars: 60), at: start) else {
      Issue.record("an order in time was refused")
      return
    }
  }

  @Test func anOrderWhosePartForPointsLeaves128BitsIsRefusedInWords() throws {
    var state = try program {
      $0.pointsPerDollar = 10_000
      $0.tiers.multipliers = [1_000_000, 1_000_000, 1_000_000]
      $0.orders.prices = [.whole(1), .whole(1_000_000), .whole(1_000_000_000)]
      for row in $0.offers.indices { $0.offers[row].price = .whole(1_000_000_000) }
    }
    let before = state.snapshot
    for count in [90, 4_600, 9_200] as [Int32] {
      var bags = BagCounts()
      bags.add(count, of: .large, subscribed: false)
      #expect(throws: MoneyError.self) {
        try state.commit(
          .order(member: 0, channel: .firstDevice, number: 1, contents: .bags(bags)), at: start)
      }
    }
    #expect(state.snapshot == before)
  }

  @Test func membersSignInByPasskey() throws {
    var state = try program()
    let device = EntryChannel.secondDevice
    func signIn(_ counter: UInt32, _ seconds: Int64) throws -> EmberaAnswer {
      try state.commit(
        .signIn(member: 0, channel: device, counter: counter), at: start + .seconds(seconds))
    }
    #expect(try signIn(1, 0) == .refused(.passkey(.used)), "nobody asked for a challenge")
    _ = try state.commit(.challenge(member: 0, channel: device), at: start)
    #expect(try signIn(1, 5) == .signedIn(sessionEnds: start + .seconds(5) + .days(30)))
    #expect(try signIn(2, 6) == .refused(.passkey(.used)))
    _ = try state.commit(.challenge(member: 0, channel: device), at: start + .seconds(7))
    #expect(try signIn(1, 8) == .refused(.passkey(.counter)))
  }

  @Test func aSavedProgramGoesOnAsIfItHadNotStopped() throws {
    var state = try program { $0.expiryMonths = 1 }
    let requests: [EmberaRequest] = [
      order(1, dollars: 60), redeem(2, "espresso"), .closeMonth(isComplete: true),
      order(1, dollars: 33, channel: .secondDevice), .challenge(member: 0, channel: .firstDevice),
      .signIn(member: 0, channel: .firstDevice, counter: 3), redeem(3, "filter_bag"),
      .closeMonth(isComplete: true), .closeMonth(isComplete: true), .signUp(state: 0),
      .closeMonth(isComplete: false),
    ]
    let coded = try JSONDecoder().decode(
      [EmberaRequest].self, from: try JSONEncoder().encode(requests))
    #expect(coded == requests)
    for (step, request) in requests.enumerated() {
      let saved = try JSONEncoder().encode(state.snapshot)
      var restored = EmberaState(
        state.rules, restoring: try JSONDecoder().decode(EmberaState.Snapshot.self, from: saved))
      let answer = try state.commit(request, at: start + .minutes(Int64(step)))
      #expect(try restored.commit(request, at: start + .minutes(Int64(step))) == answer)
      #expect(restored.snapshot == state.snapshot, "step \(step)")
    }
  }

  @Test func theLedgerAgreesWithTheOrders() throws {
    var state = try program { $0.liability.months = 1 }
    var bags = BagCounts()
    bags.add(2, of: .large, subscribed: true)
    _ = try state.commit(
      .order(member: 0, channel: .firstDevice, number: 1, contents: .bags(bags)), at: start)
    _ = try state.commit(redeem(2, "espresso"), at: start)
    let ledger = state.books.ledger
    // California: 7.25 % of 75.60.
    #expect(ledger.balance(.salesTax) == MicroUSDT(microunits: 5_481_000))
    #expect(ledger.balance(.cash) == MicroUSDT(microunits: -81_081_000))
    #expect(ledger.balance(.discounts) == MicroUSDT(microunits: -8_400_000))
    #expect(ledger.balance(.costOfGoods) == MicroUSDT(microunits: -37_800_000))
    #expect(ledger.balance(.costOfRewards) == MicroUSDT(microunits: -800_000))
    #expect(ledger.isBalanced)
  }

  @Test func aMonthsEndReestimatesAndRecognises() throws {
    var state = try program {
      $0.liability.months = 1
      $0.states = []
    }
    _ = try state.commit(order(1, dollars: 60), at: start)  // 600 points
    _ = try state.commit(redeem(2, "espresso"), at: start)  // 150 of them
    let deferred = state.books.total.deferred
    let first = try closed(state.commit(.closeMonth(isComplete: true), at: start))
    // Prior: 420 of 600 are expected to be redeemed, 150 were.
    #expect(first.valuation.share == BasisPoints(7_000))
    #expect(first.valuation.expectedRedeemed == 420)
    let done = MicroUSDT(microunits: deferred * 150 / 420)
    #expect(first.valuation.contractLiability.microunits == deferred - done.microunits)
    // 450 points at 0.80 ÷ 150 each; 270 of them are expected to be claimed.
    #expect(first.valuation.gross == MicroUSDT(microunits: 2_400_000))
    #expect(first.valuation.net == MicroUSDT(microunits: 1_440_000))
    #expect(first.rewardCost == MicroUSDT(microunits: 800_000) && first.status == .normal)
    // Seen: 150 + 150 of the 600 that are a month old, so 300 are expected and none is owed.
    _ = try state.commit(redeem(3, "espresso"), at: start)
    let second = try closed(state.commit(.closeMonth(isComplete: true), at: start))
    #expect(second.valuation.share == BasisPoints(5_000))
    #expect(second.valuation.expectedRedeemed == 300)
    #expect(second.valuation.contractLiability == .zero && second.valuation.net == .zero)
    #expect(state.books.ledger.balance(.pointsSales).microunits == deferred)
  }

  @Test func aPartOfAMonthReestimatesNothing() throws {
    var rules = EmberaRules()
    rules.liability.months = 2
    var state = EmberaState(rules, month: 24_312)
    let recount = EmberaRecount(rules, month: 24_312)
    var shares: [Int64] = []
    func commit(_ request: EmberaRequest) throws {
      let answer = try state.commit(request, at: start)
      if case .closed(let close) = answer { shares.append(close.valuation.share.rawValue) }
      try recount.take(request, at: start, answer: answer, state)
    }
    try commit(.signUp(state: 4))
    try commit(order(1, dollars: 60))
    try commit(redeem(2, "espresso"))
    try commit(.closeMonth(isComplete: true))
    try commit(order(3, dollars: 540))
    try commit(.closeMonth(isComplete: true))
    // The first order's points would be two months old at the end of this one.
    try commit(.closeMonth(isComplete: false))
    #expect(shares == [7_000, 7_000, 7_000])
    // Of 600 points that are old at the end of a whole month, 150 were redeemed.
    try commit(.closeMonth(isComplete: true))
    #expect(shares.last == 2_500)
    try recount.compare(state)
  }

  @Test func expiredPointsAreOwedToNobody() throws {
    var state = try program { $0.expiryMonths = 1 }
    _ = try state.commit(.signUp(state: 0), at: start)
    func close() throws -> MonthClose? {
      guard case .closed(let close) = try state.commit(.closeMonth(isComplete: true), at: start)
      else { return nil }
      return close
    }
    _ = try state.commit(order(1, dollars: 100), at: start)  // 1,000 points
    _ = try close()
    let first = state.books.total.deferred
    let next = EmberaRequest.order(
      member: 1, channel: .firstDevice, number: 1, contents: .amount(.whole(2)))
    _ = try state.commit(next, at: start)  // 20 points, while the 1,000 expire
    let left = try #require(try close())
    #expect(state.books.total.expired == 1_000 && left.outstanding == 20)
    let (deferred, value) = (state.books.total.deferred, left.valuation)
    // Still 70 % of what is outstanding, and no more of the price than that of 20 points of 1,020.
    #expect(value.share == BasisPoints(7_000) && value.expectedRedeemed == 14)
    #expect(value.breakage > .zero && value.net > .zero && value.net < value.gross)
    #expect(value.contractLiability.microunits == deferred - deferred * 1_000 / 1_020)
    #expect(state.books.ledger.balance(.pointsSales).microunits >= first * 99 / 100)
    // An order does not take back what was recognized of points that expired.
    let before = state.books.ledger.balance(.pointsSales)
    _ = try state.commit(
      .order(member: 1, channel: .firstDevice, number: 2, contents: .amount(.whole(200))), at: start
    )
    _ = try close()
    #expect(state.books.ledger.balance(.pointsSales) >= before)
  }

  @Test func aGrowingProgramGoesOnOwing() throws {
    var state = try program { $0.liability.months = 1 }
    var number: UInt32 = 0
    var shares: [Int64] = []
    for month in 0..<4 {
      // Ten times the points of the month before; the offers that they cover come a month later.
      number += 1
      let dollars = [60, 600, 6_000, 60_000][month]
      _ = try state.commit(order(number, dollars: Int64(dollars)), at: start)
      for _ in 0..<[0, 2, 20, 200][month] {
        number += 1
        _ = try state.commit(redeem(number, "espresso"), at: start)
      }
      let close = try closed(state.commit(.closeMonth(isComplete: true), at: start))
      #expect(close.valuation.net > .zero && close.valuation.contractLiability > .zero)
      shares.append(close.valuation.share.rawValue)
    }
    // 300 of 600, 3,300 of 6,600, 33,300 of 66,600; over all points it would be a twentieth.
    #expect(shares == [7_000, 5_000, 5_000, 5_000])
  }
}
