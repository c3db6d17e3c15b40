internal import BlakJaks
internal import Quantities
internal import RewardModel
internal import Simulator

/// The sections of a page about several runs side by side. The first run is the one that the
/// others are compared with.
struct RunsSections {
  let runs: [ReportRun]
  let title: String
  let settings: SettingComparison
  let times: RunTimes
  /// What heads a run's column: a letter, so that runs of one name stay apart, and the name.
  let labels: [String]

  init(runs: [ReportRun], title: String) {
    self.runs = runs
    self.title = title
    settings = SettingComparison(runs)
    times = RunTimes(runs)
    labels = runs.enumerated().map { "\(Self.letter($0.offset)) \($0.element.name)" }
  }

  /// `A`, `B`, `C` …
  static func letter(_ index: Int) -> String {
    String(UnicodeScalar(UInt8(65 + index % 26)))
  }

  var plots: RunsPlots { RunsPlots(runs: runs, labels: labels, times: times) }

  func all() -> String {
    header() + differences() + headlines() + budget() + payouts() + prizes() + programme()
      + treasury()
      + RunsHTML.assumptions(
        settings,
        differing: settings.differing.isEmpty
          ? "All runs share them." : "All runs share these; those that differ stand above.")
      + footer()
  }

  // MARK: - What is compared

  private func header() -> String {
    var out = "<header class=\"summary\">\n<h1>\(HTMLText.escaped(title))</h1>\n"
    out += RunsHTML.paragraph("\(runs.count) runs side by side", style: "soft")
    for (index, run) in runs.enumerated() {
      out += RunsHTML.interruption(run, name: labels[index])
    }
    for (index, run) in runs.enumerated() { out += card(index, run) }
    for note in notes { out += RunsHTML.paragraph(note, style: "soft") }
    return out + "</header>\n"
  }

  private func card(_ index: Int, _ run: ReportRun) -> String {
    let colour = RunsPlots.colour(index).replacing("@@", with: "--")
    var out = "<div class=\"run\" style=\"--run:var(\(colour))\">\n"
    out += "<h2><span class=\"swatch\"></span>\(HTMLText.escaped(labels[index]))</h2>\n"
    if !run.record.scenarioDescription.isEmpty {
      out += RunsHTML.paragraph(run.record.scenarioDescription)
    }
    out += RunsHTML.paragraph(
      "\(run.record.scenario), \(RunWords.span(run.record)), fingerprint \(run.shortFingerprint)",
      style: "soft")
    out += RunsHTML.paragraph(run.verdict, style: "verdict \(RunsHTML.style(run))")
    return out + RunsHTML.paragraph(run.reasons) + "</div>\n"
  }

  /// What readers must know before they compare columns.
  private var notes: [String] {
    var notes: [String] = []
    let simulated = runs.filter { $0.record.source == .simulation }
    let sameSeed = simulated.allSatisfy { $0.record.seed == simulated[0].record.seed }
    if simulated.count == runs.count, sameSeed {
      notes.append(
        "Each column is one run, and all have the seed \(runs[0].record.seed): a member has the "
          + "same luck in each of them, which makes differences clearer but not certain.")
    } else {
      notes.append("Each column is one run; small differences may be chance.")
    }
    if runs.contains(where: { $0.record.days.count != runs[0].record.days.count }) {
      notes.append("The runs differ in length: compare shares rather than sums.")
    }
    if !times.byCalendar {
      notes.append("The runs begin on different days: their months are counted from each start.")
    }
    return notes
  }

  private func headlines() -> String {
    var table = HTMLTable(
      "Headline figures, each with the difference to \(labels[0])",
      ["Figure"] + labels.map { "#" + $0 })
    for group in RunHeadlines.all(runs) {
      table.addGroup(group.title)
      for row in group.rows { table.add(cells(row)) }
    }
    let caption = "Below each figure its difference to \(labels[0]), where there is one."
    return RunsHTML.section(
      "headlines", "Headline figures",
      RunsHTML.paragraph(caption, style: "soft") + table.rendered(), flow: true)
  }

  private func cells(_ row: Headline) -> [HTMLTable.Cell] {
    [HTMLTable.Cell(row.label)]
      + row.values.enumerated().map { index, value in
        let missing = value.absence != nil
        return HTMLTable.Cell(
          InsightWords.value(value, row.unit, bare: true),
          style: missing ? "soft" : row.styles.isEmpty ? "" : row.styles[index],
          note: row.difference(index))
      }
  }

  private func differences() -> String {
    let rows = settings.differing
    guard !rows.isEmpty else {
      return RunsHTML.section(
        "differences", "Settings that differ",
        RunsHTML.paragraph("All settings are the same.", style: "soft"), flow: true)
    }
    var table = HTMLTable("Settings that differ", ["Setting"] + labels)
    for row in rows {
      let unit = row.unit.isEmpty ? "" : " (\(row.unit))"
      table.add(
        [HTMLTable.Cell(row.path, style: "code", note: row.doc + unit)]
          + row.entries.map { entry in
            guard let entry else { return HTMLTable.Cell("–", style: "soft", note: "not in use") }
            return HTMLTable.Cell(entry.value, style: "code wrap", note: entry.mark)
          })
    }
    return RunsHTML.section(
      "differences", "Settings that differ", table.rendered(tall: rows.count > 24), flow: true)
  }

  // MARK: - What came out

  private func budget() -> String {
    guard !times.months.isEmpty else {
      return RunsHTML.section(
        "budget", "Budget and spend", RunsHTML.paragraph("No day was run.", style: "soft"))
    }
    var table = HTMLTable(
      "Utilisation of each month's budget", ["Month"] + labels.map { "#" + $0 })
    for (index, month) in times.months.enumerated() {
      table.add(
        [HTMLTable.Cell(month)]
          + runs.map { run in
            guard index < run.record.months.count else { return "–" }
            return cell(run, index)
          })
    }
    table.setTotal(
      ["Whole run"]
        + runs.map {
          HTMLTable.Cell(
            RunFigures.percent($0.utilisation),
            note: "\($0.spend.cents) of \($0.figures.budget.cents)")
        })
    let recognition =
      runs.allSatisfy { $0.figures.recognition == runs[0].figures.recognition }
      ? "by \(runs[0].figures.recognition)" : "as each run recognises trips"
    var out = RunsHTML.figure(
      "plot-runs-spend",
      "Spend since the start, \(recognition), against the budget (dotted, in the run's colour).")
    if plots.utilisation != nil {
      out += RunsHTML.figure(
        "plot-runs-utilisation",
        "How much of each month's budget was used. The dashed lines are the bounds of Warning and "
          + "Critical.")
    }
    out += "<h3>The months as a table, USDT spent of budget</h3>\n" + table.rendered()
    return RunsHTML.section("budget", "Budget and spend", out)
  }

  private func cell(_ run: ReportRun, _ index: Int) -> HTMLTable.Cell {
    let month = run.record.months[index]
    let sections = ReportSections(record: run.record, figures: run.figures)
    let name = times.byCalendar ? "" : "\(month.month): "
    let star = run.figures.isPartial(index, of: run.record) ? ", in part" : ""
    return HTMLTable.Cell(
      RunFigures.percent(month.utilisationBasisPoints),
      style: sections.statusCell(month.status).style,
      note: "\(name)\(run.spend(month).cents) of \(month.budget.cents)\(star)")
  }

  private func payouts() -> String {
    let types = RunsPlots.types(runs)
    guard !types.isEmpty else { return "" }
    var table = HTMLTable(
      "Payouts by type in USDT, each with the difference to \(labels[0])",
      ["Type"] + labels.map { "#" + $0 })
    func row(_ name: String, _ total: (BlakJaksRecord) -> MicroUSDT) -> [HTMLTable.Cell] {
      cells(
        Headline(
          label: name, unit: .money,
          values: runs.map { .number(total($0.record).microunits) }))
    }
    for type in types {
      table.add(row(type) { $0.payouts.first { $0.type == type }?.total ?? .zero })
    }
    table.setTotal(row("Total") { $0.payoutTotal.total })
    return RunsHTML.section(
      "payouts", "Payouts by type",
      RunsHTML.figure("plot-runs-payouts", "What was paid of each type.") + table.rendered())
  }

  private func prizes() -> String {
    var names: [String] = []
    for run in runs {
      for row in run.record.prizes where !names.contains(row.prize.name) {
        names.append(row.prize.name)
      }
    }
    guard !names.isEmpty else { return "" }
    var table = HTMLTable("Prizes awarded", ["Prize"] + labels.map { "#" + $0 })
    for name in names {
      let rows = runs.map { run in run.record.prizes.first { $0.prize.name == name } }
      table.add(
        [HTMLTable.Cell(name)]
          + rows.map { row in
            guard let row else { return HTMLTable.Cell("–", style: "soft", note: "no such prize") }
            return HTMLTable.Cell(
              row.awarded.grouped,
              note: "\(row.prize.amount.cents) each \(row.prize.every.grouped) scans"
                + (row.waiting > 0 ? ", \(row.waiting.grouped) waiting" : ""))
          })
    }
    return RunsHTML.section("prizes", "Milestone prizes awarded", table.rendered(), flow: true)
  }

  private func programme() -> String {
    guard plots.members != nil else { return "" }
    return RunsHTML.section(
      "programme", "Members and scans",
      RunsHTML.figure("plot-runs-members", "Members signed up by the end of each day.")
        + RunsHTML.figure(
          "plot-runs-scans", "Accepted scans a day, as the mean of the last seven days."),
      flow: true)
  }

  private func treasury() -> String {
    guard plots.treasury != nil else { return "" }
    return RunsHTML.section(
      "treasury", "Treasury",
      RunsHTML.figure("plot-runs-treasury", "Balances at the end of each day in USDT."))
  }

  /// How the runs were made.
  private func footer() -> String {
    var table = HTMLTable("How this was run", ["Run", "Fingerprint", "Speed"])
    for (index, run) in runs.enumerated() {
      table.add([
        HTMLTable.Cell(labels[index]), HTMLTable.Cell(run.record.fingerprint, style: "code"),
        HTMLTable.Cell(RunWords.speed(run.record)),
      ])
    }
    var out = table.rendered()
    out += RunsHTML.paragraph(
      "Each run's own report, with its Insights: pitboss report RUN.", style: "soft")
    return RunsHTML.section("run", "How this was run", out, flow: true)
  }
}
