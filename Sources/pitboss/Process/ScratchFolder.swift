internal import Foundation
internal import Service

/// A new, empty folder for what a command works out and throws away; nothing else has its name.
struct ScratchFolder: ~Copyable {
  /// The place for such folders is of no use.
  struct Failure: Error, CustomStringConvertible {
    let words: String

    var description: String {
      "\(FileManager.default.temporaryDirectory.path): \(words); set TMPDIR to a folder with space"
    }
  }

  /// Free bytes below which a place is full: SQLite tells no other reason from that in all that it
  /// writes beside a database.
  private static let least = 256 * 1_024

  /// Audits a service with a new scratch folder, which is all that is written.
  ///
  /// - Parameter service: Its folder or database, by name.
  /// - Throws: `Failure` where none can be made or its space is used up; what `body` throws.
  static func auditing<Answer>(
    _ service: String, _ purpose: String, _ body: (borrowing ScratchFolder) throws -> Answer
  ) throws -> Answer {
    let folder = try ScratchFolder(purpose)
    do {
      return try body(folder)
    } catch let error where DiskFailure.isFull(error) || folder.isFull {
      throw Failure(words: "no space left to audit \(service)")
    }
  }

  private var isFull: Bool {
    var space = statvfs()
    return statvfs(url.path, &space) == 0
      && Int(space.f_bavail) * Int(space.f_frsize) < Self.least
  }

  let url: URL

  /// - Throws: `Failure` where none can be made.
  init(_ purpose: String) throws {
    var template = Array(
      FileManager.default.temporaryDirectory.appending(path: "pitboss-\(purpose)-XXXXXX").path
        .utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(words: String(cString: strerror(errno)))
    }
    let path = template.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
    url = URL(fileURLWithPath: path)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// A folder in it.
  ///
  /// - Throws: Where it cannot be made.
  borrowing func folder(_ name: String) throws -> URL {
    let folder = url.appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    return folder
  }
}
