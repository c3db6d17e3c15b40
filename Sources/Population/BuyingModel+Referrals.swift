internal import EventKernel
internal import Quantities

/// Which of a run's members refer others, one bit each.
public struct Affiliates: Sendable {
  private let bits: [UInt64]

  fileprivate init(bits: [UInt64]) { self.bits = bits }

  /// Whether a member refers others: `BuyingModel.isAffiliate`.
  ///
  /// - Parameter member: Below the number of members.
  @inline(__always)
  public func contains(_ member: UInt32) -> Bool {
    bits[Int(member &>> 6)] &>> UInt64(member & 63) & 1 != 0
  }
}

// Who refers whom. Streams of many members are drawn side by side, as before a run all of them are asked for.
extension BuyingModel {
  /// Whether a member refers others.
  public func isAffiliate(_ member: UInt32) -> Bool {
    var stream = stream(.refers, member)
    return stream.uniform() < referral.affiliates
  }

  /// Which members refer others.
  ///
  /// - Parameter members: How many there are.
  /// - Complexity: O(members).
  public func affiliates(_ members: Int) -> Affiliates {
    let drawn = DrawnStreams(
      seed: seed, purpose: RandomPurpose.refers.rawValue, blocks: 1)
    let width = DrawnStreams.capacity
    return Affiliates(
      bits: stride(from: 0, to: members, by: width).map { first in
        drawn.draw(from: UInt32(first))
        var bits: UInt64 = 0
        for place in 0..<width {
          var stream = drawn.stream(place)
          bits |= (stream.uniform() < referral.affiliates ? 1 : 0) &<< UInt64(place)
        }
        return bits
      })
  }

  /// The member who referred this one: with the given probability a random earlier affiliate.
  ///
  /// Affiliates are looked for among earlier members drawn at random: 64 of them, and where fewer than
  /// a tenth refer as many more as make the search as sure, up to 100,000.
  ///
  /// - Returns: Nil for members who came by themselves, and where none of those drawn is an affiliate:
  ///   once in 600 to 850 referred members where a tenth or fewer refer, and less often where more
  ///   do; always while no earlier member is one.
  /// - Complexity: O(1 ÷ share of affiliates), at most 100,000 draws.
  public func referrer(of member: UInt32) -> UInt32? {
    var stream = stream(.referrer, member)
    return referrer(of: member, &stream, isAffiliate)
  }

  /// Who referred each of many members: `referrer(of:)`.
  ///
  /// - Parameters:
  ///   - affiliates: Those among all members.
  ///   - told: Told of each member in turn.
  /// - Complexity: O(members ÷ share of affiliates).
  public func referrers(
    of members: Range<UInt32>, among affiliates: Affiliates,
    _ told: (_ member: UInt32, _ referrer: UInt32?) -> Void
  ) {
    let drawn = DrawnStreams(
      seed: seed, purpose: RandomPurpose.referrer.rawValue, blocks: 2)
    let width = UInt32(DrawnStreams.capacity)
    var first = members.lowerBound
    while first < members.upperBound {
      drawn.draw(from: first)
      let count = min(width, members.upperBound - first)
      for place in 0..<count {
        var stream = drawn.stream(Int(place))
        told(first + place, referrer(of: first + place, &stream, affiliates.contains))
      }
      first += count
    }
  }

  /// - Parameters:
  ///   - stream: The member's stream `.referrer`.
  ///   - refers: Whether an earlier member refers others.
  @inline(__always)
  private func referrer(
    of member: UInt32, _ stream: inout some RandomSource, _ refers: (UInt32) -> Bool
  ) -> UInt32? {
    guard referral.referred > 0, referral.affiliates > 0, member > 0 else { return nil }
    guard stream.uniform() < referral.referred else { return nil }
    let tries = Int(min(max(64, (6.4 / referral.affiliates).rounded(.up)), 100_000))
    for _ in 0..<tries {
      let candidate = UInt32(stream.uniformIndex(below: UInt64(member)))
      if refers(candidate) { return candidate }
    }
    return nil
  }
}
