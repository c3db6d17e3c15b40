internal import Foundation

/// What a model expects of customers of whom nothing is known yet.
extension PurchaseLaw {
  /// E[X(t)], repeat purchases in the first t ≥ 0 weeks.
  ///
  /// Sources: BG: Fader, Hardie and Lee 2005, doi:10.1287/mksc.1040.0098, equation (9). MBG: the
  /// same with b + 1 for b, for the share b/(a + b) who stay after the first purchase. Pareto:
  /// Schmittlein, Morrison and Colombo 1987, doi:10.1287/mnsc.33.1.1.
  /// - Returns: NaN where a special function could not be computed.
  package func mean(_ t: Double) -> Double { means([t])[0] }

  /// E[X(t)] at several times; cheaper than one by one.
  package func means(_ times: [Double]) -> [Double] {
    if shape > 1 { return times.map(erlangMean) }
    if model == .paretoNbd {
      return times.map { Self.paretoMean(r, alpha, first, second, $0) }
    }
    let stayed = model == .mbgNbd ? second / (first + second) : 1
    let mixing = BetaMixing(first, second + early)
    return times.map { stayed * Self.betaMean(r, alpha, mixing, $0) }
  }

  /// BG's mean: E[(1 − e^(−λpt))/p] = E[(1 − (α/(α + pt))^r)/p] with p ~ Beta(a, b), by quadrature.
  ///
  /// The published form (a+b−1)/(a−1) · [1 − (α/(α+t))^r · ₂F₁(r, b; a+b−1; t/(α+t))] has no value
  /// at a = 1 and a + b = 1, overflows for many purchases, and rests on a function that GSL gets
  /// wrong in places without saying so.
  static func betaMean(
    _ r: Double, _ alpha: Double, _ mixing: BetaMixing, _ t: Double
  ) -> Double {
    mixing.mean { p in p > 0 ? -expm1(-r * log1p(p * t / alpha)) / p : r * t / alpha }
  }

  /// rβ/(α(s−1)) · [1 − (β/(β+t))^(s−1)], with its limit at s = 1.
  static func paretoMean(
    _ r: Double, _ alpha: Double, _ s: Double, _ beta: Double, _ t: Double
  ) -> Double {
    let growth = log1p(t / beta)
    let share = s == 1 ? growth : -expm1(-(s - 1) * growth) / (s - 1)
    return r * beta / alpha * share
  }

  /// P(X(t) = x) for x = 0, 1, … `count` − 1.
  ///
  /// With N(x) the negative binomial probability of x purchases in t weeks by somebody who never
  /// leaves: BG and MBG have E[(1−p)^k]·N(x) + E[p(1−p)^(k−1)]·(1 − N(0) − … − N(x−1)), k the
  /// chances to leave up to the x-th repeat purchase, 0 for BG at x = 0 (then without the second
  /// term), in general x, and x + 1 for MBG. Pareto has N(x; t) for lifetimes above t and else the
  /// mean of N(x; y) over the lifetime y, by quadrature over its distribution.
  ///
  /// Sources: Fader, Hardie and Lee 2005, equation (8); Fader and Hardie 2006, 'Deriving an
  /// expression for P(X(t) = x) under the Pareto/NBD model'.
  package func probabilities(_ t: Double, count: Int) -> [Double] {
    if shape > 1 { return erlangProbabilities(t, count) }
    return model == .paretoNbd ? paretoProbabilities(t, count) : betaProbabilities(t, count)
  }

  private func betaProbabilities(_ t: Double, _ count: Int) -> [Double] {
    let never = Self.negativeBinomial(r, alpha, t, count)
    var more = 1.0
    // E[(1 − p)^k], before the k-th chance.
    var stay = 1.0
    var chances = 0.0
    return never.indices.map { x in
      var leave = 0.0
      if x > 0 || model == .mbgNbd {
        leave = stay * first / (first + second + chances)
        stay *= (second + chances) / (first + second + chances)
        chances += 1
      }
      let probability = stay * never[x] + leave * max(more, 0)
      more -= never[x]
      return probability
    }
  }

  private func paretoProbabilities(_ t: Double, _ count: Int) -> [Double] {
    let survival = -first * log1p(t / second)
    let dead = -expm1(survival)
    var sums = Self.negativeBinomial(r, alpha, t, count).map { $0 * exp(survival) }
    for point in GaussLegendre.fine.points {
      // The lifetime that a share of all customers does not reach.
      let lifetime = second * expm1(-log1p(-dead * point.place) / first)
      for (x, probability) in Self.negativeBinomial(r, alpha, lifetime, count).enumerated() {
        sums[x] += dead * point.weight * probability
      }
    }
    return sums
  }

  private static func negativeBinomial(
    _ r: Double, _ alpha: Double, _ t: Double, _ count: Int
  ) -> [Double] {
    var probability = exp(-r * log1p(t / alpha))
    return (0..<count).map { x in
      defer { probability *= (r + Double(x)) / Double(x + 1) * t / (alpha + t) }
      return probability
    }
  }
}

/// What a model says of a customer of whom (x, tₓ, T) is known.
extension PurchaseLaw {
  /// P(still a customer at T | x, tₓ, T).
  ///
  /// The share of the likelihood's term for having stayed. Sources: as `PurchaseLikelihood`.
  package func alive(repeats x: Int, last: Double, span: Double) -> Double {
    if shape > 1 { return erlangAlive(repeats: x, last: last, span: span) }
    let rate = r + Double(x)
    let growth = rate * (log(alpha + span) - log(alpha + last))
    switch model {
    case .bgNbd, .mbgNbd:
      let chances = Double(x) + early
      guard chances > 0 else { return 1 }
      return 1 / (1 + exp(growth) * first / (second + chances - 1))
    case .paretoNbd:
      func share(_ t: Double) -> Double {
        Self.leavesFirst(rate: rate, alpha: alpha, s: first, beta: second, at: t)
      }
      let whole = growth + first * (log(second + span) - log(second + last))
      return 1 / (1 - share(span) + share(last) * exp(whole))
    }
  }

  /// E[purchases in the t weeks after T | x, tₓ, T].
  ///
  /// A customer who is still there has a Gamma(r + x, α + T) rate and a Beta(a, b + chances not
  /// taken) probability of leaving, or a Gamma(s, β + T) rate of it, and continues as any other.
  ///
  /// Sources: Fader, Hardie and Lee 2005, equation (10); Schmittlein, Morrison and Colombo 1987.
  package func next(_ t: Double, repeats x: Int, last: Double, span: Double) -> Double {
    if shape > 1 { return erlangNext(t, repeats: x, last: last, span: span) }
    let rate = r + Double(x)
    let weeks = alpha + span
    let mean =
      model == .paretoNbd
      ? Self.paretoMean(rate, weeks, first, second + span, t)
      : Self.betaMean(rate, weeks, BetaMixing(first, second + Double(x) + early), t)
    return mean * alive(repeats: x, last: last, span: span)
  }
}
