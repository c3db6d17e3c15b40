// Goal: luck and not knowing are told apart rightly, and the intervals say how sure that is.
// Method: purchases of a cohort with mixed rates and an uncertain rate, of which mean, variance and
// both parts are known; coverage over 1,000 repetitions.
import EventKernel
import Experiments
import Foundation
import RewardModel
import Scenario
import Testing

/// A cohort of buyers who never leave: given r, the purchases of N members in T weeks are negative
/// binomial with the mean N r T ÷ α and the variance N r T ÷ α (1 + T ÷ α). r is gamma-distributed.
private struct Cohort {
  var members = 200.0
  /// T ÷ α.
  var exposure = 2.0
  var shape = 44.0
  /// The mean of r.
  var rate = 0.5

  var scale: Double { rate / shape }
  var mean: Double { members * rate * exposure }
  var luck: Double { mean * (1 + exposure) }
  var unknown: Double { pow(members * exposure * scale, 2) * shape }
  var share: Double { unknown / (unknown + luck) }

  func draw(_ stream: inout RandomStream, _ law: UncertainLaw) throws -> (r: Double, Double, Double)
  {
    let r = law.value(score: stream.normal())
    func purchases() throws -> Double {
      Double(try stream.negativeBinomial(successes: members * r, p: 1 / (1 + exposure)))
    }
    return (r, try purchases(), try purchases())
  }

  func law() throws -> UncertainLaw {
    try UncertainLaw(.gamma(shape: shape, scale: scale), within: 1e-9...1e9)
  }
}

@Suite struct SpreadPartsTests {
  @Test("Mean, luck and not knowing of a cohort are those of the closed form")
  func closedForm() throws {
    let cohort = Cohort(shape: 6)
    let law = try cohort.law()
    var stream = RandomStream(seed: 11, purpose: 1, entity: 1)
    var (means, luck, unknown) = (Tally(), Tally(), Tally())
    for _ in 0..<60 {
      var pairs: [(Double, Double)] = []
      for _ in 0..<100 {
        let draw = try cohort.draw(&stream, law)
        pairs.append((draw.1, draw.2))
      }
      let parts = try #require(SpreadParts(pairs))
      try means.add(pairs.reduce(0) { $0 + $1.0 } / 100)
      try luck.add(parts.luck)
      try unknown.add(parts.unknown)
    }
    for (tally, truth) in [
      (means, cohort.mean), (luck, cohort.luck), (unknown, cohort.unknown),
    ] {
      let mean = try #require(tally.mean)
      let error = try #require(tally.standardDeviation) / 60.0.squareRoot()
      #expect(abs(mean - truth) < 4 * error, "\(mean) ± \(error), \(truth)")
    }
  }

  @Test("Intervals of the share of not knowing cover it in 93 to 97 of 100 cases")
  func coverage() throws {
    let cohort = Cohort()
    let law = try cohort.law()
    var (parts, influence) = (0, 0)
    for repetition in 0..<1_000 {
      var stream = RandomStream(seed: 5, purpose: 2, entity: UInt64(repetition))
      let draws = try (0..<40).map { _ in try cohort.draw(&stream, law) }
      let own = try #require(SpreadParts(draws.map { ($0.1, $0.2) }))
      if own.share.contains(cohort.share) { parts += 1 }
      let line = try #require(
        InputInfluence(path: "r", drawn: draws.map(\.r), figure: draws.map { $0.1 }))
      if line.share.contains(cohort.share) { influence += 1 }
    }
    #expect((930...970).contains(parts), "\(parts)")
    #expect((930...970).contains(influence), "\(influence)")
  }

  @Test("What only luck or only not knowing makes is said to be so")
  func ends() throws {
    var stream = RandomStream(seed: 3, purpose: 3, entity: 1)
    let lucky = try #require(
      SpreadParts((0..<200).map { _ in (stream.normal(), stream.normal()) }))
    #expect(lucky.share.low == 0 && lucky.share.estimate < 0.2)
    let known = try #require(
      SpreadParts(
        (0..<50).map { _ in
          let value = stream.normal()
          return (value, value)
        }))
    #expect(known.share.estimate == 1 && known.luck == 0 && known.share.low == 1)
    #expect(SpreadParts([(1, 1), (1, 1), (1, 1)]) == nil)
    #expect(SpreadParts([(1, 2), (3, 4)]) == nil)
    #expect(SpreadParts([(1, 2), (3, .nan), (1, 1)]) == nil)
  }

  @Test("The interval is that of tables of the F distribution")
  func tables() throws {
    // Ten draws; F(0.975; 9, 10) = 3.779 and F(0.975; 10, 9) = 3.964 in tables.
    let pairs = (0..<10).map { (row: Int) -> (Double, Double) in
      let first = Double(row * 2)
      return (first, row.isMultiple(of: 2) ? first + 3 : first - 3)
    }
    let parts = try #require(SpreadParts(pairs))
    let within = 4.5
    let middles = pairs.map { ($0.0 + $0.1) / 2 }
    let mean = middles.reduce(0, +) / 10
    let squares = middles.map { ($0 - mean) * ($0 - mean) }
    let between: Double = 2 * squares.reduce(0, +) / 9
    let ratio = between / within
    func share(_ f: Double) -> Double { max((f - 1) / (f + 1), 0) }
    #expect(parts.luck == within)
    #expect(abs(parts.share.estimate - share(ratio)) < 1e-12)
    #expect(abs((parts.share.low ?? 0) - share(ratio / 3.779)) < 1e-3)
    #expect(abs((parts.share.high ?? 0) - share(ratio * 3.964)) < 1e-3)
  }
}
