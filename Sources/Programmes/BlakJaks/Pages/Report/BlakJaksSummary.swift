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
    RunSummary(
      parts: [cost, headline, tiers, months, payouts, prizes], size: figures.size,
      pace: figures.pace)
  }

  /// What the program costs in all, what of it the comp pool carries, and who carries the rest.
  private var cost: [ReportBlock] {
    let cost = figures.cost
    func row(_ name: String, _ amount: MicroUSDT, _ note: String) -> [ReportCell] {
      [ReportCell(name), ReportCell(amount.cents, .strong), ReportCell(note)]
    }
    let share = figures.share(of: figures.spend)
    var note = "USDT"
    if cost.setAside > .zero {
      note += ", \(cost.awarded.cents) awarded and \(cost.setAside.cents) for trips not yet won"
    } else if cost.setAside < .zero {
      let less = PageSums.difference(.zero, cost.setAside).cents
      note += ", \(cost.awarded.cents) awarded, less \(less) that had been set aside before"
    }
    let table = ReportTable(
      "What the program costs", [.text(""), .number(""), .text("")],
      rows: [row("Cost in all", cost.total, note)]
        + cost.carriers.map { account, amount in
          let judged =
            account == .compPool && share.basisPoints != nil
            ? "\(share.words) of its budget of \(figures.budget.cents)" : ""
          return row("of which \(account.label)", amount, judged)
        })
    return [.table(table)]
  }

  private var headline: [ReportBlock] {
    func row(
      _ name: String, _ count: Int64, _ money: String, _ amount: MicroUSDT, _ words: String = ""
    ) -> [ReportCell] {
      [
        ReportCell(name), ReportCell(count.grouped, .strong), " ", ReportCell(money),
        ReportCell(amount.cents, .strong), ReportCell(words),
      ]
    }
    func ofBudget(_ spend: MicroUSDT) -> String {
      let share = figures.share(of: spend)
      return share.basisPoints == nil ? "" : share.words + " of budget"
    }
    let table = ReportTable(
      "Headline figures",
      [.text(""), .number(""), .text(""), .text(""), .number(""), .number("")],
      rows: [
        row("Accepted scans", record.acceptedScans, "Gross profit", figures.grossProfit),
        row("Members", record.members, "Budget", figures.budget),
        row(
          "Tins sold", record.tinsSold, "Spend, accrual", figures.spendAccrual,
          ofBudget(figures.spendAccrual)),
        row(
          "Awards", Int64(record.awards.count), "Spend, cash", figures.spendCash,
          ofBudget(figures.spendCash)),
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
          rows: zip(Tier.allCases, figures.tierShares).map { tier, share in
            [
              ReportCell(tier.name), ReportCell(record.tiers[tier].grouped),
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
        return [ReportCell(month.month + figures.partialMonths.star(index))]
          + [month.grossProfit, month.budget, month.spendCash, month.spendAccrual]
          .map { ReportCell($0.cents) }
          + [
            ReportCell(figures.share(month).words, status.tone),
            ReportCell("", status.tone, bar: share.map { Double($0) / 100 }), status,
          ]
      })
    let star = figures.partialMonths.isAny ? "* partial month. " : ""
    let note = "\(star)Utilized: spend by \(figures.recognition) ÷ budget; a full bar is 100 %."
    return [.table(table), .paragraph(note, .soft)]
  }

  private var payouts: [ReportBlock] {
    guard !record.payouts.isEmpty else { return [] }
    let shares = figures.payoutShares
    func cells(
      _ row: BlakJaksRecord.PayoutRow, _ name: String, _ share: Int64
    ) -> [ReportCell] {
      [
        ReportCell(name), ReportCell(row.count.grouped), ReportCell(row.total.cents),
        ReportCell(PageWords.percent(share, decimals: 2)),
      ]
    }
    return [
      .table(
        ReportTable(
          "The payout ledger",
          [.text("Payouts"), .number("Count"), .number("USDT"), .number("Share")],
          rows: zip(record.payouts, shares).map { row, share in
            cells(row, record.label(of: row, figures.rules), share)
          },
          total: cells(
            record.payoutTotal, "Total", record.payoutTotal.shareBasisPoints)))
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
