internal import Quantities

/// The probabilities that descendants of messages in a window fall into the same window.
///
/// Let x be the window's length times the decay, and P(k, x) the probability that the sum of k
/// standard exponential delays stays below x (the regularized lower incomplete gamma function).
/// - A line that starts with a parent uniform in the window reaches generation g inside it with
///   probability F(g) = P(g, x) − (g ÷ x) P(g + 1, x): the mean of P(g, x u) over u in 0...1.
/// - A line that starts with a child carried into the window, whose delay is memoryless, reaches
///   generation g inside it with probability P(g + 1, x).
///
/// The rows hold the ratios of neighboring generations: given that the parent is inside, the
/// probability that the child is. The ratio P(k + 1, x) ÷ P(k, x) is 1 − u(k) with
/// u(k) = u(k + 1) ÷ (u(k + 1) + x ÷ (k + 1)), which is stable run backward (u(k) is the Poisson
/// mass at k over the Poisson tail from k on), without cancellation for any x.
package struct HawkesStay: Sendable {
  /// Generations with a row of their own; later ones take the last.
  package static let generations = 256

  /// Row g: child of generation g inside, given its parent of generation g − 1 inside, when
  /// generation 0 is uniform in the window. Row 0 is 1.
  package let fromUniform: [Double]
  /// Row g: the same for the line of a child that was carried into the window; row 0 is that child
  /// itself.
  package let fromCarried: [Double]
  /// The window's length times the decay.
  package let scaledLength: Double

  /// - Parameters:
  ///   - seconds: The window's length, above 0.
  ///   - decay: Of the kernel, a second, above 0.
  /// - Complexity: O(x), at most some thousands of steps.
  package init(seconds: Double, decay: Double) {
    invariant(seconds > 0 && decay > 0, "a window and a decay must be above 0")
    let x = seconds * decay
    scaledLength = x
    let rows = HawkesStay.generations
    var ratios = [Double](repeating: 1, count: rows + 1)
    // Beyond x = 2,000 the mass at the first 256 generations is 0 in double arithmetic.
    if x <= 2_000 {
      let top = max(rows, Int(2 * x)) + 64
      var u = max(0, 1 - x / Double(top + 1))
      for k in stride(from: top - 1, through: 0, by: -1) {
        let step = x / Double(k + 1)
        let ratio = step / (u + step)
        u /= u + step
        if k <= rows { ratios[k] = ratio }
      }
    }
    fromCarried = Array(ratios[..<rows])
    // F(g) ÷ P(g, x), from row 0 on.
    let uniformShare = (0..<rows).map { 1 - Double($0) * ratios[$0] / x }
    var uniform = [1.0]
    for g in 1..<rows {
      let ratio = ratios[g - 1] * uniformShare[g] / uniformShare[g - 1]
      uniform.append(min(1, max(0, ratio)))
    }
    fromUniform = uniform
  }
}
