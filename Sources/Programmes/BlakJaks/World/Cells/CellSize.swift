internal import Quantities

/// How many members a cell has, and so where each one stands.
struct CellSize: Sendable {
  /// Members of a full cell where nothing asks for more.
  static let smallest = 4_096
  /// More would not fit the 16 bits that number a cell's members.
  private static let largest = 65_536
  /// Cells where one has more members than it must, so that there are enough to share out.
  private static let fewest = 6

  private let shift: Int

  /// Members of every cell but the last; a power of two.
  var capacity: Int { 1 << shift }

  /// The size for a number of members: what a cell costs beside them, window by window, then stays
  /// small, and there are enough cells to share out.
  ///
  /// - Parameter hasRings: Whether bots copy codes cell by cell: which ones must not depend on how
  ///   many members there are.
  init(members: Int, hasRings: Bool) {
    var size = CellSize.smallest
    while !hasRings, size < CellSize.largest, size * 2 * CellSize.fewest <= members { size *= 2 }
    self.init(capacity: size)
  }

  /// Cells of so many members: a power of two up to 65,536.
  init(capacity: Int) {
    precondition(capacity.nonzeroBitCount == 1 && capacity <= CellSize.largest)
    shift = capacity.trailingZeroBitCount
  }

  /// The cell of a member, and the place in it.
  @inline(__always)
  func place(of member: UInt32) -> (cell: Int, index: Int) {
    (Int(member) >> shift, Int(member) & (capacity - 1))
  }
}
