// Goal: latency counts from the intended start, so that what a stalled server does to those who
// come meanwhile shows; service time alone does not show it.
// Method: a server of known speed that stalls once for a known time. Arrivals are even, so latency
// falls by one gap from one request to the next while the stall lasts: a share d of the run is above
// S − (d × T), of a stall S in a run T. First by a clock that is moved by hand, then by a real one.
import LoadTest
import TestSupport
import Testing

private func recorded(_ times: [Int64]) throws -> LatencySummary {
  var recorder = LatencyRecorder()
  for time in times { recorder.record(time) }
  return try #require(recorder.summary)
}

@Suite struct PacerTests {
  private let second: Int64 = 1_000_000_000

  @Test(
    "A stall of a second shows in the latency as the closed form has it, and in one service time",
    arguments: [2_000.0, 10_000.0])
  func stall(_ rate: Double) throws {
    let clock = ManualClock()
    let arrivals = Arrivals(.even, rate: rate, seconds: 10, seed: 1)
    let times = Pacer(clock).run(arrivals) { place in
      clock.work(place == Int(3 * rate) ? second : 1_000)
    }
    #expect(times.sent == Int(10 * rate) && times.unsent == 0)
    let latency = try recorded(times.latency)
    let expected = Double(second) - 0.01 * 10 * Double(second)
    // Those who waited are served at 1 µs each, which lengthens the wait a little.
    #expect(abs(Double(latency.p99) / expected - 1) < 0.02, "\(latency)")
    #expect(latency.median == 1_000)
    let service = try recorded(times.service)
    #expect(service.p99 == 1_000 && service.greatest == second)
    #expect(abs(Double(times.late) / (rate * 0.99) - 1) < 0.02, "\(times.late)")
    #expect(!times.wasOffered)
  }

  @Test("A server that keeps up has latency equal to service, and no start is late")
  func keepsUp() throws {
    let clock = ManualClock()
    let times = Pacer(clock).run(Arrivals(.poisson, rate: 100, seconds: 60, seed: 3)) { _ in
      clock.work(50_000)
    }
    let waits = zip(times.latency, times.service).filter { $0 != $1 }.count
    // A twentieth of a Poisson process comes during the service of the one before: 1 − e^(−λs).
    #expect(Double(waits) / Double(times.sent) < 0.02)
    #expect(times.late == 0 && times.wasOffered)
    #expect(times.timer.allSatisfy { $0 == 0 })
  }

  @Test("The mean wait of Poisson arrivals is that of an M/D/1 queue")
  func queue() {
    let clock = ManualClock()
    let service = 500_000.0
    let load = 0.6
    let times = Pacer(clock).run(
      Arrivals(.poisson, rate: load / service * 1e9, seconds: 600, seed: 5)
    ) { _ in clock.work(Int64(service)) }
    let wait = times.latency.reduce(0.0) { $0 + Double($1) - service } / Double(times.sent)
    let expected = load * service / (2 * (1 - load))
    #expect(abs(wait / expected - 1) < 0.03, "\(wait) instead of \(expected)")
  }

  @Test("A clock that wakes late is told apart from a server that is slow")
  func timer() throws {
    let clock = ManualClock(lag: 20_000_000)
    let times = Pacer(clock).run(Arrivals(.even, rate: 10, seconds: 5, seed: 1)) { _ in
      clock.work(1_000)
    }
    #expect(times.timer.allSatisfy { $0 == 20_000_000 } && times.timer.count == 50)
    #expect(times.late == 50 && !times.wasOffered)
    #expect(try recorded(times.service).greatest == 1_000)
  }

  @Test("What cannot be sent within a second after the end is counted and left out")
  func overload() {
    let clock = ManualClock()
    let times = Pacer(clock).run(Arrivals(.even, rate: 1_000, seconds: 2, seed: 1)) { _ in
      clock.work(10_000_000)
    }
    #expect(times.scheduled == 2_000)
    #expect((299...302).contains(times.sent), "\(times.sent)")
    #expect(times.sent + times.unsent == 2_000)
    #expect(!times.wasOffered && times.missedShare > 0.9)
    #expect(abs(times.elapsed - 3) < 0.1)
  }

  @Test func aRunEndsWhereItIsToldTo() {
    let clock = ManualClock()
    var asked = 0
    let times = Pacer(clock).run(
      Arrivals(.even, rate: 100, seconds: 1, seed: 1),
      proceed: {
        asked += 1
        return asked <= 7
      }, { _ in clock.work(1) })
    #expect(times.sent == 7 && times.unsent == 93)
  }

  @Test("By the clock on the wall a stall shows within 15 % of the closed form", .tags(.slow))
  func wallClock() throws {
    let clock = WallClock()
    let asked: Int64 = 400_000_000
    let times = Pacer(clock).run(Arrivals(.even, rate: 500, seconds: 2, seed: 1)) { place in
      if place == 300 { _ = clock.wait(until: clock.now() + asked) }
    }
    // A machine that is busy with other tests may make the stall longer.
    let stall = Double(times.service[300])
    #expect(stall >= Double(asked))
    let latency = try recorded(times.latency)
    let expected = stall - 0.01 * 2e9
    #expect(abs(Double(latency.p99) / expected - 1) < 0.15, "\(latency)")
    #expect(try recorded(times.service).p99 < Int64(stall / 4))
  }

  @Test("The clock on the wall never wakes early")
  func neverEarly() {
    let clock = WallClock()
    for wait in [0, 1_000, 300_000, 2_000_000] as [Int64] {
      let instant = clock.now() + wait
      #expect(clock.wait(until: instant) >= instant)
    }
  }
}
