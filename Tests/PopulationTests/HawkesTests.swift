import BlakJaks
// Goal: the exact Hawkes process has the published rate and variance, and so has the counter by
// windows, at every length of window.
// Method: counts over many windows of one long run against the closed form of the variance of
// stationary counts (Hawkes 1971, doi:10.1093/biomet/58.1.83, its covariance density integrated);
// clusters against the Borel distribution's moments (Haight and Breuer 1960,
// doi:10.1093/biomet/47.1-2.143); the shares of generations against GSL's incomplete gamma function.
import CGSL
import EventKernel
import Foundation
import Population
import Testing

private let base = 0.5
private let branching = 0.5
private let decay = 1.2

/// Variance over mean of the counts in stationary windows.
private func dispersion(seconds: Double) -> Double {
  let asymptotic = 1 / ((1 - branching) * (1 - branching))
  let x = decay * (1 - branching) * seconds
  return asymptotic + (asymptotic - 1) * expm1(-x) / x
}

/// Consecutive counts, and their sums over blocks of windows.
private struct Counts {
  var windows = Tally()
  var blocks = Tally()
  private var sum = 0.0
  private var inBlock = 0
  private let block: Int

  init(block: Int) { self.block = block }

  mutating func add(_ count: Int) throws {
    try windows.add(Double(count))
    sum += Double(count)
    inBlock += 1
    guard inBlock == block else { return }
    try blocks.add(sum)
    sum = 0
    inBlock = 0
  }
}

private func varianceOverMean(_ tally: Tally) throws -> Double {
  try #require(tally.variance) / (try #require(tally.mean))
}

@Suite struct HawkesTests {
  /// Counts of the exact process in windows that start 100 seconds after its beginning.
  private func exact(windows: Int, seconds: Double, seed: UInt64) throws -> Tally {
    var process = HawkesProcess(base: base, branching: branching, decay: decay)
    var stream = RandomStream(seed: seed, purpose: 40, entity: 0)
    while process.next(before: 100, &stream) != nil {}
    var tally = Tally()
    for window in 1...windows {
      var count = 0
      var last = process.time
      while let event = process.next(before: 100 + Double(window) * seconds, &stream) {
        #expect(event > last)
        last = event
        count += 1
      }
      try tally.add(Double(count))
    }
    return tally
  }

  @Test func thePublishedProcessHasRate1AndDispersion4() throws {
    #expect(abs(dispersion(seconds: 1e9) - 4) < 1e-6)
    let tally = try exact(windows: 4_000, seconds: 250, seed: 7)
    // Four standard errors: √(4 ÷ 10⁶ seconds) and 4 √(2 ÷ 4,000 windows).
    #expect(abs(tally.mean! / 250 - 1) < 0.008)
    #expect(abs(try varianceOverMean(tally) - dispersion(seconds: 250)) < 0.36)
  }

  @Test("Short windows of the exact process are clustered as theory says", arguments: [0.2, 1, 5])
  func exactInShortWindows(seconds: Double) throws {
    let windows = Int(200_000 / max(1, seconds))
    let tally = try exact(windows: windows, seconds: seconds, seed: 3)
    let expected = dispersion(seconds: seconds)
    // Neighboring windows are correlated over about 1 ÷ 0.6 seconds.
    let independent = min(Double(windows), Double(windows) * seconds * 0.6)
    #expect(
      abs(try varianceOverMean(tally) - expected) < 4 * expected * (2 / independent).squareRoot())
  }

  @Test func aPiecewiseConstantBaseRateIsFollowed() throws {
    var process = HawkesProcess(base: 0, branching: 0, decay: decay)
    var stream = RandomStream(seed: 5, purpose: 40, entity: 0)
    #expect(process.next(before: 1_000, &stream) == nil && process.time == 1_000)
    var counts: [Int] = []
    for (step, rate) in [2.0, 0, 0.5].enumerated() {
      process.base = rate
      var count = 0
      while process.next(before: 1_000 + Double(step + 1) * 10_000, &stream) != nil { count += 1 }
      counts.append(count)
    }
    #expect(abs(Double(counts[0]) - 20_000) < 4 * 20_000.0.squareRoot())
    #expect(counts[1] == 0)
    #expect(abs(Double(counts[2]) - 5_000) < 4 * 5_000.0.squareRoot())
  }

  @Test func anImpulseDrawsItsMarksAndTheirAnswers() throws {
    var total = Tally()
    var silent = 0
    for entity in 0..<10_000 {
      var process = HawkesProcess(base: 0, branching: branching, decay: decay)
      var stream = RandomStream(seed: 11, purpose: 40, entity: UInt64(entity))
      #expect(process.next(before: 50, &stream) == nil)
      process.excite(at: 50, marks: 3)
      #expect(process.rate == 3 * decay)
      var count = 0
      while process.next(before: 1_000, &stream) != nil { count += 1 }
      silent += count == 0 ? 1 : 0
      try total.add(Double(count))
    }
    // A cluster of Borel(1/2) size has mean 2 and second moment 8; three of them on average.
    #expect(abs(total.mean! - 6) < 4 * (24 / 10_000.0).squareRoot())
    #expect(abs(total.variance! - 24) < 3)
    #expect(abs(Double(silent) / 10_000 - exp(-3)) < 4 * 0.0022)
  }

  @Test func whatWouldRunBackwardsStopsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      var process = HawkesProcess(base: 1, branching: 0.5, decay: 1)
      var stream = RandomStream(seed: 1, purpose: 40, entity: 0)
      while process.next(before: 10, &stream) != nil {}
      process.excite(at: 9, marks: 1)
    }
    await #expect(processExitsWith: .failure) {
      _ = HawkesProcess(base: 1, branching: 1, decay: 1)
    }
  }
}

@Suite struct HawkesCounterTests {
  private func counted(windows: Int, seconds: Double, block: Int, seed: UInt64) throws -> Counts {
    let stay = HawkesStay(seconds: seconds, decay: decay)
    var counter = HawkesCounter(branching: branching)
    var counts = Counts(block: block)
    let warmUp = Int(100 / seconds) + 1
    for window in 0..<windows + warmUp {
      var stream = RandomStream(seed: seed, purpose: 40, entity: UInt64(window))
      let immigrants = stream.poisson(mean: base * seconds)
      let count = counter.window(stay, immigrants: immigrants, &stream)
      if window >= warmUp { try counts.add(count) }
    }
    return counts
  }

  @Test(
    "The counter has the rate and, to 4 %, the variance of the exact process",
    arguments: [0.02, 0.2, 0.5, 1, 2, 5, 20, 60, 250])
  func agreesWithTheory(seconds: Double) throws {
    // At least 500 blocks of 250 seconds, or of 1,250 windows where that is less.
    let block = max(1, min(1_250, Int(250 / seconds)))
    let windows = max(Int(min(150_000, 400_000 / seconds)), 500 * block)
    let whole = Double(windows) * seconds
    let counts = try counted(windows: windows, seconds: seconds, block: block, seed: 4)
    #expect(abs(counts.windows.mean! / seconds - 1) < 4 * (4 / whole).squareRoot())
    let expected = dispersion(seconds: seconds)
    let independent = min(Double(windows), whole * 0.6)
    let tolerance = expected * (0.04 + 4 * (2 / independent).squareRoot())
    let found = try varianceOverMean(counts.windows)
    #expect(abs(found - expected) < tolerance, "found \(found), expected \(expected)")
    // Over long spans nothing of the approximation is left.
    let long = dispersion(seconds: Double(block) * seconds)
    let blocks = Double(counts.blocks.count)
    #expect(blocks >= 500)
    #expect(abs(try varianceOverMean(counts.blocks) - long) < 4 * long * (2 / blocks).squareRoot())
  }

  @Test func noMessageIsLostBetweenWindows() throws {
    // Impulses of three messages in the first of many short windows, then silence.
    let stay = HawkesStay(seconds: 0.5, decay: decay)
    var total = Tally()
    var first = Tally()
    for entity in 0..<10_000 {
      var counter = HawkesCounter(branching: branching)
      var stream = RandomStream(seed: 12, purpose: 40, entity: UInt64(entity))
      let drawn = stream.poisson(mean: 3)
      var count = counter.window(stay, immigrants: 0, excited: drawn, &stream)
      try first.add(Double(count))
      for _ in 0..<100 where counter.carried > 0 {
        count += counter.window(stay, immigrants: 0, &stream)
      }
      #expect(counter.carried == 0)
      #expect(count >= drawn)
      try total.add(Double(count))
    }
    #expect(abs(total.mean! - 6) < 4 * (24 / 10_000.0).squareRoot())
    #expect(abs(total.variance! - 24) < 3)
    // Impulses are uniform in the first window, so that their own messages fall into it with
    // 1 − (1 − exp(−x)) ÷ x, x = 0.6; answers to those bring a little more.
    let direct = 3 * (1 + expm1(-0.6) / 0.6)
    #expect(first.mean! > direct && first.mean! < direct * 1.2)
  }

  @Test func costDoesNotFollowTheNumberOfMessages() {
    let stay = HawkesStay(seconds: 3_600, decay: decay)
    var blocks: [UInt32] = []
    for immigrants in [1_000, 5_000_000] {
      var counter = HawkesCounter(branching: branching)
      var stream = RandomStream(seed: 1, purpose: 40, entity: 0)
      let count = counter.window(stay, immigrants: immigrants, &stream)
      #expect(count > immigrants)
      blocks.append(stream.counter)
    }
    #expect(blocks[1] < 300, "\(blocks)")
  }

  @Test("A window without cause has no message", arguments: [1e-6, 1, 1e6])
  func silence(seconds: Double) {
    var counter = HawkesCounter(branching: 0.9)
    var stream = RandomStream(seed: 1, purpose: 40, entity: 0)
    let stay = HawkesStay(seconds: seconds, decay: decay)
    #expect(counter.window(stay, immigrants: 0, &stream) == 0 && counter.carried == 0)
  }

  @Test(
    "The shares of generations are incomplete gamma functions",
    arguments: [1e-3, 0.02, 0.3, 1, 3, 10, 71, 300, 1_711, 5_000, 1e6])
  func stay(x: Double) {
    GSLRuntime.prepare()
    let stay = HawkesStay(seconds: x / decay, decay: decay)
    #expect(stay.fromUniform[0] == 1)
    var carried = 1.0
    var uniform = 1.0
    for g in 0..<HawkesStay.generations {
      carried *= stay.fromCarried[g]
      uniform *= stay.fromUniform[g]
      let tail = gsl_sf_gamma_inc_P(Double(g + 1), x)
      if tail > 1e-200 { #expect(abs(carried / tail - 1) < 1e-9, "generation \(g)") }
      guard g > 0 else { continue }
      // P(g, x) − (g ÷ x) P(g + 1, x), where it does not cancel.
      let before = gsl_sf_gamma_inc_P(Double(g), x)
      let expected = before - Double(g) / x * tail
      if before > 1e-200 && expected > 1e-3 * before {
        #expect(abs(uniform / expected - 1) < 1e-9, "generation \(g)")
      }
    }
  }
}
