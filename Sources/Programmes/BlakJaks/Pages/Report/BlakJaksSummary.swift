internal import Quantities
internal import RewardModel

/// What a run showed, for a terminal.
struct BlakJaksSummary {
  let record: BlakJaksRecord
  let figures: RunFigures

  init(_ figures: RunFigures) {
    record = figures.record
    self.figures = figures
  }

  /// - Complexity: O(rows of the record).
  var summary: RunSummary {
    RunSummary(parts: [headline, tiers, months, payouts, prizes], pace: figures.pace)
  }

  private var headline: [ReportBlock] {
    func row(
      _ name: String, _ count: Int64, _ money: String, _ amount: MicroUSDT, _ share: Int64? = nil
    ) -> [ReportCell] {
      [
        ReportCell(name), ReportCell(count.grouped, .strong), " ", ReportCell(money),
        ReportCell(amount.cents, .strong),
        ReportCell(share.map { PageWords.percent($0) + " of budget" } ?? ""),
      ]
    }
    let table = ReportTable(
      "Headline figures",
      [.text(""), .number(""), .text(""), .text(""), .number(""), .number("")],
      rows: [
        row("Accepted scans", record.acceptedScans, "Gross profit", figures.grossProfit),
        row("Members", record.members, "Budget", figures.budget),
        row(
          "Tins sold", record.tinsSold, "Spend, accrual", figures.spendAccrual,
          figures.accrualUtilisation),
        row(
          "Awards", Int64(record.awards.count), "Spend, cash", figures.spendCash,
          figures.cashUtilisation),
      ])
    return [.table(table)]
      + (figures.lead.isEmpty ? [] : [.paragraph(""), .paragraph(figures.lead)])
  }

  private var tiers: [ReportBlock] {
    guard record.members > 0 else { return [] }
    return [
      .table(
        ReportTable(
          "Members by tier at the end",
          [.text("Tier at the end"), .number("Members"), .number("Share")],
          rows: Tier.allCases.map { tier in
            let count = record.tiers[tier]
            let share = PageSums.share(count, of: record.members)
            return [
              ReportCell(tier.name), ReportCell(count.grouped),
              ReportCell(PageWords.percent(share)),
            ]
          }))
    ]
  }

  private var months: [ReportBlock] {
    guard !record.months.isEmpty else { return [] }
    let table = ReportTable(
      "Budget and spend by month in USDT",
      [
        .text("Month"), .number("Gross profit"), .number("Budget"), .number("Spend cash"),
        .number("Spend accrual"), .number("Utilized"), .text(""), .text("Status"),
      ],
      rows: record.months.enumerated().map { index, month in
        let (status, share) = (month.status.cell, month.utilisationBasisPoints)
        return [ReportCell(month.month + (figures.isPartial(index) ? "*" : ""))]
          + [month.grossProfit, month.budget, month.spendCash, month.spendAccrual]
          .map { ReportCell($0.cents) }
          + [
            ReportCell(PageWords.percent(share), status.tone),
            ReportCell("", status.tone, bar: share.map { Double($0) / 100 }), status,
          ]
      })
    let star = figures.hasPartialMonth ? "* partial month. " : ""
    let note = "\(star)Utilized: spend by \(figures.recognition) ÷ budget; a full bar is 100 %."
    return [.table(table), .paragraph(note, .soft)]
  }

  private var payouts: [ReportBlock] {
    guard !record.payouts.isEmpty else { return [] }
    func cells(_ row: BlakJaksRecord.PayoutRow, name: String? = nil) -> [ReportCell] {
      [
        ReportCell(name ?? record.label(of: row, figures.rules)), ReportCell(row.count.grouped),
        ReportCell(row.total.cents),
        ReportCell(PageWords.percent(row.shareBasisPoints, decimals: 2)),
      ]
    }
    return [
      .table(
        ReportTable(
          "The payout ledger",
          [.text("Payouts"), .number("Count"), .number("USDT"), .number("Share")],
          rows: record.payouts.map { cells($0) },
          total: cells(record.payoutTotal, name: "Total")))
    ]
  }

  private var prizes: [ReportBlock] {
    guard !record.prizes.isEmpty else { return [] }
    return [
      .table(
        ReportTable(
          "Prizes",
          [
            .text("Prize"), .number("USDT"), .number("Every"), .text("From tier"),
            .number("Awarded"), .number("Waiting"), .number("Next due"), .text(""),
          ],
          rows: record.prizes.map { row in
            [
              ReportCell(row.prize.name), ReportCell(row.prize.amount.cents),
              ReportCell(row.prize.every.grouped), ReportCell(row.prize.requiredTier.name),
              ReportCell(row.awarded.grouped),
              ReportCell(row.waiting.grouped, row.waiting > 0 ? .caution : .plain),
              ReportCell("scan \(row.nextDue.grouped)"), ReportCell("\(row.away.grouped) away"),
            ]
          }))
    ]
  }
}
