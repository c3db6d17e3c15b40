package import Foundation
package import Quantities
package import RewardModel

/// The audit of a service's folder: its journal is committed again from the first request on, by
/// the rules alone, and everything else is held against that.
package struct ServiceAudit: Sendable {
  /// Requests in the journal.
  package private(set) var requests: Int64 = 0
  /// Clients' keys among them.
  package private(set) var keys: Int64 = 0
  /// Of the last request, or the start where there is none.
  package private(set) var end = Instant.distantPast
  /// What is wrong, in words; empty where all is well.
  package private(set) var problems: [AuditProblem] = []

  /// Audits a folder whose service is stopped.
  ///
  /// - Parameters:
  ///   - frame: As the service was begun with.
  ///   - scratch: A folder for what is worked out anew; it is empty.
  ///   - faults: What is wrong with the store that the folder is a copy of, in words.
  ///   - each: Shown each entry of the journal; what it throws ends the audit.
  /// - Throws: `ServiceError`, what `each` throws, and errors of the file system, GRDB and decoders.
  /// - Complexity: O(requests).
  package init<Served: ServedProgramme>(
    _ programme: Served.Type, folder: URL, frame: RunFrame, settings: Served.Settings,
    scratch: URL, faults: [String] = [], each: (ServiceEntry) throws -> Void = { _ in }
  ) throws {
    let lock = try FolderLock(folder)
    defer { withExtendedLifetime(lock) {} }
    let secrets = try ServiceSecrets(folder: folder)
    let text = ServiceHost<Served.Machine>.settings(frame)
    let store = try SQLiteStore(
      folder: folder, programme: Served.id, settings: text, tables: Served.Machine.tables,
      makes: false)
    let again = try SQLiteStore(
      folder: scratch, programme: Served.id, settings: text, tables: Served.Machine.tables)
    for fault in try faults + store.faults() + store.faults(beside: again) { note(.files, fault) }
    guard let start = try store.started() else {
      if try store.hasMore(than: again) {
        note(
          .journal, "there are requests, rows, accounts or kept states, and no start")
      }
      return
    }
    var machine = try Served.machine(
      try frame.starting(at: start), settings, secret: secrets.programme, start: start, saved: nil)
    var changes = RowChanges(sequence: 0)
    machine.open(&changes)
    var joined: [UInt32: Joining] = [:]
    var kept: [Int64: [BitChunk]] = [:]
    for state in try store.keptStates() {
      kept[state.sequence] = try store.bits(at: state.sequence)
    }
    end = start
    func audit(_ entry: ServiceEntry) throws {
      try each(entry)
      requests += 1
      if entry.key != nil { keys += 1 }
      changes.sequence = entry.sequence
      if entry.sequence != requests {
        note(
          .journal, "request \(requests) is missing: \(entry.sequence) follows \(requests - 1)")
        requests = entry.sequence
      }
      if entry.time < end {
        note(
          .journal,
          "request \(entry.sequence) is earlier than "
            + (requests == 1 ? "the service's start" : "the one before it"))
      }
      end = entry.time
      let request: Served.Machine.Request
      do { request = try Served.Machine.decode(entry.request) } catch {
        throw ServiceError.unreadable(sequence: entry.sequence)
      }
      if let member = Served.Machine.joined(by: request) {
        joined[member] = Joining(time: entry.time, key: entry.key)
      }
      let reply: ServedReply
      do { reply = try machine.commit(request, at: entry.time, &changes) } catch {
        throw ServiceError.unreadable(sequence: entry.sequence)
      }
      if reply != entry.reply {
        note(
          .replies,
          "request \(entry.sequence) was answered with \(Self.words(entry.reply, beside: reply))"
            + "; the rules say \(Self.words(reply, beside: entry.reply))")
      }
      if let bits = kept[entry.sequence], machine.takeBits(all: true) != bits {
        note(
          .claims,
          "the bits that were kept at request \(entry.sequence) are not what the journal gives")
      }
      guard changes.rows.count >= 4_096 else { return }
      try again.append([], changes.rows, accounts: [])
      changes.clear()
    }
    do {
      try store.forEach(after: 0, audit)
    } catch ServiceError.unreadable(let sequence) {
      // What follows cannot be worked out.
      note(.journal, "request \(sequence) cannot be read")
      return
    }
    // The opening rows come with the first request.
    if requests > 0 { try again.append([], changes.rows, accounts: []) }
    for (table, rows) in try store.differences(from: again) where rows != 0 {
      guard let rows else {
        note(.rows, "the table \(table) is missing")
        continue
      }
      let words = PageWords.counted(rows, "row", "rows")
      note(
        .rows,
        "\(words) of the table \(table) \(rows == 1 ? "is" : "are") not what the journal gives")
    }
    try auditAccounts(store, joined, least: machine.minimumAge, zone: frame.calendar.zoneName)
    for violation in machine.violations() { note(.laws, violation) }
  }

  /// A reply: its body and, where that is the other one's, too, its status.
  private static func words(_ reply: ServedReply, beside other: ServedReply) -> String {
    let body = String(decoding: reply.body, as: UTF8.self)
    guard reply.body == other.body else { return body }
    return "status \(reply.status)\(reply.isProblem ? " as a problem" : "") and \(body)"
  }

  /// When a member joined, and what the client called the request.
  private struct Joining {
    var time: Instant
    var key: String?
  }

  /// Holds accounts against the requests of who joined. Passwords are in no journal: of them no more is
  /// known than how long what is kept of one is.
  private mutating func auditAccounts(
    _ store: SQLiteStore, _ joined: [UInt32: Joining], least age: Int, zone: String
  ) throws {
    let dates = try InstantParser(zone: zone)
    var counts = (missing: joined.count, strange: 0, email: 0, born: 0, password: 0)
    try store.forEachAccount { account in
      guard let joining = joined[account.member] else {
        counts.strange += 1
        return
      }
      counts.missing -= 1
      let key = joining.key.flatMap { $0.hasPrefix("join:") ? $0 : nil }
      if !CallParser.isEmail(account.email) || account.email != account.email.lowercased()
        || key?.hasPrefix("join:\(account.email):") == false
      {
        counts.email += 1
      }
      if !account.isOfAge(age, on: dates.localDate(of: joining.time)) { counts.born += 1 }
      if (account.salt.count, account.hash.count) != Passwords.sizes { counts.password += 1 }
    }
    for (count, words) in [
      (counts.missing, "members who joined without an account"),
      (counts.strange, "accounts of nobody who joined"),
      (counts.email, "accounts with an email address that their members did not join with"),
      (counts.born, "accounts with a birth date with which nobody could join"),
      (counts.password, "accounts with a password salt or hash of the wrong length"),
    ] where count > 0 { note(.accounts, "\(words): \(count)") }
  }

  /// Keeps the first of what is wrong; one cause often shows in many places.
  private mutating func note(_ area: AuditProblem.Area, _ words: String) {
    if problems.count < 20 { problems.append(AuditProblem(area, words)) }
  }
}

extension SQLiteStore {
  /// Whether a store without a start has anything that only a start brings.
  fileprivate func hasMore(than empty: SQLiteStore) throws -> Bool {
    if try lastTime() != nil { return true }
    if try !accounts().isEmpty || !keptStates().isEmpty { return true }
    return try differences(from: empty).contains { $0.rows != 0 }
  }
}

extension RunFrame {
  /// The frame of a service that starts at an instant.
  ///
  /// - Throws: `CalendarError.unknownZone`.
  package func starting(at start: Instant) throws(CalendarError) -> RunFrame {
    var frame = self
    frame.calendar = try ProgrammeCalendar(
      zone: calendar.zoneName, covering: start, through: start)
    return frame
  }
}
