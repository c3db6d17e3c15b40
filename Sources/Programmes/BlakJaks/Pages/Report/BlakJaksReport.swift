internal import Quantities
internal import RewardModel

/// The report of one run, each section from the rows of its record.
struct BlakJaksReport {
  let record: BlakJaksRecord
  let figures: RunFigures

  init(_ figures: RunFigures) {
    record = figures.record
    self.figures = figures
  }

  /// - Complexity: O(rows of the record).
  var report: RunReport {
    RunReport(
      lead: figures.opening, size: figures.size, cards: cards, opening: opening,
      sections: [budget, payouts, milestones, scans, tiers, partners].compactMap { $0 },
      pages: figures.atEnd.map { asOf in
        InsightPage.allCases.filter { $0 != .feed }.map { Insights.page($0, asOf) }
      } ?? [],
      pace: figures.pace)
  }

  private var cards: [ReportCard] {
    func spend(_ name: String, _ amount: MicroUSDT) -> ReportCard {
      let share = figures.share(of: amount)
      return ReportCard(
        name, PageWords.wholeUSDT(amount), unit: "USDT",
        note: share.basisPoints == nil ? "no budget" : share.words + " of budget",
        tone: share.tone)
    }
    let days = Int64(record.days.count)
    let perDay = days == 0 ? nil : PageWords.mean(record.acceptedScans, over: days)
    var cards = costCards
    cards += [
      ReportCard(
        "Accepted scans", record.acceptedScans.grouped,
        note: perDay.map { "\($0) a day" } ?? ""),
      ReportCard(
        "Members", record.members.grouped,
        note: record.refusedUnderAge > 0
          ? "\(record.refusedUnderAge.grouped) refused at the age gate" : ""),
      ReportCard(
        "Tins sold", record.tinsSold.grouped,
        note: record.tinsSoldInShop > 0 ? "\(record.tinsSoldInShop.grouped) through the shop" : ""),
      ReportCard("Gross profit", PageWords.wholeUSDT(figures.grossProfit), unit: "USDT"),
      ReportCard(
        "Budget", PageWords.wholeUSDT(figures.budget), unit: "USDT", note: "sum of the months"),
      spend("Spend, accrual", figures.spendAccrual), spend("Spend, cash", figures.spendCash),
    ]
    if let next = record.prizes.max(by: { $0.prize.amount < $1.prize.amount }) {
      cards.append(
        ReportCard(
          "Next \(next.prize.name)", next.away.grouped, unit: "scans away",
          note: "\(next.awarded.grouped) awarded, \(next.waiting.grouped) waiting"))
    }
    return cards
  }

  private var budget: ReportSection {
    guard !record.months.isEmpty else {
      return ReportSection("budget", "Budget and spend", [.paragraph("No day was run.", .soft)])
    }
    var caption = "Spend against budget since the start, and the share of each month's budget "
    caption += "that was used. The points have the color of their month's status; the dashed "
    caption += "lines are the bounds of Warning and Critical."
    caption += figures.partialMonths.isAny ? " A star marks a month that was run in part." : ""
    var blocks: [ReportBlock] = [
      .plot(
        budgetPlot, caption: caption,
        details: [.details("The months as a table", printed: true, [.table(monthTable)])])
    ]
    if let projectionPlot {
      blocks.append(
        .plot(
          projectionPlot.plot, caption: projectionPlot.caption,
          details: [.details("The days as a table", [.table(projectionTable)])]))
    }
    return ReportSection("budget", "Budget and spend", blocks)
  }

  private var monthTable: ReportTable {
    func cells(
      _ name: ReportCell, _ counts: [Int64], _ amounts: [MicroUSDT], _ share: JudgedShare,
      _ status: ReportCell
    ) -> [ReportCell] {
      [name] + counts.map { ReportCell($0.grouped) } + amounts.map { ReportCell($0.cents) }
        + [ReportCell(share.words), status]
    }
    return ReportTable(
      "Budget and spend by month in USDT",
      [
        .text("Month"), .number("Tins sold"), .number("Scans"), .number("Gross profit"),
        .number("Budget"), .number("Spend, cash"), .number("Spend, accrual"),
        .number("Utilized by \(figures.recognition)"), .text("Status"),
      ],
      rows: record.months.enumerated().map { index, month in
        cells(
          ReportCell(figures.label(index)), [month.tinsSold, month.acceptedScans],
          [month.grossProfit, month.budget, month.spendCash, month.spendAccrual],
          figures.share(month), month.status.cell)
      },
      total: cells(
        "Whole run", [record.tinsSold, record.acceptedScans],
        [figures.grossProfit, figures.budget, figures.spendCash, figures.spendAccrual],
        figures.share(of: figures.spend), ""))
  }

  private var projectionTable: ReportTable {
    ReportTable(
      "Projected utilization by day",
      [.text("Date"), .number("Projected at month's end"), .text("Status")],
      rows: record.days.enumerated().map { row, day in
        [
          ReportCell(day.date.description),
          ReportCell(figures.projected(row).words), day.status.cell,
        ]
      }, isLong: true)
  }

  private var dayTable: ReportTable {
    ReportTable(
      "Days",
      [
        .text("Date"), .number("Sign-ups"), .number("Members"), .number("Purchases"),
        .number("Tins sold"), .number("Submitted"), .number("Scans"), .number("Gross profit"),
        .number("Spend, cash"), .number("Spend, accrual"),
      ],
      rows: record.days.map { day in
        [ReportCell(day.date.description)]
          + [
            day.signups, day.members, day.purchases, day.tinsSold, day.submitted,
            day.acceptedScans,
          ].map { ReportCell($0.grouped) }
          + [day.grossProfit, day.spendCash, day.spendAccrual].map { ReportCell($0.cents) }
      }, isLong: true)
  }

  private var scans: ReportSection? {
    let submitted = record.outcomes.reduce(0) { $0 + $1.count }
    var blocks: [ReportBlock] = []
    if !record.days.isEmpty {
      blocks.append(
        .plot(
          scansPlot,
          caption:
            "Accepted scans on each day, and the mean of the seven days that end with it, of fewer at first.",
          details: [.details("The days as a table", [.table(dayTable)])]))
    }
    if !record.outcomes.isEmpty {
      let table = ReportTable(
        "Submitted codes by outcome", [.text("Outcome"), .number("Codes"), .number("Share")],
        rows: zip(record.outcomes, PageSums.shares(of: record.outcomes.map(\.count))).map {
          row, share in
          [
            ReportCell(row.name, .code), ReportCell(row.count.grouped),
            ReportCell(PageWords.percent(share, decimals: 2)),
          ]
        })
      blocks.append(
        .details(
          "\(PageWords.counted(submitted, "code", "codes")) submitted, by outcome",
          [.table(table)]))
    }
    return blocks.isEmpty ? nil : ReportSection("scans", "Scans", blocks)
  }

  private var tiers: ReportSection? {
    guard !record.days.isEmpty || record.members > 0 else { return nil }
    var blocks: [ReportBlock] = []
    if !record.days.isEmpty {
      let quarters = ReportTable(
        "Members by tier at the end of each quarter",
        [.text("Quarter")] + Tier.allCases.map { .number($0.name) },
        rows: record.quarters.map { row in
          [ReportCell(row.quarter)] + row.tiers.all.map { ReportCell($0.grouped) }
        })
      blocks.append(
        .plot(
          tiersPlot,
          caption: "Members by effective tier at the end of each day; tiers are earned again in "
            + "each quarter.",
          details: [.details("The quarters as a table", printed: true, [.table(quarters)])]))
    }
    let end = ReportTable(
      "Members by tier at the end",
      [.text("Tier at the end"), .number("Members"), .number("Share")],
      rows: zip(Tier.allCases, figures.tierShares).map { tier, share in
        [
          ReportCell(tier.name), ReportCell(record.tiers[tier].grouped),
          ReportCell(PageWords.percent(share), bar: Double(share ?? 0) / 100),
        ]
      })
    return ReportSection("tiers", "Members by tier", flows: true, blocks + [.table(end)])
  }
}

extension BudgetStatus? {
  /// The status as a cell.
  var cell: ReportCell {
    guard let self else { return ReportCell("no budget", .soft) }
    return ReportCell(self.rawValue, self.tone)
  }
}
