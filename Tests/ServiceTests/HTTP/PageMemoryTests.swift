// Goal: what the connections to a service's file keep in memory is bounded, and little for readers.
// Method: SQLite's own word for the limit of each.
import Foundation
import GRDB
import Testing

@testable import Service

@Suite struct PageMemoryTests {
  @Test func readersKeepFewPagesAndTheWriterMany() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "pages-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try SQLiteStore(folder: folder, programme: "any", settings: "", tables: [])
    // A negative size is one in KiB.
    func limit(_ database: Database) throws -> Int? {
      try Int.fetchOne(database, sql: "PRAGMA cache_size")
    }
    #expect(try store.pool.read(limit) == -2_048)
    #expect(try store.pool.writeWithoutTransaction(limit) == -32_768)
  }
}
