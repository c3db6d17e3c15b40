package import Quantities

/// One member's wallet: 24 bytes, no references.
///
/// A credit is pending until its own payout is confirmed; which credits those are is known at the
/// payout desk. What is available and pending is the sum of the wallet's transactions, and never
/// negative.
package struct MemberWallet: Hashable, Sendable, BitwiseCopyable, Codable {
  var availableMicro: Int64 = 0
  var pendingMicro: Int64 = 0
  var transactionCount: UInt32 = 0
  var cardState = CardState.none

  /// An empty wallet without a card.
  package init() {}

  /// What can be withdrawn or spent.
  package var available: MicroUSDT { MicroUSDT(microunits: availableMicro) }

  /// Credited by payouts that are not confirmed yet.
  package var pending: MicroUSDT { MicroUSDT(microunits: pendingMicro) }

  /// Available and pending.
  package var balance: MicroUSDT {
    // Every credit checks that this sum exists.
    MicroUSDT(microunits: availableMicro &+ pendingMicro)
  }

  /// Credits, withdrawals, reversals and card payments so far. Stops the process beyond
  /// 4,294,967,295.
  package var transactions: UInt32 { transactionCount }

  /// How far the member is with the card.
  package var card: CardState { cardState }

  /// Credits an award, pending until its payout is confirmed. Zero is no transaction.
  ///
  /// - Parameter amount: Zero or more; less is a bug and stops the process.
  /// - Throws: `MoneyError.overflow` when the balance leaves `Int64`; the wallet is unchanged.
  @inline(__always)
  package mutating func credit(_ amount: MicroUSDT) throws(MoneyError) {
    invariant(amount >= .zero, "a credit of \(amount)")
    guard amount > .zero else { return }
    try checkRoom(for: amount)
    pendingMicro &+= amount.microunits
    transactionCount += 1
  }

  /// Makes a credit available whose payout is confirmed.
  ///
  /// - Parameter amount: Of the credit, at most what is pending; else a bug, which stops the
  ///   process.
  @inline(__always)
  package mutating func release(_ amount: MicroUSDT) {
    invariant(amount >= .zero && amount <= pending, "\(amount) released of \(pending) pending")
    pendingMicro &-= amount.microunits
    availableMicro &+= amount.microunits
  }

  /// Takes a withdrawal out of what is available.
  ///
  /// - Throws: `WalletRefusal.notPositive`, `.belowMinimum` or `.insufficient`, in this order; the
  ///   wallet is unchanged.
  package mutating func withdraw(_ amount: MicroUSDT, _ rules: WalletRules) throws(WalletRefusal) {
    guard amount > .zero else { throw .notPositive(amount) }
    guard amount >= rules.minimumWithdrawal else {
      throw .belowMinimum(minimum: rules.minimumWithdrawal, amount: amount)
    }
    try take(amount)
  }

  /// Gives a withdrawal back that failed on the chain: a reversal, a transaction of its own.
  ///
  /// - Parameter amount: Of the withdrawal, more than zero; else a bug, which stops the process.
  /// - Throws: `MoneyError.overflow` when the balance leaves `Int64`; the wallet is unchanged.
  package mutating func reverseWithdrawal(_ amount: MicroUSDT) throws(MoneyError) {
    invariant(amount > .zero, "a reversal of \(amount)")
    try checkRoom(for: amount)
    availableMicro &+= amount.microunits
    transactionCount += 1
  }

  /// Pays with the card out of what is available.
  ///
  /// - Throws: `WalletRefusal.notPositive`, `.noActiveCard` or `.insufficient`, in this order; the
  ///   wallet is unchanged.
  package mutating func spend(_ amount: MicroUSDT) throws(WalletRefusal) {
    guard amount > .zero else { throw .notPositive(amount) }
    guard cardState == .active else { throw .noActiveCard(cardState) }
    try take(amount)
  }

  /// Takes one step of the card funnel.
  ///
  /// - Throws: `WalletRefusal.cardStep` when the funnel has no such step; nothing changes.
  package mutating func moveCard(to next: CardState) throws(WalletRefusal) {
    guard cardState.leads(to: next) else { throw .cardStep(from: cardState, to: next) }
    cardState = next
  }

  mutating func take(_ amount: MicroUSDT) throws(WalletRefusal) {
    guard amount <= available else {
      throw .insufficient(available: available, amount: amount)
    }
    availableMicro &-= amount.microunits
    transactionCount += 1
  }

  /// Every credit checks the whole balance, so that a release never can leave the range.
  @inline(__always)
  func checkRoom(for amount: MicroUSDT) throws(MoneyError) {
    let (_, overflow) = balance.microunits.addingReportingOverflow(amount.microunits)
    guard !overflow else { throw overflowError(amount) }
  }

  /// Kept apart, as the text would weigh on the path of every scan.
  @inline(never)
  func overflowError(_ amount: MicroUSDT) -> MoneyError { .overflow("\(balance) + \(amount)") }
}
