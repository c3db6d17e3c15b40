/// In how many replications something happened, single ones and antithetic pairs apart.
package struct EventCount: Sendable {
  package private(set) var happened = 0
  package private(set) var of = 0
  /// Replications that could tell; in the others it did not happen.
  package private(set) var told = 0
  package private(set) var pairs = PairCounts()
  /// A replication whose partner may follow.
  private var open: Bool?

  /// No replications.
  package init() {}

  /// Adds a replication.
  ///
  /// - Parameters:
  ///   - outcome: Nil where the replication cannot tell.
  ///   - joins: Whether it mirrors the one that was added last.
  package mutating func add(_ outcome: Bool?, joins: Bool) {
    told += outcome == nil ? 0 : 1
    let outcome = outcome ?? false
    of += 1
    happened += outcome ? 1 : 0
    if joins, let first = open { pairs.add(first, outcome) }
    open = joins ? nil : outcome
  }
}
