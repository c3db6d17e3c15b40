internal import Dispatch
internal import Foundation
package import Quantities
package import RewardModel
internal import Synchronization

/// The state of a service with what is committed and not yet on the disk.
package struct ServiceWriter<Machine: ProgrammeMachine>: Sendable {
  private var machine: Machine
  private let store: ServiceStore
  private var sequence: Int64
  private var time: Instant
  private var entries: [ServiceStore.Entry] = []
  /// Replies of this batch by the clients' keys.
  private var keyed: [String: ServiceStore.Entry] = [:]
  /// Keys of this batch that the journal has.
  private var recorded: Set<String> = []
  private var accounts: [ServiceStore.Account] = []
  private var changes = RowChanges(sequence: 0)
  private var keptAt: Int64
  /// Requests between two states that are kept.
  private let snapshotEvery: Int64
  private let keeping = Keeping()
  /// Where states are kept, one at a time.
  private let keeper = DispatchQueue(label: "states", qos: .utility)

  /// Restores the state from the latest one that was kept and the journal behind it.
  ///
  /// - Parameters:
  ///   - start: Where nothing is restored, the instant from which on requests come.
  ///   - snapshotEvery: Requests between two states that are kept, 1 or more.
  ///   - machine: Makes one, of a saved state or new.
  /// - Throws: `ServiceError.differs` where the journal's replies are not those that were given;
  ///   errors of the store.
  /// - Complexity: O(requests since the latest state).
  package init(
    _ store: ServiceStore, at now: Instant, snapshotEvery: Int64 = 200_000,
    machine make: (SavedMachine?) throws -> Machine
  ) throws {
    self.store = store
    self.snapshotEvery = snapshotEvery
    // A state that cannot be read only makes the way longer: the journal has everything.
    var restored: (machine: Machine, sequence: Int64, time: Instant)?
    for kept in try store.keptStates() where restored == nil {
      guard let state = try? Data(contentsOf: kept.file),
        let machine = try? make(SavedMachine(state: state, bits: store.bits(at: kept.sequence)))
      else { continue }
      restored = (machine, kept.sequence, kept.time)
    }
    var machine = try restored?.machine ?? make(nil)
    var last = (sequence: restored?.sequence ?? 0, time: restored?.time ?? .distantPast)
    keptAt = last.sequence
    try store.forgetStates(after: last.sequence)
    try store.forEach(after: last.sequence) { entry in
      var changes = RowChanges(sequence: entry.sequence)
      let reply = try machine.commit(
        try Machine.decode(entry.request), at: entry.time, &changes)
      guard reply == entry.reply, entry.sequence == last.sequence + 1 else {
        throw ServiceError.differs(sequence: entry.sequence)
      }
      last = (entry.sequence, entry.time)
    }
    (sequence, time) = last
    if sequence == 0 { machine.open(&changes) }
    machine.resume(at: max(now, time))
    self.machine = machine
  }

  /// Until when nothing is due.
  var nextDue: Instant { machine.nextDue }

  /// Commits what the calendar and the program's surroundings bring.
  mutating func takeDue(through now: Instant) throws {
    while let due = machine.takeDue(through: max(now, time)) {
      _ = try commit(due.request, at: max(due.time, time), key: nil, digest: 0)
    }
  }

  /// Looks at once which of a batch's keys came in an earlier batch.
  mutating func lookUp(keys: [String]) throws {
    recorded = keys.isEmpty ? [] : try store.recorded(keys)
  }

  /// Commits a client's request, once by its key, which `lookUp` was told of.
  ///
  /// - Returns: The reply, that of the first time where the key is known.
  mutating func commit(
    key: String?, digest: Int64, account: ServiceStore.Account?, at now: Instant,
    _ make: (borrowing Machine) throws(ServedRefusal) -> Machine.Request
  ) throws -> ServedReply {
    if let key, let known = try keyed[key] ?? (recorded.contains(key) ? store.entry(key: key) : nil)
    {
      guard known.digest == digest else {
        return ServedRefusal(
          409, "key used before", "this Idempotency-Key came before with another request"
        ).reply
      }
      return known.reply
    }
    try takeDue(through: now)
    let request: Machine.Request
    do throws(ServedRefusal) {
      request = try make(machine)
    } catch {
      return error.reply
    }
    if var account {
      // Two who join at once with one address: the second finds the first's.
      guard !accounts.contains(where: { $0.email == account.email }),
        try store.account(email: account.email) == nil
      else {
        return ServedRefusal(409, "email taken", "there is an account with this email").reply
      }
      account.member = machine.nextMember
      accounts.append(account)
    }
    return try commit(request, at: max(now, time), key: key, digest: digest)
  }

  private mutating func commit(
    _ request: Machine.Request, at now: Instant, key: String?, digest: Int64
  ) throws -> ServedReply {
    sequence += 1
    time = now
    changes.sequence = sequence
    let reply = try machine.commit(request, at: now, &changes)
    let entry = ServiceStore.Entry(
      sequence: sequence, time: now, key: key, digest: digest,
      request: try Machine.encode(request), reply: reply)
    entries.append(entry)
    if let key { keyed[key] = entry }
    return reply
  }

  /// Makes all that was committed durable.
  ///
  /// - Returns: How many requests.
  mutating func flush() throws -> Int {
    guard !entries.isEmpty else { return 0 }
    try store.append(entries, changes.rows, accounts: accounts)
    defer {
      entries.removeAll(keepingCapacity: true)
      keyed.removeAll(keepingCapacity: true)
      accounts.removeAll()
      changes.clear()
    }
    return entries.count
  }

  /// Shows somebody the state, all of which is durable.
  func ask(_ body: (borrowing Machine) -> Void) { body(machine) }

  /// Keeps the state where enough was committed since the last, on another thread: a copy of it
  /// costs nothing until it is changed.
  mutating func keepStateIfDue() {
    guard sequence - keptAt >= snapshotEvery else { return }
    keptAt = sequence
    let hasAll = keeping.missed
    let bits = machine.takeBits(all: hasAll)
    let (machine, store, keeping, sequence, time) = (machine, store, keeping, sequence, time)
    keeper.async {
      // The state before was still being kept when bits were taken, and could not be.
      guard hasAll || !keeping.missed else { return }
      // Without it the way from the state before is longer, and nothing is lost.
      do {
        try store.keep(try machine.saved(), bits: bits, sequence: sequence, time: time)
        keeping.missed = false
      } catch { keeping.missed = true }
    }
  }

  /// Waits for a state that is being kept.
  func finish() { keeper.sync {} }
}

/// Whether the last state could not be kept, so that the next has to have all bits.
private final class Keeping: Sendable {
  private let state = Mutex(false)

  var missed: Bool {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
