// A service's folder belongs to one process. Refusals are repeated while other files are opened
// and closed in the same process, where a descriptor that is closed twice is somebody else's.
import BlakJaks
import Foundation
import RunStore
import Testing

@testable import Service

@Suite("The lock of a service's folder")
struct FolderLockTests {
  @Test("A refused lock closes nothing that another thread has opened")
  func refusal() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "lock-\(UInt64.random(in: .min ... .max))")
    defer { try? FileManager.default.removeItem(at: folder) }
    let lock = try FolderLock(folder)
    defer { withExtendedLifetime(lock) {} }
    let refusals = Task.detached {
      for _ in 0..<20_000 {
        #expect(throws: ServiceError.taken(path: folder.path)) { try FolderLock(folder) }
      }
    }
    for round in 0..<20 {
      let own = folder.appending(path: "\(round)")
      try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
      let store = try SQLiteStore(
        folder: own, programme: "test", settings: "", tables: BlakJaksMachine.tables)
      #expect(try store.lastTime() == nil)
    }
    await refusals.value
  }

  @Test("A new folder is for its owner alone")
  func permissions() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "lock-\(UInt64.random(in: .min ... .max))")
    defer { try? FileManager.default.removeItem(at: folder) }
    let lock = try FolderLock(folder)
    defer { withExtendedLifetime(lock) {} }
    let found = try FileManager.default.attributesOfItem(atPath: folder.path)
    #expect(found[.posixPermissions] as? Int == 0o700)
  }

  @Test("A lock that cannot be opened says why")
  func unopened() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "lock-\(UInt64.random(in: .min ... .max))")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(
      at: folder.appending(path: "lock"), withIntermediateDirectories: true)
    let error = #expect(throws: CocoaError.self) { try FolderLock(folder) }
    #expect((error?.underlying as? POSIXError)?.code == .EISDIR)
  }

  @Test("What is no folder is told so")
  func noFolder() throws {
    do {
      _ = try FolderLock(URL(fileURLWithPath: "/dev/null"))
      Issue.record("/dev/null was taken")
    } catch {
      #expect((error as? CocoaError)?.filePath == "/dev/null")
      #expect(SystemWords.of(error) == "Not a directory")
    }
  }

  @Test("A service begins in a new or an empty folder, or goes on in its own, and in no other")
  func foreign() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "foreign-\(UInt64.random(in: .min ... .max))")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    func begin() throws -> ServicePlace.Opened {
      try ServicePlace.folder(folder).open(programme: "tea", settings: "", tables: [])
    }
    let notes = folder.appending(path: "notes.txt")
    try Data("mine".utf8).write(to: notes)
    #expect(throws: ServiceError.foreign(path: folder.path)) { try begin() }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["notes.txt"],
      "a refused service leaves something")
    try FileManager.default.removeItem(at: notes)
    // What a first start that was stopped leaves is its own.
    withExtendedLifetime(try FolderLock(folder)) {}
    withExtendedLifetime(try begin()) {}
    try Data("mine".utf8).write(to: notes)
    withExtendedLifetime(try begin()) {}
  }

  @Test("A folder is free again when its lock is gone")
  func release() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "lock-\(UInt64.random(in: .min ... .max))")
    defer { try? FileManager.default.removeItem(at: folder) }
    var lock: FolderLock? = try FolderLock(folder)
    #expect(throws: ServiceError.taken(path: folder.path)) { try FolderLock(folder) }
    #expect(lock != nil)
    lock = nil
    lock = try FolderLock(folder)
  }

  @Test("A released lock leaves the folder to others, and closes nothing a second time")
  func releasedByHand() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "lock-\(UInt64.random(in: .min ... .max))")
    defer { try? FileManager.default.removeItem(at: folder) }
    let lock = try FolderLock(folder)
    lock.release()
    let other = try FolderLock(folder)
    // Its file has the descriptor of the one that is closed.
    lock.release()
    #expect(throws: ServiceError.taken(path: folder.path)) { try FolderLock(folder) }
    withExtendedLifetime((lock, other)) {}
  }

  @Test("A stopped service has left its folder when the stop ends, whoever still holds its engine")
  func stopped() async throws {
    let service = try ServiceFixture()
    let engine = service.engine
    #expect(throws: ServiceError.taken(path: service.folder.path)) {
      try FolderLock(service.folder)
    }
    service.close()
    withExtendedLifetime(try FolderLock(service.folder)) {}
    #expect(engine.failure == nil)
    for await failure in engine.failures { Issue.record("a stopped writer fails: \(failure)") }
  }
}
