package import RewardModel

/// What a row of a history of BlakJaks says happened.
package enum BlakJaksEvent: UInt8, CaseIterable, Sendable {
  case signup, purchase, scan, refer
}

extension BlakJaksProgramme {
  package static let history = HistoryForm(
    column: "tins", amounts: 1...1_000_000,
    events: BlakJaksEvent.allCases.map(\.form))
}

extension BlakJaksEvent {
  fileprivate var form: HistoryForm.Event {
    switch self {
    case .signup: .init("signup", isSignUp: true)
    case .purchase: .init("purchase", hasAmount: true, isPurchase: true)
    case .scan: .init("scan", hasAmount: true, usesPurchases: true)
    case .refer:
      .init("refer", other: .init(whom: "the referring member", itself: "refers itself"))
    }
  }
}

extension HistoryRow {
  /// What happened, in a history of BlakJaks.
  package var event: BlakJaksEvent { BlakJaksEvent.allCases[Int(kind)] }
  /// 1...1,000,000; 1 on `signup` and `refer` rows.
  package var tins: Int { Int(amount) }
}
