package import RewardModel

extension EmberaProgramme {
  package static let calibrated = CalibratedPaths(
    contained: [
      ContainedEffect(
        path: "population.subscriptions.share", value: "0 %",
        reason: "the fitted purchases contain the orders that subscriptions deliver, which then "
          + "redeem points as other orders do, so that rewards cost more")
    ]
      + ["cancelled", "no_card", "unavailable"].map {
        ContainedEffect(
          path: "population.payment.\($0)", value: "0 %",
          reason: "the history holds orders whose payment went through")
      })

  /// Members by tier at the run's end: a tier is never lost.
  package static func levels(of record: EmberaRecord) -> [LevelCounts] {
    let levels = record.tiers.map {
      LevelCounts.Level(name: $0.tier.label, members: $0.members)
    }
    return levels.isEmpty ? [] : [LevelCounts(period: "at the end", levels: levels)]
  }
}
