package import Experiments
internal import Foundation
internal import Quantities
internal import Scenario

/// A sweep as aligned text and as JSON.
package enum SweepText {
  /// The text with a line end behind it.
  package static func text(
    _ sweep: Sweep, scenario: String, replications: Int, figures: [String], folder: String,
    colour: Bool
  ) -> String {
    var columns: [(title: String, alignment: TextTable.Alignment)] = sweep.axes.map {
      (DisplayText.safe($0), .right)
    }
    columns += figures.flatMap { [(FigureText.name($0), .right), ("±", .right)] }
    var table = TextTable(columns)
    for row in sweep.rows {
      var cells = row.values.map { TextTable.Cell($0) }
      for name in figures {
        guard let place = sweep.catalog.row(of: name), let estimate = row.estimates[place] else {
          cells += ["–", "–"]
          continue
        }
        let unit = FigureCatalog.unit(of: name)
        cells.append(TextTable.Cell(FigureText.value(estimate.mean, unit)))
        cells.append(
          TextTable.Cell(estimate.halfWidth.map { FigureText.value($0, unit) } ?? "–"))
      }
      table.add(cells)
    }
    let title = TextStyle.bold.applied(
      to: "Sweep of \(DisplayText.safe(scenario))", colour: colour)
    let lines =
      ["\(title)  \(size(sweep, replications))", ""] + table.lines(colour: colour)
      + [halfWidth, "", "Folder     \(DisplayText.safe(folder))"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// What was run, in words.
  static func size(_ sweep: Sweep, _ replications: Int) -> String {
    let count = sweep.rows.count
    return "\(count.grouped) point\(count == 1 ? "" : "s"), \(replications.grouped) "
      + "replication\(replications == 1 ? "" : "s") each with the same random numbers"
  }

  /// What the column of half-widths holds.
  static let halfWidth = "±: half-width of the 95 % interval of the mean; – of one replication."

  /// All points and figures.
  package static func json(_ sweep: Sweep) -> String {
    JSONText.object([
      ("schema_version", .number("1")),
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
                  zip(sweep.catalog.names, row.estimates).compactMap { name, estimate in
                    estimate.map { estimate in
                      .object([
                        ("name", .string(name)), ("mean", ProjectionFiles.number(estimate.mean)),
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
