package import BlakJaks
internal import Foundation
internal import Quantities
internal import RewardModel

/// What a run showed, for a terminal: read in half a minute.
package enum TerminalSummary {
  /// The summary, each line with a line end behind it.
  ///
  /// - Parameters:
  ///   - record: The run.
  ///   - folder: Where its files stand; nil when none were written.
  ///   - width: Columns of the terminal; text is wrapped and bars are cut to it, tables are not.
  ///   - colour: Whether escape sequences for colours may be used.
  package static func text(
    _ record: BlakJaksRecord, folder: String?, width: Int = 100, colour: Bool = false
  ) -> String {
    let page = Page(
      record: record, figures: RunFigures(record), width: max(40, width), colour: colour)
    let sections = [
      page.header(), page.headline(), page.tiers(), page.months(), page.payouts(), page.prizes(),
      page.closing(folder),
    ]
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }
}

/// The sections of one summary, each a list of lines.
private struct Page {
  let record: BlakJaksRecord
  let figures: RunFigures
  let width: Int
  let colour: Bool

  func header() -> [String] {
    var lines = [TextStyle.bold.applied(to: DisplayText.safe(record.scenario), colour: colour)]
    if record.interrupted {
      lines[0] += TextStyle.bad.applied(
        to: "  INTERRUPTED: the figures cover what was run", colour: colour)
    }
    lines += DisplayText.wrapped(record.scenarioDescription, width: width)
    lines.append(DisplayText.safe(RunWords.span(record)))
    return lines
  }

  func headline() -> [String] {
    var counts = TextTable([("", .left), ("", .right), ("", .left), ("", .right), ("", .right)])
    func row(
      _ name: String, _ count: Int64, _ money: String, _ amount: MicroUSDT, _ share: Int64?
    ) {
      counts.add([
        TextTable.Cell(name), TextTable.Cell(count.grouped, .bold), TextTable.Cell("   " + money),
        TextTable.Cell(amount.cents, .bold),
        share.map { TextTable.Cell(RunFigures.percent($0) + " of budget") } ?? "",
      ])
    }
    row("Accepted scans", record.acceptedScans, "Gross profit", figures.grossProfit, nil)
    row("Members", record.members, "Budget", figures.budget, nil)
    row(
      "Tins sold", record.tinsSold, "Spend, accrual", figures.spendAccrual,
      figures.accrualUtilisation)
    row(
      "Awards", Int64(record.awards.count), "Spend, cash", figures.spendCash,
      figures.cashUtilisation)
    var lines = counts.lines(colour: colour)
    let sentences = [RunWords.health(record, figures), figures.budgetSentence]
      .compactMap { $0 }.joined(separator: " ")
    if !sentences.isEmpty { lines += [""] + DisplayText.wrapped(sentences, width: width) }
    return lines
  }

  func tiers() -> [String] {
    guard record.members > 0 else { return [] }
    var table = TextTable([("Tier at the end", .left), ("Members", .right), ("Share", .right)])
    for tier in Tier.allCases {
      let count = record.tiers[tier]
      table.add([
        TextTable.Cell(tier.name), TextTable.Cell(count.grouped),
        TextTable.Cell(RunFigures.percent(RunFigures.share(count, of: record.members))),
      ])
    }
    return table.lines(colour: colour)
  }

  func months() -> [String] {
    guard !record.months.isEmpty else { return [] }
    var table = TextTable([
      ("Month", .left), ("Gross profit", .right), ("Budget", .right), ("Spend cash", .right),
      ("Spend accrual", .right), ("Utilised", .right), ("", .left), ("Status", .left),
    ])
    for (index, month) in record.months.enumerated() {
      let style = TextStyle.of(month.status)
      table.add([
        TextTable.Cell(month.month + (figures.isPartial(index, of: record) ? "*" : "")),
        TextTable.Cell(month.grossProfit.cents), TextTable.Cell(month.budget.cents),
        TextTable.Cell(month.spendCash.cents), TextTable.Cell(month.spendAccrual.cents),
        TextTable.Cell(RunFigures.percent(month.utilisationBasisPoints), style),
        TextTable.Cell(bar(month.utilisationBasisPoints), style),
        TextTable.Cell(month.status?.rawValue ?? "no budget", style),
      ])
    }
    var lines = table.lines(colour: colour)
    let isPartial = figures.firstMonthIsPartial || figures.lastMonthIsPartial
    let star = isPartial ? "* partial month. " : ""
    let note = "\(star)Utilised: spend by \(figures.recognition) ÷ budget; a full bar is 100 %."
    lines += DisplayText.wrapped(note, width: width).map {
      TextStyle.dim.applied(to: $0, colour: colour)
    }
    return lines
  }

  /// Eighths of ten blocks for 100 %; beyond that an arrow.
  private func bar(_ basisPoints: Int64?) -> String {
    guard let basisPoints, basisPoints > 0 else { return "" }
    if basisPoints > 10_000 { return "██████████▶" }
    let eighths = Int((basisPoints * 80 + 5_000) / 10_000)
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }

  func payouts() -> [String] {
    guard !record.payouts.isEmpty else { return [] }
    var table = TextTable([
      ("Payouts", .left), ("Count", .right), ("USDT", .right), ("Share", .right),
    ])
    func cells(_ row: BlakJaksRecord.PayoutRow) -> [TextTable.Cell] {
      [
        TextTable.Cell(row.type), TextTable.Cell(row.count.grouped),
        TextTable.Cell(row.total.cents),
        TextTable.Cell(RunFigures.percent(row.shareBasisPoints, decimals: 2)),
      ]
    }
    for row in record.payouts { table.add(cells(row)) }
    table.setTotal(cells(record.payoutTotal))
    return table.lines(colour: colour)
  }

  func prizes() -> [String] {
    guard !record.prizes.isEmpty else { return [] }
    var table = TextTable([
      ("Prize", .left), ("USDT", .right), ("Every", .right), ("From tier", .left),
      ("Awarded", .right), ("Waiting", .right), ("Next due", .right), ("", .left),
    ])
    for row in record.prizes {
      table.add([
        TextTable.Cell(row.prize.name), TextTable.Cell(row.prize.amount.cents),
        TextTable.Cell(row.prize.every.grouped), TextTable.Cell(row.prize.requiredTier.name),
        TextTable.Cell(row.awarded.grouped),
        TextTable.Cell(row.waiting.grouped, row.waiting > 0 ? .caution : .plain),
        TextTable.Cell("scan \(row.nextDue.grouped)"),
        TextTable.Cell("\(row.away.grouped) away"),
      ])
    }
    return table.lines(colour: colour)
  }

  func closing(_ folder: String?) -> [String] {
    var table = TextTable([("", .left), ("", .left)])
    if let folder { table.add(["Run folder", TextTable.Cell(folder, .bold)]) }
    if !record.fingerprint.isEmpty {
      table.add(["Fingerprint", TextTable.Cell(record.fingerprint)])
    }
    table.add(["Speed", TextTable.Cell(RunWords.speed(record))])
    return table.lines(colour: colour)
  }
}
