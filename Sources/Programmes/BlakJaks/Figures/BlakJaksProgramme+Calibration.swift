package import RewardModel

extension BlakJaksProgramme {
  package static let calibrated = CalibratedPaths(
    amount: "population.tins.per_purchase", weeklyAmount: "population.tins.per_week",
    weeklyShape: "population.tins.shape", used: "population.tins.scanned",
    usedOver: "population.tins.opened_over")

  /// Members by effective tier at the ends of quarters, and at the run's end.
  package static func levels(of record: BlakJaksRecord) -> [LevelCounts] {
    record.quarters.map { row in
      LevelCounts(
        period: row.quarter,
        levels: Tier.allCases.map { LevelCounts.Level(name: $0.name, members: row.tiers[$0]) })
    }
  }
}
