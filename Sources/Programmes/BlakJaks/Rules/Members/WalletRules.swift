package import Quantities

/// What a member may do with a wallet.
package struct WalletRules: Sendable, Equatable, Codable {
  /// The least that can be withdrawn at once.
  package var minimumWithdrawal = MicroUSDT.whole(5)

  /// The defaults.
  package init() {}
}

/// How far a member is with the payment card.
package enum CardState: UInt8, CaseIterable, Sendable, BitwiseCopyable, Codable {
  case none, applied, refused, verified, active

  /// The name in exports and answers.
  package var key: String {
    switch self {
    case .none: "none"
    case .applied: "applied"
    case .refused: "refused"
    case .verified: "verified"
    case .active: "active"
    }
  }

  /// Whether the funnel leads straight from here to `next`: none → applied → refused or verified,
  /// verified → active.
  package func leads(to next: CardState) -> Bool {
    switch (self, next) {
    case (.none, .applied), (.applied, .refused), (.applied, .verified), (.verified, .active):
      true
    default: false
    }
  }
}

/// Why a wallet refused something. The wallet is unchanged.
package enum WalletRefusal: Error, Hashable, Sendable, Codable {
  /// The amount is zero or less.
  case notPositive(MicroUSDT)
  /// More than is available; pending credits do not count.
  case insufficient(available: MicroUSDT, amount: MicroUSDT)
  /// Less than the rules let anybody withdraw.
  case belowMinimum(minimum: MicroUSDT, amount: MicroUSDT)
  /// Only an active card can pay.
  case noActiveCard(CardState)
  /// The card funnel has no such step.
  case cardStep(from: CardState, to: CardState)
}
