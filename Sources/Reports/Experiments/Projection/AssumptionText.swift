internal import Documents
internal import Experiments
internal import Foundation
internal import RewardModel

/// Which assumptions carry what a program costs, in words, as a table and in JSON.
enum AssumptionText {
  /// One sentence; empty where nothing was varied.
  static func lead(_ ranking: AssumptionRanking?) -> String {
    guard let ranking else { return "" }
    let rows = ranking.carrying
    guard !ranking.rows.isEmpty else {
      return ranking.leftOut == 0
        ? "" : "No setting is varied alone: all that are uncertain are drawn from a file."
    }
    guard !rows.isEmpty else { return "None of the settings that were varied moves the cost." }
    let parts = rows.map { row in
      "\(row.path) (\(change(row.low, ranking)) to \(change(row.high, ranking)))"
    }
    let isAssumed = rows[0].factors != nil
    let what = isAssumed ? "assumption" : "uncertain setting"
    let count =
      rows.count == 1
      ? "One \(what) moves" : "\(["Two", "Three"][rows.count - 2]) \(what)s move"
    let besides = ranking.leftOut == 0 ? "" : "Besides those drawn from a file, "
    let words = besides.isEmpty ? count : besides + count.prefix(1).lowercased() + count.dropFirst()
    return "\(words) the cost most: \(parts.joined(separator: ", ")). In parentheses is what the "
      + "cost does with the setting at the \(isAssumed ? "low and the high end of its range" : "P5 and the P95 of its distribution")."
  }

  /// How far a cost is from the scenario's own: `-12 %`.
  private static func change(_ value: Double, _ ranking: AssumptionRanking) -> String {
    guard ranking.standard != 0 else {
      return FigureText.value(value, ranking.figure.unit)
    }
    let percent = (value / ranking.standard - 1) * 100
    let text = String(format: abs(percent) < 0.95 ? "%.1f %%" : "%.0f %%", abs(percent))
    return text == "0.0 %" ? "0 %" : (percent < 0 ? "-" : "+") + text
  }

  /// All settings that were varied; empty where none were.
  static func table(_ ranking: AssumptionRanking?) -> String {
    guard let ranking, !ranking.rows.isEmpty else { return "" }
    var table = HTMLTable(
      "What assumptions do to the cost",
      ["Setting", "Range", "#At its lower end", "#At its upper end"])
    for row in ranking.rows {
      let unit = ranking.figure.unit
      table.add([
        HTMLTable.Cell(row.path, style: "code"),
        HTMLTable.Cell("\(row.lowEnd) to \(row.highEnd)", note: row.reason),
        HTMLTable.Cell(change(row.low, ranking), note: FigureText.value(row.low, unit)),
        HTMLTable.Cell(change(row.high, ranking), note: FigureText.value(row.high, unit)),
      ])
    }
    return
      "<p>\(ranking.replications) replication\(ranking.replications == 1 ? "" : "s") at each end, one setting at a time, with the "
      + "random numbers of the scenario itself.</p>\n" + table.rendered()
  }

  /// The ranking as JSON; null where nothing was varied.
  static func json(_ ranking: AssumptionRanking?) -> JSONText {
    guard let ranking else { return .null }
    return .object([
      ("figure", .string(ranking.figure.id)), ("standard", number(ranking.standard)),
      ("replications", .number(String(ranking.replications))),
      ("carrying", .array(ranking.carrying.map { .string($0.path) })),
      (
        "settings",
        .array(
          ranking.rows.map { row in
            .object([
              ("path", .string(row.path)),
              ("factor_low", row.factors.map { number($0.lowerBound) } ?? .null),
              ("factor_high", row.factors.map { number($0.upperBound) } ?? .null),
              ("low", .string(row.lowEnd)), ("high", .string(row.highEnd)),
              ("figure_low", number(row.low)), ("figure_high", number(row.high)),
              ("reason", .string(row.reason)),
            ])
          })
      ),
    ])
  }

  private static func number(_ value: Double) -> JSONText {
    value.isFinite ? .number("\(value)") : .null
  }
}
