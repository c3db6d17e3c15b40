internal import BlakJaks
internal import Foundation
internal import Quantities

/// The pages of Insights as sections of the report, as of the run's end.
struct InsightHTML {
  /// The five pages; none for a run without days.
  let pages: [InsightPage]

  init(_ record: BlakJaksRecord) {
    guard let asOf = try? InsightsAsOf(record) else {
      pages = []
      return
    }
    pages = InsightPageName.allCases.filter { $0 != .feed }.map { Insights.page($0, asOf) }
  }

  var plots: [PlotSpec] { InsightPlots.all(pages) }

  /// One section a page.
  func all() -> String {
    pages.map { page in
      let title = "Insights: \(page.name.title)"
      let id = "insights-\(page.name.rawValue)"
      var out = "<section id=\"\(id)\" aria-labelledby=\"\(id)-title\">\n"
      out += "<h2 id=\"\(id)-title\">\(HTMLText.escaped(title))</h2>\n"
      out += "<p class=\"soft\">As of the end of \(page.date) (\(HTMLText.escaped(page.zone))). "
      out += "For another day: <span class=\"code\">pitboss insights RUN "
      out += "\(page.name.rawValue) --at DATE</span></p>\n"
      return out + page.blocks.map { self.block(page, $0) }.joined() + "</section>\n"
    }.joined()
  }

  private func block(_ page: InsightPage, _ block: InsightBlock) -> String {
    let content: String
    switch block.body {
    case .figures(let figures): content = self.figures(block, figures)
    case .table(let table): content = self.table(block, table)
    case .history(let history):
      content =
        history.absence.map(absent)
        ?? figure(page, block, details: days(block, history))
    case .heat(let heat):
      content = heat.absence.map(absent) ?? figure(page, block, details: hours(block, heat))
    case .gauge, .bars:
      // The figures stand beside it, so that nothing is lost where no plot is drawn.
      guard InsightPlots.plot(page, block) != nil else { return "" }
      return figure(page, block, details: "")
    }
    return "<h3>\(HTMLText.escaped(block.title))</h3>\n" + content
  }

  private func figure(_ page: InsightPage, _ block: InsightBlock, details: String) -> String {
    guard InsightPlots.plot(page, block) != nil else { return details }
    let caption = HTMLText.escaped(block.title)
    // The heading above says what it shows.
    return "<figure>\n<div class=\"plot\" id=\"\(InsightPlots.id(page, block))\" role=\"img\" "
      + "aria-label=\"\(caption)\"></div>\n\(details)</figure>\n"
  }

  private func absent(_ value: InsightValue) -> String {
    let reason = InsightWords.absence(InsightWords.setting(value), several: false)
    return note(InsightWords.absent + (reason.isEmpty ? "" : "; " + reason))
  }

  private func note(_ text: String) -> String {
    "<p class=\"soft\">\(HTMLText.escaped(text))</p>\n"
  }

  private func figures(_ block: InsightBlock, _ figures: [InsightFigure]) -> String {
    if let missing = InsightWords.missing(figures) {
      let reason = InsightWords.absence(missing.setting, several: true)
      return note(
        "\(InsightWords.absent): \(missing.labels)" + (reason.isEmpty ? "" : "; " + reason))
    }
    var table = HTMLTable(block.title, ["Figure", "#Value", "Note"])
    for figure in figures {
      var note = figure.note
      if case .notInRun(let setting) = figure.value {
        note = InsightWords.absence(setting, several: false)
      }
      table.add([
        HTMLTable.Cell(figure.label), cell(figure.value, figure.unit, bare: false),
        HTMLTable.Cell(note, style: "soft"),
      ])
    }
    return table.rendered()
  }

  private func table(_ block: InsightBlock, _ table: InsightTable) -> String {
    if let absence = table.absence { return absent(absence) }
    if table.rows.isEmpty { return note(table.empty) }
    var out = HTMLTable(
      block.title, table.columns.map { ($0.unit.isText ? "" : "#") + $0.title })
    func cells(_ row: [InsightValue]) -> [HTMLTable.Cell] {
      zip(row, table.columns).map { cell($0, $1.unit, bare: true) }
    }
    for row in table.rows { out.add(cells(row)) }
    if let total = table.total { out.setTotal(cells(total)) }
    return out.rendered(tall: table.rows.count > 12)
  }

  private func cell(
    _ value: InsightValue, _ unit: InsightUnit, bare: Bool
  ) -> HTMLTable.Cell {
    let style =
      switch TextStyle.insight(value) {
      case .good: "good"
      case .caution: "caution"
      case .bad: "bad"
      case .plain, .bold, .dim: InsightWords.setting(value) == nil ? "" : "soft"
      }
    return HTMLTable.Cell(InsightWords.value(value, unit, bare: bare), style: style)
  }

  private func days(_ block: InsightBlock, _ history: InsightHistory) -> String {
    var table = HTMLTable(block.title, ["Date"] + history.lines.map { "#" + $0.label })
    for (day, date) in history.dates.enumerated() {
      table.add(
        [HTMLTable.Cell(date.description)]
          + history.lines.map { line in
            HTMLTable.Cell(
              line.values[day].map { InsightWords.words($0, line.unit, bare: true) } ?? "–")
          })
    }
    return HTMLText.details("The days as a table", table.rendered(tall: true))
  }

  private func hours(_ block: InsightBlock, _ heat: InsightHeat) -> String {
    var table = HTMLTable(block.title, ["Weekday"] + (0..<24).map { "#\($0)" })
    for day in 0..<7 {
      table.add(
        [HTMLTable.Cell(InsightWords.weekdays[day])]
          + (0..<24).map { HTMLTable.Cell(InsightWords.mean(heat, day, $0).grouped) })
    }
    return HTMLText.details("Mean scans an hour as a table", table.rendered())
  }
}
