package import Quantities

extension PayoutDesk {
  /// What a treasury has paid out so far, without gas.
  package func paid(from treasury: Treasury) -> MicroUSDT { paidFrom[treasury.rawValue] }

  /// What is still to be paid from a treasury, given-up payouts included.
  ///
  /// - Throws: `MoneyError.overflow`.
  package func owed(from treasury: Treasury) throws(MoneyError) -> MicroUSDT {
    try promisedFrom[treasury.rawValue].subtracting(paidFrom[treasury.rawValue])
  }

  /// What a treasury holds beyond what is set aside for payouts under way.
  package func available(_ treasury: Treasury, _ ledger: Ledger) throws(MoneyError) -> MicroUSDT {
    try ledger.holding(treasury).subtracting(reserved[treasury.rawValue])
  }

  /// In how many transactions what is owed from a treasury will be paid: those that are not paid,
  /// given-up ones included, and those that will be made of promises.
  ///
  /// - Complexity: O(types + payouts).
  func transactions(owedFrom treasury: Treasury) -> Int64 {
    var count = Int64(payouts.count { $0.status != .paid && $0.source == treasury })
    for (row, line) in rows.lines.enumerated() where line.type.source(prizes) == treasury {
      guard let first = arrivals.first(of: line.type) else { continue }
      let waiting = numbers[row] - first.number + 1
      count += (waiting - 1) / rules.fullTransaction + 1
    }
    return count
  }
}
