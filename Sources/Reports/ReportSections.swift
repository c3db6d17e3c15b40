internal import BlakJaks
internal import Foundation
internal import Quantities
internal import RewardModel

/// The sections of the page, each as HTML.
struct ReportSections {
  let record: BlakJaksRecord
  let figures: RunFigures

  /// What the run showed.
  func all() -> String {
    budget() + payouts() + milestones() + scans() + tiers() + partners()
  }

  func header() -> String {
    var out = "<header>\n<h1>\(HTMLText.escaped(record.scenario))</h1>\n"
    if !record.scenarioDescription.isEmpty {
      out += "<p>\(HTMLText.escaped(record.scenarioDescription))</p>\n"
    }
    out += "<p class=\"soft\">\(HTMLText.escaped(RunWords.span(record)))</p>\n"
    if record.interrupted {
      out += "<p class=\"notice bad\" role=\"alert\">This run was interrupted. "
      out += "The figures cover what was run until then.</p>\n"
    }
    let sentences = [RunWords.health(record, figures), figures.budgetSentence].compactMap { $0 }
    if !sentences.isEmpty {
      out += "<p class=\"lead\">\(HTMLText.escaped(sentences.joined(separator: " ")))</p>\n"
    }
    return out + cards() + "</header>\n"
  }

  private func cards() -> String {
    func usdt(_ amount: MicroUSDT) -> String {
      let half: Int64 = amount < .zero ? -500_000 : 500_000
      return ((amount.microunits &+ half) / 1_000_000).grouped
    }
    func ofBudget(_ share: Int64?) -> String {
      share.map { RunFigures.percent($0) + " of budget" } ?? "no budget"
    }
    var cards = [
      card("Accepted scans", record.acceptedScans.grouped, "", perDay),
      card("Members", record.members.grouped, "", refused),
      card("Tins sold", record.tinsSold.grouped, "", throughShop),
      card("Gross profit", usdt(figures.grossProfit), "USDT", ""),
      card("Budget", usdt(figures.budget), "USDT", "sum of the months"),
      card(
        "Spend, accrual", usdt(figures.spendAccrual), "USDT", ofBudget(figures.accrualUtilisation),
        style: style(figures.accrualUtilisation)),
      card(
        "Spend, cash", usdt(figures.spendCash), "USDT", ofBudget(figures.cashUtilisation),
        style: style(figures.cashUtilisation)),
    ]
    if let next = record.prizes.max(by: { $0.prize.amount < $1.prize.amount }) {
      cards.append(
        card(
          "Next \(next.prize.name)", next.away.grouped, "scans away",
          "\(next.awarded.grouped) awarded, \(next.waiting.grouped) waiting"))
    }
    return "<dl class=\"cards\">\n\(cards.joined())</dl>\n"
  }

  private var perDay: String {
    guard !record.days.isEmpty else { return "" }
    return "\((record.acceptedScans / Int64(record.days.count)).grouped) a day"
  }

  private var throughShop: String {
    record.tinsSoldInShop > 0
      ? "\(record.tinsSoldInShop.grouped) through the shop" : ""
  }

  private var refused: String {
    record.refusedUnderAge > 0
      ? "\(record.refusedUnderAge.grouped) refused at the age gate" : ""
  }

  /// The colour of a utilisation of the whole run.
  func style(_ basisPoints: Int64?) -> String {
    guard let basisPoints else { return "soft" }
    if basisPoints < figures.warningBound { return "good" }
    return basisPoints <= figures.criticalBound ? "caution" : "bad"
  }

  func card(
    _ name: String, _ value: String, _ unit: String, _ note: String, style: String = "soft"
  ) -> String {
    var out = "<div class=\"card\"><dt>\(HTMLText.escaped(name))</dt>"
    out += "<dd class=\"big\">\(HTMLText.escaped(value))"
    if !unit.isEmpty { out += " <small>\(HTMLText.escaped(unit))</small>" }
    out += "</dd>"
    if !note.isEmpty { out += "<dd class=\"\(style)\">\(HTMLText.escaped(note))</dd>" }
    return out + "</div>\n"
  }

  /// A section with a heading that links can name.
  func section(_ id: String, _ title: String, _ content: String) -> String {
    "<section id=\"\(id)\" aria-labelledby=\"\(id)-title\">\n"
      + "<h2 id=\"\(id)-title\">\(HTMLText.escaped(title))</h2>\n\(content)</section>\n"
  }

  /// The place of a plot, what it shows in words, and its figures as a table below.
  func figure(_ id: String, _ caption: String, _ details: String) -> String {
    "<figure>\n<figcaption>\(HTMLText.escaped(caption))</figcaption>\n"
      + "<div class=\"plot\" id=\"\(id)\" role=\"img\" aria-label=\"\(HTMLText.escaped(caption))\">"
      + "</div>\n\(details)</figure>\n"
  }

  func budget() -> String {
    guard !record.months.isEmpty else {
      return section("budget", "Budget and spend", "<p class=\"soft\">No day was run.</p>\n")
    }
    let partial = figures.firstMonthIsPartial || figures.lastMonthIsPartial
    var caption = "Spend against budget since the start, and the share of each month's budget "
    caption += "that was used. The points have the colour of their month's status; the dashed "
    caption += "lines are the bounds of Warning and Critical."
    caption += partial ? " A star marks a month that was run in part." : ""
    var out = figure(
      "plot-budget", caption,
      HTMLText.details("The months as a table", monthTable(), printed: true))
    if record.days.contains(where: { $0.projectedBasisPoints != nil }) {
      out += figure(
        "plot-projection",
        "How the month was expected to end, as seen at the end of each day.",
        HTMLText.details("The days as a table", projectionTable()))
    }
    return section("budget", "Budget and spend", out)
  }

  func monthTable() -> String {
    var table = HTMLTable(
      "Budget and spend by month in USDT",
      [
        "Month", "#Tins sold", "#Scans", "#Gross profit", "#Budget", "#Spend, cash",
        "#Spend, accrual", "#Utilised by \(figures.recognition)", "Status",
      ])
    for (index, month) in record.months.enumerated() {
      table.add([
        HTMLTable.Cell(Plots.label(index, record, figures)),
        HTMLTable.Cell(month.tinsSold.grouped), HTMLTable.Cell(month.acceptedScans.grouped),
        HTMLTable.Cell(month.grossProfit.cents), HTMLTable.Cell(month.budget.cents),
        HTMLTable.Cell(month.spendCash.cents), HTMLTable.Cell(month.spendAccrual.cents),
        HTMLTable.Cell(RunFigures.percent(month.utilisationBasisPoints)),
        statusCell(month.status),
      ])
    }
    table.setTotal([
      "Whole run", HTMLTable.Cell(record.tinsSold.grouped),
      HTMLTable.Cell(record.acceptedScans.grouped), HTMLTable.Cell(figures.grossProfit.cents),
      HTMLTable.Cell(figures.budget.cents), HTMLTable.Cell(figures.spendCash.cents),
      HTMLTable.Cell(figures.spendAccrual.cents),
      HTMLTable.Cell(
        RunFigures.percent(
          figures.recognition == "cash" ? figures.cashUtilisation : figures.accrualUtilisation)),
      "",
    ])
    return table.rendered()
  }

  func statusCell(_ status: BudgetStatus?) -> HTMLTable.Cell {
    switch status {
    case .normal: HTMLTable.Cell("Normal", style: "good")
    case .warning: HTMLTable.Cell("Warning", style: "caution")
    case .critical: HTMLTable.Cell("Critical", style: "bad")
    case nil: HTMLTable.Cell("no budget", style: "soft")
    }
  }

  private func projectionTable() -> String {
    var table = HTMLTable(
      "Projected utilisation by day", ["Date", "#Projected at month's end", "Status"])
    for day in record.days {
      table.add([
        HTMLTable.Cell(day.date.description),
        HTMLTable.Cell(RunFigures.percent(day.projectedBasisPoints)), statusCell(day.status),
      ])
    }
    return table.rendered(tall: true)
  }

  private func dayTable() -> String {
    var table = HTMLTable(
      "Days",
      [
        "Date", "#Sign-ups", "#Members", "#Purchases", "#Tins sold", "#Submitted", "#Scans",
        "#Gross profit", "#Spend, cash", "#Spend, accrual",
      ])
    for day in record.days {
      table.add([
        HTMLTable.Cell(day.date.description), HTMLTable.Cell(day.signups.grouped),
        HTMLTable.Cell(day.members.grouped), HTMLTable.Cell(day.purchases.grouped),
        HTMLTable.Cell(day.tinsSold.grouped), HTMLTable.Cell(day.submitted.grouped),
        HTMLTable.Cell(day.acceptedScans.grouped), HTMLTable.Cell(day.grossProfit.cents),
        HTMLTable.Cell(day.spendCash.cents), HTMLTable.Cell(day.spendAccrual.cents),
      ])
    }
    return table.rendered(tall: true)
  }

  func scans() -> String {
    var outcomes = HTMLTable("Submitted codes by outcome", ["Outcome", "#Codes", "#Share"])
    let submitted = record.outcomes.reduce(0) { $0 + $1.count }
    for row in record.outcomes {
      outcomes.add([
        HTMLTable.Cell(row.name, style: "code"), HTMLTable.Cell(row.count.grouped),
        HTMLTable.Cell(
          RunFigures.percent(RunFigures.share(row.count, of: submitted), decimals: 2)),
      ])
    }
    var out = ""
    if !record.days.isEmpty {
      let caption =
        "Accepted scans on each day, and the mean of the seven days that end with it."
      out += figure("plot-scans", caption, HTMLText.details("The days as a table", dayTable()))
    }
    if !record.outcomes.isEmpty {
      out += HTMLText.details(
        "\(submitted.grouped) codes submitted, by outcome", outcomes.rendered())
    }
    return out.isEmpty ? "" : section("scans", "Scans", out)
  }

  func tiers() -> String {
    guard !record.days.isEmpty || record.members > 0 else { return "" }
    var end = HTMLTable("Members by tier at the end", ["Tier at the end", "#Members", "#Share"])
    for tier in Tier.allCases {
      let share = RunFigures.share(record.tiers[tier], of: record.members)
      end.add([
        HTMLTable.Cell(tier.name), HTMLTable.Cell(record.tiers[tier].grouped),
        HTMLTable.Cell(
          RunFigures.percent(share), bar: Double(share ?? 0) / 100),
      ])
    }
    var quarters = HTMLTable(
      "Members by tier at the end of each quarter",
      ["Quarter"] + Tier.allCases.map { "#" + $0.name })
    for row in record.quarters {
      quarters.add(
        [HTMLTable.Cell(row.quarter)] + row.tiers.all.map { HTMLTable.Cell($0.grouped) })
    }
    var out = ""
    if !record.days.isEmpty {
      let caption = "Members by effective tier at the end of each day; tiers are earned anew in "
      out += figure(
        "plot-tiers", caption + "each quarter.",
        HTMLText.details("The quarters as a table", quarters.rendered(), printed: true))
    }
    return section("tiers", "Members by tier", out + end.rendered())
  }
}
