/// A setting that nobody has measured, with how far it may be from what a scenario says.
package struct AssumptionRange: Sendable, Equatable {
  /// Path of the setting; `[*]` stands for every entry of a list.
  package let path: String
  /// Factors on what the scenario says, the lower one first.
  package let low: Double
  package let high: Double
  /// Why the range is what it is, one line without a full stop.
  package let reason: String

  /// An assumption; see the properties.
  package init(_ path: String, _ low: Double, _ high: Double, _ reason: String) {
    self.path = path
    self.low = low
    self.high = high
    self.reason = reason
  }
}
