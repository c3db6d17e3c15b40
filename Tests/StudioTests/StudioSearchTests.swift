// Goal: the button finds what 'pitboss solve' finds, tells how far it is, and can be cancelled.
// Method: small scenarios; the answer against replications that are run apart.
import Experiments
import Foundation
import RewardModel
import Scenario
import Studio
import TestSupport
import Testing

@Suite(.tags(.slow, .alone)) struct StudioSearchTests {
  private let path = "rules.scan_reward.base"

  private func mean(_ figure: String, _ value: String, _ numbers: Range<Int>) throws -> Double {
    let scenario = try Scenario.load(
      text: SmallScenario.text, file: "a.yaml",
      overrides: [SettingOverride(path: path, value: value)])
    let runner = ReplicationRunner(try scenario.plan(), asked: [figure], threads: 2)
    let row = try #require(runner.measured.row(of: figure))
    let values = try #require(try runner.run(numbers)).compactMap { $0.figures[row] }
    return values.reduce(0, +) / Double(values.count)
  }

  @Test("The value found holds the condition with fresh seeds, and a greater one does not")
  func finds() async throws {
    let session = try StudioSession(
      text: SmallScenario.text, file: "a.yaml", threads: 2, limit: 4)
    defer { session.stop() }
    let cost = session.scenario.figures.choices.cost
    let bound = (try mean(cost, "0.2", 0..<50) * 1.5).rounded()
    try session.seek(
      StudioSession.Goal(
        path: path, low: "0.1", high: "1", condition: "mean(\(cost)) < \(Int(bound))"))
    let done = try await session.picture { $0.search["state"] as? String != "running" }
    #expect(done.search["state"] as? String == "found", "\(done.search)")
    let moves = try #require(done.search["moves"] as? [[String: String]])
    let value = try #require(moves.first?["value"])
    #expect(moves.count == 1 && moves.first?["path"] == path)
    #expect((done.search["words"] as? String)?.contains("largest") == true)
    #expect(try mean(cost, value, 1_000..<1_200) < bound)
    let beyond = try #require(Double(value)) * 1.15
    #expect(try mean(cost, "\((beyond * 1e6).rounded() / 1e6)", 1_000..<1_200) > bound)
    // The answer is taken like any other value.
    try session.move(path, to: value)
  }

  @Test(
    "What cannot be sought is refused at its field, before anything runs",
    arguments: [
      ("0.1", "1", "P(critical) <= 0", "condition"), ("0.1", "1", "P(critcal) < 1 %", "condition"),
      ("0.1", "1", "mean(nothing) < 1", "condition"), ("1", "0.1", "P(critical) <= 5 %", "range"),
      ("0.1", "much", "P(critical) <= 5 %", "range"),
      ("0.1", "1", "P(critical@2099-01) <= 5 %", "condition"),
      ("-5", "1", "P(critical) <= 5 %", "range"),
    ])
  func refuses(low: String, high: String, condition: String, field: String) throws {
    let session = try StudioSession(
      text: SmallScenario.text, file: "a.yaml", threads: 2, limit: 2)
    defer { session.stop() }
    let refusal = #expect(throws: StudioRefusal.self) {
      try session.seek(
        StudioSession.Goal(path: path, low: low, high: high, condition: condition))
    }
    #expect(refusal?.path == field, "\(refusal?.message ?? "")")
    #expect(refusal?.message.contains("--") != true || condition.hasSuffix("<= 0"))
  }

  @Test("A month that some values leave out of the run is refused")
  func months() throws {
    let session = try StudioSession(
      text: SmallScenario.text, file: "a.yaml", threads: 2, limit: 2)
    defer { session.stop() }
    let refusal = #expect(throws: StudioRefusal.self) {
      try session.seek(
        StudioSession.Goal(
          path: "calendar.days", low: "20", high: "70", condition: "P(critical@2026-03) <= 50 %"))
    }
    #expect(refusal?.path == "condition")
    #expect(refusal?.message == "2026-03 is not in the run at 20, which ends in 2026-01")
  }

  @Test("A search that is cancelled ends")
  func cancels() async throws {
    let session = try StudioSession(
      text: SmallScenario.slower, file: "a.yaml", threads: 2, limit: 2)
    defer { session.stop() }
    try session.seek(
      StudioSession.Goal(path: path, low: "0.1", high: "1", condition: "P(critical) <= 20 %"))
    let running = try await session.picture {
      ($0.search["words"] as? String)?.hasPrefix("Trying") == true
    }
    #expect(running.search["state"] as? String == "running")
    session.cancelSearch()
    let ended = try await session.picture { $0.search["state"] as? String != "running" }
    #expect(ended.search["state"] as? String == "cancelled")
    // Another one can begin at once, and what was cancelled does not come back.
    try session.seek(
      StudioSession.Goal(path: path, low: "0.1", high: "1", condition: "P(critical) <= 30 %"))
    let next = try await session.picture {
      ($0.search["words"] as? String)?.hasPrefix("Trying") == true
    }
    #expect(next.search["condition"] as? String == "P(critical) <= 30 %")
  }
}

@Suite(.tags(.slow, .alone)) struct StudioPaceTests {
  @Test("A move gives up replications under way, however long they would take")
  func givesUp() async throws {
    let session = try StudioSession(
      text: SmallScenario.huge, file: "a.yaml", threads: 2, limit: 4)
    defer { session.stop() }
    // Long enough to be in the middle of the first, which takes many times as long.
    try await Task.sleep(for: .milliseconds(300))
    try session.open(SmallScenario.text, file: "b.yaml")
    let picture = try await session.picture { $0.count > 0 }
    #expect(picture.revision == 2)
  }
}
