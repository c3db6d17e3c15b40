internal import Foundation
internal import Quantities
internal import Reports

/// A comparison with an earlier load in words.
struct BaselineText {
  let name: String
  let before: String
  let after: String
  let difference: String
  let halfWidth: String
  let verdict: String

  /// One figure.
  init(_ row: BaselineComparison.Row) {
    let word =
      switch row.figure {
      case .answers: "answers a second"
      case .errors: "errors a second"
      case .median: "p50"
      case .p99: "p99"
      }
    name = row.step.map { "\($0), \(word)" } ?? word
    let figure = row.figure
    before = Self.value(row.before, figure)
    after = Self.value(row.after, figure)
    difference = (row.difference > 0 ? "+" : "") + Self.value(row.difference, figure)
    halfWidth = row.halfWidth.map { Self.value($0, figure) } ?? "–"
    verdict =
      row.halfWidth == nil ? "too short to say" : row.isReal ? "real change" : "may be chance"
  }

  private static func value(_ value: Double, _ figure: BaselineComparison.Figure) -> String {
    switch figure {
    case .answers, .errors:
      return value.magnitude < 100 ? String(format: "%.2f", value) : Int64(value.rounded()).grouped
    case .median, .p99:
      // A true minus sign would not be found by who searches for a hyphen.
      return (value < 0 ? "-" : "") + DurationText.short(Int64(value.magnitude.rounded()))
    }
  }

  /// What was compared.
  static func lead(_ baseline: BaselineComparison) -> String {
    guard let windows = baseline.rows.first?.windows else {
      return "Nothing could be compared with \(baseline.source): both loads need whole seconds "
        + "with answers. Give more --seconds."
    }
    return
      "\(windows) paired windows of \(baseline.windowSeconds) s, ± half of the 95 % interval of "
      + "the change; before: \(baseline.source)."
  }

  /// How often chance alone is called real.
  static let caution = "Without any change, 1 of 20 such rows is called real."

  /// What makes the two loads hard to compare.
  static func notes(_ baseline: BaselineComparison) -> [String] {
    guard !baseline.differences.isEmpty else { return [] }
    return [
      "The two loads are not of one shape, so a change may come from that: "
        + baseline.differences.joined(separator: "; ") + "."
    ]
  }
}
