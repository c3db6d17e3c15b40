// What is copied into a table of PostgreSQL in pieces is there bit for bit, or nothing of it is.
import TestSupport
import Testing

@testable import Service

@Suite(
  "Rows that go to PostgreSQL in pieces",
  .enabled(if: PostgresServer.programs != nil, "PostgreSQL is not installed"))
struct PostgresCopyTests {
  private func connection() throws -> PostgresConnection {
    let server = try PostgresServer.shared.get()
    let address = try #require(PostgresAddress(server.address(of: try server.makeDatabase())))
    let connection = try PostgresConnection(address)
    try connection.run(
      "CREATE TEMP TABLE copied (number bigint PRIMARY KEY, name text, bytes bytea NOT NULL)")
    return connection
  }

  @Test("Rows of every size arrive as they were", .timeLimit(.minutes(5)))
  func sizes() throws {
    let connection = try connection()
    let piece = PostgresConnection.piece
    let sizes = [0, 1, piece - 100, piece, piece + 1, 10 * piece + 7]
    let all = sizes.map { size in (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) } }
    let rows = all.enumerated().map { number, bytes -> [PostgresValue] in
      [.whole(Int64(-number)), .text("état \(number)"), .bytes(bytes)]
    }
    try connection.copy(rows, into: "copied (number, name, bytes)")
    // The connection goes on.
    let found = try connection.query("SELECT number, name, bytes FROM copied ORDER BY number DESC")
    #expect(found.count == sizes.count)
    for (row, bytes) in all.enumerated() {
      #expect(found.whole(row, 0) == Int64(-row))
      #expect(found.text(row, 1) == "état \(row)")
      #expect(found.bytes(row, 2) == bytes)
    }
    try connection.copy([], into: "copied (number, name, bytes)")
    let count = try connection.query("SELECT count(*) FROM copied").whole(0, 0)
    #expect(count == Int64(sizes.count))
  }

  @Test("A row that the server refuses is told with its reason, and none is there")
  func refusal() throws {
    let connection = try connection()
    let row: [PostgresValue] = [.whole(1), .text(""), .bytes(Array(repeating: 1, count: 1 << 20))]
    do {
      try connection.copy([row, row, row], into: "copied (number, name, bytes)")
      Issue.record("a key was there twice")
    } catch PostgresError.refused(let state, _) { #expect(state == "23505") }
    do {
      try connection.copy([row], into: "missing (number)")
      Issue.record("a table was missing")
    } catch PostgresError.refused(let state, _) { #expect(state == "42P01") }
    let count = try connection.query("SELECT count(*) FROM copied").whole(0, 0)
    #expect(count == 0)
  }
}
