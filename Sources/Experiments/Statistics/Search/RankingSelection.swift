internal import EventKernel
internal import Foundation
internal import Quantities

/// Picks the best of several settings with a stated probability of being right, dropping those
/// that are clearly worse on the way: the procedure KN.
///
/// If the best setting's mean is at least `indifference` ahead of every other's, it is selected
/// with probability at least `level`; if not, whatever is selected is within `indifference` of the
/// best with about that probability. Replications must be independent and roughly normal (batch
/// them, or take means, when they are not); settings may share random numbers, replication by
/// replication, and then fewer are needed, since only variances of differences count.
///
/// Normal values differ. Counts of rare events do not: a first stage without any has no variance, by which
/// the procedure would take the settings for equal. Between two settings that are equally far apart in each
/// replication, by less than `indifference`, nothing is decided until a replication differs: the variance is
/// then that of all so far, and h² goes by their number, too. Those that never differ go on to `maximum`.
///
/// Use: while `request` is not nil, run what it asks for and pass the values to `supply`; then read
/// `selection`.
///
/// Source: Kim and Nelson 2001, doi:10.1145/502109.502111, with c = 1
package struct RankingSelection: Equatable, Sendable {
  /// Which mean is best.
  package enum Goal: String, Equatable, Sendable {
    case largest
    case smallest
  }

  /// The replications to run next.
  package struct Request: Equatable, Sendable {
    /// Settings still in contention, by index, rising.
    package let systems: [Int]
    /// Replications, numbered from 0: the same numbers (and seeds) for every setting.
    package let replications: Range<Int>
  }

  /// What was chosen.
  package struct Selection: Equatable, Sendable {
    /// Index of the chosen setting.
    package let best: Int
    /// Means of all values used, one a setting.
    package let means: [Double]
    /// Values used, one count a setting.
    package let observations: [Int]
    /// How far each mean is behind that of the chosen setting, over the replications that both have; 0 for
    /// the chosen one. Below zero where one was ahead of it when it was dropped for another's sake.
    package let behind: [Double]
    /// Settings in contention at the end of which nothing is known against the chosen one: in each
    /// replication they were equally far from it.
    package let alike: [Int]
    /// Replications after which a setting was dropped; nil for those in contention at the end.
    package let eliminatedAfter: [Int?]
    /// False when the maximum was spent first: the best mean so far, without the guarantee.
    package let isGuaranteed: Bool
  }

  package let systems: Int
  /// Smallest difference of means worth detecting, in the figure's unit.
  package let indifference: Double
  /// Probability of correct selection, above 1 / systems and below 1.
  package let level: Double
  package let goal: Goal
  /// Replications of the first stage, from which the variances of differences come.
  package let first: Int
  /// Replications asked for at a time later on. Decisions are made one by one, so values of a
  /// setting dropped within a batch are run for nothing, and nothing else changes.
  package let batch: Int
  /// Most replications of a setting.
  package let maximum: Int
  /// The outcome; nil while replications are asked for.
  package private(set) var selection: Selection?

  private var contending: [Bool]
  private var eliminated: [Int?]
  private var sums: [Double]
  private var counts: [Int]
  private var replications = 0
  /// h² S²_il, row by row.
  private var scaledVariances: [Double] = []
  private var lastReplication = 0
  /// How far apart two settings are, row by row, while that has been so in each replication; nil for all
  /// others.
  private var steady: [Double?] = []
  /// The sums when settings were dropped, by replication.
  private var sumsWhenDropped: [Int: [Double]] = [:]

  /// - Parameters:
  ///   - systems: From 2 to 1,000.
  ///   - indifference: Above 0, finite.
  ///   - level: Above 1 / systems and below 1.
  ///   - goal: Which mean is best.
  ///   - first: From 5 to `maximum`; 10 to 20 are usual.
  ///   - batch: From 1 to 10,000,000; the maximum cuts the last one short.
  ///   - maximum: At most 10,000,000.
  /// - Throws: `StatisticsError.count`, or `.estimator` for a bad level or indifference.
  package init(
    systems: Int, indifference: Double, level: Double = 0.95, goal: Goal, first: Int = 20,
    batch: Int = 1, maximum: Int = 10_000
  ) throws(StatisticsError) {
    guard (2...1_000).contains(systems) else {
      throw .count(name: "systems", count: systems, allowed: 2...1_000)
    }
    guard indifference > 0, indifference.isFinite else {
      throw .estimator(.badParameter(name: "indifference", value: indifference))
    }
    guard level > 1 / Double(systems), level < 1 else {
      throw .estimator(.badParameter(name: "level", value: level))
    }
    guard (5...10_000_000).contains(maximum) else {
      throw .count(name: "maximum", count: maximum, allowed: 5...10_000_000)
    }
    guard (5...maximum).contains(first) else {
      throw .count(name: "first", count: first, allowed: 5...maximum)
    }
    guard (1...10_000_000).contains(batch) else {
      throw .count(name: "batch", count: batch, allowed: 1...10_000_000)
    }
    self.systems = systems
    self.indifference = indifference
    self.level = level
    self.goal = goal
    self.first = first
    self.batch = batch
    self.maximum = maximum
    contending = [Bool](repeating: true, count: systems)
    eliminated = [Int?](repeating: nil, count: systems)
    sums = [Double](repeating: 0, count: systems)
    counts = [Int](repeating: 0, count: systems)
  }

  /// The factor h² = 2 η (n₀ − 1), η = ((2 (1 − level) / (k − 1))^(−2 / (n₀ − 1)) − 1) / 2.
  ///
  /// - Parameters:
  ///   - systems: k, at least 2.
  ///   - level: The probability of a correct selection.
  ///   - first: n₀, at least 2.
  package static func factorSquared(systems: Int, level: Double, first: Int) -> Double {
    let degrees = Double(first - 1)
    let base = 2 * (1 - level) / Double(systems - 1)
    return (pow(base, -2 / degrees) - 1) * degrees
  }

  /// What to run next; nil when the selection is final.
  package var request: Request? {
    guard selection == nil else { return nil }
    let end = replications == 0 ? first : min(maximum, replications + batch)
    return Request(
      systems: (0..<systems).filter { contending[$0] }, replications: replications..<end)
  }

  /// Takes the values that `request` asked for.
  ///
  /// - Parameter rows: One row a setting asked for, in that order, one value a replication; nil where a
  ///   replication has none, which is no matter after the decision.
  /// - Throws: `StatisticsError.nothingAsked`, `.lengths`, or `.estimator` for a value that is not
  ///   finite; nothing has changed then. `.missing` for one that is needed and is not there.
  /// - Complexity: O(replications × systems²).
  package mutating func supply(_ rows: [[Double?]]) throws(StatisticsError) {
    guard let request else { throw .nothingAsked }
    guard rows.count == request.systems.count else {
      throw .lengths(name: "systems", count: rows.count, needed: request.systems.count)
    }
    for row in rows {
      guard row.count == request.replications.count else {
        throw .lengths(name: "values", count: row.count, needed: request.replications.count)
      }
      try StatisticsError.requireFinite(row.compactMap(\.self))
    }
    let sign = goal == .largest ? 1.0 : -1.0
    let isFirstStage = replications == 0
    if isFirstStage {
      if let place = rows.firstIndex(where: { $0.contains(nil) }) {
        throw .missing(system: request.systems[place])
      }
      try measure(rows.map { $0.compactMap(\.self) })
    }
    for column in request.replications.indices {
      let offset = column - request.replications.lowerBound
      for (place, system) in request.systems.enumerated() where contending[system] {
        guard let value = rows[place][offset] else { throw .missing(system: system) }
        sums[system] += sign * value
        counts[system] += 1
      }
      replications += 1
      if isFirstStage && replications < first { continue }
      if !isFirstStage { update(rows, offset: offset, request.systems) }
      decide()
      if selection != nil { return }
    }
  }

  /// Variances of all differences over the first stage.
  private mutating func measure(_ rows: [[Double]]) throws(StatisticsError) {
    let factor = Self.factorSquared(systems: systems, level: level, first: first)
    var scaled = [Double](repeating: 0, count: systems * systems)
    var steady = [Double?](repeating: nil, count: systems * systems)
    for one in 0..<systems {
      for other in 0..<one {
        let differences = zip(rows[one], rows[other]).map { $0 - $1 }
        let pair = (one * systems + other, other * systems + one)
        if differences.allSatisfy({ isAbout($0, differences[0]) }) {
          // By as much as matters, each time: that is decided at once.
          if abs(differences[0]) < indifference { steady[pair.0] = differences[0] }
          continue
        }
        let variance = try StatisticsError.estimating { () throws(EstimatorError) in
          var tally = Tally()
          for difference in differences { try tally.add(difference) }
          return tally.variance ?? 0
        }
        scaled[pair.0] = factor * variance
        scaled[pair.1] = factor * variance
      }
    }
    scaledVariances = scaled
    self.steady = steady
    setLastReplication()
  }

  private mutating func setLastReplication() {
    let most = (scaledVariances.max() ?? 0) / (indifference * indifference)
    lastReplication = most < Double(maximum) ? Int(most.rounded(.down)) : maximum
  }

  /// Whether two differences are the same, but for a millionth of what matters: they come from rounded sums.
  private func isAbout(_ one: Double, _ other: Double) -> Bool {
    abs(one - other) <= 1e-6 * indifference
  }

  /// Gives the pairs that were steady up to now, and are not in this replication, their variance.
  private mutating func update(_ rows: [[Double?]], offset: Int, _ asked: [Int]) {
    let count = Double(replications)
    for (place, one) in asked.enumerated() where contending[one] {
      for (before, other) in asked[..<place].enumerated() where contending[other] {
        let pair = one * systems + other
        guard let usual = steady[pair], let own = rows[place][offset],
          let others = rows[before][offset]
        else { continue }
        let difference = own - others
        if isAbout(difference, usual) { continue }
        steady[pair] = nil
        // n − 1 values that are the same, and one that is not.
        let variance = (difference - usual) * (difference - usual) / count
        let factor = Self.factorSquared(systems: systems, level: level, first: replications)
        scaledVariances[pair] = factor * variance
        scaledVariances[other * systems + one] = factor * variance
        setLastReplication()
      }
    }
  }

  /// Whether nothing is known yet of how far two settings are apart.
  private func isSteady(_ one: Int, _ other: Int) -> Bool {
    steady[max(one, other) * systems + min(one, other)] != nil
  }

  /// Ends when the last replication is passed, else drops what is clearly worse and ends when one
  /// setting is left or the maximum is spent.
  private mutating func decide() {
    let left = (0..<systems).filter { contending[$0] }
    if replications > lastReplication,
      !left.contains(where: { one in left.contains { $0 < one && isSteady(one, $0) } })
    {
      finish(isGuaranteed: true)
      return
    }
    let means = sums.indices.map { sums[$0] / Double(max(1, counts[$0])) }
    var stays = contending
    for one in 0..<systems where contending[one] {
      for other in 0..<systems where contending[other] && other != one {
        if isSteady(one, other) { continue }
        if means[one] < means[other] - allowance(one, other) { stays[one] = false }
      }
    }
    for system in 0..<systems where contending[system] && !stays[system] {
      eliminated[system] = replications
      sumsWhenDropped[replications] = sums
    }
    contending = stays
    let staying = contending.count(where: { $0 })
    invariant(staying >= 1, "the setting with the best mean always stays")
    if staying == 1 {
      finish(isGuaranteed: true)
    } else if replications >= maximum {
      finish(isGuaranteed: false)
    }
  }

  /// W_il(r) = max(0, δ / 2r × (h² S²_il / δ² − r)).
  private func allowance(_ one: Int, _ other: Int) -> Double {
    let r = Double(replications)
    let span = scaledVariances[one * systems + other] / (indifference * indifference)
    return max(0, indifference / (2 * r) * (span - r))
  }

  private mutating func finish(isGuaranteed: Bool) {
    let sign = goal == .largest ? 1.0 : -1.0
    let means = sums.indices.map { sums[$0] / Double(max(1, counts[$0])) }
    var best = -1
    for system in 0..<systems where contending[system] {
      if best < 0 || means[system] > means[best] { best = system }
    }
    let behind = (0..<systems).map { system in
      guard system != best else { return 0.0 }
      let then = eliminated[system].flatMap { sumsWhenDropped[$0] } ?? sums
      return (then[best] - sums[system]) / Double(max(1, counts[system]))
    }
    selection = Selection(
      // A mean of nothing has no sign.
      best: best, means: means.map { sign * $0 + 0 }, observations: counts, behind: behind,
      alike: isGuaranteed
        ? [] : (0..<systems).filter { $0 != best && contending[$0] && isSteady($0, best) },
      eliminatedAfter: eliminated, isGuaranteed: isGuaranteed)
  }
}
