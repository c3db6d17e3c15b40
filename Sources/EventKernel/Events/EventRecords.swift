public import Quantities

/// One scheduled event's element, and how it is found again.
@usableFromInline
struct EventRecord<Element> {
  @usableFromInline var element: Element?
  @usableFromInline var sequence: UInt64
  /// The rank of the raw event that owns the record; while free, the next free record.
  @usableFromInline var rank: UInt32
  /// Rises each time the record is given back, so that old handles miss.
  @usableFromInline var generation: UInt32

  @inlinable
  init(element: Element?, sequence: UInt64, rank: UInt32, generation: UInt32) {
    self.element = element
    self.sequence = sequence
    self.rank = rank
    self.generation = generation
  }
}

/// The records of a pending-event set: an array that grows, and that nothing else can own, so that
/// no write needs to ask whether it is shared.
@usableFromInline
struct EventRecords<Element>: ~Copyable {
  /// The first record. Its memory belongs to this value alone, which cannot be copied, so it may move
  /// between threads. (Kept as a number, the thread sanitizer's build does not compile.)
  @usableFromInline nonisolated(unsafe) var first: UnsafeMutablePointer<EventRecord<Element>>
  /// Records that exist, all of them initialized.
  @usableFromInline var count: Int
  @usableFromInline var capacity: Int

  @usableFromInline
  init() {
    capacity = 8
    count = 0
    first = UnsafeMutablePointer<EventRecord<Element>>.allocate(capacity: 8)
  }

  /// Where a record is, until one is added.
  @inlinable
  @inline(__always)
  subscript(_ slot: Int) -> UnsafeMutablePointer<EventRecord<Element>> {
    invariant(slot >= 0 && slot < count, "record \(slot) was asked for, but there are \(count)")
    return first + slot
  }

  /// Adds a record after the last.
  @inlinable
  @inline(never)
  mutating func append(_ record: EventRecord<Element>) {
    if count == capacity {
      let larger = UnsafeMutablePointer<EventRecord<Element>>.allocate(capacity: capacity * 2)
      larger.moveInitialize(from: first, count: count)
      first.deallocate()
      first = larger
      capacity *= 2
    }
    (first + count).initialize(to: record)
    count += 1
  }

  @inlinable
  deinit {
    first.deinitialize(count: count)
    first.deallocate()
  }
}

extension EventRecord: Sendable where Element: Sendable {}
extension EventRecords: Sendable where Element: Sendable {}
