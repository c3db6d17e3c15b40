package import Quantities

/// What really happened to a payout on the chain, against what the ledger believes.
package enum ChainFault: String, CaseIterable, Sendable {
  /// The network took a fee that nobody booked.
  case unbookedFee = "unbooked_fee"
  /// The transaction was booked as paid, but reverted.
  case failed
  /// The transaction was executed twice.
  case duplicated
  /// The transaction is executed hours after it was booked.
  case late
}

/// A chain that can go wrong: the wallets as it sees them, kept apart from the ledger so that the
/// two can differ. The programme itself only ever reads balances off it.
package struct SimulatedChain: Sendable, Codable {
  private struct Late: Sendable, Codable {
    var due: Instant
    var wallet: Treasury
    var amount: MicroUSDT
  }

  private var balances: [MicroUSDT]
  /// In the order of their due instants.
  private var late: [Late] = []
  /// Transactions by what went wrong, in the order of `ChainFault`.
  package private(set) var faults: [Int64] = Array(repeating: 0, count: ChainFault.allCases.count)
  /// Transactions that the chain did not carry out because the wallet lacked the money.
  package private(set) var reverted: Int64 = 0

  /// A chain whose wallets hold what the owners put in.
  package init(opening: OpeningBalances) {
    balances = Treasury.wallets.map { opening[$0] }
  }

  /// A chain whose wallets hold what is read off it, in the order of `Treasury.wallets`.
  package init(readings: [MicroUSDT]) { balances = readings }

  /// What each wallet holds, in the order of `Treasury.wallets`.
  package var readings: [MicroUSDT] { balances }

  /// What a wallet holds on the chain.
  package func balance(_ wallet: Treasury) -> MicroUSDT { balances[wallet.rawValue] }

  /// Money comes into wallets, or leaves them, by a sweep.
  ///
  /// - Throws: `MoneyError.overflow`.
  package mutating func carryOut(_ transfers: [ChainTransfer]) throws(MoneyError) {
    for transfer in transfers {
      let wallet = transfer.wallet.rawValue
      balances[wallet] = try balances[wallet].adding(transfer.amount)
    }
  }

  /// A payout leaves a wallet, with its network fee.
  ///
  /// The chain carries out nothing that a wallet cannot carry: such a transaction reverts, and so
  /// the chain never goes negative, whatever the ledger believes.
  ///
  /// - Parameters:
  ///   - amount: With the fee that is booked.
  ///   - fault: What goes wrong, if anything does.
  ///   - extraFee: For `unbookedFee`.
  ///   - lateUntil: For `late`: when the chain executes it.
  /// - Throws: `MoneyError.overflow`.
  package mutating func pay(
    _ amount: MicroUSDT, from wallet: Treasury, fault: ChainFault? = nil,
    extraFee: MicroUSDT = .zero, lateUntil: Instant = .distantPast
  ) throws(MoneyError) {
    if let fault, let row = ChainFault.allCases.firstIndex(of: fault) { faults[row] += 1 }
    switch fault {
    case nil: try take(amount, wallet)
    case .unbookedFee: try take(try amount.adding(extraFee), wallet)
    case .failed: break
    case .duplicated:
      try take(amount, wallet)
      try take(amount, wallet)
    case .late:
      let place = late.firstIndex { $0.due > lateUntil } ?? late.count
      late.insert(Late(due: lateUntil, wallet: wallet, amount: amount), at: place)
    }
  }

  /// Executes what was late and is due.
  ///
  /// - Throws: `MoneyError.overflow`.
  package mutating func settle(through now: Instant) throws(MoneyError) {
    while let first = late.first, first.due <= now {
      try take(first.amount, first.wallet)
      late.removeFirst()
    }
  }

  private mutating func take(_ amount: MicroUSDT, _ wallet: Treasury) throws(MoneyError) {
    guard balance(wallet) >= amount else {
      reverted += 1
      return
    }
    balances[wallet.rawValue] = try balances[wallet.rawValue].subtracting(amount)
  }
}
