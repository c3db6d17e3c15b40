// Goal: each rule of the roastery gives the numbers that the brief says, at its boundaries too.
// Method: worked examples, and closed forms by hand.
import Embera
import Foundation
import Quantities
import RewardModel
import Testing

private func usd(_ cents: Int64) -> MicroUSDT { MicroUSDT(microunits: cents * 10_000) }

/// Rules whose members pay no tax.
private var untaxed: EmberaRules {
  var rules = EmberaRules()
  rules.states = []
  return rules
}

private func bags(_ small: Int32, _ medium: Int32 = 0, _ large: Int32 = 0) -> BagCounts {
  var bags = BagCounts()
  bags.add(small, of: .small, subscribed: false)
  bags.add(medium, of: .medium, subscribed: false)
  bags.add(large, of: .large, subscribed: false)
  return bags
}

@Suite struct RuleTests {
  @Test(
    "Tiers begin at 500 and 1,200 points earned",
    arguments: [
      (0, EmberaTier.ember), (499, .ember), (500, .aura), (1_199, .aura), (1_200, .halo),
      (1_000_000, .halo),
    ] as [(Int64, EmberaTier)])
  func tiers(points: Int64, tier: EmberaTier) {
    #expect(EmberaTierRules().tier(earned: points) == tier)
  }

  @Test(
    "Points are ten a dollar of the subtotal, rounded down once an order",
    arguments: [(1_400, 140), (1_399, 139), (9, 0), (10, 1), (0, 0), (100_000_000, 10_000_000)]
      as [(Int64, Int64)])
  func points(cents: Int64, points: Int64) throws {
    let terms = ProgramTerms(EmberaRules(), month: 0, share: BasisPoints(7_000))
    #expect(try terms.points(for: usd(cents), tier: .ember) == points)
  }

  @Test func aTierMultipliesPointsAndRoundsOnce() throws {
    var rules = EmberaRules()
    rules.tiers.multipliers = [10_000, 12_500, 15_000]
    let terms = ProgramTerms(rules, month: 0, share: BasisPoints(7_000))
    #expect(try terms.points(for: usd(1_399), tier: .aura) == 174)  // 139.9 × 1.25 = 174.875
    #expect(try terms.points(for: usd(1_399), tier: .halo) == 209)  // 139.9 × 1.5 = 209.85
    #expect(throws: MoneyError.self) {
      rules.pointsPerDollar = .max
      let terms = ProgramTerms(rules, month: 0, share: BasisPoints(7_000))
      _ = try terms.points(for: .whole(1_000_000), tier: .halo)
    }
  }

  @Test func ordersArePricedByBagAndSubscriptionsTakeTenPercentOff() throws {
    let rules = OrderRules()
    let two = try rules.amounts(bags(1, 1), taxThousandths: 7_250)
    #expect(two.list == usd(3_800) && two.discount == .zero && two.shipping == usd(490))
    #expect(two.tax == MicroUSDT(microunits: 2_755_000))
    #expect(two.cost == usd(1_710))  // 45 % of 38.00
    let large = try rules.amounts(bags(0, 0, 1), taxThousandths: 0)
    #expect(large.shipping == .zero, "shipping is free from 40.00")
    let subscribed = try rules.amounts(bags(0, 0, 1).asSubscription, taxThousandths: 0)
    #expect(subscribed.discount == usd(420) && subscribed.subtotal == usd(3_780))
    #expect(subscribed.shipping == usd(490), "what counts for free shipping is what is paid")
  }

  @Test func shippingIsFreeFromExactlyForty() throws {
    var rules = OrderRules()
    rules.prices[0] = usd(4_000)
    #expect(try rules.amounts(bags(1), taxThousandths: 0).shipping == .zero)
    rules.prices[0] = MicroUSDT(microunits: 39_999_999)
    #expect(try rules.amounts(bags(1), taxThousandths: 0).shipping == usd(490))
  }

  @Test func linesOfAnOrderAreCountedByBagOrRefused() throws {
    let rules = OrderRules()
    func item(_ quantity: Int, _ weeks: Int? = nil) -> OrderItem {
      OrderItem(
        product: "Yirgacheffe", grind: .beans, bag: .medium, brew: .filter, quantity: quantity,
        intervalWeeks: weeks)
    }
    let counts = try rules.bags([item(2), item(1, 4), item(3)])
    #expect(counts.once[1] == 5 && counts.subscribed[1] == 1 && counts.count == 6)
    #expect(throws: OrderRefusal.empty) { try rules.bags([]) }
    #expect(throws: OrderRefusal.quantity) { try rules.bags([item(0)]) }
    #expect(throws: OrderRefusal.quantity) { try rules.bags([item(1_001)]) }
    #expect(throws: OrderRefusal.quantity) {
      try rules.bags(Array(repeating: item(1), count: 1_001))
    }
    #expect(throws: OrderRefusal.interval) { try rules.bags([item(1, 3)]) }
  }

  @Test(
    "Status is a pure function of created, ETA and now",
    arguments: [
      (-60, EmberaOrderStatus.processing), (0, .processing), (899, .processing),
      (900, .roasting), (3_599, .roasting), (3_600, .shipping), (172_799, .shipping),
      (172_800, .delivered), (1_000_000, .delivered),
    ] as [(Int64, EmberaOrderStatus)])
  func status(seconds: Int64, status: EmberaOrderStatus) {
    let rules = StatusRules()
    let created = Instant(microseconds: 0)
    let eta = rules.eta(created: created)
    #expect(rules.status(created: created, eta: eta, now: created + .seconds(seconds)) == status)
  }

  @Test func aDeviceWhoseClockJumpsBackNeverShowsAnEarlierStatus() {
    let rules = StatusRules()
    let created = Instant(microseconds: 0)
    let eta = rules.eta(created: created)
    var view = StatusView()
    func show(_ minutes: Int64) -> (status: EmberaOrderStatus, heldBack: Bool) {
      view.show(created: created, eta: eta, clock: created + .minutes(minutes), rules: rules)
    }
    #expect(show(20) == (.roasting, false))
    #expect(show(-600) == (.roasting, true))
    #expect(show(120) == (.shipping, false))
    #expect(show(16) == (.shipping, true))
    #expect(show(48 * 60) == (.delivered, false))
    #expect(show(1) == (.delivered, true))
  }

  @Test func aCheckoutDoesEverythingInOrderAndNeverFailsForWantOfANetwork() {
    #expect(Checkout.steps(.success, isOnline: true) == CheckoutStep.allCases)
    let offline = Checkout.steps(.success, isOnline: false)
    #expect(
      offline == [.summary, .authorisation, .order, .saved, .points, .liveStatus, .snapshot])
    for outcome in [PaymentOutcome.cancelled, .noCard, .unavailable] {
      for isOnline in [true, false] {
        #expect(
          Checkout.steps(outcome, isOnline: isOnline) == [.summary, .authorisation])
      }
    }
  }

  @Test(
    "A reward rate is normal below 85 % of its budget, critical above it",
    arguments: [
      (0, .normal), (42_499, .normal), (42_500, .warning), (50_000, .warning),
      (50_001, .critical),
    ] as [(Int64, BudgetStatus)])
  func budget(cost: Int64, status: BudgetStatus) {
    let budget = RewardBudget()
    let revenue = MicroUSDT(microunits: 1_000_000)
    #expect(budget.status(cost: MicroUSDT(microunits: cost), revenue: revenue) == status)
    #expect(budget.status(cost: .zero, revenue: .zero) == .normal)
    #expect(budget.status(cost: .whole(1), revenue: .zero) == .critical)
  }

  @Test func anOrdersPriceIsAllottedByStandAlonePrices() throws {
    // 140 points at 49/2,100 … the three offers sell for 52.50 USD and cost 2,250 points.
    let terms = ProgramTerms(untaxed, month: 0, share: BasisPoints(7_000))
    let worth = 140.0 * 52.5 / 2_250 * 0.7
    let part = 14 * worth / (14 + worth)
    let deferral = try terms.deferral(of: usd(1_400), points: 140)
    #expect(abs(Double(deferral.microunits) / 1e6 - part) < 2e-6)
    #expect(try terms.deferral(of: .zero, points: 140) == .zero)
    #expect(try terms.deferral(of: usd(1_400), points: 0) == .zero)
    let none = ProgramTerms(untaxed, month: 0, share: BasisPoints(0))
    #expect(try none.deferral(of: usd(1_400), points: 140) == .zero)
  }
}

@Suite struct PasskeyTests {
  private let rules = PasskeyRules()
  private let start = Instant(microseconds: 0)

  @Test func aChallengeIsUsedOnceAndLivesFiveMinutes() throws {
    var credential = PasskeyCredential()
    var challenge = PasskeyChallenge(issued: start)
    try credential.signIn(&challenge, counter: 1, at: start + .seconds(299), rules: rules)
    #expect(credential.isSignedIn(at: start + .days(30)))
    #expect(throws: PasskeyRefusal.used) {
      try credential.signIn(&challenge, counter: 2, at: start + .seconds(299), rules: rules)
    }
    var late = PasskeyChallenge(issued: start)
    #expect(throws: PasskeyRefusal.expired) {
      try credential.signIn(&late, counter: 2, at: start + .minutes(5), rules: rules)
    }
    #expect(throws: PasskeyRefusal.used) {
      try credential.signIn(&late, counter: 2, at: start + .minutes(1), rules: rules)
    }
  }

  @Test(arguments: [0, 6, 7] as [UInt32])
  func aCounterThatDoesNotRiseIsRefused(counter: UInt32) throws {
    var credential = PasskeyCredential()
    var first = PasskeyChallenge(issued: start)
    try credential.signIn(&first, counter: 7, at: start, rules: rules)
    var second = PasskeyChallenge(issued: start)
    #expect(throws: PasskeyRefusal.counter) {
      try credential.signIn(&second, counter: counter, at: start, rules: rules)
    }
    #expect(credential.counter == 7)
  }

  @Test func anExpiredSessionIsResetOnce() throws {
    var credential = PasskeyCredential()
    func isReset(at instant: Instant) -> Bool { credential.resetIfExpired(at: instant) }
    #expect(!isReset(at: start))
    var challenge = PasskeyChallenge(issued: start)
    try credential.signIn(&challenge, counter: 1, at: start, rules: rules)
    let end = start + .days(30)
    #expect(!isReset(at: end - .seconds(1)))
    #expect(!credential.isSignedIn(at: end) && isReset(at: end))
    #expect(!isReset(at: end) && credential.resets == 1)
  }
}
