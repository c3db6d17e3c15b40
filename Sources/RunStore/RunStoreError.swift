/// Why a run folder could not be written or read. The command line ends with exit code 74.
package struct RunStoreError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The sort of failure, for programs; people read `description`.
  package enum Kind: Sendable {
    /// The target exists and is not a run folder, or holds files that Pitboss did not write.
    case occupied
    /// The file system refused: permissions, missing parent, full disk, quota.
    case system
    /// The folder is not a run folder of this version, or its content was damaged.
    case damaged
    /// The record cannot be stored: its rows contradict each other.
    case contradiction
  }

  package var kind: Kind
  /// The file or folder that failed.
  package var path: String
  /// What failed, for example `cannot write months.csv: No space left on device`.
  package var problem: String
  /// What to do about it.
  package var advice: String

  /// `path: what failed; what would do`.
  package var description: String { "\(path): \(problem); \(advice)" }
}
