import BlakJaks
// Goal: visits to the wallet have the frequencies and amounts that their settings name.
// Method: sample means and variances within 4 standard errors of closed forms; fixed seeds.
import Foundation
import Population
import Quantities
import Testing

@Suite struct WalletBehaviourTests {
  private func behaviour(seed: UInt64 = 21, _ edit: (inout WalletSettings) -> Void = { _ in })
    -> WalletBehaviour
  {
    var settings = WalletSettings()
    edit(&settings)
    return WalletBehaviour(settings, seed: seed)
  }

  private func expectShare(_ hits: Int, of count: Int, _ p: Double, _ what: Comment) {
    let expected = p * Double(count)
    #expect(distance(Double(hits), expected, expected * (1 - p)) < 4, what)
  }

  @Test func defaultsAreTheOnesOfTheSpecification() {
    let settings = WalletSettings()
    #expect(!settings.enabled)
    #expect(settings.passesKYC == 0.90)
    #expect(WalletBehaviour(settings, seed: 1).meanGapWeeks == 2)
  }

  @Test func membersTraitsHaveTheirSharesIndependently() {
    let behaviour = behaviour()
    let count = 40_000
    let traits = (0..<UInt32(count)).map { behaviour.traits(member: $0) }
    expectShare(traits.count { $0.isVaulter }, of: count, 0.60, "vaulters")
    expectShare(traits.count { $0.wantsCard }, of: count, 0.30, "applicants")
    expectShare(traits.count { $0.passesKYC }, of: count, 0.90, "pass")
    expectShare(traits.count { $0.activates }, of: count, 0.85, "activate")
    expectShare(
      traits.count { $0.wantsCard && $0.passesKYC && $0.activates }, of: count, 0.2295,
      "active cards")
    expectShare(traits.count { $0.isVaulter && $0.wantsCard }, of: count, 0.18, "both")
  }

  @Test func visitsHaveTheirSharesAndExponentialGaps() {
    let behaviour = behaviour()
    let count = 40_000
    var gaps = Moments(around: 1)
    var seen = [0, 0, 0, 0, 0]
    for member in 0..<UInt32(count) {
      let visit = behaviour.visit(member: member, index: member % 7)
      gaps.add(visit.gap)
      seen[0] += visit.redeems ? 1 : 0
      seen[1] += visit.withdraws ? 1 : 0
      seen[2] += visit.spends ? 1 : 0
      seen[3] += visit.redeems && visit.withdraws ? 1 : 0
      seen[4] += behaviour.payment(member: member, index: member % 7).withdrawalFails ? 1 : 0
    }
    #expect(gaps.errors(from: 1, variance: 1) < 4)
    // Fourth central moment of an exponential: 9.
    #expect(gaps.varianceErrors(from: 1, fourth: 9) < 4)
    let shares = [0.10, 0.15, 0.50, 0.015, 0.01]
    for (hits, share) in zip(seen, shares) { expectShare(hits, of: count, share, "\(share)") }
  }

  @Test("Card payments are exponential, rounded up to whole cents", arguments: [20, 1, 3_000])
  func payments(usdt: Int64) {
    let behaviour = behaviour { $0.meanSpend = .whole(usdt) }
    // The number of whole cents is geometric with this probability of one more.
    let more = exp(-1 / Double(100 * usdt))
    var cents = Moments(around: Double(100 * usdt))
    for member in 0..<UInt32(40_000) {
      let amount = behaviour.payment(member: member, index: 3).spend.microunits
      #expect(amount > 0 && amount % 10_000 == 0)
      cents.add(Double(amount / 10_000))
    }
    #expect(cents.errors(from: 1 / (1 - more), variance: more / ((1 - more) * (1 - more))) < 4)
  }

  @Test func aProbabilityOfZeroNeverAndOfOneAlwaysHappens() {
    let never = behaviour {
      $0.vaulters = 0
      $0.redeems = 0
      $0.withdrawalFails = 0
    }
    let always = behaviour {
      $0.vaulters = 1
      $0.redeems = 1
      $0.withdrawalFails = 1
    }
    for member in 0..<UInt32(5_000) {
      #expect(!never.traits(member: member).isVaulter && always.traits(member: member).isVaulter)
      #expect(!never.visit(member: member, index: 1).redeems)
      #expect(always.visit(member: member, index: 1).redeems)
      #expect(!never.payment(member: member, index: 1).withdrawalFails)
      #expect(always.payment(member: member, index: 1).withdrawalFails)
    }
  }

  @Test func aSettingMovesOnlyItsOwnDraw() {
    let usual = behaviour()
    let changed = behaviour {
      $0.visitsPerWeek = 3
      $0.redeems = 0.4
      $0.vaulters = 0.9
      $0.meanSpend = .whole(40)
    }
    var moved = 0
    for member in 0..<UInt32(3_000) {
      var visit = usual.visit(member: member, index: 2)
      let other = changed.visit(member: member, index: 2)
      #expect(other.redeems || !visit.redeems)
      moved += other.redeems != visit.redeems ? 1 : 0
      visit.redeems = other.redeems
      #expect(visit == other)
      var traits = usual.traits(member: member)
      #expect(changed.traits(member: member).isVaulter || !traits.isVaulter)
      traits.isVaulter = changed.traits(member: member).isVaulter
      #expect(traits == changed.traits(member: member))
      let spend = usual.payment(member: member, index: 2).spend
      let more = changed.payment(member: member, index: 2).spend
      // Twice the mean, each rounded up.
      #expect(more.microunits <= 2 * spend.microunits)
      #expect(more.microunits >= 2 * spend.microunits - 20_000)
    }
    #expect(moved > 0)
  }

  @Test func visitsMembersAndSeedsShareNoDraw() {
    var seen: Set<Double> = []
    for seed in [UInt64(1), 2, 1 << 40] {
      let behaviour = behaviour(seed: seed) { $0.meanSpend = .whole(1_000_000_000) }
      for member in [UInt32(0), 1, 2, 65_536, .max] {
        for index in UInt32(0)..<40 {
          let gap = behaviour.visit(member: member, index: index).gap
          let spend = behaviour.payment(member: member, index: index).spend
          seen.insert(gap)
          seen.insert(-Double(spend.microunits))
          // In units of its mean a payment would be the gap, were their words the same.
          #expect(abs(Double(spend.microunits) / 1e15 - gap) > 1e-9)
        }
      }
    }
    #expect(seen.count == 3 * 5 * 40 * 2)
  }

  @Test func sharesAreExactAndRoundDown() throws {
    let behaviour = behaviour()
    for (chips, redeemed) in [(0, 0), (1, 0), (2, 1), (7, 3), (.max, .max / 2)]
      as [(UInt32, UInt32)]
    {
      #expect(behaviour.chipsToRedeem(of: chips) == redeemed)
    }
    #expect(try behaviour.withdrawal(of: MicroUSDT(microunits: 6)) == MicroUSDT(microunits: 4))
    #expect(try behaviour.withdrawal(of: .whole(100)) == .whole(80))
    #expect(
      try behaviour.withdrawal(of: MicroUSDT(microunits: .max)).microunits
        == 7_378_697_629_483_820_645)
    let all = self.behaviour { $0.redeemShare = BasisPoints(10_000) }
    #expect(all.chipsToRedeem(of: .max) == .max)
  }

  @Test func aPaymentIsCappedByTheWholeCentsAvailable() {
    let behaviour = behaviour()
    var capped = 0
    for member in 0..<UInt32(500) {
      let payment = behaviour.payment(member: member, index: 1)
      let available = MicroUSDT(microunits: 12_345_678)
      let spend = behaviour.spend(payment, of: available)
      #expect(spend == min(payment.spend, MicroUSDT(microunits: 12_340_000)))
      capped += spend < payment.spend ? 1 : 0
      #expect(behaviour.spend(payment, of: MicroUSDT(microunits: 9_999)) == .zero)
    }
    #expect(capped > 0 && capped < 500)
  }

  @Test func theFirstMembersAreTraced() {
    let behaviour = behaviour()
    #expect(behaviour.isTraced(0) && behaviour.isTraced(9) && !behaviour.isTraced(10))
    #expect(!self.behaviour { $0.traced = 0 }.isTraced(0))
  }
}
