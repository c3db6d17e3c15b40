import BlakJaks
// Goal: likelihood, forecasts and probabilities of the three models are those of customers with
// mixed rates and dropouts, wherever their parameters lie.
// Method: against numerical mixing over single customers, against published figures, and between
// formulas that must agree where one of them is in trouble.
import Experiments
import Foundation
import Population
import TestSupport
import Testing

/// Relative difference.
func apart(_ a: Double, _ b: Double) -> Double { abs(a - b) / max(abs(a), abs(b), 1e-300) }

@Suite(.tags(.slow)) struct PurchaseLawTests {
  private static let customers: [(x: Int, last: Double, span: Double)] = [
    (0, 0, 12), (1, 3, 20), (2, 15.5, 16), (5, 4, 30), (9, 30, 30), (0, 0, 0),
  ]

  private func likelihood(_ law: PurchaseLaw, _ rows: [PurchaseSummary.Row]) -> Double {
    PurchaseLikelihood(law.model, PurchaseSummary(rows)).logLikelihood(law)
  }

  @Test("Likelihood and forecast are means over single customers", arguments: smoothLaws)
  func mixing(law: PurchaseLaw) {
    let mixing = Mixing(law)
    for (x, last, span) in Self.customers {
      let staying = mixing.mean { mixing.staying(x, span, $0, $1) }
      let leaving = mixing.mean { mixing.leaving(x, last, span, $0, $1) }
      let row = PurchaseSummary.Row(repeats: x, lastWeeks: last, spanWeeks: span)
      #expect(apart(exp(likelihood(law, [row])), staying + leaving) < 1e-6, "\((x, last, span))")
      let alive = law.alive(repeats: x, last: last, span: span)
      #expect(apart(alive, staying / (staying + leaving)) < 1e-6, "\((x, last, span))")
      let coming = mixing.mean { mixing.staying(x, span, $0, $1) * mixing.coming(13, $0, $1) }
      let next = law.next(13, repeats: x, last: last, span: span)
      #expect(apart(next, coming / (staying + leaving)) < 1e-6, "\((x, last, span))")
    }
  }

  @Test("Numbers of purchases are means over single customers", arguments: smoothLaws)
  func numbers(law: PurchaseLaw) {
    let mixing = Mixing(law)
    let start = law.model == .mbgNbd ? { (p: Double) in 1 - p } : { (_: Double) in 1 }
    #expect(law.mean(0) == 0 && law.probabilities(0, count: 3) == [1, 0, 0])
    for t in [0.4, 7, 39] {
      let mean = mixing.mean { start($1) * mixing.coming(t, $0, $1) }
      #expect(abs(law.mean(t) - mean) < 1e-6 * max(mean, 1), "t = \(t)")
      for (x, probability) in law.probabilities(t, count: 9).enumerated() {
        let expected = mixing.mean { mixing.probability(x, t, $0, $1) }
        #expect(abs(probability - expected) < 1e-6, "t = \(t), x = \(x)")
      }
    }
  }

  @Test("Probabilities sum to one and have the mean", arguments: smoothLaws + published)
  func probabilities(law: PurchaseLaw) {
    for t in [2.0, 39] {
      let probabilities = law.probabilities(t, count: 2_500)
      let mean: Double = probabilities.enumerated().reduce(0) {
        $0 + Double($1.offset) * $1.element
      }
      let whole: Double = probabilities.reduce(0, +)
      #expect(abs(whole - 1) < 1e-9)
      #expect(apart(mean, law.mean(t)) < 1e-7, "\(mean) \(law.mean(t))")
    }
  }

  static let published = [
    PurchaseLaw(model: .bgNbd, r: 0.243, alpha: 4.414, first: 0.793, second: 2.426),
    PurchaseLaw(model: .mbgNbd, r: 0.525, alpha: 6.183, first: 0.891, second: 1.614),
    PurchaseLaw(model: .paretoNbd, r: 0.553, alpha: 10.578, first: 0.606, second: 11.669),
  ]

  @Test func publishedFiguresAreGiven() {
    let (bg, mbg, pareto) = (Self.published[0], Self.published[1], Self.published[2])
    #expect(abs(bg.mean(10) - 0.43241) < 6e-6)
    #expect(abs(bg.mean(39) - 1.19672) < 6e-6)
    #expect(abs(mbg.mean(39) - 1.18295) < 6e-6)
    #expect(abs(pareto.mean(39) - 1.21300) < 6e-6)
    #expect(abs(bg.alive(repeats: 2, last: 30.43, span: 38.86) - 0.72658) < 6e-6)
    // Fader, Hardie and Lee, 'Implementing the BG/NBD model', 1.226 for this customer.
    #expect(abs(bg.next(39, repeats: 2, last: 30.43, span: 38.86) - 1.226) < 6e-4)
  }

  @Test func theMeanIsThePublishedFormWhereThatHasAValue() {
    // Parameters at which GSL's function is right: c − a − b is far from whole numbers.
    for (r, alpha, a, b) in [
      (0.243, 4.414, 0.793, 2.426), (1.37, 2, 0.41, 16), (0.31, 5, 1.72, 5.2), (3.3, 7, 2.61, 1.3),
    ] {
      for t in [0.5, 10, 39, 160] {
        let z = t / (alpha + t)
        let series = SpecialFunctions.hypergeometric(r, b, a + b - 1, z)
        let form = (a + b - 1) / (a - 1) * (1 - pow(1 - z, r) * series)
        let law = PurchaseLaw(model: .bgNbd, r: r, alpha: alpha, first: a, second: b)
        #expect(apart(law.mean(t), form) < 1e-9, "\(law) \(t)")
      }
    }
  }

  @Test func theMeanHoldsWhereThePublishedFormHasNone() {
    // By mpmath 1.3: the mean of (1 − (α/(α + pt))^r)/p over the density, to 30 digits.
    for (b, mean) in [
      (0.3, 1.31313442658), (0.5, 1.56670943413), (0.6, 1.66700286899),
    ] {
      let law = PurchaseLaw(model: .bgNbd, r: 0.5, alpha: 5, first: 0.5, second: b)
      #expect(apart(law.mean(39), mean) < 1e-9, "b = \(b): \(law.mean(39))")
    }
    // With a = b = 1 and r = 1 it is ∫ t/(α + pt) dp = ln(1 + t/α).
    let even = PurchaseLaw(model: .bgNbd, r: 1, alpha: 5, first: 1, second: 1)
    #expect(apart(even.mean(39), log(1 + 39.0 / 5)) < 1e-12)
    // Dropout that is the same for all, hardly ever, or at once.
    let same = PurchaseLaw(model: .bgNbd, r: 1, alpha: 5, first: 2_000, second: 6_000)
    #expect(apart(same.mean(39), 4 * (1 - 5 / (5 + 39.0 / 4))) < 5e-4)
    let never = PurchaseLaw(model: .bgNbd, r: 2, alpha: 5, first: 1e-5, second: 9_000)
    #expect(apart(never.mean(39), 2 * 39.0 / 5) < 1e-4)
    let once = PurchaseLaw(model: .bgNbd, r: 2, alpha: 5, first: 9_000, second: 1e-5)
    #expect(apart(once.mean(39), 1 - pow(5 / 44.0, 2)) < 1e-6)
    let pareto = [0.999_999, 1, 1.000_001].map {
      PurchaseLaw(model: .paretoNbd, r: 0.5, alpha: 5, first: $0, second: 9).mean(39)
    }
    #expect(apart(pareto[0], pareto[1]) < 1e-5 && apart(pareto[1], pareto[2]) < 1e-5)
    #expect(apart(pareto[1], 0.5 * 9 / 5 * log(1 + 39.0 / 9)) < 1e-12)
  }

  @Test("Heavy buyers are forecast and weighed without overflow", arguments: published)
  func heavyBuyers(law: PurchaseLaw) {
    for x in [1_600, 3_000, 10_000] {
      let next = law.next(39, repeats: x, last: 38.86, span: 38.86)
      let rate = (law.r + Double(x)) / (law.alpha + 38.86)
      #expect(next > 0.4 * rate * 39 && next < rate * 39, "x = \(x): \(next)")
      let row = PurchaseSummary.Row(repeats: x, lastWeeks: 38.86, spanWeeks: 38.86)
      #expect(likelihood(law, [row]).isFinite)
      // Somebody who bought so often and then stopped is surely gone.
      #expect(law.alive(repeats: x, last: 20, span: 38.86) < 1e-12)
    }
  }

  @Test func whoLeavesFirstIsTheRatioOfRatesAndAgreesWithTheContinuedFraction() {
    // With α = β the share μ/(λ + μ) is Beta(s, r).
    let even = PurchaseLaw.leavesFirst(rate: 3, alpha: 5, s: 2, beta: 5, at: 7)
    #expect(apart(even, 0.4) < 1e-14)
    for (b, c) in [(0.3, 1.9), (1.2, 1.9), (5.5, 8.1), (100.2, 104), (1.6, 300)] {
      for z in [0, 0.01, 0.3, 0.5, 0.9, 0.99, 0.999] {
        let gsl = SpecialFunctions.hypergeometric(1, b, c, z)
        #expect(apart(gsl, SpecialFunctions.unitFraction(b, c, z)) < 1e-9, "\(b) \(c) \(z)")
      }
    }
    // GSL refuses this one.
    #expect(SpecialFunctions.hypergeometric(1, 100.2, 104, 0.99999).isNaN)
    let share = PurchaseLaw.leavesFirst(rate: 100.2, alpha: 1e5, s: 2.8, beta: 1, at: 0)
    #expect(apart(share, 0.999444028019) < 1e-9, "mpmath 1.3; got \(share)")
    // And here the continued fraction is too slow.
    #expect(SpecialFunctions.unitFraction(1.3, 2.1, 1 - 1e-9).isNaN)
    let slow = PurchaseLaw.leavesFirst(rate: 1.3, alpha: 1e5, s: 0.37, beta: 1e-4, at: 0)
    #expect(apart(slow, 0.999329530787) < 1e-9, "mpmath 1.3; got \(slow)")
  }

  @Test func aSumOfWhatCouldNotBeComputedIsNotComputed() {
    #expect(SpecialFunctions.logSum(0, .nan).isNaN && SpecialFunctions.logSum(.nan, 0).isNaN)
    #expect(SpecialFunctions.logSum(-.infinity, .nan).isNaN)
    #expect(SpecialFunctions.logSum(-.infinity, 3) == 3)
    #expect(SpecialFunctions.logSum(3, -.infinity) == 3)
    #expect(SpecialFunctions.logSum(-.infinity, -.infinity) == -.infinity)
    #expect(apart(SpecialFunctions.logSum(log(2), log(5)), log(7)) < 1e-15)
  }

  @Test(
    "Who leaves first is computed at the edges of the parameters, where neither fraction nor GSL is"
  )
  func edges() {
    // mpmath 1.3 with 60 digits.
    let cases: [(rate: Double, alpha: Double, s: Double, beta: Double, t: Double, share: Double)] =
      [
        (1_538, 1_967.9, 1e-5, 1e-4, 0, 8.880_303_581_706_28e-5),
        (1e-5, 1e6, 1e-5, 1e-5, 0, 0.500_126_625_978_776),
        (0.21, 0.87, 1e-5, 1e6, 30, 5.787_744_233_243_78e-6),
      ]
    for (rate, alpha, s, beta, t, share) in cases {
      let own = PurchaseLaw.leavesFirst(rate: rate, alpha: alpha, s: s, beta: beta, at: t)
      #expect(apart(own, share) < 1e-11, "\(own), mpmath \(share)")
    }
    // Next to the two ratios from which on it is integrated there is no step.
    for ratio in [1e-3, 1e3] {
      let shares = [1 - 1e-13, 1 + 1e-13].map {
        PurchaseLaw.leavesFirst(rate: 2.3, alpha: 1, s: 0.7, beta: ratio * $0, at: 0)
      }
      #expect(apart(shares[0], shares[1]) < 1e-11, "\(shares)")
    }
    // Beyond what a double holds nothing is computed.
    for beta in [0, .infinity, .nan] {
      #expect(PurchaseLaw.leavesFirst(rate: 1, alpha: 1, s: 1, beta: beta, at: 0).isNaN)
    }
    let law = PurchaseLaw(
      model: .paretoNbd, r: 1_538, alpha: 1_967.9, first: 1e-5, second: 1e-4)
    let one = likelihood(law, [PurchaseSummary.Row(repeats: 0, lastWeeks: 0, spanWeeks: 0.14)])
    #expect(apart(one, -0.109_405_042_304_495) < 1e-8, "\(one)")
  }

  @Test("Customers who are alike count together", arguments: PurchaseModel.allCases)
  func counts(model: PurchaseModel) {
    let law = Self.published.first { $0.model == model } ?? Self.published[0]
    var single: [PurchaseSummary.Row] = []
    for _ in 0..<3 {
      single += Self.customers.map {
        PurchaseSummary.Row(repeats: $0.x, lastWeeks: $0.last, spanWeeks: $0.span)
      }
    }
    let together = PurchaseSummary(single.shuffledByHand())
    #expect(together.rows.count == Self.customers.count && together.customers == single.count)
    let sum = single.reduce(0) { $0 + likelihood(law, [$1]) }
    #expect(apart(likelihood(law, single), sum) < 1e-12)
  }
}

extension Array {
  /// Another order, always the same.
  fileprivate func shuffledByHand() -> [Element] {
    indices.map { self[($0 * 7 + 3) % count] }
  }
}

/// Goal: BG and MBG with Erlang gaps expect what the renewal sums and simulated members say.
/// Method: k = 1 by the general sums against the closed forms; E[X] against `RenewalLaw`; the rest
/// against each other, since probabilities, means and forecasts are sums of the same customers.
@Suite struct ErlangLawTests {
  private static let laws = [
    PurchaseLaw(model: .bgNbd, r: 0.8, alpha: 2, first: 0.9, second: 3, shape: 2),
    PurchaseLaw(model: .mbgNbd, r: 1.2, alpha: 1.1, first: 0.4, second: 6, shape: 3),
  ]

  @Test("Probabilities sum to 1 and have the mean", arguments: laws)
  func probabilities(law: PurchaseLaw) {
    for weeks in [3.0, 12, 40] {
      let shares = law.probabilities(weeks, count: 400)
      let whole: Double = shares.reduce(0, +)
      #expect(abs(whole - 1) < 1e-6)
      let mean: Double = shares.enumerated().reduce(0) { $0 + Double($1.offset) * $1.element }
      #expect(abs(mean / law.mean(weeks) - 1) < 1e-4)
    }
    // There α is that of whole purchases.
    var whole = law
    whole.alpha *= Double(law.shape)
    let nodes = RenewalLaw(whole, shape: law.shape).nodes(weeks: 40)
    #expect(abs((nodes?.last?.value ?? 0) / law.mean(40) - 1) < 1e-6)
  }

  /// What members who have bought x times expect, weighted by their number, is what all expect.
  @Test("A new member's forecast is the mean, less for who has been silent", arguments: laws)
  func forecasts(law: PurchaseLaw) {
    #expect(abs(law.next(20, repeats: 0, last: 0, span: 0) / law.mean(20) - 1) < 1e-9)
    let silent = [5.0, 10, 30].map { law.next(10, repeats: 4, last: 5, span: 5 + $0) }
    #expect(silent[0] > silent[1] && silent[1] > silent[2])
    let alive = [0.0, 5, 30].map { law.alive(repeats: 4, last: 5, span: 5 + $0) }
    #expect(alive[0] > alive[1] && alive[1] > alive[2] && alive[2] > 0 && alive[0] < 1)
  }

  @Test("The likelihood of all that can be seen by a time is 1", arguments: laws)
  func likelihood(law: PurchaseLaw) {
    // By T = 2: nothing, one purchase at any time, or more; the last by what probabilities say.
    let end = 2.0
    func density(_ rows: [Double]) -> Double {
      let last = rows.last ?? 0
      let summary = PurchaseSummary(
        [PurchaseSummary.Row(repeats: rows.count, lastWeeks: last, spanWeeks: end)],
        logGaps: zip(rows, [0] + rows).reduce(0) { $0 + log($1.0 - $1.1) })
      return exp(
        PurchaseLikelihood(law.model, summary, shape: law.shape).logLikelihood(law))
    }
    let shares = law.probabilities(end, count: 3)
    #expect(abs(density([]) - shares[0]) < 1e-9)
    let steps = 2_000
    let one = (0..<steps).reduce(0) {
      $0 + density([(Double($1) + 0.5) / Double(steps) * end]) * end / Double(steps)
    }
    #expect(abs(one - shares[1]) < 1e-5)
  }
}
