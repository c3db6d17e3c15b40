internal import Foundation
internal import Quantities
internal import RewardModel

/// A block of a page as the content of its section. What a program does not have is left out.
struct LiveBlock {
  private let currency: Currency
  private let block: PageBlock

  init(_ currency: Currency, _ block: PageBlock) {
    self.currency = currency
    self.block = block
  }

  /// Empty where there is nothing to show.
  var html: String {
    switch block.body {
    case .figures(let figures): cards(figures)
    case .table(let table): self.table(table)
    case .history(let history): self.history(history)
    case .heat(let heat): self.heat(heat)
    case .gauge(let gauge): self.gauge(gauge)
    case .bars(let bars): self.bars(bars)
    }
  }

  private func cards(_ figures: [PageFigure]) -> String {
    let shown = figures.filter { $0.value.absence == nil }
    guard !shown.isEmpty else { return "" }
    let cards = shown.map { figure in
      var words = HTMLText.escaped(PageWords.value(figure.value, figure.unit))
      if figure.unit == .money { words += " <small>\(HTMLText.escaped(currency.code))</small>" }
      if figure.unit == .instant, case .number = figure.value { words += " <small>UTC</small>" }
      let style = ["big", figure.value.tone.style, figure.unit == .instant ? "long" : ""]
      var card = "<div class=\"card\"><dt>\(HTMLText.escaped(figure.label))</dt>"
      card += "<dd class=\"\(style.filter { !$0.isEmpty }.joined(separator: " "))\""
      card += " id=\"\(HTMLText.escaped("\(block.key)-\(figure.key)"))\">\(words)</dd>"
      if !figure.note.isEmpty {
        card += "<dd class=\"soft\">\(HTMLText.escaped(figure.note))</dd>"
      }
      return card + "</div>\n"
    }
    return "<dl class=\"cards\">\n\(cards.joined())</dl>\n"
  }

  private func table(_ table: PageTable) -> String {
    if table.absence != nil { return "" }
    if table.rows.isEmpty { return "<p class=\"soft\">\(HTMLText.escaped(table.empty))</p>\n" }
    var out = HTMLTable(
      block.title, table.columns.map { ($0.unit.isText ? "" : "#") + $0.title })
    func cells(_ row: [PageValue]) -> [HTMLTable.Cell] {
      zip(row, table.columns).map { value, column in
        let style = PageWords.setting(value) != nil ? "soft" : value.tone.style
        return HTMLTable.Cell(PageWords.value(value, column.unit), style: style)
      }
    }
    for row in table.shownRows { out.add(cells(row)) }
    if let total = table.total { out.setTotal(cells(total)) }
    // Rows of words alone read as a list where there is no room for columns.
    let isWords = table.columns.allSatisfy { $0.unit.isText || $0.unit == .instant }
    let html = out.rendered(tall: table.rows.count > 20)
    return isWords ? "<div class=\"words\">\n\(html)</div>\n" : html
  }

  // MARK: - Pictures

  /// Lines over the days, all against one axis from their least value, or 0, to their greatest.
  private func history(_ history: PageHistory) -> String {
    guard history.absence == nil else { return "" }
    let lines = history.lines.filter { $0.values.contains { $0 != nil } }
    let all = lines.flatMap { $0.values.compactMap(\.self) }
    guard history.dates.count > 1, let greatest = all.max(), let least = all.min() else {
      return "<p class=\"soft\">There is a line from the second day on.</p>\n"
    }
    let (low, high) = (min(least, 0), max(greatest, 0))
    let span = Double(high) - Double(low)
    func path(_ line: PageHistory.Line) -> String {
      var path = ""
      var isDrawing = false
      for (day, value) in line.values.enumerated() {
        guard let value else {
          isDrawing = false
          continue
        }
        let x = Double(day) / Double(history.dates.count - 1) * 1_000
        let y = span > 0 ? 200 - (Double(value) - Double(low)) / span * 200 : 200
        path += "\(isDrawing ? "L" : "M")\(Self.rounded(x)) \(Self.rounded(y))"
        isDrawing = true
      }
      return path
    }
    var out =
      "<figure class=\"lines\" role=\"img\" aria-label=\"\(HTMLText.escaped(block.title))\">\n"
    out += "<span class=\"top\">\(words(high, lines[0].unit))</span>"
    out += "<svg viewBox=\"0 0 1000 200\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
    for (place, line) in lines.enumerated() {
      out += "<path class=\"s\(place % 6)\" d=\"\(path(line))\"/>"
    }
    out += "</svg>"
    if low < 0 { out += "<span class=\"bottom\">\(words(low, lines[0].unit))</span>" }
    out += "\n"
    out += "<span class=\"dates\"><span>\(history.dates[0])</span>"
    out += "<span>\(history.dates[history.dates.count - 1])</span></span>\n</figure>\n"
    let legend = lines.enumerated().map { place, line in
      let last = line.values.last.flatMap { $0 }.map { words($0, line.unit) } ?? "–"
      return "<li class=\"s\(place % 6)\">\(HTMLText.escaped(line.label)) <b>\(last)</b></li>"
    }
    return out + "<ul class=\"legend\">\(legend.joined())</ul>\n"
  }

  private func words(_ number: Int64, _ unit: MeasureUnit) -> String {
    HTMLText.escaped(PageWords.words(number, unit))
  }

  private static func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

  private func bars(_ bars: PageBars) -> String {
    let full = bars.unit == .share ? 10_000 : bars.values.max() ?? 0
    guard full > 0, bars.values.contains(where: { $0 > 0 }) else { return "" }
    let rows = zip(bars.labels, bars.values).map { label, value in
      let width = Self.rounded(min(max(Double(value) / Double(full), 0), 1) * 100)
      return "<div><dt>\(HTMLText.escaped(label))</dt><dd style=\"--bar:\(width)%\">"
        + "\(words(value, bars.unit))</dd></div>\n"
    }
    return "<dl class=\"bars\">\n\(rows.joined())</dl>\n"
  }

  private func gauge(_ gauge: PageGauge) -> String {
    guard let value = gauge.value else {
      return "<p class=\"soft\">\(HTMLText.escaped(gauge.empty))</p>\n"
    }
    let end = Double(max(gauge.bad.value * 6 / 5, 1))
    func place(_ value: Int64) -> String {
      Self.rounded(min(max(Double(value) / end, 0), 1) * 100)
    }
    // The names of the two bounds stand on different sides, as they may be close together.
    let marks = [("mark before", gauge.caution), ("mark", gauge.bad)].map { style, bound in
      "<span class=\"\(style)\" style=\"left:\(place(bound.value))%\">"
        + "\(HTMLText.escaped(bound.name))</span>"
    }
    return "<div class=\"gauge \(gauge.tone.style)\">"
      + "<div class=\"track\"><div style=\"width:\(place(value))%\"></div></div>"
      + "\(marks.joined())</div>\n<p><b>\(HTMLText.escaped(gauge.words))</b> "
      + "\(HTMLText.escaped(gauge.label))</p>\n"
  }

  /// A square an hour of the week, the darker the more.
  private func heat(_ heat: PageHeat) -> String {
    guard heat.absence == nil, let most = heat.largest, most > 0 else { return "" }
    var out = "<div class=\"heat\" role=\"img\" aria-label=\"\(HTMLText.escaped(block.title))\">\n"
    for day in 0..<7 {
      out += "<span>\(PageWords.weekdays[day].prefix(3))</span>"
      for hour in 0..<24 {
        let share = Self.rounded((heat.mean(day, hour) ?? 0) / most * 100)
        out += "<i style=\"--heat:\(share)%\" title=\"\(PageWords.weekdays[day]) \(hour):00, "
        out += "\(heat.words(day, hour)) \(HTMLText.escaped(heat.counted))\"></i>"
      }
    }
    out += "<span></span>"
    for hour in stride(from: 0, to: 24, by: 6) { out += "<small>\(hour):00</small>" }
    out += "</div>\n"
    if !heat.note.isEmpty { out += "<p class=\"soft\">\(HTMLText.escaped(heat.note))</p>\n" }
    return out
  }
}
