internal import Quantities
internal import RewardModel

extension EmberaAsOf {
  /// What was ordered and paid, and where orders are.
  var orders: [PageBlock] {
    [orderFigures, money, statuses, statusBars, checkouts]
      + [
        history(
          "under_way_history", "Orders under way, last 90 days",
          EmberaOrderStatus.allCases.compactMap { status in
            status.underWay.map { (status.key, status.label, $0) }
          }, absence: deviceAbsence)
      ]
  }

  private var orderFigures: PageBlock {
    .figures(
      "orders", "Orders",
      [
        PageFigure("placed", "Placed on devices", .count, .number(sum(\.placed))),
        PageFigure("received", "Received by the server", .count, .number(sum(\.orders))),
        PageFigure(
          "deliveries", "of them by subscription", .count,
          deviceAbsence ?? .number(sum(\.deliveries))),
        PageFigure("placed_today", "Placed today", .count, .number(day.placed)),
        PageFigure("received_today", "Received today", .count, .number(day.orders)),
        PageFigure(
          "subscribers", "Subscribers", .count, deviceAbsence ?? .number(day.subscribers)),
        PageFigure(
          "subscription_share", "Subscription share", .share,
          deviceAbsence ?? .share(day.subscribers, of: sum(\.signUps)),
          note: "of members"),
      ])
  }

  private var money: PageBlock {
    func figure(
      _ key: String, _ label: String, _ amount: KeyPath<EmberaRecord.Month, MicroUSDT>,
      absence: PageValue? = nil, note: String = ""
    ) -> PageFigure {
      PageFigure(key, label, .money, absence ?? closedSum(amount), note: note)
    }
    return .figures(
      "money", "Money, months closed",
      [
        figure("revenue", "Revenue", \.revenue, note: closed),
        // A history has what was paid for goods, without the rest of the bill.
        figure("discounts", "Discounts", \.discounts, absence: deviceAbsence),
        figure("shipping", "Shipping", \.shipping, absence: deviceAbsence),
        figure("tax", "Sales tax", \.tax, absence: deviceAbsence),
        figure("cost_of_goods", "Cost of goods", \.costOfGoods),
        figure("gross_profit", "Gross profit", \.grossProfit),
      ])
  }

  /// Orders by status at the day's end: those that are not under way have been delivered. A replay
  /// counts them at its end only.
  private func count(_ status: EmberaOrderStatus) -> Int64? {
    guard deviceAbsence == nil else { return isLast ? status.count(in: record) : nil }
    if let count = status.underWay { return day[keyPath: count] }
    let underWay = EmberaOrderStatus.allCases.compactMap(\.underWay)
    return underWay.reduce(sum(\.placed) + sum(\.deliveries)) { $0 - day[keyPath: $1] }
  }

  private var statuses: PageBlock {
    PageBlock(
      key: "statuses", title: "Orders by status",
      body: .table(
        PageTable(
          [("status", "Status", .text), ("orders", "Orders", .count)],
          rows: EmberaOrderStatus.allCases.map { [.text($0.label), .known(count($0))] })))
  }

  private var statusBars: PageBlock {
    let underWay = EmberaOrderStatus.allCases.filter { !$0.isFinal }
    return PageBlock(
      key: "status_bars", title: "Orders under way",
      body: .bars(
        PageBars(
          unit: .count, labels: underWay.map(\.label), values: underWay.map { count($0) ?? 0 })))
  }

  private var checkouts: PageBlock {
    PageBlock(
      key: "checkouts", title: "Checkouts by outcome of the payment",
      body: .table(
        PageTable(
          [
            ("outcome", "Outcome", .text), ("online", "Online", .count),
            ("offline", "Offline", .count),
          ],
          rows: isLast
            ? record.checkouts.map { row in
              [.text(row.outcome.label), .number(row.online), .number(row.offline)]
            } : [],
          empty: Self.atEndOnly, absence: deviceAbsence)))
  }
}

extension EmberaOrderStatus {
  /// Where a day has the orders that are in this status at its end; nil for a final status.
  var underWay: KeyPath<EmberaRecord.Day, Int64>? {
    switch self {
    case .processing: \.processing
    case .roasting: \.roasting
    case .shipping: \.shipping
    case .delivered: nil
    }
  }
}
