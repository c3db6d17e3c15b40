internal import Quantities
internal import RewardModel

/// What a run showed, for a terminal.
struct EmberaSummary {
  let record: EmberaRecord
  let verdict: EmberaVerdict

  init(_ record: EmberaRecord) {
    self.record = record
    verdict = EmberaVerdict(record)
  }

  /// - Complexity: O(rows of the record).
  var summary: RunSummary {
    RunSummary(
      parts: [headline, [.paragraph(verdict.verdict.text, verdict.tone)], lead, months, offers]
        + [tiers, sync], size: EmberaReport.size(of: record),
      pace: EmberaReport.pace(of: record))
  }

  private var headline: [ReportBlock] {
    let sums = record.total.sums
    func row(
      _ name: String, _ count: Int64, _ money: String, _ amount: String, _ note: String = ""
    ) -> [ReportCell] {
      [
        ReportCell(name), ReportCell(count.grouped, .strong), " ", ReportCell(money),
        ReportCell(amount, .strong), ReportCell(note),
      ]
    }
    return [
      .table(
        ReportTable(
          "Headline figures",
          [.text(""), .number(""), .text(""), .text(""), .number(""), .text("")],
          rows: [
            row("Orders", sums.orders, "Revenue, USD", verdict.revenue.cents),
            row("Members", record.total.members, "Gross profit, USD", record.grossProfit.cents),
            row(
              "Points issued", sums.issued, "Reward cost, USD", verdict.cost(\.cents),
              verdict.rateWords.map { $0 + " of revenue" } ?? ""),
            row(
              "Points outstanding", record.outstanding, "Owed at cost, USD",
              (record.valuation?.net ?? .zero).cents, "less breakage"),
          ]))
    ]
  }

  private var lead: [ReportBlock] { verdict.lead.isEmpty ? [] : [.paragraph(verdict.lead)] }

  private var months: [ReportBlock] {
    guard !record.months.isEmpty else { return [] }
    let partial = PartialMonths(record.header, count: record.months.count)
    return [
      .table(
        ReportTable(
          "Rewards and liability by month in USD",
          [
            .text("Month"), .number("Orders"), .number("Revenue"), .number("Reward cost"),
            .number("Reward rate"), .text("Status"), .number("Owed at cost"), .number("IFRS 15"),
          ],
          rows: record.months.enumerated().map { index, month in
            [
              ReportCell(month.month + partial.star(index)), ReportCell(month.orders.grouped),
              ReportCell(month.revenue.cents),
            ] + verdict.cells(month) + [
              ReportCell(month.valuation.net.cents),
              ReportCell(month.valuation.contractLiability.cents),
            ]
          }))
    ] + (partial.isAny ? [.paragraph("* partial month.", .soft)] : [])
  }

  private var offers: [ReportBlock] {
    guard !record.offers.isEmpty, record.knowsRedemptions else { return [] }
    return [
      .table(
        ReportTable(
          "Offers redeemed",
          [.text("Offer"), .number("Redemptions"), .number("Points"), .number("Cost, USD")],
          rows: record.offers.map {
            [
              ReportCell($0.title), ReportCell($0.redemptions.grouped),
              ReportCell($0.points.grouped), ReportCell($0.cost.cents),
            ]
          }))
    ]
  }

  private var tiers: [ReportBlock] {
    record.total.members > 0 ? [.table(EmberaReport.tierTable(record))] : []
  }

  private var sync: [ReportBlock] {
    let sync = record.sync
    guard sync.offlineOrders > 0 else { return [] }
    var text = PageWords.counted(sync.offlineOrders, "order was", "orders were")
    text += " placed offline; \(sync.arrived.grouped) reached the server"
    if let mean = sync.meanLag, let high = sync.lagP95 {
      text += ", after \(PageWords.duration(mean.microseconds)) on average "
      text += "(P95 \(PageWords.duration(high.microseconds)))"
    }
    func waiting(_ count: Int64) -> String {
      count > 0 ? "; " + PageWords.counted(count, "still waits", "still wait") : ""
    }
    text += waiting(sync.waitingOrders)
    text += "."
    if sync.offlineRedemptions > 0 {
      text += " The server refused \(sync.conflicts.grouped) of "
      text += PageWords.counted(sync.offlineRedemptions, "redemption", "redemptions")
      text += " made offline\(waiting(sync.waitingRedemptions))."
    }
    return [.paragraph(text)]
  }
}
