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

  /// Refuses a folder that has files and no service: what a service leaves, and what becomes of it,
  /// does not belong among them.
  ///
  /// - Throws: `ServiceError.foreign`, or an error of the file system.
  private static func refuseForeign(_ folder: URL) throws {
    let files = FileManager.default
    var isFolder: ObjCBool = false
    // What is missing is made, and what is no folder is told by the lock.
    guard files.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue else {
      return
    }
    let names = try files.contentsOfDirectory(atPath: folder.path)
    // One that was stopped at its first start has some of its files; a new disk has a folder of its own.
    let own = /lock|secrets\.json|service\.sqlite.*|state-.*|lost\+found/
    guard names.contains("service.sqlite") || names.allSatisfy({ $0.wholeMatch(of: own) != nil })
    else { throw ServiceError.foreign(path: folder.path) }
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
      try Self.refuseForeign(folder)
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
  /// - Returns: What is wrong and a copy does not show, in words.
  /// - Throws: `ServiceError`, and errors of the file system and GRDB.
  /// - Complexity: O(bytes).
  @discardableResult
  package func copy<Served: ServedProgramme>(
    _ programme: Served.Type, frame: RunFrame, in target: URL
  ) throws -> [String] {
    switch self {
    case .folder(let folder):
      try ServiceCopy.make(of: folder, in: target)
      return []
    case .postgres(let address, let file):
      let secrets = try ServiceSecrets(file: file, isNew: false)
      let settings = ServiceHost<Served.Machine>.settings(frame)
      let store = try PostgresStore(
        address, programme: Served.id, settings: settings, tables: Served.Machine.tables,
        isWritten: false
      ) { isNew in
        guard !isNew else { throw ServiceError.missing(path: address.name) }
        return try secrets.digest()
      }
      try FileManager.default.copyItem(
        at: file, to: target.appending(path: ServiceSecrets.fileName))
      return try store.copy(in: target, programme: Served.id, settings: settings)
    }
  }
}
