/// A point in simulated or recorded time: microseconds since 1970-01-01T00:00:00Z.
public struct Instant: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Microseconds since 1970-01-01T00:00:00Z, negative before it.
  public var microseconds: Int64

  /// Makes an instant from a count of microseconds since 1970-01-01T00:00:00Z.
  @inlinable
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// The first representable instant.
  @inlinable public static var distantPast: Instant { Instant(microseconds: .min) }
  /// The last representable instant; means 'never' in schedules.
  @inlinable public static var distantFuture: Instant { Instant(microseconds: .max) }

  @inlinable
  public static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }

  /// The instant `span` later. Stops the process when it leaves the 64-bit range.
  @inlinable
  public static func + (a: Instant, span: TimeSpan) -> Instant {
    Instant(microseconds: a.microseconds + span.microseconds)
  }

  /// The instant `span` earlier. Stops the process when it leaves the 64-bit range.
  @inlinable
  public static func - (a: Instant, span: TimeSpan) -> Instant {
    Instant(microseconds: a.microseconds - span.microseconds)
  }

  /// The span from `b` to `a`.
  @inlinable
  public static func - (a: Instant, b: Instant) -> TimeSpan {
    TimeSpan(microseconds: a.microseconds - b.microseconds)
  }
}

/// A length of time in whole microseconds; may be negative.
public struct TimeSpan: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Length in microseconds.
  public var microseconds: Int64

  /// Makes a span from a count of microseconds.
  @inlinable
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// A span of `count` seconds.
  @inlinable
  public static func seconds(_ count: Int64) -> TimeSpan {
    TimeSpan(microseconds: count * 1_000_000)
  }
  /// A span of `count` minutes.
  @inlinable
  public static func minutes(_ count: Int64) -> TimeSpan { .seconds(count * 60) }
  /// A span of `count` hours.
  @inlinable
  public static func hours(_ count: Int64) -> TimeSpan { .seconds(count * 3_600) }
  /// A span of `count` times 24 hours (not calendar days).
  @inlinable
  public static func days(_ count: Int64) -> TimeSpan { .seconds(count * 86_400) }
  /// A span of `count` times 7 × 24 hours.
  @inlinable
  public static func weeks(_ count: Int64) -> TimeSpan { .days(count * 7) }

  /// Length in seconds, rounded to the nearest double.
  @inlinable public var inSeconds: Double { Double(microseconds) / 1e6 }

  @inlinable
  public static func < (a: TimeSpan, b: TimeSpan) -> Bool { a.microseconds < b.microseconds }

  /// The sum; an overflow stops the process.
  @inlinable
  public static func + (a: TimeSpan, b: TimeSpan) -> TimeSpan {
    TimeSpan(microseconds: a.microseconds + b.microseconds)
  }

  /// The difference; an overflow stops the process.
  @inlinable
  public static func - (a: TimeSpan, b: TimeSpan) -> TimeSpan {
    TimeSpan(microseconds: a.microseconds - b.microseconds)
  }

  /// The product; an overflow stops the process.
  @inlinable
  public static func * (a: TimeSpan, factor: Int64) -> TimeSpan {
    TimeSpan(microseconds: a.microseconds * factor)
  }
}
