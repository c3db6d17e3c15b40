internal import CPostgres

/// A connection to PostgreSQL through libpq.
///
/// Unchecked, because it holds libpq's pointer: one thread uses it at a time, the writer's, or whoever
/// took it out of `PostgresReaders`.
final class PostgresConnection: @unchecked Sendable {
  /// A prepared statement with its values.
  struct Step {
    var statement: String
    var values: [PostgresValue] = []
  }

  /// Seconds without a byte after which a server is taken for gone. What is sent together is answered
  /// together, so that this bounds a turn's whole transaction: a busy server has to have time for it.
  static let silence = 120.0
  /// Bytes of a copy that are handed over at once.
  static let piece = 262_144

  private let handle: OpaquePointer
  private let silence: Double
  /// Whether it waited in vain for a lock or for the server.
  private(set) var hasWaited = false
  /// The SQLSTATE of the last failure; empty where it had none.
  private(set) var lastState = ""

  /// Connects.
  ///
  /// - Parameters:
  ///   - statements: By their names, prepared for `pipeline`.
  ///   - lockSeconds: For how long a statement waits for a lock; 0 for as long as it takes.
  ///   - silence: Seconds without a byte after which the server is taken for gone.
  /// - Throws: `PostgresError`.
  init(
    _ address: PostgresAddress, statements: [String: String] = [:], lockSeconds: Int = 0,
    silence: Double = PostgresConnection.silence
  ) throws {
    self.silence = silence
    if let problem = cpq_load() {
      throw PostgresError.lost("\(String(cString: problem)): apt-get install libpq5")
    }
    guard let handle = cpq_connect(address.text) else {
      throw PostgresError.lost("no memory for a connection")
    }
    self.handle = handle
    guard cpq_is_open(handle) == 1 else {
      let isReadable = address.isClear && cpq_is_address(address.text) == 1
      throw PostgresError.lost(
        isReadable ? Self.words(cpq_error(handle)) : "the address cannot be read")
    }
    cpq_be_quiet(handle)
    guard cpq_bound_waits(handle) == 1 else { throw failure(nil) }
    try run("SET client_encoding TO 'UTF8'; SET search_path TO pitboss")
    // A role or a database may have limits of its own, which a turn must not end at, and transactions that
    // see nothing of what was committed while they waited for their turn.
    try run("SET default_transaction_isolation = 'read committed'")
    try run("SET statement_timeout = 0; SET lock_timeout = '\(lockSeconds)s'")
    for (name, sql) in statements.sorted(by: { $0.key < $1.key }) {
      _ = try answer(isSent: cpq_send_prepare(handle, name, sql))
    }
  }

  deinit { cpq_finish(handle) }

  /// As in 150004.
  var version: Int { Int(cpq_version(handle)) }

  /// Runs statements that give nothing.
  func run(_ sql: String) throws { _ = try answer(isSent: cpq_send(handle, sql)) }

  /// Runs one statement.
  @discardableResult
  func query(_ sql: String, _ values: [PostgresValue] = []) throws -> PostgresRows {
    let message = Message(values)
    let types = values.map(\.type)
    return try answer(
      isSent: message.withPointers { pointers, lengths, formats in
        cpq_send_query(
          handle, sql, Int32(values.count), types, pointers, lengths, formats, Int32(cpq_binary))
      })
  }

  /// Runs prepared statements in one way there and back.
  ///
  /// - Returns: What each gave.
  /// - Throws: `PostgresError`; what came before the statement that failed may have been done.
  func pipeline(_ steps: [Step]) throws -> [PostgresRows] {
    guard cpq_enter_pipeline(handle) == 1 else { throw failure(nil) }
    for step in steps {
      let message = Message(step.values)
      let isSent = message.withPointers { pointers, lengths, formats in
        cpq_send_prepared(
          handle, step.statement, Int32(step.values.count), pointers, lengths, formats,
          Int32(cpq_binary))
      }
      guard isSent == 1 else { throw failure(nil) }
    }
    guard cpq_sync_pipeline(handle) == 1 else { throw failure(nil) }
    var rows: [PostgresRows] = []
    var problem: PostgresError?
    // Each statement's result is followed by nothing, and all of them by the word that this was all.
    while let result = try next() ?? next() {
      let found = PostgresRows(result)
      switch UInt32(cpq_result_status(result)) {
      case cpq_command_ok.rawValue, cpq_tuples_ok.rawValue: rows.append(found)
      case cpq_pipeline_aborted.rawValue: continue
      case cpq_pipeline_sync_done.rawValue:
        guard cpq_exit_pipeline(handle) == 1 else { throw problem ?? failure(nil) }
        if let problem { throw problem }
        return rows
      default: problem = problem ?? failure(result)
      }
    }
    throw problem ?? failure(nil)
  }

  /// Adds rows to a table in one statement, however large they are: in pieces, each gone before the next
  /// is handed over.
  ///
  /// - Parameters:
  ///   - table: With its columns, as in `state (sequence, bytes)`.
  ///   - rows: Whole numbers, texts and bytes, of the columns' types.
  /// - Throws: `PostgresError`; none of the rows is then there.
  /// - Complexity: O(bytes); with a query's parameters it would be O(bytes²), as libpq moves what a
  ///   socket does not take at once each time it takes some.
  func copy(_ rows: some Sequence<[PostgresValue]>, into table: String) throws {
    guard cpq_send(handle, "COPY \(table) FROM STDIN (FORMAT binary)") == 1,
      let begun = try next().map(PostgresRows.init)
    else { throw failure(nil) }
    guard UInt32(cpq_result_status(begun.handle)) == cpq_copy_in.rawValue else {
      let refusal = failure(begun.handle)
      while let rest = try next() { _ = PostgresRows(rest) }
      throw refusal
    }
    // The signature, no flags and no extension.
    var bytes: [UInt8] = "PGCOPY\n".utf8 + [0xFF, 0x0D, 0x0A, 0] + Array(repeating: 0, count: 8)
    for row in rows {
      withUnsafeBytes(of: Int16(row.count).bigEndian) { bytes.append(contentsOf: $0) }
      for value in row { value.writeWithLength(to: &bytes) }
      guard bytes.count >= Self.piece else { continue }
      try put(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    // A row of -1 columns is the end.
    bytes += [0xFF, 0xFF]
    try put(bytes)
    _ = try answer(isSent: cpq_end_copy(handle))
  }

  private func put(_ bytes: [UInt8]) throws {
    for start in stride(from: 0, to: bytes.count, by: Self.piece) {
      let piece = bytes[start..<min(start + Self.piece, bytes.count)]
      let isSent = piece.withUnsafeBytes { cpq_put(handle, $0.baseAddress, Int32($0.count)) }
      guard isSent == 1 else { throw failure(nil) }
      guard cpq_flush(handle, Int32(silence * 1_000)) == 1 else { throw silent() }
    }
  }

  /// The last result of what was sent: an error is the last one.
  private func answer(isSent: Int32) throws -> PostgresRows {
    guard isSent == 1 else { throw failure(nil) }
    var last: PostgresRows?
    while let result = try next() { last = PostgresRows(result) }
    guard let last else { throw failure(nil) }
    let status = UInt32(cpq_result_status(last.handle))
    guard status == cpq_command_ok.rawValue || status == cpq_tuples_ok.rawValue else {
      throw failure(last.handle)
    }
    return last
  }

  /// The next result; nil after the last one of a statement.
  private func next() throws -> OpaquePointer? {
    guard cpq_wait(handle, Int32(silence * 1_000)) == 1 else { throw silent() }
    return cpq_next_result(handle)
  }

  private func silent() -> PostgresError {
    lastState = ""
    hasWaited = true
    return .lost("the server has been silent for \(silence) seconds")
  }

  /// A result that is an error, or an error of the connection.
  private func failure(_ result: OpaquePointer?) -> PostgresError {
    let state = result.flatMap { cpq_sqlstate($0) }.map { String(cString: $0) } ?? ""
    let words = Self.words(result.map { cpq_result_error($0) } ?? cpq_error(handle))
    // Class 08 is the connection, 57P the server's shutdown; what has no state is libpq's own word of a
    // connection that is gone.
    lastState = state
    hasWaited = state == "55P03"
    let isEnd =
      state.isEmpty || state.hasPrefix("08") || state.hasPrefix("57P") || Self.ends.contains(state)
    return isEnd || cpq_is_open(handle) == 0
      ? .lost(words) : .refused(state: state, words)
  }

  /// Ends of a transaction that another try may not meet: it did nothing (25P03) or took too long
  /// (25P04), was canceled (57014), waited too long for a lock (55P03), or was in the way of others
  /// (40001, 40P01).
  private static let ends: Set = ["25P03", "25P04", "57014", "55P03", "40001", "40P01"]

  /// The first line of a message.
  private static func words(_ message: UnsafePointer<CChar>?) -> String {
    let text = message.map { String(cString: $0) } ?? ""
    return text.split(separator: "\n").first.map { String($0.drop { $0 == " " }) } ?? "no word why"
  }

  /// Values side by side, as libpq takes them.
  private struct Message {
    private var bytes: [UInt8] = []
    private var places: [Int] = []
    private var lengths: [Int32] = []

    init(_ values: [PostgresValue]) {
      for value in values {
        places.append(bytes.count)
        value.write(to: &bytes)
        lengths.append(Int32(bytes.count - places[places.count - 1]))
      }
      // An empty list has no address, and a null pointer is a null.
      bytes.append(0)
    }

    func withPointers<Answer>(
      _ body: (
        UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
      ) -> Answer
    ) -> Answer {
      bytes.withUnsafeBufferPointer { buffer in
        buffer.withMemoryRebound(to: CChar.self) { characters in
          let pointers: [UnsafePointer<CChar>?] = places.map { characters.baseAddress! + $0 }
          let formats = Array(repeating: Int32(cpq_binary), count: places.count)
          return body(pointers, lengths, formats)
        }
      }
    }
  }
}
