internal import EventKernel
package import Experiments
internal import Foundation
internal import RewardModel

/// Whether a program pays, as a page.
package enum WorthPage {
  /// The page: the answer, then months, groups of members, sign-up months and accounts.
  package static func html(
    _ worth: RewardWorth, _ evenness: BreakEven?, _ words: WorthText.Words, plotly: PlotlyMode,
    source: PlotlySource?
  ) -> String {
    let net = worth.whole.net
    let tone: PageTone =
      switch net.verdict {
      case .higher: .good
      case .lower: .bad
      case .identical, .notShown: .caution
      }
    let heading = WorthText.heading(words)
    return ExperimentPage(
      title: heading, heading: heading,
      facts: [
        "\(worth.pairs) pairs of replications with the same random numbers, with rewards and without. "
          + "Amounts in \(words.currency).",
        WorthText.rests(words),
      ] + words.set.facts,
      verdict: (WorthText.verdict(worth, words.currency), tone),
      cards: [
        card("Added to gross profit", worth.whole.profit.difference.mean, words),
        card("Cost", worth.whole.cost.difference.mean, words),
        card("Net", net.difference.mean, words),
      ],
      notices: evenness.map { [BreakEvenText.sentence($0)] } ?? [],
      sections: [
        months(worth, words), evenness.map(evennessSection), groups(worth), cohorts(worth, words),
        cash(worth, words),
      ].compactMap(\.self)
    ).rendered(plotly, source)
  }

  private static func card(
    _ name: String, _ value: Double, _ words: WorthText.Words
  ) -> ReportCard {
    ReportCard(name, FigureText.money(value), unit: words.currency)
  }

  private static let amountTitles = [
    "#Gross profit", "#without rewards", "#added", "#±", "#Cost", "#±", "#Net", "#±",
  ]

  private static func months(
    _ worth: RewardWorth, _ words: WorthText.Words
  ) -> ExperimentPage.Section {
    var table = HTMLTable("By month", ["Month"] + amountTitles)
    for row in worth.months + [worth.whole] {
      table.add(
        [HTMLTable.Cell(row.label)] + WorthText.amounts(row).map { HTMLTable.Cell($0) })
    }
    return ExperimentPage.Section(
      id: "months", title: "What it adds and what it costs, by month",
      text:
        "Bars: gross profit that rewards add, and what they cost. Line: what was added less what "
        + "was spent since the start. \(WorthText.halfWidth(worth))",
      plots: [WorthPlots.months(worth, words.currency)], content: table.rendered())
  }

  private static func evennessSection(_ evenness: BreakEven) -> ExperimentPage.Section {
    var table = HTMLTable(
      "Values tried", ["#" + evenness.axis.path, "#Net", "#From", "#To", "#Pairs", "Verdict"])
    for point in evenness.search.points.sorted(by: { $0.x < $1.x }) {
      table.add(
        BreakEvenText.cells(point, evenness).map { HTMLTable.Cell($0) }
          + [HTMLTable.Cell(BreakEvenText.words(point))])
    }
    return ExperimentPage.Section(
      id: "break-even", title: "Where it breaks even", text: BreakEvenText.sentence(evenness),
      plots: [WorthPlots.evenness(evenness)], content: table.rendered(), isFolded: true)
  }

  private static func groups(_ worth: RewardWorth) -> ExperimentPage.Section? {
    guard !worth.groupings.isEmpty else { return nil }
    let tables = worth.groupings.map { grouping in
      var table = HTMLTable(grouping.title, [grouping.title, "#Members"] + amountTitles)
      for row in grouping.rows {
        let members = WorthWords.count(row.members ?? 0)
        table.add(
          [HTMLTable.Cell(row.label), HTMLTable.Cell(members)]
            + WorthText.amounts(row).map { HTMLTable.Cell($0) })
      }
      return "<h3>\(HTMLText.escaped(grouping.title))</h3>\n" + table.rendered()
    }
    return ExperimentPage.Section(
      id: "groups", title: "For which members it pays", text: WorthText.groupNote,
      plots: [WorthPlots.groups(worth)], content: tables.joined())
  }

  private static func cohorts(
    _ worth: RewardWorth, _ words: WorthText.Words
  ) -> ExperimentPage.Section? {
    guard !worth.cohorts.isEmpty else { return nil }
    let titles = WorthWords.cohortTitles(worth)
    var table = HTMLTable(
      "Sign-up months", titles.enumerated().map { ($0 == 0 ? "" : "#") + $1 })
    for cohort in worth.cohorts {
      table.add(WorthWords.cohortCells(cohort).map { HTMLTable.Cell($0) })
    }
    return ExperimentPage.Section(
      id: "cohorts", title: "Sign-up months",
      text: "First map: gross profit less what members were given, a member who signed up, since "
        + "sign-up. Second map: the same, counting only the gross profit that would be missing "
        + "without rewards. \(WorthText.cohortNote(worth))",
      plots: WorthPlots.cohorts(worth, words.currency), content: table.rendered(),
      hasTables: true)
  }

  private static func cash(
    _ worth: RewardWorth, _ words: WorthText.Words
  ) -> ExperimentPage.Section? {
    guard !worth.cash.isEmpty else { return nil }
    var table = HTMLTable(
      "Accounts",
      WorthWords.cashTitles(worth).enumerated().map { ($0 == 0 || $0 == 4 ? "" : "#") + $1 })
    for account in worth.cash {
      table.add(WorthWords.cashCells(account).map { HTMLTable.Cell($0) })
    }
    var months = HTMLTable(
      "Held at each month's end", ["Month"] + worth.cash.map { "#" + $0.title })
    for place in worth.months.indices {
      months.add(
        [HTMLTable.Cell(worth.months[place].label)]
          + worth.cash.map { HTMLTable.Cell(FigureText.money($0.months[place].end)) })
    }
    return ExperimentPage.Section(
      id: "cash", title: "Where the money is",
      text: "Mean held at each month's end. " + WorthText.cashNote(worth, words.currency),
      plots: [WorthPlots.cash(worth, words.currency)],
      content: table.rendered() + "<h3>Held at each month's end</h3>\n" + months.rendered())
  }
}
