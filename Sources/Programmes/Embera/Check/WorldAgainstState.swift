internal import Quantities
internal import RewardModel

/// A world against the state that its own journal leads to: one adjudication, whoever runs it.
enum WorldAgainstState {
  static let name = InvariantName(
    id: "world_is_its_journal",
    sentence: "A world's journal, request by request, leads to what the world came to")

  /// What differs first, and for which members; nil where all is the same.
  ///
  /// - Parameters:
  ///   - state: After the last entry of the journal.
  ///   - refusals: Answers to challenges that the journal refused, by `PasskeyRefusal`.
  static func difference(
    _ cells: UnsafeMutableBufferPointer<Cell>, _ house: House, _ state: EmberaState,
    refusals: [Int64]
  ) -> (facts: String, members: [UInt32])? {
    let accounts = state.accounts
    var count = 0
    for cell in cells {
      for (index, row) in cell.rows.enumerated() where row.hasSignedUp {
        let number = cell.firstMember + UInt32(index)
        count += 1
        guard Int(number) < accounts.count else {
          return ("member \(number + 1) never signed up by the journal", [number])
        }
        if row.account != accounts[Int(number)] {
          return (
            "member \(number + 1) has \(row.account), by the journal \(accounts[Int(number)])",
            [number]
          )
        }
      }
    }
    guard count == accounts.count else {
      return ("\(count) members signed up, by the journal \(accounts.count)", [])
    }
    let (books, other) = (house.books, state.books)
    guard books.total == other.total else {
      return ("the totals are \(books.total), by the journal \(other.total)", [])
    }
    for account in EmberaAccount.allCases {
      let (mine, its) = (books.ledger.balance(account), other.ledger.balance(account))
      if mine != its { return ("\(account.key) is \(mine), by the journal \(its)", []) }
    }
    guard books.months == other.months, books.share == other.share, books.month == other.month,
      books.recognised == other.recognised
    else { return ("months, or what was estimated at their ends, differ", []) }
    for refusal in PasskeyRefusal.allCases {
      let (mine, its) = (house.total.refusals[refusal.rawValue], refusals[refusal.rawValue])
      if mine != its { return ("\(refusal.key): \(mine) answers, by the journal \(its)", []) }
    }
    return nil
  }
}
