/// An event as the pending-event set stores it: 16 bytes, ordered by (time, payload).
///
/// What the bits of `payload` mean is the user's business; because the order is total in them,
/// results never depend on how the set is built inside.
public struct RawEvent: Comparable, Hashable, Sendable, BitwiseCopyable {
  /// When, in ticks of the user's clock.
  public var time: UInt64
  /// What, and the tie-break.
  public var payload: UInt64

  /// Makes an event.
  @inlinable
  public init(time: UInt64, payload: UInt64) {
    self.time = time
    self.payload = payload
  }

  /// Makes an event at an instant; see `init(time:payload:)`.
  @inlinable
  public init(at instant: Int64, payload: UInt64) {
    self.init(time: Self.ticks(instant), payload: payload)
  }

  /// A signed time as a tick that keeps the order: −2^63 becomes 0.
  @inlinable
  @inline(__always)
  public static func ticks(_ signed: Int64) -> UInt64 {
    UInt64(bitPattern: signed) ^ (1 &<< 63)
  }

  /// The signed time that `ticks(_:)` was given.
  @inlinable public var signedTime: Int64 { Int64(bitPattern: time ^ (1 &<< 63)) }

  @inlinable
  @inline(__always)
  public static func < (a: Self, b: Self) -> Bool {
    a.time < b.time || (a.time == b.time && a.payload < b.payload)
  }
}
