internal import Experiments

/// Why workers cannot answer any more.
package struct WorkersFailure: MakerFailure, CustomStringConvertible {
  /// What it was, and what would help.
  package let description: String
  /// Whether two answers to one request differed.
  package var isUnequal = false

  init(_ description: String, isUnequal: Bool = false) {
    self.description = description
    self.isUnequal = isUnequal
  }
}
