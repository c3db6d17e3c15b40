internal import Quantities
internal import RewardModel

extension EmberaAsOf {
  /// What anybody asks first: members, orders, revenue, and what rewards cost.
  var overview: [PageBlock] {
    [
      program, budgetFigures, gauge,
      history(
        "order_history", "Orders a day, last 90 days",
        [
          ("placed", "Placed on devices", \.placed),
          ("orders", "Received by the server, with those of subscriptions", \.orders),
        ]),
      revenueHistory,
    ]
  }

  private var program: PageBlock {
    .figures(
      "program", "Program",
      [
        PageFigure(
          "members", "Members", .count, .number(record.opening.signUps + sum(\.signUps)),
          note: "\(day.signUps.grouped) joined today"),
        PageFigure("orders", "Orders", .count, .number(sum(\.orders))),
        PageFigure("orders_today", "Orders today", .count, .number(day.orders)),
        PageFigure("revenue", "Revenue", .money, .number(revenue.microunits)),
        PageFigure("revenue_today", "Revenue today", .money, .number(day.revenue.microunits)),
        PageFigure("outstanding", "Points outstanding", .count, .number(day.outstanding)),
        PageFigure(
          "subscribers", "Subscribers", .count, deviceAbsence ?? .number(day.subscribers)),
        PageFigure(
          "visits", "Visits", .count, deviceTotal(record.total.visits),
          note: totalNote("", deviceAbsence)),
        PageFigure(
          "left", "Members who left", .count, deviceTotal(record.total.left),
          note: totalNote("", deviceAbsence)),
      ])
  }

  private var budgetFigures: PageBlock {
    // Rounded, the rate may read as if it stood on the other side of its bound.
    let judged = budget.words(rewardRate, judged: status, decimals: 1)
    let exact = judged == PageWords.percent(rewardRate) ? "" : "\(judged), "
    return .figures(
      "budget", "Rewards and their budget",
      [
        PageFigure(
          "status", "Status", .text,
          redemptionAbsence ?? status.map { .verdict($0.label, $0.tone) } ?? .none,
          note: closed),
        PageFigure(
          "reward_rate", "Reward rate", .share, redemptionAbsence ?? .known(rewardRate),
          note: "\(exact)reward cost ÷ revenue, \(closed)"),
        PageFigure("limit", "Budget", .share, .number(budget.limit.rawValue), note: "of revenue"),
        PageFigure(
          "reward_cost", "Reward cost", .money,
          redemptionAbsence ?? closedSum(\.rewardCost),
          note: closed),
        PageFigure(
          "gross_profit", "Gross profit", .money, closedSum(\.grossProfit), note: closed),
        PageFigure(
          "liability_net", "Owed for points, at cost", .money, .known(valuation?.net.microunits),
          note: valued),
        PageFigure(
          "contract_liability", "Contract liability (IFRS 15)", .money,
          .known(valuation?.contractLiability.microunits), note: valued),
      ])
  }

  private var gauge: PageBlock {
    let empty =
      !record.knowsRedemptions
      ? "a history has no redemptions"
      : months.isEmpty ? "no month is closed yet" : "no revenue yet"
    return PageBlock(
      key: "budget_gauge", title: "Reward rate",
      body: .gauge(
        PageGauge(
          label: "of revenue", value: rewardRate, judged: status?.health,
          caution: budget.bounds.warning, bad: budget.bounds.critical, empty: empty)))
  }

  private var revenueHistory: PageBlock {
    let days = record.days[max(0, at.row - 89)...at.row]
    return PageBlock(
      key: "revenue_history", title: "Revenue a day, last 90 days",
      body: .history(
        PageHistory(
          dates: days.map(\.date),
          lines: [
            PageHistory.Line(
              key: "revenue", label: "Revenue", unit: .money,
              values: days.map(\.revenue.microunits))
          ])))
  }
}
