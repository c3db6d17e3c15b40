package import Quantities

/// What one wholesale order earned.
package struct WholesaleEarning: Hashable, Sendable {
  /// Chips issued.
  package var chips: Int64
  /// Comps won.
  package var comps: Int64
  /// The comps in money.
  package var amount: MicroUSDT

  /// - Parameters:
  ///   - chips: 0 or more.
  ///   - comps: 0 or more.
  ///   - amount: Of all these comps.
  package init(chips: Int64, comps: Int64, amount: MicroUSDT) {
    self.chips = chips
    self.comps = comps
    self.amount = amount
  }
}

/// What wholesale accounts ordered and earned so far.
package struct WholesaleFigures: Hashable, Sendable, Codable {
  /// Orders placed.
  package var orders: Int64 = 0
  /// Tins ordered.
  package var tins: Int64 = 0
  /// Chips issued.
  package var chips: Int64 = 0
  /// Comps won.
  package var comps: Int64 = 0

  /// Nothing yet.
  package init() {}
}

/// Wholesale accounts, one row each: lifetime orders and tins, and the chips and comps by them.
///
/// Chips are ⌊tins ÷ tinsPerChip⌋ and comps ⌊tins ÷ compEvery⌋ of the lifetime tins, so the size of
/// single orders loses nothing.
package struct WholesaleDesk: Sendable, Codable {
  package let rules: WholesaleRules
  /// Over all accounts.
  package private(set) var total = WholesaleFigures()
  private var rows: [WholesaleFigures]

  /// Accounts that have ordered nothing.
  package init(rules: WholesaleRules) {
    self.rules = rules
    rows = Array(repeating: WholesaleFigures(), count: rules.accounts)
  }

  /// Number of accounts.
  package var count: Int { rows.count }

  /// Accounts with at least one order. O(accounts).
  package var active: Int { rows.count { $0.orders > 0 } }

  /// One account's figures.
  ///
  /// - Parameter account: `0 ..< count`.
  package func figures(_ account: Int) -> WholesaleFigures { rows[account] }

  /// Counts one order and hands the account what it earned by it.
  ///
  /// - Parameters:
  ///   - account: `0 ..< count`.
  ///   - tins: 1 or more; less is a bug and stops the process.
  /// - Throws: `MoneyError.overflow` when the comps' money leaves `Int64`; nothing is counted.
  /// - Complexity: O(1).
  package mutating func order(_ account: Int, tins: Int64) throws(MoneyError) -> WholesaleEarning {
    invariant(tins > 0, "wholesale account \(account) ordered \(tins) tins")
    let before = rows[account].tins
    let comps = MilestoneBoard.passed(after: before, count: tins, every: rules.compEvery)
    let earning = WholesaleEarning(
      chips: MilestoneBoard.passed(after: before, count: tins, every: rules.tinsPerChip),
      comps: comps, amount: try rules.compAmount.multiplied(by: comps))
    rows[account].count(earning, tins: tins)
    total.count(earning, tins: tins)
    return earning
  }
}

extension WholesaleFigures {
  fileprivate mutating func count(_ earning: WholesaleEarning, tins ordered: Int64) {
    orders += 1
    tins += ordered
    chips += earning.chips
    comps += earning.comps
  }
}
