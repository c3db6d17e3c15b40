package import Quantities

/// The payout ledger: count and total by type.
package struct PayoutLedger: Sendable, Codable {
  /// One line of the ledger.
  package struct Line: Sendable, Equatable, Codable {
    package var type: PayoutType
    /// `PayoutType.id`.
    package var id: String
    package var count: Int64 = 0
    package var total = MicroUSDT.zero
  }

  /// In the order of `PayoutType.all`.
  package private(set) var lines: [Line]
  private let prizeLines: [Int]

  /// A ledger without payments.
  package init(prizes: [Prize]) {
    let types = PayoutType.all(prizes)
    lines = types.map { Line(type: $0, id: $0.id(prizes)) }
    prizeLines = prizes.indices.map { row in types.firstIndex(of: .prize(row)) ?? 0 }
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
    if case .prize(let row) = type { return prizeLines[row] }
    return prizeLines.count + type.place
  }

  /// The sum of all lines.
  ///
  /// - Throws: `MoneyError.overflow`.
  package func total() throws(MoneyError) -> MicroUSDT {
    var sum = MicroUSDT.zero
    for row in lines.indices { sum = try sum.adding(lines[row].total) }
    return sum
  }

  /// A line's share of the total of all lines in basis points, rounded down; 0 of nothing.
  package func shareBasisPoints(_ line: Line, of total: MicroUSDT) -> Int64 {
    Self.shareBasisPoints(line.total, of: total)
  }

  /// The same of an amount.
  package static func shareBasisPoints(_ amount: MicroUSDT, of total: MicroUSDT) -> Int64 {
    guard total > .zero else { return 0 }
    return Int64(Int128(amount.microunits) * 10_000 / Int128(total.microunits))
  }
}
