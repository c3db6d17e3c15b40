internal import Quantities
internal import RewardModel

extension BlakJaksRecord {
  /// Enters the prizes and the payout ledger as they are.
  ///
  /// - Throws: `MoneyError.overflow` when the payouts cannot be summed.
  mutating func enter(_ books: ProgrammeBooks, _ board: MilestoneBoard) throws(MoneyError) {
    prizes = board.prizes.indices.map { row in
      let prize = board.prizes[row]
      let next = (board.scans / prize.every + 1) * prize.every
      return PrizeRow(
        prize: prize, awarded: board.awarded[row], waiting: board.waiting(row), nextDue: next,
        away: next - board.scans)
    }
    let total = try books.payouts.total()
    payouts = books.payouts.lines.map { line in
      PayoutRow(
        type: line.id, count: line.count, total: line.total,
        shareBasisPoints: books.payouts.shareBasisPoints(line, of: total))
    }
  }
}

extension BlakJaksRecord.DayRow {
  /// Enters a day of the books.
  mutating func enter(_ day: ProgrammeBooks.Day) {
    tinsSold = day.sums.tinsSold
    acceptedScans = day.sums.acceptedScans
    grossProfit = day.sums.grossProfit
    spendCash = day.sums.spendCash
    spendAccrual = day.sums.spendAccrual
    projectedBasisPoints = day.projectedBasisPoints
    status = day.status
  }
}

extension BlakJaksRecord.PoolRow {
  /// A weekly pool of the books.
  init(_ pool: ProgrammeBooks.Pool) {
    self.init(
      time: pool.time, pool: pool.pool, chips: pool.chips, holders: pool.holders,
      paid: pool.paid, carry: pool.carry)
  }
}

extension BlakJaksRecord.ReconciliationRow {
  /// A wallet on a morning of the books.
  init(_ row: Reconciliation) {
    self.init(
      time: row.time, wallet: row.wallet.key, ledger: row.ledger, chain: row.chain,
      difference: row.difference, balanced: row.balanced)
  }
}
