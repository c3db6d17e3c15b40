package import Quantities
internal import RewardModel

/// Sums that the sweeps have dealt with, so that each deals with what came since.
struct SweptSums: Sendable, Codable {
  /// Moved to the Comp Pool account.
  var compPool = MicroUSDT.zero
  /// Moved to the Reserve account for trips.
  var tripReserve = MicroUSDT.zero
  /// Paid out of each wallet until the last sweep.
  var paidOut: [MicroUSDT] = Array(repeating: .zero, count: Treasury.wallets.count)
}

extension ProgrammeBooks {
  /// Puts the owners' money into wallets and banks.
  mutating func openTreasuries() throws(MoneyError) {
    for treasury in Treasury.allCases {
      let amount = rules.treasury.opening[treasury]
      try ledger.post(amount, from: treasury.ledgerAccount, to: .equity)
    }
  }

  /// Lends the payout desk and the ledger to whoever runs the payouts.
  ///
  /// - Throws: What `body` throws.
  package mutating func payOut(
    _ body: (inout PayoutDesk, inout Ledger) throws(MoneyError) -> Void
  ) throws(MoneyError) {
    try body(&desk, &ledger)
  }

  /// What a treasury holds by the ledger.
  package func holding(_ treasury: Treasury) -> MicroUSDT { ledger.holding(treasury) }

  /// The daily sweep: what was earned goes from the Operating account to the accounts it belongs
  /// to, and each wallet is filled up to what it will need.
  ///
  /// 1. What the shop owes is paid; see `payShop`. What Reserve has lent for it goes back there.
  /// 2. The comp pool's share of gross profit moves to the Comp Pool account, which keeps what is
  ///    owed from it.
  /// 3. What was set aside for trips moves from there to the Reserve account.
  /// 4. A wallet is filled up to what is owed from it and a cover: `coverDays` times what it paid
  ///    since the last sweep, or the gas of what is owed where that is more, without which the last
  ///    payout would wait. The member wallet is filled from the Comp Pool account, the other two
  ///    from Operating.
  ///
  /// No sweep takes more than an account holds, and the float stays in Operating; what is lacking
  /// is moved by the next one. Where the Comp Pool account lacks something, for what is owed from it
  /// or for others, the Operating account makes it up when the rules say so.
  ///
  /// - Returns: What is to be moved on the chain.
  /// - Throws: `MoneyError.overflow`.
  package mutating func sweep() throws(MoneyError) -> [ChainTransfer] {
    var transfers: [ChainTransfer] = []
    try payShop(&transfers)
    let back = try move(shopDebts.lent, from: .operatingBank, to: .reserveBank, &transfers)
    shopDebts.lent = try shopDebts.lent.subtracting(back)
    let profit = MicroUSDT(microunits: -ledger.balance(.grossProfit).microunits)
    let earned = try profit.share(rules.compPool.share)
    let share = try move(
      try earned.subtracting(swept.compPool), from: .operatingBank, to: .compPoolBank, &transfers)
    swept.compPool = try swept.compPool.adding(share)
    if rules.treasury.operatingBacks {
      let lacking = try desk.owed(from: .compPoolBank).subtracting(holding(.compPoolBank))
      try move(max(lacking, .zero), from: .operatingBank, to: .compPoolBank, &transfers)
    }
    let reserve = ledger.balance(.tripReserve)
    let growth = try reserve.adding(paidTrips).subtracting(swept.tripReserve)
    let isPool = rules.compPool.charges.trip == .compPool
    let aside =
      isPool
      ? try moveBacked(growth, to: .reserveBank, &transfers)
      : try move(growth, from: .operatingBank, to: .reserveBank, &transfers)
    swept.tripReserve = try swept.tripReserve.adding(aside)
    for wallet in Treasury.wallets { try fill(wallet, &transfers) }
    return transfers
  }

  /// Trips that were won, whose money left the reserve.
  private var paidTrips: MicroUSDT {
    MicroUSDT(
      microunits: payouts.lines.reduce(0) { sum, line in
        if case .prize(let row) = line.type, rules.prizes[row].kind == .trip {
          return sum + line.total.microunits
        }
        return sum
      })
  }

  /// The network fees of what is owed from a wallet.
  ///
  /// - Complexity: O(types + payouts).
  package func fees(owedFrom wallet: Treasury) throws(MoneyError) -> MicroUSDT {
    try rules.payouts.gas.multiplied(by: desk.transactions(owedFrom: wallet))
  }

  private mutating func fill(
    _ wallet: Treasury, _ transfers: inout [ChainTransfer]
  ) throws(MoneyError) {
    let paid = desk.paid(from: wallet)
    let recent = try paid.subtracting(swept.paidOut[wallet.rawValue])
    swept.paidOut[wallet.rawValue] = paid
    let cover = max(
      try recent.multiplied(by: rules.treasury.coverDays), try fees(owedFrom: wallet))
    let target = try desk.owed(from: wallet).adding(cover)
    let lacking = try target.subtracting(ledger.holding(wallet))
    guard lacking > .zero else { return }
    if wallet == .memberWallet {
      try moveBacked(lacking, to: wallet, &transfers)
    } else {
      try move(lacking, from: .operatingBank, to: wallet, &transfers)
    }
  }

  /// Moves from the Comp Pool account, and from Operating what is lacking there.
  ///
  /// - Returns: What was moved.
  @discardableResult
  private mutating func moveBacked(
    _ amount: MicroUSDT, to target: Treasury, _ transfers: inout [ChainTransfer]
  ) throws(MoneyError) -> MicroUSDT {
    let moved = try move(amount, from: .compPoolBank, to: target, &transfers)
    guard rules.treasury.operatingBacks, moved < amount else { return moved }
    let rest = try amount.subtracting(moved)
    return try moved.adding(try move(rest, from: .operatingBank, to: target, &transfers))
  }

  /// Moves what is asked or what is there; a negative amount moves the other way. The float stays
  /// in Operating, and what is owed from the Comp Pool account there.
  ///
  /// - Returns: What was moved.
  @discardableResult
  mutating func move(
    _ amount: MicroUSDT, from source: Treasury, to target: Treasury,
    _ transfers: inout [ChainTransfer]
  ) throws(MoneyError) -> MicroUSDT {
    if amount < .zero {
      let back = MicroUSDT(microunits: -amount.microunits)
      let moved = try move(back, from: target, to: source, &transfers)
      return MicroUSDT(microunits: -moved.microunits)
    }
    let kept = source == .operatingBank ? rules.treasury.float : .zero
    // Money set aside for payouts under way stays where it is; in the Comp Pool account, which is
    // no wallet that a sweep fills, so does that of payouts which have not begun.
    let free =
      source == .compPoolBank
      ? try holding(source).subtracting(try desk.owed(from: source))
      : try desk.available(source, ledger)
    let there = max(try free.subtracting(kept), .zero)
    let moved = min(amount, there)
    try ledger.post(moved, from: target.ledgerAccount, to: source.ledgerAccount)
    guard moved != .zero else { return moved }
    if source.isOnChain {
      transfers.append(
        ChainTransfer(wallet: source, amount: MicroUSDT(microunits: -moved.microunits)))
    }
    if target.isOnChain { transfers.append(ChainTransfer(wallet: target, amount: moved)) }
    return moved
  }

  /// Reconciles the three wallets with the chain: books what the morning before had found and
  /// what is still there, and compares.
  ///
  /// - Parameter chain: What each wallet holds on the chain, in the order of `Treasury.wallets`.
  /// - Throws: `MoneyError.overflow`.
  package mutating func reconcile(at time: Instant, chain: [MicroUSDT]) throws(MoneyError) {
    precondition(chain.count == Treasury.wallets.count, "one reading a wallet")
    var rows: [Reconciliation] = []
    rows.reserveCapacity(Treasury.wallets.count)
    for (place, wallet) in Treasury.wallets.enumerated() {
      if rules.treasury.booksDifferences, place < lastReconciled.count {
        let earlier = lastReconciled[place]
        if !earlier.balanced { try book(earlier.difference, of: wallet, chain: chain[place]) }
      }
      rows.append(
        try Reconciliation(
          time: time, wallet: wallet, ledger: ledger.holding(wallet), chain: chain[place],
          tolerance: rules.treasury.tolerance))
    }
    lastReconciled = rows
    closed.reconciliations += rows
  }

  /// Books a difference that was found, as far as it is still there, so that a late transaction
  /// which has come meanwhile is not booked. A wallet never goes negative by it.
  private mutating func book(
    _ found: MicroUSDT, of wallet: Treasury, chain: MicroUSDT
  ) throws(MoneyError) {
    let now = try chain.subtracting(ledger.holding(wallet))
    guard (now > .zero) == (found > .zero) else { return }
    let there = try desk.available(wallet, ledger)
    let least = MicroUSDT(microunits: -max(there, .zero).microunits)
    let lasting = now > .zero ? min(now, found) : max(now, found)
    try ledger.post(max(lasting, least), from: wallet.ledgerAccount, to: .chainDifference)
  }
}
