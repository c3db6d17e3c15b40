internal import CKernel
internal import Quantities

/// A block of zeroed memory straight from the operating system, given back when dropped.
///
/// Pages cost nothing until they are touched; blocks of 4 MiB and more start on a 2 MiB boundary
/// and ask for huge pages, which cuts a cache miss by about a third.
///
/// The address is a plain number here; that only one thread at a time writes to that memory is up
/// to the owner, a value that cannot be copied.
final class MappedMemory: Sendable {
  /// First byte; a multiple of 4096.
  let address: UInt
  private let mappedAddress: UInt
  private let mappedBytes: Int

  init(bytes wanted: Int) {
    let huge = 2 << 20
    let isHuge = wanted >= 2 * huge
    let size = (wanted + 4095) & ~4095
    let total = isHuge ? size + huge : size
    let raw = mmap(
      nil, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | Int32(MAP_ANONYMOUS), -1, 0)
    let start = UInt(bitPattern: raw)
    invariant(start != 0 && start != UInt.max, "the operating system has no \(total) bytes left")
    mappedAddress = start
    mappedBytes = total
    address = isHuge ? (start + UInt(huge - 1)) & ~UInt(huge - 1) : start
    if isHuge { ck_advise_huge(UnsafeMutableRawPointer(bitPattern: address), size) }
  }

  deinit { munmap(UnsafeMutableRawPointer(bitPattern: mappedAddress), mappedBytes) }
}
