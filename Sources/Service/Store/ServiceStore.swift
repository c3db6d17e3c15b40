package import Quantities
package import RewardModel

/// What a service keeps: the journal of its requests, which is the truth, states that shorten the
/// way to it, and the tables that answer what is asked later.
///
/// One thread, the writer, takes turns: `takeTurn`, then `recorded`, `entry` and `account` as often as
/// it likes, then `append` or `giveBackTurn`. What is only read may be read by any thread.
package protocol ServiceStore: Sendable {
  /// Whether other processes may write to it as well.
  var isShared: Bool { get }
  /// Why the last contact with where it is failed; nil where it did not.
  var trouble: String? { get }

  // MARK: The writer's turn

  /// Waits until nobody else writes, and tells what others wrote meanwhile.
  ///
  /// - Parameter sequence: Of the last request that the writer knows.
  /// - Throws: `LostTurn` where what the writer knows is not what is kept; errors of the store.
  func takeTurn(after sequence: Int64) throws -> StoreTurn
  /// Lets others write; nothing was.
  func giveBackTurn()
  /// Writes requests, the rows that they changed, and accounts that they opened, all or nothing, and
  /// lets others write. All of it is durable when it returns.
  ///
  /// - Throws: `LostTurn` where nothing was written and others may have; errors of the store.
  func append(
    _ entries: [ServiceEntry], _ rows: [RowChanges.Row], accounts: [ServiceAccount]
  ) throws
  /// What others wrote behind a request, without a turn; some of it, where it is much.
  ///
  /// - Throws: Errors of the store.
  func news(after sequence: Int64) throws -> [ServiceEntry]
  /// After the last turn: leaves nothing behind that only a running service needs.
  func finish()
  /// Between two turns, after their answers: what the store has to tidy up.
  func tidy()
  /// The writer has ended: others need not wait for it.
  func leave()
  /// The keys among some that the journal has.
  ///
  /// - Throws: Errors of the store.
  func recorded(_ keys: [String]) throws -> Set<String>
  /// The entry that a client's key names.
  ///
  /// - Throws: Errors of the store.
  func entry(key: String) throws -> ServiceEntry?

  // MARK: Reading

  /// When the service was started first; nil before that.
  ///
  /// - Throws: Errors of the store.
  func started() throws -> Instant?
  /// When the service was started first: now, where it never was.
  ///
  /// - Throws: Errors of the store.
  func start(at now: Instant) throws -> Instant
  /// The instant of the last request; nil before the first.
  ///
  /// - Throws: Errors of the store.
  func lastTime() throws -> Instant?
  /// Visits the journal behind an entry, in order.
  ///
  /// - Throws: Errors of the store, and what `body` throws.
  func forEach(after sequence: Int64, _ body: (ServiceEntry) throws -> Void) throws
  /// The newest rows of a list, `RowList.columns` of each.
  ///
  /// - Parameters:
  ///   - owner: Whose rows, where the list has a column for it.
  ///   - before: Rows below this value of the list's order; nil for the newest.
  ///   - most: How many.
  /// - Throws: Errors of the store.
  func rows(
    of list: RowList, owner: FieldValue?, before: Int64?, most: Int
  ) throws -> (rows: [[FieldValue]], next: Int64?)
  /// The members who have an account.
  ///
  /// - Throws: Errors of the store.
  func accounts() throws -> Set<UInt32>
  /// The account of an email address.
  ///
  /// - Throws: Errors of the store.
  func account(email: String) throws -> ServiceAccount?

  // MARK: States

  /// Whether the bits of each state are kept whole, and not only those that changed since the one
  /// before.
  var keepsAllBits: Bool { get }
  /// Keeps a state, and forgets all but the two latest.
  ///
  /// - Parameters:
  ///   - saved: With all its bits, of which a digest is kept.
  ///   - changed: The bits that changed since the state before that was kept, or all of them.
  /// - Throws: Errors of the store; the states before are then as they were.
  func keep(_ saved: SavedMachine, changed: [BitChunk], sequence: Int64, time: Instant) throws
  /// The states that are kept, the latest first, but for those of requests that the journal does
  /// not have.
  ///
  /// - Throws: Errors of the store.
  func keptStates() throws -> [KeptState]
  /// A state with its bits.
  ///
  /// - Throws: Errors of the store, for one that was forgotten as well.
  func saved(_ state: KeptState) throws -> SavedMachine
  /// Forgets states of later requests, which could not be restored, where a later one builds on them.
  ///
  /// - Throws: Errors of the store.
  func forgetStates(after sequence: Int64) throws
}

extension ServiceStore {
  /// What is on this machine is always there.
  package var trouble: String? { nil }
}
