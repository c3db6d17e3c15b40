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
    var bytes = max(count, 1) * MemoryLayout<Row>.stride
    let huge = 2 << 20
    let alignment = bytes >= huge / 2 ? huge : 64
    if alignment == huge { bytes = (bytes + huge - 1) / huge * huge }
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
    return MemberShare(rows: UnsafeMutableBufferPointer(start: base + taken, count: rows))
  }
}

/// A cell's rows of a region, which must outlive it.
///
/// Unchecked, because it holds a pointer: no two shares have a row in common, and the cell that
/// holds one runs on one thread at a time. It has no reference to the region, as counting one for
/// each look at a row costs more than the look.
struct MemberShare<Row: BitwiseCopyable & Sendable>: BitwiseCopyable, @unchecked Sendable {
  /// The rows, in the order of the members.
  let rows: UnsafeMutableBufferPointer<Row>
}

/// The memory of all members of a world, which keeps it while its cells run.
final class MemberMemory: Sendable {
  let rows: MemberRegion<MemberRow>
  /// Tins bought.
  let tins: MemberRegion<UInt32>
  /// When each member is due next; padded to whole vectors at each cell's end.
  let due: MemberRegion<UInt16>
  /// Scans by minute, cell by cell.
  let minutes: MemberRegion<ScanMinute>
  /// Nil where a scenario asks for none.
  let extras: MemberRegion<MemberExtras>?

  /// Blank rows.
  ///
  /// - Parameters:
  ///   - size: Of the cells.
  ///   - minutesOfWindow: Minutes of the clock that a window can touch.
  init(members: Int, size: CellSize, minutesOfWindow: Int, hasExtras: Bool) {
    let cells = (members + size.capacity - 1) / size.capacity
    minutes = MemberRegion(count: cells * minutesOfWindow, blank: ScanMinute())
    // All cells but the last are full.
    due = MemberRegion(
      count: MemberMemory.padded(size.capacity) * cells, blank: Cell.far)
    rows = MemberRegion(count: members, blank: MemberRow())
    tins = MemberRegion(count: members, blank: 0)
    extras = hasExtras ? MemberRegion(count: members, blank: MemberExtras()) : nil
  }

  /// Members and what fills the last vector of a cell.
  static func padded(_ members: Int) -> Int { (members + 15) / 16 * 16 }
}
