internal import Foundation
package import Population

/// The log-likelihood of a buy-till-you-die model on a summary of purchases, built to be evaluated
/// often: what depends on x alone, or on a time alone, is computed once an evaluation.
///
/// For a customer with rate λ the purchases up to tₓ have the density λˣ·e^(−λtₓ). What follows is
/// either no purchase up to T while still there, or having left: at tₓ (BG, MBG), or at some y
/// between tₓ and T (Pareto). Taking means over the mixing distributions gives, with C the constants
/// of x:
///
///     BG      C·[(α+T)^−(r+x) + a/(b+x−1) · (α+tₓ)^−(r+x)], the second term for x > 0 only,
///             C = Γ(r+x)/Γ(r) · α^r · B(a, b+x)/B(a, b)
///     MBG     C·[(α+T)^−(r+x) + a/(b+x) · (α+tₓ)^−(r+x)],
///             C = Γ(r+x)/Γ(r) · α^r · B(a, b+x+1)/B(a, b)
///     Pareto  C·[g(T) + s · ∫ from tₓ to T of (α+y)^−(r+x) · (β+y)^−(s+1) dy]
///             with g(t) = (α+t)^−(r+x) · (β+t)^−s, C = Γ(r+x)/Γ(r) · α^r · β^s
///
/// For Pareto with q(t) of `PurchaseLaw.leavesFirst` the bracket is (1 − q(T))·g(T) + q(tₓ)·g(tₓ), a
/// sum of two positive terms, so that nothing cancels.
///
/// With Erlang gaps of k phases (BG, MBG), x repeat purchases end kx phases, the density of tₓ is
/// that of kx phases, and staying is k terms, one for each phase that may have begun since tₓ
/// (`PurchaseLaw.phases`); their sum takes the place of (α+T)^−(r+x).
///
/// Sources: Fader, Hardie and Lee 2005, doi:10.1287/mksc.1040.0098, equation (6); Batislam, Denizel
/// and Filiztekin 2007, doi:10.1016/j.ijresmar.2006.12.005; Schmittlein, Morrison and Colombo 1987,
/// doi:10.1287/mnsc.33.1.1, and Fader and Hardie 2005, 'A note on deriving the Pareto/NBD model'.
package struct PurchaseLikelihood: Sendable {
  package let model: PurchaseModel
  /// Phases of a gap; 1 for Pareto.
  package let shape: Int
  /// What the gaps themselves add, whatever the parameters: (k − 1) · Σ ln gap − X · ln (k − 1)!.
  private let gaps: Double
  /// Distinct x, ascending.
  private var repeats: [Double] = []
  /// Distinct tₓ and T in weeks, ascending.
  private let times: [Double]
  /// For Pareto, distinct pairs of an x and a time, as places of `repeats` and `times`.
  private var points: [(repeats: Int, time: Int)] = []
  private var rows: [Row] = []

  private struct Row {
    var repeats: Int
    var last: Int
    var span: Int
    var lastPoint = 0
    var spanPoint = 0
    var customers: Double
  }

  /// - Parameter shape: Phases of a gap, 1 for Pareto.
  /// - Complexity: O(rows · log rows).
  package init(_ model: PurchaseModel, _ summary: PurchaseSummary, shape: Int = 1) {
    precondition(shape == 1 || model != .paretoNbd, "Pareto has no Erlang gaps")
    self.model = model
    self.shape = shape
    gaps =
      Double(shape - 1) * summary.logGaps - Double(summary.repeats) * lgamma(Double(shape))
    times = Self.distinct(summary.rows.flatMap { [$0.lastWeeks, $0.spanWeeks] })
    for row in summary.rows {
      // Rows ascend by x.
      if repeats.last != Double(row.repeats) { repeats.append(Double(row.repeats)) }
      rows.append(
        Row(
          repeats: repeats.count - 1, last: Self.place(row.lastWeeks, in: times),
          span: Self.place(row.spanWeeks, in: times), customers: Double(row.customers)))
    }
    if model == .paretoNbd { pairUp() }
  }

  private mutating func pairUp() {
    let width = times.count
    let codes = Self.distinct(
      rows.flatMap { [$0.repeats * width + $0.last, $0.repeats * width + $0.span] })
    points = codes.map { ($0 / width, $0 % width) }
    for index in rows.indices {
      let base = rows[index].repeats * width
      rows[index].lastPoint = Self.place(base + rows[index].last, in: codes)
      rows[index].spanPoint = Self.place(base + rows[index].span, in: codes)
    }
  }

  private static func distinct<Value: Comparable>(_ values: [Value]) -> [Value] {
    var answer: [Value] = []
    for value in values.sorted() where answer.last != value { answer.append(value) }
    return answer
  }

  private static func place<Value: Comparable>(_ value: Value, in sorted: [Value]) -> Int {
    var low = 0
    var high = sorted.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if sorted[middle] <= value { low = middle } else { high = middle }
    }
    return low
  }

  /// ln L, summed over customers; NaN where a special function could not be computed.
  ///
  /// - Parameter law: Of this likelihood's model.
  /// - Complexity: O(rows).
  package func logLikelihood(_ law: PurchaseLaw) -> Double {
    model == .paretoNbd ? paretoSum(law) : gaps + betaSum(law)
  }

  private func betaSum(_ law: PurchaseLaw) -> Double {
    let head = law.r * log(law.alpha)
    let constants = repeats.map { x in
      let stays = x + law.early
      return SpecialFunctions.logPochhammer(law.r, Double(shape) * x) + head
        + SpecialFunctions.logPochhammer(law.second, stays)
        - SpecialFunctions.logPochhammer(law.first + law.second, stays)
    }
    // ln of a/(b + x − 1) or a/(b + x): having left at tₓ against staying on.
    let leaving = repeats.map { x in
      x + law.early == 0 ? -.infinity : log(law.first / (law.second + x + law.early - 1))
    }
    let logs = times.map { log(law.alpha + $0) }
    var sum = 0.0
    for row in rows {
      let power = law.r + Double(shape) * repeats[row.repeats]
      let term =
        constants[row.repeats]
        + SpecialFunctions.logSum(
          staying(law, row, power, logs), leaving[row.repeats] - power * logs[row.last])
      sum += row.customers * term
    }
    return sum
  }

  /// ln of the term of a customer who has not left.
  private func staying(
    _ law: PurchaseLaw, _ row: Row, _ power: Double, _ logs: [Double]
  ) -> Double {
    var sum = -power * logs[row.span]
    guard shape > 1 else { return sum }
    let wait = times[row.span] - times[row.last]
    guard wait > 0 else { return sum }
    // Each term from the one before: one phase more.
    var term = sum
    for phase in 1..<shape {
      term += log(wait * (power + Double(phase - 1)) / Double(phase)) - logs[row.span]
      sum = SpecialFunctions.logSum(sum, term)
    }
    return sum
  }

  private func paretoSum(_ law: PurchaseLaw) -> Double {
    let head = law.r * log(law.alpha) + law.first * log(law.second)
    let constants = repeats.map { SpecialFunctions.logPochhammer(law.r, $0) + head }
    let rateLogs = times.map { log(law.alpha + $0) }
    let lifeLogs = times.map { law.first * log(law.second + $0) }
    let shares = points.map { point in
      PurchaseLaw.leavesFirst(
        rate: law.r + repeats[point.repeats], alpha: law.alpha, s: law.first, beta: law.second,
        at: times[point.time])
    }
    var sum = 0.0
    for row in rows {
      let power = law.r + repeats[row.repeats]
      let span = -power * rateLogs[row.span] - lifeLogs[row.span]
      let last = -power * rateLogs[row.last] - lifeLogs[row.last]
      let term =
        constants[row.repeats]
        + SpecialFunctions.logSum(
          log1p(-shares[row.spanPoint]) + span, log(shares[row.lastPoint]) + last)
      sum += row.customers * term
    }
    return sum
  }
}
