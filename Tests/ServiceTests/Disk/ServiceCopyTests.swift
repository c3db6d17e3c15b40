// Goal: a copy of a service's folder is of one instant, and whoever makes it can end it.
// Method: a writer adds rows between the steps of a copy; the copy's rows are counted.
import Foundation
import GRDB
import Testing

@testable import Service

@Suite struct ServiceCopyTests {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "copy-\(UUID().uuidString)")
  private var target: URL { folder.appending(path: "target") }

  /// A folder of eight megabytes, which take several steps, and its writer.
  private func begin() throws -> DatabasePool {
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    try Data("{}".utf8).write(to: folder.appending(path: "secrets.json"))
    let pool = try DatabasePool(path: folder.appending(path: "service.sqlite").path)
    try pool.write { database in
      try database.execute(sql: "CREATE TABLE t (bytes BLOB)")
      for _ in 0..<8 {
        try database.execute(sql: "INSERT INTO t VALUES (zeroblob(1048576))")
      }
    }
    return pool
  }

  @Test func aCopyIsOfOneInstantWhoeverWritesMeanwhile() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let pool = try begin()
    var steps = 0
    try ServiceCopy.make(of: folder, in: target) {
      steps += 1
      try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (zeroblob(1048576))") }
    }
    #expect(steps > 1)
    let copy = try DatabaseQueue(path: target.appending(path: "service.sqlite").path)
    #expect(try copy.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 8)
    #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 8 + steps)
  }

  @Test func aCopyEndsWhenItsMakerIsAskedToStop() throws {
    struct Stopped: Error {}
    defer { try? FileManager.default.removeItem(at: folder) }
    let pool = try begin()
    #expect(throws: Stopped.self) {
      try ServiceCopy.make(of: folder, in: target) { throw Stopped() }
    }
    try pool.close()
  }
}
