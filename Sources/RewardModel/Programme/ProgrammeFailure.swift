/// A bound of a programme's model that a scenario's numbers ran into; it says what would do.
package protocol ProgrammeLimit: Error, CustomStringConvertible {}

/// The programme could not go on at a row of a history; it says why.
package protocol ReplayFailure: Error {
  /// Line of the history file.
  var line: UInt32 { get }
  /// Why, in words.
  var reason: String { get }
}
