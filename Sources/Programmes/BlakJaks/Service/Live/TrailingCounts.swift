internal import Quantities
internal import RewardModel

/// Counts of what happened in the last while, in slots of equal length: a ring, so that memory is
/// the same however long it is used.
struct TrailingCounts: Sendable, Equatable, Codable {
  private let slotMicros: Int64
  @Packed private var counts: [Int64]
  /// The slot that was entered or reached last, counted from 1970.
  private var latest: Int64 = 0
  /// The sum of all slots.
  private(set) var total: Int64 = 0

  /// - Parameters:
  ///   - slots: How many, 1 or more.
  ///   - length: Of one, more than nothing.
  init(_ slots: Int, of length: TimeSpan) {
    slotMicros = length.microseconds
    counts = Array(repeating: 0, count: slots)
  }

  /// The slot that was reached last, up to now.
  var current: Int64 { counts[place(latest)] }

  /// The sum of the last so many slots, the current one among them.
  ///
  /// - Parameter slots: At most as many as there are.
  func last(_ slots: Int) -> Int64 {
    (0..<Int64(slots)).reduce(0) { $0 + counts[place(latest - $1)] }
  }

  /// Counts something at an instant; instants never fall.
  mutating func add(_ count: Int64, at time: Instant) {
    reach(time)
    counts[place(latest)] += count
    total += count
  }

  /// Moves on to an instant: what lies further back than the ring is long is forgotten.
  ///
  /// - Complexity: O(slots passed, at most all).
  mutating func reach(_ time: Instant) {
    let slot = time.microseconds / slotMicros
    guard slot > latest else { return }
    for passed in max(latest + 1, slot - Int64(counts.count) + 1)...slot {
      total -= counts[place(passed)]
      counts[place(passed)] = 0
    }
    latest = slot
  }

  /// As it is at a later instant.
  func reaching(_ time: Instant) -> TrailingCounts {
    var later = self
    later.reach(time)
    return later
  }

  private func place(_ slot: Int64) -> Int {
    let size = Int64(counts.count)
    return Int((slot % size + size) % size)
  }
}
