public import Quantities

/// A double-entry ledger: every posting debits one account and credits another by one amount, so
/// the balances always sum to zero.
///
/// Accounts are numbered by their place in `allCases`. It is public, and not only of the package, because
/// the compiler then makes one for each program's accounts, which is faster.
public struct DoubleEntryLedger<Account>: Sendable, Equatable
where Account: CaseIterable & RawRepresentable & Sendable, Account.RawValue == Int {
  /// What an account holds, and how many postings touched it.
  @usableFromInline
  struct Row: Sendable, Equatable, BitwiseCopyable {
    @usableFromInline var balance: Int64 = 0
    @usableFromInline var postings: Int64 = 0

    @usableFromInline init() {}
  }

  /// One row an account, so that a posting touches one list.
  @usableFromInline var rows: [Row]

  /// A ledger whose accounts are all at zero.
  public init() { rows = Array(repeating: Row(), count: Account.allCases.count) }

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
    let (from, to) = (balance(debit), balance(credit))
    let lower = try from.subtracting(amount)
    let higher = try to.adding(amount)
    rows[debit.rawValue].balance = lower.microunits
    rows[debit.rawValue].postings += postings
    rows[credit.rawValue].balance = higher.microunits
    rows[credit.rawValue].postings += postings
    // All other accounts are as they were, so that the sum of all is what it was: zero.
    let held = from.microunits &+ to.microunits
    let holds = rows[debit.rawValue].balance &+ rows[credit.rawValue].balance
    precondition(holds == held, "a posting left the ledger unbalanced")
  }

  /// An account's balance; credits are positive.
  @inlinable
  public func balance(_ account: Account) -> MicroUSDT {
    MicroUSDT(microunits: rows[account.rawValue].balance)
  }

  /// Visits the accounts whose balances differ from an earlier state, with what was added since, in
  /// micro-units; it wraps where that leaves 64 bits.
  ///
  /// - Parameter body: Gets the account's place in `allCases`.
  public func forEachChange(since earlier: Self, _ body: (_ account: Int, Int64) -> Void) {
    for place in rows.indices where rows[place].balance != earlier.rows[place].balance {
      body(place, rows[place].balance &- earlier.rows[place].balance)
    }
  }

  /// How many postings touched an account.
  public func postings(_ account: Account) -> Int64 { rows[account.rawValue].postings }

  /// Whether all balances sum to zero, in 128 bits.
  @inlinable
  public var isBalanced: Bool {
    var sum = Int128(0)
    for row in rows { sum += Int128(row.balance) }
    return sum == 0
  }
}

extension DoubleEntryLedger: Codable {
  private struct Saved: Codable {
    var balances: [Int64]
    var counts: [Int64]
  }

  /// A ledger that was saved.
  ///
  /// - Throws: What the decoder throws; `DecodingError.dataCorrupted` for other accounts.
  public init(from decoder: any Decoder) throws {
    self.init()
    let saved = try Saved(from: decoder)
    guard saved.balances.count == rows.count, saved.counts.count == rows.count else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "a ledger of other accounts"))
    }
    for place in rows.indices {
      rows[place].balance = saved.balances[place]
      rows[place].postings = saved.counts[place]
    }
  }

  /// Saves balances and postings, account by account.
  public func encode(to encoder: any Encoder) throws {
    try Saved(balances: rows.map(\.balance), counts: rows.map(\.postings)).encode(to: encoder)
  }
}
