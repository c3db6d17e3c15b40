internal import EventKernel
internal import Foundation
internal import Population
internal import Quantities
internal import RewardModel
internal import RunStore

/// The run of a case on the disk: written, read back, and damaged.
enum StoredCase {
  /// A run's folder is written and read back, and a bit of it flips.
  static let kind = FaultKind(
    "flipped_bit", "A bit of a file of a stored run flips", most: 0.3, chance: 0.1)

  static let invariants = [
    InvariantName(
      id: "run_reads_back", sentence: "A run that was written reads back as it was"),
    InvariantName(
      id: "flipped_bits_found", sentence: "A flipped bit anywhere in a run's folder is found"),
  ]

  /// Writes the run of a case, reads it, and lets bits of its files flip one at a time.
  ///
  /// - Throws: `Violation`; what `simulate` throws; errors of the file system.
  /// - Returns: How many bits flipped.
  static func check<P: RewardProgramme>(
    _ programme: P.Type, _ frame: RunFrame, _ settings: P.Settings, in root: URL
  ) throws -> Int64 {
    let record = try P.simulate(
      frame, settings, threads: 1, checking: false, outputs: RunOutputs(), proceed: { _ in true })
    let folder = root.appending(path: "run").path
    func violation(_ place: Int, _ facts: String) -> Violation {
      Violation(
        invariant: invariants[place].id, facts: facts, scenario: frame.scenario, seed: frame.seed,
        time: frame.calendar.end)
    }
    do {
      try RunFolder.write(record, to: folder)
      let read = try RunFolder.read(folder, as: P.self)
      let (mine, its) = (RunFingerprint.of(record), RunFingerprint.of(read))
      guard mine == its, read.header.settings == record.header.settings else {
        throw violation(0, "the run is \(mine), and reads back as \(its)")
      }
    } catch let error as RunStoreError where error.kind != .system {
      throw violation(0, error.description)
    }
    if let problem = try RunAudit(folder, of: [P.self]).problems.first {
      throw violation(0, problem)
    }
    var stream = RandomStream(
      seed: frame.seed, purpose: RandomPurpose.fault.rawValue, entity: .max - 2)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    var flipped: Int64 = 0
    for _ in 0..<4 {
      // Most of what there is to damage lies in the database.
      let isDatabase = stream.nextUInt32() & 1 == 0
      let name =
        isDatabase
        ? "run.sqlite" : names[Int(stream.uniformIndex(below: UInt64(names.count)))]
      let file = URL(fileURLWithPath: "\(folder)/\(name)")
      let whole = try Data(contentsOf: file)
      guard !whole.isEmpty else { continue }
      let place = Int(stream.uniformIndex(below: UInt64(whole.count)))
      var damaged = whole
      damaged[place] ^= 1 << UInt8(stream.uniformIndex(below: 8))
      try damaged.write(to: file)
      let problems = try problems(of: folder, P.self)
      guard !problems.isEmpty else {
        throw violation(1, "byte \(place) of \(name) has another bit, and nothing is found")
      }
      try whole.write(to: file)
      flipped += 1
    }
    return flipped
  }

  /// What is wrong with a folder that was damaged.
  ///
  /// - Throws: What the machine could not do, which says nothing about the folder.
  private static func problems<P: RewardProgramme>(
    of folder: String, _ programme: P.Type
  ) throws(RunStoreError) -> [String] {
    do throws(RunStoreError) {
      return try RunAudit(folder, of: [P.self]).problems
    } catch {
      guard error.kind != .system else { throw error }
      return [error.description]
    }
  }
}
