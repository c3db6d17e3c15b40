/// How a payment authorization ended.
package enum PaymentOutcome: Int, CaseIterable, Codable, Sendable {
  case success, cancelled, noCard, unavailable

  /// The outcome's id in files.
  package var key: String {
    switch self {
    case .success: "success"
    case .cancelled: "cancelled"
    case .noCard: "no_card"
    case .unavailable: "unavailable"
    }
  }
}

/// What a checkout does, in this order.
package enum CheckoutStep: Int, CaseIterable, Codable, Sendable {
  case summary, authorisation, order, saved, sent, points, liveStatus, snapshot
}

/// One checkout on a device: a pure function of the payment and of whether there is a network.
///
/// It never fails because of the network: without one the order waits on the device, and every
/// other step happens all the same.
package enum Checkout {
  /// The steps that happen.
  package static func steps(_ payment: PaymentOutcome, isOnline: Bool) -> [CheckoutStep] {
    guard payment == .success else { return [.summary, .authorisation] }
    return CheckoutStep.allCases.filter { $0 != .sent || isOnline }
  }
}
