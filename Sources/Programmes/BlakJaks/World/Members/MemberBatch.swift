internal import CKernel
internal import EventKernel
internal import Population
internal import Quantities

/// Members of a cell whose next openings and purchases happen together, stage by stage, so that the
/// processor works on several at a time.
///
/// One column a quantity, one row an opening or a purchase. Its memory is scratch: nothing in it
/// outlives the batch.
struct MemberBatch: ~Copyable {
  /// Members of a batch at most: what they need fits the first cache.
  static let capacity = 128
  /// Rows that are asked for before they are looked at: so long before that their way from memory
  /// is over, and not so many that they drive each other out of the cache.
  static let rowsAhead = 512
  /// Rows that are asked for once more just before they are looked at.
  static let rowsNear = 12

  /// What each member does first: an opening, a purchase or anything else.
  private let steps: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  /// Tins that are opened first.
  var openings: Openings
  /// Purchases that are made first.
  var purchases: Purchases

  /// Lends an empty batch.
  @inline(__always)
  static func withMemory(_ body: (inout MemberBatch) -> Void) {
    // To lines of the cache by hand: aligned blocks of the C library, asked for in every window, leave
    // gaps in the heap that grow with the run, to more than the members themselves.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount + 63, alignment: 16)
    defer { memory.deallocate() }
    var batch = MemberBatch(Columns(memory.alignedUp(toMultipleOf: 64)))
    body(&batch)
  }

  private static let byteCount =
    capacity * (Openings.bytesPerRow + Purchases.bytesPerRow + MemoryLayout<UInt8>.size)
    + MemoryLayout<UInt64>.size

  private init(_ memory: consuming Columns) {
    openings = Openings(&memory)
    purchases = Purchases(&memory)
    steps = memory.take()
  }

  /// Empties it.
  mutating func removeAll() { (count, openings.count, purchases.count) = (0, 0, 0) }

  /// Takes members of whom nobody asks what they do first.
  ///
  /// - Parameter count: At most `capacity`.
  mutating func takeOthers(_ count: Int) {
    removeAll()
    self.count = count
    steps.update(repeating: MemberBatch.other, count: count)
    endSteps()
  }

  /// Takes members by what they do first.
  ///
  /// - Parameters:
  ///   - places: At most `capacity`, followed in memory by `rowsNear` more numbers; the memory of the
  ///     members with these is asked for, whether they exist or not.
  ///   - rows: The cell's members.
  ///   - extras: Where they have any.
  ///   - rules: What has a stage.
  ///   - tins: Those that each of the members bought, whose memory is asked for.
  mutating func take(
    _ places: UnsafeBufferPointer<UInt16>, _ rows: UnsafeMutablePointer<MemberRow>,
    _ extras: UnsafeMutablePointer<MemberExtras>?, _ rules: borrowing FirstStepRules,
    _ tins: UnsafePointer<UInt32>
  ) {
    var first = ck_step_columns(
      kinds: steps, openings: openings.spots, purchases: purchases.spots, opening_count: 0,
      purchase_count: 0)
    withUnsafePointer(to: rules.lanes) {
      ck_first_steps(
        UnsafeRawPointer(rows).assumingMemoryBound(to: ck_member.self),
        UnsafeRawPointer(extras)?.assumingMemoryBound(to: ck_awaited.self), places.baseAddress,
        places.count, MemberBatch.rowsNear, $0, tins, &first)
    }
    count = places.count
    openings.count = first.opening_count
    purchases.count = first.purchase_count
    endSteps()
  }

  /// The number of what has no stage.
  private static var other: UInt8 { 2 }

  private func endSteps() {
    UnsafeMutableRawPointer(steps + count).storeBytes(of: 0, as: UInt64.self)
  }

  /// Says whether a member has anything left to do that has no stage.
  ///
  /// - Parameter position: The member's place in the batch.
  @inline(__always)
  func set(_ position: Int, hasMore: Bool) { steps[position] = hasMore ? MemberBatch.other : 0 }

  /// Visits those who have anything left to do that has no stage, in their order.
  ///
  /// - Parameter body: Gets the member's place in the batch.
  @inline(__always)
  func forEachOther(_ body: (Int) -> Void) {
    // Most have not, so eight are looked at together.
    for first in stride(from: 0, to: count, by: 8) {
      var others =
        UInt64(littleEndian: UnsafeRawPointer(steps + first).loadUnaligned(as: UInt64.self))
        & 0x0202_0202_0202_0202
      while others != 0 {
        body(first &+ others.trailingZeroBitCount &>> 3)
        others &= others &- 1
      }
    }
  }

  /// Sees what the members who were added bring along.
  ///
  /// - Parameters:
  ///   - rows: The cell's members, the first of whom has this number.
  ///   - extras: Where they have any.
  @inline(__always)
  func fill(
    _ rows: UnsafeMutablePointer<MemberRow>, _ firstMember: UInt32,
    _ extras: UnsafeMutablePointer<MemberExtras>?
  ) {
    let (openings, purchases) = (openings, purchases)
    for place in 0..<openings.count {
      let index = openings.index(place)
      openings.members[place] = firstMember &+ UInt32(truncatingIfNeeded: index)
      openings.counters[place] = rows[index].account.standing.lifetimeScans
      openings.instants[place] = rows[index].course.nextScan.microseconds
    }
    if let extras {
      for place in 0..<openings.count {
        openings.counters[place] &+= UInt32(extras[openings.index(place)].refusedScans)
      }
    }
    for place in 0..<purchases.count {
      let index = purchases.index(place)
      purchases.members[place] = firstMember &+ UInt32(truncatingIfNeeded: index)
      purchases.counters[place] = BuyingModel.firstBlock(of: rows[index].course.purchases)
      purchases.instants[place] = rows[index].course.nextPurchase.microseconds
    }
  }

  /// Rows of whole vectors that hold so many; what is behind the last of them is drawn for nobody.
  static func padded(_ count: Int) -> Int { (count + 15) / 16 * 16 }

  /// Writes what is drawn for nobody.
  @inline(__always)
  static func pad(_ column: UnsafeMutablePointer<UInt32>, from count: Int) {
    for place in count..<padded(count) { column[place] = 0 }
  }
}

extension MemberBatch {
  /// Memory that columns are cut from.
  struct Columns: ~Copyable {
    private var next: UnsafeMutableRawPointer

    init(_ memory: UnsafeMutableRawPointer) { next = memory }

    /// A column with a value for each member of a batch, or a number of them.
    mutating func take<Element: BitwiseCopyable>(_ each: Int = 1) -> UnsafeMutablePointer<Element> {
      let count = each * MemberBatch.capacity
      defer { next += count * MemoryLayout<Element>.stride }
      return next.bindMemory(to: Element.self, capacity: count)
    }
  }

  /// Openings of tins, a row each; the columns of later stages take the place of earlier ones.
  struct Openings {
    static let bytesPerRow = 4 * 8 + 16 + 6 * 4 + 4 + 4 + 4

    var count = 0
    /// Microseconds of the openings.
    let instants: UnsafeMutablePointer<Int64>
    /// Operational hours of the openings, then of the ones after them.
    let hours: UnsafeMutablePointer<Double>
    /// Of the tins.
    let codes: UnsafeMutablePointer<UInt64>
    /// Serial numbers of the tins, then microseconds of the next openings.
    let numbers: UnsafeMutablePointer<UInt64>
    let scans: UnsafeMutablePointer<AcceptedScan>
    let members: UnsafeMutablePointer<UInt32>
    /// Tins opened before.
    let counters: UnsafeMutablePointer<UInt32>
    /// Four draws each, draw by draw.
    let words: UnsafeMutablePointer<UInt32>
    /// Affiliates of those who were referred, packed.
    let credits: UnsafeMutablePointer<UInt32>
    /// The member's place in the cell, and above 16 bits that in the batch.
    fileprivate let spots: UnsafeMutablePointer<UInt32>
    let marks: UnsafeMutablePointer<ScanMark>

    init(_ memory: inout Columns) {
      instants = memory.take()
      hours = memory.take()
      codes = memory.take()
      numbers = memory.take()
      scans = memory.take()
      members = memory.take()
      counters = memory.take()
      words = memory.take(4)
      credits = memory.take()
      marks = memory.take()
      spots = memory.take()
    }

    /// How far apart the four draws of an opening are among `words`.
    var stride: Int { MemberBatch.padded(count) }

    /// The member's place in the cell.
    @inline(__always)
    func index(_ row: Int) -> Int { Int(spots[row] & 0xFFFF) }

    /// The member's place in the batch.
    @inline(__always)
    func position(_ row: Int) -> Int { Int(spots[row] &>> 16) }
  }

  /// Purchases, a row each; the columns of later stages take the place of earlier ones.
  struct Purchases {
    static let bytesPerRow = 5 * 8 + 10 * 4 + 4

    var count = 0
    /// Microseconds of the purchases.
    let instants: UnsafeMutablePointer<Int64>
    /// Operational hours of the purchases, then of the ones after them.
    let hours: UnsafeMutablePointer<Double>
    /// Operational hours of the first openings that they bring; infinite where they bring none.
    let openingHours: UnsafeMutablePointer<Double>
    /// Microseconds of the next purchases, and of those openings.
    let nextInstants: UnsafeMutablePointer<Int64>
    let openingInstants: UnsafeMutablePointer<Int64>
    let members: UnsafeMutablePointer<UInt32>
    /// The first block of draws.
    let counters: UnsafeMutablePointer<UInt32>
    /// Four draws of each block, draw by draw.
    let first: UnsafeMutablePointer<UInt32>
    let second: UnsafeMutablePointer<UInt32>
    /// The member's place in the cell, and above 16 bits that in the batch.
    fileprivate let spots: UnsafeMutablePointer<UInt32>

    init(_ memory: inout Columns) {
      instants = memory.take()
      hours = memory.take()
      openingHours = memory.take()
      nextInstants = memory.take()
      openingInstants = memory.take()
      members = memory.take()
      counters = memory.take()
      first = memory.take(4)
      second = memory.take(4)
      spots = memory.take()
    }

    /// The member's place in the cell.
    @inline(__always)
    func index(_ row: Int) -> Int { Int(spots[row] & 0xFFFF) }

    /// The member's place in the batch.
    @inline(__always)
    func position(_ row: Int) -> Int { Int(spots[row] &>> 16) }

    @inline(__always)
    private func block(_ words: UnsafePointer<UInt32>, _ row: Int) -> SIMD4<UInt32> {
      let stride = MemberBatch.padded(count)
      return SIMD4(
        words[row], words[stride + row], words[2 * stride + row], words[3 * stride + row])
    }

    /// The draws of a purchase.
    ///
    /// - Parameter index: Purchases before it.
    @inline(__always)
    func draw(_ row: Int, index: UInt32, _ behaviour: BehaviourModel) -> PurchaseDraw {
      behaviour.purchase(
        member: members[row], index: index, first: block(first, row), second: block(second, row))
    }
  }
}
