/// What the programme knows of one member's scans and tier: 12 bytes, no references.
///
/// The tier is always the effective one: the highest of what this quarter's scans earn, what the
/// last quarter earned (where the rules carry it) and the permanent floor.
package struct MemberStanding: Sendable, Equatable, BitwiseCopyable, Codable {
  /// Accepted scans this calendar quarter.
  package var quarterScans: UInt32 = 0
  /// Accepted scans ever.
  package var lifetimeScans: UInt32 = 0
  /// Earned in the previous quarter; `standard` where nothing is carried.
  package var carried = Tier.standard
  /// Never below this again.
  package var floor = Tier.standard
  /// The effective tier.
  package var tier: Tier { effective }
  var effective = Tier.standard
  /// Where the member stands with the programme.
  package internal(set) var status = MemberStatus()

  /// A member without scans.
  package init() {}

  /// Counts one accepted scan and returns the effective tier after it.
  ///
  /// Stops the process beyond 4,294,967,295 scans of one member.
  @inline(__always)
  package mutating func countScan(_ rules: TierRules) -> Tier {
    quarterScans += 1
    lifetimeScans += 1
    effective = max(effective, rules.tier(quarterScans: quarterScans))
    return effective
  }

  /// The standing before the last accepted scans of a quarter, which moved nothing else.
  ///
  /// - Parameter scans: How many, at most `quarterScans`.
  package func before(_ scans: UInt32, _ rules: TierRules) -> MemberStanding {
    var earlier = self
    earlier.quarterScans -= scans
    earlier.lifetimeScans -= scans
    earlier.effective = max(rules.tier(quarterScans: earlier.quarterScans), carried, floor)
    return earlier
  }

  /// Enters the next calendar quarter: what was earned is carried to its end, counts restart.
  package mutating func turnQuarter(_ rules: TierRules) {
    carried = rules.carry ? rules.tier(quarterScans: quarterScans) : .standard
    quarterScans = 0
    effective = max(carried, floor)
  }

  /// Raises the permanent floor; a lower one changes nothing.
  package mutating func raiseFloor(to newFloor: Tier) {
    floor = max(floor, newFloor)
    effective = max(effective, floor)
  }
}

extension TierRules {
  /// The tier that a number of accepted scans in one quarter earns.
  @inline(__always)
  package func tier(quarterScans: UInt32) -> Tier {
    // Chosen and not asked one after another, which a processor would often guess wrong.
    let low: Tier = quarterScans < vip ? .standard : .vip
    let high: Tier = quarterScans < whale ? .highRoller : .whale
    return quarterScans < highRoller ? low : high
  }

  /// The permanent floor that lifetime accepted scans of referred members give.
  package func floor(referredScans: Int64) -> Tier {
    if referredScans < Int64(floorVip) { return .standard }
    if referredScans < Int64(floorHighRoller) { return .vip }
    return referredScans < Int64(floorWhale) ? .highRoller : .whale
  }
}
