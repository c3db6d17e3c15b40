/// Pairs of trials by how many of the two succeeded, such as antithetic pairs of replications.
package struct PairCounts: Equatable, Sendable {
  package var both = 0
  package var one = 0
  package var none = 0

  /// No pairs, or some.
  package init(both: Int = 0, one: Int = 0, none: Int = 0) {
    (self.both, self.one, self.none) = (both, one, none)
  }

  /// Pairs.
  package var count: Int { both + one + none }
  /// Successes in them.
  package var successes: Int { 2 * both + one }

  /// Counts a pair.
  package mutating func add(_ first: Bool, _ second: Bool) {
    switch (first, second) {
    case (true, true): both += 1
    case (false, false): none += 1
    default: one += 1
    }
  }

  /// The correlation of the two of a pair, were a trial to succeed with a given probability: from
  /// −1 to 1, and 0 without pairs.
  ///
  /// It is (q − p²) / (p (1 − p)), where q is the probability that both succeed which makes these
  /// counts most likely at a given p: the root of m·q² − B·q − a·p·(1 − 2p) for m pairs, a with
  /// both, b with one, c with none, and B = a(3p − 1) − b(1 − 2p) + cp. For p > ½ failures take the
  /// place of successes, which leaves the correlation as it is.
  ///
  /// Source: Tango 1998, doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B: of
  /// pairs with p = ½ + (P(both) − P(none)) / 2 the difference is that of matched proportions.
  package func correlation(at probability: Double) -> Double {
    guard count > 0, probability > 0, probability < 1 else { return 0 }
    let isSwapped = probability > 0.5
    let p = isSwapped ? 1 - probability : probability
    let (a, c) =
      isSwapped ? (Double(none), Double(both)) : (Double(both), Double(none))
    let linear = a * (3 * p - 1) - Double(one) * (1 - 2 * p) + c * p
    let constant = max(0, 4 * Double(count) * a * p * (1 - 2 * p))
    let root = (linear + (linear * linear + constant).squareRoot()) / (2 * Double(count))
    return (min(max(root, 0), p) - p * p) / (p * (1 - p))
  }
}
