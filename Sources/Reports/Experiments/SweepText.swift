internal import Documents
package import Experiments
internal import Foundation
internal import Quantities
internal import RewardModel
internal import Scenario

/// A sweep as aligned text and as JSON.
package enum SweepText {
  /// The text ending with a line feed.
  package static func text(
    _ sweep: Sweep, scenario: String, replications: Int, figures: [String], folder: String,
    width: Int, colour: Bool
  ) -> String {
    // What does not fit side by side is shown one below the other, a table a figure.
    var lines = table(sweep, figures, replications, colour: false)
    let fits = lines.allSatisfy { DisplayText.width($0) <= width }
    let groups = fits ? [figures] : figures.map { [$0] }
    let tables = groups.map { table(sweep, $0, replications, colour: colour) }
    lines = Array(tables.joined(separator: [""]))
    let notes = notes(sweep, figures, replications)
    lines =
      DisplayText.headed(
        "Sweep of \(scenario)", size(sweep, replications), width: width, colour: colour)
      + [""] + lines + notes.flatMap { DisplayText.wrapped($0, width: max(40, width)) }
      + ["", "Folder     \(DisplayText.safe(folder))"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func table(
    _ sweep: Sweep, _ figures: [String], _ replications: Int, colour: Bool
  ) -> [String] {
    var columns: [(title: String, alignment: TextTable.Alignment)] = sweep.axes.map {
      (DisplayText.safe($0), .right)
    }
    columns += figures.flatMap { [(sweep.title($0), .right), ("±", .right)] }
    var table = TextTable(columns)
    for row in sweep.rows {
      var cells = row.values.map { TextTable.Cell($0) }
      for name in figures {
        guard let place = sweep.measured.row(of: name), let estimate = row.estimates[place] else {
          cells += ["–", "–"]
          continue
        }
        let unit = sweep.unit(name)
        cells.append(TextTable.Cell(mean(estimate, unit, of: replications)))
        cells.append(TextTable.Cell(FigureText.spread(estimate, unit, as: FigureText.value)))
      }
      table.add(cells)
    }
    return table.lines(colour: colour)
  }

  /// What was run, in words.
  static func size(_ sweep: Sweep, _ replications: Int) -> String {
    let count = sweep.rows.count
    return "\(count.grouped) point\(count == 1 ? "" : "s"), \(replications.grouped) "
      + "replication\(replications == 1 ? "" : "s") each with the same random numbers"
  }

  /// A mean, with the number of replications that have the figure where not all do.
  static func mean(_ estimate: Estimate, _ unit: MeasureUnit, of replications: Int) -> String {
    FigureText.value(estimate.mean, unit)
      + (estimate.count < replications ? " (\(estimate.count) of \(replications))" : "")
  }

  /// What those numbers are; nil where all replications have the figures.
  private static func few(_ sweep: Sweep, _ figures: [String], _ replications: Int) -> String? {
    let rows = figures.compactMap { sweep.measured.row(of: $0) }
    let isFew = sweep.rows.contains { row in
      rows.contains { (row.estimates[$0]?.count ?? replications) < replications }
    }
    return isFew
      ? "(n of \(replications)): replications that have the figure; the mean is theirs." : nil
  }

  /// What the columns hold, in sentences.
  static func notes(_ sweep: Sweep, _ figures: [String], _ replications: Int) -> [String] {
    let rows = figures.compactMap { sweep.measured.row(of: $0) }
    let constant = FigureText.constant(
      sweep.rows.flatMap { point in rows.map { point.estimates[$0] } })
    return [halfWidth, constant, few(sweep, figures, replications)].compactMap(\.self)
  }

  /// What the column of half-widths holds.
  private static let halfWidth =
    "±: half-width of the 95 % interval of the mean. –: one replication, or "
    + "none, has the figure."

  /// All points and figures.
  package static func json(_ sweep: Sweep, set: SetWords = SetWords()) -> String {
    JSONText.object([
      ("schema_version", .number("1")), set.json,
      ("settings", .array(sweep.axes.map { .string($0) })),
      (
        "points",
        .array(
          sweep.rows.map { row in
            .object([
              ("values", .array(row.values.map { .string($0) })),
              (
                "figures",
                .array(
                  zip(sweep.measured.names, row.estimates).compactMap { name, estimate in
                    estimate.map { estimate in
                      .object([
                        ("name", .string(name)), ("count", .number(String(estimate.count))),
                        ("mean", ProjectionFiles.number(estimate.mean)),
                        (
                          "half_width",
                          estimate.halfWidth.map(ProjectionFiles.number) ?? .null
                        ),
                      ])
                    }
                  })
              ),
            ])
          })
      ),
    ]).rendered() + "\n"
  }
}
