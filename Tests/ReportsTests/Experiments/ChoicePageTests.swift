import BlakJaks
import Experiments
import Foundation
import Reports
// Goal: the page of a choice shows every candidate's mean and how near the chosen one it is.
// Method: candidates whose values are known; a browser draws the page.
import RewardModel
import TestSupport
import Testing

@Suite struct ChoicePageTests {
  /// Means of about 3, 1 and 1.05, the second the least.
  private func choice() throws -> ScenarioChoice {
    let figure = try #require(BlakJaksProgramme.figures.figure("tins.sold"))
    return try ScenarioChoice(
      names: ["<b>a</b>", "b", "c"], figure: figure,
      try RankingSelection(systems: 3, indifference: 0.5, goal: .smallest, first: 10)
    ) { request in
      request.systems.map { system in
        request.replications.map { number in
          [3.0, 1, 1.05][system] + Double(number * 37 % 11) / 50
            + (system == 2 ? Double(number % 3 - 1) / 100 : 0)
        }
      }
    }
  }

  @Test("The best stands on top, and the band begins at its mean")
  func page() throws {
    let choice = try choice()
    let page = ChoicePage.html(choice, plotly: .cdn, source: nil)
    #expect(page.contains("Chosen: b") && !page.contains("<b>a"))
    #expect(page.contains("\"y\":[\"b\",\"c\""))
    let best = choice.selection.means[1]
    #expect(page.contains("\"x0\":\(best)") && page.contains("\"x1\":\(best + 0.5)"))
    #expect(page.contains("href=\"#candidates\""))
    // The same words as in the text.
    let gap = FigureText.value(choice.selection.means[2] - best, choice.figure.unit)
    #expect(page.contains(">Behind</th>") && page.contains("<td class=\"n\">\(gap)</td>"))
    #expect(page.contains("<td>as good</td>") && page.contains("<td>chosen</td>"))
    #expect(page.contains("as good: behind by less than 0.5, the difference that matters."))
  }

  @Test("Words of the text wrap to a narrow terminal")
  func narrow() throws {
    let text = ChoiceText.text(try choice(), folder: "out", width: 60, colour: false)
    let blocks = text.split(separator: "\n\n").map { $0.split(separator: "\n") }
    #expect(blocks[0].count == 2, "the head: \(text)")
    #expect(blocks[1].count == 3, "what is chosen, and how sure that is: \(text)")
    for line in blocks[0] + blocks[1] { #expect(line.count <= 60, "\(line)") }
  }

  @Test("Who is far behind is not in contention, though the replications sufficed for all")
  func verdicts() throws {
    let choice = try choice()
    #expect(choice.selection.isGuaranteed && choice.selection.eliminatedAfter == [nil, nil, nil])
    let text = ChoiceText.text(choice, folder: "f", colour: false)
    let lines = text.split(separator: "\n")
    #expect(!text.contains("in contention"))
    #expect(lines.contains { $0.hasPrefix("b ") && $0.hasSuffix("chosen") })
    #expect(lines.contains { $0.hasPrefix("c ") && $0.hasSuffix("as good") })
    #expect(lines.contains { $0.hasPrefix("<b>a</b> ") && $0.hasSuffix("–") })
    #expect(text.contains("as good: behind by less than 0.5"))
  }

  @Test("What was given is repeated as it was given")
  func given() throws {
    let figure = try #require(BlakJaksProgramme.figures.figure("tins.sold"))
    func text(_ indifference: Double, _ level: Double) throws -> String {
      let choice = try ScenarioChoice(
        names: ["a", "b"], figure: figure,
        try RankingSelection(
          systems: 2, indifference: indifference, level: level, goal: .smallest, first: 10,
          maximum: 50)
      ) { request in
        request.systems.map { system in request.replications.map { _ in Double(system) } }
      }
      return ChoiceText.text(choice, folder: "f", colour: false)
    }
    #expect(
      try text(0.05, 0.9999).contains("Sure       99.99 % or more if it is really ahead by 0.05;"))
    #expect(try text(0.5, 0.95).contains("Sure       95.0 % or more if it is really ahead by 0.5;"))
    // Values have the decimals of what matters.
    let fine = try ScenarioChoice(
      names: ["a", "b"], figure: figure,
      try RankingSelection(systems: 2, indifference: 0.05, goal: .smallest, first: 10)
    ) { request in
      request.systems.map { system in
        request.replications.map { $0 % 10 == 3 && system == 1 ? 0.3 : 0 }
      }
    }
    let rows = ChoiceText.text(fine, folder: "f", colour: false).split(separator: "\n")
    #expect(rows.contains { $0.hasPrefix("b ") && $0.contains("0.03    0.03") }, "\(rows)")
    // Always one apart, and only two matter.
    let unsure = try text(2, 0.95)
    #expect(unsure.contains("Unsure     in all 50 replications there was the same difference"))
    #expect(unsure.contains("in contention") && !unsure.contains("as good"))
  }

  @Test("Long names are broken into lines, and stay harmless")
  func labels() {
    func text(_ name: String) -> String {
      if case .text(let text) = PlotValue.label(name) { text } else { "" }
    }
    #expect(text("Tins sold") == "Tins sold")
    #expect(text("Gross profit a member, retail, USDT") == "Gross profit a<br>member, retail, USDT")
    #expect(
      text("with rules.scan_reward.base=0.15") == "with rules.<br>scan_reward.<br>base=0.15")
    #expect(text("<b>a</b>") == "&lt;b&gt;a&lt;/b&gt;" && text("") == "")
  }

  @Test("The page of a choice draws its plot", .needsBrowser, .needsPlotly)
  func plotIsDrawn() throws {
    let chromium = try #require(Browser.find())
    let source = try #require(plotlyOfCheckout())
    let page = ChoicePage.html(try choice(), plotly: .inline, source: source)
    let document = try chromium.document(of: [(name: "report.html", contents: Data(page.utf8))])
    #expect(document.count(of: "data-errors=\"\"") == 1)
    #expect(document.count(of: "class=\"plot js-plotly-plot\"") == 1)
  }
}
