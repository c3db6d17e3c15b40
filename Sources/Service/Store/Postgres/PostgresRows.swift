internal import CPostgres

/// The rows that a statement gave, in binary form; its memory is libpq's.
final class PostgresRows {
  let handle: OpaquePointer

  /// - Parameter handle: Becomes its own.
  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { cpq_clear(handle) }

  var count: Int { Int(cpq_rows(handle)) }
  /// As in `COMMIT`.
  var command: String { String(cString: cpq_command(handle)) }

  func isAbsent(_ row: Int, _ column: Int) -> Bool {
    cpq_is_null(handle, Int32(row), Int32(column)) == 1
  }

  /// A number of 1, 4 or 8 bytes.
  func whole(_ row: Int, _ column: Int) -> Int64 {
    let bytes = raw(row, column)
    let word = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let unused = UInt64(64 - 8 * min(bytes.count, 8))
    return unused == 64 ? 0 : Int64(bitPattern: word << unused) >> Int64(unused)
  }

  func real(_ row: Int, _ column: Int) -> Double {
    Double(bitPattern: UInt64(bitPattern: whole(row, column)))
  }

  func text(_ row: Int, _ column: Int) -> String {
    String(decoding: raw(row, column), as: UTF8.self)
  }

  func bytes(_ row: Int, _ column: Int) -> [UInt8] { Array(raw(row, column)) }

  private func raw(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: cpq_value(handle, Int32(row), Int32(column)),
      count: Int(cpq_length(handle, Int32(row), Int32(column))))
  }
}
