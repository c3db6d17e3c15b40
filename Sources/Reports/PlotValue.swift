/// A value of a plot's description, as plotly.js reads it.
package enum PlotValue: Encodable, Sendable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([PlotValue])
  case object([String: PlotValue])

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

  static func texts(_ values: [String]) -> PlotValue { .list(values.map { .text($0) }) }

  static func numbers(_ values: [Double]) -> PlotValue { .list(values.map { .number($0) }) }

  /// A long name, which would leave no room for what it names.
  static func short(_ name: String) -> String {
    name.count > 30 ? name.prefix(29) + "…" : name
  }

  /// Text of people, such as names: plotly.js reads tags in texts, so that `<` must be escaped.
  static func name(_ text: String) -> PlotValue {
    let escaped = DisplayText.safe(text).replacing("&", with: "&amp;")
      .replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    return .text(escaped)
  }
}

extension PlotValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .text(value) }
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(integerLiteral value: Int) { self = .number(Double(value)) }
  package init(booleanLiteral value: Bool) { self = .flag(value) }
  package init(arrayLiteral elements: PlotValue...) { self = .list(elements) }
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
}
