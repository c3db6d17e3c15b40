// Goal: load changes how long requests take and never what they do.
// Method: small scenarios of each program are committed as fast as it goes, at given rates and
// once more by hand; states are compared as they are saved, counts with those of the simulated run.
import BlakJaks
import Embera
import Foundation
import LoadTest
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

private let text = """
  name: small
  calendar: {days: 40}
  population:
    members: 300
    adoption: {per_day: 20}
  """

private func plan<P: RewardProgramme>(
  _ programme: P.Type, _ more: String = ""
) throws -> (frame: RunFrame, settings: P.Settings) {
  let body =
    P.id == "embera" ? "name: small\ncalendar: {days: 40}\npopulation: {members: 300}" : text
  let scenario = try Scenario.load(
    text: "programme: \(P.id)\n\(body)\n\(more)", file: "small.yaml")
  return (try scenario.plan().frame, try #require(scenario.settings(of: P.self)))
}

private func saved(_ engine: some StressedEngine) throws -> Data {
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  return try encoder.encode(engine.state)
}

@Suite struct EngineLoadTests {
  private func made<P: StressedProgramme>(
    _ programme: P.Type, limit: Int = .max, threads: Int = 2
  ) throws -> P.Engine {
    let (frame, settings) = try plan(programme)
    return try P.engine(frame, settings, threads: threads, limit: limit) { _ in true }
  }

  private func sameState<P: StressedProgramme>(_ programme: P.Type) throws {
    let engine = try made(programme)
    #expect(engine.count > 500)
    var alone = engine
    var answers = AnswerCounts()
    for place in 0..<engine.count { answers.add(try alone.commit(place)) }
    let state = try saved(alone)
    #expect(try saved(engine) != state)
    let load = EngineLoad(engine)
    for _ in 0..<2 {
      let (round, machine) = try load.round()
      #expect(try saved(machine) == state)
      #expect(round.answers == answers)
      #expect(round.kinds.reduce(0) { $0 + $1.count } == engine.count)
    }
    for (rate, spacing) in [(40_000.0, Arrivals.Spacing.even), (150_000, .even)] {
      let seconds = Double(engine.count) / rate
      try #require(Arrivals.lengths.contains(max(seconds, 0.05)))
      let length = max(seconds, 0.05)
      let arrivals = Arrivals(
        spacing, rate: (Double(engine.count) / length).rounded(), seconds: length, seed: 1)
      try #require(arrivals.starts.count == engine.count)
      let (paced, machine) = try load.paced(arrivals)
      #expect(paced.times.unsent == 0)
      #expect(try saved(machine) == state)
      #expect(paced.answers == answers)
    }
  }

  @Test func committingGivesTheSameStateWhateverTheRate() throws {
    try sameState(BlakJaksProgramme.self)
    try sameState(EmberaProgramme.self)
  }

  @Test func whatIsAcceptedIsWhatTheRunAccepted() throws {
    let (frame, settings) = try plan(BlakJaksProgramme.self)
    let record = try BlakJaksProgramme.simulate(
      frame, settings, threads: 1, checking: false, outputs: RunOutputs(), proceed: { _ in true })
    let (round, _) = try EngineLoad(try made(BlakJaksProgramme.self)).round()
    #expect(Int64(round.answers.accepted) == record.acceptedScans)
    #expect(round.answers.accepted > 100)
  }

  @Test func theRequestsDoNotDependOnThreadsAndFewerAreTheFirstOfMore() throws {
    let all = try made(BlakJaksProgramme.self, threads: 1)
    let same = try made(BlakJaksProgramme.self, threads: 2)
    let few = try made(BlakJaksProgramme.self, limit: 200)
    #expect(same.count == all.count && few.count == 200)
    #expect((0..<200).map { few.kind(at: $0) } == (0..<200).map { all.kind(at: $0) })
    #expect(same.end == all.end)
    let orders = try made(EmberaProgramme.self, limit: 150)
    #expect(orders.count == 150)
  }

  @Test func fewerArrivalsThanRequestsAreTheLastOfThem() throws {
    let engine = try made(BlakJaksProgramme.self)
    let load = EngineLoad(engine)
    let arrivals = Arrivals(.even, rate: 2_000, seconds: 0.05, seed: 1)
    let (paced, machine) = try load.paced(arrivals)
    #expect(paced.answers.total == 100)
    #expect(try saved(machine) == saved(try load.round().engine))
  }

  @Test func requestsBeginAgainWhenThereAreMoreArrivals() throws {
    let engine = try made(BlakJaksProgramme.self, limit: 100)
    let arrivals = Arrivals(.even, rate: 5_000, seconds: 0.05, seed: 1)
    let (paced, machine) = try EngineLoad(engine).paced(arrivals)
    #expect(paced.times.sent == 250)
    var half = engine
    for place in 0..<50 { _ = try half.commit(place) }
    #expect(try saved(machine) == saved(half))
  }

  @Test func aProgramThatLosesMoneyIsFoundOut() throws {
    struct Broken: StressedEngine {
      static let kinds = ["only"]
      static let counted = "things"
      var count: Int { 3 }
      var end: Instant? { nil }
      var state: any Encodable { 0 }
      func kind(at place: Int) -> Int { 0 }
      mutating func commit(_ place: Int) throws -> StressAnswer { .accepted }
      func check() throws {
        throw Violation(
          invariant: "sum", facts: "1 is 2", scenario: "x", seed: 1, time: .distantPast)
      }
    }
    #expect(throws: Violation.self) { _ = try EngineLoad(Broken()).round() }
    #expect(throws: Violation.self) {
      _ = try EngineLoad(Broken()).paced(Arrivals(.even, rate: 100, seconds: 0.05, seed: 1))
    }
  }
}

@Suite struct WorldScalingTests {
  @Test(
    "Threads are powers of two up to what is asked for",
    arguments: [
      (1, [1]), (2, [1, 2]), (3, [1, 2, 3]), (8, [1, 2, 4, 8]), (12, [1, 2, 4, 8, 12]),
    ])
  func threads(_ most: Int, _ counts: [Int]) {
    #expect(WorldScaling.threads(upTo: most) == counts)
  }

  @Test func theTimeOfARunIsThatOfItsParts() throws {
    let (frame, settings) = try plan(BlakJaksProgramme.self)
    let plan = ProgrammePlan(BlakJaksProgramme.self, frame: frame, settings: settings)
    var asked = 0
    let scaling = try #require(
      try WorldScaling(plan, upTo: 2, rounds: 2) { done, all in
        asked += 1
        return done < all
      })
    #expect(asked > 4 && scaling.rows.map(\.threads) == [1, 2])
    for row in scaling.rows {
      #expect(row.speeds.count == 2 && row.speeds.allSatisfy { $0 > 0 })
      #expect(row.cells > 0 && row.house > 0 && row.cells + row.house <= row.wall)
      #expect(row.houseShare > 0 && row.houseShare < 1)
      // Members have no wallets, so that most of the house's work is done beside cells.
      #expect(row.beside > 0 && row.beside < row.cells)
    }
    #expect(scaling.besideShare > 0 && scaling.besideShare + scaling.serialShare < 1)
    // No more threads help than until the house's share beside cells is all that is left.
    #expect(scaling.bound(threads: 2) < 2)
    #expect(
      abs(scaling.bound * (scaling.serialShare + scaling.besideShare) - 1) < 1e-9)
    #expect((0...1).contains(scaling.serialShare))
    #expect(abs(scaling.bound(threads: 1) - 1) < 1e-9)
    #expect(scaling.bound(threads: 1_000_000) <= scaling.bound)
    #expect(scaling.speedUp(scaling.rows[0]) == 1)
    let stopped = try WorldScaling(plan, upTo: 1, rounds: 1) { _, _ in false }
    #expect(stopped == nil)
  }

  @Test("A run looks at the clock only where its times are asked for, for each program")
  func times() throws {
    func check<P: RewardProgramme>(_ programme: P.Type) throws {
      let (frame, settings) = try plan(programme)
      let plan = ProgrammePlan(programme, frame: frame, settings: settings)
      var count = 0
      _ = try plan.simulate(threads: 1, outputs: RunOutputs(times: { _ in count += 1 }))
      #expect(count == 1)
    }
    try check(BlakJaksProgramme.self)
    try check(EmberaProgramme.self)
  }
}
