internal import Quantities
package import RewardModel

extension LiveProgramme {
  /// What holds for the programme after every request, in a simulation, a replay and a service.
  package static let invariants = laws + recounts

  /// Those that read counters and sums alone, so that every run checks them after every window.
  package static let laws: [Invariant<LiveProgramme>] = [
    Invariant("ledger_balanced", "The ledger sums to zero") { programme in
      programme.books.ledger.isBalanced ? nil : "the ledger does not sum to zero"
    },
    Invariant("treasuries_not_negative", "No bank and no wallet is below zero") { programme in
      Treasury.allCases.first { programme.books.holding($0) < .zero }.map {
        "\($0.key) holds \(programme.books.holding($0)) USDT"
      }
    },
    Invariant("profit_of_tins", "Gross profit is that of the tins sold and not taken back") {
      let profit = try $0.profitOfTins
      let booked = MicroUSDT(microunits: -$0.books.ledger.balance(.grossProfit).microunits)
      return booked == profit ? nil : "gross profit is \(booked) for tins that earn \(profit)"
    },
    Invariant("pools_of_profit", "Pools and what they spent add up to gross profit") { programme in
      let pools: [LedgerAccount] = [.compPool, .affiliatePool, .wholesalePool, .operating, .spent]
      let ledger = programme.books.ledger
      let sum = pools.reduce(Int128(0)) { $0 + Int128(ledger.balance($1).microunits) }
      let profit = try programme.profitOfTins
      return sum == Int128(profit.microunits)
        ? nil : "pools and what they spent are \(sum) micro-USDT of a gross profit of \(profit)"
    },
    Invariant("awards_settled_once", "Awards are paid, pending or failed, each once") { programme in
      let desk = programme.books.desk
      let sums = [desk.paid, desk.pending, desk.failed]
      let count = sums.reduce(Int64(0)) { $0 + $1.count }
      let amount = sums.reduce(Int128(0)) { $0 + Int128($1.amount.microunits) }
      return count == desk.awarded.count && amount == Int128(desk.awarded.amount.microunits)
        ? nil
        : "\(desk.awarded.count) awards are not the sum of paid, pending and failed (\(count))"
    },
    Invariant("payouts_promised", "The payout ledger says what the payout desk was promised") {
      let total = try $0.books.payouts.total()
      let awarded = $0.books.desk.awarded.amount
      return total == awarded
        ? nil : "the payout ledger says \(total), the desk was promised \(awarded)"
    },
    Invariant("payables_owed", "What is owed is what is pending or failed") { programme in
      let payables: [LedgerAccount] = [.memberPayable, .affiliatePayable, .wholesalePayable]
      let books = programme.books
      let owed = payables.reduce(Int128(0)) { $0 + Int128(books.ledger.balance($1).microunits) }
      let open =
        Int128(books.desk.pending.amount.microunits) + Int128(books.desk.failed.amount.microunits)
      return owed == open ? nil : "\(owed) micro-USDT are owed, \(open) are pending or failed"
    },
    Invariant("scans_numbered", "Each accepted scan has one global number, without gaps") {
      $0.board.scans == $0.books.scans
        ? nil : "milestones saw \($0.board.scans) of \($0.books.scans) accepted scans"
    },
  ]

  /// Those that count again from the smallest parts.
  private static let recounts: [Invariant<LiveProgramme>] = [
    Invariant("pending_recounted", "What is pending is what waits at the payout desk") {
      let pending = try $0.books.desk.recountPending()
      let counted = $0.books.desk.pending
      return pending == counted
        ? nil : "\(counted.count) awards are pending, but \(pending.count) are on the desk"
    }
  ]

  /// What the tins that were sold and not taken back earn.
  private var profitOfTins: MicroUSDT {
    get throws(MoneyError) {
      let economy = books.rules.economy
      let wholesale = wholesale.total.tins
      return try economy.grossProfit.multiplied(by: books.tinsSold - wholesale).adding(
        try economy.wholesaleGrossProfit.multiplied(by: wholesale))
    }
  }
}
