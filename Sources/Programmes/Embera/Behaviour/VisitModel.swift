internal import EventKernel
package import Population
package import Quantities
internal import RewardModel

/// Everything random about one visit, besides when it is.
package struct VisitDraw: Sendable, Equatable {
  /// When the member comes again and whether they leave.
  package var buying: BuyingDraw
  package var payment: PaymentOutcome
  /// Whether the second device is used, by members who have one.
  package var usesSecond: Bool
  /// Whether the member redeems if an offer is covered.
  package var redeems: Bool
  /// Whether it is the dearest offer covered.
  package var wantsDearest: Bool
  /// Chooses among the cheaper ones.
  package var cheaper: UInt32
  /// Whether an answer of the server to this visit is lost.
  package var losesAnswer: Bool
  package var bags: BagCounts
}

/// What is drawn once for a member, besides the traits of buying.
package struct MemberKind: Sendable, Equatable {
  /// Row of the state that the member lives in.
  package var state: UInt8
  package var hasSecondDevice: Bool
  /// Weeks between deliveries of those who subscribe at their first order; 0 of the others.
  package var intervalWeeks: Int
}

/// What an attempt to sign in is like.
package enum SignInAttempt: Sendable, Equatable {
  case proper, late, replayed, copied
}

/// How the roastery's members behave: pure functions of (seed, member, index).
package final class VisitModel: Sendable {
  /// Looks at an order under way.
  package static let looks = 3
  /// When and how members buy and leave.
  package let buying: BuyingModel
  package let settings: EmberaPopulation
  private let rules: EmberaRules
  private let items: DiscreteTable
  private let sizes: DiscreteTable
  private let payments: DiscreteTable
  private let states: DiscreteTable
  private let intervals: DiscreteTable

  /// - Parameters:
  ///   - settings: Within the ranges of a validated scenario.
  ///   - rules: What members can order and redeem.
  ///   - seed: The run's seed.
  package init(_ settings: EmberaPopulation, _ rules: EmberaRules, seed: UInt64) {
    self.settings = settings
    self.rules = rules
    buying = BuyingModel(
      settings.purchase, rateShape: settings.purchase.r ?? EmberaPopulation.defaultShape,
      rateWeeks: settings.purchaseWeeks, referral: settings.referral, seed: seed)
    items = DiscreteTable(
      weights: [0] + DiscreteTable.poissonWeights(mean: settings.basket.items - 1))
    sizes = DiscreteTable(weights: settings.basket.sizes)
    let payment = settings.payment
    payments = DiscreteTable(weights: [
      1 - payment.cancelled - payment.noCard - payment.unavailable, payment.cancelled,
      payment.noCard, payment.unavailable,
    ])
    states = DiscreteTable(
      weights: rules.states.isEmpty ? [1] : rules.states.map { Double($0.weight) })
    intervals = DiscreteTable(weights: settings.subscriptions.intervals)
  }

  /// Whether a uniform word falls below a probability.
  private static func hits(_ word: UInt32, _ probability: Double) -> Bool {
    UInt64(word) < UInt64(probability * 0x1p32)
  }

  /// A member's kind.
  package func kind(of member: UInt32) -> MemberKind {
    var home = buying.stream(.residence, member)
    var device = buying.stream(.device, member)
    var subscription = buying.stream(.subscription, member)
    let words = subscription.nextBlock()
    let subscribes = VisitModel.hits(words[0], settings.subscriptions.share)
    return MemberKind(
      state: UInt8(states.value(home.nextUInt32())),
      hasSecondDevice: VisitModel.hits(device.nextUInt32(), settings.devices.perMember - 1),
      intervalWeeks: subscribes ? rules.orders.intervals[intervals.value(words[1])] : 0)
  }

  /// One visit's draws.
  ///
  /// - Parameters:
  ///   - member: Who visits.
  ///   - index: 0 for the visit at sign-up.
  package func visit(member: UInt32, index: UInt32) -> VisitDraw {
    let draw = buying.purchase(member: member, index: index)
    var stream = buying.stream(.visit, member, index &* 2)
    let first = stream.nextBlock()
    let second = stream.nextBlock()
    var lines = RandomStream(
      seed: buying.seed, purpose: RandomPurpose.item.rawValue,
      entity: UInt64(index) << 32 | UInt64(member))
    var bags = BagCounts()
    for _ in 0..<items.value(draw.marks[0]) {
      bags.once[sizes.value(lines.nextUInt32())] += 1
    }
    let redemption = settings.redemption
    return VisitDraw(
      buying: draw, payment: PaymentOutcome(rawValue: payments.value(first[0])) ?? .success,
      usesSecond: VisitModel.hits(first[1], 0.5),
      redeems: VisitModel.hits(first[2], redemption.probability),
      wantsDearest: VisitModel.hits(first[3], redemption.dearest), cheaper: second[0],
      losesAnswer: VisitModel.hits(second[1], settings.devices.lostAnswers), bags: bags)
  }

  /// The offer that a member redeems, as a place in the rules; nil for none.
  ///
  /// - Parameters:
  ///   - draw: Of the visit.
  ///   - balance: As the device shows it.
  package func offer(_ draw: VisitDraw, balance: Int64) -> Int? {
    guard draw.redeems else { return nil }
    var dearest: Int?
    var covered = 0
    for (row, offer) in rules.offers.enumerated() where offer.points <= balance {
      covered += 1
      if dearest.map({ rules.offers[$0].points < offer.points }) ?? true { dearest = row }
    }
    guard let dearest, covered > 1, !draw.wantsDearest else { return dearest }
    var place = Int((UInt64(draw.cheaper) * UInt64(covered - 1)) >> 32)
    for (row, offer) in rules.offers.enumerated()
    where offer.points <= balance && row != dearest {
      if place == 0 { return row }
      place -= 1
    }
    return dearest
  }

  /// Whether a subscriber stops at a delivery.
  ///
  /// - Parameters:
  ///   - member: Who subscribes.
  ///   - index: 0 for the first delivery after the order.
  package func stops(member: UInt32, delivery index: UInt32) -> Bool {
    var stream = buying.stream(.subscription, member, index &+ 1)
    return VisitModel.hits(stream.nextUInt32(), settings.subscriptions.stop)
  }

  private func stream(
    _ purpose: RandomPurpose, _ member: UInt32, device: Int, _ counter: UInt32
  ) -> RandomStream {
    RandomStream(
      seed: buying.seed, purpose: purpose.rawValue,
      entity: UInt64(device + 1) << 32 | UInt64(member), counter: counter)
  }

  /// Whether a device that was online at an instant is so later, and until when it is not.
  ///
  /// On and off alternate with exponential lengths, so that nothing but the last known state
  /// matters (a two-state Markov process, by its transition probability).
  ///
  /// - Parameters:
  ///   - member: Whose device it is.
  ///   - device: 0 for the member's first.
  ///   - index: Earlier questions about the device.
  ///   - known: When the device was online; `distantPast` when that is not known.
  ///   - now: When it is asked.
  /// - Returns: `now` where it is online, else when it will be back.
  package func connection(
    member: UInt32, device: Int, index: UInt32, known: Instant, now: Instant
  ) -> Instant {
    let settings = settings.devices
    guard settings.offline > 0 else { return now }
    let off = settings.stretch.inSeconds
    let on = off * (1 - settings.offline) / settings.offline
    let left =
      known == .distantPast
      ? 0 : Elementary.exp((known - now).inSeconds * (1 / on + 1 / off))
    var stream = stream(.device, member, device: device, index)
    let words = stream.nextBlock()
    guard RandomStream.uniform(words[0]) < settings.offline * (1 - left) else { return now }
    let seconds = -off * Elementary.log(RandomStream.uniform(words[1]))
    return now + TimeSpan(microseconds: max(1, Int64(seconds * 1e6)))
  }

  /// What the next attempt to sign in is like.
  ///
  /// - Parameters:
  ///   - member: Who signs in.
  ///   - device: 0 for the member's first.
  ///   - index: Earlier attempts on the device.
  package func attempt(member: UInt32, device: Int, index: UInt32) -> SignInAttempt {
    var stream = stream(.ceremony, member, device: device, index)
    let place = RandomStream.uniform(stream.nextUInt32())
    let shares = settings.signIn
    if place < shares.late { return .late }
    if place < shares.late + shares.replayed { return .replayed }
    return place < shares.late + shares.replayed + shares.copied ? .copied : .proper
  }

  /// What the device's clock shows at a look at an order.
  ///
  /// - Parameters:
  ///   - member: Who looks.
  ///   - visit: At which it was ordered.
  ///   - look: 0 ..< `looks`.
  ///   - last: The true time of the look before, or of the order.
  package func look(
    member: UInt32, visit: UInt32, look: Int, after last: Instant
  ) -> (instant: Instant, clock: Instant) {
    var stream = buying.stream(
      .look, member, visit &* UInt32(VisitModel.looks) &+ UInt32(look))
    let words = stream.nextBlock()
    let wait = -Elementary.log(RandomStream.uniform(words[0]))
    let instant = last + settings.devices.looks.scaled(wait)
    guard VisitModel.hits(words[1], settings.devices.wrongClock) else { return (instant, instant) }
    let back = -Elementary.log(RandomStream.uniform(words[2]))
    return (instant, instant - settings.devices.clockBack.scaled(back))
  }
}

extension TimeSpan {
  /// This span times a factor of 0 or more, in whole microseconds.
  fileprivate func scaled(_ factor: Double) -> TimeSpan {
    TimeSpan(microseconds: Int64(Double(microseconds) * factor))
  }
}
