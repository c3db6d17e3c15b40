internal import EventKernel

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

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
    /// A number; the figure is its mean, with Student's t interval.
    case mean
  }

  /// What the figure must satisfy.
  package enum Requirement: Equatable, Sendable {
    case atMost(Double)
    case atLeast(Double)

    /// The bound, in the figure's unit.
    package var target: Double {
      switch self {
      case .atMost(let target), .atLeast(let target): target
      }
    }

    /// True when a figure satisfies it.
    package func isMet(by figure: Double) -> Bool {
      switch self {
      case .atMost(let target): figure <= target
      case .atLeast(let target): figure >= target
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
  package var figure: Figure
  package var requirement: Requirement
  /// Coverage of each point's decision and of the answer's interval. A point is looked at several
  /// times; each look's interval takes an equal part of 1 − level.
  package var level = 0.95
  /// Replications of a point before the first look, at least 10; each look doubles them.
  package var first = 50
  /// Most replications of a point, at least `first`.
  package var cap = 400
  /// Replications, never used in the search, that confirm the answer; 0 to leave it out.
  package var confirmation = 400
  /// The search ends when the bracket is no wider than this share of its larger end; from 0 (whole
  /// numbers only: neighbours) to below 1.
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

  /// The ends of the domain that the search can reach.
  package var ends: (low: Double, high: Double) {
    switch domain {
    case .real(let low, let high), .logarithmic(let low, let high): (low, high)
    case .whole(let low, let high, let step):
      (Double(low), Double(low + (high - low) / step * step))
    }
  }

  /// The value nearest to a share of the way from `low` to `high`, both values of the domain.
  ///
  /// - Returns: Nil when there is no value strictly between.
  func value(between low: Double, and high: Double, share: Double) -> Double? {
    let value: Double
    switch domain {
    case .real: value = low + (high - low) * share
    case .logarithmic: value = low * pow(high / low, share)
    case .whole(_, _, let step):
      let steps = ((high - low) / Double(step)).rounded()
      value = low + max(1, (steps * share).rounded(.down)) * Double(step)
    }
    return low < value && value < high ? value : nil
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
