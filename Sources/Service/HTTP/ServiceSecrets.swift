package import Foundation

/// What a service must keep to itself: the keys of codes and tokens, and its administrator's token.
///
/// A file of its own, which only its owner may read; it is not in the journal nor in any backup of
/// the database.
package struct ServiceSecrets: Sendable, Codable {
  /// Of the program: codes and draws.
  package var programme: UInt64
  /// Signs the members' tokens: 32 bytes.
  package var tokens: Data
  /// What an administrator sends as a bearer token.
  package var administrator: String

  /// Reads a folder's secrets, or makes new ones.
  ///
  /// - Throws: An error of the file system, or of the decoder for a file that is none of these.
  package init(folder: URL) throws {
    let file = folder.appending(path: "secrets.json")
    if let data = try? Data(contentsOf: file) {
      self = try JSONDecoder().decode(ServiceSecrets.self, from: data)
      return
    }
    programme = UInt64.random(in: .min ... .max)
    tokens = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    administrator = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }
      .joined()
    let data = try JSONEncoder().encode(self)
    guard
      FileManager.default.createFile(
        atPath: file.path, contents: data, attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path]) }
  }
}
