// Goal: the text and the document say what was measured, and the document follows its schema.
// Method: a small stress, whose document is read as JSON and held against the schema.
import BlakJaks
import Foundation
import LoadTest
import Quantities
import RewardModel
import TestSupport
import Testing

/// Requests of two kinds, of which every third is refused.
private struct SteadyEngine: StressedEngine {
  static let kinds = ["never", "fast", "other"]
  static let counted = "things"
  var done = 0
  var count: Int { 300 }
  var end: Instant? { Instant(microseconds: 1_767_225_600_000_000) }
  var state: any Encodable { done }
  func kind(at place: Int) -> Int { place % 10 == 0 ? 2 : 1 }
  func check() throws {}

  mutating func commit(_ place: Int) throws -> StressAnswer {
    done += 1
    return place % 3 == 0 ? .refused : .accepted
  }
}

@Suite struct EngineResultTests {
  private func result(rates: [Double] = [1_000]) throws -> EngineResult {
    let load = EngineLoad(SteadyEngine())
    let frame = RunFrame(
      scenario: "steady", seed: .max,
      calendar: try ProgrammeCalendar(
        zone: "UTC", firstDate: try #require(CivilDate("2026-01-01")), days: 3))
    var settings = BlakJaksSettings()
    settings.population.members = 20
    let plan = ProgrammePlan(BlakJaksProgramme.self, frame: frame, settings: settings)
    return EngineResult(
      scenario: "steady", programme: "tea", seed: .max, counted: "things", requests: 300,
      end: SteadyEngine().end, spacing: .even,
      rounds: try (0..<3).map { _ in try load.round().round },
      rates: try rates.map {
        try load.paced(Arrivals(.even, rate: $0, seconds: 0.1, seed: 1)).rate
      },
      scaling: try #require(try WorldScaling(plan, upTo: 2, rounds: 2) { _, _ in true }),
      processors: 2)
  }

  @Test func theDocumentFollowsItsSchema() throws {
    let schema = try MiniSchema(EngineDocument.schema)
    for rates in [[], [1_000], [500, 2_000]] as [[Double]] {
      let json = EngineDocument.json(try result(rates: rates))
      #expect(schema.problems(in: json) == [])
    }
    #expect(schema.problems(in: "{}") != [])
    let json = EngineDocument.json(try result())
    #expect(schema.problems(in: json.replacing("\"engine\"", with: "\"moon\"")) != [])
  }

  @Test func theDocumentHoldsWhatWasMeasured() throws {
    let result = try result()
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(EngineDocument.json(result).utf8))
        as? [String: Any])
    #expect(object["seed"] as? String == "18446744073709551615")
    let rounds = try #require(object["rounds"] as? [[String: Any]])
    #expect(rounds.count == 3)
    #expect(rounds.allSatisfy { $0["accepted"] as? Int == 200 && $0["refused"] as? Int == 100 })
    let kinds = try #require(object["kinds"] as? [[String: Any]])
    #expect(kinds.map { $0["kind"] as? String } == ["fast", "other"])
    let counts = kinds.compactMap { ($0["service"] as? [String: Any])?["count"] as? Int }
    #expect(counts == [810, 90])
    let rate = try #require((object["rates"] as? [[String: Any]])?.first)
    #expect(rate["scheduled"] as? Int == 100)
  }

  @Test func theTextNamesEveryPart() throws {
    let text = EngineText.text(try result(), folder: "out", width: 100, colour: false)
    for words in [
      "Stress of steady", "300 requests", "Accepted things", "200 a round", "300 a round",
      "100 of them refused", "fast", "other", "At given rates",
      "evenly spaced arrivals of the last requests; accepted: things", "latency",
      "service", "timer", "The simulated world by threads", "House's share", "Amdahl's", "Beside",
      "Folder     out",
    ] {
      #expect(text.contains(words), "\(words)\n\(text)")
    }
    #expect(!text.contains("never") && !text.contains("\u{1B}"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 110 }, "\(text)")
    let none = EngineText.text(try result(rates: []), folder: "out", width: 100, colour: false)
    #expect(!none.contains("At given rates"))
  }

  @Test(
    "Rates and factors that were given keep their fraction in words",
    arguments: [
      (1.5, "1.5"), (0.5, "0.5"), (0.001, "0.001"), (1_234.25, "1,234.25"), (86_400, "86,400"),
      (100_000_000, "100,000,000"), (2, "2"),
    ])
  func givenNumbers(_ value: Double, _ text: String) {
    #expect(GivenNumber.text(value) == text)
  }

  @Test func anEstimateOfOneValueHasNoInterval() {
    let one = EngineResult.estimate([3])
    #expect(one.mean == 3 && one.halfWidth == nil)
    let (mean, half) = EngineResult.estimate([1, 2, 3])
    // Student's t for two degrees of freedom, 4.303, times 1 / √3.
    #expect(mean == 2 && abs((half ?? 0) - 2.484) < 0.001)
  }
}
