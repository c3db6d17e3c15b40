package import Quantities

/// What the activity feed tells of.
package struct FeedRules: Sendable, Equatable, Codable {
  /// A scan that wins a prize and earns at least this in all is told as a large one.
  package var largeScan = MicroUSDT.whole(1_000)

  /// The defaults.
  package init() {}
}
