internal import CKernel
internal import EventKernel
internal import Quantities

/// The rows of all members in one block, each row on a cache line of its own.
///
/// A Swift array would put its 32-byte header in front and so every row across two lines; and one
/// block can be backed by huge pages, which cuts the cost of a miss by about a third.
///
/// This is the one type whose memory several cells share. It is safe to send between threads
/// because each cell takes a range of its own (`share` refuses one that is taken) and a cell runs
/// on one thread at a time.
final class MemberRegion<Row: BitwiseCopyable & Sendable>: @unchecked Sendable {
  private let base: UnsafeMutablePointer<Row>
  private let count: Int
  /// Rows given out, from the first on.
  private var taken = 0

  /// Equal rows; `count` may be 0.
  init(count: Int, blank: Row) {
    let bytes = max(count, 1) * MemoryLayout<Row>.stride
    let alignment = bytes >= 4 << 20 ? 2 << 20 : 64
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: alignment)
    if alignment > 64 { ck_advise_huge(memory, bytes) }
    base = memory.bindMemory(to: Row.self, capacity: max(count, 1))
    base.initialize(repeating: blank, count: max(count, 1))
    self.count = count
  }

  deinit { UnsafeMutableRawPointer(base).deallocate() }

  /// Gives out the next rows, before any cell runs.
  ///
  /// - Precondition: That many are left.
  func share(_ rows: Int) -> MemberShare<Row> {
    precondition(taken + rows <= count, "a region gives out each of its rows once")
    defer { taken += rows }
    return MemberShare(region: self, base: base + taken, count: rows)
  }
}

/// A cell's rows of a region, which it keeps alive.
///
/// Unchecked, because it holds a pointer: no two shares have a row in common, and the cell that
/// holds one runs on one thread at a time.
struct MemberShare<Row: BitwiseCopyable & Sendable>: @unchecked Sendable {
  private let region: MemberRegion<Row>
  private let base: UnsafeMutablePointer<Row>
  private let count: Int

  fileprivate init(region: MemberRegion<Row>, base: UnsafeMutablePointer<Row>, count: Int) {
    self.region = region
    self.base = base
    self.count = count
  }

  /// The rows, in the order of the members.
  var rows: UnsafeMutableBufferPointer<Row> {
    UnsafeMutableBufferPointer(start: base, count: count)
  }
}
