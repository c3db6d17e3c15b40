internal import Quantities
internal import RewardModel

extension Insights {
  /// What can be won, who can win it, and how far it is.
  static func comps(_ asOf: InsightsAsOf) -> Page {
    let milestones = asOf.milestones()
    return asOf.page(
      .comps,
      [
        prizes(asOf, milestones),
        self.milestones(asOf, key: "next_milestones", title: "Next milestones"),
        PageBlock(
          key: "milestone_bars", title: "Progress to the next milestone",
          body: .bars(
            PageBars(
              unit: .share, labels: milestones.map(\.prize.name),
              values: milestones.map(\.progress)))),
        trip(asOf, milestones), guarantees(asOf), eligibility(asOf, milestones), vault(asOf),
      ])
  }

  private static func prizes(
    _ asOf: InsightsAsOf, _ milestones: [InsightsAsOf.Milestone]
  ) -> PageBlock {
    PageBlock(
      key: "prizes", title: asOf.title("Prizes", "awarded "),
      body: .table(
        PageTable(
          [
            ("prize", "Prize", .text), ("kind", "Kind", .text), ("amount", "USDT", .money),
            ("every", "Every", .count), ("tier", "From tier", .text),
            ("eligible", "Eligible by tier", .count), ("awarded", "Awarded", .count),
            ("waiting", "Waiting", .count),
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
  ) -> PageBlock {
    let trips = milestones.filter { $0.prize.kind == .trip }
    let trip = trips.max { ($0.prize.amount, $1.prize.every) < ($1.prize.amount, $0.prize.every) }
    func value(_ number: Int64?) -> PageValue {
      number.map { .number($0) } ?? .notInRun(setting: "rules.prizes")
    }
    return .figures(
      "trip", trip.map { "Trip: \($0.prize.name)" } ?? "Trip",
      [
        PageFigure(
          "eligible", "Eligible by tier", .count, value(trip?.eligible),
          note: trip.map { "\($0.prize.requiredTier.name) or higher, suspended ones included" }
            ?? ""),
        PageFigure(
          "awarded", "Awarded", .count, value(trip?.awarded), note: asOf.sinceOpening),
        PageFigure(
          "progress_scans", "Scans toward the next", .count, value(trip?.since),
          note: trip.map { "of \($0.prize.every.grouped), \($0.away.grouped) away" } ?? ""),
        PageFigure("progress", "Progress", .share, value(trip?.progress)),
        asOf.figure("reserve", "Reserve", .money, "trip_reserve"),
      ])
  }

  private static func guarantees(_ asOf: InsightsAsOf) -> PageBlock {
    let paid = asOf.payout(.guarantee)
    let off = !asOf.rules.guarantee.enabled
    func value(_ number: Int64?) -> PageValue {
      if off { return .notInRun(setting: "rules.guarantee.enabled") }
      return number.map { .number($0) } ?? .notInRun(setting: nil)
    }
    return .figures(
      "guarantees", "New-member guarantee",
      [
        PageFigure("paid", "Topped up", .count, value(paid?.count), note: asOf.sinceOpening),
        PageFigure(
          "total", "Awarded", .money, value(paid?.total.microunits), note: asOf.sinceOpening),
      ])
  }

  /// Which members have a tier that can win which prize. Who is suspended is counted, but wins nothing.
  private static func eligibility(
    _ asOf: InsightsAsOf, _ milestones: [InsightsAsOf.Milestone]
  ) -> PageBlock {
    PageBlock(
      key: "eligibility", title: "Members with a tier that can win, suspended ones included",
      body: .table(
        PageTable(
          [("prize", "Prize", .text)] + Tier.allCases.map { ($0.key, $0.name, .count) }
            + [("eligible", "All", .count)],
          rows: milestones.map { row in
            [.text(row.prize.name)]
              + Tier.allCases.map { tier in
                tier >= row.prize.requiredTier ? .number(asOf.day.tiers[tier]) : .number(0)
              } + [.number(row.eligible)]
          }, empty: "this scenario has no prizes")))
  }
}
