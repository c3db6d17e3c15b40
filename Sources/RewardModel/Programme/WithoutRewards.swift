/// What a scenario of a program is like without its rewards: what the program is measured against.
package struct WithoutRewards: Sendable {
  /// Settings that take the rewards away, each a path and a value as written, in order.
  package let settings: [(path: String, value: String)]
  /// The group of settings that say how members respond to rewards.
  package let response: String

  /// The settings; see the properties.
  package init(settings: [(path: String, value: String)], response: String) {
    self.settings = settings
    self.response = response
  }
}
