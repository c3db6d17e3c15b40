// Goal: load arrives openly at a service that is not ours, is counted rightly, and never doubles what
// it asks for, whatever the service does.
// Method: a service in Python that counts for itself. It answers, refuses, fails before and after the
// effect, is slow, and stands still for a second, where latency has a closed form.
import Foundation
import LoadTest
import Quantities
import RewardModel
import Synchronization
import TestSupport
import Testing

@Suite(
  .serialized, .tags(.alone), .enabled(if: StampServer.canRun, "there is no /usr/bin/python3"))
struct ServiceLoadTests {
  private typealias Load = ServiceLoad<StampCrowd>

  private func run(
    _ server: StampServer, rate: Double, seconds: Double,
    _ change: (inout Load.Settings) -> Void = { _ in }, tries: Int = 10,
    proceed: (LoadProgress) -> Bool = { _ in true }
  ) throws -> LoadMeasures {
    let map = try ServiceMap(
      StampServer.map, file: "stamps.yaml", steps: StampCrowd.steps, fixed: [:])
    let offer = LoadOffer(
      StampCrowd(tries: tries), from: StampCrowd.start, [0],
      .rate(LoadProfile(.constant, rate: rate, seconds: seconds), .even, seed: 1))
    let forecast = LoadForecast(offer)
    var setup = try LoadSetup(server.target)
    let tokens = try setup.texts(
      try #require(map.members), count: forecast.members.count, "members")
    let codes = try setup.texts(try #require(map.codes), count: forecast.codes, "codes")
    #expect(tokens.count == min(50, Int(rate * seconds)) && codes.count == Int(rate * seconds))
    var settings = Load.Settings()
    settings.backOff = 0.02
    settings.drain = 5
    change(&settings)
    return try Load(
      server.target, map, offer, LoadAccounts(members: forecast.members, tokens: tokens),
      LoadSupplies(codes: codes), key: "test", settings: settings
    ).run(proceed: proceed)
  }

  @Test("Every session is sent once, refusals apart, and the service counts the same")
  func plain() throws {
    let server = try StampServer()
    let measures = try run(server, rate: 500, seconds: 2) { $0.keepsAcknowledgements = true }
    let state = try server.state()
    #expect(measures.sessions == [1_000] && measures.unsent == 0 && measures.unfinished == 0)
    #expect(measures.steps[0].done == 1_000 && measures.steps[0].refused == 100)
    #expect(measures.steps[0].failed == 0 && measures.acknowledged.count == 1_000)
    #expect(state["stamps"] == 1_000 && state["attempts"] == 1_100 && state["tokens"] == 50)
    #expect(measures.seconds.reduce(0) { $0 + $1.done + $1.refused } == 1_100)
    #expect(measures.steps[0].latency.count == 1_100)
    #expect(Set(measures.acknowledged.map(\.serial)).count == 1_000)
  }

  @Test("A session counts in the second in which it was to begin")
  func seconds() throws {
    let server = try StampServer()
    let measures = try run(server, rate: 40, seconds: 3)
    // Evenly, however late the generator is and whatever else falls into a second.
    let starts = measures.seconds.map(\.sessions)
    #expect(starts.prefix(3) == [40, 40, 40] && starts.reduce(0, +) == 120, "\(starts)")
  }

  @Test("A service that fails before or after the effect gets the same key again, and counts once")
  func retries() throws {
    let server = try StampServer("--fail-every", "7", "--drop-every", "11")
    let measures = try run(server, rate: 400, seconds: 2)
    let state = try server.state()
    let scan = measures.steps[0]
    #expect(scan.done == 800 && scan.refused == 80 && scan.givenUp == 0)
    #expect(state["stamps"] == 800 && state["keys"] == 880)
    #expect(scan.errors[LoadErrorKind.server.rawValue] > 20)
    #expect(scan.errors[LoadErrorKind.closed.rawValue] > 20)
    #expect(scan.retries == scan.failed && scan.sent == 880 + scan.retries)
    #expect(state["repeats"] == scan.errors[LoadErrorKind.closed.rawValue])
  }

  @Test("Back-offs double: a dead service is tried six times and given up")
  func dead() throws {
    let server = try StampServer()
    let map = try ServiceMap(
      StampServer.map, file: "stamps.yaml", steps: StampCrowd.steps, fixed: [:])
    server.stop()
    var settings = Load.Settings()
    settings.backOff = 0.02
    settings.drain = 5
    let offer = LoadOffer(
      StampCrowd(), from: StampCrowd.start, [0],
      .rate(LoadProfile(.constant, rate: 20, seconds: 0.5), .even, seed: 1))
    let measures = try Load(
      server.target, map, offer, LoadAccounts(members: [], tokens: []), LoadSupplies(),
      key: "dead", settings: settings
    ).run()
    // One session tries twice, as it does not get its answer.
    let requests = measures.steps[0].offered
    #expect(requests == 11 && measures.steps[0].givenUp == requests)
    #expect(measures.steps[0].unheard == requests)
    #expect(measures.steps[0].errors[LoadErrorKind.connect.rawValue] == 6 * requests)
    // 20 + 40 + 80 + 160 + 320 ms.
    #expect(measures.elapsed > 0.62 && measures.unfinished == 0)
  }

  @Test("What waits after an error when the load is over was answered, if not well")
  func heard() throws {
    let server = try StampServer("--fail-every", "1")
    let scan = try run(server, rate: 40, seconds: 0.5) {
      $0.backOff = 10
      $0.drain = 0.5
    }.steps[0]
    #expect(scan.done == 0 && scan.errors[LoadErrorKind.server.rawValue] == scan.offered)
    #expect(scan.offered > 0 && scan.givenUp == scan.offered && scan.unheard == 0)
  }

  @Test("A request without an answer in time has failed, and its late answer counts for nothing")
  func timeouts() throws {
    let server = try StampServer("--slow", "400")
    let measures = try run(server, rate: 40, seconds: 0.5) {
      $0.timeout = 0.1
      $0.retries = 1
    }
    #expect(measures.steps[0].done == 0 && measures.steps[0].latency.count == 0)
    #expect(measures.steps[0].errors[LoadErrorKind.timeout.rawValue] == measures.steps[0].sent)
    #expect(measures.steps[0].givenUp == measures.steps[0].offered)
  }

  /// Even arrivals at rate λ over T seconds meet a stall of D seconds. Who arrives s seconds into it
  /// waits D − s, and until those before are served, s λ / μ. The share p of all that wait longest came
  /// within the first p T seconds of it: p99 = D − (1 − λ / μ) T / 100, from D − 0.1 at μ = ∞ to D.
  ///
  /// Where the machine has other work, that adds its own stalls; a measurement so disturbed is made
  /// again, four times in all.
  @Test(
    "A second's stop at 2,000 a second shows in the latency, and service time hides it",
    .tags(.slow))
  func coordinatedOmission() throws {
    var seen: [String] = []
    for _ in 0..<4 {
      let server = try StampServer()
      let lasted = Mutex(0.0)
      let stop = Thread { [process = server.id] in
        Thread.sleep(forTimeInterval: 3)
        let clock = ContinuousClock()
        let stall = clock.measure {
          kill(process, SIGSTOP)
          Thread.sleep(forTimeInterval: 1)
          kill(process, SIGCONT)
        }
        lasted.withLock { $0 = stall / .seconds(1) }
      }
      stop.start()
      let measures = try run(
        server, rate: 2_000, seconds: 10, { $0.connections = 16 }, tries: 1_000_000)
      let latency = try #require(measures.steps[0].latency.summary)
      let service = try #require(measures.steps[0].service.summary)
      #expect(measures.steps[0].done == 20_000)
      #expect(service.greatest > 800_000_000, "\(service)")
      let expected = lasted.withLock { $0 } - 0.07
      #expect(Double(latency.p99) / 1e9 > expected - 0.15, "\(latency)")
      if abs(Double(latency.p99) / 1e9 / expected - 1) < 0.15, service.p99 < 200_000_000 { return }
      seen.append("stall \(expected + 0.07) s, latency \(latency), service \(service)")
    }
    Issue.record("no undisturbed measurement in four: \(seen.joined(separator: "; "))")
  }

  @Test("A missed threshold ends the load where that is asked for")
  func abort() throws {
    let server = try StampServer("--slow", "60")
    let threshold = try LoadThreshold("scan p(50) < 20ms for 1s", steps: ["scan"])
    let measures = try run(server, rate: 50, seconds: 20) {
      $0.thresholds = [threshold]
      $0.aborts = true
    }
    #expect(measures.elapsed < 10)
    #expect(measures.thresholds.first?.isMet == false && measures.thresholds.first?.missedAt == 1)
    #expect((measures.thresholds.first?.value ?? 0) > 55e6)
  }

  @Test("Somebody who stops it gets what was measured")
  func interrupted() throws {
    let server = try StampServer()
    let measures = try run(
      server, rate: 100, seconds: 20, proceed: { progress in progress.elapsed < 0.5 })
    #expect(measures.wasInterrupted && measures.elapsed < 5 && measures.unsent > 1_000)
    #expect(measures.notDue > 1_000)
  }

  @Test("A generator that stands still before somebody stops it has not offered the load")
  func stalledAndInterrupted() throws {
    let server = try StampServer()
    let measures = try run(
      server, rate: 100, seconds: 20,
      proceed: { progress in
        if progress.elapsed < 0.3 { return true }
        Thread.sleep(forTimeInterval: 0.5)
        return false
      })
    // Some fifty were due while it stood still, and nobody was late that was started.
    #expect(measures.unsent - measures.notDue >= 45 && !measures.wasOffered, "\(measures.due)")
    #expect(measures.notDue > 1_000)
  }

  @Test("A service that cannot be readied says why")
  func setUp() throws {
    let server = try StampServer()
    let map = try ServiceMap(
      "members: {read: {get: /nowhere, take: /a}}\nsteps: {scan: {get: /}}\n", file: "x",
      steps: StampCrowd.steps, fixed: [:])
    var setup = try LoadSetup(server.target)
    #expect(throws: LoadSetup.Failure.self) {
      try setup.texts(try #require(map.members), count: 1, "members")
    }
  }

  @Test("People who watch count the events that a service tells, and come back when it breaks off")
  func watchers() throws {
    let server = try StampServer()
    let map = try ServiceMap(
      "steps: {scan: {get: /}}\nwatch: {get: /events}\n", file: "x", steps: StampCrowd.steps,
      fixed: [:])
    let watchers = LoadWatchers(
      server.target, try #require(map.watch), count: 5, bearer: "someone")
    Thread.sleep(forTimeInterval: 4)
    let seen = watchers.stop()
    // Twenty events in the first second; the stream breaks, and begins again two seconds later.
    #expect(seen.watchers == 5 && seen.refused == 0)
    #expect((5...10).contains(seen.opened) && (5...10).contains(seen.broken), "\(seen)")
    #expect((100...205).contains(seen.events), "\(seen)")
    #expect(seen.longestSilence > 30_000_000 && seen.longestSilence < 1_000_000_000, "\(seen)")
  }

  @Test("Members who come to their end in a campaign live their days again; one load refuses")
  func ranOut() throws {
    let server = try StampServer()
    let map = try ServiceMap(
      StampServer.map, file: "stamps.yaml", steps: StampCrowd.steps, fixed: [:])
    func timing(_ rate: Double) -> LoadOffer<StampCrowd>.Timing {
      .rate(LoadProfile(.constant, rate: rate, seconds: 0.5), .even, seed: 1)
    }
    var crowd = StampCrowd(tries: 1_000_000)
    crowd.count = 999_700
    let offer = LoadOffer(crowd, from: StampCrowd.start, [0], timing(400))
    #expect(!LoadForecast(offer).ranOut)
    #expect(LoadForecast(offer.continuing(timing(1_000))).ranOut)
    let campaign = try LoadCampaign(
      server.target, map, offer, key: "twice", settings: Load.Settings())
    for _ in 0..<3 {
      let measures = try #require(try campaign.run(timing(400)))
      #expect(measures.steps[0].done == 200 && measures.steps[0].failed == 0)
    }
    #expect(throws: LoadSetup.Failure.self) { try campaign.run(timing(1_000)) }
  }
}
