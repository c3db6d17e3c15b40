package import RewardModel

extension EmberaProgramme {
  package static let calibrated = CalibratedPaths(
    contained: [
      ContainedEffect(
        path: "population.subscriptions.share", value: "0 %",
        reason: "the fitted purchases contain the orders that subscriptions deliver")
    ])

  /// Members by tier at the run's end: a tier is never lost.
  package static func levels(of record: EmberaRecord) -> [LevelCounts] {
    let levels = record.tiers.map {
      LevelCounts.Level(name: $0.tier.label, members: $0.members)
    }
    return levels.isEmpty ? [] : [LevelCounts(period: "at the end", levels: levels)]
  }
}
