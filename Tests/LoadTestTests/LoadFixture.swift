import Foundation
import Quantities
import RewardModel

@testable import LoadTest

/// Loads that are made up, so that every figure of their results is known.
enum LoadFixture {
  static let steps = ["scan", "wallet", "never"]
  static let shape = LoadShape(
    profile: .constant, rate: 10, seconds: 4, arrivals: .even, journeys: ["scan", "wallet"],
    connections: 512, timeout: 30, think: 0, backOff: 2, drain: 70)
  /// 2026-01-01T00:00:00Z.
  static let started = Instant(microseconds: 1_767_225_600_000_000)

  /// Four seconds of ten sessions. In each 8 scans are done after 1 to 8 ms and one is refused after
  /// 9 ms, each of them a quarter of a millisecond under way; a request for a wallet is not answered
  /// in time in the second one. In the third nothing is answered.
  static func measures() -> LoadMeasures {
    var measures = LoadMeasures(journeys: 2, steps: 3)
    for second in 0..<4 {
      measures.sessions[0] += 9
      measures.sessions[1] += 1
      measures.current.sessions = 10
      measures.steps[0].offered += 9
      measures.steps[1].offered += 1
      if second != 2 {
        for attempt in 1...9 {
          measures.answered(
            0, refused: attempt == 9, latency: Int64(attempt) * 1_000_000, service: 250_000,
            inTime: true)
        }
      }
      if second == 1 { measures.failed(1, .timeout) }
      measures.steps[0].sent += 9
      measures.steps[1].sent += 1
      measures.current.sent = 10
      for _ in 0..<10 { measures.lag.record(50_000) }
      measures.finishSecond(underWay: second, waiting: second == 2 ? 5 : 0)
    }
    measures.elapsed = 4.25
    measures.processorSeconds = 0.0004
    measures.connects = 3
    measures.mostUnderWay = 7
    measures.bytes = 12_345
    return measures
  }

  static func result(
    _ measures: LoadMeasures = measures(), scenario: String = "made-up", shape: LoadShape = shape,
    command: String = "pitboss stress made-up"
  ) -> LoadResult {
    LoadResult(
      scenario: scenario, programme: "tea", seed: .max, target: "127.0.0.1:8080",
      offer: "constant, 10 sessions a second", shape: shape, command: command, started: started,
      from: started, through: started + .seconds(60), journeys: ["scan", "wallet"], steps: steps,
      measures: measures)
  }

  /// A threshold that was looked at.
  static func threshold(
    _ text: String, value: Double?, isMet: Bool, missedAt: Int? = nil
  ) throws -> ThresholdResult {
    ThresholdResult(
      threshold: try LoadThreshold(text, steps: steps), value: value, missedAt: missedAt,
      isMet: isMet)
  }

  /// All that may be in a result.
  static func full(_ change: (inout LoadResult) -> Void = { _ in }) throws -> LoadResult {
    var result = result()
    result.measures.thresholds = [
      try threshold("scan p(99) < 300ms", value: 9e6, isMet: true),
      try threshold("errors < 1% for 2s", value: 0.05, isMet: false, missedAt: 3),
      try threshold("rate > 5", value: nil, isMet: true),
    ]
    result.audit = LoadAudit(
      acknowledged: 24, requests: 30, problems: [AuditProblem(.journal, "request 7 is missing")])
    let before = try LoadBaseline(Data(LoadDocument.json(self.result()).utf8), source: "before")
    result.baseline = BaselineComparison(result, to: before)
    change(&result)
    return result
  }

  /// Counts answers of the first step.
  static func answer(_ measures: inout LoadMeasures, _ count: Int, latency: Int64) {
    for _ in 0..<count {
      measures.answered(0, refused: false, latency: latency, service: latency, inTime: true)
    }
    measures.sessions[0] += count
    measures.elapsed = 1
  }
}
