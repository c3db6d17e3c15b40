/// A value of a plot's description, as plotly.js reads it.
package enum PlotValue: Encodable, Equatable, Sendable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([PlotValue])
  case object([String: PlotValue])

  /// Encodes the value as the JSON that it stands for.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .list(let values): try container.encode(values)
    case .object(let members): try container.encode(members)
    }
  }

  /// A list of texts.
  package static func texts(_ values: [String]) -> PlotValue { .list(values.map { .text($0) }) }

  /// A list of numbers.
  package static func numbers(_ values: [Double]) -> PlotValue { .list(values.map { .number($0) }) }

  /// A long name, which would leave no room for what it names.
  static func short(_ name: String) -> String {
    name.count > 30 ? name.prefix(29) + "…" : name
  }

  /// Text of people, such as names: plotly.js reads tags in texts, so that `<` must be escaped.
  package static func name(_ text: String) -> PlotValue { .text(escaped(text)) }

  /// The same in lines that leave room for the plot beside them on a phone: broken at spaces, and
  /// within a long word behind dots.
  package static func label(_ text: String) -> PlotValue {
    var lines = [""]
    for word in text.split(separator: " ") {
      var parts = [String(word)]
      if word.count > labelWidth {
        parts = [""]
        for character in word {
          // A dot between digits is a number's.
          if parts[parts.count - 1].hasSuffix("."), character.isLetter { parts.append("") }
          parts[parts.count - 1].append(character)
        }
      }
      for (place, part) in parts.enumerated() {
        let last = lines[lines.count - 1]
        let gap = place == 0 && !last.isEmpty ? " " : ""
        if last.isEmpty || last.count + gap.count + part.count <= labelWidth {
          lines[lines.count - 1] = last + gap + part
        } else {
          lines.append(part)
        }
      }
    }
    return .text(lines.map(escaped).joined(separator: "<br>"))
  }

  /// How many lines a text takes as a label.
  package static func labelLines(_ text: String) -> Int {
    guard case .text(let label) = label(text) else { return 1 }
    return label.ranges(of: "<br>").count + 1
  }

  /// Most characters of a label's line.
  private static let labelWidth = 20

  private static func escaped(_ text: String) -> String {
    DisplayText.safe(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;")
  }
}

extension PlotValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// A text as it stands.
  package init(stringLiteral value: String) { self = .text(value) }
  /// A number.
  package init(floatLiteral value: Double) { self = .number(value) }
  /// A number.
  package init(integerLiteral value: Int) { self = .number(Double(value)) }
  /// True or false.
  package init(booleanLiteral value: Bool) { self = .flag(value) }
  /// A list.
  package init(arrayLiteral elements: PlotValue...) { self = .list(elements) }
  /// An object; of a key written twice the last value counts.
  package init(dictionaryLiteral elements: (String, PlotValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}

/// One plot: the traces and the layout that `Plotly.newPlot` takes.
///
/// Colors are names of the page's palette after `@@`, so that one description serves light,
/// dark and print.
package struct PlotSpec: Encodable, Sendable {
  /// The id of the element that shows it.
  package var id: String
  package var data: [PlotValue]
  package var layout: PlotValue

  /// What its vertical axis says, or else its key of colors; nil where neither says anything.
  var measure: String? {
    func text(_ value: PlotValue?, _ path: String...) -> String? {
      var value = value
      for key in path {
        guard case .object(let members)? = value else { return nil }
        value = members[key]
      }
      if case .text(let text)? = value, !text.isEmpty { return text }
      return nil
    }
    return text(layout, "yaxis", "title", "text") ?? text(data.first, "colorbar", "title", "text")
  }

  /// A plot; see the properties.
  package init(id: String, data: [PlotValue], layout: PlotValue) {
    self.id = id
    self.data = data
    self.layout = layout
  }
}
