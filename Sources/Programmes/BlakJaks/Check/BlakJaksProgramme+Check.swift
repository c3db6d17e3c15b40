internal import Quantities
package import RewardModel

extension BlakJaksProgramme: CheckedProgramme {
  package static let checkedInvariants: [InvariantName] =
    invariants + RecountLaw.allCases.map(\.name) + [
      WorldAgainstJournal.name, UnwatchedWorld.name,
      InvariantName(
        id: "service_state", sentence: "Scans, claims and members' scans are the same at a service"),
    ] + ServiceFaults.invariants

  package static let faultKinds =
    BlakJaksFaults.settings + BlakJaksFaults.course + ServiceFaults.kinds

  package static let caseBounds = CaseBounds(
    small: [("population.members", 20, 120), ("calendar.days", 12, 75)],
    caps: BlakJaksBounds.caps, often: BlakJaksBounds.often, never: ["population.chat.sampled"],
    rising: [
      ["rules.tiers.vip", "rules.tiers.high_roller", "rules.tiers.whale"],
      ["rules.tiers.floors.vip", "rules.tiers.floors.high_roller", "rules.tiers.floors.whale"],
      ["rules.budget_health.warning", "rules.budget_health.critical"],
    ],
    shares: [
      "rules.comp_pool.share", "rules.comp_pool.affiliate_share", "rules.comp_pool.wholesale_share",
    ])

  /// See `BlakJaksWork`.
  package static func workBounds(
    _ frame: RunFrame, _ settings: BlakJaksSettings, size: Int
  ) -> [(path: String, value: String)] {
    BlakJaksWork(frame, settings, size: size).pairs
  }

  /// See `BlakJaksCase`.
  package static func check(
    _ frame: RunFrame, _ settings: BlakJaksSettings, _ plan: CheckPlan
  ) throws -> CheckOutcome {
    var one = BlakJaksCase(frame, settings, plan)
    return try one.run()
  }
}

/// Bounds on the work of a drawn world, never on its sense.
private enum BlakJaksBounds {
  static let caps: [String: ClosedRange<Double>] = [
    "population.adoption.market": 300...1_000, "population.adoption.monthly": 0...200,
    "population.adoption.per_day": 0...30, "population.purchase.r": 0.2...5,
    "population.purchase.alpha": 0.5...1_000_000, "population.tins.per_week": 0...20,
    "population.tins.shape": 0.2...10_000, "population.tins.per_purchase": 1...40,
    "population.mischief.duplicates": 0...3, "population.mischief.malformed": 0...3,
    "population.mischief.guessed": 0...3, "population.mischief.shared_with": 0...10,
    "population.wallet.visits_per_week": 0...20, "rules.wholesale.accounts": 0...30,
    "population.wholesale.orders_per_week": 0...10,
    "population.wholesale.cases_per_order": 0...10,
    "population.wholesale.tins_per_case": 0...200,
    "population.wholesale.reference_members": 1_000...1_000_000_000,
    "population.shop.reference": 0.05...1, "population.chat.messages_per_member_day": 0...2,
    "population.chat.messages_per_win": 0...20, "population.visits.per_week": 0...20,
    "population.orders.per_week": 0...20, "population.shop.abandoned": 0...0.95,
    "population.shop.age_pass": 0.1...1, "population.shop.payment_pass": 0.1...1,
    "population.response.most": 1...3, "population.response.win.uplift": 0...2,
    "rules.prizes.every": 1...100_000,
    // A fee that no bank can pay leaves every payout waiting, and each is looked at again and again.
    "rules.payouts.gas": 0...100,
  ]
  static let often = [
    "calendar.window", "rules.chips.enabled", "rules.shop.enabled", "population.wallet.enabled",
    "rules.wholesale.accounts",
  ]
}
