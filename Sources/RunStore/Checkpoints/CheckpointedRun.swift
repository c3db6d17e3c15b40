internal import Foundation

/// The run that checkpoints are of: all that it takes to make its plan again, whatever became of
/// its scenario file.
package struct CheckpointedRun: Codable, Sendable, Equatable {
  /// What overrode a setting.
  package struct Override: Codable, Sendable, Equatable {
    package var path: String
    package var value: String
    /// The flag or variable that carried it.
    package var source: String

    /// An override; see the properties.
    package init(path: String, value: String, source: String) {
      self.path = path
      self.value = value
      self.source = source
    }
  }

  /// The local days that may lie between two checkpoints.
  package static let daysAllowed = 1...36_500

  /// The scenario file as it was named, and its text.
  package var file: String
  package var text: String
  package var overrides: [Override]
  /// SHA-256 of the resolved settings.
  package var digest: String
  package var seed: UInt64
  /// What tells the build of the program; only the same one can go on.
  package var build: String
  /// Local days from one checkpoint to the next, of `daysAllowed`.
  package var days: Int
  /// Whether the run's folder gets `members.csv`.
  package var members: Bool
  /// Whether every invariant is checked after every window.
  package var checks: Bool

  /// A run; see the properties.
  ///
  /// - Parameter canonicalText: The resolved settings, of which the digest is made.
  package init(
    file: String, text: String, overrides: [Override], canonicalText: String, seed: UInt64,
    build: String, days: Int, members: Bool, checks: Bool
  ) {
    self.file = file
    self.text = text
    self.overrides = overrides
    digest = Self.digest(of: canonicalText)
    self.seed = seed
    self.build = build
    self.days = days
    self.members = members
    self.checks = checks
  }

  /// SHA-256 of resolved settings in lower-case hexadecimal.
  package static func digest(of canonicalText: String) -> String {
    RunFingerprint.sha256(Data(canonicalText.utf8))
  }
}

/// What a build of the program is told by.
package enum BuildIdentity {
  /// SHA-256 of the program's file: a state of one build is of no use to another, which may lay out
  /// its rows otherwise or decide otherwise.
  ///
  /// - Throws: `RunStoreError` where the program cannot read its own file.
  package static func current() throws(RunStoreError) -> String {
    let path = Bundle.main.executablePath ?? CommandLine.arguments[0]
    guard let contents = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    else {
      throw RunStoreError(
        kind: .system, path: path, problem: "cannot be read, so that its build is not known",
        advice: "run without --checkpoint")
    }
    return RunFingerprint.sha256(contents)
  }
}
