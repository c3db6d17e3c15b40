/// A bound of a program's model that a scenario's numbers ran into; it says which numbers are
/// accepted.
package protocol ProgrammeLimit: Error, CustomStringConvertible {}

/// The program could not continue at a row of a history; it says why.
package protocol ReplayFailure: Error {
  /// Line of the history file.
  var line: UInt32 { get }
  /// Why, in words.
  var reason: String { get }
}
