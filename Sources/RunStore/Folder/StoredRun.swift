package import RewardModel

/// A run that was read back, with its program; `any StoredRun` is what commands hold.
package protocol StoredRun<Programme>: Sendable {
  associatedtype Programme: RewardProgramme

  var record: Programme.Record { get }
}

/// A run of one program that was read back.
private struct ProgrammeRun<Programme: RewardProgramme>: StoredRun {
  let record: Programme.Record
}

extension RunFolder {
  /// Reads a run back with its program; see `read(_:of:)`.
  ///
  /// - Throws: `RunStoreError`.
  package static func run(
    _ path: String, of programmes: [any RewardProgramme.Type]
  ) throws(RunStoreError) -> any StoredRun {
    let record = try read(path, of: programmes)
    func run<P: RewardProgramme>(_ programme: P.Type) -> (any StoredRun)? {
      (record as? P.Record).map { ProgrammeRun<P>(record: $0) }
    }
    for programme in programmes where programme.id == record.header.programme {
      if let run = run(programme) { return run }
    }
    preconditionFailure("a program's run has another program's record")
  }
}
