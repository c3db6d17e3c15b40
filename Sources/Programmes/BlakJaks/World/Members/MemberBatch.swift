internal import CKernel
internal import EventKernel
internal import Population
internal import Quantities

/// Members of a cell whose next openings and purchases happen together, stage by stage, so that the
/// processor works on several at a time.
///
/// One column a quantity, one row an opening or a purchase. Its memory is scratch: nothing in it
/// outlives the batch but the line of members who wait for another one.
struct MemberBatch: ~Copyable {
  /// Members of a batch at most: what they need fits the first cache.
  static let capacity = 128
  /// Rows that are asked for before they are looked at: so long before that their way from memory
  /// is over, and not so many that they drive each other out of the cache.
  static let rowsAhead = 512
  /// Rows that are asked for once more just before they are looked at.
  static let rowsNear = 12

  /// Fewer members with more to do are done sooner one by one than as a batch.
  static let fewWaiting = 8

  /// What each member does first: an opening, a purchase or anything else; then whether the member has more
  /// to do in the window.
  private let steps: UnsafeMutablePointer<UInt8>
  /// Members who have done something in the window and have more to do in it, by their places in the cell.
  private let line: UnsafeMutablePointer<UInt16>
  private(set) var waiting = 0
  /// Those of them who were taken last.
  private let taken: UnsafeMutablePointer<UInt16>
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
    capacity * (Openings.bytesPerRow + Purchases.bytesPerRow + 4 * MemoryLayout<UInt16>.size)
    + capacity * MemoryLayout<UInt8>.size + MemoryLayout<UInt64>.size

  private init(_ memory: consuming Columns) {
    openings = Openings(&memory)
    purchases = Purchases(&memory)
    line = memory.take(2)
    taken = memory.take(2)
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

  /// The number of what has no stage, and that of whoever has more to do.
  private static var other: UInt8 { 2 }
  private static var again: UInt8 { 4 }

  private func endSteps() {
    UnsafeMutableRawPointer(steps + count).storeBytes(of: 0, as: UInt64.self)
  }

  /// Says whether a member who has done something has more to do in the window.
  ///
  /// - Parameter position: The member's place in the batch.
  @inline(__always)
  func set(_ position: Int, hasMore: Bool) { steps[position] = hasMore ? MemberBatch.again : 0 }

  /// Visits those who first do what has no stage, in their order.
  ///
  /// - Parameters:
  ///   - stagesFollow: Whether those who have more to do are left for another batch.
  ///   - body: Gets the member's place in the batch.
  @inline(__always)
  func forEachLeft(stagesFollow: Bool, _ body: (Int) -> Void) {
    forEach(stagesFollow ? MemberBatch.other : MemberBatch.other | MemberBatch.again, body)
  }

  @inline(__always)
  private func forEach(_ step: UInt8, _ body: (Int) -> Void) {
    let steps = steps
    let lanes = UInt64(step) &* 0x0101_0101_0101_0101
    // Most are not, so eight are looked at together.
    for first in stride(from: 0, to: count, by: 8) {
      var found =
        UInt64(littleEndian: UnsafeRawPointer(steps + first).loadUnaligned(as: UInt64.self)) & lanes
      while found != 0 {
        body(first &+ found.trailingZeroBitCount &>> 3)
        found &= found &- 1
      }
    }
  }

  /// Puts the members who have more to do in line for another batch.
  ///
  /// - Parameter places: Of the batch's members in the cell.
  @inline(__always)
  mutating func letWait(_ places: UnsafeBufferPointer<UInt16>) {
    var end = waiting
    forEach(MemberBatch.again) { position in
      line[end] = places[position]
      end &+= 1
    }
    waiting = end
    invariant(end <= 2 * MemberBatch.capacity, "\(end) members wait for a batch")
  }

  /// Takes members who wait, those who came last.
  ///
  /// - Returns: Their places in the cell, at most so many, as long as nobody else is taken.
  mutating func takeWaiting(_ most: Int) -> UnsafeBufferPointer<UInt16> {
    let count = min(most, waiting)
    waiting -= count
    taken.update(from: line + waiting, count: count)
    // Loops look ahead.
    (taken + count).update(repeating: 0, count: MemberBatch.rowsNear)
    return UnsafeBufferPointer(start: taken, count: count)
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
    static let bytesPerRow = 6 * 8 + 10 * 4 + 4

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
    /// Logarithms of `BuyingModel.uniforms`.
    let logs: UnsafeMutablePointer<Double>
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
      logs = memory.take()
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

    /// Finds the logarithms that say when the next purchases are.
    ///
    /// - Parameter rows: Of the cell, whose purchases are not counted yet.
    func findLogs(_ rows: UnsafePointer<MemberRow>, _ buying: BuyingModel) {
      for row in 0..<count {
        logs[row] = buying.uniforms(
          member: members[row], index: rows[index(row)].course.purchases, second: block(second, row)
        )
      }
      ck_logs(logs, logs, count)
    }

    /// The draws of a purchase; see `findLogs`.
    ///
    /// - Parameter index: Purchases before it.
    @inline(__always)
    func draw(_ row: Int, index: UInt32, _ behaviour: BehaviourModel) -> PurchaseDraw {
      behaviour.purchase(
        member: members[row], index: index, first: block(first, row), second: block(second, row),
        logOfUniforms: logs[row])
    }
  }
}
