/// Counts the refused submissions of accounts by local day: too many on one day suspend an account.
package struct RefusalWatch: Sendable, Equatable, Codable {
  private let limit: Int64
  /// Refused submissions of each account on the current day; nil once suspended.
  private var today: [Int64?]

  /// Accounts without refusals.
  ///
  /// - Parameter accounts: How many; they are numbered from 0.
  package init(_ rules: AbuseRules, accounts: Int) {
    limit = rules.refusals
    today = Array(repeating: 0, count: accounts)
  }

  /// A local day ends; who is suspended stays so.
  ///
  /// - Complexity: O(accounts).
  package mutating func turnDay() {
    for account in today.indices where today[account] != nil { today[account] = 0 }
  }

  /// A submission of an account is refused.
  ///
  /// - Returns: Whether that suspends the account now.
  package mutating func refuse(_ account: Int) -> Bool {
    guard limit > 0, let refused = today[account] else { return false }
    today[account] = refused + 1 >= limit ? nil : refused + 1
    return today[account] == nil
  }
}
