internal import CKernel
internal import HeapModule
internal import Quantities

/// Something that waits for an instant.
protocol Timed: Comparable, BitwiseCopyable, Sendable {
  /// The order of two things is first that of their times.
  var time: Instant { get }
}

/// What is due in windows to come, a list a slot.
///
/// A calendar queue with days of one slot and a year of `days` (Brown 1988, doi:10.1145/63039.63045);
/// what is due later than a year waits in a heap. The lists of all days are chains of chunks in one
/// array, so that adding writes to memory that nobody has to wait for, and seldom allocates.
struct SlotCalendar<Element: Timed>: Sendable {
  private static var days: Int { 512 }
  /// Elements of a chunk.
  private static var chunk: Int { 16 }

  private let clock: SlotClock
  /// Whole chunks; what is of no day holds elements that mean nothing.
  private var places: [Element] = []
  /// One past the last place of each day's newest chunk that is in use; 0 where nothing is due.
  private var ends: [UInt32] = []
  /// By chunk, such an end of the same day's chunk before it; of a chunk that is free, the next one
  /// that is.
  private var links: [UInt32] = []
  /// One more than the first free chunk; 0 without any.
  private var free: UInt32 = 0
  private var later = Heap<Element>()
  /// The slot of the window that was taken last; nothing is due before it.
  private var today: Int64 = 0
  private(set) var count = 0

  /// Nothing is due.
  ///
  /// - Parameter clock: Tells the slot of an instant.
  init(clock: SlotClock) { self.clock = clock }

  var isEmpty: Bool { count == 0 }

  /// All that waits, in any order.
  var unordered: [Element] {
    var all: [Element] = []
    for day in ends.indices { visit(ends[day]) { all += places[$0] } }
    return all + later.unordered
  }

  /// Adds something that is due in the window that was taken last or after it.
  ///
  /// - Complexity: O(1) within a year, else O(log n).
  mutating func insert(_ element: Element) {
    count += 1
    file(element)
  }

  private mutating func file(_ element: Element) {
    let slot = clock.slot(of: element.time)
    precondition(slot >= today, "an element is due before today")
    guard slot - today < Int64(Self.days) else { return later.insert(element) }
    if ends.isEmpty { ends = Array(repeating: 0, count: Self.days) }
    let day = Self.day(slot)
    let end = Int(ends[day])
    guard end % Self.chunk == 0 else {
      places[end] = element
      ends[day] += 1
      return
    }
    ends[day] = begin(element, after: UInt32(end))
  }

  /// Puts an element at the start of a new chunk, in front of a chain.
  ///
  /// - Returns: The new end of the chain.
  private mutating func begin(_ element: Element, after end: UInt32) -> UInt32 {
    guard free > 0 else {
      precondition(places.count < Int(UInt32.max) - Self.chunk, "a calendar of 2³² elements")
      places.append(contentsOf: repeatElement(element, count: Self.chunk))
      links.append(end)
      return UInt32(places.count - Self.chunk + 1)
    }
    let new = Int(free - 1)
    free = links[new]
    links[new] = end
    places[new * Self.chunk] = element
    return UInt32(new * Self.chunk + 1)
  }

  /// Visits the chunks of a chain, each by its places in use.
  private func visit(_ end: UInt32, _ body: (Range<Int>) -> Void) {
    var end = Int(end)
    while end > 0 {
      let chunk = (end - 1) / Self.chunk
      body(chunk * Self.chunk..<end)
      end = Int(links[chunk])
    }
  }

  private static func day(_ slot: Int64) -> Int { Int(slot & Int64(days - 1)) }

  /// Asks for the memory of what is due in the slot of an instant.
  func ask(at instant: Instant) {
    guard !ends.isEmpty else { return }
    places.withUnsafeBufferPointer { all in
      guard let base = all.baseAddress else { return }
      visit(ends[Self.day(clock.slot(of: instant))]) { places in
        // Two elements of an order a line.
        for place in stride(from: places.lowerBound, to: places.upperBound, by: 2) {
          ck_prefetch_far(base + place)
        }
      }
    }
  }

  /// Takes out what is due in a window, in any order. What is added meanwhile and is due in the window,
  /// too, is found by calling it again.
  ///
  /// - Parameters:
  ///   - start: The window's first instant; windows are asked for in order.
  ///   - end: The first instant after it.
  ///   - taken: Receives it, in place of what is in it.
  /// - Complexity: O(k) for the k elements of the window's slots.
  mutating func take(from start: Instant, until end: Instant, into taken: inout [Element]) {
    taken.removeAll(keepingCapacity: true)
    let last = clock.slot(of: end - TimeSpan(microseconds: 1))
    today = clock.slot(of: start)
    while let next = later.min, clock.slot(of: next.time) - today < Int64(Self.days) {
      later.removeMin()
      file(next)
    }
    guard !ends.isEmpty else { return }
    for slot in today...last where ends[Self.day(slot)] > 0 {
      empty(Self.day(slot), into: &taken)
    }
    // Calendar boundaries cut windows: the rest of the last slot is another window's.
    let due = taken.partition { $0.time >= end }
    for element in taken[due...] { file(element) }
    taken.removeSubrange(due...)
    count -= taken.count
  }

  /// Takes out all of a day.
  private mutating func empty(_ day: Int, into taken: inout [Element]) {
    var end = Int(ends[day])
    ends[day] = 0
    while end > 0 {
      let chunk = (end - 1) / Self.chunk
      places.withUnsafeBufferPointer {
        taken.append(contentsOf: UnsafeBufferPointer(rebasing: $0[chunk * Self.chunk..<end]))
      }
      end = Int(links[chunk])
      links[chunk] = free
      free = UInt32(chunk + 1)
    }
  }
}
