internal import Foundation
internal import Quantities
package import RewardModel
internal import Synchronization

/// A service's store in a PostgreSQL database, which several processes may share.
///
/// Each process has the whole state. Whoever writes holds one lock (`pg_advisory_xact_lock`) from
/// before it reads what others wrote until its transaction has ended, so the journal is one order of
/// all requests, and every process commits the same requests in it (state-machine replication: Schneider
/// 1990, doi:10.1145/98163.98167). A process that stops in its turn loses it after
/// `turnSeconds`: the server ends its transaction.
///
/// One process leads: it works with what is outside of the program. It is the one whose session holds
/// a second lock; when the session ends, another takes it.
package final class PostgresStore: ServiceStore {
  /// Seconds after which a turn in which nothing happens is taken away.
  static let turnSeconds = 30
  /// Seconds for which a server that does not answer is tried again.
  static let patience = 60.0
  /// Entries that are read at once.
  static let page: Int64 = 10_000
  /// What the locks are called in `pg_locks`: "pitb".
  static let lockClass = 0x7069_7462

  /// The writer's side of the store.
  private struct Writing {
    var connection: PostgresConnection?
    var leads = false
    var hasTurn = false
    /// The last entry that the writer knows, and the number of the batch that it came in.
    var last: (sequence: Int64, batch: Int64)?
  }

  let readers: PostgresReaders
  let tables: [ServedTable]
  private let address: PostgresAddress
  private let lastRows: LastRows
  private let statements: [String: String]
  private let writing = Mutex(Writing())
  /// Why the last contact of the writer with the server failed; nil where it did not.
  private let contact = Mutex<String?>(nil)

  /// Opens a database, or makes the tables in it.
  ///
  /// - Parameters:
  ///   - programme: Its id.
  ///   - settings: What the rules depend on; a database goes on with those that it began with.
  ///   - tables: Of its machine.
  ///   - isWritten: Whether something is to be written, for which all keys have to be there.
  ///   - secrets: A digest of the service's secrets; it is told whether the database is new.
  /// - Throws: `ServiceError`, and what `secrets` throws.
  package init(
    _ address: PostgresAddress, programme: String, settings: String, tables: [ServedTable],
    isWritten: Bool = true, secrets: (Bool) throws -> [UInt8]
  ) throws {
    self.address = address
    self.tables = tables
    lastRows = LastRows(tables)
    readers = PostgresReaders(address)
    var statements = [
      "begin": "BEGIN", "commit": "COMMIT", "journal": PostgresSchema.journal,
      "account": PostgresSchema.account,
      "turn": "SELECT pg_advisory_xact_lock(\(Self.lockClass), 1)",
      "lead": "SELECT CASE WHEN pg_try_advisory_lock(\(Self.lockClass), 2) THEN 1 ELSE 0 END",
      "news": """
      SELECT \(PostgresSchema.entry) WHERE sequence >= $1::bigint ORDER BY sequence
      LIMIT $2::bigint
      """,
      "recorded": "SELECT key FROM journal WHERE key = ANY ($1::text[])",
      "entry": "SELECT \(PostgresSchema.entry) WHERE key = $1::text",
    ]
    for (place, table) in tables.enumerated() {
      statements["table\(place)"] = PostgresSchema.upsert(table.shape)
    }
    self.statements = statements
    do {
      let connection = try PostgresConnection(address)
      try open(connection, programme, settings, secrets)
      if isWritten { try PostgresCatalogue(connection).requireKeys(tables, of: address.name) }
    } catch let error as PostgresError {
      throw ServiceError.database(name: address.name, "\(error)")
    }
  }

  private func open(
    _ connection: PostgresConnection, _ programme: String, _ settings: String,
    _ secrets: (Bool) throws -> [UInt8]
  ) throws {
    func setting(_ name: String) throws -> String {
      try connection.query("SHOW \(name)").text(0, 0)
    }
    guard connection.version >= 140_000 else {
      throw ServiceError.database(
        name: address.name, "the server is older than PostgreSQL 14; take a newer one")
    }
    for (name, needed) in [("fsync", "on"), ("server_encoding", "UTF8")]
    where try setting(name) != needed {
      throw ServiceError.database(
        name: address.name,
        "the server has \(name) = \(try setting(name)); answers could be lost: set it to \(needed)")
    }
    // Two that start at once: the second finds what the first made.
    try connection.run("BEGIN; SELECT pg_advisory_xact_lock(\(Self.lockClass), 3)")
    let isThere = try connection.query("SELECT to_regclass('pitboss.service') IS NOT NULL")
    let isNew = isThere.whole(0, 0) == 0
    if isNew {
      try connection.run(PostgresSchema.common)
      for table in tables { try connection.run(PostgresSchema.text(table)) }
    }
    // Behind the tables: a server that refuses them leaves no file of secrets behind.
    let digest = try secrets(isNew)
    if isNew {
      try connection.query(
        "INSERT INTO service (version, programme, settings, secrets) VALUES ($1, $2, $3, $4)",
        [
          .whole(PostgresSchema.version), .text(programme), .text(settings), .bytes(digest),
        ])
    }
    let service = "SELECT version, programme, settings, secrets FROM service"
    var row = try connection.query(service)
    if row.count == 1, row.whole(0, 0) == 1, row.text(0, 1) == programme,
      row.text(0, 2) == settings, row.bytes(0, 3) == digest
    {
      try connection.run(PostgresSchema.upgrade)
      row = try connection.query(service)
    }
    try connection.run("COMMIT")
    guard row.count == 1, row.whole(0, 0) == PostgresSchema.version, row.text(0, 1) == programme
    else {
      throw ServiceError.otherFile(
        path: address.name,
        found: row.count == 1 ? "\(row.text(0, 1)), version \(row.whole(0, 0))" : "unknown")
    }
    guard row.text(0, 2) == settings else {
      throw ServiceError.otherSettings(path: address.name, was: row.text(0, 2), now: settings)
    }
    guard row.bytes(0, 3) == digest else { throw ServiceError.otherSecrets(name: address.name) }
  }

  // MARK: - The writer's turn

  package var isShared: Bool { true }
  package var trouble: String? { contact.withLock { $0 } }

  /// See `ServiceStore`.
  package func takeTurn(after sequence: Int64) throws -> StoreTurn {
    try writing.withLock { writing in
      try patiently {
        do {
          return try takeTurn(after: sequence, &writing)
        } catch PostgresError.lost(let words) {
          lose(&writing, words)
          throw PostgresError.lost(words)
        } catch let lost as LostTurn {
          Self.giveBack(&writing)
          throw lost
        }
      }
    }
  }

  /// Leaves a connection that is gone, or whose transaction was ended.
  private func lose(_ writing: inout Writing, _ words: String) {
    // The turn was waited for for longer than a turn may take.
    if writing.connection?.lastState == "55P03" { endTurn() }
    writing.connection = nil
    contact.withLock { $0 = words }
  }

  /// Ends the session that has the turn, where this role may.
  func endTurn() {
    _ = try? readers.read {
      try $0.query(
        """
        SELECT pg_terminate_backend(pid) FROM pg_locks
        WHERE locktype = 'advisory' AND classid = \(Self.lockClass) AND objid = 1 AND granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        """)
    }
  }

  /// Does something again, for a while, where the server does not answer.
  func patiently<Answer>(_ body: () throws -> Answer) throws -> Answer {
    let until = ContinuousClock.now + .seconds(Self.patience)
    while true {
      do {
        return try body()
      } catch PostgresError.lost(let words) {
        guard ContinuousClock.now < until else {
          throw ServiceError.database(name: address.name, words)
        }
        Thread.sleep(forTimeInterval: Double.random(in: 0.05...0.5))
      }
    }
  }

  private func takeTurn(after sequence: Int64, _ writing: inout Writing) throws -> StoreTurn {
    let connection = try writer(&writing)
    let known = max(sequence, 1)
    var steps: [PostgresConnection.Step] = [.init(statement: "begin"), .init(statement: "turn")]
    if !writing.leads { steps.append(.init(statement: "lead")) }
    steps.append(.init(statement: "news", values: [.whole(known), .whole(.max)]))
    let results = try connection.pipeline(steps)
    writing.hasTurn = true
    contact.withLock { $0 = nil }
    if !writing.leads { writing.leads = results[2].whole(0, 0) == 1 }
    let found = Self.entries(results[steps.count - 1])
    let news = try check(found, after: sequence, &writing)
    return StoreTurn(news: news, leads: writing.leads)
  }

  /// The connection of the writer; a new one where it was lost.
  private func writer(_ writing: inout Writing) throws -> PostgresConnection {
    if let connection = writing.connection { return connection }
    let connection = try PostgresConnection(address, statements: statements)
    try connection.run(
      """
      SET idle_in_transaction_session_timeout = '\(Self.turnSeconds)s';
      SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
      SET tcp_user_timeout = 30000
      """)
    // A transaction whose client hangs between two statements of a pipeline is not idle: later servers
    // end it all the same, earlier ones are told to by whoever waits.
    try connection.run(
      connection.version >= 170_000
        ? "SET transaction_timeout = '\(Self.turnSeconds)s'"
        : "SET lock_timeout = '\(Self.turnSeconds + 5)s'")
    // A server may have been set to answer before it has written.
    if try connection.query("SHOW synchronous_commit").text(0, 0) == "off" {
      try connection.run("SET synchronous_commit = on")
    }
    writing.connection = connection
    writing.leads = false
    writing.hasTurn = false
    return connection
  }

  /// What is new of what was found from the last known entry on.
  ///
  /// - Throws: `LostTurn` where that one is not there, and `ServiceError.database` where one is gone that
  ///   this process has seen committed: whoever was answered would not be told.
  private func check(
    _ found: [(entry: ServiceEntry, batch: Int64)], after sequence: Int64,
    _ writing: inout Writing
  ) throws -> [ServiceEntry] {
    // What was not written is begun again from what is there: the last entry seen may lie far ahead.
    if let last = writing.last, last.sequence >= sequence,
      found.first(where: { $0.entry.sequence == last.sequence })?.batch != last.batch,
      found.count < Int(Self.page) || found[found.count - 1].entry.sequence >= last.sequence
    {
      throw ServiceError.database(
        name: address.name,
        "request \(last.sequence.grouped) was answered and is not in the journal any more: the database "
          + "went back to an earlier state; start again to go on from there")
    }
    var news = found[...]
    if sequence > 0 {
      guard let first = news.popFirst(), first.entry.sequence == sequence else { throw LostTurn() }
    }
    if let last = found.last, last.entry.sequence >= writing.last?.sequence ?? 0 {
      writing.last = (last.entry.sequence, last.batch)
    }
    return news.map(\.entry)
  }

  /// See `ServiceStore`.
  package func giveBackTurn() { writing.withLock { Self.giveBack(&$0) } }

  private static func giveBack(_ writing: inout Writing) {
    guard writing.hasTurn else { return }
    writing.hasTurn = false
    do { try writing.connection?.run("ROLLBACK") } catch { writing.connection = nil }
  }

  /// See `ServiceStore`.
  package func news(after sequence: Int64) throws -> [ServiceEntry] {
    try writing.withLock { writing in
      do {
        let values: [PostgresValue] = [.whole(max(sequence, 1)), .whole(Self.page)]
        let rows = try writer(&writing).pipeline([.init(statement: "news", values: values)])
        contact.withLock { $0 = nil }
        return try check(Self.entries(rows[0]), after: sequence, &writing)
      } catch PostgresError.lost(let words) {
        // Reading goes on with what is known; the next turn finds out whether the server is back.
        lose(&writing, words)
        return []
      }
    }
  }

  /// See `ServiceStore`.
  package func append(
    _ entries: [ServiceEntry], _ rows: [RowChanges.Row], accounts: [ServiceAccount]
  ) throws {
    try writing.withLock { writing in
      guard let last = entries.last, let connection = writing.connection, writing.hasTurn else {
        throw LostTurn()
      }
      let batch = Int64.random(in: .min ... .max)
      writing.hasTurn = false
      do {
        let results = try connection.pipeline(steps(entries, rows, accounts, batch))
        guard results.last?.command == "COMMIT" else {
          throw ServiceError.database(name: address.name, "a transaction was not committed")
        }
      } catch PostgresError.lost(let words) {
        // Nobody knows whether it was committed: the journal does.
        lose(&writing, words)
        guard try settled(batch, last.sequence, &writing) else { throw LostTurn() }
      }
      writing.last = (last.sequence, batch)
    }
  }

  private func steps(
    _ entries: [ServiceEntry], _ rows: [RowChanges.Row], _ accounts: [ServiceAccount],
    _ batch: Int64
  ) -> [PostgresConnection.Step] {
    var steps = [
      PostgresConnection.Step(
        statement: "journal",
        values: [
          .wholes(entries.map(\.sequence)), .wholes(entries.map(\.time.microseconds)),
          .texts(entries.map(\.key)), .wholes(entries.map(\.digest)),
          .blobs(entries.map(\.request)), .wholes(entries.map { Int64($0.reply.status) }),
          .wholes(entries.map { $0.reply.isProblem ? 1 : 0 }), .blobs(entries.map(\.reply.body)),
          .whole(batch),
        ])
    ]
    let byTable = Dictionary(grouping: lastRows.of(rows), by: \.table)
    for (place, rows) in byTable.sorted(by: { $0.key < $1.key }) {
      let columns = tables[place].shape.columns.enumerated()
      steps.append(
        .init(
          statement: "table\(place)",
          values: columns.map { PostgresSchema.list(rows, $0, $1.kind) }))
    }
    if !accounts.isEmpty {
      steps.append(
        .init(
          statement: "account",
          values: [
            .wholes(accounts.map { Int64($0.member) }), .texts(accounts.map(\.email)),
            .texts(accounts.map(\.born)), .blobs(accounts.map { Array($0.salt) }),
            .blobs(accounts.map { Array($0.hash) }),
          ]))
    }
    return steps + [.init(statement: "commit")]
  }

  /// Whether a batch was committed whose answer was lost. Waits for the lock, which the server
  /// holds for as long as that is open.
  private func settled(_ batch: Int64, _ sequence: Int64, _ writing: inout Writing) throws -> Bool {
    try patiently {
      do {
        let results = try writer(&writing).pipeline([
          .init(statement: "begin"), .init(statement: "turn"),
          .init(statement: "news", values: [.whole(sequence), .whole(1)]),
          .init(statement: "commit"),
        ])
        contact.withLock { $0 = nil }
        return Self.entries(results[2]).first?.batch == batch
      } catch PostgresError.lost(let words) {
        lose(&writing, words)
        throw PostgresError.lost(words)
      }
    }
  }

  /// See `ServiceStore`.
  package func tidy() {}

  /// See `ServiceStore`.
  package func finish() {}

  /// Ends the session, and with it the lead and a turn.
  package func leave() {
    writing.withLock { writing in
      // The server takes a while to see that a session has ended, and somebody else is to lead now.
      try? writing.connection?.run("ROLLBACK; SELECT pg_advisory_unlock_all()")
      writing = Writing()
    }
  }

  /// See `ServiceStore`.
  package func recorded(_ keys: [String]) throws -> Set<String> {
    let rows = try inTurn([.init(statement: "recorded", values: [.texts(keys)])])
    return Set((0..<rows.count).map { rows.text($0, 0) })
  }

  /// See `ServiceStore`.
  package func entry(key: String) throws -> ServiceEntry? {
    let rows = try inTurn([.init(statement: "entry", values: [.text(key)])])
    return Self.entries(rows).first?.entry
  }

  /// Asks something within the writer's turn.
  private func inTurn(_ steps: [PostgresConnection.Step]) throws -> PostgresRows {
    try writing.withLock { writing in
      do {
        guard let connection = writing.connection, writing.hasTurn else { throw LostTurn() }
        return try connection.pipeline(steps)[0]
      } catch PostgresError.lost {
        writing.connection = nil
        throw LostTurn()
      }
    }
  }
}
