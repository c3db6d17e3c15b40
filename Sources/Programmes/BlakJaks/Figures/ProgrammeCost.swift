package import Quantities
internal import RewardModel

/// What a run costs in all, and which account carries how much of it.
///
/// The cost is everything that the payout ledger holds. Where trips count as they accrue, it also
/// holds what is set aside for trips that nobody has won yet, whoever trips are charged to. What the
/// comp pool carries is the spend that its budget is judged by.
package struct ProgrammeCost: Sendable {
  /// The sum of the payout ledger.
  package let awarded: MicroUSDT
  /// Set aside for trips, less trips awarded: negative where more was won than had accrued. Zero
  /// where trips count when they are won.
  package let setAside: MicroUSDT
  /// What each account carries, the comp pool first; those that carry nothing are left out, but
  /// for the comp pool.
  package let carriers: [(account: ChargeAccount, amount: MicroUSDT)]

  /// The sum of what the accounts carry: `awarded` and `setAside`.
  package var total: MicroUSDT { PageSums.sum([awarded, setAside]) }

  /// - Complexity: O(lines of the payout ledger + months).
  package init(_ record: BlakJaksRecord) {
    let rules = record.rulesInForce
    var amounts: [ChargeAccount: [MicroUSDT]] = [:]
    for row in record.payouts {
      amounts[record.charge(of: row, rules), default: []].append(row.total)
    }
    awarded = PageSums.sum(record.payouts.map(\.total))
    setAside = record.tripsSetAside
    amounts[rules.compPool.charges.trip, default: []].append(setAside)
    carriers = ChargeAccount.allCases.compactMap { account in
      let amount = PageSums.sum(amounts[account] ?? [])
      return amount == .zero && account != .compPool ? nil : (account, amount)
    }
  }

  /// What an account carries.
  package subscript(account: ChargeAccount) -> MicroUSDT {
    carriers.first { $0.account == account }?.amount ?? .zero
  }
}

extension ChargeAccount {
  /// What people call it.
  package var label: String {
    switch self {
    case .compPool: "comp pool"
    case .affiliatePool: "affiliate pool"
    case .wholesalePool: "wholesale pool"
    case .operating: "operating account"
    }
  }
}

extension BlakJaksRecord {
  /// The trip reserve at each day's end, in micro-USDT; empty in a record without daily figures.
  var tripReserves: [Int64?] { series.first { $0.key == "trip_reserve" }?.values ?? [] }

  /// What trips have accrued beyond those won in the record's days; zero where they count when they
  /// are won.
  fileprivate var tripsSetAside: MicroUSDT {
    if recognisesCash { return .zero }
    if let reserve = tripReserves.last ?? nil {
      return PageSums.difference(MicroUSDT(microunits: reserve), opening.tripReserve)
    }
    // Without daily figures it is known of what the comp pool is charged.
    return PageSums.difference(
      PageSums.sum(months.map(\.spendAccrual)), PageSums.sum(months.map(\.spendCash)))
  }

  /// Who carries a line of the payout ledger; the comp pool one that this version does not know.
  func charge(of row: PayoutRow, _ rules: ProgrammeRules) -> ChargeAccount {
    type(of: row)?.charge(rules) ?? .compPool
  }
}
