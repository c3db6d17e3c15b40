internal import Quantities

/// What an award is charged to and paid from, as the brief has it: a table beside the switches of
/// `PayoutType`, so that a wrong line in either shows.
struct PlainKind {
  /// The pool that it is charged to.
  var pool: ChargeAccount
  /// The account of what was promised, and that of what is owed.
  var expense: LedgerAccount
  var payable: LedgerAccount
  /// Where it is paid from.
  var source: Treasury
  /// Whether a member's wallet shows it.
  var isCredited: Bool

  private init(
    _ pool: ChargeAccount, _ expense: LedgerAccount, owedAs payable: LedgerAccount,
    from source: Treasury, isCredited: Bool
  ) {
    (self.pool, self.expense, self.payable) = (pool, expense, payable)
    (self.source, self.isCredited) = (source, isCredited)
  }

  init(_ type: PayoutType, _ rules: ProgrammeRules) {
    let charges = rules.compPool.charges
    var prize: PrizeKind?
    if case .prize(let row) = type { prize = rules.prizes[row].kind }
    self =
      switch (type, prize) {
      case (.prize, .trip):
        Self(
          charges.trip, .expenseTrip, owedAs: .memberPayable, from: .reserveBank, isCredited: false)
      case (.prize, .casino):
        Self(
          charges.casino, .expenseCasino, owedAs: .memberPayable, from: .compPoolBank,
          isCredited: false)
      case (.prize, _):
        Self(
          charges.crypto, .expenseCrypto, owedAs: .memberPayable, from: .memberWallet,
          isCredited: true)
      case (.guarantee, _):
        Self(
          charges.guarantee, .expenseGuarantee, owedAs: .memberPayable, from: .memberWallet,
          isCredited: true)
      case (.scanReward, _):
        Self(
          charges.scanReward, .expenseScanReward, owedAs: .memberPayable, from: .memberWallet,
          isCredited: true)
      case (.chipRedemption, _):
        Self(
          charges.chips, .expenseChips, owedAs: .memberPayable, from: .memberWallet,
          isCredited: true)
      case (.match, _):
        Self(
          charges.match, .expenseMatch, owedAs: .affiliatePayable, from: .affiliateWallet,
          isCredited: true)
      case (.pool, _):
        Self(
          charges.pool, .expensePool, owedAs: .affiliatePayable, from: .affiliateWallet,
          isCredited: true)
      case (.wholesale, _):
        Self(
          charges.wholesale, .expenseWholesale, owedAs: .wholesalePayable, from: .wholesaleWallet,
          isCredited: false)
      }
  }
}

/// A channel of the brief.
struct PlainChannel {
  var id: String
  /// Nil where everybody may read and write.
  var tier: Tier?
  /// Whether only the program writes there.
  var isReadOnly = false

  /// The channel with an id; nil where the brief has none.
  static func named(_ id: String, _ rules: SocialRules) -> PlainChannel? {
    let open = [
      "general/general-chat", "general/introductions", "comps/comp-claims", "comps/wallet-talk",
      "comps/trading-tips", "governance/proposals", "governance/voting",
    ]
    if open.contains(id) { return PlainChannel(id: id) }
    if ["lounge/vip-chat", "lounge/exclusive-deals"].contains(id) {
      return PlainChannel(id: id, tier: rules.loungeTier)
    }
    return id == "general/announcements" ? PlainChannel(id: id, isReadOnly: true) : nil
  }
}
