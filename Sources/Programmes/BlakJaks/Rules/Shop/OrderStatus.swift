/// Why an order does not change its status. It is then as it was.
package enum OrderRefusal: Error, Equatable, Sendable {
  /// The second status cannot follow the first.
  case notAllowed(from: OrderStatus, to: OrderStatus)
}

/// Where an order stands: Processing → Shipped → Delivered, with two ways out.
package enum OrderStatus: UInt8, CaseIterable, Sendable, BitwiseCopyable, Codable {
  case processing, shipped, delivered
  /// Called off while it was processed.
  case cancelled
  /// Given back after it was delivered.
  case refunded

  /// The name in exports.
  package var key: String {
    switch self {
    case .processing: "processing"
    case .shipped: "shipped"
    case .delivered: "delivered"
    case .cancelled: "cancelled"
    case .refunded: "refunded"
    }
  }

  /// The name for people.
  package var name: String { key.prefix(1).uppercased() + key.dropFirst() }

  /// Whether `next` can follow this status.
  package func allows(_ next: OrderStatus) -> Bool {
    switch (self, next) {
    case (.processing, .shipped), (.processing, .cancelled), (.shipped, .delivered),
      (.delivered, .refunded):
      true
    default: false
    }
  }

  /// Whether nothing can follow this status.
  package var isFinal: Bool { self == .cancelled || self == .refunded }

  /// Moves the order on.
  ///
  /// - Throws: `OrderRefusal.notAllowed`.
  package mutating func advance(to next: OrderStatus) throws(OrderRefusal) {
    guard allows(next) else { throw .notAllowed(from: self, to: next) }
    self = next
  }
}
