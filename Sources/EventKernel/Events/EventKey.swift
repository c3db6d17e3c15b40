public import Quantities

/// Position in the total order of a run: by instant, then priority, then order of scheduling.
public struct EventKey: Comparable, Hashable, Sendable {
  /// When the event is due.
  public let instant: Instant
  /// At one instant, lower numbers come first.
  public let priority: UInt8
  /// How many events were scheduled before it in the same set; breaks the last tie, first in
  /// first out.
  public let sequence: UInt64

  /// Makes a key.
  @inlinable
  public init(instant: Instant, priority: UInt8, sequence: UInt64) {
    self.instant = instant
    self.priority = priority
    self.sequence = sequence
  }

  @inlinable
  public static func < (a: Self, b: Self) -> Bool {
    (a.instant, a.priority, a.sequence) < (b.instant, b.priority, b.sequence)
  }
}

/// Names one scheduled event, to cancel it. Outlives the event harmlessly.
public struct EventHandle: Hashable, Sendable, BitwiseCopyable {
  @usableFromInline let index: UInt32
  @usableFromInline let generation: UInt32

  @inlinable
  init(index: UInt32, generation: UInt32) {
    self.index = index
    self.generation = generation
  }
}

/// Why an event was not scheduled; nothing has changed then.
public enum ScheduleError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Time never goes back.
  case inThePast(now: Instant, requested: Instant)

  /// One line for people.
  public var description: String {
    switch self {
    case .inThePast(let now, let requested):
      """
      an event at \(requested.microseconds) us cannot be scheduled at \(now.microseconds) us: \
      it must not be in the past
      """
    }
  }
}
