package import Quantities
package import RewardModel

/// Every number of the programme's rules, as one scenario sets them.
///
/// The defaults are those of the product brief and the assumptions that complete it; a scenario
/// overrides any of them. Money amounts are zero or more; shares lie in 0...10,000 basis points.
package struct ProgrammeRules: Sendable, Equatable, Codable {
  package var tiers = TierRules()
  package var prizes: [Prize] = Prize.brief
  package var scanReward = ScanRewardRules()
  package var compPool = CompPoolRules()
  package var health = BudgetHealthRules()
  package var guardPolicy = GuardRules()
  package var guarantee = GuaranteeRules()
  package var affiliates = AffiliateRules()
  package var chips = ChipRules()
  package var wallet = WalletRules()
  package var wholesale = WholesaleRules()
  package var sunset = SunsetRules()
  package var economy = EconomyRules()
  package var treasury = TreasuryRules()
  package var payouts = PayoutRules()
  package var shop = ShopRules()
  /// Where members live; empty when states play no part.
  package var states: [StateRecord] = StateRecord.unitedStates
  /// States that ban rewards.
  package var bans: [StateBan] = []
  package var social = SocialRules()
  package var abuse = AbuseRules()
  package var scanning = ScanningRules()
  package var feed = FeedRules()

  /// The defaults.
  package init() {}
}

extension ProgrammeRules {
  /// Whether members have more than scans and a tier, such as a state that they live in.
  ///
  /// - Parameter wallets: Whether they look at wallets.
  func hasExtras(wallets: Bool) -> Bool {
    shop.enabled || chips.enabled || wallets || !bans.isEmpty || wholesale.accounts > 0
  }

  /// When each local day's morning is: the weekly pool, the sunset check, the sweep and the
  /// reconciliation.
  ///
  /// - Complexity: O(days).
  package static func mornings(_ calendar: ProgrammeCalendar) -> [Instant] {
    calendar.instants(atHour: 5)
  }
}

/// How accepted scans make tiers.
package struct TierRules: Sendable, Equatable, Codable {
  /// Accepted scans in the calendar quarter from which a member is VIP.
  package var vip: UInt32 = 7
  /// Accepted scans in the quarter from which a member is High Roller.
  package var highRoller: UInt32 = 15
  /// Accepted scans in the quarter from which a member is Whale.
  package var whale: UInt32 = 30
  /// Whether a tier earned in one quarter holds to the end of the next.
  package var carry = true
  /// Lifetime accepted scans of referred members from which the affiliate is VIP for life.
  package var floorVip: UInt32 = 210
  /// The same for High Roller.
  package var floorHighRoller: UInt32 = 2_100
  /// The same for Whale.
  package var floorWhale: UInt32 = 21_000

  /// The defaults.
  package init() {}
}

/// What sort of thing a milestone prize is.
package enum PrizeKind: String, CaseIterable, Sendable, Codable {
  case crypto, casino, trip
}

/// Who gets a prize that is due.
package enum PrizeAllocation: String, CaseIterable, Sendable, Codable {
  /// The first accepted scan, the due one included, whose member holds the required tier.
  case rollForward = "roll_forward"
  /// A random eligible member, weighted by accepted scans this quarter.
  case draw
}

/// One milestone prize: due at each accepted scan whose global number is a multiple of `every`.
package struct Prize: Sendable, Equatable, Codable {
  package var name: String
  package var kind: PrizeKind
  package var amount: MicroUSDT
  /// 1 or more.
  package var every: Int64
  package var requiredTier: Tier
  package var allocation: PrizeAllocation

  /// A prize; see the properties.
  package init(
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
  package static let brief: [Prize] = [
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
package struct ScanRewardRules: Sendable, Equatable, Codable {
  /// For a member of tier Standard.
  package var base = MicroUSDT(microunits: 200_000)
  /// Multiplier of the base by tier; 10,000 is 1.00.
  package var multiplier = PerTier(
    standard: BasisPoints(10_000), vip: BasisPoints(12_500), highRoller: BasisPoints(15_000),
    whale: BasisPoints(20_000))

  /// The defaults.
  package init() {}
}

/// Whether the trip counts when its reserve is set aside or when it is won.
package enum TripRecognition: String, CaseIterable, Sendable, Codable {
  case accrual, cash
}

/// Where a payout's money comes from.
package enum ChargeAccount: String, CaseIterable, Sendable, Codable {
  case compPool = "comp_pool"
  case affiliatePool = "affiliate_pool"
  case wholesalePool = "wholesale_pool"
  case operating
}

/// The comp pool and its sisters, as shares of gross profit.
package struct CompPoolRules: Sendable, Equatable, Codable {
  /// The comp pool, and with it each month's budget.
  package var share = BasisPoints(5_000)
  /// The weekly affiliate pool.
  package var affiliateShare = BasisPoints(500)
  /// Wholesale comps.
  package var wholesaleShare = BasisPoints(200)
  package var recognition = TripRecognition.accrual
  /// The account that each payout family is charged to.
  package var charges = PayoutCharges()
}

/// The charge account of each payout family.
package struct PayoutCharges: Sendable, Equatable, Codable {
  package var scanReward = ChargeAccount.compPool
  package var crypto = ChargeAccount.compPool
  package var casino = ChargeAccount.compPool
  package var trip = ChargeAccount.compPool
  package var guarantee = ChargeAccount.compPool
  package var match = ChargeAccount.compPool
  package var pool = ChargeAccount.affiliatePool
  package var wholesale = ChargeAccount.wholesalePool
  package var chips = ChargeAccount.compPool
}

/// Bounds of the budget's health, in basis points of the budget.
package struct BudgetHealthRules: Sendable, Equatable, Codable {
  /// From here on the status is Warning.
  package var warning = BasisPoints(8_500)
  /// Above here the status is Critical.
  package var critical = BasisPoints(10_000)
  /// Seasonal weights Monday to Sunday by which spend and budget are expected to accrue, in
  /// basis points of an average day.
  package var weekdayWeights: [Int64] = [9_000, 9_000, 9_500, 10_000, 11_500, 12_000, 9_000]
  /// Days of a month before which last month's rates serve for the projection.
  package var settlingDays = 2

  /// The defaults.
  package init() {}
}

/// What the programme does while its budget is Critical.
package enum GuardPolicy: String, CaseIterable, Sendable, Codable {
  case none
  /// Due prizes wait.
  case deferMilestones = "defer_milestones"
  /// Scan rewards are multiplied by a factor.
  case scaleScanReward = "scale_scan_reward"
}

/// The guard policy and its factor.
package struct GuardRules: Sendable, Equatable, Codable {
  package var policy = GuardPolicy.none
  /// Factor of the scan reward while Critical, in basis points, for `scaleScanReward`.
  package var factor = BasisPoints(5_000)
}

/// The new-member guarantee.
package struct GuaranteeRules: Sendable, Equatable, Codable {
  package var enabled = true
  /// Topped up to this.
  package var amount = MicroUSDT.whole(50)
  /// Days of 24 hours after sign-up.
  package var afterDays: Int64 = 90
  /// Lifetime accepted scans needed.
  package var minimumScans: UInt32 = 7

  /// The defaults.
  package init() {}
}

/// What affiliates earn by the members they referred.
package struct AffiliateRules: Sendable, Equatable, Codable {
  /// Share of each crypto comp won by a referred member.
  package var match = BasisPoints(2_100)
  /// Chips per accepted scan of a referred member.
  package var chipsPerScan: UInt32 = 1
  /// A chip expires at the end of the local month that contains its scan plus this many days.
  package var chipDays = 365
  /// Whether the weekly pool is paid.
  package var weeklyPool = true
}

/// Prices and gross profit of a tin.
package struct EconomyRules: Sendable, Equatable, Codable {
  /// What a shop or retail customer pays for a tin.
  package var price = MicroUSDT.whole(5)
  /// Gross profit of a tin sold through the shop or retail.
  package var grossProfit = MicroUSDT.whole(2)
  /// Gross profit of a tin sold wholesale.
  package var wholesaleGrossProfit = MicroUSDT(microunits: 1_300_000)
}

/// The workers of the service that adjudicate scans, for the figures of its speed.
package struct ScanningRules: Sendable, Equatable, Codable {
  /// 1 or more.
  package var workers = 4
  /// Mean time that a worker needs for one scan, exponentially distributed; above zero.
  package var service = TimeSpan(microseconds: 25_000)

  /// The defaults.
  package init() {}
}

/// When accounts that submit too many bad codes are suspended.
package struct AbuseRules: Sendable, Equatable, Codable {
  /// Refused submissions of one account on one local day that suspend it; 0 never does.
  package var refusals: Int64 = 50
}
