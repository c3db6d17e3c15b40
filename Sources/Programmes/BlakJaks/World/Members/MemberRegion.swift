internal import CKernel
internal import Dispatch
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
  ///
  /// - Parameter threads: Write them side by side, as memory that is touched first comes slowly.
  init(count: Int, blank: Row, threads: Int = 1) {
    var bytes = max(count, 1) * MemoryLayout<Row>.stride
    let huge = 2 << 20
    let alignment = bytes >= huge / 2 ? huge : 64
    if alignment == huge { bytes = (bytes + huge - 1) / huge * huge }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: alignment)
    if alignment > 64 { ck_advise_huge(memory, bytes) }
    base = memory.bindMemory(to: Row.self, capacity: max(count, 1))
    self.count = count
    let all = MemberShare(first: base, count: max(count, 1))
    DispatchQueue.concurrentPerform(iterations: threads) { part in
      let rows = all.rows
      let range = rows.count * part / threads..<rows.count * (part + 1) / threads
      UnsafeMutableBufferPointer(rebasing: rows[range]).initialize(repeating: blank)
    }
  }

  deinit { UnsafeMutableRawPointer(base).deallocate() }

  /// Gives out the next rows, before any cell runs.
  ///
  /// - Precondition: That many are left.
  func share(_ rows: Int) -> MemberShare<Row> {
    precondition(taken + rows <= count, "a region gives out each of its rows once")
    defer { taken += rows }
    return MemberShare(first: base + taken, count: rows)
  }
}

/// A cell's rows of a region, which must outlive it.
///
/// Unchecked, because it holds a pointer: no two shares have a row in common, and the cell that
/// holds one runs on one thread at a time. It has no reference to the region, as counting one for
/// each look at a row costs more than the look.
struct MemberShare<Row: BitwiseCopyable & Sendable>: BitwiseCopyable, @unchecked Sendable {
  /// The first row; there is one at least.
  let first: UnsafeMutablePointer<Row>
  fileprivate let count: Int

  /// The rows, in the order of the members.
  var rows: UnsafeMutableBufferPointer<Row> {
    UnsafeMutableBufferPointer(start: first, count: count)
  }
}

/// The memory of all members of a world, which keeps it while its cells run.
final class MemberMemory: Sendable {
  let rows: MemberRegion<MemberRow>
  /// Tins bought.
  let tins: MemberRegion<UInt32>
  /// When each member is due next; padded to whole vectors at each cell's end.
  let due: MemberRegion<UInt16>
  /// Of each block of them, before when none is due; padded as they are.
  let leasts: MemberRegion<UInt16>
  /// Nil where a scenario asks for none.
  let extras: MemberRegion<MemberExtras>?

  /// Blank rows.
  ///
  /// - Parameters:
  ///   - size: Of the cells.
  ///   - threads: Write them side by side.
  init(members: Int, size: CellSize, hasExtras: Bool, threads: Int = 1) {
    let cells = (members + size.capacity - 1) / size.capacity
    // All cells but the last are full.
    due = MemberRegion(count: MemberMemory.padded(size.capacity) * cells, blank: DueSlots.far)
    leasts = MemberRegion(
      count: MemberMemory.paddedBlocks(size.capacity) * cells, blank: DueSlots.far)
    rows = MemberRegion(count: members, blank: MemberRow(), threads: threads)
    tins = MemberRegion(count: members, blank: 0)
    extras =
      hasExtras ? MemberRegion(count: members, blank: MemberExtras(), threads: threads) : nil
  }

  /// Members and what fills the last block of a cell.
  static func padded(_ members: Int) -> Int {
    (members + DueSlots.block - 1) / DueSlots.block * DueSlots.block
  }

  /// Blocks of members and what fills their last vector.
  static func paddedBlocks(_ members: Int) -> Int {
    padded(padded(members) / DueSlots.block)
  }
}
