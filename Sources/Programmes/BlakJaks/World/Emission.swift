internal import Quantities

/// An accepted scan, as a cell tells the house: 16 bytes.
struct Emission: Sendable, BitwiseCopyable {
  var time: Instant
  /// Member number in the run.
  var member: UInt32
  /// The member's effective tier after the scan.
  var tier: Tier

  /// The total order of a simulation: (instant, member number). One member's scans never share
  /// an instant.
  static func precedes(_ a: Emission, _ b: Emission) -> Bool {
    a.time < b.time || (a.time == b.time && a.member < b.member)
  }
}

/// What the scans of one minute of a window came to: 16 bytes.
struct ScanMinute: Sendable, BitwiseCopyable {
  var scans: Int32 = 0
  /// Scans that earned a reward.
  var rewarded: Int32 = 0
  /// Micro-USDT.
  var rewards: Int64 = 0
}

/// What a cell counted since the house last read it.
struct CellTally: Sendable {
  var signUps: Int64 = 0
  var refusedUnderAge: Int64 = 0
  var purchases: Int64 = 0
  var tinsSold: Int64 = 0
  var tinsSoldInShop: Int64 = 0
  var events: Int64 = 0
  var guaranteeCount: Int64 = 0
  var guarantees: Int64 = 0
  /// Submissions by outcome, in the order of `ScanOutcome`.
  var outcomes = (Int64(0), Int64(0), Int64(0), Int64(0), Int64(0))
  /// Accepted scans by tier.
  var scans = PerTier<Int64>(repeating: 0)
  /// Tins bought, by the member's tier at the purchase, cancelled and refunded ones included.
  var tins = PerTier<Int64>(repeating: 0)
  /// Scan rewards, guarantees and redeemed chips by the member's tier, in micro-USDT.
  var comps = PerTier<Int64>(repeating: 0)
  var wallet = WalletTally()
  var shop = ShopTally()
  /// Whether a sum of money left 64 bits.
  var overflowed = false
  /// Whether a member had more chips of one month than a vault holds.
  var chipsOverflowed = false

  mutating func count(_ outcome: ScanOutcome) {
    switch outcome {
    case .accepted: outcomes.0 += 1
    case .invalidCode: outcomes.1 += 1
    case .unknownCode: outcomes.2 += 1
    case .alreadyScanned: outcomes.3 += 1
    case .memberIneligible: outcomes.4 += 1
    }
  }

  /// All submissions.
  var submitted: Int64 { outcomes.0 + outcomes.1 + outcomes.2 + outcomes.3 + outcomes.4 }

  /// Counts submissions that come from outside the cells, by outcome.
  mutating func count(_ counts: [ScanOutcome: Int64]) {
    outcomes.0 += counts[.accepted] ?? 0
    outcomes.1 += counts[.invalidCode] ?? 0
    outcomes.2 += counts[.unknownCode] ?? 0
    outcomes.3 += counts[.alreadyScanned] ?? 0
    outcomes.4 += counts[.memberIneligible] ?? 0
  }

  /// Adds another tally.
  mutating func add(_ other: CellTally) {
    signUps += other.signUps
    refusedUnderAge += other.refusedUnderAge
    purchases += other.purchases
    tinsSold += other.tinsSold
    tinsSoldInShop += other.tinsSoldInShop
    events += other.events
    guaranteeCount += other.guaranteeCount
    overflowed = Self.add(other.guarantees, to: &guarantees) || overflowed
    outcomes.0 += other.outcomes.0
    outcomes.1 += other.outcomes.1
    outcomes.2 += other.outcomes.2
    outcomes.3 += other.outcomes.3
    outcomes.4 += other.outcomes.4
    for tier in Tier.allCases {
      scans[tier] += other.scans[tier]
      tins[tier] += other.tins[tier]
      overflowed = Self.add(other.comps[tier], to: &comps[tier]) || overflowed
    }
    overflowed = wallet.add(other.wallet) || overflowed
    overflowed = shop.add(other.shop) || overflowed
    overflowed = overflowed || other.overflowed
    chipsOverflowed = chipsOverflowed || other.chipsOverflowed
  }

  /// Adds money; true when the sum left 64 bits.
  @inline(__always)
  static func add(_ money: Int64, to sum: inout Int64) -> Bool {
    let overflow: Bool
    (sum, overflow) = sum.addingReportingOverflow(money)
    return overflow
  }
}
