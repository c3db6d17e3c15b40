/// Counts the bad codes that accounts submit by local day: too many on one day suspend an account.
///
/// A code is bad when it is no code, one of no printed tin, or one of a claimed tin. A good code of
/// somebody who may not claim it says nothing against them.
package struct RefusalWatch: Sendable, Equatable, Codable {
  private let limit: Int64
  /// Bad codes of the current day by account, where there were any; once suspended, `suspended`.
  @PackedSorted private var today: [UInt32: Int64] = [:]

  private static let suspended: Int64 = -1

  /// Accounts without bad codes.
  package init(_ rules: AbuseRules) { limit = rules.refusals }

  /// A local day ends; who is suspended stays so.
  ///
  /// - Complexity: O(accounts with a bad code on it).
  package mutating func turnDay() {
    if !today.isEmpty { today = today.filter { $0.value == Self.suspended } }
  }

  /// A submission of an account was adjudicated.
  ///
  /// - Returns: Whether that suspends the account now.
  package mutating func note(_ outcome: ScanOutcome, of account: UInt32) -> Bool {
    guard limit > 0, outcome.isBadCode else { return false }
    let before = today[account, default: 0]
    guard before != Self.suspended else { return false }
    let isTooMany = before + 1 >= limit
    today[account] = isTooMany ? Self.suspended : before + 1
    return isTooMany
  }
}

extension ScanOutcome {
  /// Whether the code itself was the reason for a refusal.
  fileprivate var isBadCode: Bool {
    switch self {
    case .invalidCode, .unknownCode, .alreadyScanned: true
    case .accepted, .memberIneligible: false
    }
  }
}
