package import Quantities

/// A request with the member who made it.
package struct JournalEntry: Sendable, Equatable, Codable {
  package var instant: Instant
  /// The member; `UInt32.max` for the program itself.
  package var member: UInt32
  package var request: EmberaRequest
}
