package import Quantities

/// Where an order is.
package enum EmberaOrderStatus: Int, CaseIterable, Comparable, Codable, Sendable,
  BitwiseCopyable
{
  case processing, roasting, shipping, delivered

  /// The status's id in files.
  package var key: String {
    switch self {
    case .processing: "processing"
    case .roasting: "roasting"
    case .shipping: "shipping"
    case .delivered: "delivered"
    }
  }

  /// Earlier statuses come first.
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  /// Whether the live status has ended.
  package var isFinal: Bool { self == .delivered }
}

/// How long each status lasts.
package struct StatusRules: Sendable, Equatable, Codable {
  package var processing = TimeSpan.minutes(15)
  package var roasting = TimeSpan.minutes(45)
  /// From the order to the promised delivery.
  package var delivery = TimeSpan.hours(48)

  /// The defaults.
  package init() {}

  /// The promised delivery of an order.
  package func eta(created: Instant) -> Instant { created + delivery }

  /// The status of an order: a pure function of (created, ETA, now).
  ///
  /// - Parameters:
  ///   - created: When the order was placed.
  ///   - eta: The promised delivery.
  ///   - now: May be before `created`, on a clock that is wrong: the order is processed.
  package func status(created: Instant, eta: Instant, now: Instant) -> EmberaOrderStatus {
    if now >= eta { return .delivered }
    if now < created + processing { return .processing }
    return now < created + processing + roasting ? .roasting : .shipping
  }
}

/// What one device shows of one order: never an earlier status than it has shown.
package struct StatusView: Sendable, Equatable, Codable, BitwiseCopyable {
  /// The status shown last.
  package private(set) var shown = EmberaOrderStatus.processing

  /// A view that has shown nothing but the start.
  package init() {}

  /// Shows an order by the device's own clock.
  ///
  /// - Returns: The status now shown, and whether the clock alone would have shown an earlier one.
  package mutating func show(
    created: Instant, eta: Instant, clock: Instant, rules: StatusRules
  ) -> (status: EmberaOrderStatus, heldBack: Bool) {
    let raw = rules.status(created: created, eta: eta, now: clock)
    let heldBack = raw < shown
    shown = max(shown, raw)
    return (shown, heldBack)
  }
}
