package import Quantities

/// What the activity feed tells of.
package struct FeedRules: Sendable, Equatable, Codable {
  /// A scan that earns at least this, with the prizes won by it, is told as a large one.
  package var largeScan = MicroUSDT.whole(1_000)

  /// The defaults.
  package init() {}
}
