internal import CKernel
internal import Quantities

/// When each member of a cell is due next: the number of a slot of one window's length, counted from
/// a slot that moves with the run.
///
/// Of each 32 members one more number says that none is due before it, so that a window looks at few
/// of them: the leaves and the first level of a tree of minima.
struct DueSlots: BitwiseCopyable, Sendable {
  /// Not due as far as slots are numbered; so is who fills the last block.
  static let far = UInt16.max
  /// A window ends at most so many slots behind the slot that is numbered 0.
  static let reach: Int64 = 60_000
  /// Members of a block.
  static let block = 32

  private let slots: MemberShare<UInt16>
  private let leasts: MemberShare<UInt16>
  private let clock: SlotClock
  /// The slot that is numbered 0.
  private(set) var base: Int64 = 0

  /// Takes the memory of the next members, none of whom is due.
  ///
  /// - Parameter clock: Tells the slot of an instant.
  init(_ memory: MemberMemory, members: Int, clock: SlotClock) {
    slots = memory.due.share(MemberMemory.padded(members))
    leasts = memory.leasts.share(MemberMemory.paddedBlocks(members))
    self.clock = clock
  }

  /// Room for the places of all members who may be due, and for what is written after them.
  var room: Int { slots.rows.count + 2 }

  /// Where slots are told one after another; for loops.
  @inline(__always)
  var writer: Writer {
    Writer(slots: slots.first, leasts: leasts.first, clock: clock, base: base)
  }

  /// Numbers slots from another one on, and forgets when members are due.
  mutating func begin(at slot: Int64) {
    base = slot
    slots.rows.update(repeating: DueSlots.far)
    leasts.rows.update(repeating: DueSlots.far)
  }

  /// The places of the members who are due in a window, ascending; they are then as if never due.
  ///
  /// - Parameters:
  ///   - first: The slot of the window's first instant; nobody is due before it.
  ///   - last: The slot of its last instant.
  ///   - places: Room for `room`.
  ///   - lines: One cache line a member, of which the first `most` are asked for.
  /// - Precondition: The slots of the window have numbers; who was due in another one would be missed.
  /// - Returns: How many there are.
  func take(
    from first: Int64, through last: Int64, into places: UnsafeMutablePointer<UInt16>,
    lines: UnsafeRawPointer, most: Int
  ) -> Int {
    precondition(
      base <= first && last - base <= DueSlots.reach, "each slot of a window has a number")
    return ck_due_places(
      slots.first, leasts.first, slots.rows.count / DueSlots.block,
      UInt16(truncatingIfNeeded: first - base), UInt16(truncatingIfNeeded: last - base), places,
      lines, most)
  }

  /// Tells when members are due.
  struct Writer {
    fileprivate let slots: UnsafeMutablePointer<UInt16>
    fileprivate let leasts: UnsafeMutablePointer<UInt16>
    fileprivate let clock: SlotClock
    fileprivate let base: Int64

    /// The member at a place is due next at an instant of the window that runs or later.
    @inline(__always)
    func set(_ place: Int, at instant: Instant) {
      let number = clock.slot(of: instant) &- base
      let slot = number < Int64(DueSlots.far) ? UInt16(truncatingIfNeeded: number) : DueSlots.far
      slots[place] = slot
      let block = place / DueSlots.block
      leasts[block] = min(leasts[block], slot)
    }
  }
}

/// Slots of one length, counted from the start of a run.
struct SlotClock: BitwiseCopyable, Sendable {
  private let origin: Int64
  /// 2^(64 + shift) ÷ the length in microseconds, rounded up.
  private let reciprocal: UInt64
  private let shift: UInt64

  /// Slots of a length above a microsecond.
  init(origin: Instant, length: TimeSpan) {
    self.origin = origin.microseconds
    let micros = UInt64(length.microseconds)
    precondition(micros > 1, "a slot is longer than a microsecond")
    // The greatest power of two below the length.
    shift = UInt64(63 - (micros - 1).leadingZeroBitCount)
    let (quotient, rest) = micros.dividingFullWidth((high: 1 << shift, low: 0))
    reciprocal = quotient + (rest > 0 ? 1 : 0)
  }

  /// The slot that contains an instant, not before the start of the run.
  ///
  /// A division takes the processor as long as a look at distant memory, so it multiplies. Source:
  /// Granlund and Montgomery 1994, doi:10.1145/178243.178249, theorem 4.2: exact below 2^63.
  @inline(__always)
  func slot(of instant: Instant) -> Int64 {
    let elapsed = UInt64(bitPattern: instant.microseconds &- origin)
    return Int64(bitPattern: elapsed.multipliedFullWidth(by: reciprocal).high &>> shift)
  }
}
