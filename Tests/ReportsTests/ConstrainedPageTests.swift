// Goal: the text and the page of a search over several settings show what it found, and the page
// draws its plots in a real browser.
// Method: searches of one to three settings on a model without a simulation; figures by hand.
import Experiments
import Foundation
import Reports
import Testing

@Suite struct ConstrainedPageTests {
  /// A solution over factors, of the highest sum with a share of events that grows with it.
  private func solution(_ axes: Int, bound: String = "0.25") throws -> ConstrainedSolution {
    let settings = try (0..<axes).map { try SettingAxis("rules.<b>\($0)</b>=*1..*4") }
    let condition = try Objective("P(critical) <= \(bound)")
    let goal = ConstrainedSolution.Goal(.maximise, "budget.utilisation.year")
    let plan = try ConstrainedSolution.plan(
      settings, [condition], goal, points: 40, most: 100, tolerance: 0.05)
    let search = try ConstrainedSearch.run(plan) { values, numbers in
      numbers.map { observation(values, $0) }
    }
    return ConstrainedSolution(
      axes: settings, conditions: [condition], goal: goal, search: search,
      presentTexts: settings.map { _ in "× 1" },
      present: try SearchFigures(
        (0..<20).map { observation(settings.map { _ in 1 }, $0) }, plan.conditions, level: 0.95))
  }

  private func observation(_ values: [Double], _ number: Int) -> SearchObservation {
    let mean = values.reduce(0, +) / Double(values.count)
    let margin = mean - 2 - Double(number % 20) / 40
    return SearchObservation(
      objective: mean / 10 + Double(number % 5) / 100,
      conditions: [ConditionSample(value: margin > 0 ? 1 : 0, margin: margin)])
  }

  @Test("The text names the answer, what repeats it, and what it rests on")
  func text() throws {
    let found = try solution(1)
    let text = ConstrainedText.text(found, overrides: ["a=1"], folder: "out", colour: false)
    let answer = try #require(found.answer)
    let point = found.search.points[answer]
    // Of the margins 2 + k/40, k from 0 to 19, a quarter lies below 2.125.
    #expect((2.1...2.15).contains(point.values[0]), "\(point.values)")
    #expect(
      text.hasPrefix("Highest Utilisation of the whole run, with P(critical) <= 0.25\n"))
    for part in [
      "rules.<b>0</b>  × \(SettingAxisNumber.text(point.values[0]))", "holds",
      "There: 100 replications by fresh seeds, intervals at 98.8 %", "Set        --set 'a=1'",
      "Spent      \(found.spent) replications at \(found.search.points.count) points",
      "the answer", "Folder     out",
    ] { #expect(text.contains(part), "\(part)\n\(text)") }
    #expect(!text.contains("wider range"))
    // (2.1 to 2.15)/10 and the mean of five hundredths.
    let objective = try #require(point.confirmation).objective.estimate
    #expect(abs(objective - point.values[0] / 10 - 0.02) < 1e-12)
    #expect(text.contains(FigureText.percent(objective)))
  }

  @Test("Without an answer the text says so and shows the least bad point")
  func nothing() throws {
    let none = ConstrainedText.text(
      try solution(1, bound: "1e-9"), overrides: [], folder: "out", colour: false)
    #expect(none.contains("the answer"), "at the low end no event happens")
    let settings = [try SettingAxis("a=3..4")]
    let condition = try Objective("P(critical) <= 0.25")
    let goal = ConstrainedSolution.Goal.mostGenerous
    let plan = try ConstrainedSolution.plan(
      settings, [condition], goal, points: 12, most: 100, tolerance: 0.05)
    let search = try ConstrainedSearch.run(plan) { values, numbers in
      numbers.map { observation(values, $0) }
    }
    let nowhere = ConstrainedSolution(
      axes: settings, conditions: [condition], goal: goal, search: search, presentTexts: ["3"],
      present: search.points[0].figures)
    let text = ConstrainedText.text(nowhere, overrides: ["a=3"], folder: "out", colour: false)
    for part in [
      "Most generous: highest payouts, with P(critical) <= 0.25", "No point tried meets",
      "Least bad", "left early", "at the low end: a wider range may do better", "does not hold",
    ] { #expect(text.contains(part), "\(part)\n\(text)") }
    #expect(!text.contains("fresh seeds"))
    let page = ConstrainedPage.html(nowhere, scenario: "s", plotly: .cdn, source: nil)
    #expect(page.contains("The least bad point") && page.contains("No point tried meets"))
  }

  @Test("The page holds the plots of one, two and three settings", arguments: [1, 2, 3])
  func page(axes: Int) throws {
    let found = try solution(axes)
    let html = ConstrainedPage.html(found, scenario: "<i>s</i>", plotly: .cdn, source: nil)
    #expect(!html.contains("<b>0") && !html.contains("<i>s"))
    #expect(html.count(of: "<div id=\"plot-") == 2 * axes + (axes > 1 ? 1 : 0))
    #expect(html.contains("parcoords") == (axes == 3))
    #expect(html.count(of: "the answer") == 1)
    guard let chromium = Browser.find(), let source = plotlyOfCheckout() else { return }
    let drawn = ConstrainedPage.html(found, scenario: "s", plotly: .inline, source: source)
    let document = try chromium.document(
      of: [(name: "report.html", contents: Data(drawn.utf8))])
    #expect(document.count(of: "data-errors=\"\"") == 1)
    #expect(
      document.count(of: "class=\"js-plotly-plot\"") == html.count(of: "<div id=\"plot-"))
  }
}

/// A number as an axis prints it: six digits behind the point, none in excess.
private enum SettingAxisNumber {
  static func text(_ value: Double) -> String {
    var text = String(format: "%.6f", value)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }
}
