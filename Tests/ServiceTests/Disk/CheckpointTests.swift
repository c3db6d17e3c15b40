// Goal: the log of a service's file begins anew while its writer never rests, and nothing is lost.
// Method: thousands of transactions by one writer beside the checkpoints; the log's size after each.
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Service

@Suite struct CheckpointTests {
  @Test("The log stays short under a writer who never rests", arguments: [0, 1])
  func shortLog(milliseconds: Int) throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "checkpoints-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "file.sqlite").path
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write {
      try $0.execute(sql: "CREATE TABLE t (number INTEGER PRIMARY KEY, text TEXT)")
    }
    let checkpoints = try Checkpoints(
      path: path, between: .milliseconds(milliseconds), longLog: 100)
    let text = String(repeating: "x", count: 3_000)
    let count = 3_000
    for number in 1...count {
      try pool.write {
        try $0.execute(sql: "INSERT INTO t VALUES (?, ?)", arguments: [number, text])
      }
      checkpoints.note()
      checkpoints.endLog(pool)
    }
    // Each transaction adds two pages or more; without an end the log would have some 6,000.
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int)
    #expect(size < 3_000 * 4_096, "\(size / 4_096) pages")
    #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == count)
    // An orderly stop leaves nothing of it behind, and all of the file.
    checkpoints.emptyLog(pool)
    let rest = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
    #expect(rest == 0)
    let alone = folder.appending(path: "alone.sqlite").path
    try FileManager.default.copyItem(atPath: path, toPath: alone)
    let copy = try DatabaseQueue(path: alone)
    #expect(try copy.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == count)
    try pool.close()
  }
}
