// Goal: the report of a load says the verdict first, draws its plots in a browser, and lets no name run
// anything; the view in a terminal fits and says what happens.
// Method: made-up loads; headless Chromium where it is.
import Foundation
import Quantities
import Reports
import RewardModel
import TestSupport
import Testing

@testable import LoadTest

@Suite struct LoadPageTests {
  @Test func thePageSaysTheVerdictFirst() throws {
    let page = LoadPage.html(try LoadFixture.full(), plotly: .cdn, source: nil)
    let verdict = try #require(page.firstRange(of: "class=\"verdict bad\">Failed: the audit found"))
    let table = try #require(page.firstRange(of: "id=\"checks\""))
    #expect(verdict.lowerBound < table.lowerBound)
    for words in [
      "<h1>Load of made-up</h1>", "id=\"steps\"", "id=\"seconds\"", "id=\"percentiles\"",
      "id=\"errors\"", "id=\"baseline\"", "id=\"generator\"", "id=\"run\"", "request 7 is missing",
      "href=\"./load.json\"", "pitboss stress made-up", "no answer in time",
    ] {
      #expect(page.contains(words), "\(words)")
    }
  }

  @Test func aPartOfASecondIsNotDrawnAsOne() {
    func page(_ result: LoadResult) -> String { LoadPage.html(result, plotly: .cdn, source: nil) }
    var measures = LoadFixture.measures()
    #expect(measures.wholeSeconds.count == 4)
    #expect(!page(LoadFixture.result(measures)).contains("a part of a second"))
    LoadFixture.answer(&measures, 1, latency: 1_000_000)
    measures.finishSecond(underWay: 0, waiting: 0)
    measures.elapsed = 4.25
    #expect(measures.seconds.count == 5 && measures.wholeSeconds.count == 4)
    #expect(
      page(LoadFixture.result(measures)).contains("The last 250 ms, a part of a second, are in"))
    measures.elapsed = 0.25
    #expect(measures.wholeSeconds.count == 5)
  }

  @Test func whatWasNotMeasuredIsLeftOut() {
    var measures = LoadMeasures(journeys: 2, steps: 3)
    measures.elapsed = 0.5
    let page = LoadPage.html(LoadFixture.result(measures), plotly: .cdn, source: nil)
    for id in ["errors", "baseline", "percentiles"] { #expect(!page.contains("id=\"\(id)\"")) }
    #expect(page.contains("The load was offered, no attempt failed."))
  }

  @Test(.needsBrowser, .needsPlotly, .tags(.slow)) func thePlotsAreDrawn() throws {
    let chromium = try #require(Browser.find())
    let hostile = "</script><script>document.documentElement.dataset.hacked = 1</script>"
    let result = try LoadFixture.full {
      $0.scenario = hostile
      $0.command = hostile
      $0.audit?.problems = [AuditProblem(.laws, hostile)]
    }
    let source = try #require(plotlyOfCheckout())
    let html = LoadPage.html(result, plotly: .inline, source: source)
    let page = try chromium.document(of: [("report.html", Data(html.utf8))])
    #expect(page.count(of: "class=\"plot js-plotly-plot\"") == 4)
    #expect(page.count(of: "class=\"plot\"") == 0)
    #expect(page.count(of: "data-errors=\"\"") == 1 && page.count(of: "data-hacked") == 0)
  }
}

@Suite struct KneePageTests {
  @Test(.needsBrowser, .needsPlotly, .tags(.slow)) func thePlotsOfAKneeAreDrawn() throws {
    let chromium = try #require(Browser.find())
    var search = KneeSearch()
    search.run(from: 100, seconds: 1) { phase, rate, seconds in
      var measures = LoadMeasures(journeys: 1, steps: 1)
      LoadFixture.answer(&measures, Int(rate), latency: Int64(rate) * 10_000)
      let work = WriterWork(
        requests: rate, batches: rate / (1 + rate / 400), writing: rate * 0.0004)
      return KneeSearch.Point(
        phase: phase, rate: rate, seconds: seconds, measures: measures, work: work,
        isMet: rate <= 1_000)
    }
    let result = KneeResult(
      search, [try LoadThreshold("p99 < 1s", steps: [])], processors: 2, seed: 1)
    #expect(result.model != nil && result.law != nil)
    let source = try #require(plotlyOfCheckout())
    let html = KneePage.html(
      result, scenario: "made-up", target: "t", offer: "o", plotly: .inline, source: source)
    let page = try chromium.document(of: [("report.html", Data(html.utf8))])
    #expect(page.count(of: "class=\"plot js-plotly-plot\"") == 2)
    #expect(page.count(of: "class=\"plot\"") == 0)
    #expect(page.count(of: "data-errors=\"\"") == 1)
  }
}

@Suite struct LoadViewTests {
  private func progress(_ second: LoadSecond?, at elapsed: Double) -> LoadProgress {
    LoadProgress(
      elapsed: elapsed, seconds: 100, second: second, open: 7, underWay: 3, waiting: 0,
      isDraining: elapsed >= 100)
  }

  private func second(_ place: Int, p99: Int64 = 9_000_000, errors: Int = 0) -> LoadSecond {
    var second = LoadSecond(second: place)
    second.sessions = 300
    second.done = p99 > 0 ? 1_290 : 0
    second.errors = errors
    second.median = p99 / 4
    second.p99 = p99
    return second
  }

  @Test func sixLinesSayHowItGoes() {
    var view = LoadView(title: "made-up at 127.0.0.1:8080")
    #expect(view.lines(progress(nil, at: 0.2), width: 100, colour: false).count == 6)
    view.note(progress(second(0), at: 1.1))
    view.note(progress(second(0), at: 1.3))
    view.note(progress(second(1, p99: 18_000_000, errors: 2), at: 2.05))
    let lines = view.lines(progress(second(1), at: 25.5), width: 100, colour: false)
    #expect(
      lines == [
        "█████░░░░░░░░░░░░░░░  0:25 of 1:40, 1:15 left  made-up at 127.0.0.1:8080",
        "Sessions  300/s offered, 7 open", "Requests  1,290/s answered, 3 under way",
        "Latency   p50 4.50 ms, p99 18.0 ms", "Errors    2/s, 2 so far",
        "p99       ▅█  up to 18.0 ms, last 2 s",
      ])
    let ending = view.lines(progress(second(1), at: 101), width: 100, colour: false)
    #expect(ending[0].contains("7 sessions to end"))
  }

  @Test func linesFitTheTerminalAndColorsAreOnlyWhereTheyMayBe() {
    var view = LoadView(title: "a\u{1B}[2Jb" + String(repeating: "x", count: 300))
    view.note(progress(second(0, errors: 1), at: 1))
    for width in [1, 20, 80] {
      let lines = view.lines(progress(second(0), at: 1), width: width, colour: false)
      #expect(lines.allSatisfy { $0.count <= max(width - 1, 1) && !$0.contains("\u{1B}") })
    }
    #expect(
      view.lines(progress(second(0), at: 1), width: 80, colour: true)[4].hasPrefix("\u{1B}[31m"))
  }

  @Test func theLineOfLatenciesShowsAMinute() {
    var view = LoadView(title: "x")
    for place in 0..<200 { view.note(progress(second(place), at: Double(place))) }
    let line = view.lines(progress(second(199), at: 200), width: 200, colour: false)[5]
    #expect(line.count { $0 == "█" } == 60 && line.hasSuffix("last 60 s"))
    #expect(LoadView.sparkline([]) == "" && LoadView.sparkline([nil, 0, 0]) == "·▁▁")
    #expect(LoadView.sparkline([1, 2, 3, 4, 5, 6, 7, 8, nil]) == "▂▃▄▅▆▇██·")
  }
}
