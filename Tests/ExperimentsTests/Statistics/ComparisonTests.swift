// Goal: paired differences are judged as the paired t test does, and a family shares its errors.
// Method: scipy.stats.ttest_rel (1.17.1) and R's documented p.adjust rules by hand; a family of
// differences that are all zero, of which few may be called real.
import EventKernel
import Experiments
import Testing

@Suite struct ComparisonTests {
  static let baseline = [10.1, 11.4, 9.2, 12.0, 10.7]
  static let variant = [10.9, 11.9, 10.4, 12.2, 11.8]

  @Test("The interval, probability and verdict equal scipy's paired t test")
  func againstSciPy() throws {
    let pair = try PairedComparison(baseline: Self.baseline, variant: Self.variant)
    #expect(near(pair.difference.mean, 0.76))
    #expect(near(pair.difference.low, 0.2435513570476563))
    #expect(near(pair.difference.high, 1.2764486429523445))
    #expect(near(pair.pValue, 0.015026945724145292))
    #expect(near(pair.varianceReduction, 10.231213872832331))
    #expect(pair.verdict == .higher)
    #expect(pair.increases == 5)
    #expect(pair.decreases == 0)
    #expect(near(pair.variantMean - pair.baselineMean, 0.76))
    let reversed = try PairedComparison(baseline: Self.variant, variant: Self.baseline)
    #expect(reversed.verdict == .lower)
    #expect(near(reversed.pValue, pair.pValue))
    let strict = try PairedComparison(
      baseline: Self.baseline, variant: Self.variant, level: 0.99)
    #expect(strict.verdict == .notShown)
    #expect(strict.difference.contains(0))
  }

  @Test("A difference that never varies is judged by the sign test, and none at all is identical")
  func degenerate() throws {
    let shifted = try PairedComparison(baseline: [1, 2, 3], variant: [2, 3, 4])
    // Three of three up or three of three down, by a fair coin: 2 / 8.
    #expect(shifted.pValue == 0.25)
    #expect(shifted.verdict == .notShown)
    let six = try PairedComparison(
      baseline: [1, 2, 3, 4, 5, 6], variant: [0, 1, 2, 3, 4, 5])
    #expect(six.pValue == 2.0 / 64)
    #expect(six.verdict == .lower)
    let ends = try PairedComparison(
      baseline: [Double](repeating: 0, count: 2_000), variant: [Double](repeating: 1, count: 2_000))
    #expect(ends.pValue == 0 && ends.verdict == .higher)
    #expect(shifted.varianceReduction == nil)
    let same = try PairedComparison(baseline: [1, 2, 3], variant: [1, 2, 3])
    #expect(same.verdict == .identical)
    #expect(!same.verdict.isReal)
    let balanced = try PairedComparison(baseline: [1, 2], variant: [2, 1])
    #expect(balanced.verdict == .notShown)
  }

  /// Amounts of a dime each, and the same with 0.3 more: no two of these differences are equal.
  static let dimes = ([100.1, 7.7, 0.1, 1_234.5], [100.4, 8.0, 0.4, 1_234.8])

  @Test("Differences that vary by rounding alone do not vary, for a figure and in a family")
  func rounding() throws {
    let (baseline, variant) = Self.dimes
    #expect(Set(zip(baseline, variant).map { $1 - $0 }).count == 4)
    let pair = try PairedComparison(baseline: baseline, variant: variant)
    #expect(pair.differenceVariance == 0 && pair.varianceReduction == nil)
    // Four of four up or four of four down, by a fair coin: 2 / 16.
    #expect(pair.pValue == 0.125 && pair.verdict == .notShown)
    #expect(near(pair.difference.mean, 0.3) && pair.difference.halfWidth == 0)
    #expect(pair.increases == 4)
    let reversed = try PairedComparison(baseline: variant, variant: baseline)
    #expect(reversed.pValue == 0.125 && reversed.varianceReduction == nil)
    let eight = try PairedComparison(baseline: baseline + baseline, variant: variant + variant)
    #expect(eight.pValue == 2.0 / 256 && eight.verdict == .higher)
    let family = try ComparisonFamily([pair, eight])
    #expect(family.adjustedPValues == [0.125, 4.0 / 256])
    #expect(family.verdicts == [.notShown, .higher])
    #expect(family.intervals.allSatisfy { $0.halfWidth == 0 })
  }

  @Test("A pair that differs by rounding alone is equal")
  func roundedTies() throws {
    let sum = 0.1 + 0.2
    #expect(sum != 0.3)
    let same = try PairedComparison(baseline: [0.3, sum, 0.3], variant: [sum, 0.3, sum])
    #expect(same.verdict == .identical && same.pValue == 1 && same.difference.mean == 0)
    #expect(same.increases == 0 && same.decreases == 0)
    // Neither all equal nor all higher: no sign test calls that clear.
    let edge = try PairedComparison(
      baseline: [Double](repeating: 1, count: 8),
      variant: [1 + 5 * 1.0.ulp] + [Double](repeating: 1 + 4 * 1.0.ulp, count: 7))
    #expect(edge.increases == 1 && edge.pValue == 1 && edge.verdict == .notShown)
  }

  @Test("Differences that vary by little more than rounding are judged by Student's t")
  func smallVariance() throws {
    // The differences of the sample above, ten times as many units of 2^−48 (16 in the last place).
    let unit = Double(sign: .plus, exponent: -48, significand: 1)
    let baseline = [Double](repeating: 1, count: 5)
    let pair = try PairedComparison(
      baseline: baseline, variant: [8.0, 5, 12, 2, 11].map { 1 + $0 * unit })
    #expect(near(pair.pValue, 0.015026945724145292))
    #expect(near(pair.difference.mean / unit, 7.6))
    #expect(near(pair.difference.low / unit, 2.435513570476563))
    // The variant's own variance is the differences', as far as rounding lets it be known.
    #expect((0.99...1.01).contains(try #require(pair.varianceReduction)))
    #expect(pair.verdict == .higher)
    // One pair in which the change is another, among rounded ones.
    let (amounts, more) = Self.dimes
    let one = try PairedComparison(baseline: amounts + [5], variant: more + [5.300001])
    #expect(one.differenceVariance > 0 && one.varianceReduction != nil)
  }

  @Test("Holm steps down, Bonferroni multiplies")
  func adjustment() throws {
    // Five comparisons with the probabilities of a t test on one degree of freedom.
    let pairs = try [1.0, 4, 9, 30, 300].map { scale in
      try PairedComparison(baseline: [0, 0], variant: [scale - 1, scale + 1])
    }
    let plain = pairs.map(\.pValue)
    let holm = try ComparisonFamily(pairs, correction: .holm)
    #expect(near(holm.adjustedPValues[4], 5 * plain[4]))
    #expect(near(holm.adjustedPValues[3], 4 * plain[3]))
    #expect(near(holm.adjustedPValues[2], 3 * plain[2]))
    #expect(near(holm.adjustedPValues[1], min(1, max(2 * plain[1], 3 * plain[2]))))
    #expect(near(holm.adjustedPValues[0], max(plain[0], holm.adjustedPValues[1])))
    #expect(holm.verdicts == [.notShown, .notShown, .notShown, .notShown, .higher])
    // Of two alike, the less clear one may not seem clearer than the other.
    let alike = try [30.0, 31].map { scale in
      try PairedComparison(baseline: [0, 0], variant: [scale - 1, scale + 1])
    }
    let adjusted = try ComparisonFamily(alike).adjustedPValues
    #expect(adjusted == [2 * alike[1].pValue, 2 * alike[1].pValue])
    let bonferroni = try ComparisonFamily(pairs, correction: .bonferroni)
    for (adjusted, p) in zip(bonferroni.adjustedPValues, plain) {
      #expect(near(adjusted, min(1, 5 * p)))
    }
    for (interval, verdict) in zip(bonferroni.intervals, bonferroni.verdicts) {
      #expect(interval.contains(0) == !verdict.isReal)
      #expect(near(interval.level, 0.99))
    }
    let each = try ComparisonFamily(pairs, correction: .none)
    #expect(each.adjustedPValues == plain)
    #expect(each.verdicts[3] == .higher)
  }

  @Test("With no difference anywhere, a corrected family errs in about 5 % of the repetitions")
  func familyError() throws {
    var wrong = ["none": 0, "bonferroni": 0, "holm": 0]
    for repetition in 0..<400 {
      var stream = repetitionStream(repetition, purpose: 1)
      let pairs = try (0..<8).map { _ in
        let common = (0..<12).map { _ in stream.normal() }
        return try PairedComparison(
          baseline: common.map { $0 + stream.normal() },
          variant: common.map { $0 + stream.normal() })
      }
      for correction in FamilyCorrection.allCases {
        let family = try ComparisonFamily(pairs, correction: correction)
        if family.verdicts.contains(where: \.isReal) { wrong[correction.rawValue, default: 0] += 1 }
      }
    }
    // 400 repetitions at 5 %: 20 expected, standard deviation 4.4.
    #expect((6...37).contains(wrong["holm"] ?? 0), "\(wrong)")
    #expect((wrong["bonferroni"] ?? 0) <= (wrong["holm"] ?? 0))
    #expect((wrong["none"] ?? 0) > 80, "uncorrected, about a third err: \(wrong)")
  }

  @Test("Unequal lengths, one pair, numbers that are not finite and empty families are refused")
  func refusals() throws {
    #expect(throws: StatisticsError.lengths(name: "variant", count: 1, needed: 2)) {
      try PairedComparison(baseline: [1, 2], variant: [1])
    }
    #expect(throws: StatisticsError.estimator(.tooFew(count: 1, needed: 2))) {
      try PairedComparison(baseline: [1], variant: [1])
    }
    #expect(throws: StatisticsError.self) {
      try PairedComparison(baseline: [1, .nan], variant: [1, 2])
    }
    #expect(throws: StatisticsError.self) {
      try PairedComparison(baseline: [1, 2], variant: [1, 2], level: 1)
    }
    #expect(throws: StatisticsError.self) { try ComparisonFamily([]) }
    let pair = try PairedComparison(baseline: [1, 2], variant: [1, 2])
    #expect(throws: StatisticsError.self) { try ComparisonFamily([pair], level: 0) }
  }
}
