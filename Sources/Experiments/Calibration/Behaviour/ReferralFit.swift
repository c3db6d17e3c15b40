internal import EventKernel
internal import Foundation
internal import RewardModel

/// Who is brought by whom.
///
/// A population has a share a of members who refer, and each member who is brought comes through one of
/// those who were there before, each of them as likely. So somebody who refers has brought about a
/// Poisson number of members with the mean w ÷ a, w being the sum, over those who were brought later, of
/// 1 over the members who were there before them. Who has brought nobody may refer and have had no luck:
/// a is the share at which a·(1 − e^(−w/a)), summed over members, is the number of those who have brought
/// somebody (the method of moments).
///
/// Early members who refer share all that comes, so that the numbers of different members depend on each
/// other. How far the number of those who have brought somebody varies therefore comes from the process
/// itself, run again with that share and the same members brought (parametric bootstrap: Efron and
/// Tibshirani 1993, *An Introduction to the Bootstrap*, §6.5). The interval is that of the shares which
/// expect what Wilson's interval of this number holds, with as many trials as would vary alike, and half a
/// member more at either end, as members are whole.
package struct ReferralFit: Sendable, Equatable {
  /// Members.
  package let signUps: Int
  /// Of the members, those who were brought: the share with its exact interval.
  package let referred: EstimatedInterval
  /// Members who were brought.
  package let referredCount: Int
  /// Of the members, those who have brought somebody, alike.
  package let seen: EstimatedInterval
  /// Of the members, those who refer, whether or not somebody has come of it.
  package let refers: EstimatedInterval
  /// Members who have brought 0, 1, 2, … others, and in the last place more.
  package let counts: [Int]
  /// The same as fitted.
  package let expected: [Double]

  /// Most bins of the counts.
  private static let bins = 9

  /// - Throws: `Untold` without a row that says who brought a member.
  /// - Complexity: O(rows + members) and the search.
  package init(_ observed: ObservedHistory) throws(Untold) {
    guard let event = observed.referral else {
      throw Untold("who brings members is not in the histories of this program")
    }
    let order = observed.order
    var rank = [Int](repeating: .max, count: observed.history.members.count)
    for (place, member) in order.enumerated() { rank[Int(member)] = place }
    var referrer = [UInt32](repeating: .max, count: rank.count)
    for row in observed.rows where row.other != .max && referrer[Int(row.member)] == .max {
      referrer[Int(row.member)] = row.other
    }
    let brought = order.filter { referrer[Int($0)] != .max }
    guard !brought.isEmpty else {
      throw Untold(
        "no '\(event.word)' rows: who brings members is left at its default")
    }
    var counts = [Int](repeating: 0, count: order.count)
    var chances = [Double](repeating: 0, count: order.count)
    var ranks: [Int] = []
    for member in brought {
      let (own, other) = (rank[Int(member)], rank[Int(referrer[Int(member)])])
      // Who came later than the member whom he or she is said to have brought had no chance to that the
      // model knows.
      guard other < own else { continue }
      counts[other] += 1
      chances[own - 1] += 1 / Double(own)
      ranks.append(own)
    }
    // Of each member, those who were brought later: the member at a place could bring all after it.
    for place in counts.indices.reversed().dropFirst() { chances[place] += chances[place + 1] }
    let distinct = counts.count { $0 > 0 }
    guard distinct > 0 else {
      throw Untold(
        "all '\(event.word)' rows name somebody who came after the member: who brings members is left at "
          + "its default")
    }
    let share = Self.share(Double(distinct), chances)
    guard let share else { throw Untold("the share of members who refer could not be computed") }
    signUps = order.count
    referredCount = brought.count
    do {
      referred = try Proportion(successes: brought.count, trials: order.count).exact()
      seen = try Proportion(successes: distinct, trials: order.count).exact()
    } catch {
      throw Untold("the shares of referrals could not be computed: \(error)")
    }
    refers = Self.interval(share, chances, ranks: ranks)
    var histogram = [Int](repeating: 0, count: Self.bins)
    for count in counts { histogram[min(count, Self.bins - 1)] += 1 }
    self.counts = histogram
    expected = Self.histogram(share, chances)
  }

  /// Members who are expected to have brought somebody.
  private static func lucky(_ share: Double, _ chances: [Double]) -> Double {
    chances.reduce(0) { $0 - share * expm1(-$1 / share) }
  }

  /// The share at which so many are expected to have brought somebody; 1 where even that is too few.
  private static func share(_ target: Double, _ chances: [Double]) -> Double? {
    let most = lucky(1, chances)
    guard most > target else { return 1 }
    let least = 1e-9
    let few = lucky(least, chances)
    guard few < target else { return 0 }
    return BracketedRoot.between(
      (least, few - target), (1, most - target), residual: 1e-7 * target
    ) { lucky($0, chances) - target }
  }

  /// The interval of a share by the process itself.
  ///
  /// - Parameter ranks: Of those who were brought by somebody before them, in the order of sign-up.
  private static func interval(
    _ share: Double, _ chances: [Double], ranks: [Int]
  ) -> EstimatedInterval {
    let count = chances.count
    let runs = max(50, min(200, 4_000_000 / max(1, count)))
    var numbers: [Double] = []
    for run in 0..<runs {
      var stream = RandomStream(
        seed: 1, purpose: ExperimentPurpose.referrals.rawValue, entity: UInt64(run))
      var refers: [Int] = []
      var has = [Bool](repeating: false, count: count)
      var seen = 0
      var distinct = 0
      for rank in ranks {
        while seen < rank {
          if stream.bernoulli(share) { refers.append(seen) }
          seen += 1
        }
        guard !refers.isEmpty else { continue }
        let other = refers[Int(stream.uniformIndex(below: UInt64(refers.count)))]
        if !has[other] { distinct += 1 }
        has[other] = true
      }
      numbers.append(Double(distinct))
    }
    let mean = numbers.reduce(0, +) / Double(runs)
    let variance = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(runs - 1)
    let members = Double(count)
    let seen = lucky(share, chances) / members
    let wilson = ClusterRatio.wilson(
      seen, trials: variance > 0 ? seen * (1 - seen) * members * members / variance : .infinity,
      quantile: ProfileLikelihood.reach, level: 0.95, count: count)
    let low = wilson.low.flatMap { Self.share($0 * members - 0.5, chances) }
    let high = wilson.high.flatMap { Self.share($0 * members + 0.5, chances) }
    return EstimatedInterval(
      estimate: share, low: low.map { min($0, share) }, high: high.map { max($0, share) },
      level: 0.95, count: count)
  }

  private static func histogram(_ share: Double, _ chances: [Double]) -> [Double] {
    var sums = [Double](repeating: 0, count: bins)
    for chance in chances {
      let mean = chance / share
      var term = share * exp(-mean)
      var rest = share - term
      sums[0] += 1 - share + term
      for count in 1..<(bins - 1) {
        term *= mean / Double(count)
        sums[count] += term
        rest -= term
      }
      sums[bins - 1] += max(0, rest)
    }
    return sums
  }
}
