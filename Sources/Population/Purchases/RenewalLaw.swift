internal import CGSL
internal import EventKernel
internal import Foundation

/// Expected repeat purchases of members whose gaps between purchases are Erlang: what the purchase
/// models expect when purchases are more regular than the published ones.
///
/// The j-th repeat purchase falls at G(jk)/(kλ), G(jk) a Gamma variate of shape jk and k the
/// Erlang shape. With λ ~ Gamma(r, α) over members that is (α/k) · G(jk)/G(r), a scaled beta prime
/// variate, so P(S_j ≤ t) = I_z(jk, r) with z = t/(t + α/k). A member is still there at the j-th
/// purchase with s_j = E[(1 − p)^m], m the chances to leave before it (BG: j − 1, MBG: j), whatever
/// λ, hence E[X(t)] = Σ s_j · I_z(jk, r). In the Pareto model lifetimes end by the clock, and
/// E[X(t)] = ∫₀ᵗ P(lifetime > u) · Σ f_j(u) du.
///
/// Source: elementary renewal theory; for k = 1 the sums are the published means (`PurchaseLaw`).
package struct RenewalLaw: Sendable {
  package let law: PurchaseLaw
  /// Erlang shape of the gaps, 1 or more.
  package let shape: Int
  /// Factor on the probability of leaving (BG, MBG) or on its rate (Pareto), 0 or more.
  package let dropoutFactor: Double

  /// Largest t · k / α for which sums are formed: beyond it they have too many terms.
  private static let longest = 2e4
  /// Nodes of a table.
  private static let nodes = 257

  /// The law; see the properties for ranges.
  package init(_ law: PurchaseLaw, shape: Int, dropoutFactor: Double = 1) {
    self.law = law
    self.shape = shape
    self.dropoutFactor = dropoutFactor
  }

  /// α/k in weeks.
  private var scale: Double { law.alpha / Double(shape) }

  /// E[X] and its slope at the nodes of a table from 0 to `weeks`.
  ///
  /// - Returns: Nil where the sums would be too long, or GSL gives no value.
  /// - Complexity: O(nodes × purchases of the most frequent buyers).
  package func nodes(weeks: Double) -> [PurchaseExpectation.Node]? {
    guard weeks > 0, weeks / scale <= Self.longest else { return nil }
    let times = (0..<Self.nodes).map {
      PurchaseExpectation.time($0, of: Self.nodes, weeks: weeks)
    }
    return law.model == .paretoNbd ? clocked(times) : counted(times)
  }

  /// BG and MBG: who leaves does so at a purchase.
  private func counted(_ times: [Double]) -> [PurchaseExpectation.Node]? {
    var stays = StaySequence(law, factor: dropoutFactor)
    var nodes: [PurchaseExpectation.Node] = []
    for time in times {
      var value = 0.0
      var slope = 0.0
      let isSound = renewals(at: time) { purchase, reached, density in
        let stay = stays[purchase]
        value += stay * reached
        slope += stay * density
      }
      guard isSound, value.isFinite, slope.isFinite else { return nil }
      nodes.append(PurchaseExpectation.Node(value: value, slope: slope))
    }
    return nodes
  }

  /// Pareto: who leaves does so at an instant of their own.
  private func clocked(_ times: [Double]) -> [PurchaseExpectation.Node]? {
    let rule = GaussLegendre(count: 8)
    func slope(_ time: Double) -> Double? {
      // Without regularity purchases come at the rate λ at every instant.
      var sum = law.r / law.alpha
      if shape > 1 {
        sum = 0
        guard renewals(at: time, { _, _, density in sum += density }) else { return nil }
      }
      return sum * exp(-law.first * log1p(dropoutFactor * time / law.second))
    }
    var nodes: [PurchaseExpectation.Node] = []
    var value = 0.0
    var before = 0.0
    for time in times {
      for point in rule.points where time > before {
        guard let here = slope(before + point.place * (time - before)) else { return nil }
        value += point.weight * (time - before) * here
      }
      guard let here = slope(time) else { return nil }
      nodes.append(PurchaseExpectation.Node(value: value, slope: here))
      before = time
    }
    return nodes
  }

  /// Calls `each` with j, P(S_j ≤ t) and the density of S_j at t, for j = 1, 2, … until no purchase
  /// matters any more.
  ///
  /// I_z(a + 1, r) = I_z(a, r) − zᵃ(1 − z)ʳ / (a B(a, r)): NIST Digital Library of Mathematical
  /// Functions, §8.17.20.
  ///
  /// - Returns: False when GSL gives no value, or the first step is too small to continue from.
  private func renewals(
    at time: Double, _ each: (_ purchase: Int, _ reached: Double, _ density: Double) -> Void
  ) -> Bool {
    let (r, scale) = (law.r, scale)
    guard time > 0 else {
      each(1, 0, shape == 1 ? r / law.alpha : 0)
      return true
    }
    GSLRuntime.prepare()
    let z = time / (time + scale)
    let rest = scale / (time + scale)
    var a = Double(shape)
    var beta = gsl_sf_result()
    var start = gsl_sf_result()
    guard gsl_sf_lnbeta_e(a, r, &beta) == Int32(GSL_SUCCESS),
      gsl_sf_beta_inc_e(a, r, z, &start) == Int32(GSL_SUCCESS)
    else { return false }
    var reached = start.val
    let logStep = a * log(z) + r * log(rest) - log(a) - beta.val
    // A first step without all its digits would spoil all that follow.
    guard logStep > -600 else { return false }
    var step = exp(logStep)
    var purchase = 1
    while true {
      each(purchase, reached, step * a * rest / (z * scale))
      for _ in 0..<shape {
        reached -= step
        step *= z * (a + r) / (a + 1)
        a += 1
      }
      // What follows adds at most about step / rest², a geometric series of such.
      if reached < 1e-9 && step < 1e-20 || reached < 1e-12 * rest { return true }
      purchase += 1
    }
  }
}

/// E[(1 − p)^m] before the j-th repeat purchase, p ~ Beta(a, b) times a factor, at most 1.
private struct StaySequence {
  private let mixing: BetaMixing
  private let factor: Double
  private let early: Int
  private let first: Double
  private let second: Double
  private var powers: [Double] = [1]

  init(_ law: PurchaseLaw, factor: Double) {
    mixing = BetaMixing(law.first, law.second)
    self.factor = factor
    early = law.model == .mbgNbd ? 1 : 0
    (first, second) = (law.first, law.second)
  }

  subscript(purchase: Int) -> Double {
    mutating get {
      let chances = purchase - 1 + early
      while powers.count <= chances {
        let power = powers.count
        let last = powers[power - 1]
        powers.append(
          factor == 1
            ? last * (second + Double(power - 1)) / (first + second + Double(power - 1))
            : mixing.mean { exp(Double(power) * log1p(-min(factor * $0, 1))) })
      }
      return powers[chances]
    }
  }
}
