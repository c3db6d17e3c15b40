internal import Documents
package import Experiments
internal import RewardModel

/// A choice among scenarios as a page and as rows.
package enum ChoicePage {
  /// The page: what was chosen and how sure that is, then every candidate.
  package static func html(_ choice: ScenarioChoice) -> String {
    let title =
      "Choice by the \(choice.goal == .smallest ? "least" : "most") of "
      + choice.figure.title
    let unit = choice.figure.unit
    let margin = FigureText.value(choice.indifference, unit)
    var body = "<header><h1>\(HTMLText.escaped(title))</h1>\n"
    body += ReportHTML.paragraph("Chosen: \(choice.best)", style: "lead")
    body += ReportHTML.paragraph(
      choice.selection.isGuaranteed
        ? "Right with \(FigureText.percent(choice.level)) or more where it is ahead by \(margin)."
        : "The replications did not suffice for \(FigureText.percent(choice.level)); allow more "
          + "with --limit.")
    body += "</header>\n"
    var table = HTMLTable(
      "Candidates", ["Candidate", "#Mean", "#Replications", "#Dropped after"])
    for place in choice.ranking {
      table.add([
        HTMLTable.Cell(choice.names[place]),
        HTMLTable.Cell(FigureText.value(choice.selection.means[place], unit)),
        HTMLTable.Cell(String(choice.selection.observations[place])),
        HTMLTable.Cell(choice.selection.eliminatedAfter[place].map(String.init) ?? "–"),
      ])
    }
    body += ReportHTML.section("candidates", "Candidates", table.rendered())
    return PageShell(title: title, body: body, plots: [], plotly: .cdn, source: nil).rendered()
  }

  /// One row a candidate, in the order in which they were given: `candidate`, `mean`,
  /// `replications`, `eliminated_after`, `chosen`.
  package static func csv(_ choice: ScenarioChoice) -> String {
    let selection = choice.selection
    var text = CSVText.line(["candidate", "mean", "replications", "eliminated_after", "chosen"])
    for place in choice.names.indices {
      text += CSVText.line([
        choice.names[place], "\(selection.means[place])", String(selection.observations[place]),
        selection.eliminatedAfter[place].map(String.init) ?? "",
        place == selection.best ? "true" : "false",
      ])
    }
    return text
  }
}
