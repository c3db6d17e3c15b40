internal import Quantities

extension AcceptedScan {
  /// The total order of a simulation: (instant, member number). One member's scans never share
  /// an instant.
  static func precedes(_ a: AcceptedScan, _ b: AcceptedScan) -> Bool {
    a.time < b.time || (a.time == b.time && a.member < b.member)
  }
}

/// Chips that a member redeemed.
struct ChipRedemption: Sendable {
  var time: Instant
  var member: UInt32
  var worth: MicroUSDT
}

/// Submissions by outcome.
struct OutcomeCounts: Sendable, Equatable, Codable {
  private var counts = InlineArray<5, Int64>(repeating: 0)

  subscript(outcome: ScanOutcome) -> Int64 {
    get { counts[Int(outcome.rawValue)] }
    set { counts[Int(outcome.rawValue)] = newValue }
  }

  /// All submissions.
  var total: Int64 { ScanOutcome.allCases.reduce(0) { $0 + self[$1] } }

  mutating func add(_ other: OutcomeCounts) {
    for outcome in ScanOutcome.allCases { self[outcome] += other[outcome] }
  }

  /// Nothing was submitted.
  init() {}

  init(from decoder: any Decoder) throws {
    for (outcome, count) in zip(ScanOutcome.allCases, try [Int64](from: decoder)) {
      self[outcome] = count
    }
  }

  func encode(to encoder: any Encoder) throws {
    try ScanOutcome.allCases.map { self[$0] }.encode(to: encoder)
  }

  static func == (a: OutcomeCounts, b: OutcomeCounts) -> Bool {
    ScanOutcome.allCases.allSatisfy { a[$0] == b[$0] }
  }
}

/// What a cell hands over to the house after a window, list by list.
///
/// A cell and the house have one each and change them over between windows, so that the house may read
/// one while the cell fills the other; a cell that goes on has more of them in its outbox.
struct CellHarvest: Sendable {
  /// Accepted scans, in the order in which the members came.
  var emissions: [AcceptedScan] = []
  /// Affiliate rows of sign-ups by referred members.
  var referrals: [UInt32] = []
  /// Affiliate rows of scans by referred members.
  var credits: [UInt32] = []
  /// Guarantees that were looked at and may top somebody up.
  var looks: [GuaranteeLook] = []
  /// Sign-ups and tiers reached.
  var happenings: [MemberHappening] = []
  /// Chips redeemed.
  var redemptions: [ChipRedemption] = []

  /// Forgets all of it, and keeps the memory.
  mutating func removeAll() {
    if !emissions.isEmpty { emissions.removeAll(keepingCapacity: true) }
    if !referrals.isEmpty { referrals.removeAll(keepingCapacity: true) }
    if !credits.isEmpty { credits.removeAll(keepingCapacity: true) }
    if !looks.isEmpty { looks.removeAll(keepingCapacity: true) }
    if !happenings.isEmpty { happenings.removeAll(keepingCapacity: true) }
    if !redemptions.isEmpty { redemptions.removeAll(keepingCapacity: true) }
  }
}

/// What a cell counted since the house last read it.
struct CellTally: Sendable, Codable {
  var signUps: Int64 = 0
  var refusedUnderAge: Int64 = 0
  /// Purchases made.
  var purchases: Int64 = 0
  /// Tins that the buying model's purchases so far ask for, made or not.
  var neededTins: Int64 = 0
  var tinsSold: Int64 = 0
  var tinsSoldInShop: Int64 = 0
  var events: Int64 = 0
  /// Submissions of codes that others had passed on.
  var passedCodes: Int64 = 0
  /// Wholesale tins that came home to members who scan them.
  var wholesaleTins: Int64 = 0
  var outcomes = OutcomeCounts()
  /// Accepted scans by tier.
  var scans = PerTier<Int64>(repeating: 0)
  /// Tins bought, by the member's tier at the purchase, cancelled and refunded ones included.
  var tins = PerTier<Int64>(repeating: 0)
  /// Scan rewards and redeemed chips by the member's tier, in micro-USDT.
  var comps = PerTier<Int64>(repeating: 0)
  /// Whether a sum of money left 64 bits.
  var overflow = Overflow()
  /// Whether a member had more chips of one month than a vault holds.
  var chipsOverflowed = false
  /// Guarantees looked at that may top somebody up.
  var looks: Int64 = 0
  /// Redemptions of chips.
  var redemptions: Int64 = 0
  /// Sign-ups and tiers reached.
  var happenings: Int64 = 0
  /// Whether members have wallets or a shop; without, what follows stays zero.
  let hasExtras: Bool
  var wallet = WalletTally()
  var shop = ShopTally()

  /// Nothing counted.
  init(hasExtras: Bool) { self.hasExtras = hasExtras }

  /// Adds another tally.
  mutating func add(_ other: CellTally) {
    signUps += other.signUps
    refusedUnderAge += other.refusedUnderAge
    purchases += other.purchases
    neededTins += other.neededTins
    tinsSold += other.tinsSold
    tinsSoldInShop += other.tinsSoldInShop
    events += other.events
    passedCodes += other.passedCodes
    wholesaleTins += other.wholesaleTins
    outcomes.add(other.outcomes)
    for tier in Tier.allCases {
      scans[tier] += other.scans[tier]
      tins[tier] += other.tins[tier]
      overflow.add(other.comps[tier], to: &comps[tier])
    }
    looks += other.looks
    redemptions += other.redemptions
    happenings += other.happenings
    overflow.merge(other.overflow)
    chipsOverflowed = chipsOverflowed || other.chipsOverflowed
    guard other.hasExtras else { return }
    wallet.add(other.wallet, &overflow)
    shop.add(other.shop, &overflow)
  }
}
