internal import CGSL
internal import EventKernel
internal import Foundation
internal import RewardModel

/// How much a purchase brings: one thing, and a Poisson number more, as the populations have it.
///
/// Rows that purchases and leaving take for one purchase are one here, too: see `ObservedPurchase`.
///
/// The mean is the mean of the purchases, which is the most likely one; its interval takes members
/// for the sample, as some buy more at a time than others.
package struct AmountFit: Sendable, Equatable {
  /// The mean of a purchase, 1 or more.
  package let mean: EstimatedInterval
  /// Of the mean; 0 where nobody ever bought more than one.
  package let standardError: Double
  package let purchases: Int
  /// Members who bought.
  package let members: Int
  /// Purchases of 1, 2, … things, and in the last place of all larger ones.
  package let counts: [Int]
  /// The same as the fitted distribution expects them.
  package let expected: [Double]
  /// Of `expected` against `counts`.
  package let test: GoodnessOfFit
  /// The variance of what is beyond the first thing over its mean: 1 for a Poisson number. Nil where
  /// nobody ever bought more than one.
  package let dispersion: Double?

  /// The largest mean that a scenario takes.
  private static let most = 999.0
  /// Most bins of the counts.
  private static let binsMost = 40

  /// - Throws: `Untold` where amounts are money, or fewer than two members bought.
  /// - Complexity: O(rows + members).
  package init(_ observed: ObservedHistory) throws(Untold) {
    let form = observed.history.form
    guard form.currency == nil else {
      throw Untold("amounts are money: how many things a purchase brings is not in the history")
    }
    var bought = [(purchases: Double, more: Double)](
      repeating: (0, 0), count: observed.history.members.count)
    var byAmount: [Int64: Int] = [:]
    for purchase in observed.purchases() {
      let member = Int(purchase.visit.member)
      bought[member].purchases += 1
      bought[member].more += Double(purchase.amount - 1)
      byAmount[purchase.amount, default: 0] += 1
    }
    var ratio = ClusterRatio()
    for member in bought where member.purchases > 0 { ratio.add(member.more, of: member.purchases) }
    guard ratio.members >= 2, let more = ratio.ratio else {
      throw Untold("fewer than two members bought: the \(form.column) of a purchase need two")
    }
    guard more < Self.most else {
      throw Untold("a purchase brings more \(form.column) than a scenario allows: at most 1,000")
    }
    members = ratio.members
    purchases = Int(ratio.below)
    if let interval = ratio.interval() {
      mean = EstimatedInterval(
        estimate: 1 + more, low: 1 + (interval.low ?? 0), high: interval.high.map { 1 + $0 },
        level: interval.level, count: members)
    } else {
      // Nobody ever bought more than one: the exact limit of a Poisson mean with no event (Garwood
      // 1936, doi:10.1093/biomet/28.3-4.437).
      GSLRuntime.prepare()
      mean = EstimatedInterval(
        estimate: 1, low: 1, high: 1 + gsl_cdf_chisq_Pinv(0.975, 2) / (2 * ratio.below),
        level: 0.95, count: members)
    }
    standardError = ratio.standardError ?? 0
    let total = Double(purchases)
    let amounts = byAmount.keys.sorted()
    var seen = 0
    let common =
      amounts.first { amount in
        seen += byAmount[amount] ?? 0
        return Double(seen) >= 0.995 * total
      } ?? 1
    let bins = min(Self.binsMost, max(3, Int(clamping: common) + 1))
    var counts = [Int](repeating: 0, count: bins)
    var squares = 0.0
    for amount in amounts {
      let count = byAmount[amount] ?? 0
      counts[min(Int(clamping: amount), bins) - 1] += count
      squares += Double(count) * pow(Double(amount - 1) - more, 2)
    }
    self.counts = counts
    dispersion = more > 0 && total > 1 ? squares / (total - 1) / more : nil
    GSLRuntime.prepare()
    expected = (0..<bins).map { place in
      // GSL has no Poisson number with the mean 0, which is 0.
      guard more > 0 else { return place == 0 ? total : 0 }
      return total
        * (place < bins - 1
          ? gsl_ran_poisson_pdf(UInt32(place), more) : gsl_cdf_poisson_Q(UInt32(place - 1), more))
    }
    test = GoodnessOfFit(expected: expected, actual: counts, parameters: 1)
  }

  /// The law of what the purchases leave open of the mean, for `uncertain`; nil where nothing is known
  /// of it.
  package var law: String? {
    guard standardError > 0 else { return nil }
    let (mean, error) = (
      PurchaseBlock.digits(mean.estimate, 6), PurchaseBlock.digits(standardError, 3)
    )
    return "normal(\(mean), \(error)) within 1 to 1000"
  }
}
