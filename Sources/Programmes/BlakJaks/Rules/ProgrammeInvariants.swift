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
      let sum = programme.books.sum(of: pools)
      let profit = try programme.profitOfTins
      return sum == Int128(profit.microunits)
        ? nil : "pools and what they spent are \(sum) micro-USDT of a gross profit of \(profit)"
    },
    Invariant("awards_settled_once", "Awards are paid, pending or failed, each once") { programme in
      // One by one: a copy of the desk, or of the books below, would cost more than the sums.
      let (paid, pending) = (programme.books.desk.paid, programme.books.desk.pending)
      let (failed, awarded) = (programme.books.desk.failed, programme.books.desk.awarded)
      let count = paid.count + pending.count + failed.count
      let amount =
        Int128(paid.amount.microunits) + Int128(pending.amount.microunits)
        + Int128(failed.amount.microunits)
      return count == awarded.count && amount == Int128(awarded.amount.microunits)
        ? nil : "\(awarded.count) awards are not the sum of paid, pending and failed (\(count))"
    },
    Invariant("payouts_promised", "The payout ledger says what the payout desk was promised") {
      let total = try $0.books.payouts.total()
      let awarded = $0.books.desk.awarded.amount
      return total == awarded
        ? nil : "the payout ledger says \(total), the desk was promised \(awarded)"
    },
    Invariant("payables_owed", "What is owed is what is pending or failed") { programme in
      let owed = programme.books.sum(of: payables)
      let open =
        Int128(programme.books.desk.pending.amount.microunits)
        + Int128(programme.books.desk.failed.amount.microunits)
      return owed == open ? nil : "\(owed) micro-USDT are owed, \(open) are pending or failed"
    },
    Invariant("scans_numbered", "Each accepted scan has one global number, without gaps") {
      $0.board.scans == $0.books.scans
        ? nil : "milestones saw \($0.board.scans) of \($0.books.scans) accepted scans"
    },
  ]

  private static let pools: [LedgerAccount] = [
    .compPool, .affiliatePool, .wholesalePool, .operating, .spent,
  ]
  private static let payables: [LedgerAccount] = [
    .memberPayable, .affiliatePayable, .wholesalePayable,
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

/// All that the laws read, so that whoever checks them often sees whether there is anything new.
struct LawfulSums: Sendable {
  private var ledger = Ledger()
  private var lines: [PayoutLedger.Line] = []
  private var awarded = PayoutSum()
  private var pending = PayoutSum()
  private var paid = PayoutSum()
  private var failed = PayoutSum()
  /// Accepted scans by the books and by the board, tins sold in all and wholesale.
  private var counts = SIMD4<Int64>(repeating: -1)

  /// Nothing that a programme could show.
  init() {}

  /// Whether a programme shows the same; it is lent and not copied, and not changed.
  func shows(_ programme: inout LiveProgramme) -> Bool {
    // Lists that nobody has changed are found to be the same without a look at what is in them.
    counts == Self.counts(&programme)
      && ledger == programme.books.ledger && lines == programme.books.payouts.lines
      && awarded == programme.books.desk.awarded && pending == programme.books.desk.pending
      && paid == programme.books.desk.paid && failed == programme.books.desk.failed
  }

  /// Takes what a programme shows.
  mutating func take(_ programme: inout LiveProgramme) {
    ledger = programme.books.ledger
    lines = programme.books.payouts.lines
    awarded = programme.books.desk.awarded
    pending = programme.books.desk.pending
    paid = programme.books.desk.paid
    failed = programme.books.desk.failed
    counts = Self.counts(&programme)
  }

  private static func counts(_ programme: inout LiveProgramme) -> SIMD4<Int64> {
    SIMD4(
      programme.books.scans, programme.board.scans, programme.books.tinsSold,
      programme.wholesale.total.tins)
  }
}

extension ProgrammeBooks {
  /// What accounts of the ledger hold together, in micro-USDT.
  fileprivate func sum(of accounts: [LedgerAccount]) -> Int128 {
    var sum = Int128(0)
    for account in accounts { sum += Int128(ledger.balance(account).microunits) }
    return sum
  }
}
