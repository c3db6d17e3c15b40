internal import CKernel
internal import EventKernel
internal import Quantities

/// The rows of all members in one block, each row on a cache line of its own.
///
/// A Swift array would put its 32-byte header in front and so every row across two lines; and one
/// block can be backed by huge pages, which cuts the cost of a miss by about a third.
///
/// The address is kept as a number: cells own disjoint ranges and run on one thread at a time, so
/// the region may be shared between threads.
final class MemberRegion<Row: BitwiseCopyable & Sendable>: Sendable {
  private let address: UInt

  /// Equal rows; `count` may be 0.
  init(count: Int, blank: Row) {
    let bytes = max(count, 1) * MemoryLayout<Row>.stride
    let alignment = bytes >= 4 << 20 ? 2 << 20 : 64
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: alignment)
    if alignment > 64 { ck_advise_huge(memory, bytes) }
    memory.bindMemory(to: Row.self, capacity: max(count, 1))
      .initialize(repeating: blank, count: max(count, 1))
    address = UInt(bitPattern: memory)
  }

  deinit { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }

  /// The address of a member's row.
  func address(of member: Int) -> UInt {
    address + UInt(member * MemoryLayout<Row>.stride)
  }
}
