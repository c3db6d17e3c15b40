package import Foundation
internal import GRDB

/// A copy of a service's folder as of one instant, while the service may go on.
package enum ServiceCopy {
  /// Copies journal, tables and secrets; states that are kept are left out, as the journal holds all.
  ///
  /// - Parameters:
  ///   - folder: Of a service.
  ///   - target: An empty folder.
  /// - Throws: Errors of the file system and GRDB.
  /// - Complexity: O(bytes).
  package static func make(of folder: URL, in target: URL) throws {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(10)
    let source = try DatabaseQueue(
      path: folder.appending(path: "service.sqlite").path, configuration: configuration)
    let copy = try DatabaseQueue(path: target.appending(path: "service.sqlite").path)
    // In one step, so that no writer begins it anew.
    try source.backup(to: copy)
    try copy.close()
    try source.close()
    try FileManager.default.copyItem(
      at: folder.appending(path: "secrets.json"), to: target.appending(path: "secrets.json"))
  }
}
