// Goal: members who join in the middle of a load come through the service's own doors, act with what
// it gives them, and do nothing where it does not take them.
// Method: a service in Python that counts for itself, and a crowd of known members.
import Foundation
import LoadTest
import Quantities
import RewardModel
import TestSupport
import Testing

/// One person a second of simulated time. The first ten are there; each later one joins, brought by the
/// one ten before, and comes for a stamp at the same instant.
private struct JoiningCrowd: LoadCrowd {
  struct Session: LoadSession {
    let time: Instant
    let member: UInt32
    let journey: Int
    var stage = 0
  }

  static let journeys = ["join", "stamp"]
  static let steps = [
    LoadStepShape("sign_up", ["friend"], takes: ["name"], changes: true),
    LoadStepShape("log_in", takes: ["token"]),
    LoadStepShape("scan", ["code"], takes: ["tier"], changes: true),
  ]
  static let joining: LoadJoining? = LoadJoining(journey: 0, steps: [0, 1])
  static let start = Instant(microseconds: 0)
  var count = 0

  mutating func next() -> Session? {
    defer { count += 1 }
    let (place, second) = count.quotientAndRemainder(dividingBy: 2)
    guard place < 5_000 else { return nil }
    return Session(
      time: Self.start + .seconds(Int64(place)), member: UInt32(place), journey: second)
  }

  mutating func step(
    _ session: inout Session, after answer: LoadAnswer?, _ supply: inout some LoadSupply
  ) -> LoadStep? {
    defer { session.stage += 1 }
    if session.journey == 1 { return session.stage == 0 ? LoadStep(2, [supply.code()]) : nil }
    if session.stage == 0 {
      return LoadStep(0, [session.member < 10 ? "" : supply.name(of: session.member - 10)])
    }
    return session.stage == 1 && answer?.outcome == .done ? LoadStep(1) : nil
  }
}

@Suite(
  .serialized, .tags(.alone), .enabled(if: StampServer.canRun, "there is no /usr/bin/python3"))
struct JoiningLoadTests {
  private static let map = StampServer.map.replacing(
    "codes:",
    with: """
        names: {get: "/v2/names?first={from}&n={count}", take: /names}
      codes:
      """
  ).replacing(
    "steps:",
    with: """
      steps:
        sign_up: {post: /v2/join, key: X-Request-Id, body: '{"who": "{member}", "friend": "{friend}"}', done: [201], refused: [409], take: {name: /card}}
        log_in: {post: /v2/key, body: '{"who": "{member}"}', take: {token: /key}}
      """)

  private func campaign(
    _ server: StampServer, _ journeys: Set<Int> = [0, 1], from second: Int64 = 10,
    sessions: Double = 80
  ) throws -> LoadCampaign<JoiningCrowd> {
    let map = try ServiceMap(
      Self.map, file: "stamps.yaml", steps: JoiningCrowd.steps, fixed: [:])
    #expect(map.missing(of: [0, 1, 2], JoiningCrowd.steps).isEmpty)
    var settings = ServiceLoad<JoiningCrowd>.Settings()
    settings.drain = 5
    let offer = LoadOffer(
      JoiningCrowd(), from: JoiningCrowd.start + .seconds(second), journeys,
      .rate(LoadProfile(.constant, rate: sessions, seconds: 1), .even, seed: 1))
    return try LoadCampaign(server.target, map, offer, key: "j", settings: settings)
  }

  /// A list that the server tells.
  private func list(_ server: StampServer, _ path: String, count: Int) throws -> [String] {
    let map = try ServiceMap(
      "members: {read: {get: /v2/\(path), take: /\(path)}}\nsteps: {scan: {get: /}}\n",
      file: "list",
      steps: JoiningCrowd.steps, fixed: [:])
    var setup = try LoadSetup(server.target)
    return try setup.texts(try #require(map.members), count: count, path)
  }

  @Test("Who joins acts with the service's token, after the answer, and brings the next by name")
  func joins() throws {
    let server = try StampServer("--slow", "20")
    let measures = try #require(try campaign(server).run())
    #expect(measures.sessions == [40, 40] && measures.withoutAccount == 0)
    #expect(measures.steps.map(\.done) == [40, 40, 40] && measures.total.failed == 0)
    let tokens = try list(server, "tokens", count: 40)
    #expect(Set(tokens) == Set((10..<50).map { "Key key-of-\($0)" }))
    // The first ten were there beforehand, as others name them, and joined nobody's list.
    let joined = try list(server, "joined", count: 40)
    #expect(
      joined == (10..<50).map { "\($0) by \($0 < 20 ? "card-\($0 - 10)" : "card-of-\($0 - 10)")" })
    // A stamp waits for its member's two steps, but its own latency begins when it can be sent.
    #expect((measures.steps[2].latency.summary?.median ?? .max) < 200_000_000)
  }

  @Test("Whoever a service does not take does nothing else in the load")
  func full() throws {
    let server = try StampServer("--places", "25")
    let measures = try #require(try campaign(server).run())
    #expect(measures.sessions == [40, 40] && measures.withoutAccount == 15)
    #expect(measures.steps[0].done == 25 && measures.steps[0].refused == 15)
    #expect(measures.steps[1].done == 25 && measures.steps[2].done == 25)
    #expect(measures.unfinished == 0)
  }

  @Test("Without that journey everybody is there beforehand; a next load takes over who joined")
  func beforehand() throws {
    let server = try StampServer()
    let without = try #require(try campaign(server, [1], sessions: 20).run())
    #expect(without.sessions == [0, 20] && without.steps.map(\.done) == [0, 0, 20])
    #expect(try list(server, "tokens", count: 20).allSatisfy { $0.hasPrefix("Key person-") })

    let other = try StampServer()
    let campaign = try campaign(other, sessions: 30)
    _ = try #require(try campaign.run())
    let again = try #require(
      try campaign.run(.rate(LoadProfile(.constant, rate: 30, seconds: 1), .even, seed: 2)))
    #expect(again.sessions == [15, 15] && again.steps.map(\.done) == [15, 15, 15])
    // The second load's members were brought by the first one's.
    #expect(try list(other, "joined", count: 30).last == "39 by card-of-29")
  }

  @Test("A forecast tells who has to be there, those who bring others among them")
  func forecast() {
    let offer = LoadOffer(
      JoiningCrowd(), from: JoiningCrowd.start + .seconds(10), [0, 1],
      .rate(LoadProfile(.constant, rate: 80, seconds: 1), .even, seed: 1))
    let forecast = LoadForecast(offer)
    #expect(forecast.joins == 40 && forecast.members == Array(0..<10))
    #expect(forecast.requests == [40, 40, 40])
  }

  @Test("What a service has not is named")
  func missing() throws {
    let map = try ServiceMap(
      "steps: {scan: {get: /}, sign_up: {post: /}}\n", file: "x", steps: JoiningCrowd.steps,
      fixed: [:])
    #expect(map.missing(of: [0, 1], JoiningCrowd.steps) == ["log_in"])
  }
}
