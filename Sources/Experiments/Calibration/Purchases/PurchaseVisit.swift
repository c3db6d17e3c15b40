internal import Quantities

/// A purchase, or a day of purchases: which rows of a history are one is decided here alone.
///
/// In their order a bare date comes before the instants of its day, which it takes in.
struct PurchaseVisit: Comparable {
  var member: UInt32
  /// A day's number, from any origin.
  var day: Int
  /// The instant; of a day any time that all its bare dates have.
  var time: Instant
  /// Whether only the day is known.
  var isDate: Bool

  static func < (a: Self, b: Self) -> Bool {
    (a.member, a.day, a.isDate ? 0 : 1, a.time) < (b.member, b.day, b.isDate ? 0 : 1, b.time)
  }

  /// Whether one that comes later in their order is the same purchase: of one instant, or of a day
  /// without a clock.
  func isOne(with later: Self) -> Bool {
    member == later.member && day == later.day && (isDate || time == later.time)
  }
}
