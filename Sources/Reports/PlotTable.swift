internal import Foundation
internal import Quantities

/// What a plot shows, in rows and columns: for readers who do not see it, and where plotly.js is missing.
struct PlotTable {
  /// Most rows of a table; of a longer one a row in two, in three and so on is shown.
  private static let rowsMost = 400

  private let spec: PlotSpec

  init(_ spec: PlotSpec) { self.spec = spec }

  /// Tables that are folded away; empty where nothing of the plot goes by rows and columns.
  ///
  /// - Parameters:
  ///   - caption: What the plot is of.
  ///   - isOpen: Whether they are not folded, as there is no plot.
  /// - Complexity: O(values).
  private func folded(_ caption: String, isOpen: Bool) -> String {
    let tables = groups.map { $0.rendered(caption) }.joined()
    return tables.isEmpty || isOpen ? tables : HTMLText.details("As a table", tables)
  }

  /// A plot of a page with its table: folded below the place where the plot is drawn, or in its stead.
  ///
  /// - Parameters:
  ///   - title: Of the plot, for readers who do not see it.
  ///   - isDrawn: Whether the page draws plots.
  ///   - hasTable: Whether the table is wanted here.
  func rendered(_ title: String, isDrawn: Bool, hasTable: Bool = true) -> String {
    let box =
      "<div class=\"plot\" id=\"\(spec.id)\" role=\"img\" "
      + "aria-label=\"\(HTMLText.escaped(title))\"></div>\n"
    return (isDrawn ? box : "") + (hasTable ? folded(title, isOpen: !isDrawn) : "")
  }

  /// Columns that share the names of their rows.
  private struct Group {
    var heading: String
    var rows: [String]
    var columns: [(title: String, cells: [String])] = []

    func rendered(_ caption: String) -> String {
      let step = max(1, (rows.count + rowsMost - 1) / rowsMost)
      var table = HTMLTable(caption, [heading] + columns.map { "#" + $0.title })
      for row in rows.indices where row % step == 0 || row == rows.count - 1 {
        table.add(
          [HTMLTable.Cell(rows[row])]
            + columns.map { HTMLTable.Cell(row < $0.cells.count ? $0.cells[row] : "") })
      }
      let words =
        step == 1
        ? "" : ReportHTML.paragraph("One row in \(step) is shown, and the last one.", style: "soft")
      return words + table.rendered()
    }
  }

  private var groups: [Group] {
    var groups: [Group] = []
    var lower: [String]?
    for trace in spec.data {
      switch trace["type"]?.plain {
      case "heatmap": if let group = heatmap(trace) { groups.append(group) }
      case "scatter", "bar", "waterfall":
        guard let line = Line(trace, spec.layout) else { continue }
        // The lower edge of an area has no name of its own; the upper one comes next.
        if trace["showlegend"] == .flag(false), trace["fill"] == nil, trace["hoverinfo"] != nil {
          lower = line.cells
          continue
        }
        if line.isReference, trace["fill"] == nil { continue }
        let row = groups.firstIndex { $0.rows == line.rows && $0.heading == line.heading }
        if row == nil { groups.append(Group(heading: line.heading, rows: line.rows)) }
        let place = row ?? groups.count - 1
        if let low = lower, trace["fill"] != nil {
          groups[place].columns.append((line.title + ", low", low))
          groups[place].columns.append((line.title + ", high", line.cells))
        } else {
          groups[place].columns.append((line.title, line.cells))
          groups[place].columns += line.bounds
        }
        lower = nil
      default: continue
      }
    }
    return groups.filter { !$0.rows.isEmpty && !$0.columns.isEmpty }
  }

  private func heatmap(_ trace: PlotValue) -> Group? {
    guard let across = trace["x"]?.items, let down = trace["y"]?.items,
      let cells = trace["z"]?.items
    else { return nil }
    let suffix = trace["colorbar"]?["ticksuffix"]?.plain ?? ""
    let rows = cells.map { ($0.items ?? []).map { $0.cell(suffix) } }
    func title(_ axis: String) -> String { spec.layout[axis]?["title"]?["text"]?.plain ?? "" }
    // A day each across would be a table of hundreds of columns.
    if across.count > 31 {
      return Group(
        heading: spec.layout["xaxis"]?["type"]?.plain == "date" ? "Day" : title("xaxis"),
        rows: PlotValue.places(across),
        columns: zip(PlotValue.places(down), rows).map { ($0, $1) })
    }
    let scale = title("xaxis")
    let by = scale.isEmpty ? "" : "by " + scale.prefix(1).lowercased() + scale.dropFirst()
    let heading = [title("yaxis"), by].filter { !$0.isEmpty }.joined(separator: ", ")
    return Group(
      heading: heading, rows: PlotValue.places(down),
      columns: zip(across.indices, PlotValue.places(across)).map { column, title in
        (title, rows.map { column < $0.count ? $0[column] : "" })
      })
  }
}

/// A trace of points or bars.
private struct Line {
  var heading: String
  var title: String
  var rows: [String]
  var cells: [String]
  /// The ends of its error bars, or what they reach on either side.
  var bounds: [(title: String, cells: [String])] = []
  /// Whether it is one number all along that is no result.
  var isReference: Bool

  init?(_ trace: PlotValue, _ layout: PlotValue) {
    guard let x = trace["x"]?.items, let y = trace["y"]?.items, !x.isEmpty, !y.isEmpty else {
      return nil
    }
    let isAcross =
      trace["orientation"]?.plain == "h" || (y.contains { $0.isText } && !x.contains { $0.isText })
    func axis(_ letter: String) -> PlotValue? {
      layout[letter + "axis" + (trace[letter + "axis"]?.plain.dropFirst() ?? "")]
    }
    let (names, values) = isAcross ? (axis("y"), axis("x")) : (axis("x"), axis("y"))
    let numbers = isAcross ? x : y
    // What is drawn on an axis of its own is said in `customdata` alone.
    let template = trace["hovertemplate"]?.plain ?? ""
    let isElsewhere =
      template.contains("%{customdata") && !template.contains(isAcross ? "%{x" : "%{y")
    let said = isElsewhere ? trace["customdata"]?.items : nil
    let suffix = values?["ticksuffix"]?.plain ?? ""
    let measure = values?["title"]?["text"]?.plain ?? ""
    heading =
      names?["title"]?["text"]?.plain ?? (names?["type"]?.plain == "date" ? "Day" : "")
    let name = trace["name"]?.plain ?? ""
    // A unit that the cells do not have.
    let unit = suffix.isEmpty && !measure.isEmpty ? ", \(measure)" : ""
    title = name.isEmpty ? (measure.isEmpty ? "Value" : measure) : name + unit
    let ending = names?["ticksuffix"]?.plain ?? ""
    let along = isAcross ? y : x
    let places = zip(PlotValue.places(along), along).map { $0 + ($1.isText ? "" : ending) }
    // Points that have names of their own, and places on an axis that says other numbers than it has.
    let isNamed = trace["hovertext"] != nil || names?["ticktext"] != nil
    let named = (trace["hovertext"] ?? trace["text"])?.items.flatMap {
      isNamed && $0.count == places.count ? $0 : nil
    }
    rows = named?.map(\.plain) ?? places
    if named != nil, names?["ticktext"] == nil {
      bounds = [(heading, places)]
      heading = ""
    }
    cells = (said ?? numbers).map { $0.cell(suffix) }
    if trace["type"]?.plain == "waterfall", let kinds = trace["measure"]?.items {
      var sum = 0.0
      for (row, kind) in kinds.enumerated() where row < numbers.count {
        if kind.plain == "total" { cells[row] = PlotValue.number(sum).cell(suffix) }
        sum += numbers[row].number ?? 0
      }
    }
    isReference =
      trace["hoverinfo"]?.plain == "skip" && numbers.dropFirst().allSatisfy { $0 == numbers[0] }
    guard let errors = trace[isAcross ? "error_x" : "error_y"], let up = errors["array"]?.items
    else { return }
    guard let down = errors["arrayminus"]?.items else {
      bounds.append(("±", up.map { $0.cell(suffix) }))
      return
    }
    func ends(_ lengths: [PlotValue], _ sign: Double) -> [String] {
      zip(numbers, lengths).map { number, length in
        guard let number = number.number, let length = length.number else { return "" }
        return PlotValue.number(number + sign * length).cell(suffix)
      }
    }
    bounds += [("\(title), low", ends(down, -1)), ("\(title), high", ends(up, 1))]
  }
}

extension PlotValue {
  /// A member of an object; nil where there is none.
  fileprivate subscript(key: String) -> PlotValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  fileprivate var items: [PlotValue]? { if case .list(let items) = self { items } else { nil } }
  fileprivate var number: Double? { if case .number(let number) = self { number } else { nil } }
  fileprivate var isText: Bool { if case .text = self { true } else { false } }

  /// A text without the tags and escapes of plotly.js; empty for anything else.
  fileprivate var plain: String {
    guard case .text(let text) = self else { return "" }
    return text.replacing(".<br>", with: ".").replacing("<br>", with: " ")
      .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
  }

  /// Where things are: a text as it is, numbers with as many decimals as tell all of them apart.
  fileprivate static func places(_ items: [PlotValue]) -> [String] {
    let numbers = items.compactMap(\.number)
    func texts(_ decimals: Int) -> [String] {
      items.map { item in item.number.map { grouped($0, decimals: decimals) } ?? item.plain }
    }
    guard numbers.contains(where: { $0 != $0.rounded() }) else { return texts(0) }
    let wanted = Set(numbers).count
    return (2...9).lazy.map(texts).first { Set($0).count >= wanted } ?? texts(9)
  }

  private static func grouped(_ number: Double, decimals: Int) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return number.isNaN ? "" : "\(number)" }
    let text = String(format: "%.\(decimals)f", abs(number))
    let parts = text.split(separator: ".", maxSplits: 1)
    let whole = (Int64(parts[0]) ?? 0).grouped + (parts.count > 1 ? "." + parts[1] : "")
    let isZero = !text.contains { "123456789".contains($0) }
    return (number < 0 && !isZero ? "-" : "") + whole
  }

  /// A cell: a text as it is, a number with as many decimals as tell it apart from its neighbors.
  fileprivate func cell(_ suffix: String) -> String {
    guard case .number(let number) = self else { return plain }
    let decimals =
      number == number.rounded() && suffix.isEmpty
      ? 0
      : suffix == " %" || suffix == " points"
        ? 1 : abs(number) >= 100 ? 0 : abs(number) >= 0.1 ? 2 : 4
    return Self.grouped(number, decimals: decimals) + suffix
  }
}
