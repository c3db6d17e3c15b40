internal import CKernel
internal import EventKernel
internal import Population
internal import Quantities

/// What a member has beside scans and purchases: wallet, card, chips, orders. 128 bytes, two
/// cache lines, kept only where a scenario switches one of these on.
///
/// The second line is the vault; all else is in the first, which every event looks at.
struct MemberExtras: Sendable, BitwiseCopyable {
  /// The next visit to the wallet.
  var nextVisit = Instant.distantFuture
  /// The next delivery of tins of which some will be scanned.
  var nextDelivery = Instant.distantFuture
  /// When the member next comes back to the shop for a purchase that was not made there.
  var nextReturn = Instant.distantFuture
  /// Visits so far, the index of the next one's draws; the sign-up is number 0.
  var visits: UInt32 = 0
  /// Orders placed so far.
  var orders: UInt32 = 0
  /// The state that the member lives in.
  var state: UInt8 = 0
  private var flags: UInt8 = 0
  /// Scans refused because of a ban. With the accepted ones it numbers the next scan's draws, so
  /// that a member has the same luck with a ban and without; it may wrap.
  var refusedScans: UInt16 = 0
  var purse = MemberPurse()

  /// The next of all of them.
  var nextEvent: Instant { min(nextVisit, min(nextDelivery, nextReturn)) }

  /// Asks for the memory of a member's extras, to be in the second cache.
  @inline(__always)
  static func ask(for extras: UnsafePointer<MemberExtras>) {
    ck_prefetch_far(extras)
    ck_prefetch_far(UnsafeRawPointer(extras) + 64)
  }

  /// Whether the member has left and looks at the wallet no more, until something is awarded.
  var looksNoMore: Bool {
    get { flags & 16 != 0 }
    set { flags = newValue ? flags | 16 : flags & ~16 }
  }

  /// What the member is like, as drawn at sign-up.
  var traits: WalletTraits {
    get {
      WalletTraits(
        isVaulter: flags & 1 != 0, wantsCard: flags & 2 != 0, passesKYC: flags & 4 != 0,
        activates: flags & 8 != 0)
    }
    set {
      flags =
        (newValue.isVaulter ? 1 : 0) | (newValue.wantsCard ? 2 : 0)
        | (newValue.passesKYC ? 4 : 0) | (newValue.activates ? 8 : 0)
    }
  }
}

/// One transaction of a traced member's wallet, as a cell notes it down.
struct TransactionNote: Sendable, Codable {
  enum Kind: Sendable, Codable {
    case credit(CreditKind)
    case withdrawal, reversal, cardPayment

    /// The word in the record.
    var word: String {
      switch self {
      case .credit(let kind): kind.rawValue
      case .withdrawal: "withdrawal"
      case .reversal: "reversal"
      case .cardPayment: "card_payment"
      }
    }
  }

  var time: Instant
  var member: UInt32
  var kind: Kind
  /// Micro-USDT; negative when it leaves the wallet.
  var amount: Int64
  /// Number of the transaction within the wallet, from 1 on.
  var number: UInt32
  /// Whether a withdrawal failed on the chain.
  var failed = false
}

extension TransactionNote {
  /// The transaction as the record shows it, settled and without the id of an award.
  ///
  /// - Parameter balance: Micro-USDT after it.
  func row(seed: UInt64, balance: Int64) -> BlakJaksRecord.TransactionRow {
    BlakJaksRecord.TransactionRow(
      time: time, member: Int64(member) + 1, kind: kind.word,
      amount: MicroUSDT(microunits: amount), balance: MicroUSDT(microunits: balance),
      status: failed ? "failed" : "confirmed", hash: hash(seed: seed))
  }

  /// 32 bytes that look like a transaction's hash, the same in every run of a seed.
  private func hash(seed: UInt64) -> String {
    var stream = RandomStream(
      seed: seed, purpose: RandomPurpose.transactionHash.rawValue,
      entity: UInt64(member) << 32 | UInt64(number))
    let digits = Array("0123456789abcdef")
    var text = "0x"
    for _ in 0..<4 {
      let word = stream.nextUInt64()
      for place in 0..<16 { text.append(digits[Int(word >> UInt64(60 - 4 * place) & 15)]) }
    }
    return text
  }
}

/// What the wallets, the card and the chips of a cell's members came to in one window.
struct WalletTally: Sendable, Codable {
  var withdrawals: Int64 = 0
  var withdrawn: Int64 = 0
  var withdrawalsFailed: Int64 = 0
  var payments: Int64 = 0
  var spent: Int64 = 0
  var applied: Int64 = 0
  var verified: Int64 = 0
  var refused: Int64 = 0
  var activated: Int64 = 0

  /// Adds another tally.
  mutating func add(_ other: WalletTally, _ overflow: inout Overflow) {
    withdrawals += other.withdrawals
    withdrawalsFailed += other.withdrawalsFailed
    payments += other.payments
    applied += other.applied
    verified += other.verified
    refused += other.refused
    activated += other.activated
    overflow.add(other.withdrawn, to: &withdrawn)
    overflow.add(other.spent, to: &spent)
  }
}

/// What the shop did for a cell's members in one window.
struct ShopTally: Sendable, Codable {
  var visits: Int64 = 0
  var carts: Int64 = 0
  /// Carts abandoned, by page.
  var abandonedInCart: Int64 = 0
  var abandonedAtAddress: Int64 = 0
  var abandonedAtPayment: Int64 = 0
  var refusedAge: Int64 = 0
  var refusedPayment: Int64 = 0
  var orders: Int64 = 0
  /// Rounds of visits without an order, by what follows.
  var comeBacks: Int64 = 0
  var toRetail: Int64 = 0
  var lost: Int64 = 0
  var shipped: Int64 = 0
  var delivered: Int64 = 0
  var cancelled: Int64 = 0
  var refunded: Int64 = 0
  /// Tins of orders placed, less those cancelled or refunded.
  var tins: Int64 = 0
  /// Tins delivered and kept.
  var tinsDelivered: Int64 = 0
  /// Micro-USDT paid for goods, shipping and tax, less what was given back.
  var subtotal: Int64 = 0
  var shipping: Int64 = 0
  var tax: Int64 = 0
  /// Of them, what was given back.
  var tinsBack: Int64 = 0
  var shippingBack: Int64 = 0
  var taxBack: Int64 = 0

  /// Carts abandoned at any page.
  var abandoned: Int64 { abandonedInCart + abandonedAtAddress + abandonedAtPayment }

  /// Adds another tally.
  mutating func add(_ other: ShopTally, _ overflow: inout Overflow) {
    visits += other.visits
    carts += other.carts
    abandonedInCart += other.abandonedInCart
    abandonedAtAddress += other.abandonedAtAddress
    abandonedAtPayment += other.abandonedAtPayment
    refusedAge += other.refusedAge
    refusedPayment += other.refusedPayment
    orders += other.orders
    comeBacks += other.comeBacks
    toRetail += other.toRetail
    lost += other.lost
    shipped += other.shipped
    delivered += other.delivered
    cancelled += other.cancelled
    refunded += other.refunded
    tins += other.tins
    tinsDelivered += other.tinsDelivered
    overflow.add(other.subtotal, to: &subtotal)
    overflow.add(other.shipping, to: &shipping)
    overflow.add(other.tax, to: &tax)
    tinsBack += other.tinsBack
    overflow.add(other.shippingBack, to: &shippingBack)
    overflow.add(other.taxBack, to: &taxBack)
  }

  /// Counts a round of visits.
  mutating func count(_ round: ShopRound) {
    let failed = round.failed
    visits += round.visits
    carts += Int64(failed.total) + (round.end == .order ? 1 : 0)
    abandonedInCart += Int64(failed.cart)
    abandonedAtAddress += Int64(failed.address)
    abandonedAtPayment += Int64(failed.payment)
    refusedAge += Int64(failed.age)
    refusedPayment += Int64(failed.refused)
    switch round.end {
    case .order: orders += 1
    case .comeBack: comeBacks += 1
    case .retail: toRetail += 1
    case .lost: lost += 1
    }
  }

  /// Books an order's amounts.
  mutating func post(_ amounts: OrderAmounts, _ overflow: inout Overflow) {
    tins += amounts.tins
    overflow.add(amounts.subtotal.microunits, to: &subtotal)
    overflow.add(amounts.shipping.microunits, to: &shipping)
    overflow.add(amounts.tax.microunits, to: &tax)
  }

  /// Takes an order's amounts back.
  mutating func takeBack(_ amounts: OrderAmounts, _ overflow: inout Overflow) {
    post(amounts.refund, &overflow)
    tinsBack += amounts.tins
    overflow.add(amounts.shipping.microunits, to: &shippingBack)
    overflow.add(amounts.tax.microunits, to: &taxBack)
  }
}
