/// Judges the rules that bind several settings of one scenario, and keeps those that are broken.
package struct SettingRules<Values: ProgrammeSettings> {
  /// The typed values; a setting that was refused has its default.
  package let values: Values
  /// How many local days the run lasts.
  package let days: Int
  /// The rules found broken, in the order in which they were judged.
  package private(set) var broken: [BrokenRule] = []

  /// - Parameters:
  ///   - values: What is judged.
  ///   - days: How many local days the run lasts.
  package init(_ values: Values, days: Int) {
    self.values = values
    self.days = days
  }

  /// Requires a rule that binds settings.
  ///
  /// - Parameters:
  ///   - holds: Whether the rule is kept.
  ///   - paths: All settings that the rule binds; it is not judged when one was refused.
  ///   - blame: Paths with the message for each; the first that was set is blamed.
  package mutating func require(
    _ holds: Bool, of paths: [String], blame: [(path: String, message: String)]
  ) {
    if !holds { broken.append(BrokenRule(paths: paths, blame: blame)) }
  }

  /// Requires that one setting is more than (or at least) another.
  ///
  /// - Parameters:
  ///   - higher: The path of the setting that must be more.
  ///   - lower: The path of the other.
  ///   - holds: Whether the values are in that order.
  ///   - orEqual: Whether the two may be equal.
  package mutating func order(
    _ higher: String, above lower: String, _ holds: Bool, orEqual: Bool = false
  ) {
    if holds { return }
    let high = text(higher)
    let low = text(lower)
    require(
      false, of: [higher, lower],
      blame: [
        (higher, "is \(high); it must \(orEqual ? "be at least" : "exceed") \(lower) (\(low))"),
        (lower, "is \(low); it must \(orEqual ? "be at most" : "stay below") \(higher) (\(high))"),
      ])
  }

  /// Requires that a list, or a group, of weights has one above 0.
  package mutating func requireWeight(_ path: String, _ holds: Bool) {
    require(holds, of: [path], blame: [(path, "has only zeros; write at least one weight above 0")])
  }

  /// The value of a setting as people write it.
  private func text(_ path: String) -> String {
    Values.catalog.first { $0.description.path == path }?.read(values).text ?? ""
  }
}

/// A broken rule that binds several settings.
package struct BrokenRule: Sendable {
  /// All settings that the rule binds.
  package let paths: [String]
  /// Paths with the message for each, in the order in which to look for one that was set.
  package let blame: [(path: String, message: String)]
}
