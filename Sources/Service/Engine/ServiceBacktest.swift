package import Foundation
package import Quantities
package import RewardModel

/// A service's own past under other rules: what clients asked for is committed again, and each
/// calendar and payout runs by the rules of its own side.
package struct ServiceBacktest: Sendable {
  /// A figure under the rules that the service has, and under the others.
  package struct Figure: Sendable, Equatable {
    package var name: String
    package var kind: FieldKind
    package var recorded: Int64
    package var other: Int64
  }

  /// Clients' requests in the journal.
  package private(set) var requests: Int64 = 0
  /// Of those, how many the other rules answer with another status.
  package private(set) var answeredOtherwise: Int64 = 0
  /// The first and the last instant of clients' requests; nil where there are none.
  package private(set) var span: ClosedRange<Instant>?
  package private(set) var figures: [Figure] = []

  /// Commits a folder's journal, whose service is stopped.
  ///
  /// - Parameters:
  ///   - recorded: As the service was begun with.
  ///   - other: The other rules.
  /// - Throws: `ServiceError` for a folder without a service, with a running one, or of another
  ///   program or other rules; errors of GRDB and decoders; what a machine throws.
  /// - Complexity: O(requests).
  package init<Served: ServedProgramme>(
    _ programme: Served.Type, folder: URL,
    recorded: (frame: RunFrame, settings: Served.Settings),
    other: (frame: RunFrame, settings: Served.Settings)
  ) throws {
    let file = folder.appending(path: "service.sqlite").path
    guard FileManager.default.fileExists(atPath: file) else {
      throw ServiceError.missing(path: folder.path)
    }
    let lock = try FolderLock(folder)
    defer { withExtendedLifetime(lock) {} }
    let secrets = try ServiceSecrets(folder: folder)
    let store = try SQLiteStore(
      folder: folder, programme: Served.id,
      settings: ServiceHost<Served.Machine>.settings(recorded.frame),
      tables: Served.Machine.tables, makes: false)
    guard let start = try store.started() else {
      guard try store.lastTime() == nil else { throw ServiceError.damaged(path: file) }
      return
    }
    func machine(
      _ rules: (frame: RunFrame, settings: Served.Settings)
    ) throws -> Served.Machine {
      try Served.machine(
        rules.frame.starting(at: start), rules.settings, secret: secrets.programme, start: start,
        saved: nil)
    }
    var was = try machine(recorded)
    var would = Side(machine: try machine(other), time: start)
    var changes = RowChanges(sequence: 0)
    var end: Instant?
    try store.forEach(after: 0) { entry in
      end = entry.time
      guard let request = try? Served.Machine.decode(entry.request),
        (try? was.commit(request, at: entry.time, &changes)) != nil
      else { throw ServiceError.unreadable(sequence: entry.sequence) }
      changes.clear()
      // What the calendar brought, the other rules' calendar brings by itself.
      guard !Served.Machine.isOwn(request) else { return }
      requests += 1
      span = (span?.lowerBound ?? entry.time)...entry.time
      let reply = try would.commit(request, at: entry.time)
      if reply.status != entry.reply.status { answeredOtherwise += 1 }
    }
    if let end { try would.takeDue(through: end) }
    figures = zip(was.figures, would.machine.figures).map { was, would in
      Figure(name: was.name, kind: was.kind, recorded: was.value, other: would.value)
    }
  }

  /// The other rules, with a calendar of their own.
  private struct Side<Machine: ProgrammeMachine> {
    var machine: Machine
    var time: Instant
    private var changes = RowChanges(sequence: 0)

    init(machine: Machine, time: Instant) {
      self.machine = machine
      self.time = time
    }

    mutating func takeDue(through now: Instant) throws {
      while let due = machine.takeDue(through: now) {
        time = max(due.time, time)
        _ = try machine.commit(due.request, at: time, &changes)
        changes.clear()
      }
    }

    mutating func commit(_ request: Machine.Request, at now: Instant) throws -> ServedReply {
      try takeDue(through: now)
      time = max(now, time)
      defer { changes.clear() }
      return try machine.commit(request, at: time, &changes)
    }
  }
}
