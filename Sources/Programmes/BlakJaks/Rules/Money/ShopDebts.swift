package import Quantities
internal import RewardModel

/// What became of what the shop owed: refunds, and the carriage of orders.
package struct ShopDebts: Sendable, Equatable, Codable {
  /// Paid so far.
  package internal(set) var paid = MicroUSDT.zero
  /// What the Operating account lacked to pay all that was owed on the last morning.
  package internal(set) var shortfall = MicroUSDT.zero
  /// What the Reserve account has put in so far.
  package internal(set) var toppedUp = MicroUSDT.zero
  /// What of it Operating has not given back.
  package internal(set) var lent = MicroUSDT.zero

  /// Debts and payments so far; none by default.
  package init(
    paid: MicroUSDT = .zero, shortfall: MicroUSDT = .zero, toppedUp: MicroUSDT = .zero,
    lent: MicroUSDT = .zero
  ) {
    self.paid = paid
    self.shortfall = shortfall
    self.toppedUp = toppedUp
    self.lent = lent
  }
}

extension ProgrammeBooks {
  /// What the shop owes: refunds and carriage since the last morning, and what waits from before.
  package var shopOwes: MicroUSDT { ledger.balance(.shopPayable) }

  /// Pays what the shop owes from the Operating account, its float included. What that lacks is
  /// topped up from the Reserve account by a posting of its own; what both cannot carry waits for
  /// the next morning. No bank goes below zero by it.
  ///
  /// - Throws: `MoneyError.overflow`.
  mutating func payShop(_ transfers: inout [ChainTransfer]) throws(MoneyError) {
    shopDebts.shortfall = try lackedByOperating
    let put = try move(
      shopDebts.shortfall, from: .reserveBank, to: .operatingBank, &transfers)
    shopDebts.toppedUp = try shopDebts.toppedUp.adding(put)
    shopDebts.lent = try shopDebts.lent.adding(put)
    let paid = try shopOwes.subtracting(try lackedByOperating)
    try ledger.post(paid, from: .shopPayable, to: .bankOperating)
    shopDebts.paid = try shopDebts.paid.adding(paid)
  }

  /// What the Operating account lacks to pay all that the shop owes.
  private var lackedByOperating: MicroUSDT {
    get throws(MoneyError) {
      max(try shopOwes.subtracting(ledger.holding(.operatingBank)), .zero)
    }
  }
}
