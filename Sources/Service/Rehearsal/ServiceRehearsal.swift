internal import EventKernel
package import Foundation
internal import Population
package import Quantities
package import RewardModel

/// A service on a disk of its own under kills, retries and a clock that steps: the writer and the
/// store as `serve` runs them, one step after another, so that the same seed gives the same case.
///
/// A kill leaves the files as they are at that moment, opened by another writer. A power cut may leave less: what was
/// written and not flushed.
package struct ServiceRehearsal<Served: CheckedService> {
  private let frame: RunFrame
  private let settings: Served.Settings
  private let rates: [String: Double]
  private let root: URL
  private var folder: URL
  private var folders = 0
  private var stream: RandomStream
  /// Faults that happened, by kind.
  package private(set) var counts: [String: Int64] = [:]
  /// Requests that were handed in.
  package private(set) var requests: Int64 = 0

  private var store: SQLiteStore
  private var writer: ServiceWriter<Served.Machine>
  /// What was answered, by key.
  private var answered: [(key: String, place: Int, reply: ServedReply)] = []
  private var now: Instant

  /// Opens a service in a new folder.
  ///
  /// - Parameters:
  ///   - rates: Of the kinds of `ServiceFaults`, 0...1.
  ///   - root: An empty folder for its files.
  /// - Throws: `ServiceError`, and errors of the file system and GRDB.
  package init(
    _ programme: Served.Type, _ frame: RunFrame, _ settings: Served.Settings,
    rates: [String: Double], root: URL
  ) throws {
    self.settings = settings
    self.rates = rates
    self.root = root
    now = frame.calendar.start
    self.frame = try frame.starting(at: now)
    stream = RandomStream(
      seed: frame.seed, purpose: RandomPurpose.fault.rawValue, entity: .max - 1)
    folder = root.appending(path: "0")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try JSONEncoder().encode(ServiceSecrets(trial: frame.seed))
      .write(to: folder.appending(path: "secrets.json"))
    (store, writer) = try Self.open(folder, self.frame, settings, at: now)
  }

  private static func open(
    _ folder: URL, _ frame: RunFrame, _ settings: Served.Settings, at now: Instant
  ) throws -> (SQLiteStore, ServiceWriter<Served.Machine>) {
    let store = try SQLiteStore(
      folder: folder, programme: Served.id,
      settings: ServiceHost<Served.Machine>.settings(frame), tables: Served.Machine.tables)
    let start = try store.start(at: now)
    let writer = try ServiceWriter<Served.Machine>(store, at: now, snapshotEvery: 60) { saved in
      try Served.machine(frame, settings, secret: frame.seed, start: start, saved: saved)
    }
    return (store, writer)
  }

  /// Hands everything in, in batches, with faults, and audits what is left.
  ///
  /// - Parameter submissions: In the order of their instants.
  /// - Throws: `Violation`; errors of the file system and GRDB.
  package mutating func run(
    _ submissions: [(time: Instant, request: Served.Machine.Request)]
  ) throws {
    var place = 0
    while place < submissions.count {
      let size = 1 + Int(stream.uniformIndex(below: 12))
      let batch = place..<min(place + size, submissions.count)
      var done = try commit(batch, submissions)
      if happens(ServiceFaults.killed) {
        // Nobody was answered: all of it is sent again.
        try kill()
        done = try commit(batch, submissions)
      }
      requests += Int64(try writer.flush())
      answered += done
      writer.keepStateIfDue()
      if stream.nextUInt32() & 7 == 0 { writer.finish() }
      if happens(ServiceFaults.killed) { try kill() }
      place = batch.upperBound
    }
    try finish()
  }

  /// Commits a batch with what comes again, and gives what is to be answered.
  private mutating func commit(
    _ batch: Range<Int>, _ submissions: [(time: Instant, request: Served.Machine.Request)]
  ) throws -> [(key: String, place: Int, reply: ServedReply)] {
    let again = (0..<3).compactMap { _ in
      answered.isEmpty || !happens(ServiceFaults.retried)
        ? nil : answered[Int(stream.uniformIndex(below: UInt64(answered.count)))]
    }
    var keys = batch.map { "key \($0)" } + again.map(\.key)
    if let last = answered.last { keys.append(last.key) }
    try writer.lookUp(keys: keys)
    var done: [(key: String, place: Int, reply: ServedReply)] = []
    for place in batch {
      now = max(now, submissions[place].time)
      let reply = try send(submissions[place].request, key: "key \(place)", digest: place)
      done.append(("key \(place)", place, reply))
      if happens(ServiceFaults.retried) {
        try expect(done[done.count - 1], submissions)
      }
      if happens(ServiceFaults.keyless) {
        counts[ServiceFaults.keyless, default: 0] += 1
        _ = try send(submissions[place].request, key: nil, digest: place)
      }
    }
    for one in again { try expect(one, submissions) }
    if let last = answered.last, happens(ServiceFaults.reused) {
      counts[ServiceFaults.reused, default: 0] += 1
      let reply = try send(submissions[last.place].request, key: last.key, digest: -1)
      guard reply.status == 409 else {
        throw violation(
          "keys_pay_once", "'\(last.key)' came with another request and got \(reply.status)")
      }
    }
    return done
  }

  /// A request that was answered before gets that answer, and nothing else happens.
  private mutating func expect(
    _ known: (key: String, place: Int, reply: ServedReply),
    _ submissions: [(time: Instant, request: Served.Machine.Request)]
  ) throws {
    counts[ServiceFaults.retried, default: 0] += 1
    let reply = try send(submissions[known.place].request, key: known.key, digest: known.place)
    guard reply == known.reply else {
      throw violation(
        "keys_pay_once",
        "'\(known.key)' was answered with \(known.reply.text), and again with \(reply.text)")
    }
  }

  private mutating func send(
    _ request: Served.Machine.Request, key: String?, digest: Int
  ) throws -> ServedReply {
    var time = now
    if happens(ServiceFaults.clock) {
      // Up to 2 h 48 min back, in seven of ten cases.
      let step = min(Int64((stream.uniform() - 0.7) * 1.44e10), 0)
      if step < 0 { counts[ServiceFaults.clock, default: 0] += 1 }
      time = now + TimeSpan(microseconds: step)
    }
    return try writer.commit(key: key, digest: Int64(digest), account: nil, at: time) { _ in
      request
    }
  }

  // MARK: - Kills

  /// What is on the disk now is all that is left; another writer goes on with it.
  private mutating func kill() throws {
    counts[ServiceFaults.killed, default: 0] += 1
    folders += 1
    let next = root.appending(path: "\(folders)")
    // A state is kept whole or not at all; kills in between are those of Scripts/service-kills.
    writer.finish()
    try FileManager.default.createDirectory(at: next, withIntermediateDirectories: true)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    // The log first: what a checkpoint moves into the database meanwhile is in both. Shared memory
    // does not outlive the machine.
    let log = names.filter { $0.hasSuffix("-wal") }
    for name in log + names.filter({ !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }) {
      try FileManager.default.copyItem(
        at: folder.appending(path: name), to: next.appending(path: name))
    }
    let before = folder
    folder = next
    (store, writer) = try Self.open(next, frame, settings, at: now)
    try FileManager.default.removeItem(at: before)
    for one in answered.suffix(40) {
      guard let kept = try store.entry(key: one.key), kept.reply == one.reply else {
        throw violation(
          "acknowledged_kept", "'\(one.key)' was answered with \(one.reply.text) and is not there")
      }
    }
  }

  /// Audits the folder by its journal, and its tables by the state.
  private mutating func finish() throws {
    try writer.takeDue(through: now + .hours(30))
    requests += Int64(try writer.flush())
    writer.finish()
    var broken: String?
    let store = store
    writer.ask { machine in
      for sum in Served.tableSums(machine) where broken == nil {
        let found = try? store.value(of: sum)
        guard found != sum.value else { continue }
        let what = sum.column.map { "sum of \($0)" } ?? "rows"
        let only = sum.only.map { " with \($0.text)" } ?? ""
        broken = "\(sum.table): \(what)\(only) is \(found ?? 0), not \(sum.value)"
      }
    }
    if let broken { throw violation("tables_repeat_state", broken) }
    let scratch = root.appending(path: "scratch")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    let audit = try ServiceAudit(
      Served.self, folder: folder, frame: frame, settings: settings, scratch: scratch)
    if let problem = audit.problems.first(where: { $0.area != .accounts }) {
      throw violation("journal_is_truth", problem.description)
    }
  }

  private mutating func happens(_ kind: String) -> Bool {
    stream.uniform() < (rates[kind] ?? 0)
  }

  private func violation(_ invariant: String, _ facts: String) -> Violation {
    Violation(
      invariant: invariant, facts: facts, scenario: frame.scenario, seed: frame.seed, time: now)
  }
}

extension ServedReply {
  fileprivate var text: String {
    "\(status) \(String(decoding: body.prefix(120), as: UTF8.self))"
  }
}
