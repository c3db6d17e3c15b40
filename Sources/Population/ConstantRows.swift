/// Rows that are written once and then only read, in memory of their own and without a reference: a
/// loop counts none, and threads that read them have none to share.
///
/// Unchecked, because it holds a pointer: nobody can write through it.
@usableFromInline
struct ConstantRows<Row: BitwiseCopyable & Sendable>: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline let first: UnsafePointer<Row>
  @usableFromInline let count: Int

  /// A copy of rows; whoever keeps it calls `deallocate` once, after the last look.
  init(_ rows: [Row]) {
    let memory = UnsafeMutableBufferPointer<Row>.allocate(capacity: max(rows.count, 1))
    _ = memory.initialize(from: rows)
    first = UnsafePointer(memory.baseAddress!)
    count = rows.count
  }

  func deallocate() { first.deallocate() }

  @inlinable
  subscript(row: Int) -> Row {
    precondition(row >= 0 && row < count, "a table is asked for a row that it has not")
    return first[row]
  }
}
