package import Quantities

/// A double-entry ledger: every posting debits one account and credits another by one amount, so
/// the balances always sum to zero.
package struct Ledger: Sendable, Codable {
  private var balances: [Int64]
  private var counts: [Int64]

  /// A ledger whose accounts all stand at zero.
  package init() {
    balances = Array(repeating: 0, count: LedgerAccount.allCases.count)
    counts = balances
  }

  /// Moves an amount from one account to another. Zero is no posting.
  ///
  /// - Throws: `MoneyError.overflow`; the ledger is then unchanged.
  package mutating func post(
    _ amount: MicroUSDT, from debit: LedgerAccount, to credit: LedgerAccount
  ) throws(MoneyError) {
    precondition(debit != credit, "a posting needs two accounts")
    guard amount != .zero else { return }
    let lower = try balance(debit).subtracting(amount)
    let higher = try balance(credit).adding(amount)
    balances[debit.rawValue] = lower.microunits
    balances[credit.rawValue] = higher.microunits
    counts[debit.rawValue] += 1
    counts[credit.rawValue] += 1
    precondition(isBalanced, "a posting left the ledger unbalanced")
  }

  /// An account's balance; credits are positive.
  package func balance(_ account: LedgerAccount) -> MicroUSDT {
    MicroUSDT(microunits: balances[account.rawValue])
  }

  /// What a treasury holds: the debit balance of its account.
  package func holding(_ treasury: Treasury) -> MicroUSDT {
    MicroUSDT(microunits: -balances[treasury.ledgerAccount.rawValue])
  }

  /// How many postings touched an account.
  package func postings(_ account: LedgerAccount) -> Int64 { counts[account.rawValue] }

  /// Whether all balances sum to zero, in 128 bits.
  package var isBalanced: Bool { balances.reduce(Int128(0)) { $0 + Int128($1) } == 0 }
}
