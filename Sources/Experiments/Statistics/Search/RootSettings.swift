internal import EventKernel
internal import Foundation
package import Scenario

/// Where a root is sought, what is asked of the figure there, and how much may be spent.
package struct RootSettings: Equatable, Sendable {
  /// The values that the setting may take.
  package enum Domain: Equatable, Sendable {
    /// All real values from low to high.
    case real(low: Double, high: Double)
    /// All real values from low to high, low above 0, halved by ratio: for ranges of many sizes.
    case logarithmic(low: Double, high: Double)
    /// low, low + step, … up to at most high.
    case whole(low: Int, high: Int, step: Int)
  }

  /// What a replication's value is.
  package enum Figure: String, Equatable, Sendable {
    /// 1 if it happened and 0 if not; the figure is its probability, with Wilson's interval.
    case probability
    /// A number; the figure is its mean, with Student's t interval. Values that are all equal
    /// decide nothing before the cap is spent: their interval has no width whatever the figure is.
    case mean
  }

  /// What the figure must satisfy.
  package enum Requirement: Equatable, Sendable {
    case atMost(Double)
    case below(Double)
    case atLeast(Double)
    case above(Double)

    /// A comparison with a bound, its strictness kept.
    package init(_ comparison: Expectation.Comparison, _ bound: Double) {
      switch comparison {
      case .lessOrEqual: self = .atMost(bound)
      case .less: self = .below(bound)
      case .moreOrEqual: self = .atLeast(bound)
      case .more: self = .above(bound)
      }
    }

    /// The bound, in the figure's unit.
    package var target: Double {
      switch self {
      case .atMost(let target), .below(let target), .atLeast(let target), .above(let target):
        target
      }
    }

    /// True when small figures satisfy it.
    package var wantsLess: Bool {
      switch self {
      case .atMost, .below: true
      case .atLeast, .above: false
      }
    }

    /// True when a figure satisfies it.
    package func isMet(by figure: Double) -> Bool {
      switch self {
      case .atMost(let target): figure <= target
      case .below(let target): figure < target
      case .atLeast(let target): figure >= target
      case .above(let target): figure > target
      }
    }
  }

  /// How a point counts at which the interval still holds the target when the cap is spent.
  package enum Undecided: String, Equatable, Sendable {
    /// As not feasible: the answer is then shown feasible, on the safe side of the root.
    case infeasible
    /// By its estimate: the answer is nearer to the root and feasible with about even odds there.
    case byEstimate
  }

  package var domain: Domain
  /// Decimals of the finest value that the setting takes; nil where every double is one.
  package var decimals: Int?
  package var figure: Figure
  package var requirement: Requirement
  /// Coverage of each point's decision, and of the intervals of all confirmations together. A point
  /// is looked at several times; each look's interval takes an equal part of 1 − level.
  package var level = 0.95
  /// Replications of a point before the first look, at least 10; each look doubles them.
  package var first = 50
  /// Most replications of a point, at least `first`.
  package var cap = 400
  /// Replications, never used before, that confirm the answer; 0 to leave it out.
  package var confirmation = 400
  /// Most confirmations, from 1 to 100; the search ends when fresh replications contradict the last.
  package var confirmations = 4
  /// The search ends when the bracket is no wider than this share of its larger end; from 0 (whole
  /// numbers only: neighbors) to below 1.
  package var tolerance = 0.01
  package var undecided = Undecided.infeasible

  /// A search with the defaults for level and effort.
  package init(domain: Domain, figure: Figure, requirement: Requirement) {
    self.domain = domain
    self.figure = figure
    self.requirement = requirement
  }

  /// Replications at which a point is looked at: `first`, doubling, and `cap` at last.
  package var looks: [Int] {
    var looks: [Int] = []
    var next = first
    while next < cap {
      looks.append(next)
      next *= 2
    }
    return looks + [cap]
  }

  /// Coverage of the interval of one look.
  package var lookLevel: Double { 1 - (1 - level) / Double(looks.count) }

  /// Coverage of the interval of one confirmation: they share 1 − level equally.
  package var confirmationLevel: Double { 1 - (1 - level) / Double(confirmations) }

  /// The smallest cap with which a probability could be shown to meet the requirement: with no event
  /// at all, or nothing but events, Wilson's interval of the last look is within the bound.
  ///
  /// Without an event its upper end is z²/(n + z²), so n ≥ z² (1 − b)/b; z grows with the number of
  /// looks, and so with n, which is why n is stepped up to where it stays.
  ///
  /// - Returns: At least 10; nil where no cap up to 1,000,000 is enough. For a mean 10.
  /// - Complexity: O(1), a few steps.
  package var capMinimum: Int? {
    guard figure == .probability else { return 10 }
    let share = requirement.wantsLess ? requirement.target : 1 - requirement.target
    guard share > 0, share < 1 else { return nil }
    var trial = self
    trial.cap = 10
    while trial.cap <= 1_000_000 {
      trial.first = min(first, trial.cap)
      let events = requirement.wantsLess ? 0 : trial.cap
      guard
        let interval = try? Proportion(successes: events, trials: trial.cap)
          .wilson(level: trial.lookLevel),
        let end = requirement.wantsLess ? interval.high : interval.low
      else { return nil }
      if requirement.isMet(by: end) { return trial.cap }
      let z = RandomStream.normalQuantile((1 + trial.lookLevel) / 2)
      let needed = (z * z * (1 - share) / share).rounded(.up)
      guard needed <= 1_000_000 else { return nil }
      trial.cap = max(trial.cap + 1, Int(needed))
    }
    return nil
  }

  /// The ends of the domain that the search can reach.
  package var ends: (low: Double, high: Double) {
    switch domain {
    case .real(let low, let high), .logarithmic(let low, let high): (low, high)
    case .whole(let low, let high, let step):
      (Double(low), Double(low + (high - low) / step * step))
    }
  }

  /// The value nearest to a share of the way from `low` to `high`, both values of the domain,
  /// with no more digits than the setting takes and a tenth of the tolerance needs: what is printed
  /// is then what was run.
  ///
  /// - Returns: Nil when there is no value strictly between.
  package func value(between low: Double, and high: Double, share: Double) -> Double? {
    var value: Double
    switch domain {
    case .real: value = low + (high - low) * share
    case .logarithmic: value = low * pow(high / low, share)
    case .whole(_, _, let step):
      let steps = ((high - low) / Double(step)).rounded()
      value = low + max(1, (steps * share).rounded(.down)) * Double(step)
      return low < value && value < high ? value : nil
    }
    value = SettingGrain.rounded(value, decimals: min(decimals ?? .max, digits(low, high)))
    return low < value && value < high ? value : nil
  }

  /// Decimals that part a bracket more finely than it has to be: a tenth of the tolerance there.
  private func digits(_ low: Double, _ high: Double) -> Int {
    let fine = min(
      max(tolerance * max(abs(low), abs(high)), 1e-9 * (ends.high - ends.low)) / 10,
      (high - low) / 10)
    return min(15, Int((-log10(fine)).rounded(.up)))
  }

  /// Where a value is between the ends, from 0 to 1; by ratio in a logarithmic domain.
  func place(of value: Double) -> Double {
    let (low, high) = ends
    if case .logarithmic = domain { return log(value / low) / log(high / low) }
    return (value - low) / (high - low)
  }

  /// True when the bracket is as narrow as asked for.
  func isNarrow(_ low: Double, _ high: Double) -> Bool {
    let (first, last) = ends
    let floor = 1e-9 * (last - first)
    return high - low <= max(tolerance * max(abs(low), abs(high)), floor)
  }

  /// - Throws: `StatisticsError` for an empty range, a bad level, target, tolerance or number of
  ///   replications.
  package func check() throws(StatisticsError) {
    try checkDomain()
    try StatisticsError.requireLevel(level)
    try StatisticsError.requireFinite([requirement.target])
    if figure == .probability, !(requirement.target > 0 && requirement.target < 1) {
      throw .estimator(.badParameter(name: "target", value: requirement.target))
    }
    guard tolerance >= 0, tolerance < 1 else {
      throw .estimator(.badParameter(name: "tolerance", value: tolerance))
    }
    guard (10...1_000_000).contains(cap) else {
      throw .count(name: "cap", count: cap, allowed: 10...1_000_000)
    }
    guard (10...cap).contains(first) else {
      throw .count(name: "first", count: first, allowed: 10...cap)
    }
    guard confirmation == 0 || (10...1_000_000).contains(confirmation) else {
      throw .count(name: "confirmation", count: confirmation, allowed: 10...1_000_000)
    }
    guard (1...100).contains(confirmations) else {
      throw .count(name: "confirmations", count: confirmations, allowed: 1...100)
    }
  }

  private func checkDomain() throws(StatisticsError) {
    switch domain {
    case .real(let low, let high):
      guard low < high, (high - low).isFinite else {
        throw .badRange(name: "domain", low: low, high: high)
      }
    case .logarithmic(let low, let high):
      guard low > 0, low < high, (high / low).isFinite else {
        throw .badRange(name: "domain", low: low, high: high)
      }
    case .whole(let low, let high, let step):
      let allowed = -(1 << 52)...(1 << 52)
      guard low < high, allowed.contains(low), allowed.contains(high) else {
        throw .badRange(name: "domain", low: Double(low), high: Double(high))
      }
      guard (1...(high - low)).contains(step) else {
        throw .count(name: "step", count: step, allowed: 1...(high - low))
      }
    }
  }
}
