package import Quantities

/// A state that a store keeps, so that a start need not commit the whole journal again.
package struct KeptState: Sendable, Equatable {
  /// Of the last request that is in it.
  package var sequence: Int64
  package var time: Instant

  /// A state; see the properties.
  package init(sequence: Int64, time: Instant) {
    self.sequence = sequence
    self.time = time
  }
}
