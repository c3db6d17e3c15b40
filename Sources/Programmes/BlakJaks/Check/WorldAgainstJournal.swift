internal import Quantities
internal import RewardModel

/// A world against the state that its own journal leads to: one adjudication, whoever runs it.
enum WorldAgainstJournal {
  static let name = InvariantName(
    id: "world_is_its_journal",
    sentence: "A world's journal, request by request, leads to what the world came to")

  /// What differs first, and for which members; nil where all is the same.
  ///
  /// - Parameters:
  ///   - state: After the last entry of the journal.
  ///   - wins: All that the journal led to, in order.
  static func difference(
    _ cells: UnsafeMutableBufferPointer<Cell>, _ house: House, _ state: ProgrammeState,
    wins: [Win]
  ) -> (facts: String, members: [UInt32])? {
    let (books, other) = (house.programme.books, state.programme.books)
    for account in LedgerAccount.allCases {
      let (mine, its) = (books.ledger.balance(account), other.ledger.balance(account))
      if mine != its {
        return ("\(account.key) is \(mine) in the world and \(its) by its journal", [])
      }
    }
    for outcome in ScanOutcome.allCases {
      let (mine, its) = (house.total.outcomes[outcome], state.outcomes[Int(outcome.rawValue)])
      if mine != its { return ("\(outcome.key): \(mine) and \(its) submissions", []) }
    }
    let told = house.chronicle.awards
    guard told.count == wins.count else { return ("\(told.count) and \(wins.count) awards", []) }
    for (award, win) in zip(told, wins)
    where award.wonScan != win.award.wonScan || award.dueScan != win.award.dueScan
      || award.member != String(win.member + 1)
    {
      return (
        "\(award.prize) number \(award.dueScan) went to member \(award.member), by the journal to "
          + "\(win.member + 1)", [win.member]
      )
    }
    guard books.pools == other.pools, books.days == other.days, books.months == other.months,
      books.reconciliations == other.reconciliations
    else { return ("days, months, pools or reconciliations differ", []) }
    for (line, its) in zip(books.payouts.lines, other.payouts.lines) where line != its {
      return ("\(line.id): \(line.count) of \(line.total), by the journal \(its.total)", [])
    }
    let (desk, desks) = (books.desk, other.desk)
    for type in PayoutType.all(house.programme.books.rules.prizes)
    where desk.lastAward(type) != desks.lastAward(type) {
      return ("the last award of \(type) has another number", [])
    }
    guard desk.paid == desks.paid, desk.pending == desks.pending, desk.failed == desks.failed else {
      return ("what is paid, pending and failed differs", [])
    }
    return members(cells, house, state)
  }

  private static func members(
    _ cells: UnsafeMutableBufferPointer<Cell>, _ house: House, _ state: ProgrammeState
  ) -> (facts: String, members: [UInt32])? {
    var count = 0
    for cell in cells {
      for (index, row) in cell.rows.enumerated() where row.account.hasSignedUp {
        let number = cell.firstMember + UInt32(index)
        count += 1
        guard state.members.knows(number) else {
          return ("member \(number + 1) never signed up by the journal", [number])
        }
        let account = state.members.account(of: number)
        guard account.standing == row.account.standing, account.comps == row.account.comps,
          account.isReferred == row.account.isReferred
        else {
          return (
            "member \(number + 1) has \(row.account.standing) and comps of \(row.account.comps), by "
              + "the journal \(account.standing) and \(account.comps)", [number]
          )
        }
        guard house.hasWallets else { continue }
        let (purse, other) = (cell.extras[index].purse, state.members.purses[Int(number)])
        if purse != other {
          return ("member \(number + 1)'s wallet or chips differ from the journal's", [number])
        }
      }
    }
    let known = state.members.accounts.count { $0.hasSignedUp }
    return count == known ? nil : ("\(count) members signed up, by the journal \(known)", [])
  }
}
