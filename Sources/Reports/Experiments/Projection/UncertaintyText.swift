internal import Documents
internal import Experiments
internal import Foundation
internal import RewardModel

/// How sure a projection is: what luck makes of the spread, and what not knowing the settings makes,
/// in words, as a table and in JSON.
enum UncertaintyText {
  /// Standard deviations on either side that hold 90 of 100 normal values.
  private static let ninety = 1.645

  /// The first lines of a projection: both spreads, or that all settings are taken as certain.
  static func lead(_ projection: Projection, _ ranking: AssumptionRanking?) -> [String] {
    guard !projection.uncertain.isEmpty else {
      let spread =
        projection.count > 1 ? "the spread below is luck alone" : "one replication shows no spread"
      return [
        "All settings are taken as certain: \(spread). "
          + (ranking == nil ? "" : AssumptionText.lead(ranking))
      ]
    }
    let id = projection.measured.catalog.choices.cost
    let estimate = projection.figures.first { $0.name == id }?.estimate
    guard let spread = projection.spreads.first(where: { $0.figure.id == id }),
      let cost = estimate?.mean
    else {
      let reason =
        estimate?.standardDeviation == 0
        ? "the cost is the same in every replication"
        : projection.repeated == 0 && projection.count > UncertaintySample.repetitions.lowerBound
          ? "no draw was run a second time, so luck and not knowing are not told apart, as 'pitboss project' does"
          : "too few replications ran to tell luck from not knowing"
      return ["\(settings(projection)) uncertain, but \(reason)."]
    }
    let parts = spread.parts
    var first =
      "\(settings(projection)) uncertain. In 90 of 100 replications luck alone moves the cost by no "
      + "more than \(around(parts.luck, cost)), not knowing by no more than "
      + "\(around(parts.unknown, cost)). Not knowing makes \(share(parts.share)) of the variance"
    if let low = parts.share.low, let high = parts.share.high {
      first += " (\(percent(low)) to \(percent(high)))"
    }
    first += "."
    // An interval from 0 on is what a setting without any effect shows, too.
    let leaders = spread.influences.prefix(3).filter {
      $0.share.estimate >= 0.01 && ($0.share.low ?? 0) > 0
    }
    if leaders.isEmpty {
      if !spread.influences.isEmpty { first += " No setting alone stands out from luck." }
    } else {
      first +=
        " What explains most: "
        + leaders.map { "\($0.path) (\(explained($0.share, of: parts.share)))" }
        .joined(separator: ", ") + "."
        + overlap(projection)
    }
    return ([first] + [AssumptionText.lead(ranking)]).filter { !$0.isEmpty }
  }

  /// What one setting explains: with its interval where that is more than all settings together are
  /// estimated to make.
  private static func explained(
    _ share: EstimatedInterval, of unknown: EstimatedInterval
  ) -> String {
    guard share.estimate > unknown.estimate, let low = share.low, let high = share.high else {
      return percent(share.estimate)
    }
    return "\(percent(share.estimate)), \(percent(low)) to \(percent(high))"
  }

  /// Both spreads of each main figure, and what each setting explains of it; empty where all settings
  /// are certain.
  static func table(_ projection: Projection) -> String {
    guard !projection.spreads.isEmpty else { return "" }
    var spreads = HTMLTable(
      "Luck and not knowing",
      ["Figure", "#Luck, standard deviation", "#Not knowing, standard deviation", "#Its share"])
    for spread in projection.spreads {
      let unit = spread.figure.unit
      spreads.add([
        HTMLTable.Cell(spread.figure.heading),
        HTMLTable.Cell(FigureText.value(spread.parts.luck.squareRoot(), unit)),
        HTMLTable.Cell(FigureText.value(spread.parts.unknown.squareRoot(), unit)),
        HTMLTable.Cell(share(spread.parts.share), note: ends(spread.parts.share)),
      ])
    }
    var out =
      "<p>\(projection.count) draws of the uncertain settings, \(projection.repeated) of them run a "
      + "second time with other luck: what differs then is luck, what differs between draws besides "
      + "is not knowing.</p>\n" + spreads.rendered()
    if projection.areTogether { out += "<p>\(overlap(projection).dropFirst())</p>\n" }
    for spread in projection.spreads.prefix(2) where !spread.influences.isEmpty {
      let title = spread.figure.title
      let about =
        "What explains the spread of \(title.prefix(1).lowercased() + title.dropFirst())"
      var table = HTMLTable(
        about, ["Setting", "#Correlation", "#Share that a straight line explains"])
      for influence in spread.influences {
        table.add([
          HTMLTable.Cell(influence.path, style: "code"),
          HTMLTable.Cell(String(format: "%+.2f", influence.correlation)),
          HTMLTable.Cell(percent(influence.share.estimate), note: ends(influence.share)),
        ])
      }
      out += "<h3>\(HTMLText.escaped(about))</h3>\n" + table.rendered()
    }
    if let influence = projection.spreads.first?.influences.first, influence.share.count > 1 {
      let draws = influence.share.count < projection.count ? "pairs of draws" : "draws"
      out +=
        "<p>In \(influence.share.count) \(draws) a setting that explains nothing still shows about "
        + "\(percent(1 / Double(influence.share.count - 1))), so shares may add up to more than "
        + "100\u{A0}%. Where an interval begins at 0\u{A0}%, the setting cannot be told from such a "
        + "one.</p>\n"
    }
    return out
  }

  /// Both spreads as JSON; null where all settings are certain.
  static func json(_ projection: Projection) -> JSONText {
    guard !projection.uncertain.isEmpty else { return .null }
    return .object([
      ("settings", .array(projection.uncertain.map { .string($0) })),
      ("draws_repeated", .number(String(projection.repeated))),
      ("shares_overlap", .bool(projection.areTogether)),
      (
        "figures",
        .array(
          projection.spreads.map { spread in
            .object(
              [
                ("figure", .string(spread.figure.id)),
                ("luck_standard_deviation", ProjectionFiles.number(spread.parts.luck.squareRoot())),
                (
                  "unknown_standard_deviation",
                  ProjectionFiles.number(spread.parts.unknown.squareRoot())
                ),
              ] + interval("unknown_share", spread.parts.share) + [
                (
                  "settings",
                  .array(
                    spread.influences.map { influence in
                      .object(
                        [
                          ("path", .string(influence.path)),
                          ("correlation", ProjectionFiles.number(influence.correlation)),
                        ] + interval("share", influence.share))
                    })
                )
              ])
          })
      ),
    ])
  }

  /// That shares overlap where settings move together, after a blank; empty where they do not.
  private static func overlap(_ projection: Projection) -> String {
    projection.areTogether
      ? " Settings that move together each count what they share: the shares of all can add up to "
        + "more than 100\u{A0}%." : ""
  }

  private static func settings(_ projection: Projection) -> String {
    let count = projection.uncertain.count
    return count == 1 ? "One setting is" : "\(count) settings are"
  }

  /// A spread as a share of what is expected: `± 3.2 %`.
  private static func around(_ variance: Double, _ mean: Double) -> String {
    guard mean != 0 else { return "±\u{A0}\(variance.squareRoot() * ninety)" }
    let percent = variance.squareRoot() * ninety / abs(mean) * 100
    return "±\u{A0}" + String(format: percent < 0.95 ? "%.2f\u{A0}%%" : "%.1f\u{A0}%%", percent)
  }

  private static func share(_ interval: EstimatedInterval) -> String { percent(interval.estimate) }

  /// A share; what is nearly all or nearly nothing is not rounded to it.
  private static func percent(_ share: Double) -> String {
    if share > 0.999, share < 1 { return "over 99.9\u{A0}%" }
    return String(format: "%.\(share > 0.99 && share < 1 ? 1 : 0)f\u{A0}%%", share * 100)
  }

  private static func ends(_ interval: EstimatedInterval) -> String {
    guard let low = interval.low, let high = interval.high else { return "" }
    return "\(percent(low)) to \(percent(high))"
  }

  private static func interval(
    _ name: String, _ interval: EstimatedInterval
  ) -> [(String, JSONText)] {
    [
      (name, ProjectionFiles.number(interval.estimate)),
      ("\(name)_low", interval.low.map(ProjectionFiles.number) ?? .null),
      ("\(name)_high", interval.high.map(ProjectionFiles.number) ?? .null),
    ]
  }
}
