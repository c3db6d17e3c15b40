internal import Quantities

/// What a payout was for: the one declaration of everything that differs between payouts.
///
/// A new type is a case here, the setting of its charge account and the rule that pays it; the
/// switches below find the rest.
package enum PayoutType: Sendable, Hashable, Codable {
  /// A milestone prize, by its row in the rules.
  case prize(Int)
  case guarantee, match, pool, wholesale, scanReward, chipRedemption

  /// Those that are not prizes, in the order of the payout ledger.
  package static let fixed: [PayoutType] = [
    .guarantee, .match, .pool, .wholesale, .scanReward, .chipRedemption,
  ]

  /// Its place among `fixed`, or behind them the prize's row.
  @inline(__always)
  var place: Int {
    switch self {
    case .guarantee: 0
    case .match: 1
    case .pool: 2
    case .wholesale: 3
    case .scanReward: 4
    case .chipRedemption: 5
    case .prize(let row): 6 + row
    }
  }

  /// The type of a place.
  init(place: Int) {
    self = place < Self.fixed.count ? Self.fixed[place] : .prize(place - Self.fixed.count)
  }

  /// All types in the order of the payout ledger: crypto, trip and casino prizes, then the rest.
  package static func all(_ prizes: [Prize]) -> [PayoutType] {
    let rows = prizes.indices.sorted {
      (prizes[$0].kind.ledgerPlace, $0) < (prizes[$1].kind.ledgerPlace, $1)
    }
    return rows.map { .prize($0) } + fixed
  }
}

extension PayoutType {
  /// The stable id, by which tables, daily series and digests know a type: a prize's own name, else
  /// a word that no setting changes.
  package func id(_ prizes: [Prize]) -> String {
    switch self {
    case .prize(let row): prizes[row].name
    case .guarantee: "guarantee"
    case .match: "match"
    case .pool: "pool"
    case .wholesale: "wholesale"
    case .scanReward: "scan_reward"
    case .chipRedemption: "chips"
    }
  }

  /// What people read, made from the settings in force.
  package func label(_ rules: ProgrammeRules) -> String {
    switch self {
    case .prize(let row): rules.prizes[row].name
    case .guarantee: "$\(rules.guarantee.amount.shortest) Guarantee"
    case .match: "\(rules.affiliates.match.percentText)% Match"
    case .pool: "Pool \(rules.compPool.affiliateShare.percentText)%"
    case .wholesale: "Wholesale"
    case .scanReward: "Scan reward"
    case .chipRedemption: "Chip redemption"
    }
  }

  /// What people read where several settings are in force: no amounts and no shares.
  package var plainLabel: String {
    switch self {
    case .prize: "Prize"
    case .guarantee: "Guarantee"
    case .match: "Match"
    case .pool: "Pool"
    case .wholesale: "Wholesale"
    case .scanReward: "Scan reward"
    case .chipRedemption: "Chip redemption"
    }
  }

  /// The pool that it is charged to, as the settings say.
  package func charge(_ rules: ProgrammeRules) -> ChargeAccount {
    let charges = rules.compPool.charges
    return switch self {
    case .prize(let row): charges[rules.prizes[row].kind]
    case .guarantee: charges.guarantee
    case .match: charges.match
    case .pool: charges.pool
    case .wholesale: charges.wholesale
    case .scanReward: charges.scanReward
    case .chipRedemption: charges.chips
    }
  }

  /// The expense account that it is charged to.
  package func expense(_ prizes: [Prize]) -> LedgerAccount {
    switch self {
    case .prize(let row): prizes[row].kind.expense
    case .guarantee: .expenseGuarantee
    case .match: .expenseMatch
    case .pool: .expensePool
    case .wholesale: .expenseWholesale
    case .scanReward: .expenseScanReward
    case .chipRedemption: .expenseChips
    }
  }

  /// The account of what is owed until it is paid out.
  package var payable: LedgerAccount {
    switch self {
    case .match, .pool: .affiliatePayable
    case .wholesale: .wholesalePayable
    case .prize, .guarantee, .scanReward, .chipRedemption: .memberPayable
    }
  }

  /// Where it is paid from: wallets pay USDT, banks what is bought for a winner.
  package func source(_ prizes: [Prize]) -> Treasury {
    switch self {
    case .prize(let row): prizes[row].kind.source
    case .match, .pool: .affiliateWallet
    case .wholesale: .wholesaleWallet
    case .guarantee, .scanReward, .chipRedemption: .memberWallet
    }
  }

  /// The credit that it is in a member's wallet; nil for what no wallet sees.
  package func credit(_ prizes: [Prize]) -> CreditKind? {
    switch self {
    case .prize(let row): prizes[row].kind == .crypto ? .comp : nil
    case .guarantee: .guarantee
    case .match: .match
    case .pool: .pool
    case .wholesale: nil
    case .scanReward: .scanReward
    case .chipRedemption: .chipRedemption
    }
  }
}

extension PrizeKind {
  /// Where prizes of this kind come among those of the payout ledger.
  fileprivate var ledgerPlace: Int {
    switch self {
    case .crypto: 0
    case .trip: 1
    case .casino: 2
    }
  }

  /// The expense account of prizes of this kind.
  package var expense: LedgerAccount {
    switch self {
    case .crypto: .expenseCrypto
    case .casino: .expenseCasino
    case .trip: .expenseTrip
    }
  }

  /// Where prizes of this kind are paid from.
  package var source: Treasury {
    switch self {
    case .crypto: .memberWallet
    case .casino: .compPoolBank
    case .trip: .reserveBank
    }
  }
}

extension PayoutCharges {
  /// The charge account of prizes of a kind.
  package subscript(kind: PrizeKind) -> ChargeAccount {
    switch kind {
    case .crypto: crypto
    case .casino: casino
    case .trip: trip
    }
  }
}

extension MicroUSDT {
  /// Without needless zeros and without grouping: `50`, `12.5`.
  fileprivate var shortest: String {
    formatted(minimumDecimals: 0).filter { $0 != "," }
  }
}

extension BasisPoints {
  /// As percent without needless zeros: `21`, `7.5`.
  fileprivate var percentText: String {
    MicroUSDT(microunits: rawValue * 10_000).shortest
  }
}
