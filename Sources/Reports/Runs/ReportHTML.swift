package import RewardModel

/// The parts of reports as HTML.
package struct ReportHTML {
  /// What heads the column of a run, one a run; empty in the report of one.
  var labels: [String] = []

  /// A section with a heading that links can name.
  func section(_ section: ReportSection) -> String {
    Self.section(
      section.id, section.title, section.blocks.map(block).joined(), flows: section.flows)
  }

  /// The same of content that is rendered.
  ///
  /// - Parameter flows: Whether it follows the one before it on the same printed page.
  static func section(
    _ id: String, _ title: String, _ content: String, flows: Bool = false
  ) -> String {
    "<section id=\"\(id)\"\(flows ? " class=\"flow\"" : "") aria-labelledby=\"\(id)-title\">\n"
      + "<h2 id=\"\(id)-title\">\(HTMLText.escaped(title))</h2>\n\(content)</section>\n"
  }

  /// Links to sections by their ids, for readers who look for one of them.
  static func contents(_ sections: [(id: String, title: String)]) -> String {
    let links = sections.map { section in
      "<a href=\"#\(HTMLText.escaped(section.id))\">\(HTMLText.escaped(section.title))</a>"
    }
    return "<nav class=\"contents\" aria-label=\"Contents\">\n"
      + links.joined(separator: "\n") + "\n</nav>\n"
  }

  /// A paragraph.
  static func paragraph(_ text: String, style: String = "") -> String {
    "<p\(style.isEmpty ? "" : " class=\"\(style)\"")>\(HTMLText.escaped(text))</p>\n"
  }

  /// What readers must know before they believe the figures of an interrupted run.
  static func interruption(_ run: RunHeader, name: String) -> String {
    guard run.interrupted else { return "" }
    return "<p class=\"notice bad\" role=\"alert\">\(HTMLText.escaped(name)) was interrupted. "
      + "The figures cover what was run until then.</p>\n"
  }

  /// Figures to be seen from afar.
  package static func cards(_ cards: [ReportCard]) -> String {
    let parts = cards.map { card in
      var out = "<div class=\"card\"><dt>\(HTMLText.escaped(card.name))</dt>"
      // Trillions have smaller digits, so that they stay within their card.
      let isLarge = card.value.count > 12
      out += "<dd class=\"big\(isLarge ? " large" : "")\">\(HTMLText.escaped(card.value))"
      if !card.unit.isEmpty { out += " <small>\(HTMLText.escaped(card.unit))</small>" }
      out += "</dd>"
      if !card.note.isEmpty {
        out += "<dd class=\"\(card.tone.style)\">\(HTMLText.escaped(card.note))</dd>"
      }
      return out + "</div>\n"
    }
    return "<dl class=\"cards\">\n\(parts.joined())</dl>\n"
  }

  private func blocks(_ blocks: [ReportBlock]) -> String { blocks.map(block).joined() }

  private func block(_ block: ReportBlock) -> String {
    switch block {
    case .paragraph(let text, let tone): Self.paragraph(text, style: tone.style)
    case .heading(let text): "<h3>\(HTMLText.escaped(text))</h3>\n"
    case .table(let table): self.table(table)
    case .plot(let plot, let caption, let details): figure(plot, caption, blocks(details))
    case .details(let summary, let printed, let blocks):
      HTMLText.details(summary, self.blocks(blocks), printed: printed)
    case .pair(let left, let right):
      "<div class=\"pair\">\n<div class=\"plain\">\(blocks(left))</div>\n"
        + "<div class=\"plain\">\(blocks(right))</div>\n</div>\n"
    case .headlines(let table): headlines(table)
    }
  }

  /// The place of a plot, what it shows in words, and what is below it.
  private func figure(_ plot: ReportPlot, _ caption: String, _ below: String) -> String {
    let words = HTMLText.escaped(caption)
    return "<figure>\n<figcaption>\(words)</figcaption>\n"
      + "<div class=\"plot\" id=\"\(plot.elementID)\" role=\"img\" aria-label=\"\(words)\"></div>\n"
      + "\(below)</figure>\n"
  }

  private func table(_ table: ReportTable) -> String {
    var out = HTMLTable(
      table.caption, table.columns.map { ($0.isNumber ? "#" : "") + $0.title })
    for row in table.rows { out.add(row.map(HTMLTable.Cell.init)) }
    if let total = table.total { out.setTotal(total.map(HTMLTable.Cell.init)) }
    return out.rendered(tall: table.isLong)
  }

  private func headlines(_ table: HeadlineTable) -> String {
    var out = HTMLTable(table.caption, [table.first] + labels.map { "#" + $0 })
    for row in table.rows { out.add(cells(row)) }
    if let total = table.total { out.setTotal(cells(total)) }
    return out.rendered()
  }

  /// The cells of a figure, each with the difference to the first run's.
  func cells(_ row: Headline) -> [HTMLTable.Cell] {
    [HTMLTable.Cell(row.label)]
      + row.values.enumerated().map { index, value in
        let tone = row.tones.isEmpty ? PageTone.plain : row.tones[index]
        return HTMLTable.Cell(
          row.words.isEmpty ? PageWords.value(value, row.unit) : row.words[index],
          style: value.absence == nil ? tone.style : "soft", note: row.difference(index))
      }
  }
}

extension ReportBlock {
  /// The plots in it, in their order.
  var plots: [ReportPlot] {
    switch self {
    case .paragraph, .heading, .table, .headlines: []
    case .plot(let plot, _, let details): [plot] + details.flatMap(\.plots)
    case .details(_, _, let blocks): blocks.flatMap(\.plots)
    case .pair(let left, let right): (left + right).flatMap(\.plots)
    }
  }
}

extension ReportSection {
  /// The plots in it, in their order.
  var plots: [PlotSpec] { blocks.flatMap(\.plots).compactMap(\.spec) }
}

extension PageTone {
  /// Its class in the style sheet.
  var style: String {
    switch self {
    case .plain, .strong: ""
    case .soft: "soft"
    case .good: "good"
    case .caution: "caution"
    case .bad: "bad"
    case .code: "code"
    }
  }

  /// Its color in plots.
  var colour: String {
    switch self {
    case .good: "@@good"
    case .caution: "@@caution"
    case .bad: "@@bad"
    case .plain, .strong, .soft, .code: "@@faint"
    }
  }
}

extension HTMLTable.Cell {
  init(_ cell: ReportCell) {
    self.init(cell.text, style: cell.tone.style, bar: cell.bar, note: cell.note)
  }
}
