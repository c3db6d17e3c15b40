internal import Quantities
internal import RewardModel

extension EmberaAsOf {
  /// Points, tiers, offers, and what the roastery owes for points.
  var loyalty: [PageBlock] {
    [points, offers] + tiers + [
      history(
        "points_history", "Points a day, last 90 days",
        [
          ("issued", "Issued", \.issued),
          ("redeemed", "Redeemed", record.knowsRedemptions ? \.redeemed : nil),
        ]),
      history(
        "outstanding_history", "Points outstanding, last 90 days",
        [("outstanding", "Outstanding", \.outstanding)]),
      liability,
    ]
  }

  private var points: PageBlock {
    let issued = sum(\.issued)
    let redeemed = sum(\.redeemed)
    return .figures(
      "points", "Points",
      [
        PageFigure("issued", "Issued", .count, .number(issued)),
        PageFigure("redeemed", "Redeemed", .count, redemptionAbsence ?? .number(redeemed)),
        PageFigure("expired", "Expired", .count, .number(sum(\.expired))),
        PageFigure("outstanding", "Outstanding", .count, .number(day.outstanding)),
        PageFigure(
          "redemption_rate", "Redemption rate", .share,
          redemptionAbsence ?? .share(redeemed, of: issued),
          note: "redeemed ÷ issued"),
        PageFigure(
          "breakage", "Breakage", .share, .known(breakage),
          note: "points expected never to be redeemed, \(valued)"),
        PageFigure(
          "refused", "Redemptions refused", .count,
          redemptionAbsence ?? total(record.total.sums.refused),
          note: totalNote("balance too low", redemptionAbsence)),
      ])
  }

  /// The share of all points issued by the last close that it expects never to be redeemed; nil
  /// before the first close and without points.
  private var breakage: Int64? {
    guard let last = months.indices.last else { return nil }
    return record.expectedShares[last].map { 10_000 - $0 }
  }

  private var offers: PageBlock {
    PageBlock(
      key: "offers", title: "Offers redeemed",
      body: .table(
        PageTable(
          [
            ("offer", "Offer", .text), ("redemptions", "Redemptions", .count),
            ("points", "Points", .count), ("cost", "Cost, USD", .money),
          ],
          rows: isLast
            ? record.offers.map { row in
              [
                .text(row.title), .number(row.redemptions), .number(row.points),
                .number(row.cost.microunits),
              ]
            } : [],
          empty: Self.atEndOnly, absence: redemptionAbsence)))
  }

  private var tiers: [PageBlock] {
    let byDay = [day.ember, day.aura, day.halo]
    // A replay counts tiers at its end only.
    let counts = EmberaTier.allCases.map { tier -> Int64? in
      guard deviceAbsence != nil else { return byDay[tier.rawValue] }
      return isLast ? record.tiers.first { $0.tier == tier }?.members : nil
    }
    let shares = PageSums.shares(of: counts.map { $0 ?? 0 }, grain: 10)
    let table = PageTable(
      [
        ("tier", "Tier", .text), ("members", "Members", .count), ("share", "Share", .share),
        ("reached", "Ever reached", .count), ("time_to_reach", "Mean time to reach", .duration),
      ],
      rows: EmberaTier.allCases.map { tier in
        let row = record.tiers.first { $0.tier == tier }
        let count = counts[tier.rawValue]
        return [
          .text(tier.label), .known(count),
          .known(count.flatMap { _ in shares[tier.rawValue] }),
          total(row?.reached), isLast ? row?.timeToReach ?? .none : .none,
        ]
      })
    return [
      PageBlock(
        key: "tiers",
        title: "Members by tier"
          + (isLast ? "" : "; who reached one, and when, is \(Self.atEndOnly)"),
        body: .table(table)),
      PageBlock(
        key: "tier_bars", title: "Members by tier",
        body: .bars(
          PageBars(
            unit: .count, labels: EmberaTier.allCases.map(\.label), values: counts.map { $0 ?? 0 }))
      ),
    ]
  }

  private var liability: PageBlock {
    let partial = PartialMonths(record.header, count: record.months.count)
    let inPart = months.indices.filter(partial.contains).map { months[$0].month }
    return PageBlock(
      key: "liability",
      title: "What is owed for points, by month closed"
        + (inPart.isEmpty ? "" : "; \(inPart.joined(separator: " and ")) in part"),
      body: .table(
        PageTable(
          [
            ("month", "Month", .text), ("outstanding", "Points outstanding", .count),
            ("expected_share", "Expected redeemed", .share),
            ("gross", "At cost, USD", .money), ("breakage", "Breakage, USD", .money),
            ("net", "Owed at cost, USD", .money),
            ("contract_liability", "IFRS 15, USD", .money),
            ("reward_cost", "Reward cost, USD", .money), ("reward_rate", "Reward rate", .share),
            ("status", "Status", .text),
          ],
          rows: zip(months, record.expectedShares).map { month, share in
            [
              .text(month.month), .number(month.outstanding), .known(share),
              .number(month.valuation.gross.microunits),
              .number(month.valuation.breakage.microunits),
              .number(month.valuation.net.microunits),
              .number(month.valuation.contractLiability.microunits),
            ] + (record.knowsRedemptions ? rewards(month) : [.none, .none, .none])
          }, empty: "no month is closed yet")))
  }
}

extension EmberaAsOf {
  /// What rewards cost in a month, and how near that is to the budget.
  private func rewards(_ month: EmberaRecord.Month) -> [PageValue] {
    [
      .number(month.rewardCost.microunits), budget.cell(month.rate, judged: month.status),
      month.rate == nil ? .none : .verdict(month.status.label, month.status.tone),
    ]
  }
}

extension EmberaRecord.Month {
  /// Reward cost over revenue in basis points; nil without revenue.
  var rate: Int64? { PageSums.share(rewardCost.microunits, of: revenue.microunits) }
}

extension EmberaRecord {
  /// The share of all points issued by each month's close that it expects to be redeemed, in basis
  /// points; nil without points. It is the estimated share, but for points that have been redeemed or
  /// have expired already: the rest to 100 % is the breakage.
  var expectedShares: [Int64?] {
    var issued = opening.issued
    return months.map { month in
      issued += month.issued
      return PageSums.share(month.valuation.expectedRedeemed, of: issued)
    }
  }
}
