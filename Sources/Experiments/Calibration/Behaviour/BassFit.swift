internal import EventKernel
internal import Foundation
internal import Population

/// Sign-ups by day as a Bass curve: p, q and the market, by maximum likelihood.
///
/// The number of sign-ups of a day is Poisson with the mean m·(F(t₂) − F(t₁)), t in years of 365 days
/// since the first day; what comes after the last day is not seen. With p and q given the most
/// likely market is n ÷ F(T), so that p and q alone are searched. Members of a market are not quite
/// Poisson: they are one in number; with a market of thousands that makes no difference here.
///
/// Sources: Bass 1969, doi:10.1287/mnsc.15.5.215; Schmittlein and Mahajan 1982,
/// doi:10.1287/mksc.1.1.57, for the likelihood of increments; Srinivasan and Mason 1986,
/// doi:10.1287/mksc.5.2.169, for why not of levels.
package struct BassFit: Sendable, Equatable {
  /// p and q a year, market.
  package let estimates: [ParameterEstimate]
  package let logLikelihood: Double
  package let status: FitStatus
  /// Covariance of the logarithms of p, q and market, row after row; nil where the sign-ups leave them
  /// open.
  package let covariance: [Double]?
  /// The greatest distance of the cumulative shares of sign-ups from the fitted curve's, 0...1: that of
  /// Kolmogorov and Smirnov.
  package let distance: Double
  /// Expected sign-ups of each day.
  package let expected: [Double]

  /// What is searched of p, q and the market, as logarithms: to what a scenario allows.
  static func ranges(_ count: Double) -> [ClosedRange<Double>] {
    [log(1e-7)...log(10), log(1e-5)...log(100), log(count / 2)...log(1e10)]
  }

  /// ln of the share of a market that adopts in a day, from `start` years on.
  ///
  /// F(t) = (1 − e^−(p+q)t) ÷ (1 + q/p · e^−(p+q)t), as a difference that does not cancel.
  private static func logShare(_ start: Double, _ p: Double, _ q: Double) -> Double {
    let (sum, ratio, day) = (p + q, q / p, 1.0 / 365)
    let (decay, next) = (exp(-sum * start), exp(-sum * (start + day)))
    return -sum * start + log(-expm1(-sum * day)) + log1p(ratio) - log1p(ratio * decay)
      - log1p(ratio * next)
  }

  /// - Parameter daily: Sign-ups of each day, the last one whole; at least one.
  /// - Returns: Nil where the likelihood cannot be computed anywhere.
  /// - Complexity: O(days) an evaluation, some thousands of them.
  package init?(daily: [Int]) {
    let count = Double(daily.reduce(0, +))
    guard count > 0 else { return nil }
    let years = Double(daily.count) / 365
    let days = daily.enumerated().filter { $0.element > 0 }.map {
      (start: Double($0.offset) / 365, count: Double($0.element))
    }
    let ranges = Self.ranges(count)
    /// Without the market, which is at its most likely value.
    let short: @Sendable ([Double]) -> Double = { logs in
      guard zip(ranges, logs).allSatisfy({ $0.contains($1) }) else { return .infinity }
      let (p, q) = (exp(logs[0]), exp(logs[1]))
      let reached = AdoptionCurve.bassShare(years: years, innovation: p, imitation: q)
      guard reached > 0, count / reached < 1e10 else { return .infinity }
      return days.reduce(count * log(reached)) { $0 - $1.count * Self.logShare($1.start, p, q) }
    }
    var best: Simplex.Outcome?
    for p in [0.01, 0.1, 0.5] {
      for q in [0.3, 2, 8] {
        let start = [log(min(9, p / years)), log(min(90, q / years))]
        let found = Simplex.minimum(from: start, step: 0.5, size: 1e-3, maximumSteps: 400, short)
        if let found, found.value < best?.value ?? .infinity { best = found }
      }
    }
    guard let rough = best, rough.value < 1e299,
      let peak = Simplex.minimum(
        from: rough.point, step: 0.05, size: 1e-8, maximumSteps: 2_000, short)
    else { return nil }
    let (p, q) = (exp(peak.point[0]), exp(peak.point[1]))
    let reached = AdoptionCurve.bassShare(years: years, innovation: p, imitation: q)
    let place = peak.point + [log(count / reached)]
    /// With the market; a constant is left out.
    let cost: @Sendable ([Double]) -> Double = { logs in
      guard zip(ranges, logs).allSatisfy({ $0.contains($1) }) else { return .infinity }
      let (p, q) = (exp(logs[0]), exp(logs[1]))
      let reached = AdoptionCurve.bassShare(years: years, innovation: p, imitation: q)
      return days.reduce(exp(logs[2]) * reached - count * logs[2]) {
        $0 - $1.count * Self.logShare($1.start, p, q)
      }
    }
    self.init(place, ranges, daily, cost)
  }

  private init(
    _ place: [Double], _ ranges: [ClosedRange<Double>], _ daily: [Int],
    _ cost: @escaping @Sendable ([Double]) -> Double
  ) {
    let least = cost(place)
    logLikelihood = -least
    let curvature = Curvature(at: place, cost)
    let inverse = curvature.inverse()
    let isAtEdge = zip(ranges, place).contains { range, log in
      log < range.lowerBound + 0.5 || log > range.upperBound - 0.5
    }
    let isOff = zip(ranges.prefix(2), place).contains { range, log in
      log < range.lowerBound + 0.5 || log > range.upperBound - 0.1
    }
    // A market near the number of sign-ups is no edge: it is turned off.
    status =
      isOff || (isAtEdge && place[2] > ranges[2].upperBound - 0.5)
      ? .edge : curvature.status(inverse, within: 1e-3)
    let errors = status == .edge ? nil : inverse
    covariance = errors
    let profile = errors.map {
      ProfileLikelihood(peak: place, least: least, covariance: $0, ranges: ranges, cost: cost)
    }
    estimates = ["p", "q", "market"].enumerated().map { index, name in
      let ends = profile?.interval(of: index)
      let value = exp(place[index])
      return ParameterEstimate(
        name: name, value: value,
        standardError: errors.map { $0[index * 3 + index].squareRoot() * value },
        low: ends?.low.map { exp($0) }, high: ends?.high.map { exp($0) })
    }
    let (p, q, market) = (exp(place[0]), exp(place[1]), exp(place[2]))
    expected = daily.indices.map { market * exp(Self.logShare(Double($0) / 365, p, q)) }
    let total = (actual: Double(daily.reduce(0, +)), expected: expected.reduce(0, +))
    var sums = (actual: 0.0, expected: 0.0)
    var most = 0.0
    for (count, mean) in zip(daily, expected) {
      sums = (sums.actual + Double(count), sums.expected + mean)
      most = max(most, abs(sums.actual / total.actual - sums.expected / total.expected))
    }
    distance = most
  }
}
