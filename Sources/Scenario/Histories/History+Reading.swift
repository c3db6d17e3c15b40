package import RewardModel

extension History {
  /// The largest file that is read.
  static let byteLimit = 1 << 30

  /// Reads a history file: CSV as in RFC 4180.
  ///
  /// - Parameters:
  ///   - form: What the program's histories hold.
  ///   - path: Messages name it as given.
  ///   - zone: IANA name of the zone of times without one.
  /// - Throws: `InputErrors` with every finding, each `file:line: what is wrong; what to write
  ///   instead`.
  package static func read(
    _ form: HistoryForm, path: String, zone: String
  ) throws(InputErrors) -> History {
    let bytes = try InputFile.bytes(path: path, limit: byteLimit, limitText: "1 GiB")
    return try read(form, bytes: bytes, file: path, zone: zone)
  }

  /// Reads the bytes of a history; messages name it `file`.
  ///
  /// - Throws: `InputErrors` with every finding.
  package static func read(
    _ form: HistoryForm, bytes: [UInt8], file: String, zone: String
  ) throws(InputErrors) -> History {
    var reader = try HistoryReader(form, bytes: bytes, file: file, zone: zone)
    return try reader.read()
  }
}
