internal import Quantities
internal import RewardModel

extension Recount {
  /// The morning's sweep, movement by movement.
  ///
  /// - Returns: What is to be moved on the chain, in order.
  func sweep() -> [ChainTransfer] {
    var transfers: [ChainTransfer] = []
    let put = move(lackedByShop, .reserveBank, .operatingBank, &transfers)
    if put > 0 { note("bank_topped_up") }
    books.lent += put
    let paid = books.shopOwes - lackedByShop
    if lackedByShop > 0 { note("shop_debt_waits") }
    books.shopOwes -= paid
    books.shopPaid += paid
    books.holdings[.operatingBank]! -= paid
    books.lent -= move(books.lent, .operatingBank, .reserveBank, &transfers)
    let earned = portion(books.profit, rules.compPool.share.rawValue, of: 10_000)
    books.sweptCompPool += move(
      earned - books.sweptCompPool, .operatingBank, .compPoolBank, &transfers)
    if rules.treasury.operatingBacks {
      let lacking = max(-free(.compPoolBank), 0)
      _ = move(lacking, .operatingBank, .compPoolBank, &transfers)
    }
    let growth = tripReserved - books.sweptTrips
    let isPool = rules.compPool.charges.trip == .compPool
    books.sweptTrips +=
      isPool
      ? moveBacked(growth, .reserveBank, &transfers)
      : move(growth, .operatingBank, .reserveBank, &transfers)
    for wallet in Treasury.wallets {
      let paid = payouts.paidFrom[wallet] ?? 0
      let recent = paid - (books.paidAtSweep[wallet] ?? 0)
      books.paidAtSweep[wallet] = paid
      let gas = unpaidTransactions(wallet) * rules.payouts.gas.microunits
      let cover = max(recent * rules.treasury.coverDays, gas)
      let lacking = owed(wallet) + cover - (books.holdings[wallet] ?? 0)
      guard lacking > 0 else { continue }
      if wallet == .memberWallet {
        _ = moveBacked(lacking, wallet, &transfers)
      } else {
        _ = move(lacking, .operatingBank, wallet, &transfers)
      }
    }
    return transfers
  }

  /// The awards that a treasury has not paid, added up.
  private func owed(_ treasury: Treasury) -> Int64 {
    payouts.awards.reduce(Int64(0)) { sum, list in
      guard PlainKind(list.key, rules).source == treasury else { return sum }
      return sum + list.value.reduce(0) { $1.isPaid ? $0 : $0 + $1.amount }
    }
  }

  /// Transactions that are not paid, and those that awards without one will fill.
  private func unpaidTransactions(_ treasury: Treasury) -> Int64 {
    var count: Int64 = 0
    for slot in payouts.slots.values
    where slot.status != .paid && PlainKind(slot.type, rules).source == treasury {
      count += 1
    }
    for (type, list) in payouts.awards where PlainKind(type, rules).source == treasury {
      var left = Int64(list.count - (payouts.batched[type] ?? 0))
      while left > 0 {
        left -= rules.payouts.batch == .seconds(0) ? 1 : rules.payouts.batchLimit
        count += 1
      }
    }
    return count
  }

  /// What the Operating account lacks for what the shop owes.
  private var lackedByShop: Int64 {
    max(books.shopOwes - (books.holdings[.operatingBank] ?? 0), 0)
  }

  /// From the Comp Pool account, and the rest from Operating where the rules say so.
  private func moveBacked(
    _ amount: Int64, _ target: Treasury, _ transfers: inout [ChainTransfer]
  ) -> Int64 {
    let moved = move(amount, .compPoolBank, target, &transfers)
    guard rules.treasury.operatingBacks, moved < amount else { return moved }
    return moved + move(amount - moved, .operatingBank, target, &transfers)
  }

  /// What is asked, or what is there; below zero the other way round.
  private func move(
    _ amount: Int64, _ source: Treasury, _ target: Treasury, _ transfers: inout [ChainTransfer]
  ) -> Int64 {
    guard amount >= 0 else { return -move(-amount, target, source, &transfers) }
    let moved = min(amount, max(free(source), 0))
    guard moved > 0 else { return 0 }
    books.holdings[source]! -= moved
    books.holdings[target]! += moved
    for (treasury, change) in [(source, -moved), (target, moved)] where treasury.isOnChain {
      transfers.append(ChainTransfer(wallet: treasury, amount: MicroUSDT(microunits: change)))
    }
    return moved
  }

  /// What may be moved from a treasury; below zero what it lacks.
  private func free(_ treasury: Treasury) -> Int64 {
    switch treasury {
    case .operatingBank: available(treasury) - rules.treasury.float.microunits
    case .compPoolBank: (books.holdings[treasury] ?? 0) - owed(treasury)
    default: available(treasury)
    }
  }

  /// The chain against the ledger, wallet by wallet.
  func reconcile(_ chain: [MicroUSDT], at time: Instant) {
    books.lastReconciled = []
    for (place, wallet) in Treasury.wallets.enumerated() {
      let reading = chain[place].microunits
      if rules.treasury.booksDifferences, let found = books.alerts[wallet] {
        let now = reading - (books.holdings[wallet] ?? 0)
        if (now > 0) == (found > 0) {
          note("difference_booked")
          var lasting = now > 0 ? min(now, found) : max(now, found)
          lasting = max(lasting, -max(available(wallet), 0))
          books.holdings[wallet]! += lasting
          books.chainDifference += lasting
        }
      }
      let ledger = books.holdings[wallet] ?? 0
      let difference = reading - ledger
      let isBalanced = difference.magnitude <= rules.treasury.tolerance.microunits.magnitude
      if !isBalanced { note("alert") }
      books.alerts[wallet] = isBalanced ? nil : difference
      var row = Reconciliation.unchecked(time, wallet, ledger, reading)
      row.balanced = isBalanced
      books.lastReconciled.append(row)
    }
  }
}

extension Reconciliation {
  fileprivate static func unchecked(
    _ time: Instant, _ wallet: Treasury, _ ledger: Int64, _ chain: Int64
  ) -> Reconciliation {
    do {
      return try Reconciliation(
        time: time, wallet: wallet, ledger: MicroUSDT(microunits: ledger),
        chain: MicroUSDT(microunits: chain), tolerance: .zero)
    } catch { fatalError("balances of a run differ by more than 64 bits: \(error)") }
  }
}
