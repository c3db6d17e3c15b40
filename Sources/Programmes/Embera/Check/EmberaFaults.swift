internal import EventKernel
internal import Population
internal import Quantities
internal import RewardModel

/// What a campaign lets go wrong around EMBERA.
enum EmberaFaults {
  /// Kinds that the course of entries brings, by name.
  enum Course: String, CaseIterable {
    case sentTwice = "sent_twice"
    case sentLate = "sent_late"
    case sentAgain = "sent_again"
    case otherContents = "other_contents"
    case overtaken
    case interleaved
    case samePoints = "same_points"
    case uncovered
    case boundary
    case monthEnd = "month_end"
    case clockChange = "clock_change"
    case deliveryAtBoundary = "delivery_at_boundary"
    case clockSteps = "clock_steps"
    case restart
    case limit = "near_limits"
  }

  static let course: [FaultKind] = [
    kind(.sentTwice, "An entry is sent twice at once", 0.05),
    kind(.sentLate, "A device or the subscriptions' sender is cut off for up to three days", 0.3),
    kind(.sentAgain, "An entry that was answered is sent again days later", 0.05),
    kind(.otherContents, "An entry's number comes again with other contents", 0.05),
    kind(.overtaken, "An entry overtakes the one before it on the way", 0.9),
    kind(.interleaved, "Both devices order at one instant, and either comes first", 0.05),
    kind(.samePoints, "Both devices spend the same points while they are offline", 0.08),
    kind(.uncovered, "A redemption is sent that the balance does not cover", 0.05),
    kind(.boundary, "Something happens at the very instant of a midnight", 0.05),
    kind(.monthEnd, "Something happens at the very instant at which a month closes", 0.05),
    FaultKind(
      Course.clockChange.rawValue, "Something happens at the very instant at which clocks turn",
      most: 0.05, need: .clockChanges),
    FaultKind(
      Course.deliveryAtBoundary.rawValue, "A subscription delivers at the instant of a midnight",
      most: 0.2, need: .days(10)),
    kind(.clockSteps, "A device's clock steps back and forth while an order is under way", 0.1),
    kind(.restart, "The state is saved and restored between two requests", 0.005),
    kind(.limit, "Amounts, counts and numbers at the end of what can be written", 0.01),
  ]

  private static func kind(_ kind: Course, _ sentence: String, _ most: Double) -> FaultKind {
    FaultKind(kind.rawValue, sentence, most: most)
  }

  static let settings: [FaultKind] = [
    FaultKind("long_offline", "Devices are offline for days", most: 1, need: .days(2)) {
      rate, _ in
      [
        ("population.devices.offline", text(0.3 + 0.6 * rate)),
        ("population.devices.stretch", "\(6 + Int(90 * rate)) h"),
      ]
    },
    FaultKind(
      "conflicts", "Members redeem offline on two devices", most: 1, need: .days(35)
    ) { rate, _ in
      [
        ("population.devices.per_member", "2"), ("population.devices.offline", "0.6"),
        ("population.devices.stretch", "\(12 + Int(150 * rate)) h"),
        ("population.redemption.probability", "1"), ("rules.points_per_dollar", "25"),
        ("population.purchase.r", "3"), ("population.purchase.alpha", "1"),
      ]
    },
    FaultKind("lost_answers", "Answers of the server are lost, and entries sent again", most: 1) {
      rate, _ in [("population.devices.lost_answers", text(rate))]
    },
    FaultKind("payment_refused", "Payments are canceled, without a card or unavailable", most: 1) {
      rate, _ in
      [
        ("population.payment.cancelled", text(0.5 * rate)),
        ("population.payment.no_card", text(0.2 * rate)),
        ("population.payment.unavailable", text(0.2 * rate)),
      ]
    },
    FaultKind("wrong_clocks", "Members look at orders by clocks that are slow", most: 1) {
      rate, _ in
      [
        ("population.devices.wrong_clock", text(rate)),
        ("population.devices.clock_back", "\(1 + Int(80 * rate)) h"),
      ]
    },
    FaultKind("bad_sign_ins", "Challenges are answered late or again, credentials copied", most: 1)
    {
      rate, _ in
      [
        ("population.sign_in.late", text(0.3 * rate)),
        ("population.sign_in.replayed", text(0.3 * rate)),
        ("population.sign_in.copied", text(0.3 * rate)), ("rules.passkeys.session", "1 d"),
      ]
    },
    FaultKind("early_expiry", "Points expire within weeks", most: 1, need: .days(35)) { _, _ in
      [("rules.expiry_months", "1")]
    },
    FaultKind(
      "early_estimate", "The share redeemed is estimated within weeks", most: 1, need: .days(35)
    ) { _, _ in
      [("rules.liability.months", "1")]
    },
    FaultKind(
      "subscribers", "Members subscribe and get deliveries every week", most: 1, need: .days(8)
    ) { rate, _ in
      [
        ("population.subscriptions.share", text(0.2 + 0.8 * rate)),
        ("population.subscriptions.intervals", "[1, 0, 0]"),
        ("population.subscriptions.stop", text(0.3 * rate)),
      ]
    },
    FaultKind("tight_budget", "The reward rate passes its budget", most: 1) { rate, _ in
      [
        ("rules.budget.limit", text(0.001 + 0.02 * rate)),
        ("population.redemption.probability", "1"),
      ]
    },
    FaultKind("tier_multipliers", "Tiers are near and multiply points by odd factors", most: 1) {
      rate, _ in
      [
        ("rules.tiers.aura", "\(100 + Int(200 * rate))"),
        ("rules.tiers.halo", "\(400 + Int(900 * rate))"),
        ("rules.tiers.multipliers", "[0.3333, 1.0007, 2.9999]"),
      ]
    },
    FaultKind("dear_offers", "Offers cost a point and are worth a fortune", most: 1) { rate, _ in
      [
        (
          "rules.offers",
          "[{id: mug, title: Mug, points: \(1 + Int(5 * rate)), cost: 0.000001, price: 1000000000}, "
            + "{id: house, title: House, points: 997, cost: 14.000001, price: 0}]"
        )
      ]
    },
  ]

  /// A rate as a setting is written.
  private static func text(_ rate: Double) -> String { "\((rate * 10_000).rounded() / 10_000)" }
}
