import BlakJaks
// Goal: the line of scans at their workers is the queue that it claims to be, at rest and in rush
// hours, and carries what is not done over hours and midnights.
// Method: Erlang C where the rate stays the same, the fluid limit where it exceeds the workers, and
// beside it a slow simulation, scan by scan and worker by worker, with luck of its own.
import EventKernel
import Foundation
import Population
import Quantities
import TestSupport
import Testing

@Suite(.tags(.slow)) struct ScanQueueTests {
  private func rules(workers: Int, service: TimeSpan) -> ScanningRules {
    var rules = ScanningRules()
    rules.workers = workers
    rules.service = service
    return rules
  }

  private func poisson(_ mean: Double, seed: UInt64, minute: Int64) -> Int64 {
    var stream = RandomStream(seed: seed, purpose: 998, entity: UInt64(minute))
    return Int64(stream.poisson(mean: mean))
  }

  @Test func withoutScansThereAreNoTimesAndTheNextTakesItsOwn() {
    var queue = ScanQueue(rules(workers: 2, service: .seconds(3)), seed: 1)
    for minute in 0..<1_440 as Range<Int64> { queue.advance(minute: minute, scans: 0) }
    let day = queue.closeDay()
    #expect(day.mean == nil && day.p95 == nil && day.peak == nil)
    #expect(day.now == .seconds(3))
    #expect(day.backlog == 0 && day.backlogPeak == 0)
  }

  // Nobody waits: a scan takes its own exponential time, 95 of 100 at most ln 20 times its mean.
  @Test func inCalmMinutesAScanTakesItsOwnTime() throws {
    var queue = ScanQueue(rules(workers: 4, service: TimeSpan(microseconds: 25_000)), seed: 1)
    for minute in 0..<1_440 as Range<Int64> { queue.advance(minute: minute, scans: 40) }
    let day = queue.closeDay()
    #expect(day.mean == TimeSpan(microseconds: 25_000))
    #expect(day.peak == TimeSpan(microseconds: 25_000))
    let high = try #require(day.p95)
    #expect(abs(high.inSeconds - 0.025 * log(20)) < 1e-5)
  }

  @Test(
    "At a steady rate the times are those of Erlang C",
    arguments: [(1, 4.0, 18.0), (3, 18.0, 14.0), (8, 50.0, 10.0)])
  func stationary(workers: Int, perMinute: Double, days: Double) throws {
    let service = workers == 1 ? 7.5 : workers == 3 ? 7.5 : 8.5
    var queue = ScanQueue(
      rules(workers: workers, service: TimeSpan(microseconds: Int64(service * 1e6))), seed: 7)
    let law = try ErlangQueue(
      arrivalRate: perMinute / 60, serviceRate: 1 / service, servers: workers)
    var means = Tally()
    var highs = Tally()
    for day in 0..<Int64(days) {
      for minute in day * 1_440..<(day + 1) * 1_440 {
        queue.advance(minute: minute, scans: poisson(perMinute, seed: 5, minute: minute))
      }
      let figures = queue.closeDay()
      guard day > 0 else { continue }
      try means.add(try #require(figures.mean).inSeconds)
      try highs.add(try #require(figures.p95).inSeconds)
    }
    let mean = try means.interval(level: 0.999)
    #expect(
      abs(mean.mean - law.meanSojourn) < mean.halfWidth + 0.01 * law.meanSojourn,
      "\(mean.mean) ± \(mean.halfWidth) and not \(law.meanSojourn)")
    #expect(mean.halfWidth < 0.12 * law.meanSojourn)
    let high = try highs.interval(level: 0.999)
    let expected = try law.sojournQuantile(0.95)
    #expect(
      abs(high.mean - expected) < high.halfWidth + 0.03 * expected,
      "P95 \(high.mean) ± \(high.halfWidth) and not \(expected)")
  }

  // Two workers do 120 a minute. 180 a minute come for twelve hours: 60 a minute wait more, 43,200
  // in the end, who have 360 minutes to wait. Then 30 a minute come, 90 a minute less wait, and
  // after eight hours nobody does. 144,000 of 151,200 scans wait three hours on average.
  @Test func aRushIsCarriedOverTheHoursAsAFluid() throws {
    var queue = ScanQueue(rules(workers: 2, service: .seconds(1)), seed: 3)
    for minute in 0..<1_440 as Range<Int64> {
      queue.advance(minute: minute, scans: minute < 720 ? 180 : 30)
    }
    let day = queue.closeDay()
    let mean = try #require(day.mean).inSeconds
    let expected: Double = 1 + 10_800 * 144_000 / 151_200
    #expect(abs(mean - expected) < 150, "\(mean)")
    let backlog = Double(day.backlogPeak)
    #expect(abs(backlog - 43_200) < 1_200, "\(day.backlogPeak), 4 × 300")
    #expect(abs(try #require(day.peak).inSeconds - 21_600) < 4 * 150)
    // Waits rise to 21,600 s at 240 a second of wait, and fall at 40.
    let high = try #require(day.p95).inSeconds
    #expect((19_500..<21_600).contains(high), "\(high)")
    #expect(day.backlog < 10)
    #expect(day.now.inSeconds < 10)
  }

  @Test func whatIsNotDoneAtMidnightWaitsOnTheNextDay() throws {
    var queue = ScanQueue(rules(workers: 2, service: .seconds(1)), seed: 4)
    for minute in 0..<1_440 as Range<Int64> { queue.advance(minute: minute, scans: 150) }
    let first = queue.closeDay()
    let backlog = Double(first.backlog)
    #expect(abs(backlog - 43_200) < 1_680, "\(first.backlog), 4 × 420")
    let wait = first.now.inSeconds
    #expect(abs(wait - backlog / 2) < 3)
    // 120 a minute are done: the line is empty after 360 minutes.
    for minute in 1_440..<1_700 as Range<Int64> { queue.advance(minute: minute, scans: 0) }
    #expect(!queue.isEmpty)
    for minute in 1_700..<2_880 as Range<Int64> { queue.advance(minute: minute, scans: 0) }
    #expect(queue.isEmpty)
    let second = queue.closeDay()
    #expect(second.backlog == 0 && second.mean == nil)
    #expect(second.backlogPeak == first.backlog)
  }

  /// Scan by scan and worker by worker: each takes the worker who is free first.
  private func plainDay(
    _ profile: [Double], workers: Int, service: Double, seed: UInt64
  ) -> (mean: Double, p95: Double, backlogPeak: Double) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func uniform() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (Double(state >> 11) + 0.5) / 9_007_199_254_740_992
    }
    var free = Array(repeating: 0.0, count: workers)
    var times: [Double] = []
    var starts: [Double] = []
    var arrivals: [Double] = []
    var now = 0.0
    while true {
      // Thinning of a Poisson process at the profile's greatest rate.
      now -= log(uniform()) / profile.max()! * 3_600
      guard now < 86_400 else { break }
      guard uniform() < profile[Int(now / 3_600)] / profile.max()! else { continue }
      let worker = free.indices.min { free[$0] < free[$1] }!
      let start = max(free[worker], now)
      free[worker] = start - log(uniform()) * service
      arrivals.append(now)
      starts.append(start)
      times.append(free[worker] - now)
    }
    var peak = 0
    var begun = 0
    for (row, arrival) in arrivals.enumerated() {
      while begun < row, starts[begun] <= arrival { begun += 1 }
      peak = max(peak, row + (starts[row] > arrival ? 1 : 0) - begun)
    }
    times.sort()
    return (
      times.reduce(0, +) / Double(times.count), times[times.count * 95 / 100], Double(peak)
    )
  }

  @Test(
    "Where nobody waits, 95 of 100 take what an exponential time says: service × ln 20",
    arguments: [1_000_000, 7_500_000, 29_999_999] as [Int64], [1, 3, 17] as [Int64])
  func calmQuantile(service: Int64, minutes: Int64) throws {
    var queue = ScanQueue(
      rules(workers: 8, service: TimeSpan(microseconds: service)), seed: 1)
    for minute in 0..<minutes { queue.advance(minute: minute, scans: 1) }
    let expected = (Double(service) * log(20)).rounded()
    #expect(try #require(queue.closeDay().p95).microseconds == Int64(expected))
  }

  @Test("The P95 of calm and drawn times is where bisection finds it", arguments: UInt64(1)...40)
  func quantileByBisection(seed: UInt64) {
    var stream = RandomStream(seed: seed, purpose: 997, entity: 1)
    let service = 1 + 20 * stream.uniform()
    let calm = seed % 4 == 0 ? 0 : Int64(1_000 * stream.uniform())
    let bins = (0..<Int(seed % 7) + (calm == 0 ? 1 : 0)).map { _ in
      (value: 3 * stream.exponential(mean: service), count: 1 + Int(200 * stream.uniform()))
    }.sorted { $0.value < $1.value }
    let wanted = 0.95 * Double(bins.reduce(calm) { $0 + Int64($1.count) })
    func answered(within seconds: Double) -> Double {
      let drawn = bins.reduce(0) { $1.value <= seconds ? $0 + $1.count : $0 }
      return Double(calm) * (1 - exp(-seconds / service)) + Double(drawn)
    }
    var (low, high) = (0.0, max(service * 40, bins.last?.value ?? 0))
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if answered(within: middle) >= wanted { high = middle } else { low = middle }
    }
    let seen = ScanQueue.quantile(0.95, calm, bins, service)
    #expect(abs(seen - high) < 1e-9, "seed \(seed): \(seen) and \(high)")
  }

  @Test("A slow simulation of every scan agrees over days with rush hours", arguments: [1, 3])
  func plain(workers: Int) throws {
    // Twelve of 24 hours ask for more than the workers can do.
    let scale = Double(workers)
    let profile = (0..<24).map { (8...19).contains($0) ? 540 * scale : 260 * scale }
    var seen = (mean: Tally(), p95: Tally(), peak: Tally())
    var plain = (mean: Tally(), p95: Tally(), peak: Tally())
    for seed in 1...24 as ClosedRange<UInt64> {
      var queue = ScanQueue(
        rules(workers: workers, service: TimeSpan(microseconds: 7_500_000)), seed: seed)
      for minute in 0..<1_440 as Range<Int64> {
        let rate = profile[Int(minute / 60)] / 60
        queue.advance(minute: minute, scans: poisson(rate, seed: 100 + seed, minute: minute))
      }
      let day = queue.closeDay()
      try seen.mean.add(try #require(day.mean).inSeconds)
      try seen.p95.add(try #require(day.p95).inSeconds)
      try seen.peak.add(Double(day.backlogPeak))
      let other = plainDay(profile, workers: workers, service: 7.5, seed: seed)
      try plain.mean.add(other.mean)
      try plain.p95.add(other.p95)
      try plain.peak.add(other.backlogPeak)
    }
    for (name, a, b) in [
      ("mean", seen.mean, plain.mean), ("P95", seen.p95, plain.p95),
      ("peak", seen.peak, plain.peak),
    ] {
      let (a, b) = (try a.interval(level: 0.999), try b.interval(level: 0.999))
      let bound = (a.halfWidth * a.halfWidth + b.halfWidth * b.halfWidth).squareRoot()
      #expect(abs(a.mean - b.mean) < bound + 0.01 * b.mean, "\(name): \(a.mean) and \(b.mean)")
      #expect(bound < 0.3 * b.mean, "\(name) is known to ± \(bound) only")
    }
  }

  @Test("More workers, or faster ones, make every time shorter") func direction() throws {
    func day(workers: Int, service: TimeSpan) -> ScanQueue.Day {
      var queue = ScanQueue(rules(workers: workers, service: service), seed: 9)
      for minute in 0..<1_440 as Range<Int64> {
        queue.advance(minute: minute, scans: (480...1_200).contains(minute) ? 9 : 5)
      }
      return queue.closeDay()
    }
    let days = [
      day(workers: 1, service: .seconds(9)), day(workers: 1, service: .seconds(7)),
      day(workers: 2, service: .seconds(7)), day(workers: 2, service: .seconds(3)),
    ]
    for (slow, fast) in zip(days, days.dropFirst()) {
      #expect(try #require(slow.mean) > (try #require(fast.mean)))
      #expect(try #require(slow.p95) > (try #require(fast.p95)))
      #expect(try #require(slow.peak) > (try #require(fast.peak)))
      #expect(slow.backlogPeak > fast.backlogPeak)
    }
  }
}
