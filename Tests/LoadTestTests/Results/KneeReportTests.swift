// Goal: the report of a search for the knee says what gave first, and how far its model is to be trusted.
// Method: searches that are made up, whose model knows the writer alone.
import Foundation
import Reports
import RewardModel
import TestSupport
import Testing

@testable import LoadTest

@Suite struct KneeReportTests {
  /// A search whose model knows the writer alone; from a rate on, it is not offered or misses p99.
  private func reported(
    missed: Double = .infinity, unoffered: Double = .infinity, writing: Double = 0.0004
  ) throws -> KneeResult {
    let condition = try LoadThreshold("p99 < 20ms", steps: ["scan"])
    var search = KneeSearch()
    search.limit = 1_600
    search.run(from: 100, seconds: 1) { phase, rate, seconds in
      var measures = LoadMeasures(journeys: 1, steps: 1)
      LoadFixture.answer(&measures, Int(rate), latency: 1_000_000)
      measures.processorSeconds = 0.25
      if rate >= unoffered { measures.late = measures.sessions[0] / 10 }
      let isMet = rate < missed
      measures.thresholds = [
        ThresholdResult(threshold: condition, value: isMet ? 1e6 : 3e7, missedAt: nil, isMet: isMet)
      ]
      let work = WriterWork(
        requests: rate, batches: rate / (1 + rate / 400),
        writing: writing == 0 ? 0.001 * rate / (1 + rate / 400) : rate * writing,
        processor: rate / 1_600)
      return KneeSearch.Point(
        phase: phase, rate: rate, seconds: seconds, measures: measures, work: work, isMet: isMet)
    }
    return KneeResult(search, [condition], processors: 2, seed: 1)
  }

  private func page(_ result: KneeResult) -> String {
    KneePage.html(result, scenario: "s", target: "t", offer: "o", plotly: .cdn, source: nil)
  }

  @Test func aKneeThatTheGeneratorBoundsIsACaution() throws {
    let result = try reported(unoffered: 800)
    #expect(result.search.end == .generatorLimit && result.search.knee != nil)
    #expect(KneeText.tone(result) == .caution)
    #expect(KneeText.tone(try reported(unoffered: 50)) == .bad)
    #expect(KneeText.tone(try reported(missed: 50)) == .bad)
    #expect(KneeText.tone(try reported(missed: 500)) == .good)
    #expect(KneeText.tone(try reported()) == .good)
    var audited = try reported()
    audited.audit = LoadAudit(acknowledged: 1, requests: 1, problems: [], failure: "no room")
    #expect(KneeText.tone(audited) == .bad)
    #expect(KneeText.verdict(audited).hasSuffix(" The audit could not be made: no room."))
  }

  @Test func theReportSaysWhatGaveFirst() throws {
    let limited = try #require(KneeLimit(try reported(unoffered: 800))).words
    #expect(limited.contains("the generator gave first: 10.0 % of the sessions started more than"))
    #expect(limited.contains("The generator took 25 % of one of 2 processors. Its thread had time"))
    #expect(limited.contains("; the rest of it took 50 % of one processor."), "\(limited)")
    let missed = try #require(KneeLimit(try reported(missed: 500))).words
    #expect(missed.contains("p99 < 20ms (30.0 ms) missed. The generator took 25 %"), "\(missed)")
    #expect(KneeLimit(try reported()) == nil)
    let text = KneeText.text(
      try reported(unoffered: 800), scenario: "s", target: "t", offer: "o", folder: "f",
      width: 200, colour: false)
    #expect(text.contains("\nLimit      At ") && text.contains("\n           "))
  }

  @Test func plotsSayWhatTheyLeaveOutAndLabelTheirAxesInFull() throws {
    let limited = page(try reported(unoffered: 800))
    #expect(limited.contains("Windows that the generator could not offer are left out"))
    #expect(!page(try reported()).contains("are left out"))
    #expect(limited.contains("\"tickvals\":["), "plotly chooses the labels")
    #expect(LoadPlots.ticks([2, 30]) == [1, 2, 5, 10, 20, 50, 100, 200, 500])
  }

  @Test func theLawIsPointsAsItFollowsWhatWasMeasured() throws {
    let page = page(try reported())
    #expect(page.contains("answered, law") && page.contains("diamond-open"))
    #expect(!page.contains("<th scope=\"col\"></th>"), "a heading is empty")
  }

  @Test("A model that says another knee, or that a request costs nothing, is doubted")
  func doubts() throws {
    // The model knows no reason to stop before some 2,400 a second.
    let early = try reported(missed: 500)
    #expect(early.modelDoubts.count { $0.contains("not within a factor of 1.5") } == 1)
    #expect(page(early).contains("The model fits badly: "))
    // A knee that is only known to be above contradicts no higher one.
    #expect(
      try reported(unoffered: 800).modelDoubts.allSatisfy { !$0.contains("not within") })
    let free = try reported(writing: 0)
    #expect(free.modelDoubts.contains { $0.contains("for a request could not be told") })
    let json = KneeDocument.json(free, scenario: "s", target: "t", offer: "o", seed: 1)
    #expect(try MiniSchema(KneeDocument.schema).problems(in: json) == [])
  }
}
