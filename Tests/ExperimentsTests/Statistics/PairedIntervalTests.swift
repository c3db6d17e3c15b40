// Goal: chances, percentiles and CVaR of antithetic pairs have intervals that hold the truth as often
// as they say, whatever the two of a pair have to do with each other.
// Method: published intervals of matched proportions; pairs of values whose distribution is known, by
// a monotone function of a uniform number and of its mirror, and by one that makes both equal, as a
// figure does that any luck drives up. Coverage over 1,000 repetitions; those of both equal fail
// where pairs are taken for two independent replications.
import EventKernel
import Experiments
import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct PairedIntervalTests {
  /// What the second of a pair has to do with the first.
  enum Mirror: CaseIterable {
    /// The figure rises with the number that is mirrored.
    case opposite
    /// It rises with it, and with as much luck of its own.
    case partly
    /// It rises with the number's distance from ½.
    case equal

    /// The standard exponential distribution's value at a uniform number that mirrored numbers give.
    func pair(_ stream: inout RandomStream) -> (Double, Double) {
      let u = stream.uniform()
      switch self {
      case .opposite: return (-log(u), -log1p(-u))
      case .partly:
        // Sums of squares of two normal numbers are 2 · exponential.
        let (x, y) = (RandomStream.normalQuantile(u), RandomStream.normalQuantile(1 - u))
        func share(_ z: Double) -> Double {
          let sum = (z + stream.normal()) / 2.0.squareRoot()
          return -log(0.5 * erfc(sum / 2.0.squareRoot()))
        }
        return (share(x), share(y))
      case .equal:
        let value = -log(abs(2 * u - 1))
        return (value, value)
      }
    }
  }

  /// One experiment of pairs followed by single replications.
  private struct Draw {
    var sample = FigureSample()
    var events = EventCount()

    init(
      _ mirror: Mirror, pairs: Int, singles: Int, above bound: Double, _ stream: inout RandomStream
    ) {
      for _ in 0..<pairs {
        let (first, second) = mirror.pair(&stream)
        enter(first, bound, joins: false)
        enter(second, bound, joins: true)
      }
      for _ in 0..<singles { enter(-log(stream.uniform()), bound, joins: false) }
    }

    private mutating func enter(_ value: Double, _ bound: Double, joins: Bool) {
      sample.add(value, controls: [], joins: joins)
      events.add(value > bound, joins: joins)
    }
  }

  @Test("One pair is one observation, and a mean of it has no interval")
  func onePair() throws {
    var sample = FigureSample()
    sample.add(1, controls: [], joins: false)
    sample.add(3, controls: [], joins: true)
    #expect(sample.halfWidth == nil)
    let estimate = try #require(sample.estimate)
    #expect(estimate.halfWidth == nil && estimate.mean == 2 && estimate.count == 2)
    sample.add(5, controls: [], joins: false)
    let half = try #require(sample.halfWidth)
    #expect(half > 0 && sample.estimate?.halfWidth == half)
  }

  @Test(
    "Pairs have the score interval of matched proportions",
    arguments: [
      (PairCounts(both: 1, one: 13, none: 7), -0.517, -0.026),
      (PairCounts(both: 16, one: 62, none: 8), -0.020, 0.207),
    ])
  func published(pairs: PairCounts, low: Double, high: Double) throws {
    // Tango's interval of a difference as Fagerland, Lydersen and Laake 2014 (doi:10.1002/sim.6148)
    // and Agresti and Min 2005 (doi:10.1002/sim.1781) give it, of P(both) − P(none).
    let trials = 2 * pairs.count
    let interval = try Proportion(successes: pairs.successes, trials: trials, pairs: pairs).wilson()
    #expect(abs(2 * (interval.low ?? 0) - 1 - low) < 5.1e-4, "\(interval)")
    #expect(abs(2 * (interval.high ?? 0) - 1 - high) < 5.1e-4, "\(interval)")
  }

  @Test func pairsThatAgreeCountOnceAndIndependentOnesTwice() throws {
    // All of a pair or nothing: as many trials as pairs.
    let agree = PairCounts(both: 12, one: 0, none: 28)
    let once = try Proportion(successes: 12, trials: 40).wilson()
    let twice = try Proportion(successes: 24, trials: 80, pairs: agree).wilson()
    #expect(near(twice.low, once.low ?? 0) && near(twice.high, once.high ?? 0))
    // Without pairs, and of pairs that are as likely as those of independent trials, Wilson's own.
    let plain = try Proportion(successes: 50, trials: 100).wilson()
    let half = PairCounts(both: 12, one: 26, none: 12)
    let independent = try Proportion(successes: 50, trials: 100, pairs: half).wilson()
    #expect(abs((independent.halfWidth ?? 0) / (plain.halfWidth ?? 1) - 1) < 0.05)
    // One of each pair: the less is known of the rest, the more pairs there must be.
    let opposite = PairCounts(both: 0, one: 50, none: 0)
    let narrow = try Proportion(successes: 50, trials: 100, pairs: opposite).wilson()
    #expect((narrow.halfWidth ?? 1) < 0.5 * (plain.halfWidth ?? 0))
    #expect((narrow.halfWidth ?? 0) > 0)
    // Nothing seen in fifty pairs leaves more open than in a hundred replications.
    let never = try Proportion(
      successes: 0, trials: 100, pairs: PairCounts(both: 0, one: 0, none: 50)
    ).wilson()
    let fifty = try Proportion(successes: 0, trials: 50).wilson()
    #expect(never.low == 0 && near(never.high, fifty.high ?? 0))
    for (hits, alone) in [(0, 0), (50, 50), (20, 20)] {
      let twins = try Proportion(
        successes: 2 * hits, trials: 100, pairs: PairCounts(both: hits, none: 50 - hits)
      ).exact()
      let exact = try Proportion(successes: alone, trials: 50).exact()
      #expect(near(twins.low, exact.low ?? -1, 1e-9) && near(twins.high, exact.high ?? -1, 1e-9))
    }
    #expect(throws: EstimatorError.badParameter(name: "trials", value: 99)) {
      try Proportion(successes: 0, trials: 99, pairs: PairCounts(none: 50))
    }
  }

  @Test("What a replication cannot tell of did not happen in it; neighbors are a pair")
  func pairsAreCounted() {
    var events = EventCount()
    for (outcome, joins) in [
      (true, false), (true, true), (nil, false), (true, true), (false, false), (nil, true),
      (true, false), (false, false), (true, true), (false, true),
    ] as [(Bool?, Bool)] {
      events.add(outcome, joins: joins)
    }
    #expect(events.of == 10 && events.told == 8 && events.happened == 5)
    #expect(events.pairs == PairCounts(both: 1, one: 2, none: 1))
    var values = PairedValues()
    for (value, joins) in [(1, false), (2, true), (nil, false), (3, true), (4, false)]
      as [(Double?, Bool)]
    {
      values.add(value, joins: joins)
    }
    #expect(values.count == 1)
    #expect(PairedValues().varianceFactor(upTo: 1, probability: 0.5, total: 0) == 1)
  }

  @Test("Chances cover", arguments: Mirror.allCases, [0.1, 0.5])
  func chances(mirror: Mirror, chance: Double) throws {
    for (pairs, singles) in [(100, 0), (20, 160)] {
      var coverage = CoverageCount()
      var alike = CoverageCount()
      for repetition in 0..<CoverageTests.repetitions {
        var stream = repetitionStream(repetition, purpose: chance == 0.5 ? 80 : 81)
        let events = Draw(mirror, pairs: pairs, singles: singles, above: -log(chance), &stream)
          .events
        let interval = Projection.Chance(events.happened, of: events.of, pairs: events.pairs)
        coverage.count(interval.low <= chance && chance <= interval.high)
        let naive = Projection.Chance(events.happened, of: events.of)
        alike.count(naive.low <= chance && chance <= naive.high)
      }
      // One of two opposites happens always: the true half is in every interval.
      #expect(coverage.share >= 0.925, "\(pairs) pairs: \(coverage.share)")
      if mirror == .equal, singles == 0 {
        #expect(alike.share < 0.9, "as if independent: \(alike.share)")
      }
    }
  }

  @Test("Percentiles cover, and opposites have shorter intervals", arguments: Mirror.allCases)
  func percentiles(mirror: Mirror) throws {
    for (pairs, singles) in [(100, 0), (20, 160)] {
      var coverage = Estimate.shares.map { _ in CoverageCount() }
      var (paired, alike) = (0.0, 0.0)
      for repetition in 0..<CoverageTests.repetitions {
        var stream = repetitionStream(repetition, purpose: 82)
        let draw = Draw(mirror, pairs: pairs, singles: singles, above: 1, &stream)
        let estimate = try #require(draw.sample.estimate)
        for (place, share) in Estimate.shares.enumerated() {
          coverage[place].count(estimate.quantiles[place].contains(-log1p(-share)))
        }
        let ordered = try #require(draw.sample.ordered)
        paired += try #require(estimate.quantiles[2].halfWidth)
        alike += try #require(QuantileInterval(ordered, probability: 0.5).interval.halfWidth)
      }
      for (count, name) in zip(coverage, Estimate.names) {
        #expect(count.share >= 0.925, "\(pairs) pairs, \(name): \(count.share)")
      }
      if singles == 0 {
        #expect(mirror == .equal ? paired > 1.2 * alike : paired < 0.95 * alike)
      }
    }
  }

  @Test("CVaR covers", arguments: Mirror.allCases)
  func tails(mirror: Mirror) throws {
    var coverage = CoverageCount()
    let truth = 1 - log(0.05)
    for repetition in 0..<CoverageTests.repetitions {
      var stream = repetitionStream(repetition, purpose: 83)
      let sample = Draw(mirror, pairs: 200, singles: 0, above: 1, &stream).sample
      let tail = try TailRisk(
        try #require(sample.ordered), probability: 0.95, resamples: 200, seed: UInt64(repetition),
        pairs: sample.pairs)
      coverage.count(tail.expectedShortfall.contains(truth))
    }
    // As without pairs the bootstrap's own 200 resamples add noise. Equal pairs have ten different
    // values in the tail, the fewest for which there is an interval at all.
    #expect(coverage.share >= (mirror == .equal ? 0.9 : 0.92), "\(coverage.share)")
  }

  @Test("Thousands of pairs have the intervals of the first of them, and all five percentiles")
  func many() throws {
    var stream = repetitionStream(0, purpose: 84)
    let estimate = try #require(
      Draw(.opposite, pairs: 20_000, singles: 3, above: 1, &stream).sample.estimate)
    for (interval, share) in zip(estimate.quantiles, Estimate.shares) {
      let truth = -log1p(-share)
      let low = try #require(interval.low)
      let high = try #require(interval.high)
      // The sketch is within 0.1 % of the distance from the median.
      #expect(low - 0.01 <= truth && truth <= high + 0.01, "\(share): \(low) to \(high)")
      #expect(high - low < 0.2)
    }
  }
}
