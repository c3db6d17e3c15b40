public import Quantities

/// A double-entry ledger: every posting debits one account and credits another by one amount, so
/// the balances always sum to zero.
///
/// Accounts are numbered by their place in `allCases`. It is public, and not only of the package, because
/// the compiler then makes one for each program's accounts, which is faster.
public struct DoubleEntryLedger<Account>: Sendable, Equatable, Codable
where Account: CaseIterable & RawRepresentable & Sendable, Account.RawValue == Int {
  @usableFromInline var balances: [Int64]
  @usableFromInline var counts: [Int64]

  /// A ledger whose accounts are all at zero.
  public init() {
    balances = Array(repeating: 0, count: Account.allCases.count)
    counts = balances
  }

  /// Moves an amount from one account to another. Zero is not posted; a negative amount is a
  /// reversal.
  ///
  /// - Parameter postings: How many postings of one sign the amount is the sum of, 1 or more: they
  ///   are counted, and made at once.
  /// - Throws: `MoneyError.overflow`; the ledger is then unchanged.
  @inlinable
  public mutating func post(
    _ amount: MicroUSDT, from debit: Account, to credit: Account, postings: Int64 = 1
  ) throws(MoneyError) {
    precondition(debit.rawValue != credit.rawValue, "a posting needs two accounts")
    guard amount != .zero else { return }
    let lower = try balance(debit).subtracting(amount)
    let higher = try balance(credit).adding(amount)
    balances[debit.rawValue] = lower.microunits
    balances[credit.rawValue] = higher.microunits
    counts[debit.rawValue] += postings
    counts[credit.rawValue] += postings
    precondition(sumsToZero, "a posting left the ledger unbalanced")
  }

  /// Whether all balances sum to zero in 64 bits: what `isBalanced` says but for multiples of 2⁶⁴, in a
  /// fraction of the time.
  @inlinable
  var sumsToZero: Bool {
    var sum: Int64 = 0
    for balance in balances { sum &+= balance }
    return sum == 0
  }

  /// An account's balance; credits are positive.
  @inlinable
  public func balance(_ account: Account) -> MicroUSDT {
    MicroUSDT(microunits: balances[account.rawValue])
  }

  /// Visits the accounts whose balances differ from an earlier state, with what was added since, in
  /// micro-units; it wraps where that leaves 64 bits.
  ///
  /// - Parameter body: Gets the account's place in `allCases`.
  public func forEachChange(since earlier: Self, _ body: (_ account: Int, Int64) -> Void) {
    for place in balances.indices where balances[place] != earlier.balances[place] {
      body(place, balances[place] &- earlier.balances[place])
    }
  }

  /// How many postings touched an account.
  public func postings(_ account: Account) -> Int64 { counts[account.rawValue] }

  /// Whether all balances sum to zero, in 128 bits.
  @inlinable
  public var isBalanced: Bool {
    var sum = Int128(0)
    for balance in balances { sum += Int128(balance) }
    return sum == 0
  }
}
