internal import Documents
internal import EventKernel
package import Experiments
internal import Foundation
internal import RewardModel

/// Whether a program pays, as aligned text, as JSON and as rows.
package enum WorthText {
  /// The text ending with a line feed.
  ///
  /// - Parameters:
  ///   - response: The group of settings that say how members respond.
  ///   - currency: Of all amounts.
  package static func text(
    _ worth: RewardWorth, scenario: String, response: String, currency: String, folder: String,
    colour: Bool
  ) -> String {
    var lines = [
      TextStyle.bold.applied(
        to: "Is \(DisplayText.safe(scenario)) worth it?", colour: colour)
        + "  \(worth.pairs) pairs of replications with the same random numbers, in \(currency)", "",
    ]
    var table = TextTable([
      ("", .left), ("Gross profit", .right), ("without rewards", .right), ("added", .right),
      ("±", .right), ("Cost", .right), ("±", .right), ("Net", .right), ("±", .right),
    ])
    for row in worth.months + [worth.whole] {
      let style: TextStyle = row.label == worth.whole.label ? .bold : .plain
      let cells =
        [row.profit.variantMean, row.profit.baselineMean].map(FigureText.money)
        + [row.profit, row.cost, row.net].flatMap {
          [FigureText.money($0.difference.mean), FigureText.money($0.difference.halfWidth)]
        }
      table.add([TextTable.Cell(row.label, style)] + cells.map { TextTable.Cell($0, style) })
    }
    lines += table.lines(colour: colour) + [""]
    let notes = [
      verdict(worth, currency),
      "Gross profit without rewards rests on \(response): how much less members buy, and how many "
        + "fewer sign up, is assumed and not measured. Where nothing is set there, they do the "
        + "same without rewards.",
      "±: half-width of the mean difference with 95 %, each by itself (paired t).",
    ]
    lines += notes.flatMap { DisplayText.wrapped($0, width: 96) }
    lines += ["", "Folder     \(DisplayText.safe(folder))"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// The answer in a sentence.
  private static func verdict(_ worth: RewardWorth, _ currency: String) -> String {
    let net = worth.whole.net.difference
    /// An amount with its interval; a loss is told as such, without a sign.
    func words(_ mean: Double) -> String {
      let ends = [mean - net.halfWidth, mean + net.halfWidth].map(FigureText.money)
      return "\(FigureText.money(mean)) \(currency) (95 %: \(ends[0]) to \(ends[1]))"
    }
    let text =
      switch worth.whole.net.verdict {
      case .higher: "Yes: the program adds \(words(net.mean)) more than it costs"
      case .lower: "No: the program costs \(words(-net.mean)) more than it adds"
      case .identical: "With and without rewards come to the same"
      case .notShown: "Not shown either way: what it adds less what it costs is \(words(net.mean))"
      }
    return text + ", by these assumptions."
  }

  /// Everything with stable keys.
  package static func json(_ worth: RewardWorth, scenario: String, currency: String) -> String {
    func object(_ row: RewardWorth.Row) -> JSONText {
      func pair(_ pair: PairedComparison) -> JSONText {
        .object([
          ("with", ProjectionFiles.number(pair.variantMean)),
          ("without", ProjectionFiles.number(pair.baselineMean)),
          ("added", ProjectionFiles.number(pair.difference.mean)),
          ("half_width", ProjectionFiles.number(pair.difference.halfWidth)),
        ])
      }
      return .object([
        ("period", .string(row.label)), ("gross_profit", pair(row.profit)),
        ("cost", pair(row.cost)), ("net", pair(row.net)),
      ])
    }
    return JSONText.object([
      ("schema_version", .number("1")), ("scenario", .string(scenario)),
      ("currency", .string(currency)), ("pairs", .number(String(worth.pairs))),
      (
        "settings",
        .array(
          worth.settings.map { row in
            .object([
              ("path", .string(row.path)), ("with", .string(row.first)),
              ("without", .string(row.second)),
            ])
          })
      ), ("whole", object(worth.whole)), ("months", .array(worth.months.map(object))),
    ]).rendered() + "\n"
  }

  /// One row a month and one for the whole run.
  package static func csv(_ worth: RewardWorth) -> String {
    let names = ["gross_profit", "cost", "net"]
    var text = CSVText.line(
      ["period"]
        + names.flatMap { ["\($0)_with", "\($0)_without", "\($0)_added", "\($0)_half_width"] })
    for row in worth.months + [worth.whole] {
      text += CSVText.line(
        [row.label]
          + [row.profit, row.cost, row.net].flatMap { pair in
            [
              pair.variantMean, pair.baselineMean, pair.difference.mean, pair.difference.halfWidth,
            ].map { "\($0)" }
          })
    }
    return text
  }
}
