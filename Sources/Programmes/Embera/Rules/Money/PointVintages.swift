package import Quantities
internal import RewardModel

/// Points old enough to judge breakage by.
package struct SeenPoints: Sendable, Equatable {
  package var issued: Int64 = 0
  /// Those of them that were redeemed.
  package var redeemed: Int64 = 0

  /// None.
  package init() {}

  /// Adds those of other members.
  package mutating func add(_ other: SeenPoints) {
    issued += other.issued
    redeemed += other.redeemed
  }

  /// The share redeemed, rounded down to a basis point; nil of no points.
  package var share: BasisPoints? {
    guard issued > 0 else { return nil }
    return BasisPoints(Int64(Int128(redeemed) * 10_000 / Int128(issued)))
  }
}

/// What some members had earned at the last month ends, which says how old their points are.
///
/// Young points have had no time to be redeemed: while a program grows, a rate over all points
/// takes them for points that nobody wants.
package struct PointVintages: Sendable, Equatable, Codable {
  /// Points issued by member at a month's end.
  private struct MonthEnd: Sendable, Equatable, Codable {
    @Packed var issued: [Int64]
  }

  /// One a month's end, the oldest first: at most the horizon.
  private var ends: [MonthEnd] = []

  /// Before the first month's end.
  package init() {}

  /// Closes a whole month.
  ///
  /// A member's redemptions count for the oldest points that no redemption counts for.
  ///
  /// - Parameters:
  ///   - accounts: Of all members so far, in the order of their numbers.
  ///   - horizon: Months after whose end points are old; 1 or more.
  /// - Returns: The points that are old now.
  /// - Complexity: O(members).
  package mutating func close(
    _ accounts: some Collection<MemberAccount>, horizon: Int
  ) -> SeenPoints {
    var seen = SeenPoints()
    if ends.count == horizon {
      for (old, account) in zip(ends.removeFirst().issued, accounts) {
        seen.issued += old
        seen.redeemed += min(old, account.redeemed)
      }
    }
    ends.append(MonthEnd(issued: accounts.map(\.issued)))
    return seen
  }
}
