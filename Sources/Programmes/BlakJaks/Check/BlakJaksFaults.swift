internal import EventKernel
internal import Population
internal import Quantities
internal import RewardModel

/// What a campaign lets go wrong around BlakJaks.
enum BlakJaksFaults {
  /// Kinds that the course of requests brings, by name.
  enum Course: String, CaseIterable {
    case duplicated, delayed, reordered, replayed
    case sameCode = "same_code"
    case soldOut = "sold_out_code"
    case boundary = "boundary"
    case payoutAgain = "payout_step_again"
    case lateFeed = "late_bank_feed"
    case restart
    case limit = "near_limits"
  }

  static let course: [FaultKind] = [
    kind(.duplicated, "A request comes twice at once", 0.05),
    kind(.delayed, "A request comes up to two days late", 0.05),
    kind(.reordered, "A request comes after some that were sent later", 0.05),
    kind(.replayed, "A request comes again days later", 0.05),
    kind(.sameCode, "Two members send one code in one instant", 0.05),
    kind(.soldOut, "A code of a run is sent that was not printed yet", 0.02),
    kind(.boundary, "A request comes at the very instant of a midnight or a morning", 0.05),
    kind(.payoutAgain, "A step of a payout is reported twice", 0.2),
    kind(.lateFeed, "A morning reads balances of the day before", 0.3),
    kind(.restart, "The state is saved and restored between two requests", 0.002),
    kind(.limit, "Amounts and counts at the end of what can be written", 0.01),
  ]

  private static func kind(_ kind: Course, _ sentence: String, _ most: Double) -> FaultKind {
    FaultKind(kind.rawValue, sentence, most: most)
  }

  static let settings: [FaultKind] = [
    FaultKind("payout_fails", "An attempt to pay fails before it has an effect", most: 0.6) {
      rate, _ in [("rules.payouts.failure", text(rate))]
    },
    FaultKind("payout_answer_lost", "A payment has its effect and its answer is lost", most: 0.3) {
      rate, _ in [("faults.payouts.lost_response", text(rate))]
    },
    FaultKind("payout_outcome_unknown", "A payment is booked and was reverted", most: 0.2) {
      rate, _ in [("faults.chain.failed", text(rate))]
    },
    FaultKind("payout_executed_twice", "A payment is executed twice by the chain", most: 0.2) {
      rate, _ in [("faults.chain.duplicated", text(rate))]
    },
    FaultKind("fee_spike", "The network takes a fee that nobody booked", most: 0.3) {
      rate, _ in
      [
        ("faults.chain.unbooked_fee", text(rate)),
        ("faults.chain.extra_fee", text(1 + 30 * rate)),
      ]
    },
    FaultKind("confirmation_missing", "The chain carries a payment out hours later", most: 0.3) {
      rate, _ in [("faults.chain.late", text(rate))]
    },
    FaultKind("outage", "Payouts cannot be submitted for hours", most: 1) { rate, place in
      let day = place.start.adding(days: Int(place.seed % UInt64(max(place.days, 1))))
      let kind = place.seed & 64 == 0 ? "halt" : "reject"
      let hours = 1 + Int(rate * 40)
      return [
        (
          "faults.payouts.outages",
          "[{date: \(day), hour: \(place.seed % 24), lasts: \(hours) h, kind: \(kind)}]"
        )
      ]
    },
    FaultKind("refunds", "Orders are given back, more than are sold", most: 0.95) { rate, _ in
      [
        ("rules.shop.enabled", "true"), ("population.shop.refunded", text(rate)),
        ("population.tins.shop", text(0.3 + 0.6 * rate)),
      ]
    },
    FaultKind(
      "bans", "States ban rewards, and lift the ban", most: 1, need: .records("rules.states.code")
    ) { rate, place in
      let rows = bannedStates(place).enumerated().map { number, state in
        let day = Int(place.seed >> (8 * UInt64(number)) % UInt64(max(place.days, 1)))
        let days = number < 3 ? 1 + Int(rate * Double(place.days) / 2) : 0
        return "{state: \(state), date: \(place.start.adding(days: day)), days: \(days)}"
      }
      return [("rules.bans", "[\(rows.joined(separator: ", "))]")]
    },
    FaultKind("prize_bursts", "Several prizes fall due at one scan", most: 1) { rate, _ in
      let step = 4 + Int(40 * (1 - rate))
      func prize(_ name: String, _ kind: String, _ amount: Int, _ every: Int, _ tier: String)
        -> String
      {
        "{name: \(name), kind: \(kind), amount: \(amount), every: \(every), "
          + "tier: \(tier), allocation: "
          + "\(name.hasSuffix("drawn") ? "draw" : "roll_forward")}"
      }
      let prizes = [
        prize("Small", "crypto", 3, step, "standard"),
        prize("Middle", "crypto", 20, 2 * step, "vip"),
        prize("Small drawn", "crypto", 5, 3 * step, "standard"),
        prize("Table", "casino", 40, 4 * step, "high_roller"),
        prize("Journey", "trip", 300, 12 * step, "vip"),
      ]
      return [
        ("rules.prizes", "[\(prizes.joined(separator: ", "))]"),
        ("rules.tiers.vip", "3"), ("rules.tiers.high_roller", "7"), ("rules.tiers.whale", "14"),
      ]
    },
    FaultKind("shared_codes", "Members pass codes on, and all of them submit", most: 0.3) {
      rate, _ in [("population.mischief.shared", text(rate))]
    },
    FaultKind("bad_codes", "Members mistype codes, make them up and send them twice", most: 0.3) {
      rate, _ in
      [
        ("population.mischief.duplicates", text(rate)),
        ("population.mischief.malformed", text(rate)),
        ("population.mischief.guessed", text(rate)),
      ]
    },
    FaultKind("short_banks", "Treasuries begin nearly empty", most: 1) { rate, _ in
      [
        ("rules.treasury.opening.operating_bank", "0"),
        ("rules.treasury.opening.member_wallet", text(40 * (1 - rate))),
        ("rules.treasury.opening.affiliate_wallet", "0"),
        ("rules.treasury.opening.comp_pool_bank", "0"),
        ("rules.treasury.float", text(20 * rate)),
      ]
    },
    FaultKind("small_batches", "Transactions hold few awards, and many are split", most: 1) {
      rate, _ in [("rules.payouts.batch_limit", "\(1 + Int(4 * rate))")]
    },
    FaultKind("guard", "The budget runs out and the guard steps in", most: 1) { rate, place in
      [
        ("rules.comp_pool.share", "0.01"),
        ("rules.guard.policy", place.seed & 32 == 0 ? "defer_milestones" : "scale_scan_reward"),
        ("rules.guard.factor", text(rate)),
      ]
    },
    FaultKind("early_guarantees", "Guarantees fall due within days", most: 1) { rate, _ in
      [
        ("rules.guarantee.after", "\(1 + Int(9 * rate)) d"),
        ("rules.guarantee.minimum_scans", "\(Int(5 * rate))"),
      ]
    },
    FaultKind("early_floors", "Floors for life are reached within days", most: 1) { rate, _ in
      let step = 5 + Int(20 * rate)
      return [
        ("rules.tiers.floors.vip", "\(step)"), ("rules.tiers.floors.high_roller", "\(3 * step)"),
        ("rules.tiers.floors.whale", "\(6 * step)"), ("population.referral.referred", "0.7"),
      ]
    },
    FaultKind("affiliate_chips", "Affiliates' chips expire within weeks", most: 1) { rate, _ in
      [
        ("rules.affiliates.chips_per_scan", "\(1 + Int(4 * rate))"),
        ("rules.affiliates.chip_days", "\(1 + Int(30 * rate))"),
        ("population.referral.referred", "0.7"),
      ]
    },
    FaultKind(
      "long_run", "Few members stay for more than two quarters", most: 1, chance: 0.06
    ) { rate, _ in
      [
        ("calendar.days", "\(190 + Int(60 * rate))"), ("population.members", "12"),
        ("population.adoption.market", "null"), ("population.tins.per_week", "2"),
      ]
    },
    FaultKind("sunset", "The doors close to new affiliates", most: 1) { rate, _ in
      [
        ("rules.sunset.threshold", "\(20 + Int(200 * rate))"), ("rules.sunset.days", "14"),
        ("rules.sunset.checks", "2"),
      ]
    },
    FaultKind("chips", "Chips are vaulted, earn a bonus, and expire within weeks", most: 1) {
      rate, place in
      [
        ("rules.chips.enabled", "true"), ("population.wallet.enabled", "true"),
        ("rules.chips.expiry_days", "\(28 + Int(60 * rate))"),
        ("rules.chips.per_scan", "\(1 + Int(4 * rate))"),
        ("rules.chips.bonus_every", "2"),
        ("rules.chips.compounding", place.seed & 16 == 0 ? "true" : "false"),
        ("population.wallet.visits_per_week", "5"),
      ]
    },
    FaultKind(
      "banned_vaults", "Members with chips in the vault are banned", most: 1, chance: 0.1,
      need: .records("rules.states.code")
    ) { rate, place in
      let day = place.start.adding(days: 35 + Int(10 * rate))
      let bans = bannedStates(place).map { "{state: \($0), date: \(day)}" }
      return [
        ("calendar.days", "80"), ("population.members", "40"),
        ("population.adoption.market", "null"), ("rules.chips.enabled", "true"),
        ("population.wallet.enabled", "true"), ("population.wallet.visits_per_week", "7"),
        ("rules.chips.bonus_every", "1"), ("rules.chips.expiry_days", "300"),
        ("population.adoption.per_day", "20"), ("rules.bans", "[\(bans.joined(separator: ", "))]"),
      ]
    },
    FaultKind("wholesale", "Wholesale accounts order cases", most: 1) { rate, _ in
      [
        ("rules.wholesale.accounts", "\(1 + Int(5 * rate))"),
        ("rules.wholesale.comp_every", "\(20 + Int(80 * rate))"),
        ("rules.wholesale.comp_amount", "3"), ("population.wholesale.orders_per_week", "3"),
        ("population.wholesale.reference_members", "1000"),
        ("population.wholesale.onboarding_days", "0"),
      ]
    },
  ]

  /// Up to four states of a scenario: the ones with the most members, then others.
  private static func bannedStates(_ place: CasePlace) -> ArraySlice<String> {
    let known = place.texts["rules.states.code", default: []]
    let large = ["CA", "TX", "NY", "FL"].filter(known.contains)
    return (large + known.filter { !large.contains($0) }).prefix(4)
  }

  /// A rate as a setting is written.
  private static func text(_ rate: Double) -> String {
    "\((rate * 10_000).rounded() / 10_000)"
  }
}
