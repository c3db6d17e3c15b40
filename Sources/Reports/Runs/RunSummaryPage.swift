internal import BlakJaks
internal import Quantities
internal import RewardModel
internal import Simulator

/// The first page about one run: what was asked, what came out, and why, for people who read no
/// further.
struct RunSummaryPage {
  let run: ReportRun
  let title: String

  private var record: BlakJaksRecord { run.record }
  private var figures: RunFigures { run.figures }

  /// How many rules are named as eaters of the budget.
  private static let eatersMost = 5

  func rendered() -> String {
    var out = "<header class=\"summary\">\n<h1>\(HTMLText.escaped(title))</h1>\n"
    if !record.scenarioDescription.isEmpty {
      out += RunsHTML.paragraph(record.scenarioDescription)
    }
    out += RunsHTML.paragraph(
      "\(record.scenario), \(RunWords.span(record)), fingerprint \(run.shortFingerprint)",
      style: "soft")
    out += RunsHTML.interruption(run, name: "This run")
    out += RunsHTML.paragraph(run.verdict, style: "verdict \(RunsHTML.style(run))")
    if !run.reasons.isEmpty { out += RunsHTML.paragraph(run.reasons, style: "lead") }
    out += cards() + "</header>\n"
    var body = ""
    if plot != nil {
      body += RunsHTML.figure(
        "plot-summary",
        "Budget and spend by \(figures.recognition) of each month; spend has the colour of the "
          + "month's status.")
    }
    body += "<div class=\"pair\">\n<div class=\"plain\">\(eaters())</div>\n"
    body += "<div class=\"plain\">\(treasury())</div>\n</div>\n"
    return out + RunsHTML.section("summary", "Where the money goes and stands", body, flow: true)
  }

  private func cards() -> String {
    let sections = ReportSections(record: record, figures: figures)
    func usdt(_ amount: MicroUSDT) -> String {
      let half: Int64 = amount < .zero ? -500_000 : 500_000
      return ((amount.microunits &+ half) / 1_000_000).grouped
    }
    let breaches = run.breachMonths
    let months = record.months.count
    let worst = run.worstMonth
    let cards = [
      sections.card("Members", record.members.grouped, "", "\(record.days.count.grouped) days"),
      sections.card(
        "Accepted scans", record.acceptedScans.grouped, "",
        "of \(record.tinsSold.grouped) tins sold"),
      sections.card("Gross profit", usdt(figures.grossProfit), "USDT", ""),
      sections.card("Budget", usdt(figures.budget), "USDT", "sum of the months"),
      sections.card(
        "Spend, \(figures.recognition)", usdt(run.spend), "USDT",
        RunFigures.percent(run.utilisation) + " of budget", style: RunsHTML.style(run)),
      sections.card(
        run.left < .zero ? "Budget missing" : "Budget left",
        usdt(run.left < .zero ? MicroUSDT.zero.lessClamped(run.left) : run.left), "USDT", ""),
      sections.card(
        "Highest month", RunFigures.percent(worst?.utilisationBasisPoints), "",
        worst?.month ?? "no budget", style: sections.style(worst?.utilisationBasisPoints)),
      sections.card(
        "Months over budget", "\(RunFigures.months(.critical, in: record))", "of \(months)",
        breaches.isEmpty ? "none" : Self.few(breaches), style: breaches.isEmpty ? "good" : "bad"),
    ]
    return "<dl class=\"cards\">\n\(cards.joined())</dl>\n"
  }

  /// The first few of some words.
  private static func few(_ words: [String]) -> String {
    words.count <= 3
      ? words.joined(separator: ", ")
      : words.prefix(2).joined(separator: ", ") + " and \(words.count - 2) more times"
  }

  /// Budget and spend by month; nil without a month.
  var plot: PlotSpec? {
    guard !record.months.isEmpty else { return nil }
    let months = PlotValue.texts(record.months.indices.map { Plots.label($0, record, figures) })
    func usdt(_ amounts: [MicroUSDT]) -> PlotValue {
      .numbers(amounts.map { (Double($0.microunits) / 10_000).rounded() / 100 })
    }
    return PlotSpec(
      id: "plot-summary",
      data: [
        [
          "type": "bar", "name": "Budget", "x": months, "y": usdt(record.months.map(\.budget)),
          "marker": ["color": "@@faint"], "hovertemplate": "%{y:,.0f} USDT",
        ],
        [
          "type": "bar", "name": "Spend", "x": months,
          "y": usdt(record.months.map { run.spend($0) }),
          "marker": ["color": .list(record.months.map { .text(Plots.colour($0.status)) })],
          "hovertemplate": "%{y:,.0f} USDT",
        ],
      ],
      layout: [
        "xaxis": ["type": "category", "automargin": true],
        "yaxis": ["title": ["text": "USDT"], "rangemode": "tozero", "automargin": true],
        "barmode": "group", "bargap": 0.3, "showlegend": false, "hovermode": "x unified",
        "height": 230, "margin": ["l": 64, "r": 8, "t": 10, "b": 30],
      ])
  }

  /// The rules that take the budget, with the settings that govern them.
  private func eaters() -> String {
    var out = "<h3>What eats the budget</h3>\n"
    guard !figures.budgetEaters.isEmpty else {
      return out + RunsHTML.paragraph("Nothing was paid from the comp pool.", style: "soft")
    }
    var table = HTMLTable(
      "What was paid from the comp pool", ["Rule", "#USDT", "#Of the budget"])
    let largest = max(figures.budgetEaters[0].shareOfBudget ?? 1, 1)
    for eater in figures.budgetEaters.prefix(Self.eatersMost) {
      table.add([
        HTMLTable.Cell(eater.type, note: settings(of: eater.type)),
        HTMLTable.Cell(eater.total.cents),
        HTMLTable.Cell(
          RunFigures.percent(eater.shareOfBudget),
          bar: Double(eater.shareOfBudget ?? 0) * 100 / Double(largest)),
      ])
    }
    out += table.rendered()
    let rest = figures.budgetEaters.count - Self.eatersMost
    if rest > 0 {
      out += RunsHTML.paragraph("and \(rest) more in the payout ledger", style: "soft")
    }
    return out
  }

  /// Where a payout type's rule is set; empty when the run's settings do not tell.
  private func settings(of type: String) -> String {
    let places = [
      "Scan reward": "rules.scan_reward", "$50 Guarantee": "rules.guarantee",
      "21% Match": "rules.affiliates", "Chip redemption": "rules.chips",
      "Wholesale": "rules.wholesale",
    ]
    let prize = record.prizes.firstIndex { $0.prize.name == type }.map { "rules.prizes[\($0)]" }
    guard let place = prize ?? places[type],
      record.settings.contains(where: { $0.path.hasPrefix(place) })
    else { return "" }
    return place
  }

  /// Balances, what is owed, and payouts under way, as they stand at the run's end.
  private func treasury() -> String {
    var table = HTMLTable("Balances and obligations at the end", ["At the end", "#Value"])
    func add(_ label: String, _ unit: InsightUnit, _ key: String, worth: String = "") {
      let value = run.value(key)
      var text = InsightWords.value(value, unit, bare: true)
      if case .number(let amount) = run.value(worth) {
        text += " (\(InsightWords.words(amount, .money)))"
      }
      table.add([
        HTMLTable.Cell(label), HTMLTable.Cell(text, style: value.absence == nil ? "" : "soft"),
      ])
    }
    for balance in RunHeadlines.balances { add(balance.label, .money, balance.key) }
    add("Trip reserve", .money, "trip_reserve")
    add("Chip liability", .money, "chips.liability")
    add("Owed to members", .money, "payable.member")
    add("Payouts pending", .count, "payouts.pending", worth: "payouts.pending_value")
    add("Payouts failed", .count, "payouts.failed", worth: "payouts.failed_value")
    return "<h3>Treasury and obligations in USDT</h3>\n" + table.rendered()
  }
}
