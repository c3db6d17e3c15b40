internal import Dispatch
internal import Foundation
package import Quantities
package import RewardModel
internal import Synchronization

/// The state of a service with what is committed and not yet on the disk.
package struct ServiceWriter<Machine: ProgrammeMachine>: Sendable {
  private var machine: Machine
  private let store: any ServiceStore
  private let make: @Sendable (SavedMachine?) throws -> Machine
  private var sequence: Int64
  /// Of the last request that is in the state.
  private(set) var time: Instant
  private var entries: [ServiceEntry] = []
  /// Replies of this batch by the clients' keys.
  private var keyed: [String: ServiceEntry] = [:]
  /// Keys of this batch that the journal has.
  private var recorded: Set<String> = []
  private var accounts: [ServiceAccount] = []
  private var changes = RowChanges(sequence: 0)
  private var keptAt: Int64
  /// Whether this process works with what is outside of the program.
  private(set) var leads: Bool
  /// When the last turn was taken.
  private var turn: ContinuousClock.Instant?
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
    _ store: any ServiceStore, at now: Instant, snapshotEvery: Int64 = 200_000,
    machine make: @escaping @Sendable (SavedMachine?) throws -> Machine
  ) throws {
    self.store = store
    self.make = make
    self.snapshotEvery = snapshotEvery
    (machine, sequence, time, keptAt) = try Self.restored(store, make)
    // A shared store says in its turns who leads.
    leads = !store.isShared
    begin(at: now)
  }

  /// Goes on from a state that was restored.
  private mutating func begin(at now: Instant) {
    if sequence == 0 { machine.open(&changes) }
    if leads { machine.resume(at: max(now, time)) } else { machine.rest() }
  }

  private static func restored(
    _ store: any ServiceStore, _ make: (SavedMachine?) throws -> Machine
  ) throws -> (machine: Machine, sequence: Int64, time: Instant, keptAt: Int64) {
    // A state that cannot be read only makes the way longer: the journal has everything.
    var restored: (machine: Machine, sequence: Int64, time: Instant)?
    for kept in try store.keptStates() where restored == nil {
      guard let saved = try? store.saved(kept), let machine = try? make(saved) else { continue }
      restored = (machine, kept.sequence, kept.time)
    }
    var machine = try restored?.machine ?? make(nil)
    // No request is earlier than the first start, whose day the rules began with.
    var last = (
      sequence: restored?.sequence ?? 0,
      time: try restored?.time ?? store.started() ?? .distantPast
    )
    let keptAt = last.sequence
    try store.forgetStates(after: last.sequence)
    try store.forEach(after: last.sequence) { try commit($0, &machine, &last) }
    return (machine, last.sequence, last.time, keptAt)
  }

  /// Commits an entry again, which has to be the next one and to give the reply that it gave.
  private static func commit(
    _ entry: ServiceEntry, _ machine: inout Machine, _ last: inout (sequence: Int64, time: Instant)
  ) throws {
    var changes = RowChanges(sequence: entry.sequence)
    guard let request = try? Machine.decode(entry.request) else {
      throw ServiceError.unreadable(sequence: entry.sequence)
    }
    guard let reply = try? machine.commit(request, at: entry.time, &changes) else {
      throw ServiceError.unreadable(sequence: entry.sequence)
    }
    guard reply == entry.reply, entry.sequence == last.sequence + 1 else {
      throw ServiceError.differs(sequence: entry.sequence)
    }
    last = (entry.sequence, entry.time)
  }

  /// Least age of a member, in years.
  var minimumAge: Int { machine.minimumAge }

  /// Until when nothing is due.
  var nextDue: Instant { machine.nextDue }

  /// Whether the calendar or the program's surroundings bring something.
  func isDue(at now: Instant) -> Bool { machine.nextDue <= max(now, time) }

  // MARK: - Among others

  /// Seconds since the last turn.
  var sinceTurn: Double { turn.map { (ContinuousClock.now - $0).seconds } ?? .infinity }

  /// Waits until nobody else writes, and commits what others wrote meanwhile.
  ///
  /// - Returns: How many requests others wrote.
  mutating func takeTurn(at now: Instant) throws -> Int {
    let taken = try store.takeTurn(after: sequence)
    turn = ContinuousClock.now
    try follow(taken.news)
    if taken.leads != leads {
      leads = taken.leads
      if leads { machine.resume(at: max(now, time)) } else { machine.rest() }
    }
    return taken.news.count
  }

  /// Commits what others wrote, without a turn.
  ///
  /// - Returns: How many requests.
  mutating func catchUp() throws -> Int {
    var count = 0
    while true {
      let news = try store.news(after: sequence)
      guard !news.isEmpty else { return count }
      try follow(news)
      count += news.count
    }
  }

  private mutating func follow(_ news: [ServiceEntry]) throws {
    guard !news.isEmpty else { return }
    // The rows of the opening came with somebody's first request.
    if sequence == 0 { changes.clear() }
    var last = (sequence: sequence, time: time)
    for entry in news { try Self.commit(entry, &machine, &last) }
    (sequence, time) = last
    // Whoever committed the request that made a state due keeps it.
    if sequence - keptAt >= snapshotEvery { keptAt = sequence }
  }

  /// Begins again with what the store has, where a turn was lost with what was committed in it.
  mutating func rebuild(at now: Instant) throws {
    forgetBatch()
    finish()
    (machine, sequence, time, _) = try Self.restored(store, make)
    leads = !store.isShared
    begin(at: now)
  }

  // MARK: - Committing

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
    key: String?, digest: Int64, account: ServiceAccount?, at now: Instant,
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
    let entry = ServiceEntry(
      sequence: sequence, time: now, key: key, digest: digest,
      request: try Machine.encode(request), reply: reply)
    entries.append(entry)
    if let key { keyed[key] = entry }
    return reply
  }

  /// Makes all that was committed durable, and ends the turn.
  ///
  /// - Returns: How many requests.
  mutating func flush() throws -> Int {
    let count = entries.count
    guard count > 0 else {
      store.giveBackTurn()
      return 0
    }
    try store.append(entries, changes.rows, accounts: accounts)
    forgetBatch()
    return count
  }

  private mutating func forgetBatch() {
    entries.removeAll(keepingCapacity: true)
    keyed.removeAll(keepingCapacity: true)
    accounts.removeAll()
    changes.clear()
  }

  /// Shows somebody the state, all of which is durable.
  func ask(_ body: (borrowing Machine) -> Void) { body(machine) }

  /// Keeps the state where enough was committed since the last, on another thread: a copy of it
  /// costs nothing until it is changed.
  mutating func keepStateIfDue() {
    guard sequence - keptAt >= snapshotEvery else { return }
    keptAt = sequence
    let hasAll = store.keepsAllBits || keeping.missed
    let changed = machine.takeBits(all: hasAll)
    let (machine, store, keeping, sequence, time) = (machine, store, keeping, sequence, time)
    keeper.async {
      // The state before was still being kept when bits were taken, and could not be.
      guard hasAll || !keeping.missed else { return }
      // Without it the way from the state before is longer, and nothing is lost.
      do {
        var copy = machine
        let saved = SavedMachine(state: try copy.saved(), bits: copy.takeBits(all: true))
        try store.keep(saved, changed: changed, sequence: sequence, time: time)
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
