internal import Quantities
internal import RewardModel

extension BlakJaksReport {
  /// The payout ledger.
  var payouts: ReportSection? {
    guard !record.payouts.isEmpty else { return nil }
    let shares = figures.payoutShares
    let largest = max(shares.max() ?? 1, 1)
    func cells(
      _ row: BlakJaksRecord.PayoutRow, _ name: String, _ carrier: String, _ share: Int64,
      bar: Bool
    ) -> [ReportCell] {
      [
        ReportCell(name), ReportCell(carrier), ReportCell(row.count.grouped),
        ReportCell(row.total.cents),
        ReportCell(
          PageWords.percent(share, decimals: 2),
          bar: bar ? Double(share) * 100 / Double(largest) : nil),
      ]
    }
    let table = ReportTable(
      "The payout ledger",
      [
        .text("Type"), .text("Carried by"), .number("Count"), .number("Total USDT"),
        .number("Share"),
      ],
      rows: zip(record.payouts, shares).map { row, share in
        cells(
          row, record.label(of: row, figures.rules),
          record.charge(of: row, figures.rules).label, share, bar: true)
      },
      total: cells(
        record.payoutTotal, "Total", "", record.payoutTotal.shareBasisPoints, bar: false))
    let sentence = figures.budgetSentence.map { [ReportBlock.paragraph($0)] } ?? []
    return ReportSection("payouts", "Payout ledger", sentence + [.table(table)])
  }

  /// Prizes, when they were won, and how far the next ones are.
  var milestones: ReportSection? {
    guard !record.prizes.isEmpty else { return nil }
    let table = ReportTable(
      "Prizes",
      [
        .text("Prize"), .text("Kind"), .number("USDT"), .number("Every"), .text("From tier"),
        .number("Awarded"), .number("Waiting"), .number("Next due"), .number("Away"),
      ],
      rows: record.prizes.map { row in
        [
          ReportCell(row.prize.name), ReportCell(row.prize.kind.rawValue),
          ReportCell(row.prize.amount.cents), ReportCell("\(row.prize.every.grouped) scans"),
          ReportCell(row.prize.requiredTier.name), ReportCell(row.awarded.grouped),
          ReportCell(row.waiting.grouped, row.waiting > 0 ? .caution : .plain),
          ReportCell("scan \(row.nextDue.grouped)"), ReportCell(row.away.grouped),
        ]
      })
    var blocks: [ReportBlock] = [.table(table)]
    if !record.awards.isEmpty, let days = AwardDays(record) {
      blocks += [
        .plot(
          milestonesPlot(days),
          caption: "When prizes were won. One mark is one prize on one day; a larger mark stands "
            + "for more.",
          details: [
            .details(
              "Awards by month as a table", printed: true, [.table(awardTable(days))])
          ]), .details("The largest awards", largestAwards),
      ]
    }
    return ReportSection("milestones", "Milestone prizes", flows: true, blocks)
  }

  private func awardTable(_ days: AwardDays) -> ReportTable {
    ReportTable(
      "Awards by month and prize",
      [.text("Month")] + record.prizes.map { .number($0.prize.name) },
      rows: record.months.enumerated().map { index, month in
        [ReportCell(figures.label(index))]
          + record.prizes.map { row in
            ReportCell(days.count(of: row.prize.name, in: month.month).grouped)
          }
      },
      total: ["Whole run"] + record.prizes.map { ReportCell($0.awarded.grouped) })
  }

  private var largestAwards: [ReportBlock] {
    let largest = record.awards.sorted { ($1.amount, $0.award) < ($0.amount, $1.award) }.prefix(50)
    let table = ReportTable(
      "The largest awards",
      [
        .number("Award"), .text("Prize"), .number("USDT"), .number("Due at scan"),
        .number("Won at scan"), .text("Time (UTC)"), .text("Member"),
      ],
      rows: largest.map { row in
        [
          ReportCell(row.award.grouped), ReportCell(row.prize), ReportCell(row.amount.cents),
          ReportCell(row.dueScan.grouped), ReportCell(row.wonScan.grouped),
          ReportCell(PageWords.minute(row.time, length: 19)), ReportCell(row.member),
        ]
      }, isLong: true)
    guard record.awards.count > largest.count else { return [.table(table)] }
    let note =
      "\(largest.count) of \(record.awards.count.grouped) awards; awards.csv has them all."
    return [.paragraph(note, .soft), .table(table)]
  }

  /// Affiliates, weekly pools and the ledger.
  var partners: ReportSection {
    let affiliates = record.affiliates
    let since = figures.atEnd.map(\.sinceOpening).flatMap { $0.isEmpty ? nil : " \($0)" } ?? ""
    let rows: [(String, String)] = [
      ("Active affiliates", affiliates.active.grouped),
      ("Referred members", affiliates.referred.grouped),
      ("Chips issued\(since)", affiliates.chipsIssued.grouped),
      ("Chips not expired", affiliates.chipsUnexpired.grouped),
      ("Match awarded\(since), USDT", affiliates.matchPaid.cents),
      ("Weekly pools awarded\(since), USDT", affiliates.poolPaid.cents),
    ]
    let floors = Tier.allCases.dropFirst().map {
      ("\($0.name) for life", affiliates.floors[$0].grouped)
    }
    var blocks: [ReportBlock] = [
      .table(
        ReportTable(
          "Affiliates at the end", [.text("Affiliates"), .number("At the end")],
          rows: (rows + floors).map { [ReportCell($0.0), ReportCell($0.1)] }))
    ]
    if !record.pools.isEmpty {
      let count = PageWords.counted(record.pools.count, "weekly pool", "weekly pools")
      blocks.append(.details(count, [.table(poolTable)]))
    }
    if !record.accounts.isEmpty {
      let ledger = ReportTable(
        "Ledger accounts", [.text("Account"), .number("Balance USDT"), .number("Postings")],
        rows: record.accounts.map { row in
          [
            ReportCell(row.account, .code), ReportCell(row.balance.cents),
            ReportCell(row.postings.grouped),
          ]
        })
      blocks.append(.details("\(record.accounts.count) ledger accounts", [.table(ledger)]))
    }
    return ReportSection("partners", "Affiliates and ledger", flows: true, blocks)
  }

  private var poolTable: ReportTable {
    ReportTable(
      "Weekly affiliate pools",
      [
        .text("Paid at (UTC)"), .number("Pool USDT"), .number("Chips"), .number("Holders"),
        .number("Paid USDT"), .number("Carried USDT"),
      ],
      rows: record.pools.map { row in
        [
          ReportCell(PageWords.minute(row.time)), ReportCell(row.pool.cents),
          ReportCell(row.chips.grouped), ReportCell(row.holders.grouped),
          ReportCell(row.paid.cents), ReportCell(row.carry.description),
        ]
      }, isLong: true)
  }
}
