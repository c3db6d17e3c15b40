package import Quantities

/// What the programme knows of one member beside wallet and chips: 24 bytes, no references.
///
/// Its functions are the member's half of every rule: state in, effects out. A simulation runs them
/// in its cells; replay and service run them in `ProgrammeState.commit`.
package struct MemberAccount: Sendable, Equatable, BitwiseCopyable, Codable {
  /// Scan rewards, crypto and casino comps and guarantee so far: what the guarantee looks at.
  package var comps = MicroUSDT.zero
  package internal(set) var standing = MemberStanding()
  /// Row of whoever referred the member in the affiliate table, or `noAffiliate`.
  package var affiliate = MemberAccount.noAffiliate

  package static let noAffiliate: UInt32 = (1 << 30) - 1

  /// Somebody who has not signed up.
  package init() {}

  /// Whether somebody referred the member.
  package var isReferred: Bool { affiliate != MemberAccount.noAffiliate }

  /// Whether the member has signed up.
  package var hasSignedUp: Bool { standing.status.contains(.signedUp) }

  /// Whether the member may earn no rewards: banned where they live, or expelled.
  package var isSuspended: Bool { standing.status.contains(.suspended) }

  /// Whether the guarantee is still to be looked at.
  package var guaranteePending: Bool { standing.status.contains(.guaranteePending) }

  /// Whether a scan of the member may be accepted.
  package var isEligible: Bool {
    standing.status.intersection(MemberStatus.eligibleBits) == MemberStatus.eligible
  }

  /// Signs the member up.
  ///
  /// - Parameters:
  ///   - guarantee: Whether there is a guarantee to look at later.
  ///   - sunset: Whether the sunset engine is active: a referral then does not count.
  package mutating func enroll(guarantee: Bool, sunset: Bool = false) {
    if sunset { affiliate = MemberAccount.noAffiliate }
    standing.status.insert(.signedUp)
    if guarantee { standing.status.insert(.guaranteePending) }
  }

  /// Ties the member to an affiliate from now on, unless the sunset engine keeps the doors closed.
  package mutating func refer(to row: UInt32, sunset: Bool) {
    if !sunset { affiliate = row }
  }

  /// Suspends the member from rewards, or lifts it: a ban where they live begins or ends. Whoever
  /// was expelled stays suspended.
  ///
  /// - Returns: Whether that changed anything.
  @discardableResult
  package mutating func suspend(_ isBanned: Bool) -> Bool {
    let isOut = isBanned || standing.status.contains(.expelled)
    guard isOut != isSuspended else { return false }
    if isOut {
      standing.status.insert(.suspended)
    } else {
      standing.status.subtract([.suspended, .neverEligible])
    }
    return true
  }

  /// Signed up where rewards are banned: while that lasts, nothing was earned before.
  package mutating func suspendAtSignUp(_ isBanned: Bool) {
    if suspend(isBanned) { standing.status.insert(.neverEligible) }
  }

  /// Suspends the member for good: too many bad codes.
  ///
  /// - Returns: Whether that changed anything; not where a ban had suspended the member before.
  package mutating func expel() -> Bool {
    standing.status.insert(.expelled)
    return suspend(true)
  }

  /// An accepted scan: counts it, lets the tier follow and adds the reward to the comps.
  ///
  /// - Parameters:
  ///   - rewards: What a scan pays now, by the tier after it.
  ///   - overflow: Told when the comps leave 64 bits.
  @inline(__always)
  package mutating func acceptScan(
    _ tiers: TierRules, _ rewards: ScanRewardTable, _ overflow: inout Overflow
  ) -> ScanEffect {
    acceptScan(tiers, { rewards.amount[$0] }, &overflow)
  }

  /// The same, where loops over many scans have their own way to look a reward up.
  @inline(__always)
  package mutating func acceptScan(
    _ tiers: TierRules, _ reward: (Tier) -> MicroUSDT, _ overflow: inout Overflow
  ) -> ScanEffect {
    let tier = standing.countScan(tiers)
    let reward = reward(tier)
    overflow.add(reward.microunits, to: &comps.microunits)
    return ScanEffect(tier: tier, reward: reward)
  }

  /// Accepted scans, one after another, up to the one before which the tier would change again.
  ///
  /// - Parameters:
  ///   - most: How many at most, 1 or more.
  ///   - overflow: Told when the comps leave 64 bits.
  /// - Returns: How many were accepted, and what each of them did.
  package mutating func acceptScans(
    _ most: Int64, _ tiers: TierRules, _ rewards: ScanRewardTable,
    _ overflow: inout Overflow
  ) -> (count: Int64, each: ScanEffect) {
    let effect = acceptScan(tiers, rewards, &overflow)
    var count: Int64 = 1
    while count < most,
      tiers.tier(quarterScans: standing.quarterScans + 1) <= effect.tier
    {
      _ = acceptScan(tiers, rewards, &overflow)
      count += 1
    }
    return (count, effect)
  }

  /// The guarantee is looked at, once: what the member has scanned and got so far. Whoever is
  /// suspended has what was earned before; whoever was so from the first has earned nothing.
  package mutating func lookAtGuarantee(_ member: UInt32, at time: Instant) -> GuaranteeLook {
    standing.status.remove(.guaranteePending)
    return GuaranteeLook(
      time: time, member: member, scans: standing.lifetimeScans, comps: comps,
      tier: standing.tier, isEarned: !standing.status.contains(.neverEligible))
  }

  /// A comp that the programme awarded counts for the guarantee.
  ///
  /// - Throws: `MoneyError.overflow`; nothing is then counted.
  package mutating func count(comp: MicroUSDT) throws(MoneyError) {
    comps = try comps.adding(comp)
  }

  /// Enters the next calendar quarter.
  package mutating func turnQuarter(_ rules: TierRules) { standing.turnQuarter(rules) }

  /// Raises the permanent floor; a lower one changes nothing.
  package mutating func raiseFloor(to floor: Tier) { standing.raiseFloor(to: floor) }
}

/// What an accepted scan did for its member.
package struct ScanEffect: Sendable, Equatable, BitwiseCopyable {
  /// The effective tier after it.
  package let tier: Tier
  /// The scan reward.
  package let reward: MicroUSDT
}

/// What a member's guarantee looks at: the state at the instant at which it is due.
package struct GuaranteeLook: Sendable, Equatable, BitwiseCopyable {
  package let time: Instant
  package let member: UInt32
  /// Accepted scans so far.
  package let scans: UInt32
  /// Comps so far.
  package let comps: MicroUSDT
  /// The effective tier.
  package let tier: Tier
  /// Whether the member could ever earn anything.
  package let isEarned: Bool

  /// What brings the member up to the guarantee; zero where it asks for more than there is.
  ///
  /// - Parameter comps: All comps so far.
  package func topUp(_ rules: GuaranteeRules, comps: MicroUSDT) -> MicroUSDT {
    isEarned ? rules.topUp(scans: scans, comps: comps) : .zero
  }
}

/// Where a member stands with the programme.
package struct MemberStatus: OptionSet, Sendable, BitwiseCopyable, Codable {
  package let rawValue: UInt8

  /// The status of these bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let signedUp = MemberStatus(rawValue: 1)
  /// The guarantee is still to be looked at.
  package static let guaranteePending = MemberStatus(rawValue: 2)
  /// May earn no rewards.
  package static let suspended = MemberStatus(rawValue: 4)
  /// Suspended for good.
  package static let expelled = MemberStatus(rawValue: 8)
  /// Suspended since sign-up, without a day between.
  package static let neverEligible = MemberStatus(rawValue: 16)

  /// What says whether a scan may be accepted, and how it says so: signed up and not suspended.
  package static var eligibleBits: MemberStatus { [.signedUp, .suspended] }
  package static var eligible: MemberStatus { .signedUp }
}
