internal import BlakJaks
internal import Foundation
internal import Quantities
internal import RewardModel

extension ReportSections {
  /// The payout ledger.
  func payouts() -> String {
    guard !record.payouts.isEmpty else { return "" }
    var table = HTMLTable("The payout ledger", ["Type", "#Count", "#Total USDT", "#Share"])
    let largest = max(record.payouts.map(\.shareBasisPoints).max() ?? 1, 1)
    func cells(_ row: BlakJaksRecord.PayoutRow, bar: Bool) -> [HTMLTable.Cell] {
      [
        HTMLTable.Cell(row.type), HTMLTable.Cell(row.count.grouped),
        HTMLTable.Cell(row.total.cents),
        HTMLTable.Cell(
          RunFigures.percent(row.shareBasisPoints, decimals: 2),
          bar: bar ? Double(row.shareBasisPoints) * 100 / Double(largest) : nil),
      ]
    }
    for row in record.payouts { table.add(cells(row, bar: true)) }
    table.setTotal(cells(record.payoutTotal, bar: false))
    var out = figures.budgetSentence.map { "<p>\(HTMLText.escaped($0))</p>\n" } ?? ""
    out += table.rendered()
    return section("payouts", "Payout ledger", out)
  }

  /// Prizes, when they were won, and how far the next ones are.
  func milestones() -> String {
    guard !record.prizes.isEmpty else { return "" }
    var table = HTMLTable(
      "Prizes",
      [
        "Prize", "Kind", "#USDT", "#Every", "From tier", "#Awarded", "#Waiting", "#Next due",
        "#Away",
      ])
    for row in record.prizes {
      table.add([
        HTMLTable.Cell(row.prize.name), HTMLTable.Cell(row.prize.kind.rawValue),
        HTMLTable.Cell(row.prize.amount.cents),
        HTMLTable.Cell("\(row.prize.every.grouped) scans"),
        HTMLTable.Cell(row.prize.requiredTier.name), HTMLTable.Cell(row.awarded.grouped),
        HTMLTable.Cell(row.waiting.grouped, style: row.waiting > 0 ? "caution" : ""),
        HTMLTable.Cell("scan \(row.nextDue.grouped)"), HTMLTable.Cell(row.away.grouped),
      ])
    }
    var out = table.rendered()
    if !record.awards.isEmpty, let days = AwardDays(record) {
      let caption =
        "When prizes were won. One mark is one prize on one day; a larger mark stands for more."
      out += "<figure>\n<figcaption>\(caption)</figcaption>\n"
      out += "<div class=\"plot\" id=\"plot-milestones\" role=\"img\" "
      out += "aria-label=\"\(caption)\"></div>\n"
      out += HTMLText.details("Awards by month as a table", awardTable(days), printed: true)
      out += "</figure>\n"
      out += HTMLText.details("The largest awards", largestAwards())
    }
    return section("milestones", "Milestone prizes", out)
  }

  private func awardTable(_ days: AwardDays) -> String {
    var table = HTMLTable(
      "Awards by month and prize", ["Month"] + record.prizes.map { "#" + $0.prize.name })
    for (index, month) in record.months.enumerated() {
      let counts = record.prizes.map { days.count(of: $0.prize.name, in: month.month) }
      table.add(
        [HTMLTable.Cell(Plots.label(index, record, figures))]
          + counts.map { HTMLTable.Cell($0.grouped) })
    }
    table.setTotal(["Whole run"] + record.prizes.map { HTMLTable.Cell($0.awarded.grouped) })
    return table.rendered()
  }

  private func largestAwards() -> String {
    var table = HTMLTable(
      "The largest awards",
      ["#Award", "Prize", "#USDT", "#Due at scan", "#Won at scan", "Time (UTC)", "Member"])
    let largest = record.awards.sorted { ($1.amount, $0.award) < ($0.amount, $1.award) }.prefix(50)
    for row in largest {
      table.add([
        HTMLTable.Cell(row.award.grouped), HTMLTable.Cell(row.prize),
        HTMLTable.Cell(row.amount.cents), HTMLTable.Cell(row.dueScan.grouped),
        HTMLTable.Cell(row.wonScan.grouped),
        HTMLTable.Cell(Self.minute(row.time, 19)),
        HTMLTable.Cell(row.member),
      ])
    }
    let note =
      record.awards.count > largest.count
      ? "<p class=\"soft\">\(largest.count) of \(record.awards.count.grouped) awards; "
        + "awards.csv has them all.</p>\n" : ""
    return note + table.rendered(tall: true)
  }

  /// Affiliates, weekly pools and the ledger.
  func partners() -> String {
    let affiliates = record.affiliates
    var table = HTMLTable("Affiliates at the end", ["Affiliates", "#At the end"])
    let rows: [(String, String)] = [
      ("Active affiliates", affiliates.active.grouped),
      ("Referred members", affiliates.referred.grouped),
      ("Chips issued", affiliates.chipsIssued.grouped),
      ("Chips not expired", affiliates.chipsUnexpired.grouped),
      ("Match paid, USDT", affiliates.matchPaid.cents),
      ("Weekly pools paid, USDT", affiliates.poolPaid.cents),
      ("VIP for life", affiliates.floors.vip.grouped),
      ("High Roller for life", affiliates.floors.highRoller.grouped),
      ("Whale for life", affiliates.floors.whale.grouped),
    ]
    for row in rows { table.add([HTMLTable.Cell(row.0), HTMLTable.Cell(row.1)]) }
    var out = table.rendered()
    if !record.pools.isEmpty {
      out += HTMLText.details("\(record.pools.count) weekly pools", poolTable())
    }
    if !record.accounts.isEmpty {
      var ledger = HTMLTable("Ledger accounts", ["Account", "#Balance USDT", "#Postings"])
      for row in record.accounts {
        ledger.add([
          HTMLTable.Cell(row.account, style: "code"), HTMLTable.Cell(row.balance.cents),
          HTMLTable.Cell(row.postings.grouped),
        ])
      }
      out += HTMLText.details("\(record.accounts.count) ledger accounts", ledger.rendered())
    }
    return section("partners", "Affiliates and ledger", out)
  }

  /// The first characters of an instant's text, with a blank between date and time.
  private static func minute(_ instant: Instant, _ length: Int) -> String {
    String(instant.description.prefix(length)).replacing("T", with: " ")
  }

  private func poolTable() -> String {
    var table = HTMLTable(
      "Weekly affiliate pools",
      ["Paid at (UTC)", "#Pool USDT", "#Chips", "#Holders", "#Paid USDT", "#Carried USDT"])
    for row in record.pools {
      table.add([
        HTMLTable.Cell(Self.minute(row.time, 16)),
        HTMLTable.Cell(row.pool.cents), HTMLTable.Cell(row.chips.grouped),
        HTMLTable.Cell(row.holders.grouped), HTMLTable.Cell(row.paid.cents),
        HTMLTable.Cell(row.carry.description),
      ])
    }
    return table.rendered(tall: true)
  }

  /// The resolved settings by mark: what is fact, what was assumed, what was chosen.
  func assumptions() -> String {
    guard !record.settings.isEmpty else { return "" }
    let others = Set(record.settings.map(\.mark)).subtracting(SettingComparison.marks.map(\.mark))
      .sorted()
    var out = "<p class=\"soft\">Every number of the run, by where it comes from.</p>\n"
    for (mark, words) in SettingComparison.marks + others.map({ ($0, $0) }) {
      let rows = record.settings.filter { $0.mark == mark }
      guard !rows.isEmpty else { continue }
      var table = HTMLTable("Settings: \(words)", ["Setting", "Value"])
      for row in rows {
        table.add([
          HTMLTable.Cell(row.path, style: "code"), HTMLTable.Cell(row.value, style: "code"),
        ])
      }
      out += HTMLText.details("\(rows.count) \(words)", table.rendered(tall: true))
    }
    return section("assumptions", "Settings and assumptions", out)
  }

  /// How the run was made and where its files are.
  func footer(links: [String]) -> String {
    var table = HTMLTable("How this was run", ["", ""])
    var rows: [(String, String)] = [("Run", RunWords.span(record))]
    if !record.fingerprint.isEmpty { rows.append(("Fingerprint", record.fingerprint)) }
    rows.append(("Kernel events", record.events.grouped))
    rows.append(("Speed", RunWords.speed(record)))
    for row in rows {
      table.add([HTMLTable.Cell(row.0), HTMLTable.Cell(row.1, style: "code")])
    }
    var out = table.rendered()
    if !links.isEmpty {
      let anchors = links.map { name in
        let path =
          name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
        return "<a href=\"./\(HTMLText.escaped(path))\">\(HTMLText.escaped(name))</a>"
      }
      out += "<p>Files of this run: \(anchors.joined(separator: ", "))</p>\n"
    }
    return section("run", "How this was run", out)
  }
}
