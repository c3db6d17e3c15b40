/// Signed-up members by effective tier, and the weight that each tier has in a draw.
///
/// Kept up to date member by member, so that nobody has to count: O(1) a change.
package struct TierCensus: Sendable, Equatable, Codable {
  /// Members by effective tier.
  package private(set) var members = PerTier<Int64>(repeating: 0)
  /// Accepted scans this quarter of members who are not suspended, by effective tier: what a draw
  /// is weighted by.
  package private(set) var weights = PerTier<Int64>(repeating: 0)

  /// A member signed up, or is counted again.
  package mutating func add(_ account: MemberAccount) {
    members[account.standing.tier] += 1
    if !account.isSuspended {
      weights[account.standing.tier] += Int64(account.standing.quarterScans)
    }
  }

  /// A member's scans or tier changed.
  @inline(__always)
  package mutating func move(from before: MemberStanding, to after: MemberStanding) {
    if before.tier == after.tier {
      weights[after.tier] += Int64(after.quarterScans) - Int64(before.quarterScans)
      return
    }
    // Whoever is suspended wins no draws, and so has no weight.
    if !after.status.contains(.suspended) {
      weights[before.tier] -= Int64(before.quarterScans)
      weights[after.tier] += Int64(after.quarterScans)
    }
    members[before.tier] -= 1
    members[after.tier] += 1
  }

  /// Members who are not suspended had so many accepted scans and kept their tier.
  @inline(__always)
  package mutating func count(scans: Int64, of tier: Tier) { weights[tier] += scans }

  /// A member was suspended, or is no longer.
  package mutating func suspend(_ account: MemberAccount) {
    let scans = Int64(account.standing.quarterScans)
    weights[account.standing.tier] += account.isSuspended ? -scans : scans
  }

  /// The weight of all members of a tier or a higher one.
  package func weight(atLeast tier: Tier) -> Int64 {
    Tier.allCases.reduce(0) { $1 >= tier ? $0 + weights[$1] : $0 }
  }

  /// Adds other members.
  package mutating func add(_ other: TierCensus) {
    for tier in Tier.allCases {
      members[tier] += other.members[tier]
      weights[tier] += other.weights[tier]
    }
  }
}

extension MemberAccount {
  /// The member's weight in a draw of a prize: accepted scans of the quarter, where the tier
  /// suffices.
  package func drawWeight(atLeast tier: Tier) -> Int64 {
    isEligible && standing.tier >= tier ? Int64(standing.quarterScans) : 0
  }
}
