internal import Quantities
internal import RewardModel

extension EmberaReport {
  /// Points issued, redeemed, expired and outstanding.
  var points: ReportSection? {
    guard !record.months.isEmpty else { return nil }
    let sums = record.total.sums
    func cells(
      _ name: ReportCell, _ issued: Int64, _ redeemed: Int64, _ expired: Int64, _ left: Int64
    ) -> [ReportCell] {
      [
        name, ReportCell(issued.grouped),
        record.knowsRedemptions ? ReportCell(redeemed.grouped) : "–", ReportCell(expired.grouped),
        ReportCell(left.grouped),
      ]
    }
    let table = ReportTable(
      "Points by month",
      [
        .text("Month"), .number("Issued"), .number("Redeemed"), .number("Expired"),
        .number("Outstanding at the end"),
      ],
      rows: zip(monthNames, record.months).map { name, month in
        cells(
          ReportCell(name), month.issued, month.redeemed, month.expired, month.outstanding)
      },
      total: cells("Whole run", sums.issued, sums.redeemed, sums.expired, record.outstanding))
    return ReportSection(
      "points", "Points",
      [
        .plot(
          pointsPlot,
          caption: record.knowsRedemptions
            ? "Points issued, redeemed and outstanding at each month's end."
            : "Points issued and outstanding at each month's end.",
          details: [.details("The months as a table", [.table(table)])])
      ])
  }

  /// What is owed for points, both ways.
  var liability: ReportSection? {
    guard !record.months.isEmpty else { return nil }
    let table = ReportTable(
      "What is owed for points at each month's end in USD",
      [
        .text("Month"), .number("Expected redeemed"), .number("Points at cost"),
        .number("Breakage"), .number("Owed at cost"), .number("IFRS 15"),
      ],
      rows: zip(zip(monthNames, record.months), record.expectedShares).map { row, share in
        let (name, value) = (row.0, row.1.valuation)
        return [ReportCell(name), ReportCell(PageWords.percent(share, decimals: 2))]
          + [value.gross, value.breakage, value.net, value.contractLiability]
          .map { ReportCell($0.cents) }
      })
    return ReportSection(
      "liability", "What is owed for points", flows: true,
      [
        .plot(
          liabilityPlot,
          caption: "Points outstanding at their expected cost less breakage, and the part of sales "
            + "that IFRS 15 defers until points are redeemed, at each month's end.",
          details: [.details("The months as a table", [.table(table)])])
      ])
  }

  /// Where orders are, and how payments ended.
  var orders: ReportSection {
    let statuses = ReportTable(
      "Orders by status at the end", [.text("Status"), .number("Orders")],
      rows: EmberaOrderStatus.allCases.map {
        [ReportCell($0.label), ReportCell($0.count(in: record)?.grouped ?? "–")]
      })
    var blocks: [ReportBlock] = []
    if record.source == .simulation, !record.days.isEmpty {
      blocks.append(
        .plot(statusPlot, caption: "Orders under way at the end of each day, by status."))
    }
    blocks += [.heading("Orders at the end of the run"), .table(statuses)]
    if !record.checkouts.isEmpty {
      let table = ReportTable(
        "Checkouts by outcome of the payment",
        [.text("Outcome"), .number("Online"), .number("Offline")],
        rows: record.checkouts.map {
          [
            ReportCell($0.outcome.label), ReportCell($0.online.grouped),
            ReportCell($0.offline.grouped),
          ]
        })
      blocks += [.heading("Checkouts"), .table(table)]
    }
    return ReportSection("orders", "Orders by status", blocks)
  }

  /// How devices and the server met; nil for a replay, which has no devices.
  var sync: ReportSection? {
    guard record.source == .simulation, !record.days.isEmpty else { return nil }
    let sync = record.sync
    func span(_ value: TimeSpan?) -> String {
      value.map { PageWords.duration($0.microseconds) } ?? "–"
    }
    let rows: [(String, String)] = [
      ("Orders placed offline", sync.offlineOrders.grouped),
      ("Arrived at the server", sync.arrived.grouped),
      ("Orders still waiting", sync.waitingOrders.grouped), ("Mean wait", span(sync.meanLag)),
      ("P95 wait", span(sync.lagP95)), ("Longest wait", span(sync.longestLag)),
      ("Sent again, counted once", sync.resent.grouped),
      ("Redemptions made offline", sync.offlineRedemptions.grouped),
      ("Confirmed by the server", sync.confirmed.grouped),
      ("Refused by the server", sync.conflicts.grouped),
      ("Redemptions still waiting", sync.waitingRedemptions.grouped),
      ("Points returned", sync.pointsReturned.grouped),
    ]
    let table = ReportTable(
      "Devices and the server", [.text("Sync"), .number("Value")],
      rows: rows.map { [ReportCell($0.0), ReportCell($0.1)] })
    return ReportSection(
      "sync", "Sync",
      [
        .plot(
          waitingPlot,
          caption: "Orders and redemptions that wait on devices at the end of each day."),
        .table(table),
      ])
  }
}
