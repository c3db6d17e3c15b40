internal import CGSL
internal import EventKernel
internal import Foundation

/// A ratio of two sums over members, such as tins scanned over tins bought, with the error that
/// comes from which members they are.
///
/// What one member does is not independent: whoever scans one thing scans most. So the members are
/// the sample, not the things; the variance is that of a ratio of means of members, by its first
/// derivatives.
///
/// Source: Cochran 1977, *Sampling Techniques*, 3rd edition, §2.11 and §6.4.
package struct ClusterRatio: Sendable, Equatable {
  /// Members with something below the line.
  package private(set) var members = 0
  /// The sum above the line.
  package private(set) var above = 0.0
  /// The sum below the line.
  package private(set) var below = 0.0
  private var aboveSquares = 0.0
  private var belowSquares = 0.0
  private var products = 0.0

  /// No members.
  package init() {}

  /// Adds one member.
  ///
  /// - Parameters:
  ///   - above: Counts above the line, 0 or more.
  ///   - below: Counts below it, 0 or more.
  /// - Complexity: O(1).
  package mutating func add(_ above: Double, of below: Double) {
    if below > 0 { members += 1 }
    self.above += above
    self.below += below
    aboveSquares += above * above
    belowSquares += below * below
    products += above * below
  }

  /// The shares of bins among all marks, over the members who have a mark.
  ///
  /// - Parameters:
  ///   - marks: Each of a member, in a bin.
  ///   - bins: How many there are.
  /// - Returns: A ratio for each bin.
  /// - Complexity: O(marks · log marks + members · bins).
  package static func shares(of marks: [(member: UInt32, bin: Int)], bins: Int) -> [ClusterRatio] {
    let marks = marks.sorted { $0.member < $1.member }
    var all = ClusterRatio()
    var ratios = [ClusterRatio](repeating: ClusterRatio(), count: bins)
    var own = [Double](repeating: 0, count: bins)
    var start = 0
    while start < marks.count {
      var end = start
      while end < marks.count, marks[end].member == marks[start].member {
        own[marks[end].bin] += 1
        end += 1
      }
      let count = Double(end - start)
      all.add(0, of: count)
      for bin in 0..<bins where own[bin] > 0 {
        ratios[bin].above += own[bin]
        ratios[bin].aboveSquares += own[bin] * own[bin]
        ratios[bin].products += own[bin] * count
        own[bin] = 0
      }
      start = end
    }
    for bin in 0..<bins {
      ratios[bin].members = all.members
      ratios[bin].below = all.below
      ratios[bin].belowSquares = all.belowSquares
    }
    return ratios
  }

  /// Weights of bins with the mean 1: shares per exposure.
  ///
  /// One mark, spread evenly over the bins, is added so that no bin is impossible. It moves a share by
  /// 1 ÷ (marks + 1) of its distance from an even one, which Wilson's interval of the share always holds;
  /// half a mark in each bin can move a large share of many bins out of its interval.
  ///
  /// - Parameters:
  ///   - shares: Of all bins, over the same members.
  ///   - exposure: Of each bin, above 0: marks are proportional to it where all weights are 1.
  /// - Returns: A weight for each bin; its interval holds it, and is open with fewer than two members.
  /// - Complexity: O(bins). Source: Berger, Bernardo and Sun 2015, doi:10.1214/14-BA915, §3.3
  package static func weights(
    _ shares: [ClusterRatio], per exposure: [Double]
  ) -> [EstimatedInterval] {
    let count = Double(shares.count)
    let rates = zip(shares, exposure).map { share, exposed in
      (share.above + 1 / count) / (share.below + 1) / exposed
    }
    let mean = rates.reduce(0, +) / count
    return zip(rates, zip(shares, exposure)).map { rate, bin in
      let interval = bin.0.share()
      let scale = 1 / bin.1 / mean
      return EstimatedInterval(
        estimate: rate / mean, low: interval?.low.map { $0 * scale },
        high: interval?.high.map { $0 * scale }, level: 0.95, count: bin.0.members)
    }
  }

  /// The ratio of the sums; nil where nothing is below the line.
  package var ratio: Double? { below > 0 ? above / below : nil }

  /// The standard error of the ratio; nil with fewer than two members.
  package var standardError: Double? {
    guard let ratio, members >= 2 else { return nil }
    let squares = aboveSquares - 2 * ratio * products + ratio * ratio * belowSquares
    let count = Double(members)
    return (max(0, squares) * count / (count - 1)).squareRoot() / below
  }

  /// Student's quantile for this many members.
  private func quantile(_ level: Double) -> Double {
    GSLRuntime.prepare()
    return gsl_cdf_tdist_Pinv((1 + level) / 2, Double(members - 1))
  }

  /// An interval of a ratio above 0 that is symmetric in its logarithm.
  ///
  /// - Parameter level: Above 0 and below 1.
  /// - Returns: Nil with fewer than two members, or where nothing is above or below the line.
  package func interval(level: Double = 0.95) -> EstimatedInterval? {
    guard let ratio, ratio > 0, let error = standardError else { return nil }
    let reach = exp(quantile(level) * error / ratio)
    return EstimatedInterval(
      estimate: ratio, low: ratio / reach, high: ratio * reach, level: level, count: members)
  }

  /// Independent trials that would tell a share as well as these members do: at most as many as are
  /// below the line. Nil with fewer than two members, or a ratio that is not a share.
  ///
  /// Source: Kish 1965, *Survey Sampling*, §8.2: the trials over the design effect.
  package var effectiveTrials: Double? {
    guard let ratio, ratio <= 1, let error = standardError else { return nil }
    guard error > 0 else { return below }
    return min(below, ratio * (1 - ratio) / (error * error))
  }

  /// Wilson's interval of a share with the effective number of trials and Student's quantile.
  ///
  /// - Parameter level: Above 0 and below 1.
  /// - Returns: Nil with fewer than two members, or a ratio above 1.
  /// - Complexity: O(1). Sources: Wilson 1927, doi:10.1080/01621459.1927.10502953; for members who
  ///   differ Franco, Little, Louis and Slud 2019, doi:10.1093/jssam/smy019
  package func share(level: Double = 0.95) -> EstimatedInterval? {
    guard let ratio, let trials = effectiveTrials, trials > 0 else { return nil }
    return Self.wilson(
      ratio, trials: trials, quantile: quantile(level), level: level, count: members)
  }

  /// Wilson's interval of a share with a number of trials that need not be whole.
  static func wilson(
    _ share: Double, trials: Double, quantile: Double, level: Double, count: Int
  ) -> EstimatedInterval {
    let square = quantile * quantile
    let shrink = 1 + square / trials
    let middle = (share + square / (2 * trials)) / shrink
    let spread =
      (share * (1 - share) / trials + square / (4 * trials * trials)).squareRoot() * quantile
      / shrink
    return EstimatedInterval(
      estimate: share, low: share <= 0 ? 0 : max(0, middle - spread),
      high: share >= 1 ? 1 : min(1, middle + spread), level: level, count: count)
  }
}
