internal import Foundation
internal import Quantities
package import RewardModel

/// The pages for a terminal.
package enum PageText {
  /// A page for a terminal, each line ending with a line feed.
  ///
  /// - Parameters:
  ///   - page: Of any program.
  ///   - width: Columns of the terminal; text is wrapped to it, tables are not.
  ///   - colour: Whether escape sequences for colors may be used.
  package static func text(
    _ page: Page, width: Int = 100, colour: Bool = false
  ) -> String {
    let renderer = PageBlockText(
      currency: page.currency, width: max(40, width), colour: colour)
    let title = "\(page.description.title) of \(page.scenario)"
    var lines = [
      TextStyle.bold.applied(to: DisplayText.safe(title), colour: colour),
      DisplayText.safe("as of \(page.moment) (\(page.zone)), \(page.instant)"),
    ]
    for block in page.blocks {
      let body = renderer.lines(block)
      guard !body.isEmpty else { continue }
      lines += [
        "", TextStyle.bold.applied(to: DisplayText.safe(block.title), colour: colour),
      ]
      lines += body
    }
    return lines.map { $0 + "\n" }.joined()
  }
}

/// The blocks of a page as lines.
private struct PageBlockText {
  let currency: Currency
  let width: Int
  let colour: Bool

  func lines(_ block: PageBlock) -> [String] {
    switch block.body {
    case .figures(let figures): lines(figures)
    case .table(let table): lines(table)
    case .history(let history): lines(history)
    case .heat(let heat): lines(heat)
    case .gauge(let gauge): lines(gauge)
    case .bars: []
    }
  }

  private func dim(_ text: String) -> [String] {
    DisplayText.wrapped(text, width: width).map { TextStyle.dim.applied(to: $0, colour: colour) }
  }

  private func absent(_ value: PageValue) -> [String] {
    dim(PageWords.absence(value))
  }

  private func lines(_ figures: [PageFigure]) -> [String] {
    if let missing = PageWords.missing(figures) {
      return dim(PageWords.absence(missing.reason, of: missing.labels))
    }
    var table = TextTable([("", .left), ("", .right), ("", .left)])
    for figure in figures {
      var note = figure.note
      var style = TextStyle(figure.value.tone)
      if let absence = figure.value.absence {
        note = PageWords.reason(absence, several: false)
        style = .dim
      }
      table.add([
        TextTable.Cell(figure.label),
        TextTable.Cell(PageWords.value(figure.value, figure.unit, in: currency), style),
        TextTable.Cell(note, .dim),
      ])
    }
    return table.lines(colour: colour)
  }

  private func lines(_ table: PageTable) -> [String] {
    if let absence = table.absence { return absent(absence) }
    if table.rows.isEmpty { return dim(table.empty) }
    var text = TextTable(
      table.columns.map { ($0.title, $0.unit.isText ? .left : .right) })
    func cells(_ row: [PageValue]) -> [TextTable.Cell] {
      zip(row, table.columns).map { value, column in
        TextTable.Cell(
          PageWords.value(value, column.unit), TextStyle(value.tone))
      }
    }
    for row in table.shownRows { text.add(cells(row)) }
    if let total = table.total { text.setTotal(cells(total)) }
    return text.lines(colour: colour)
  }

  private func lines(_ history: PageHistory) -> [String] {
    if let absence = history.absence { return absent(absence) }
    var table = TextTable([
      ("", .left), ("First", .right), ("Lowest", .right), ("Highest", .right), ("Last", .right),
      (PageWords.counted(history.dates.count, "day", "days"), .left),
    ])
    for line in history.lines {
      let known = line.values.compactMap { $0 }
      func cell(_ value: Int64?) -> TextTable.Cell {
        TextTable.Cell(value.map { PageWords.words($0, line.unit) } ?? "–")
      }
      table.add([
        TextTable.Cell(line.label), cell(line.values.first ?? nil), cell(known.min()),
        cell(known.max()), cell(line.values.last ?? nil), TextTable.Cell(trend(line.values)),
      ])
    }
    return table.lines(colour: colour)
  }

  /// At most 30 eighths of blocks, each the last value of its part of the days, between the lowest
  /// and the highest of them.
  private func trend(_ values: [Int64?]) -> String {
    let parts = min(30, values.count)
    let shown = (0..<parts).map { values[($0 + 1) * values.count / parts - 1] }
    let known = shown.compactMap { $0 }
    guard let least = known.min(), let most = known.max() else { return "" }
    let marks = Array("▁▂▃▄▅▆▇█")
    return String(
      shown.map { value -> Character in
        guard let value else { return " " }
        let above = Int128(value) - Int128(least)
        let range = Int128(most) - Int128(least)
        return range == 0 ? marks[0] : marks[Int(above * 7 / range)]
      })
  }

  private func lines(_ heat: PageHeat) -> [String] {
    if let absence = heat.absence { return absent(absence) }
    let most = heat.largest ?? 0
    let marks = ["··", "░░", "▒▒", "▓▓", "██"]
    let hours = [0, 3, 6, 9, 12, 15, 18, 21].map { $0 < 10 ? "0\($0)" : "\($0)" }
    var lines = [
      TextStyle.dim.applied(to: "     " + hours.joined(separator: "    "), colour: colour)
    ]
    for day in 0..<7 {
      let cells = (0..<24).map { hour -> String in
        guard let mean = heat.mean(day, hour) else { return "  " }
        return mean == 0 ? marks[0] : marks[max(1, Int((mean * 4 / most).rounded(.up)))]
      }
      lines.append("\(PageWords.weekdays[day])  " + cells.joined())
    }
    return lines
      + dim("██ is \(heat.words(most)) \(heat.counted) an hour, the mean of its weekday and hour")
      + (heat.note.isEmpty ? [] : dim(heat.note))
  }

  private func lines(_ gauge: PageGauge) -> [String] {
    guard let value = gauge.value else { return dim(gauge.empty) }
    // The critical bound is at two thirds of the bar, so that what is above it still shows.
    let full = max(Int128(gauge.bad.value) * 3 / 2, 1)
    let filled = Int(min(max(Int128(value), 0), full) * 30 / full)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
    let style = TextStyle(gauge.tone)
    let bounds =
      "\(gauge.caution.name) from \(gauge.caution.words), "
      + "\(gauge.bad.name) above \(gauge.bad.words)"
    return [
      style.applied(to: bar, colour: colour) + " \(gauge.words) \(gauge.label); "
        + bounds
    ]
  }
}

extension MeasureUnit {
  /// Whether values of this unit stand to the left.
  var isText: Bool {
    switch self {
    case .text, .hash, .instant, .flag: true
    case .count, .money, .share, .duration, .days: false
    }
  }
}
