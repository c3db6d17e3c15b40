package import RewardModel

extension EmberaProgramme: CheckedProgramme {
  package static let checkedInvariants: [InvariantName] =
    EmberaWorld.invariants.map(\.name) + EmberaLaw.allCases.map(\.name) + [WorldAgainstState.name]

  package static let faultKinds = EmberaFaults.settings + EmberaFaults.course

  package static let caseBounds = CaseBounds(
    small: [("population.members", 30, 200), ("calendar.days", 20, 90)],
    caps: [
      // In microseconds.
      "calendar.window": 9e8...1.728e11,
      "population.adoption.market": 300...1_000, "population.adoption.monthly": 0...200,
      "population.adoption.per_day": 0...30, "population.purchase.r": 0.2...5,
      "population.purchase.alpha": 0.5...1_000_000, "population.basket.items": 1...30,
      "rules.expiry_months": 1...4, "rules.liability.months": 1...4,
      "population.payment.cancelled": 0...0.5, "population.payment.no_card": 0...0.2,
      "population.payment.unavailable": 0...0.2, "population.sign_in.late": 0...0.4,
      "population.sign_in.replayed": 0...0.3, "population.sign_in.copied": 0...0.2,
    ],
    often: [
      "calendar.window", "rules.expiry_months", "rules.liability.months",
      "population.devices.offline", "population.devices.stretch", "population.devices.per_member",
    ],
    never: [], rising: [["rules.tiers.aura", "rules.tiers.halo"]], shares: [])

  /// See `EmberaCase`.
  package static func check(
    _ frame: RunFrame, _ settings: EmberaSettings, _ plan: CheckPlan
  ) throws -> CheckOutcome {
    var one = EmberaCase(frame, settings, plan)
    return try one.run()
  }
}
