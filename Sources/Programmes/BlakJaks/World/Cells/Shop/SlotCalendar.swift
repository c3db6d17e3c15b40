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
/// what is due later than a year waits in a heap.
struct SlotCalendar<Element: Timed>: Sendable {
  private static var days: Int { 512 }

  private let clock: SlotClock
  private var lists: [[Element]]
  private var later = Heap<Element>()
  /// The slot of the window that was taken last; nothing is due before it.
  private var today: Int64 = 0
  private(set) var count = 0

  /// Nothing is due.
  ///
  /// - Parameter clock: Tells the slot of an instant.
  init(clock: SlotClock) {
    self.clock = clock
    lists = []
  }

  var isEmpty: Bool { count == 0 }

  /// All that waits, in any order.
  var unordered: [Element] { lists.flatMap { $0 } + later.unordered }

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
    if lists.isEmpty { lists = Array(repeating: [], count: Self.days) }
    lists[Self.day(slot)].append(element)
  }

  private static func day(_ slot: Int64) -> Int { Int(slot & Int64(days - 1)) }

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
    guard !lists.isEmpty else { return }
    for slot in today...last where !lists[Self.day(slot)].isEmpty {
      // Calendar boundaries cut windows: the rest of a slot is another window's.
      let day = Self.day(slot)
      let rest = lists[day].partition { $0.time >= end }
      taken += lists[day][..<rest]
      lists[day].removeSubrange(..<rest)
    }
    count -= taken.count
  }
}
