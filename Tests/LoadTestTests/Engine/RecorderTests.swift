// Goal: percentiles have three digits, arrivals have the rate and spacing that they are asked for.
// Method: random durations over nine decades against the sorted values; counts and gaps against
// what the process has.
import EventKernel
import LoadTest
import TestSupport
import Testing

@Suite struct RecorderTests {
  @Test(
    "Percentiles are those of the sorted values to three digits", arguments: [1, 7, 1_000, 50_000])
  func percentiles(_ count: Int) throws {
    var stream = RandomStream(seed: 11, purpose: 1, entity: UInt64(count))
    var values: [Int64] = []
    var halves = [LatencyRecorder(), LatencyRecorder()]
    for place in 0..<count {
      let value = Int64(stream.lognormal(mu: 12, sigma: 2.5))
      values.append(value)
      halves[place % 2].record(value)
    }
    halves[0].add(halves[1])
    values.sort()
    let recorder = halves[0]
    #expect(recorder.count == count)
    for percent in [0.1, 1, 25, 50, 90, 99, 99.9, 100] {
      let rank = max(1, Int((percent * Double(count) / 100 - 1e-6).rounded(.up)))
      let exact = Double(values[rank - 1])
      let told = Double(recorder.percentile(percent))
      #expect(abs(told - exact) <= exact / 1_000 + 1, "p\(percent): \(told) for \(exact)")
    }
    #expect(recorder.summary?.greatest == values.last)
  }

  @Test func withoutDurationsThereIsNoSummary() {
    #expect(LatencyRecorder().summary == nil)
    #expect(LatencyRecorder().percentile(99) == 0)
  }

  @Test func whatIsOutOfRangeIsKeptAtItsEnd() {
    var recorder = LatencyRecorder()
    recorder.record(-5)
    #expect(recorder.summary?.greatest == 0)
    recorder.record(.max)
    #expect(recorder.count == 2 && recorder.percentile(1) == 0)
    #expect(recorder.percentile(100) >= 86_400_000_000_000 / 1_001 * 1_000)
  }

  @Test func evenArrivalsHaveEqualGaps() {
    let arrivals = Arrivals(.even, rate: 250, seconds: 2, seed: 1)
    #expect(arrivals.starts.count == 500)
    for (start, next) in zip(arrivals.starts, arrivals.starts.dropFirst()) {
      #expect(next - start == 4_000_000)
    }
  }

  @Test("Poisson arrivals have exponential gaps, and the same ones for the same seed")
  func poisson() {
    let arrivals = Arrivals(.poisson, rate: 1_000, seconds: 100, seed: 9)
    let starts = arrivals.starts
    // Within five standard deviations of the mean, √100,000 each.
    #expect(abs(starts.count - 100_000) < 1_600, "\(starts.count)")
    let gaps = zip(starts, starts.dropFirst()).map { Double($1 - $0) }
    let mean = gaps.reduce(0, +) / Double(gaps.count)
    let variance = gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(gaps.count)
    #expect(abs(variance.squareRoot() / mean - 1) < 0.02)
    #expect(gaps.allSatisfy { $0 >= 0 })
    #expect(Arrivals(.poisson, rate: 1_000, seconds: 100, seed: 9).starts == starts)
    #expect(Arrivals(.poisson, rate: 1_000, seconds: 100, seed: 8).starts != starts)
  }

  @Test(
    "Durations for people have three digits",
    arguments: [
      (0, "0 ns"), (999, "999 ns"), (1_000, "1.00 µs"), (99_950, "100 µs"), (999_600, "1.00 ms"),
      (12_345_678, "12.3 ms"), (999_700_000, "1.00 s"), (65_000_000_000, "65.0 s"),
      (12_345_000_000_000, "12,345 s"),
    ] as [(Int64, String)])
  func durations(_ nanoseconds: Int64, _ text: String) {
    #expect(DurationText.short(nanoseconds) == text)
  }
}
