internal import Crypto
package import Foundation

/// What a service must keep to itself: the keys of codes and tokens, and its administrator's token.
///
/// A file of its own, which only its owner may read; it is not in the journal nor in any backup of
/// the database.
package struct ServiceSecrets: Sendable, Codable {
  /// Of the file in a service's folder.
  package static let fileName = "secrets.json"

  /// Of the program: codes and draws.
  package var programme: UInt64
  /// Signs the members' tokens: 32 bytes.
  package var tokens: Data
  /// What an administrator sends as a bearer token.
  package var administrator: String

  /// Secrets of a trial, which are none.
  init(trial programme: UInt64) {
    self.programme = programme
    tokens = Data(repeating: 0, count: 32)
    administrator = "trial"
  }

  /// Reads a folder's secrets; makes them where the folder holds no service yet.
  ///
  /// They are never replaced: without them no tin that was printed has its code.
  ///
  /// - Throws: `ServiceError.secrets` where a service's are missing or cannot be read,
  ///   `.secretsUnmade` where new ones cannot be written.
  package init(folder: URL) throws {
    let database = folder.appending(path: "service.sqlite")
    try self.init(
      file: folder.appending(path: Self.fileName),
      isNew: !FileManager.default.fileExists(atPath: database.path))
  }

  /// Reads a file of secrets; makes it where it is missing and the service is new.
  ///
  /// - Throws: `ServiceError.secrets`, `.secretsUnmade`.
  init(file: URL, isNew: Bool) throws {
    if !isNew || FileManager.default.fileExists(atPath: file.path) {
      do {
        self = try JSONDecoder().decode(ServiceSecrets.self, from: try Data(contentsOf: file))
      } catch {
        throw ServiceError.secrets(path: file.path)
      }
      return
    }
    programme = UInt64.random(in: .min ... .max)
    tokens = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    administrator = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }
      .joined()
    let data = try JSONEncoder().encode(self)
    // Nobody else can read them at any time, and no file is overwritten.
    let descriptor = open(file.path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw ServiceError.secretsUnmade(path: file.path, String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    let written = data.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard written == data.count, fsync(descriptor) == 0 else {
      let why = written < 0 || written == data.count ? errno : ENOSPC
      unlink(file.path)
      throw ServiceError.secretsUnmade(path: file.path, String(cString: strerror(why)))
    }
  }

  /// What tells these secrets from others, and nothing else of them.
  func digest() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return Array(SHA256.hash(data: try encoder.encode(self)))
  }
}
