// Goal: ratios over members have the error that members have, and shares the interval that goes with it.
// Method: worked examples; shares of members with one trial each against the binomial; coverage over
// simulated members of whom some do everything and some nothing.
import EventKernel
import Experiments
import Foundation
import Testing

@Suite struct ClusterRatioTests {
  @Test("A worked example: three members with 1 of 2, 3 of 4 and 2 of 6")
  func worked() throws {
    var ratio = ClusterRatio()
    for (above, below) in [(1.0, 2.0), (3, 4), (2, 6)] { ratio.add(above, of: below) }
    #expect(ratio.ratio == 0.5 && ratio.members == 3)
    // Residuals 0, 1 and −1: their squares are 2, times 3 ÷ 2, under the root, over 12.
    #expect(abs(try #require(ratio.standardError) - 3.0.squareRoot() / 12) < 1e-15)
    let interval = try #require(ratio.interval())
    // Student's 97.5 % quantile with 2 degrees of freedom is 4.302653.
    let reach = exp(4.302_652_73 * 3.0.squareRoot() / 12 / 0.5)
    #expect(abs(try #require(interval.high) - 0.5 * reach) < 1e-8)
    #expect(abs(try #require(interval.low) - 0.5 / reach) < 1e-8)
    #expect(abs(try #require(ratio.effectiveTrials) - 12) < 1e-9)
  }

  @Test("Members with one trial each are a binomial sample")
  func binomial() throws {
    var ratio = ClusterRatio()
    for member in 0..<400 { ratio.add(member < 120 ? 1 : 0, of: 1) }
    let share = try #require(ratio.share())
    let wilson = try Proportion(successes: 120, trials: 400).wilson()
    #expect(share.estimate == 0.3)
    // Student's quantile with 399 degrees of freedom is 0.3 % above the normal one.
    #expect(abs(try #require(share.low) - #require(wilson.low)) < 5e-4)
    #expect(abs(try #require(share.high) - #require(wilson.high)) < 5e-4)
  }

  @Test("Without two members there is no error, and all or nothing still has an interval")
  func edges() throws {
    var ratio = ClusterRatio()
    #expect(ratio.ratio == nil && ratio.share() == nil && ratio.interval() == nil)
    ratio.add(2, of: 5)
    #expect(ratio.ratio == 0.4 && ratio.standardError == nil && ratio.share() == nil)
    var all = ClusterRatio()
    for _ in 0..<10 { all.add(3, of: 3) }
    let share = try #require(all.share())
    #expect(share.estimate == 1 && share.high == 1 && share.low.map { 0.8 < $0 && $0 < 1 } == true)
    var none = ClusterRatio()
    for _ in 0..<10 { none.add(0, of: 3) }
    #expect(none.share()?.low == 0 && none.interval() == nil)
    var more = ClusterRatio()
    for _ in 0..<10 { more.add(4, of: 3) }
    #expect(more.share() == nil && more.interval() != nil)
  }

  @Test("The interval of a weight holds it, however marks are spread", arguments: [2, 7, 12, 24])
  func weights(bins: Int) throws {
    for count in [2, 3, 10, 100, 3_000] {
      for first in [0, 1, count / 2, count - 1, count] {
        let marks = (0..<count).map { mark in
          (member: UInt32(mark), bin: mark < first ? 0 : 1 + mark % (bins - 1))
        }
        let weights = ClusterRatio.weights(
          ClusterRatio.shares(of: marks, bins: bins), per: (1...bins).map(Double.init))
        #expect(abs(weights.reduce(0) { $0 + $1.estimate } - Double(bins)) < 1e-9)
        for weight in weights {
          let (low, high) = (try #require(weight.low), try #require(weight.high))
          #expect(low <= weight.estimate && weight.estimate <= high && weight.estimate > 0)
        }
      }
    }
  }

  @Test("Intervals hold the share of members who differ, where those of independent trials do not")
  func coverage() throws {
    // Each member has a share from Beta(1, 1) and 5 trials or 50: the share of all is ½.
    var (held, naive) = (0, 0)
    for seed in 0..<200 {
      var stream = RandomStream(seed: UInt64(seed), purpose: 1, entity: 0)
      var ratio = ClusterRatio()
      for member in 0..<60 {
        let trials = member.isMultiple(of: 2) ? 5 : 50
        ratio.add(Double(stream.binomial(trials, stream.uniform())), of: Double(trials))
      }
      let share = try #require(ratio.share())
      if share.contains(0.5) { held += 1 }
      let alone = try Proportion(successes: Int(ratio.above), trials: Int(ratio.below)).wilson()
      if alone.contains(0.5) { naive += 1 }
    }
    // 200 trials at .95 are below 180 once in 400 tries.
    #expect(held >= 180, "\(held) of 200")
    #expect(naive < 120, "\(naive) of 200")
  }
}
