internal import BlakJaks
internal import Quantities
internal import RewardModel
internal import Simulator

extension Insights {
  /// What can be won, who can win it, and how far it is.
  static func comps(_ asOf: InsightsAsOf) -> InsightPage {
    let milestones = asOf.milestones()
    return asOf.page(
      .comps,
      [
        prizes(milestones),
        self.milestones(asOf, key: "next_milestones", title: "Next milestones"),
        InsightBlock(
          key: "milestone_bars", title: "Progress to the next milestone",
          body: .bars(
            InsightBars(
              unit: .share, labels: milestones.map(\.prize.name),
              values: milestones.map(\.progress)))),
        trip(asOf, milestones), guarantees(asOf), eligibility(asOf, milestones), vault(asOf),
      ])
  }

  private static func prizes(_ milestones: [InsightsAsOf.Milestone]) -> InsightBlock {
    InsightBlock(
      key: "prizes", title: "Prizes",
      body: .table(
        InsightTable(
          [
            InsightTable.Column("prize", "Prize", .text),
            InsightTable.Column("kind", "Kind", .text),
            InsightTable.Column("amount", "USDT", .money),
            InsightTable.Column("every", "Every", .count),
            InsightTable.Column("tier", "From tier", .text),
            InsightTable.Column("eligible", "Eligible", .count),
            InsightTable.Column("awarded", "Awarded", .count),
            InsightTable.Column("waiting", "Waiting", .count),
          ],
          rows: milestones.map { row in
            [
              .text(row.prize.name), .text(row.prize.kind.rawValue),
              .number(row.prize.amount.microunits), .number(row.prize.every),
              .text(row.prize.requiredTier.name), .number(row.eligible), .number(row.awarded),
              .number(row.waiting),
            ]
          }, empty: "this scenario has no prizes")))
  }

  /// The largest trip of the scenario.
  private static func trip(
    _ asOf: InsightsAsOf, _ milestones: [InsightsAsOf.Milestone]
  ) -> InsightBlock {
    let trips = milestones.filter { $0.prize.kind == .trip }
    let trip = trips.max { ($0.prize.amount, $1.prize.every) < ($1.prize.amount, $0.prize.every) }
    func value(_ number: Int64?) -> InsightValue {
      number.map { .number($0) } ?? .notInRun(setting: "rules.prizes")
    }
    return figures(
      "trip", trip.map { "Trip: \($0.prize.name)" } ?? "Trip",
      [
        InsightFigure(
          "eligible", "Eligible members", .count, value(trip?.eligible),
          note: trip.map { "\($0.prize.requiredTier.name) or higher" } ?? ""),
        InsightFigure("awarded", "Awarded", .count, value(trip?.awarded)),
        InsightFigure(
          "progress_scans", "Scans towards the next", .count, value(trip?.since),
          note: trip.map { "of \($0.prize.every.grouped), \($0.away.grouped) away" } ?? ""),
        InsightFigure("progress", "Progress", .share, value(trip?.progress)),
        asOf.figure("reserve", "Reserve", .money, "trip_reserve"),
      ])
  }

  private static func guarantees(_ asOf: InsightsAsOf) -> InsightBlock {
    let paid = asOf.payout("$50 Guarantee")
    let off = asOf.setting("rules.guarantee.enabled") == "false"
    func value(_ number: Int64?) -> InsightValue {
      if off { return .notInRun(setting: "rules.guarantee.enabled") }
      return number.map { .number($0) } ?? .notInRun(setting: nil)
    }
    return figures(
      "guarantees", "New-member guarantee",
      [
        InsightFigure("paid", "Topped up", .count, value(paid?.count)),
        InsightFigure("total", "Paid", .money, value(paid?.total.microunits)),
      ])
  }

  /// Which members can win which prize, by the tier they hold.
  private static func eligibility(
    _ asOf: InsightsAsOf, _ milestones: [InsightsAsOf.Milestone]
  ) -> InsightBlock {
    InsightBlock(
      key: "eligibility", title: "Eligible members by prize and tier",
      body: .table(
        InsightTable(
          [InsightTable.Column("prize", "Prize", .text)]
            + Tier.allCases.map { InsightTable.Column($0.key, $0.name, .count) }
            + [InsightTable.Column("eligible", "Eligible", .count)],
          rows: milestones.map { row in
            [.text(row.prize.name)]
              + Tier.allCases.map { tier in
                tier >= row.prize.requiredTier ? .number(asOf.day.tiers[tier]) : .number(0)
              } + [.number(row.eligible)]
          }, empty: "this scenario has no prizes")))
  }
}
