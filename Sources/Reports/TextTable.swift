/// A table of aligned text for terminals: headings, rows and, at will, a total row below a rule.
package struct TextTable {
  /// How a column's text is aligned.
  package enum Alignment: Sendable {
    case left, right
  }

  /// One cell: its text and how it looks.
  package struct Cell: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, Sendable {
    package var text: String
    package var style: TextStyle

    /// - Parameters:
    ///   - text: Shown on one line; control characters are replaced.
    ///   - style: How the text looks where colors may be used.
    package init(_ text: String, _ style: TextStyle = .plain) {
      self.text = DisplayText.safe(text)
      self.style = style
    }

    /// A cell of that text, without a style.
    package init(stringLiteral text: String) { self.init(text) }
  }

  private let titles: [String]
  private let alignments: [Alignment]
  private var rows: [[Cell]] = []
  private var total: [Cell]?

  /// - Parameter columns: Heading and alignment of each column.
  package init(_ columns: [(title: String, alignment: Alignment)]) {
    titles = columns.map { DisplayText.safe($0.title) }
    alignments = columns.map(\.alignment)
  }

  /// Adds a row; missing cells are empty, surplus ones are dropped.
  package mutating func add(_ cells: [Cell]) { rows.append(fitted(cells)) }

  /// Sets the row below the rule.
  package mutating func setTotal(_ cells: [Cell]) { total = fitted(cells) }

  /// The lines without line ends, and without blanks at their ends.
  ///
  /// - Parameters:
  ///   - indent: Blanks before each line.
  ///   - colour: Whether styles are rendered as escape sequences.
  /// - Complexity: O(cells).
  package func lines(indent: Int = 0, colour: Bool = false) -> [String] {
    var widths = titles.map(DisplayText.width)
    for row in rows + (total.map { [$0] } ?? []) {
      for (column, cell) in row.enumerated() {
        widths[column] = max(widths[column], DisplayText.width(cell.text))
      }
    }
    let margin = String(repeating: " ", count: indent)
    func line(_ cells: [Cell]) -> String {
      margin + rendered(cells, widths: widths, colour: colour)
    }
    var lines: [String] = []
    if titles.contains(where: { !$0.isEmpty }) { lines.append(line(titles.map { Cell($0, .dim) })) }
    lines += rows.map(line)
    if let total {
      let rule = widths.reduce(0, +) + 2 * max(0, widths.count - 1)
      lines.append(margin + TextStyle.dim.applied(to: dashes(rule), colour: colour))
      lines.append(line(total))
    }
    return lines
  }

  private func fitted(_ cells: [Cell]) -> [Cell] {
    Array((cells + Array(repeating: "", count: titles.count)).prefix(titles.count))
  }

  private func dashes(_ count: Int) -> String { String(repeating: "─", count: count) }

  private func rendered(_ cells: [Cell], widths: [Int], colour: Bool) -> String {
    // Spaces after the last text of a line would get in the way of copying it.
    let last = cells.lastIndex { !$0.text.isEmpty } ?? -1
    var line = ""
    for (column, cell) in cells.enumerated() where column <= last {
      let space = String(
        repeating: " ", count: widths[column] - DisplayText.width(cell.text))
      let text = cell.style.applied(to: cell.text, colour: colour)
      if column > 0 { line += "  " }
      switch alignments[column] {
      case .right: line += space + text
      case .left: line += column == last ? text : text + space
      }
    }
    return line
  }
}
