import BlakJaks
import Experiments
import Foundation
import Reports
// Goal: the text and the page of a search over several settings show what it found, and the page
// draws its plots in a real browser.
// Method: searches of one to three settings on a model without a simulation; figures by hand.
import RewardModel
import TestSupport
import Testing

@Suite struct ConstrainedPageTests {
  /// A solution over factors, of the highest sum with a share of events that grows with it.
  private func solution(_ axes: Int, bound: String = "0.25") throws -> ConstrainedSolution {
    let settings = try (0..<axes).map { try SettingAxis("rules.<b>\($0)</b>=*1..*4") }
    let condition = try Objective(
      "P(critical) <= \(bound)", figures: BlakJaksProgramme.figures)
    let goal = ConstrainedSolution.Goal(
      .maximise, try #require(BlakJaksProgramme.figures.figure("budget.utilisation.year")))
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
    // The best points are shown, and the others are counted.
    let more = found.search.ranking.count - 8
    #expect(more > 0 && text.contains("and \(more) more: see report.html and solution.json"))
    let answer = try #require(found.answer)
    let point = found.search.points[answer]
    // Of the margins 2 + k/40, k from 0 to 19, a quarter lies below 2.125.
    #expect((2.1...2.15).contains(point.values[0]), "\(point.values)")
    #expect(
      text.hasPrefix("Highest Utilization of the whole run, with P(critical) <= 0.25\n"))
    for part in [
      "rules.<b>0</b>  × \(SettingAxisNumber.text(point.values[0]))", "holds",
      "There: 100 replications by fresh seeds, intervals at 98.8 %", "Set        --set 'a=1'",
      "Spent      \(found.spent) replications at \(found.search.points.count) points",
      "the answer", "Folder     out",
    ] { #expect(text.contains(part), "\(part)\n\(text)") }
    #expect(!text.contains("of its range"))
    // (2.1 to 2.15)/10 and the mean of five hundredths.
    let objective = try #require(point.confirmation).objective.estimate
    #expect(abs(objective - point.values[0] / 10 - 0.02) < 1e-12)
    #expect(text.contains(FigureText.percent(objective)))
  }

  @Test("Words wrap to a narrow terminal; what is to be pasted stays on its line")
  func narrow() throws {
    let text = ConstrainedText.text(
      try solution(1), overrides: [], folder: "out", width: 60, colour: false)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines[0] == "Highest Utilization of the whole run, with P(critical) <=")
    #expect(lines[1] == "0.25")
    let first = try #require(lines.firstIndex { $0.hasPrefix("There: 100 replications") })
    #expect(lines[first...(first + 1)].allSatisfy { $0.count <= 60 })
    #expect(lines[first + 1].hasSuffix("at 95 %."))
  }

  @Test("Without an answer the text says so and shows the least bad point")
  func nothing() throws {
    let none = ConstrainedText.text(
      try solution(1, bound: "1e-9"), overrides: [], folder: "out", colour: false)
    #expect(none.contains("the answer"), "at the low end no event happens")
    let settings = [try SettingAxis("a=3..4")]
    let condition = try Objective(
      "P(critical) <= 0.25", figures: BlakJaksProgramme.figures)
    let goal = ConstrainedSolution.Goal(mostGenerousOf: BlakJaksProgramme.figures)
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
      "Least bad", "stopped early", "does not hold",
    ] { #expect(text.contains(part), "\(part)\n\(text)") }
    #expect(!text.contains("fresh seeds") && !text.contains("end of its range"))
    let page = ConstrainedPage.html(nowhere, scenario: "s", plotly: .cdn, source: nil)
    #expect(page.contains("The least bad point") && page.contains("No point tried meets"))
  }

  @Test("The key of the plane's colors is below it, so that a phone has room for the plane")
  func colourKey() throws {
    let page = ConstrainedPage.html(try solution(2), scenario: "s", plotly: .cdn, source: nil)
    let bar = try #require(page.firstRange(of: "\"colorbar\":{"))
    let key = page[bar.upperBound...].prefix(400)
    #expect(key.contains("\"orientation\":\"h\""), "\(key)")
    #expect(key.contains("\"yanchor\":\"top\"") && key.contains("\"y\":-0.2"), "\(key)")
  }

  /// A solution over one factor whose objective and condition are the same figure.
  private func solution(
    _ condition: String, points: Int = 12, _ observe: ([Double], Int, Bool) -> (Double, Double)
  ) throws -> ConstrainedSolution {
    let settings = [try SettingAxis("a=0..10")]
    let conditions = [try Objective(condition, figures: BlakJaksProgramme.figures)]
    let goal = ConstrainedSolution.Goal(
      .maximise, try #require(BlakJaksProgramme.figures.figure("tins.sold")))
    let plan = try ConstrainedSolution.plan(
      settings, conditions, goal, points: points, most: 100, tolerance: 0.05)
    let search = try ConstrainedSearch.run(plan) { values, numbers in
      numbers.map { number in
        let (value, margin) = observe(values, number, numbers.lowerBound >= plan.replications)
        return SearchObservation(
          objective: values[0], conditions: [ConditionSample(value: value, margin: margin)])
      }
    }
    return ConstrainedSolution(
      axes: settings, conditions: conditions, goal: goal, search: search, presentTexts: ["3"],
      present: search.points[0].figures)
  }

  @Test("A condition is shown where its interval lies inside the bound, else it holds by estimate")
  func verdicts() throws {
    for (share, words, key) in [
      (0, "shown to hold", "shown"), (4, "holds by estimate", "holds_by_estimate"),
    ] {
      // 0 and 4 events of 100: Wilson's 98.75 % intervals end at 5.9 % and 11.4 %.
      let found = try solution("P(tins.sold > 9) <= 0.1") { _, number, _ in
        number % 25 < share / 4 ? (1, 1) : (0, -1)
      }
      let text = ConstrainedText.text(found, overrides: [], folder: "out", colour: true)
      let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("P(tins.sold") })
      #expect(row.contains(words), "\(text)")
      #expect(row.contains("\u{1B}[32m") == (share == 0), "green is kept for what is shown")
      #expect(text.contains("at the high end of its range"))
      #expect(
        ConstrainedText.json(found, overrides: []).contains("\"verdict\": \"\(key)\""))
      let page = ConstrainedPage.html(found, scenario: "s", plotly: .cdn, source: nil)
      #expect(page.contains(">\(words)<"), "\(words)")
    }
  }

  @Test("A figure just beyond its bound has the digits that show it")
  func digits() throws {
    let missed = try solution("mean(budget.months.critical) >= 1") { _, number, _ in
      (number % 20 == 0 ? 0.5 : 1, 0)
    }
    // 19 ones and a half: 0.975.
    let text = ConstrainedText.text(missed, overrides: [], folder: "out", colour: false)
    #expect(text.contains("  0.97 ") || text.contains("  0.98 "), "\(text)")
    #expect(!text.contains("  1.0  "), "\(text)")
  }

  @Test("The row of a percentile says that it shows shares of runs, and which are allowed")
  func percentiles() throws {
    for (condition, words) in [
      ("p95(tins.sold) <= 900", "share of runs above 900, at most 5.0 %"),
      ("p90(tins.sold) >= 2.5", "share of runs at or above 2.5, at least 10.0 %"),
      (" p95(tins.sold) <= 900", "share of runs above 900, at most 5.0 %"),
      ("p95(tins.sold) < 900", "share of runs at or above 900, at most 5.0 %"),
    ] {
      let found = try solution(condition) { _, number, _ in
        condition.contains("<=") ? (0, -1) : (number % 4 == 0 ? (1, 1) : (0, -1))
      }
      let text = ConstrainedText.text(found, overrides: [], folder: "out", colour: false)
      #expect(text.contains("\(condition): \(words)"), "\(text)")
      let page = ConstrainedPage.html(found, scenario: "s", plotly: .cdn, source: nil)
      #expect(page.contains(words))
    }
  }

  @Test("Where fresh seeds contradict, the text counts the points that were put to them")
  func contradicted() throws {
    let all = try solution("P(critical) <= 0.2") { _, _, isFresh in isFresh ? (1, 1) : (0, -1) }
    let text = ConstrainedText.text(all, overrides: [], folder: "out", colour: false)
    let count = all.search.points.count { $0.isContradicted }
    #expect(count == 4)
    #expect(text.contains("Fresh seeds contradicted all 4 points that were put to them"), "\(text)")
    #expect(text.contains("meets the conditions by estimate and was not put to them"), "\(text)")
    #expect(!text.contains("misses the conditions least"))
  }

  @Test("The page holds the plots of one, two and three settings", arguments: [1, 2, 3])
  func page(axes: Int) throws {
    let found = try solution(axes)
    let html = ConstrainedPage.html(found, scenario: "<i>s</i>", plotly: .cdn, source: nil)
    #expect(!html.contains("<b>0") && !html.contains("<i>s"))
    #expect(html.count(of: "<div class=\"plot\" id=\"plot-") == 2 * axes + (axes > 1 ? 1 : 0))
    #expect(html.contains("parcoords") == (axes == 3))
    #expect(html.count(of: "the answer") == 1)
    let titled = html.matches(
      of: #/"yaxis":\{"automargin":true,"ticksuffix":"[^"]*","title":\{"text":"[^"]/#)
    #expect(titled.count == 2 * axes)
  }

  @Test("The page draws every plot", .needsBrowser, .needsPlotly, arguments: [1, 2, 3])
  func plotsAreDrawn(axes: Int) throws {
    let chromium = try #require(Browser.find())
    let source = try #require(plotlyOfCheckout())
    let drawn = ConstrainedPage.html(
      try solution(axes), scenario: "s", plotly: .inline, source: source)
    let document = try chromium.document(
      of: [(name: "report.html", contents: Data(drawn.utf8))])
    #expect(document.count(of: "data-errors=\"\"") == 1)
    #expect(
      document.count(of: "class=\"plot js-plotly-plot\"") == 2 * axes + (axes > 1 ? 1 : 0))
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
