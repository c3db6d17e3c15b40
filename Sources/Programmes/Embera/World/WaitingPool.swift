internal import Quantities
internal import RewardModel

/// An entry that a device could not send yet.
struct WaitingEntry: Sendable, BitwiseCopyable {
  var entry: LogEntry
  var created: Instant
  fileprivate var next: Int32 = -1

  init(_ entry: LogEntry, created: Instant) {
    self.entry = entry
    self.created = created
  }
}

/// The first and the last place of a device's entries in a pool.
struct WaitingQueue: Sendable, BitwiseCopyable {
  fileprivate var head: Int32 = -1
  fileprivate var tail: Int32 = -1

  /// Whether nothing waits.
  var isEmpty: Bool { head < 0 }
}

/// What waits on the devices of one cell: linked lists in one array, places used again.
struct WaitingPool: Sendable {
  private var entries: [WaitingEntry] = []
  /// The first place that is used again; -1 where none is.
  private var free: Int32 = -1
  /// How many entries wait.
  private(set) var count: Int64 = 0

  /// Appends an entry. O(1).
  mutating func append(_ entry: WaitingEntry, to queue: inout WaitingQueue) {
    var place = free
    if place >= 0 {
      free = entries[Int(place)].next
      entries[Int(place)] = entry
    } else {
      place = Int32(entries.count)
      entries.append(entry)
    }
    if queue.tail >= 0 { entries[Int(queue.tail)].next = place } else { queue.head = place }
    queue.tail = place
    count += 1
  }

  /// Takes the oldest entry. O(1).
  mutating func popFirst(_ queue: inout WaitingQueue) -> WaitingEntry? {
    guard queue.head >= 0 else { return nil }
    let place = queue.head
    let entry = entries[Int(place)]
    queue.head = entry.next
    if queue.head < 0 { queue.tail = -1 }
    entries[Int(place)].next = free
    free = place
    count -= 1
    return entry
  }

  /// Writes all places, so that queues find theirs again.
  func save(to writer: inout StateWriter) throws {
    try writer.add([Int64(free), count])
    writer.add(rows: entries)
  }

  /// Reads what `save` wrote.
  ///
  /// - Throws: `SavedRunError`, or errors of the decoder.
  mutating func restore(from reader: inout StateReader) throws {
    let numbers = try reader.next([Int64].self)
    guard numbers.count == 2, let free = Int32(exactly: numbers[0]) else {
      throw SavedRunError.otherShape
    }
    (self.free, count) = (free, numbers[1])
    entries = try reader.rows()
  }

  /// The entries of a queue, oldest first.
  func list(_ queue: WaitingQueue) -> [WaitingEntry] {
    var list: [WaitingEntry] = []
    var place = queue.head
    while place >= 0 {
      list.append(entries[Int(place)])
      place = entries[Int(place)].next
    }
    return list
  }
}
