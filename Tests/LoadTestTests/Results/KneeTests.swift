// Goal: the knee is found where it is, the law is fitted as its formulas say, and the writer's model
// behaves as one writer with batches does.
// Method: services that are formulas; least squares and queues written a second time, slowly.
import EventKernel
import Foundation
import Reports
import RewardModel
import TestSupport
import Testing

@testable import LoadTest

@Suite struct KneeTests {
  /// Searches a service that meets its conditions up to a rate.
  private func search(
    from first: Double, _ knee: Double, offered: Double = .infinity, limit: Double = 1e6,
    flaky: Bool = false
  ) -> KneeSearch {
    var search = KneeSearch()
    search.limit = limit
    var confirmations = 0
    search.run(from: first, seconds: 1) { phase, rate, seconds in
      if phase == .confirmation { confirmations += 1 }
      let isMet = rate <= knee && !(flaky && phase == .confirmation && confirmations < 3)
      var point = KneeSearch.Point(
        phase: phase, rate: rate, seconds: seconds,
        measures: LoadMeasures(journeys: 1, steps: 1), work: nil, isMet: isMet)
      point.isOffered = rate <= offered
      return point
    }
    return search
  }

  @Test(
    "The knee is found within the ratio, from above a quarter of it or far below",
    arguments: [
      10.0, 99, 100, 640, 1_000,
    ])
  func found(_ first: Double) throws {
    let result = search(from: first, 1_000)
    let knee = try #require(result.knee)
    #expect(result.end == .found && knee <= 1_000 && knee > 1_000 / 1.1)
    #expect(result.points.last?.phase == .confirmation && result.points.last?.seconds == 3)
    #expect(result.points.count < 20)
  }

  @Test("Ends that are no knee are told apart")
  func ends() {
    #expect(search(from: 100, 50).end == .belowFirst)
    let above = search(from: 100, 1e9, limit: 1_500)
    #expect(above.end == .aboveLast && above.knee == 1_500)
    let limited = search(from: 100, 1e9, offered: 900)
    #expect(limited.end == .generatorLimit && (limited.knee ?? 0) > 800)
    #expect(search(from: 100, 1e9, offered: 50).knee == nil)
    var stopped = KneeSearch()
    stopped.run(from: 1, seconds: 1) { _, _, _ in nil }
    #expect(stopped.end == .interrupted && stopped.knee == nil)
  }

  @Test(
    "A service that falls silent ends the search, and one that is overloaded does not",
    arguments: [LoadErrorKind.connect, .timeout, .throttled], [0, 2])
  func silent(_ kind: LoadErrorKind, answered: Int) throws {
    var search = KneeSearch()
    search.run(from: 100, seconds: 4) { phase, rate, seconds in
      var measures = LoadMeasures(journeys: 1, steps: 1)
      for second in 0..<Int(seconds) {
        measures.current.sent = 10
        if rate <= 250 || second < answered {
          LoadFixture.answer(&measures, 10, latency: 1_000)
        } else {
          for _ in 0..<10 { measures.failed(0, kind) }
        }
        measures.finishSecond(underWay: 0, waiting: 0)
      }
      measures.elapsed = seconds
      return KneeSearch.Point(
        phase: phase, rate: rate, seconds: seconds, measures: measures, work: nil,
        isMet: rate <= 250)
    }
    guard kind != .throttled else {
      #expect(search.end == .found && search.failure == nil && search.knee != nil)
      return
    }
    #expect(search.end == .silent && search.knee == nil)
    // The audit looks at what it answered before.
    #expect(search.points.map(\.rate) == [100, 200, 400])
    let result = KneeResult(
      search, [try LoadThreshold("p99 < 1s", steps: [])], processors: 1, seed: 1)
    let text = KneeText.text(
      result, scenario: "s", target: "t", offer: "o", folder: "f", width: 200, colour: false)
    let since = answered == 0 ? "at all" : "after the first 2 seconds"
    #expect(text.contains("the service did not keep answering: no answer came \(since), while"))
    #expect(!text.contains("\nLimit") && KneeText.tone(result) == .bad)
    let json = KneeDocument.json(result, scenario: "s", target: "t", offer: "o", seed: 1)
    #expect(json.contains("\"end\": \"silent\""))
    #expect(try MiniSchema(KneeDocument.schema).problems(in: json) == [])
  }

  @Test("What a session asks for is known from a rate that was not offered in time")
  func requestsOfASession() throws {
    var search = KneeSearch()
    search.run(from: 30, seconds: 1) { phase, rate, seconds in
      var measures = LoadMeasures(journeys: 1, steps: 1)
      LoadFixture.answer(&measures, 160, latency: 1_000)
      measures.sessions[0] = 10
      measures.finishSecond(underWay: 0, waiting: 0)
      measures.elapsed = seconds
      var point = KneeSearch.Point(
        phase: phase, rate: rate, seconds: seconds, measures: measures, work: nil, isMet: true)
      point.isOffered = false
      return point
    }
    #expect(search.end == .generatorLimit)
    let result = KneeResult(
      search, [try LoadThreshold("p99 < 1s", steps: [])], processors: 1, seed: 1)
    #expect(result.requestsPerSession == 16 && result.rows.map(\.requests) == [480])
  }

  @Test("A condition of which nothing was measured is not called missed by too high a rate")
  func unmeasured() throws {
    let condition = try LoadThreshold("order p99 < 5ms", steps: ["scan", "order"])
    func verdict(_ value: Double?) -> String {
      var search = KneeSearch()
      search.run(from: 40, seconds: 1) { phase, rate, seconds in
        var measures = LoadMeasures(journeys: 1, steps: 2)
        measures.thresholds = [ThresholdResult(threshold: condition, value: value, isMet: false)]
        return KneeSearch.Point(
          phase: phase, rate: rate, seconds: seconds, measures: measures, work: nil, isMet: false)
      }
      return KneeText.verdict(KneeResult(search, [condition], processors: 1, seed: 1))
    }
    #expect(verdict(nil).hasPrefix("Nothing was measured for order p99 < 5ms, so no rate can"))
    #expect(verdict(9e6).hasSuffix("begin with a lower --rate."))
  }

  @Test("Requests without an answer at too high a rate are no silence while others have one")
  func overloaded() {
    var measures = LoadMeasures(journeys: 1, steps: 1)
    measures.steps[0].offered = 100
    for _ in 0..<90 { measures.gaveUp(0, after: .unanswered, latency: 1_000_000) }
    LoadFixture.answer(&measures, 10, latency: 1_000)
    measures.finishSecond(underWay: 0, waiting: 0)
    #expect(LoadSilence(measures, of: 1) != nil)
    let point = KneeSearch.Point(
      phase: .growth, rate: 100, seconds: 1, measures: measures, work: nil, isMet: false)
    #expect(point.silence == nil)
  }

  @Test("A knee that does not hold for long is lowered until it does")
  func retreat() throws {
    let result = search(from: 100, 1_000, flaky: true)
    let knee = try #require(result.knee)
    #expect(result.points.count { $0.phase == .confirmation } == 3)
    #expect(knee < 1_000 * 0.9 * 0.9 && knee > 1_000 / 1.1 * 0.8)
  }

  @Test("The document follows its schema, and the page holds both plots")
  func documents() throws {
    let result = KneeResult(
      search(from: 100, 1_000), [try LoadThreshold("p99 < 1s", steps: [])], processors: 2, seed: 1)
    let json = KneeDocument.json(result, scenario: "s", target: "t", offer: "o", seed: 1)
    #expect(try MiniSchema(KneeDocument.schema).problems(in: json) == [])
    let page = KneePage.html(
      result, scenario: "a <b>", target: "t", offer: "o", plotly: .cdn, source: nil)
    for part in [
      "plot-latency", "plot-throughput", "The knee of a &lt;b&gt;", "confirmation",
      "What explains it",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    // A script finds what it draws by its id.
    let ids = page.matches(of: /\ id="([^"]+)"/).map { String($0.1) }
    #expect(ids.count > 5 && Set(ids).count == ids.count, "\(ids)")
    let text = KneeText.text(
      result, scenario: "s", target: "t", offer: "o", folder: "f", width: 200, colour: false)
    #expect(text.contains("confirmed in a longer window"))
  }

  // MARK: - The law

  /// What a search shows whose windows are answered in time but for those of some rates.
  private func result(limit: Double, late: Set<Double>) throws -> KneeResult {
    var search = KneeSearch()
    search.limit = limit
    search.run(from: 100, seconds: 1) { phase, rate, seconds in
      var measures = LoadMeasures(journeys: 1, steps: 1)
      if late.contains(rate) {
        measures.answered(0, refused: false, latency: 1, service: 2_000_000_000, inTime: false)
        measures.elapsed = 3
      } else {
        LoadFixture.answer(&measures, Int(rate), latency: Int64(rate) * 10_000)
      }
      return KneeSearch.Point(
        phase: phase, rate: rate, seconds: seconds, measures: measures, work: nil, isMet: true)
    }
    return KneeResult(
      search, [try LoadThreshold("p99 < 1s", steps: [])], processors: 2, seed: 1)
  }

  @Test("A window without answers in its time is no point of the law, and does not take it away")
  func silentWindows() throws {
    let found = try result(limit: 1_600, late: [1_600])
    #expect(found.rows.count == 5 && found.law?.points == 4)
    #expect(found.law?.rate.value.isFinite == true)
    let few = try result(limit: 800, late: [200])
    #expect(few.law == nil)
    #expect(
      KneeText.law(few).joined(separator: " ")
        == "No Universal Scalability Law: 3 of 4 windows were offered and answered in time; it takes 4."
    )
  }

  private func points(
    _ rate: Double, _ contention: Double, _ coherence: Double, noise: (Int) -> Double = { _ in 0 }
  ) -> [(concurrency: Double, throughput: Double)] {
    (1...12).map { place in
      let n = Double(place * place) / 2
      let time = (1 + contention * (n - 1) + coherence * n * (n - 1)) / rate
      return (n, n / (time * (1 + noise(place))))
    }
  }

  @Test("Exact points give the factors back")
  func exact() throws {
    let law = try #require(ScalabilityLaw(points(1_000, 0.05, 0.0004)))
    #expect(abs(law.rate.value - 1_000) < 1e-6 && abs(law.contention.value - 0.05) < 1e-9)
    #expect(abs(law.coherence.value - 0.0004) < 1e-11 && law.explained > 0.999999)
    let peak = try #require(law.peak)
    #expect(abs(peak.concurrency - (0.95 / 0.0004).squareRoot()) < 1e-3)
    #expect(law.throughput(peak.concurrency) >= law.throughput(peak.concurrency * 1.1))
    let serial = try #require(ScalabilityLaw(points(500, 0.1, 0)))
    #expect(abs((serial.ceiling ?? 0) - 5_000) < 0.01)
    #expect(ScalabilityLaw([(1, 1), (2, 2), (3, 3)]) == nil)
    #expect(ScalabilityLaw([(1, 1), (1, 1), (1, 1), (1, 1)]) == nil)
  }

  @Test("A factor that would be negative is left out")
  func bounded() throws {
    // Times that fall with concurrency have no contention.
    let law = try #require(ScalabilityLaw([(1, 10), (2, 21), (3, 32), (4, 43), (5, 55)]))
    #expect(law.contention.value == 0 && law.coherence.value == 0 && law.rate.value > 9)
  }

  @Test("Intervals hold the truth as often as they say")
  func coverage() throws {
    var hits = 0
    let runs = 400
    for run in 1...runs {
      var stream = RandomStream(seed: UInt64(run), purpose: 900, entity: 0)
      let law = try #require(
        ScalabilityLaw(
          points(1_000, 0.2, 0.002) { _ in 0.0 }.map { point in
            // Constant spread of the time, as least squares takes it.
            let time = point.concurrency / point.throughput + 0.0002 * stream.normal()
            return (point.concurrency, point.concurrency / time)
          }))
      if abs(law.contention.value - 0.2) <= law.contention.halfWidth ?? 0 { hits += 1 }
    }
    // Binomial: 0.95 ± 4 standard errors.
    #expect(abs(Double(hits) / Double(runs) - 0.95) < 4 * (0.95 * 0.05 / Double(runs)).squareRoot())
  }

  // MARK: - The writer

  /// The same queue, request by request.
  private func plain(_ model: WriterModel, rate: Double, seconds: Double) -> (
    p50: Double, p99: Double
  ) {
    var stream = RandomStream(seed: 99, purpose: 901, entity: 0)
    var arrivals: [Double] = []
    var time = 0.0
    while time < seconds {
      time += stream.exponential(mean: 1 / rate)
      arrivals.append(time)
    }
    // One handler after another, then batches.
    var free = [Double](repeating: 0, count: model.processors)
    var handled: [(start: Double, end: Double)] = []
    for start in arrivals {
      let place = free.indices.min { free[$0] < free[$1] } ?? 0
      free[place] = max(free[place], start) + model.handling
      handled.append((start, free[place]))
    }
    handled.sort { $0.end < $1.end }
    var times: [Double] = []
    var place = 0
    var now = 0.0
    while place < handled.count {
      now = max(now, handled[place].end)
      var count = 0
      while place + count < handled.count, count < model.largest, handled[place + count].end <= now
      {
        count += 1
      }
      now += model.batch + Double(count) * model.request
      for row in place..<(place + count) { times.append(now - handled[row].start + model.constant) }
      place += count
    }
    times = times.dropFirst(times.count / 10).sorted()
    return (times[times.count / 2], times[times.count * 99 / 100])
  }

  @Test("Simulated batches are those of a second, plain simulation", arguments: [0.2, 0.6, 0.9])
  func batches(_ load: Double) {
    let model = WriterModel(
      batch: 0.002, request: 0.0001, handling: 0.0002, constant: 0.001, processors: 2,
      largest: 64)
    let rate = model.capacity * load
    let mine = model.predict(rate: rate, seconds: 40, seed: 3)
    let theirs = plain(model, rate: rate, seconds: 40)
    #expect(abs(mine.median / theirs.p50 - 1) < 0.03, "\(mine) \(theirs)")
    #expect(abs(mine.p99 / theirs.p99 - 1) < 0.12, "\(mine) \(theirs)")
    #expect(abs(mine.throughput / rate - 1) < 0.03)
  }

  @Test("Without batches it is the M/D/1 queue")
  func single() {
    // P(wait = 0) = 1 − ρ, so that at ρ = 0.4 the median request takes its service alone.
    let model = WriterModel(
      batch: 0, request: 0.001, handling: 0, constant: 0, processors: 1, largest: 1)
    let prediction = model.predict(rate: 400, seconds: 100, seed: 1)
    #expect(abs(prediction.median - 0.001) < 2e-6 && abs(prediction.batchSize - 1) < 1e-9)
    // Erlang 1909: P(W ≤ t) for t within one service is (1 − ρ) exp(λ t); 0.99 lies at 3.1 services.
    #expect(prediction.p99 > 0.003 && prediction.p99 < 0.0045)
  }

  @Test("Batch and request are fitted to what a writer took")
  func fitted() throws {
    let points = [1.0, 2, 5, 20].map { size -> KneeSearch.Point in
      let work = WriterWork(
        requests: 1_000 * size, batches: 1_000, writing: 1_000 * (0.002 + 0.00005 * size))
      return KneeSearch.Point(
        phase: .growth, rate: 1, seconds: 1, measures: LoadMeasures(journeys: 1, steps: 1),
        work: work, isMet: true)
    }
    let model = try #require(WriterModel(points, processors: 2))
    #expect(abs(model.batch - 0.002) < 1e-9 && abs(model.request - 0.00005) < 1e-9)
    #expect(WriterModel(Array(points.prefix(1)), processors: 2) == nil)
    // A service on another machine says how many processors it has.
    let elsewhere = points.map { point in
      var point = point
      point.work?.processors = 16
      return point
    }
    #expect(model.processors == 2)
    #expect(WriterModel(elsewhere, processors: 2)?.processors == 16)
  }

  @Test("Metrics of a service are read; others are not")
  func metrics() throws {
    let text = """
      # HELP x
      pitboss_requests_total 12
      pitboss_batches_total 3
      pitboss_rules_seconds_total 0.5
      pitboss_disk_seconds_total 1.25
      process_cpu_seconds_total 5
      pitboss_writer_cpu_seconds_total 1
      """
    let work = try #require(WriterWork(metrics: text))
    #expect(work == WriterWork(requests: 12, batches: 3, writing: 1.75, processor: 4))
    let told = try #require(WriterWork(metrics: text + "\npitboss_processors 16\n"))
    #expect(told.processors == 16 && told.since(work).processors == 16)
    #expect(work.since(work).writing == 0)
    #expect(WriterWork(metrics: "up 1\n") == nil)
  }
}
