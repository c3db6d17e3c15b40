package import Foundation
internal import GRDB
package import RewardModel

/// A copy of a service's folder as of one instant, while the service may go on.
package enum ServiceCopy {
  /// Checks that a folder's service is of a program and its settings, while it may go on.
  ///
  /// - Throws: `ServiceError` where it is not; errors of GRDB.
  package static func check<Served: ServedProgramme>(
    _ folder: URL, _ programme: Served.Type, frame: RunFrame
  ) throws {
    let path = folder.appending(path: "service.sqlite").path
    guard FileManager.default.fileExists(atPath: path) else {
      throw ServiceError.missing(path: folder.path)
    }
    let source = try open(path)
    defer { try? source.close() }
    try source.read { database in
      try SQLiteStore.check(
        path, Served.id, ServiceHost<Served.Machine>.settings(frame), database)
    }
  }

  private static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(10)
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Copies journal, tables and secrets; states that are kept are left out, as the journal holds all.
  ///
  /// - Parameters:
  ///   - folder: Of a service.
  ///   - target: An empty folder.
  ///   - goOn: Asked every few megabytes; what it throws ends the copy.
  /// - Throws: Errors of the file system and GRDB, and those of `goOn`.
  /// - Complexity: O(bytes).
  package static func make(
    of folder: URL, in target: URL, asking goOn: @escaping () throws -> Void = {}
  ) throws {
    let source = try open(folder.appending(path: "service.sqlite").path)
    let copy = try DatabaseQueue(path: target.appending(path: "service.sqlite").path)
    try source.read { original in
      // A transaction that has read sees the same state in every step, whoever writes meanwhile.
      _ = try Int.fetchOne(original, sql: "SELECT count(*) FROM sqlite_master")
      try copy.writeWithoutTransaction { copied in
        try original.backup(to: copied, pagesPerStep: 1_024) { _ in try goOn() }
      }
    }
    try copy.close()
    try source.close()
    try FileManager.default.copyItem(
      at: folder.appending(path: "secrets.json"), to: target.appending(path: "secrets.json"))
  }
}
