internal import CGSL
internal import EventKernel
internal import Foundation

/// What of a figure's variance luck makes, and what not knowing the settings makes.
///
/// Every draw of the settings is run twice, with luck of its own each time. The mean square within
/// draws estimates E[Var(Y | X)], that between them Var(E[Y | X]) besides (one-way analysis of variance
/// with random effects). The share of not knowing is the intraclass correlation; its interval is exact
/// where both effects are normal (Shrout and Fleiss 1979, doi:10.1037/0033-2909.86.2.420, case 1).
package struct SpreadParts: Equatable, Sendable {
  /// Draws of the settings.
  package let draws: Int
  /// Variance that luck makes, in the figure's unit squared.
  package let luck: Double
  /// Variance that not knowing makes; 0 where the estimate would be negative.
  package let unknown: Double
  /// Share of not knowing in both, 0...1, with its 95 % interval.
  package let share: EstimatedInterval

  /// - Parameters:
  ///   - pairs: Two values of each draw, independent given the draw.
  ///   - level: Of the interval, above 0 and below 1.
  /// - Returns: Nil with fewer than three draws, where a value is not finite, and where the figure
  ///   does not vary.
  package init?(_ pairs: [(Double, Double)], level: Double = 0.95) {
    guard pairs.count > 2, pairs.allSatisfy({ $0.0.isFinite && $0.1.isFinite }) else { return nil }
    GSLRuntime.prepare()
    let count = Double(pairs.count)
    let means = pairs.map { ($0.0 + $0.1) / 2 }
    let mean = means.reduce(0, +) / count
    let between = 2 * means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    let within = pairs.reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) / 2 } / count
    guard between > 0 || within > 0 else { return nil }
    draws = pairs.count
    luck = within
    unknown = max((between - within) / 2, 0)
    let tail = (1 + level) / 2
    func share(_ ratio: Double) -> Double {
      ratio.isFinite ? min(max((ratio - 1) / (ratio + 1), 0), 1) : 1
    }
    let ratio = between / within
    self.share = EstimatedInterval(
      estimate: share(ratio), low: share(ratio / gsl_cdf_fdist_Pinv(tail, count - 1, count)),
      high: share(ratio * gsl_cdf_fdist_Pinv(tail, count, count - 1)), level: level,
      count: pairs.count)
  }
}

/// How far a figure follows one uncertain setting over the replications.
package struct InputInfluence: Equatable, Sendable {
  /// Path of the setting.
  package let path: String
  /// Pearson's correlation of the drawn number and the figure, −1...1.
  package let correlation: Double
  /// Its square: the share of the figure's variance that a straight line in this setting explains,
  /// with the 95 % interval of Fisher's transform (1915, doi:10.2307/2331838). Shares of settings
  /// that are not correlated add up to the share of not knowing where the figure is linear in them.
  package let share: EstimatedInterval

  /// - Returns: Nil with fewer than five values, or where one of the two does not vary.
  package init?(path: String, drawn: [Double], figure: [Double], level: Double = 0.95) {
    guard drawn.count == figure.count, drawn.count > 4,
      (drawn + figure).allSatisfy(\.isFinite)
    else { return nil }
    let count = Double(drawn.count)
    let (x, y) = (drawn.reduce(0, +) / count, figure.reduce(0, +) / count)
    var (xx, yy, xy) = (0.0, 0.0, 0.0)
    for (a, b) in zip(drawn, figure) {
      xx += (a - x) * (a - x)
      yy += (b - y) * (b - y)
      xy += (a - x) * (b - y)
    }
    guard xx > 0, yy > 0 else { return nil }
    GSLRuntime.prepare()
    self.path = path
    let r = min(max(xy / (xx * yy).squareRoot(), -1), 1)
    correlation = r
    // A correlation of exactly 1 has no transform.
    let z = atanh(min(max(r, -1 + 1e-15), 1 - 1e-15))
    let half = gsl_cdf_ugaussian_Pinv((1 + level) / 2) / (count - 3).squareRoot()
    let (low, high) = (tanh(z - half), tanh(z + half))
    share = EstimatedInterval(
      estimate: r * r, low: low * high < 0 ? 0 : min(low * low, high * high),
      high: max(low * low, high * high), level: level, count: drawn.count)
  }
}
