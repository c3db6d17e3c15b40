internal import Foundation
internal import Programmes
internal import Quantities
internal import RewardModel
internal import RunStore
internal import Scenario
internal import Synchronization

/// A folder with a run of each program that is damaged and read, again and again.
///
/// The first byte says which run, by its remainder; the others say what is done to it.
final class DamagedRun: Sendable {
  /// What is damaged.
  private enum Damage: Sendable {
    /// Bytes of the database's file: see `ByteEdits`.
    case bytes
    /// Values, rows and tables of the database, as `CellEdits` says.
    case cells
    /// The summary is these bytes.
    case summary
  }

  static let bytes = DamagedRun(.bytes)
  static let cells = DamagedRun(.cells)
  static let summary = DamagedRun(.summary)

  private let damage: Damage
  private let folder: String
  /// The database's file of a whole run of each program.
  private let whole: [[UInt8]]
  private let lock = Mutex(())

  private init(_ damage: Damage) {
    self.damage = damage
    let folder = NSTemporaryDirectory() + "pitboss-fuzz-" + UUID().uuidString
    self.folder = folder
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      whole = try Programmes.all.map { try Self.run(of: $0, at: folder) }
    } catch {
      fatalError("cannot make a run to damage: \(error)")
    }
  }

  private var database: String { "\(folder)/run.sqlite" }

  /// Damages a run and reads it.
  func read(_ bytes: UnsafeRawBufferPointer) -> FuzzTarget.Outcome {
    guard let first = bytes.first else { return .refused }
    return lock.withLock { _ in
      let whole = whole[Int(first) % whole.count]
      let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
      // Nothing is left where the process ends between two reads.
      defer { try? FileManager.default.removeItem(atPath: folder) }
      do {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: false)
        try change(whole, rest)
      } catch {
        fatalError("cannot damage a run: \(error)")
      }
      if case .summary = damage { return RunFolder.holdsCompleteRun(folder) ? .read : .refused }
      do throws(RunStoreError) {
        _ = try RunFolder.run(folder, of: Programmes.all)
        return .read
      } catch {
        return .refusal(error)
      }
    }
  }

  private func change(_ whole: [UInt8], _ edits: UnsafeRawBufferPointer) throws {
    switch damage {
    case .bytes: try write(ByteEdits.made(edits, of: whole), "run.sqlite")
    case .cells:
      try write(whole, "run.sqlite")
      if !edits.isEmpty { try CellEdits.make(edits, in: database) }
    case .summary:
      try write(whole, "run.sqlite")
      try write(edits, "summary.json")
    }
  }

  private func write(_ bytes: some Sequence<UInt8>, _ name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
  }

  /// The bytes of the database of a small run.
  private static func run(
    of programme: any RewardProgramme.Type, at folder: String
  ) throws -> [UInt8] {
    let text = """
      name: fuzz
      programme: \(programme.id)
      calendar: {start: 2026-01-01, days: 3}
      population: {members: 20}
      """
    let scenario = try Scenario.load(text: text, file: "fuzz.yaml")
    try write(try scenario.plan(), to: folder)
    return Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/run.sqlite")))
  }

  private static func write(_ plan: some RunPlan, to folder: String) throws {
    try RunFolder.write(try plan.simulate(threads: 1), to: folder)
  }
}
