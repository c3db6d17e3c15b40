// Goal: load.json and the tables hold what was measured, and the document follows its schema.
// Method: a load that is made up, whose document is read as JSON, whose tables are compared as text.
import Foundation
import Quantities
import Reports
import TestSupport
import Testing

@testable import LoadTest

@Suite struct LoadDocumentTests {
  private func object(_ result: LoadResult) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(LoadDocument.json(result).utf8))
        as? [String: Any])
  }

  @Test func theDocumentFollowsItsSchema() throws {
    let schema = try MiniSchema(LoadDocument.schema)
    let silent = LoadFixture.result(LoadMeasures(journeys: 2, steps: 3))
    var paced = LoadFixture.shape
    (paced.profile, paced.rate, paced.arrivals, paced.speed) = (nil, nil, nil, 60)
    for result in [
      LoadFixture.result(), try LoadFixture.full(), silent, LoadFixture.result(shape: paced),
    ] {
      #expect(schema.problems(in: LoadDocument.json(result)) == [])
    }
    #expect(schema.problems(in: "{}") != [])
    let json = LoadDocument.json(try LoadFixture.full())
    for (part, other) in [
      ("\"schema_version\": 1", "\"schema_version\": 2"), ("\"error_share\"", "\"luck\""),
      ("\"waiting\": 5", "\"waiting\": \"5\""), ("\"timeout\": 1}", "\"timeout\": null}"),
    ] {
      #expect(json.contains(part), "\(part)")
      #expect(schema.problems(in: json.replacing(part, with: other)) != [], "\(part)")
    }
  }

  @Test func theDocumentHoldsWhatWasMeasured() throws {
    let object = try object(try LoadFixture.full())
    #expect(object["seed"] as? String == "18446744073709551615")
    #expect(object["started"] as? String == LoadFixture.started.description)
    #expect(object["offered"] as? Bool == true && object["interrupted"] as? Bool == false)
    let steps = try #require(object["steps"] as? [[String: Any]])
    #expect(steps.map { $0["step"] as? String } == ["scan", "wallet"])
    #expect(steps[0]["done"] as? Int == 24 && steps[0]["refused"] as? Int == 3)
    #expect((steps[1]["errors"] as? [String: Int])?.filter { $1 > 0 } == ["timeout": 1])
    let latency = try #require(steps[0]["latency"] as? [String: Int])
    #expect(latency["count"] == 27 && latency["max_ns"] == 9_000_000)
    // HdrHistogram keeps three digits.
    #expect(abs((latency["p50_ns"] ?? 0) - 5_000_000) < 5_000)
    #expect(steps[1]["latency"] is NSNull)
    let seconds = try #require(object["seconds"] as? [[String: Any]])
    #expect(seconds.count == 4 && seconds.allSatisfy { $0["sessions"] as? Int == 10 })
    #expect(seconds[2]["p99_ns"] is NSNull && seconds[2]["waiting"] as? Int == 5)
    #expect((seconds[1]["error_kinds"] as? [String: Int]) == ["timeout": 1])
    #expect((seconds[1]["steps"] as? [[String: Any]])?.count == 2)
    #expect((seconds[2]["steps"] as? [[String: Any]])?.isEmpty == true)
    let checks = try #require(object["checks"] as? [[String: Any]])
    let failed = checks.filter { $0["passed"] as? Bool == false }.compactMap {
      $0["name"] as? String
    }
    #expect(failed == ["errors < 1% for 2s", "the journal has no gaps"] && checks.count == 14)
    let figures = try #require(
      (object["baseline"] as? [String: Any])?["figures"] as? [[String: Any]])
    #expect(figures.allSatisfy { $0["real"] as? Bool == false })
  }

  @Test("Percentiles rise to the greatest latency, and their points follow the count")
  func percentiles() throws {
    let steps = try #require(try object(LoadFixture.result())["steps"] as? [[String: Any]])
    let points = try #require(steps[0]["percentiles"] as? [[String: Double]])
    let percents = points.compactMap { $0["percent"] }
    let latencies = points.compactMap { $0["latency_ns"] }
    #expect(percents == percents.sorted() && Set(percents).count == percents.count)
    #expect(latencies == latencies.sorted() && latencies.last == 9_000_000)
    #expect(percents.first == 0 && percents.last == 100 && percents.contains(87.5))
    #expect(LatencyRecorder.plottedPercents(count: 0).isEmpty)
    #expect(LatencyRecorder.plottedPercents(count: 1) == [0, 25, 100])
    #expect(LatencyRecorder.plottedPercents(count: 1_000_000_000).count < 70)
  }

  @Test func theTableOfSecondsHasARowASecond() {
    let lines = LoadTables.seconds(LoadFixture.result()).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines.first == "second,sessions,sent,done,refused,errors,p50_ns,p99_ns,under_way,waiting")
    #expect(lines.count == 6 && lines.last == "")
    #expect(lines[3] == "2,10,10,0,0,0,,,2,5")
    let fields = lines[2].split(separator: ",").compactMap { Int($0) }
    #expect(Array(fields.prefix(6)) == [1, 10, 10, 8, 1, 1] && Array(fields.suffix(2)) == [1, 0])
    // Of seconds two digits are kept.
    #expect(abs(fields[6] - 5_000_000) < 50_000 && abs(fields[7] - 9_000_000) < 90_000)
  }

  @Test func theTableOfStepsLeavesOutWhatWasNotAsked() {
    let lines = LoadTables.steps(LoadFixture.result()).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(lines.count == 3 && lines.allSatisfy { $0.count == lines[0].count })
    #expect(Array(lines[1].prefix(8)) == ["scan", "36", "36", "24", "3", "0", "0", "0"])
    #expect(Array(lines[2].prefix(6)) == ["wallet", "4", "4", "0", "0", "1"])
    #expect(lines[2].suffix(10).allSatisfy { $0.isEmpty })
    #expect(lines[0].last == "service_max_ns" && lines[1].last == "250000")
    let timeouts = lines[0].firstIndex(of: "timeout")
    #expect(timeouts.map { lines[2][$0] } == "1")
  }

  @Test("Answers a second are those of the load's time: in text, page, threshold and knee alike")
  func answersPerSecond() throws {
    var result = LoadFixture.result()
    // A session that takes a minute to end, and is answered then.
    result.measures.elapsed = 64
    result.measures.answered(0, refused: false, latency: 1, service: 1, inTime: false)
    let scan = result.measures.steps[0]
    #expect(scan.answered == 28 && result.answersPerSecond(scan) == 6.75)
    let text = LoadText.text(result, folder: "out", width: 100, colour: false)
    let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("scan ") })
    #expect(row.split(separator: " ").prefix(3) == ["scan", "36", "6.8"])
    let page = LoadPage.html(result, plotly: .cdn, source: nil)
    #expect(page.contains(">6.8<") && !page.contains(">0.4<"))
    var watch = LoadWatch([try LoadThreshold("rate > 6.7", steps: [])], steps: result.steps)
    watch.conclude(result.measures, over: 4)
    #expect(watch.results[0].value == 6.75)
    let point = KneeSearch.Point(
      phase: .growth, rate: 10, seconds: 4, measures: result.measures, work: nil, isMet: true)
    #expect(point.throughput == 6.75)
    // Where it ends early, there is only the time that it took.
    result.measures.elapsed = 2
    #expect(result.answersPerSecond(scan) == 13.5)
  }

  @Test("Requests without an answer are told next to the percentiles that leave them out")
  func withoutAnswer() throws {
    let none = LoadText.text(LoadFixture.result(), folder: "out", width: 100, colour: false)
    #expect(!none.contains("Given up after errors"))
    var result = LoadFixture.result()
    result.measures.gaveUp(0, after: .timeout, latency: 30_000_000_000)
    result.measures.gaveUp(1, after: .timeout, latency: 30_000_000_000)
    result.measures.steps[1].unanswered = 4
    let text = LoadText.text(result, folder: "out", width: 100, colour: false)
    #expect(
      text.replacing("\n", with: " ").contains(
        "Given up after errors, or open at the end, so in no percentile: 6 requests (scan 1, wallet 5)."
      ),
      "\(text)")
    let page = LoadPage.html(result, plotly: .cdn, source: nil)
    #expect(page.contains("Given up") && page.contains(">5</td>"))
    let total = try #require(try object(result)["total"] as? [String: Any])
    #expect(total["without_answer"] as? Int == 6)
  }

  @Test func theTextNamesEveryPart() throws {
    let text = LoadText.text(try LoadFixture.full(), folder: "out", width: 100, colour: false)
    for words in [
      "Stress of made-up  at 127.0.0.1:8080", "40 sessions started: scan 36, wallet 4", "latency",
      "service", "timeout", "Thresholds", "missed after 3 s", "Against the baseline",
      "request 7 is missing", "Folder     out",
    ] {
      #expect(text.contains(words), "\(words)\n\(text)")
    }
    #expect(!text.contains("never  ") && !text.contains("\u{1B}"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 110 }, "\(text)")
    #expect(
      LoadText.text(try LoadFixture.full(), folder: "out", width: 100, colour: true).contains(
        "\u{1B}[31m"))
  }

  @Test("Sentences of a load are as wide as the terminal, and its tables as wide as they are")
  func widths() throws {
    let sentence =
      "latency: from the intended start to the answer, waits included. service: from the real start."
    func text(_ width: Int) throws -> [Substring] {
      LoadText.text(try LoadFixture.full(), folder: "out", width: width, colour: false)
        .split(separator: "\n")
    }
    let (wide, narrow) = (try text(120), try text(50))
    #expect(wide.contains { $0 == sentence })
    #expect(
      narrow.contains("latency: from the intended start to the answer,")
        && narrow.contains("waits included. service: from the real start."), "\(narrow)")
    let row = { (lines: [Substring]) in lines.first { $0.hasPrefix("scan ") } }
    #expect(row(wide) == row(narrow))
  }
}
