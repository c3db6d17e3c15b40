// Members of the plain whole world: objects with lists of single chips and transactions, every
// balance a sum over the list.
import BlakJaks
import Population
import Quantities
import RewardModel

/// One gold chip.
struct PlainGoldChip {
  /// The local date on which it was issued.
  var birth: CivilDate
  /// The first day of the month after the one with which it expires.
  var gone: CivilDate
  var isBonus: Bool
  /// The local date on which it went into the vault.
  var vaulted: CivilDate?

  init(birth: CivilDate, isBonus: Bool, vaulted: CivilDate? = nil, _ rules: ChipRules) {
    self.birth = birth
    self.isBonus = isBonus
    self.vaulted = vaulted
    let last = birth.adding(days: rules.expiryDays)
    gone = CivilDate(year: last.year, month: last.month, day: 1).monthAfter
  }
}

extension CivilDate {
  /// The first day of the next month.
  var monthAfter: CivilDate {
    let next = CivilDate(year: year, month: month, day: 1).adding(days: 31)
    return CivilDate(year: next.year, month: next.month, day: 1)
  }
}

/// One transaction of a wallet.
struct PlainTransaction {
  var time: Instant
  var kind: String
  /// Micro-USDT; negative when it leaves the wallet.
  var amount: Int64
  /// Micro-USDT after it.
  var balance: Int64
  /// For an award, when its payout is confirmed.
  var paid: Instant?
  /// Whether the member cannot use it yet.
  var isPending: Bool
  /// Whether it failed on the chain.
  var failed: Bool
}

final class PlainFullMember {
  var traits: MemberTraits?
  var purchases: UInt32 = 0
  var openings: UInt32 = 0
  var held = 0
  var pace = 0
  var nextScan: Instant?
  var hasLeft = false
  /// Whether the wallet is not looked at before something is awarded.
  var looksNoMore = false
  /// Whether the next visit is only the end of the lifetime.
  var hasNoMore = false
  var state = 0
  var orders: UInt32 = 0
  /// Purchases for which the member comes back to the shop.
  var unmet: [(time: Instant, need: UInt32, round: UInt16)] = []
  /// Wholesale tins on their way, with the draws of their opening.
  var wholesale: [(time: Instant, opening: Float)] = []
  var visits: UInt32 = 0
  var visitTraits: WalletTraits?
  var card = "none"
  var chips: [PlainGoldChip] = []
  var transactions: [PlainTransaction] = []

  /// Micro-USDT, available and pending.
  var balance: Int64 { transactions.last?.balance ?? 0 }

  /// Micro-USDT that cannot be used yet.
  var pending: Int64 {
    transactions.reduce(0) { $1.isPending ? $0 + $1.amount : $0 }
  }

  /// Micro-USDT.
  var available: Int64 {
    transactions.reduce(0) { $1.isPending ? $0 : $0 + $1.amount }
  }

  func transact(
    _ kind: String, _ amount: Int64, at time: Instant, paid: Instant? = nil, failed: Bool = false
  ) {
    transactions.append(
      PlainTransaction(
        time: time, kind: kind, amount: amount, balance: balance + amount, paid: paid,
        isPending: paid != nil, failed: failed))
  }

  /// An award that is pending becomes available with its own payout.
  func release(paidBefore end: Instant) {
    for row in transactions.indices.reversed() where transactions[row].isPending {
      if let paid = transactions[row].paid, paid < end { transactions[row].isPending = false }
    }
  }

  /// Redeems chips: those that expire first before others, of one month earned before bonus chips,
  /// and of these the oldest.
  func redeem(_ count: Int) {
    let order = chips.indices.sorted { first, second in
      let (a, b) = (chips[first], chips[second])
      if a.gone != b.gone { return a.gone < b.gone }
      if a.isBonus != b.isBonus { return b.isBonus }
      return (a.birth, first) < (b.birth, second)
    }
    let taken = Set(order.prefix(count))
    chips = chips.indices.filter { !taken.contains($0) }.map { chips[$0] }
  }

  /// Puts every chip into the vault.
  func vault(on date: CivilDate) {
    for row in chips.indices where chips[row].vaulted == nil { chips[row].vaulted = date }
  }

  /// The end of the month before `first`: each full number of chips that lay in the vault through
  /// the whole of it issues a bonus chip on its last day; then the month's chips expire.
  ///
  /// - Returns: Bonus chips and expired chips.
  func turnMonth(
    to first: CivilDate, _ rules: ChipRules, earnsBonus: Bool = true
  ) -> (bonus: Int, expired: Int) {
    let last = first.adding(days: -1)
    let begin = CivilDate(year: last.year, month: last.month, day: 1)
    let quiet = chips.count { chip in
      guard let vaulted = chip.vaulted else { return false }
      return vaulted < begin && (rules.compounding || !chip.isBonus)
    }
    let bonus = earnsBonus ? quiet / Int(rules.bonusEvery) : 0
    for _ in 0..<bonus {
      chips.append(PlainGoldChip(birth: last, isBonus: true, vaulted: last, rules))
    }
    let before = chips.count
    chips.removeAll { $0.gone <= first }
    return (bonus, before - chips.count)
  }
}
