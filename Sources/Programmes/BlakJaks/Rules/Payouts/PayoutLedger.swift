package import Quantities

/// What a payout was for.
package enum PayoutType: Sendable, Equatable {
  /// A milestone prize, by its row in the rules.
  case prize(Int)
  case guarantee, match, pool, wholesale, scanReward, chipRedemption
}

extension PayoutType {
  /// The expense account that it is charged to.
  func expense(_ prizes: [Prize]) -> LedgerAccount {
    switch self {
    case .prize(let row):
      switch prizes[row].kind {
      case .crypto: .expenseCrypto
      case .casino: .expenseCasino
      case .trip: .expenseTrip
      }
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
    default: .memberPayable
    }
  }

  /// Where it is paid from: wallets pay USDT, banks what is bought for a winner.
  package func source(_ prizes: [Prize]) -> Treasury {
    switch self {
    case .prize(let row):
      switch prizes[row].kind {
      case .crypto: .memberWallet
      case .casino: .compPoolBank
      case .trip: .reserveBank
      }
    case .match, .pool: .affiliateWallet
    case .wholesale: .wholesaleWallet
    case .guarantee, .scanReward, .chipRedemption: .memberWallet
    }
  }
}

/// The payout ledger: count and total by type.
package struct PayoutLedger: Sendable {
  /// One line of the ledger.
  package struct Line: Sendable, Equatable {
    package var type: PayoutType
    package var name: String
    package var count: Int64 = 0
    package var total = MicroUSDT.zero
  }

  /// The lines in the given order: crypto, trip and casino prizes, then the rest.
  package private(set) var lines: [Line]
  private let prizeLines: [Int]

  /// A ledger without payments.
  package init(prizes: [Prize]) {
    let order: [PrizeKind] = [.crypto, .trip, .casino]
    let rows = order.flatMap { kind in prizes.indices.filter { prizes[$0].kind == kind } }
    lines = rows.map { Line(type: .prize($0), name: prizes[$0].name) }
    var places = Array(repeating: 0, count: prizes.count)
    for (line, row) in rows.enumerated() { places[row] = line }
    prizeLines = places
    lines += [
      Line(type: .guarantee, name: "$50 Guarantee"), Line(type: .match, name: "21% Match"),
      Line(type: .pool, name: "Pool 5%"), Line(type: .wholesale, name: "Wholesale"),
      Line(type: .scanReward, name: "Scan reward"),
      Line(type: .chipRedemption, name: "Chip redemption"),
    ]
  }

  /// Enters payments of one type.
  ///
  /// - Throws: `MoneyError.overflow`; the ledger is then unchanged.
  package mutating func enter(
    _ type: PayoutType, count: Int64 = 1, total: MicroUSDT
  ) throws(MoneyError) {
    let row = line(of: type)
    lines[row].total = try lines[row].total.adding(total)
    lines[row].count += count
  }

  /// A line of the ledger.
  package subscript(type: PayoutType) -> Line { lines[line(of: type)] }

  /// The row of a type in `lines`.
  package func line(of type: PayoutType) -> Int {
    let base = prizeLines.count
    switch type {
    case .prize(let row): return prizeLines[row]
    case .guarantee: return base
    case .match: return base + 1
    case .pool: return base + 2
    case .wholesale: return base + 3
    case .scanReward: return base + 4
    case .chipRedemption: return base + 5
    }
  }

  /// The sum of all lines.
  ///
  /// - Throws: `MoneyError.overflow`.
  package func total() throws(MoneyError) -> MicroUSDT {
    var sum = MicroUSDT.zero
    for line in lines { sum = try sum.adding(line.total) }
    return sum
  }

  /// A line's share of the total of all lines in basis points, rounded down; 0 of nothing.
  package func shareBasisPoints(_ line: Line, of total: MicroUSDT) -> Int64 {
    guard total > .zero else { return 0 }
    return Int64(Int128(line.total.microunits) * 10_000 / Int128(total.microunits))
  }
}
