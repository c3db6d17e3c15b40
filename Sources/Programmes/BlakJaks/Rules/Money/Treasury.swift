package import Quantities

/// Where the programme's money lies: three USDT wallets on the chain and three bank accounts.
package enum Treasury: Int, CaseIterable, Sendable, Codable {
  case memberWallet, affiliateWallet, wholesaleWallet
  case operatingBank, reserveBank, compPoolBank

  /// The three wallets on the chain.
  package static let wallets: [Treasury] = [.memberWallet, .affiliateWallet, .wholesaleWallet]

  /// Whether it lies on the chain, where payouts cost gas and are reconciled.
  package var isOnChain: Bool { rawValue < 3 }

  /// The name in exports: that of its ledger account.
  package var key: String { ledgerAccount.key }

  /// Its account, whose debit balance is what it holds.
  package var ledgerAccount: LedgerAccount {
    switch self {
    case .memberWallet: .walletMember
    case .affiliateWallet: .walletAffiliate
    case .wholesaleWallet: .walletWholesale
    case .operatingBank: .bankOperating
    case .reserveBank: .bankReserve
    case .compPoolBank: .bankCompPool
    }
  }
}

/// Opening balances, sweeps and reconciliation of the treasuries.
package struct TreasuryRules: Sendable, Equatable, Codable {
  /// What each treasury holds at the start, put in by the owners.
  package var opening = OpeningBalances()
  /// Each morning's sweep fills a wallet up to what is owed from it and this many days of what
  /// it paid out on the day before, and at least the gas of what is owed.
  package var coverDays: Int64 = 2
  /// What each morning's sweep leaves in the Operating account, for what comes before the next.
  package var float = MicroUSDT.whole(10_000)
  /// Whether the Operating account makes up what the Comp Pool account lacks in a sweep. Where it
  /// does not, a payout waits for funds: the account keeps all that it has for the casino comps that
  /// it owes, so that a comp larger than its balance holds up the member wallet, too, until the comp
  /// pool's share of gross profit suffices. If the wallet came first, such a comp might never be paid.
  package var operatingBacks = true
  /// The largest difference between ledger and chain that is still balanced.
  package var tolerance = MicroUSDT.whole(10)
  /// Whether a difference found on one morning is booked on the next.
  package var booksDifferences = true
}

/// What the treasuries hold at the start.
package struct OpeningBalances: Sendable, Equatable, Codable {
  package var memberWallet = MicroUSDT.whole(25_000)
  package var affiliateWallet = MicroUSDT.whole(5_000)
  package var wholesaleWallet = MicroUSDT.whole(5_000)
  package var operatingBank = MicroUSDT.whole(250_000)
  package var reserveBank = MicroUSDT.zero
  package var compPoolBank = MicroUSDT.whole(25_000)

  /// The defaults.
  package init() {}

  /// The opening balance of one treasury.
  package subscript(treasury: Treasury) -> MicroUSDT {
    switch treasury {
    case .memberWallet: memberWallet
    case .affiliateWallet: affiliateWallet
    case .wholesaleWallet: wholesaleWallet
    case .operatingBank: operatingBank
    case .reserveBank: reserveBank
    case .compPoolBank: compPoolBank
    }
  }
}
