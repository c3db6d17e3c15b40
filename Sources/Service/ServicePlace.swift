package import Foundation
package import RewardModel

/// Where a service keeps what it has.
package enum ServicePlace: Sendable {
  /// A folder that belongs to one process.
  case folder(URL)
  /// A database that several processes may share, with a file of secrets that all of them have.
  case postgres(PostgresAddress, secrets: URL)

  /// What a process has of a service: its secrets, its store, and the lock of a folder.
  struct Opened: Sendable {
    var secrets: ServiceSecrets
    var store: any ServiceStore
    var lock: FolderLock?
  }

  /// For people.
  package var name: String {
    switch self {
    case .folder(let folder): folder.path
    case .postgres(let address, _): address.name
    }
  }

  /// Opens it, or makes it where there is nothing.
  ///
  /// - Parameters:
  ///   - programme: Its id.
  ///   - settings: What the rules depend on.
  ///   - tables: Of its machine.
  /// - Throws: `ServiceError`, and errors of the file system and GRDB.
  func open(programme: String, settings: String, tables: [ServedTable]) throws -> Opened {
    switch self {
    case .folder(let folder):
      let lock = try FolderLock(folder)
      let secrets = try ServiceSecrets(folder: folder)
      let store = try SQLiteStore(
        folder: folder, programme: programme, settings: settings, tables: tables)
      return Opened(secrets: secrets, store: store, lock: lock)
    case .postgres(let address, let file):
      var found: ServiceSecrets?
      let store = try PostgresStore(
        address, programme: programme, settings: settings, tables: tables
      ) { isNew in
        let secrets = try ServiceSecrets(file: file, isNew: isNew)
        found = secrets
        return try secrets.digest()
      }
      guard let found else { throw ServiceError.secrets(path: file.path) }
      return Opened(secrets: found, store: store)
    }
  }

  /// Copies a service as of one instant into an empty folder, while it may go on.
  ///
  /// - Parameter frame: As the service was begun with.
  /// - Throws: `ServiceError`, and errors of the file system and GRDB.
  /// - Complexity: O(bytes).
  package func copy<Served: ServedProgramme>(
    _ programme: Served.Type, frame: RunFrame, in target: URL
  ) throws {
    switch self {
    case .folder(let folder): try ServiceCopy.make(of: folder, in: target)
    case .postgres(let address, let file):
      let secrets = try ServiceSecrets(file: file, isNew: false)
      let settings = ServiceHost<Served.Machine>.settings(frame)
      let store = try PostgresStore(
        address, programme: Served.id, settings: settings, tables: Served.Machine.tables
      ) { isNew in
        guard !isNew else { throw ServiceError.missing(path: address.name) }
        return try secrets.digest()
      }
      try FileManager.default.copyItem(
        at: file, to: target.appending(path: ServiceSecrets.fileName))
      try store.copy(in: target, programme: Served.id, settings: settings)
    }
  }
}
