internal import Foundation
internal import Quantities
internal import RewardModel

/// The pages of Insights as sections of a report.
struct PageHTML {
  let pages: [Page]

  var plots: [PlotSpec] { PagePlots.all(pages) }

  /// The sections' ids and titles.
  var entries: [(id: String, title: String)] {
    pages.map { ("insights-\($0.description.id)", "Insights: \($0.description.title)") }
  }

  /// One section a page.
  func all() -> String {
    zip(pages, entries).map { page, entry in
      let (id, title) = entry
      var out = "<section id=\"\(id)\" aria-labelledby=\"\(id)-title\">\n"
      out += "<h2 id=\"\(id)-title\">\(HTMLText.escaped(title))</h2>\n"
      out += "<p class=\"soft\">As of \(page.moment) (\(HTMLText.escaped(page.zone))). "
      out += "For another day: <span class=\"code\">pitboss insights RUN "
      out += "\(page.description.id) --at DATE</span></p>\n"
      return out + page.blocks.map { self.block(page, $0) }.joined() + "</section>\n"
    }.joined()
  }

  private func block(_ page: Page, _ block: PageBlock) -> String {
    let content: String
    switch block.body {
    case .figures(let figures): content = self.figures(page, block, figures)
    case .table(let table): content = self.table(block, table)
    case .history(let history):
      content =
        history.absence.map(absent)
        ?? figure(page, block, details: days(block, history))
    case .heat(let heat):
      content = heat.absence.map(absent) ?? figure(page, block, details: hours(block, heat))
    case .gauge, .bars:
      // The figures are next to it, so that nothing is lost where no plot is drawn.
      guard PagePlots.plot(page, block) != nil else { return "" }
      return figure(page, block, details: "")
    }
    return "<h3>\(HTMLText.escaped(block.title))</h3>\n" + content
  }

  private func figure(_ page: Page, _ block: PageBlock, details: String) -> String {
    guard PagePlots.plot(page, block) != nil else { return details }
    let caption = HTMLText.escaped(block.title)
    // The heading above says what it shows.
    return "<figure>\n<div class=\"plot\" id=\"\(PagePlots.id(page, block))\" role=\"img\" "
      + "aria-label=\"\(caption)\"></div>\n\(details)</figure>\n"
  }

  private func absent(_ value: PageValue) -> String {
    note(PageWords.absence(value))
  }

  private func note(_ text: String) -> String {
    "<p class=\"soft\">\(HTMLText.escaped(text))</p>\n"
  }

  private func figures(
    _ page: Page, _ block: PageBlock, _ figures: [PageFigure]
  ) -> String {
    if let missing = PageWords.missing(figures) {
      return note(PageWords.absence(missing.reason, of: missing.labels))
    }
    var table = HTMLTable(block.title, ["Figure", "#Value", "Note"])
    for figure in figures {
      let note = figure.value.absence.map { PageWords.reason($0, several: false) } ?? figure.note
      table.add([
        HTMLTable.Cell(figure.label), cell(figure.value, figure.unit, in: page.currency),
        HTMLTable.Cell(note, style: "soft"),
      ])
    }
    return table.rendered()
  }

  private func table(_ block: PageBlock, _ table: PageTable) -> String {
    if let absence = table.absence { return absent(absence) }
    if table.rows.isEmpty { return note(table.empty) }
    var out = HTMLTable(
      block.title, table.columns.map { ($0.unit.isText ? "" : "#") + $0.title })
    func cells(_ row: [PageValue]) -> [HTMLTable.Cell] {
      zip(row, table.columns).map { cell($0, $1.unit) }
    }
    for row in table.shownRows { out.add(cells(row)) }
    if let total = table.total { out.setTotal(cells(total)) }
    return out.rendered(tall: table.rows.count > 12)
  }

  private func cell(
    _ value: PageValue, _ unit: MeasureUnit, in currency: Currency? = nil
  ) -> HTMLTable.Cell {
    let isAbsent = PageWords.setting(value) != nil || value == .unknownToService
    let style = isAbsent ? "soft" : value.tone.style
    return HTMLTable.Cell(PageWords.value(value, unit, in: currency), style: style)
  }

  private func days(_ block: PageBlock, _ history: PageHistory) -> String {
    var table = HTMLTable(block.title, ["Date"] + history.lines.map { "#" + $0.label })
    for (day, date) in history.dates.enumerated() {
      table.add(
        [HTMLTable.Cell(date.description)]
          + history.lines.map { line in
            HTMLTable.Cell(
              line.values[day].map { PageWords.words($0, line.unit) } ?? "–")
          })
    }
    return HTMLText.details("The days as a table", table.rendered(tall: true))
  }

  private func hours(_ block: PageBlock, _ heat: PageHeat) -> String {
    var table = HTMLTable(block.title, ["Weekday"] + (0..<24).map { "#\($0)" })
    for day in 0..<7 {
      table.add(
        [HTMLTable.Cell(PageWords.weekdays[day])]
          + (0..<24).map { HTMLTable.Cell(heat.words(day, $0)) })
    }
    return (heat.note.isEmpty ? "" : note(heat.note))
      + HTMLText.details("Mean \(heat.counted) an hour as a table", table.rendered())
  }
}
