internal import Documents
package import Experiments
internal import Foundation
internal import Quantities
internal import RewardModel
internal import Scenario

/// A choice among scenarios as aligned text and as JSON.
package enum ChoiceText {
  /// The text ending with a line feed.
  ///
  /// - Parameter width: Columns of the terminal, to which all but the table is wrapped.
  package static func text(
    _ choice: ScenarioChoice, folder: String, width: Int = 100, colour: Bool
  ) -> String {
    let unit = choice.figure.unit
    let name = choice.figure.title
    let goal = choice.goal == .smallest ? "least" : "most"
    let probability = FigureText.given(share: choice.level)
    let margin = FigureText.given(choice.indifference, unit)
    var lines = DisplayText.headed(
      "Choice by the \(goal) of \(name)",
      "\(choice.names.count) candidates with the same random numbers", width: width, colour: colour)
    lines += ["", "Chosen     \(DisplayText.safe(choice.best))"]
    let (label, words) =
      choice.selection.isGuaranteed
      ? (
        "Sure       ",
        "\(probability) or more if it is really ahead by \(margin); if not, it is within about that much "
          + "of the best"
      )
      : ("Unsure     ", unsure(choice))
    lines += DisplayText.wrapped(words, width: width, after: label) + [""]
    var table = TextTable([
      ("Candidate", .left), ("Mean", .right), ("Behind", .right), ("Replications", .right),
      ("Dropped after", .right), ("", .left),
    ])
    for place in choice.ranking {
      let isBest = place == choice.selection.best
      let mean = choice.selection.means[place]
      let dropped = choice.selection.eliminatedAfter[place]
      let verdict = verdict(of: place, choice)
      table.add([
        TextTable.Cell(choice.names[place]),
        TextTable.Cell(FigureText.value(mean, unit, resolving: choice.indifference)),
        TextTable.Cell(behind(place, choice)),
        TextTable.Cell(String(choice.selection.observations[place])),
        TextTable.Cell(dropped.map(String.init) ?? "–"),
        TextTable.Cell(verdict, isBest ? .good : .dim),
      ])
    }
    lines += table.lines(colour: colour)
    for note in notes(choice) { lines += DisplayText.wrapped(note, width: DisplayText.room(width)) }
    lines += ["", "Folder     \(DisplayText.safe(folder))"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static let near = "as good"

  /// Why a choice is not certain.
  static func unsure(_ choice: ScenarioChoice) -> String {
    let selection = choice.selection
    let count = selection.observations[selection.best].grouped
    let probability = FigureText.given(share: choice.level)
    guard let first = selection.alike.first else {
      return "the replications did not suffice for \(probability); allow more with --limit"
    }
    let who =
      selection.alike.count == 1
      ? DisplayText.safe(choice.names[first]) : "\(selection.alike.count) candidates"
    let difference =
      selection.behind[first] == 0 ? "no difference" : "the same difference"
    return
      "in all \(count) replications there was \(difference) between \(who) and the chosen one, "
      + "which does not tell how far they may be apart in others; allow more with --limit"
  }

  /// What the table's words mean, where they are in it.
  static func notes(_ choice: ScenarioChoice) -> [String] {
    var notes: [String] = []
    if choice.names.indices.contains(where: { verdict(of: $0, choice) == near }) {
      let margin = FigureText.given(choice.indifference, choice.figure.unit)
      notes.append("\(near): behind by less than \(margin), the difference that matters.")
    }
    if Set(choice.selection.observations).count > 1 {
      notes.append(
        "Means are over a candidate's own replications; behind is over those that it and the chosen "
          + "one have.")
    }
    return notes
  }

  /// How far the mean of a candidate is behind that of the chosen one, where both were run.
  static func behind(_ place: Int, _ choice: ScenarioChoice) -> String {
    guard place != choice.selection.best else { return "–" }
    let (gap, unit) = (choice.selection.behind[place], choice.figure.unit)
    let size = FigureText.value(
      abs(gap), unit, resolving: choice.indifference, isDifference: true)
    return gap < 0 && size.contains(where: { "1"..."9" ~= $0 }) ? "-\(size)" : size
  }

  /// What the choice says of a candidate. Where it is certain, a candidate far behind has lost, even
  /// where the replications sufficed before any was dropped.
  static func verdict(of place: Int, _ choice: ScenarioChoice) -> String {
    let selection = choice.selection
    if place == selection.best { return "chosen" }
    guard selection.eliminatedAfter[place] == nil else { return "" }
    guard selection.isGuaranteed else { return "in contention" }
    return selection.behind[place] < choice.indifference ? near : ""
  }

  /// Everything with stable keys, candidates in the order in which they were given.
  package static func json(_ choice: ScenarioChoice, set: SetWords = SetWords()) -> String {
    let selection = choice.selection
    return JSONText.object([
      ("schema_version", .number("1")), set.json, ("figure", .string(choice.figure.id)),
      ("goal", .string(choice.goal == .smallest ? "least" : "most")),
      ("indifference", ProjectionFiles.number(choice.indifference)),
      ("probability", ProjectionFiles.number(choice.level)),
      ("chosen", .string(choice.best)), ("guaranteed", .bool(selection.isGuaranteed)),
      (
        "candidates",
        .array(
          choice.names.indices.map { place in
            .object([
              ("name", .string(choice.names[place])),
              ("mean", ProjectionFiles.number(selection.means[place])),
              ("behind", ProjectionFiles.number(selection.behind[place])),
              ("replications", .number(String(selection.observations[place]))),
              (
                "eliminated_after",
                selection.eliminatedAfter[place].map { .number(String($0)) } ?? .null
              ),
            ])
          })
      ),
    ]).rendered() + "\n"
  }
}
