public import Quantities

/// Every number of the programme's rules, as one scenario sets them.
///
/// The defaults are those of the product brief and the assumptions that complete it; a scenario
/// overrides any of them. Money amounts are zero or more; shares lie in 0...10,000 basis points.
public struct ProgrammeRules: Sendable, Equatable {
  public var tiers = TierRules()
  public var prizes: [Prize] = Prize.brief
  public var scanReward = ScanRewardRules()
  public var compPool = CompPoolRules()
  public var health = BudgetHealthRules()
  public var guardPolicy = GuardRules()
  public var guarantee = GuaranteeRules()
  public var affiliates = AffiliateRules()
  public var chips = ChipRules()
  public var wallet = WalletRules()
  public var wholesale = WholesaleRules()
  public var sunset = SunsetRules()
  public var economy = EconomyRules()
  public var treasury = TreasuryRules()
  public var payouts = PayoutRules()
  public var shop = ShopRules()
  /// Where members live; empty when states play no part.
  public var states: [StateRecord] = StateRecord.unitedStates
  /// States that ban rewards.
  public var bans: [StateBan] = []
  public var social = SocialRules()
  public var abuse = AbuseRules()
  public var scanning = ScanningRules()

  /// The defaults.
  public init() {}
}

/// How accepted scans make tiers.
public struct TierRules: Sendable, Equatable {
  /// Accepted scans in the calendar quarter from which a member is VIP.
  public var vip: UInt32 = 7
  /// Accepted scans in the quarter from which a member is High Roller.
  public var highRoller: UInt32 = 15
  /// Accepted scans in the quarter from which a member is Whale.
  public var whale: UInt32 = 30
  /// Whether a tier earned in one quarter holds to the end of the next.
  public var carry = true
  /// Lifetime accepted scans of referred members from which the affiliate is VIP for life.
  public var floorVip: UInt32 = 210
  /// The same for High Roller.
  public var floorHighRoller: UInt32 = 2_100
  /// The same for Whale.
  public var floorWhale: UInt32 = 21_000

  /// The defaults.
  public init() {}
}

/// What sort of thing a milestone prize is.
public enum PrizeKind: String, CaseIterable, Sendable {
  case crypto, casino, trip
}

/// Who gets a prize that is due.
public enum PrizeAllocation: String, CaseIterable, Sendable {
  /// The first accepted scan, the due one included, whose member holds the required tier.
  case rollForward = "roll_forward"
  /// A random eligible member, weighted by accepted scans this quarter.
  case draw
}

/// One milestone prize: due at each accepted scan whose global number is a multiple of `every`.
public struct Prize: Sendable, Equatable {
  public var name: String
  public var kind: PrizeKind
  public var amount: MicroUSDT
  /// 1 or more.
  public var every: Int64
  public var requiredTier: Tier
  public var allocation: PrizeAllocation

  public init(
    name: String, kind: PrizeKind, amount: MicroUSDT, every: Int64, requiredTier: Tier,
    allocation: PrizeAllocation = .rollForward
  ) {
    self.name = name
    self.kind = kind
    self.amount = amount
    self.every = every
    self.requiredTier = requiredTier
    self.allocation = allocation
  }

  /// The five prizes of the brief.
  public static let brief: [Prize] = [
    Prize(
      name: "Crypto $100", kind: .crypto, amount: .whole(100), every: 500,
      requiredTier: .standard),
    Prize(
      name: "Crypto $1K", kind: .crypto, amount: .whole(1_000), every: 5_000, requiredTier: .vip),
    Prize(
      name: "Crypto $10K", kind: .crypto, amount: .whole(10_000), every: 50_000,
      requiredTier: .highRoller),
    Prize(
      name: "Casino", kind: .casino, amount: .whole(5_000), every: 100_000,
      requiredTier: .highRoller),
    Prize(
      name: "Trip $200K", kind: .trip, amount: .whole(200_000), every: 500_000,
      requiredTier: .whale),
  ]
}

/// What each accepted scan pays.
public struct ScanRewardRules: Sendable, Equatable {
  /// For a member of tier Standard.
  public var base = MicroUSDT(microunits: 200_000)
  /// Multiplier of the base by tier; 10,000 is 1.00.
  public var multiplier = PerTier(
    standard: BasisPoints(10_000), vip: BasisPoints(12_500), highRoller: BasisPoints(15_000),
    whale: BasisPoints(20_000))

  /// The defaults.
  public init() {}
}

/// Whether the trip counts when its reserve is set aside or when it is won.
public enum TripRecognition: String, CaseIterable, Sendable {
  case accrual, cash
}

/// Where a payout's money comes from.
public enum ChargeAccount: String, CaseIterable, Sendable {
  case compPool = "comp_pool"
  case affiliatePool = "affiliate_pool"
  case wholesalePool = "wholesale_pool"
  case operating
}

/// The comp pool and its sisters, as shares of gross profit.
public struct CompPoolRules: Sendable, Equatable {
  /// The comp pool, and with it each month's budget.
  public var share = BasisPoints(5_000)
  /// The weekly affiliate pool.
  public var affiliateShare = BasisPoints(500)
  /// Wholesale comps.
  public var wholesaleShare = BasisPoints(200)
  public var recognition = TripRecognition.accrual
  /// The account that each payout family is charged to.
  public var charges = PayoutCharges()

  /// The defaults.
  public init() {}
}

/// The charge account of each payout family.
public struct PayoutCharges: Sendable, Equatable {
  public var scanReward = ChargeAccount.compPool
  public var crypto = ChargeAccount.compPool
  public var casino = ChargeAccount.compPool
  public var trip = ChargeAccount.compPool
  public var guarantee = ChargeAccount.compPool
  public var match = ChargeAccount.compPool
  public var pool = ChargeAccount.affiliatePool
  public var wholesale = ChargeAccount.wholesalePool
  public var chips = ChargeAccount.compPool

  /// The defaults.
  public init() {}
}

/// Bounds of the budget's health, in basis points of the budget.
public struct BudgetHealthRules: Sendable, Equatable {
  /// From here on the status is Warning.
  public var warning = BasisPoints(8_500)
  /// Above here the status is Critical.
  public var critical = BasisPoints(10_000)
  /// Seasonal weights Monday to Sunday by which spend and budget are expected to accrue, in
  /// basis points of an average day.
  public var weekdayWeights: [Int64] = [9_000, 9_000, 9_500, 10_000, 11_500, 12_000, 9_000]
  /// Days of a month before which last month's rates serve for the projection.
  public var settlingDays = 2

  /// The defaults.
  public init() {}
}

/// What the programme does while its budget is Critical.
public enum GuardPolicy: String, CaseIterable, Sendable {
  case none
  /// Due prizes wait.
  case deferMilestones = "defer_milestones"
  /// Scan rewards are multiplied by a factor.
  case scaleScanReward = "scale_scan_reward"
}

/// The guard policy and its factor.
public struct GuardRules: Sendable, Equatable {
  public var policy = GuardPolicy.none
  /// Factor of the scan reward while Critical, in basis points, for `scaleScanReward`.
  public var factor = BasisPoints(5_000)

  /// The defaults.
  public init() {}
}

/// The new-member guarantee.
public struct GuaranteeRules: Sendable, Equatable {
  public var enabled = true
  /// Topped up to this.
  public var amount = MicroUSDT.whole(50)
  /// Days of 24 hours after sign-up.
  public var afterDays: Int64 = 90
  /// Lifetime accepted scans needed.
  public var minimumScans: UInt32 = 7

  /// The defaults.
  public init() {}
}

/// What affiliates earn by the members they referred.
public struct AffiliateRules: Sendable, Equatable {
  /// Share of each crypto comp won by a referred member.
  public var match = BasisPoints(2_100)
  /// Chips per accepted scan of a referred member.
  public var chipsPerScan: UInt32 = 1
  /// A chip expires at the end of the local month that contains its scan plus this many days.
  public var chipDays = 365
  /// Whether the weekly pool is paid.
  public var weeklyPool = true

  /// The defaults.
  public init() {}
}

/// Prices and gross profit of a tin.
public struct EconomyRules: Sendable, Equatable {
  /// What a shop or retail customer pays for a tin.
  public var price = MicroUSDT.whole(5)
  /// Gross profit of a tin sold through the shop or retail.
  public var grossProfit = MicroUSDT.whole(2)
  /// Gross profit of a tin sold wholesale.
  public var wholesaleGrossProfit = MicroUSDT(microunits: 1_300_000)

  /// The defaults.
  public init() {}
}

/// The workers of the service that adjudicate scans, for the figures of its speed.
public struct ScanningRules: Sendable, Equatable {
  /// 1 or more.
  public var workers = 4
  /// Mean time that a worker needs for one scan, exponentially distributed; above zero.
  public var service = Span(microseconds: 25_000)

  /// The defaults.
  public init() {}
}

/// When accounts that submit too many bad codes are suspended.
public struct AbuseRules: Sendable, Equatable {
  /// Refused submissions of one account on one local day that suspend it; 0 never does.
  public var refusals: Int64 = 50

  /// The defaults.
  public init() {}
}
