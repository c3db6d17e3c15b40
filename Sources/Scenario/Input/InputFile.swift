internal import Foundation

/// Reads whole input files within a bound.
enum InputFile {
  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - path: As the user gave it.
  ///   - limit: The most bytes accepted.
  ///   - limitText: The same for people, for example `1 MiB`.
  /// - Throws: `InputErrors` of kind `unreadable` when the file cannot be opened or read, of kind
  ///   `content` when it is larger than `limit`.
  static func bytes(path: String, limit: Int, limitText: String) throws(InputErrors) -> [UInt8] {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      var status = stat()
      let isLoop = stat(path, &status) != 0 && errno == ELOOP
      throw unreadable(
        path,
        isLoop
          ? "is a loop of symbolic links; name a file"
          : "no such file; check the name and the working directory")
    }
    guard !isDirectory.boolValue else {
      throw unreadable(path, "is a directory; name a file")
    }
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw unreadable(path, "cannot be opened; check that it may be read")
    }
    defer { try? handle.close() }
    var bytes: [UInt8] = []
    do {
      // A pipe hands out its content in pieces; an empty piece is the end.
      while bytes.count <= limit,
        let piece = try handle.read(upToCount: limit + 1 - bytes.count), !piece.isEmpty
      {
        bytes.append(contentsOf: piece)
      }
    } catch {
      throw unreadable(path, "reading failed; check the disk and try again")
    }
    guard bytes.count <= limit else {
      throw InputErrors([
        InputFinding(
          source: path, message: "is larger than \(limitText); name a smaller file")
      ])
    }
    return bytes
  }

  private static func unreadable(_ path: String, _ message: String) -> InputErrors {
    InputErrors(kind: .unreadable, [InputFinding(source: path, message: message)])
  }

  /// Line and column of the first byte that is not UTF-8, from 1; nil when all is well.
  static func firstInvalidUTF8(_ bytes: [UInt8]) -> (line: Int, column: Int)? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    var line = 1
    var column = 0
    var rest = bytes.makeIterator()
    var decoder = UTF8()
    while true {
      switch decoder.decode(&rest) {
      case .scalarValue(let scalar):
        column += 1
        if scalar == "\n" {
          line += 1
          column = 0
        }
      case .emptyInput: return nil
      case .error: return (line, column + 1)
      }
    }
  }
}
