// Goal: an outage is not hidden: by requests that never end, by attempts that start anew, by a thread
// that watches nothing, by a search that forgets what it measured.
// Method: the service in Python, stopped, failing, or not there.
import Foundation
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

@testable import LoadTest

@Suite(
  .serialized, .tags(.alone), .enabled(if: StampServer.canRun, "there is no /usr/bin/python3"))
struct OutageTests {
  private typealias Load = ServiceLoad<StampCrowd>

  private func run(
    _ server: StampServer, rate: Double, seconds: Double, _ thresholds: [String],
    _ change: (inout Load.Settings) -> Void, proceed: (LoadProgress) -> Bool = { _ in true }
  ) throws -> LoadMeasures {
    let map = try ServiceMap(
      StampServer.map, file: "stamps.yaml", steps: StampCrowd.steps, fixed: [:])
    var settings = Load.Settings()
    settings.thresholds = try thresholds.map { try LoadThreshold($0, steps: ["scan"]) }
    change(&settings)
    let offer = LoadOffer(
      StampCrowd(tries: 1_000_000), from: StampCrowd.start, [0],
      .rate(LoadProfile(.constant, rate: rate, seconds: seconds), .even, seed: 1))
    let campaign = try LoadCampaign(server.target, map, offer, key: "out", settings: settings)
    return try #require(try campaign.run(proceed: proceed))
  }

  @Test("A service that hangs misses its percentile while it hangs, and what it owes is an error")
  func hang() throws {
    let server = try StampServer()
    Thread { [process = server.id] in
      Thread.sleep(forTimeInterval: 1.5)
      kill(process, SIGSTOP)
    }.start()
    let thresholds = ["scan p(99) < 300ms for 2s", "scan p(99) < 300ms", "errors < 1%"]
    let measures = try run(server, rate: 50, seconds: 5, thresholds) { $0.drain = 0.5 }
    let scan = measures.steps[0]
    #expect(measures.thresholds.allSatisfy { !$0.isMet }, "\(measures.thresholds)")
    #expect((2...4).contains(measures.thresholds[0].missedAt ?? 0), "\(measures.thresholds[0])")
    #expect(scan.errors[LoadErrorKind.unanswered.rawValue] == scan.offered - scan.answered)
    #expect(scan.givenUp == scan.offered - scan.answered && scan.lost.count == scan.givenUp)
    #expect(scan.lost.percentile(100) > 3_000_000_000)
    // The first answers came in time; the latency of answers alone shows nothing.
    #expect(scan.done > 20 && scan.latency.percentile(99) < 300_000_000)
    kill(server.id, SIGCONT)
  }

  @Test("A load that ends early does not pass over what hangs", arguments: [true, false])
  func endsEarly(isAborted: Bool) throws {
    let server = try StampServer("--hang-after", "30")
    let thresholds = ["p(99) < 300ms", "errors < 1%", "rate > 1", "p(99) < 300ms for 1s"]
    let measures = try run(server, rate: 40, seconds: 20, thresholds) {
      $0.aborts = isAborted
    } proceed: {
      isAborted || $0.elapsed < 3
    }
    let scan = measures.steps[0]
    #expect(measures.wasAborted == isAborted && measures.wasInterrupted == !isAborted)
    #expect(scan.answered == 30 && measures.unanswered == scan.offered - 30)
    #expect(scan.withoutAnswer == measures.unanswered)
    #expect(measures.thresholds.map(\.isMet) == [false, false, true, false])
    // What has waited is known to have missed the bound; whether it fails is not known.
    #expect(measures.thresholds[0].value ?? 0 > 300_000_000)
    #expect(measures.thresholds[1].value == nil && scan.failed == 0)
    // A busy machine may start late, and the verdict then says that alone.
    var calm = measures
    (calm.late, calm.notDue) = (0, calm.unsent)
    let verdict = LoadVerdict(LoadFixture.result(calm))
    #expect(
      verdict.words.contains(
        "no attempt failed, \(measures.unanswered) requests had no answer yet"),
      "\(verdict.words)")
  }

  @Test func earlyEndsOfHealthyServicesAreMeasured() throws {
    let steps = ["scan"]
    var watch = LoadWatch([try LoadThreshold("errors < 1%", steps: steps)], steps: steps)
    var measures = LoadMeasures(journeys: 1, steps: 1)
    for _ in 0..<100 {
      measures.answered(0, refused: false, latency: 5_000_000, service: 1, inTime: true)
    }
    let young = (0..<50).map { _ in OpenRequest(step: 0, age: 4_000_000) }
    watch.conclude(measures, over: 1, open: young)
    #expect(watch.results[0].isMet && watch.results[0].value == 0)
    // Those that have waited longer than all others may be errors.
    watch = LoadWatch([try LoadThreshold("errors < 1%", steps: steps)], steps: steps)
    let old = [6_000_000, 7_000_000].map { OpenRequest(step: 0, age: $0) }
    watch.conclude(measures, over: 1, open: young + old)
    #expect(!watch.results[0].isMet && watch.results[0].value == nil)
  }

  @Test("A percentile that what hangs at an early end could decide is not known")
  func undecidedPercentiles() throws {
    let texts = ["p99 < 1s", "p50 < 1s", "p99 < 1s for 1s", "wallet p99 < 1s", "max < 1ms for 1s"]
    func results(_ open: [OpenRequest]) throws -> [ThresholdResult] {
      let steps = ["scan", "wallet"]
      var watch = LoadWatch(try texts.map { try LoadThreshold($0, steps: steps) }, steps: steps)
      var measures = LoadMeasures(journeys: 1, steps: 2)
      for step in [0, 1] {
        for _ in 0..<100 {
          let latency: Int64 = step == 0 ? 5_000_000 : 500_000_000
          measures.answered(step, refused: false, latency: latency, service: 1, inTime: true)
          watch.answered(step, latency)
        }
      }
      watch.finishSecond(open: open)
      watch.conclude(measures, over: 60, open: open)
      return watch.results
    }
    let none = try results([])
    #expect(none.map(\.isMet) == [true, true, true, true, false])
    // Longer than any answer of the step, and not yet past the bound.
    let hanging = try results(Array(repeating: OpenRequest(step: 0, age: 200_000_000), count: 20))
    #expect(hanging.map(\.isMet) == [false, true, false, true, false])
    #expect(hanging.map { $0.value == nil } == [true, false, true, false, false])
    let usual = try results(Array(repeating: OpenRequest(step: 1, age: 200_000_000), count: 20))
    #expect(usual == none)
  }

  @Test("What has missed a bound already counts once at an early end")
  func countedOnce() throws {
    var watch = LoadWatch([try LoadThreshold("p99 < 1s", steps: ["scan"])], steps: ["scan"])
    var measures = LoadMeasures(journeys: 1, steps: 1)
    for _ in 0..<100 {
      measures.answered(0, refused: false, latency: 5_000_000, service: 1, inTime: true)
    }
    // 99 % of 101 are 100; of 102 they would be 101.
    watch.conclude(measures, over: 1, open: [OpenRequest(step: 0, age: 2_000_000_000)])
    #expect(watch.results[0].isMet && watch.results[0].value ?? 0 < 6_000_000)
  }

  @Test("What is never measured is not met: a stretch beyond the load, a step that is not in it")
  func unmeasured() throws {
    let server = try StampServer()
    let thresholds = ["p(99) < 1s for 60s", "rate > 100000 for 4s", "scan p(99) < 60s", "rate > 1"]
    let measures = try run(server, rate: 20, seconds: 1.5, thresholds) { $0.asksForWork = false }
    #expect(measures.thresholds.map(\.isMet) == [false, false, true, true])
    #expect(measures.thresholds.map { $0.value == nil } == [true, true, false, false])
    #expect(measures.thresholds.allSatisfy { $0.missedAt == nil })
  }

  @Test("Who watches comes back after 2, 4, 8, 16 and 32 seconds, and every 32 from then on")
  func pauses() {
    let pauses = (1...7).map { LoadWatchers.pause(after: $0) / 1_000_000_000 }
    #expect(pauses == [2, 4, 8, 16, 32, 32, 32])
  }

  @Test("With --abort, a service that hangs ends the load")
  func abort() throws {
    let server = try StampServer()
    kill(server.id, SIGSTOP)
    // The service is prepared without it: there is nothing to prepare.
    let map = try ServiceMap(
      "steps: {scan: {get: /}}\n", file: "x", steps: StampCrowd.steps, fixed: [:])
    var settings = Load.Settings()
    settings.thresholds = [try LoadThreshold("p(50) < 100ms for 1s", steps: ["scan"])]
    settings.aborts = true
    let offer = LoadOffer(
      StampCrowd(), from: StampCrowd.start, [0],
      .rate(LoadProfile(.constant, rate: 20, seconds: 60), .even, seed: 1))
    let measures = try Load(
      server.target, map, offer, LoadAccounts(members: [], tokens: []), LoadSupplies(), key: "a",
      settings: settings
    ).run()
    kill(server.id, SIGCONT)
    #expect(measures.wasAborted && measures.elapsed < 30)
    // Whoever ends a load does not wait for its answers.
    #expect(measures.steps[0].failed == 0)
  }

  @Test("The latency of a request holds its failed attempts and the waits between them")
  func retries() throws {
    let server = try StampServer("--fail-every", "3")
    let measures = try run(server, rate: 60, seconds: 1, []) { $0.backOff = 0.2 }
    let scan = measures.steps[0]
    #expect(scan.done == 60 && scan.retries > 15)
    // A third of the requests waited a fifth of a second or more; attempts themselves are fast.
    #expect(scan.latency.percentile(80) >= 199_000_000, "\(scan.latency.percentile(80))")
    #expect(scan.latency.percentile(50) < scan.latency.percentile(80))
    #expect(scan.service.percentile(80) < 199_000_000)
    #expect(scan.answeredInTime <= scan.answered && scan.answeredInTime > 0)
  }

  @Test("What has no key and changes the service is only sent again where it cannot have happened")
  func withoutKey() throws {
    func call(_ key: String) throws -> ServiceCall {
      let map = try ServiceMap(
        "steps: {scan: {post: /scans\(key)}}\n", file: "x", steps: StampCrowd.steps, fixed: [:])
      return try #require(map.calls[0])
    }
    let (without, with) = (try call(""), try call(", key: Request-Id"))
    for kind in LoadErrorKind.allCases {
      #expect(with.isRetried(after: kind) == kind.isRetried)
      #expect(
        without.isRetried(after: kind) == (kind == .connect || kind == .throttled), "\(kind)")
    }
    // What makes accounts and codes before the load does so, too, but where it only reads.
    for (call, isRepeatable) in [
      ("post: /made", false), ("post: /made, key: Request-Id", true), ("get: /made", true),
    ] {
      let map = try ServiceMap(
        "members: {prepare: {\(call)}, read: {get: /}}\nsteps: {scan: {get: /}}\n", file: "x",
        steps: StampCrowd.steps, fixed: [:])
      let prepare = try #require(map.members?.prepare)
      #expect(prepare.isRetried(after: .timeout) == isRepeatable, "\(call)")
    }
    for name in ["''", "'two words'", "'a:b'", "é"] {
      #expect(throws: InputErrors.self) { try call(", key: \(name)") }
    }
  }

  @Test("People who watch a service that is not there try again, and tell so")
  func nobodyThere() throws {
    let server = try StampServer()
    let map = try ServiceMap(
      "steps: {scan: {get: /}}\nwatch: {get: /events}\n", file: "x", steps: StampCrowd.steps,
      fixed: [:])
    server.stop()
    let began = ContinuousClock.now
    let watchers = LoadWatchers(server.target, try #require(map.watch), count: 3, bearer: "")
    let until = began + .seconds(60)
    while watchers.soFar.unreached < 6, ContinuousClock.now < until { usleep(20_000) }
    let seen = watchers.stop()
    #expect(seen.opened == 0 && seen.broken == 0 && seen.refused == 0, "\(seen)")
    // The next try is two seconds after the first.
    #expect(seen.unreached >= 6 && ContinuousClock.now - began > .seconds(1.9), "\(seen)")
  }

  @Test("People whose stream never begins are counted")
  func silentStreams() throws {
    let server = try StampServer()
    // Connections wait in its line; nobody takes them.
    kill(server.id, SIGSTOP)
    defer { server.stop() }
    let map = try ServiceMap(
      "steps: {scan: {get: /}}\nwatch: {get: /events}\n", file: "x", steps: StampCrowd.steps,
      fixed: [:])
    let watch = try #require(map.watch)
    let late = LoadWatchers(server.target, watch, count: 3, bearer: "", timeout: 0.3)
    let patient = LoadWatchers(server.target, watch, count: 2, bearer: "", timeout: 60)
    Thread.sleep(forTimeInterval: 1.5)
    let (timed, waiting) = (late.stop(), patient.stop())
    #expect(timed.unreached >= 3 && timed.opened == 0, "\(timed)")
    #expect(waiting.unreached == 2 && waiting.opened == 0, "\(waiting)")
  }

  @Test("Who is refused a stream is told apart from whose stream broke")
  func refusedStreams() throws {
    let server = try StampServer()
    let map = try ServiceMap(
      "steps: {scan: {get: /}}\nwatch: {get: /nowhere}\n", file: "x", steps: StampCrowd.steps,
      fixed: [:])
    let watchers = LoadWatchers(server.target, try #require(map.watch), count: 3, bearer: "")
    Thread.sleep(forTimeInterval: 1)
    let seen = watchers.stop()
    #expect(seen.refused == 3 && seen.broken == 0 && seen.opened == 0, "\(seen)")
  }

  // MARK: - The knee

  @Test("A rate that cannot be prepared ends the search, and what was measured is kept")
  func notPrepared() throws {
    var search = KneeSearch()
    try search.run(from: 100, seconds: 1) { phase, rate, seconds in
      if rate > 500 { throw LoadSetup.Failure(description: "members have no more to do") }
      return KneeSearch.Point(
        phase: phase, rate: rate, seconds: seconds,
        measures: LoadMeasures(journeys: 1, steps: 1), work: nil, isMet: true)
    }
    #expect(search.end == .notPrepared && search.points.map(\.rate) == [100, 200, 400])
    #expect(search.knee == nil && search.failure == "members have no more to do")
  }

  @Test("A rate between that was not offered is no limit of the service")
  func limitWithin() throws {
    var search = KneeSearch()
    search.run(from: 1_000, seconds: 1) { phase, rate, seconds in
      var point = KneeSearch.Point(
        phase: phase, rate: rate, seconds: seconds,
        measures: LoadMeasures(journeys: 1, steps: 1), work: nil, isMet: rate < 1_900)
      // 2,000 are offered and missed; what lies between could not be offered.
      point.isOffered = rate < 1_300 || rate >= 2_000
      return point
    }
    #expect(search.end == .generatorLimit && (search.knee ?? 0) < 1_300)
  }

  @Test("A confirmation that was not offered is no limit of the service", arguments: [0, 900])
  func limitOfConfirmations(from lowest: Double) throws {
    var search = KneeSearch()
    search.run(from: 1_000, seconds: 1) { phase, rate, seconds in
      var point = KneeSearch.Point(
        phase: phase, rate: rate, seconds: seconds,
        measures: LoadMeasures(journeys: 1, steps: 1), work: nil, isMet: rate < 1_050)
      // Longer windows are offered up to a rate, or not at all.
      point.isOffered = phase != .confirmation || rate <= lowest
      return point
    }
    #expect(search.end == .generatorLimit)
    #expect(search.points.contains { $0.isOffered && !$0.isMet })
    if lowest > 0 {
      #expect(try #require(search.knee) <= lowest)
    } else {
      #expect(search.knee == nil)
      let result = KneeResult(search, [], processors: 2, seed: 1)
      #expect(KneeText.verdict(result).contains("could not offer any rate in a longer window"))
    }
  }

  @Test(
    "A longer window that missed, with lower ones not offered, is no answer about the lower ones")
  func limitBelowAMiss() {
    var search = KneeSearch()
    search.run(from: 1_000, seconds: 1) { phase, rate, seconds in
      var point = KneeSearch.Point(
        phase: phase, rate: rate, seconds: seconds,
        measures: LoadMeasures(journeys: 1, steps: 1), work: nil,
        isMet: phase != .confirmation && rate < 1_050)
      point.isOffered = phase != .confirmation || rate > 950
      return point
    }
    #expect(search.end == .generatorLimit && search.knee == nil)
    let result = KneeResult(search, [], processors: 2, seed: 1)
    #expect(KneeText.verdict(result).hasPrefix("A longer window missed the conditions, and"))
  }

  @Test("A window that was not offered, or of which the writer's work is not known, is not fitted")
  func fittedRows() {
    var search = KneeSearch()
    search.limit = 1_600
    search.run(from: 100, seconds: 1) { phase, rate, seconds in
      var measures = LoadMeasures(journeys: 1, steps: 1)
      LoadFixture.answer(&measures, Int(rate), latency: 1_000_000)
      let work = WriterWork(
        requests: rate, batches: rate / (1 + rate / 400), writing: rate * 0.0004)
      var point = KneeSearch.Point(
        phase: phase, rate: rate, seconds: seconds, measures: measures,
        work: rate == 200 ? nil : work, isMet: true)
      point.isOffered = rate < 1_600
      return point
    }
    let result = KneeResult(search, [], processors: 2, seed: 1)
    #expect(result.model != nil)
    #expect(
      result.rows.filter { $0.point.phase == .growth }.map(\.isFitted)
        == [true, false, true, true, false])
  }

  @Test("The model says nothing of a condition that it does not predict")
  func unpredicted() throws {
    func knee(_ conditions: String) throws -> Double? {
      var search = KneeSearch()
      search.limit = 1_600
      search.run(from: 100, seconds: 1) { phase, rate, seconds in
        var measures = LoadMeasures(journeys: 1, steps: 1)
        LoadFixture.answer(&measures, Int(rate), latency: 1_000_000)
        let work = WriterWork(
          requests: rate, batches: rate / (1 + rate / 400), writing: rate * 0.0004)
        return KneeSearch.Point(
          phase: phase, rate: rate, seconds: seconds, measures: measures, work: work, isMet: true)
      }
      return KneeResult(
        search, try LoadThreshold.list(conditions, steps: ["scan"]), processors: 2, seed: 1
      ).predictedKnee
    }
    #expect(try knee("p99 < 20ms") != nil)
    #expect(try knee("p99 < 20ms, errors < 1%") != nil)
    for conditions in [
      "p99.9 < 20ms", "p90 < 20ms, p99 < 20ms", "scan p(99) < 20ms", "errors < 1%",
    ] {
      #expect(try knee(conditions) == nil, "\(conditions)")
    }
  }
}
