// Goal: the value of a tin is what a scan pays on average, and the mix of tiers is that of members
// who scan at gamma rates.
// Method: amounts by hand; the mix against sampled members, scan by scan; the value against the cost
// per scan of whole runs.
import BlakJaks
import EventKernel
import Foundation
import Population
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite(.tags(.slow)) struct TinValueTests {
  private let standard = PerTier(standard: 1.0, vip: 0, highRoller: 0, whale: 0)

  @Test func theBriefsPrizesAndRewardsByHand() {
    var rules = ProgrammeRules()
    let value = TinValue(rules, scans: standard)
    #expect(value.scanReward == 0.2 && value.chips == 0)
    // 100/500 + 1,000/5,000 + 10,000/50,000 + 5,000/100,000 + 200,000/500,000
    #expect(abs(value.prizes - 1.05) < 1e-12)
    #expect(abs(value.total - 1.25) < 1e-12)
    let half = TinValue(rules, scans: PerTier(standard: 0.5, vip: 0.25, highRoller: 0, whale: 0.25))
    #expect(abs(half.scanReward - (0.1 + 0.0625 + 0.1)) < 1e-12)
    rules.chips.enabled = true
    rules.chips.perScan = 3
    #expect(abs(TinValue(rules, scans: standard).chips - 0.3) < 1e-12)
    rules.scanReward.base = MicroUSDT(microunits: 3)
    // 3 millionths at 1.25 are paid as 3: rounded down as the rules do.
    let small = PerTier(standard: 0, vip: 1.0, highRoller: 0, whale: 0)
    #expect(abs(TinValue(rules, scans: small).scanReward - 3e-6) < 1e-15)
    rules.scanReward.base = MicroUSDT(microunits: .max)
    #expect(TinValue(rules, scans: small).scanReward == 0)
  }

  @Test(
    "The mix of tiers is that of sampled members",
    arguments: [(1.2, 19.6, true), (1.2, 19.6, false), (0.4, 6.0, true), (30.0, 25.0, true)])
  func mix(shape: Double, mean: Double, carry: Bool) {
    var rules = TierRules()
    rules.carry = carry
    var stream = RandomStream(seed: 4, purpose: 91, entity: 2)
    var scans = PerTier(repeating: 0.0)
    let members = 60_000
    for _ in 0..<members {
      let rate = stream.gamma(shape: shape, scale: mean / shape)
      let before = carry ? stream.poisson(mean: rate) : 0
      let carried = rules.tier(quarterScans: UInt32(before))
      for scan in 0..<stream.poisson(mean: rate) {
        scans[max(carried, rules.tier(quarterScans: UInt32(scan + 1)))] += 1
      }
    }
    let total = scans.all.reduce(0, +)
    let expected = TierMix.shares(rules, shape: shape, mean: mean)
    let whole: Double = expected.all.reduce(0, +)
    #expect(abs(whole - 1) < 1e-12)
    for tier in Tier.allCases {
      #expect(abs(scans[tier] / total - expected[tier]) < 0.012, "\(tier)")
    }
  }

  @Test func tiersOutOfReachAndScansThatNobodyMakesCountNothing() {
    var rules = TierRules()
    #expect(TierMix.shares(rules, shape: 1.2, mean: 0).all == [1, 0, 0, 0])
    rules.vip = 501
    rules.highRoller = 502
    rules.whale = 4_000_000_000
    #expect(TierMix.shares(rules, shape: 1.2, mean: 20).all == [1, 0, 0, 0])
    rules.vip = 1
    let all = TierMix.shares(rules, shape: 1.2, mean: 20)
    #expect(abs(all.vip - 1) < 1e-9)
  }

  @Test(
    "Where nobody comes or goes, the value is the cost per scan: rewards by tier, prizes by spacing",
    arguments: [true, false])
  func costPerScan(carry: Bool) throws {
    let record = try told(
      try story(
        "steady-state",
        [
          "population.members=1500", "calendar.days=730", "population.adoption.model=cohort",
          "population.purchase.a=0.0001", "population.purchase.b=1000", "population.season=none",
          "rules.tiers.carry=\(carry)",
          "rules.prizes=[{name: A, kind: crypto, amount: 20, every: 40, tier: standard}, "
            + "{name: B, kind: casino, amount: 100, every: 300, tier: vip}]",
        ]))
    let rules = try #require(record.rules)
    let perScan = try #require(record.figure("cost_per_scan.scan_reward"))
    let population = BlakJaksSettings(recorded: record.settings).population
    let value = TinValue(rules, scans: TierMix.shares(rules.tiers, population))
    // In one of the eight quarters nothing is carried yet.
    #expect(abs(value.scanReward / perScan - 1) < 0.025, "\(value.scanReward) for \(perScan)")
    let prizes =
      try #require(record.figure("cost_per_scan.crypto"))
      + (try #require(record.figure("cost_per_scan.casino")))
    // At most one of each prize is not yet due, and one waits.
    let rest = 2 * (20 + 100) / Double(record.acceptedScans)
    #expect(abs(value.prizes - prizes) < rest, "\(value.prizes) for \(prizes)")
  }

  @Test("Members who come and go scan a little less at high tiers than the value says")
  func comingAndGoing() throws {
    let record = try told(
      try story(
        "steady-state", ["population.members=3000", "population.adoption.per_day=4"]))
    let rules = try #require(record.rules)
    let perScan = try #require(record.figure("cost_per_scan.scan_reward"))
    let value = TinValue(
      rules, scans: TierMix.shares(rules.tiers, BlakJaksSettings().population))
    let ratio = value.scanReward / perScan
    #expect(ratio > 1.02 && ratio < 1.15, "\(value.scanReward) for \(perScan)")
  }

  @Test func withoutTiersTheValueIsExactlyWhatAScanPays() throws {
    let record = try told(
      try story(
        "steady-state",
        [
          "population.members=300", "calendar.days=60", "rules.prizes=[]",
          "rules.scan_reward.multiplier.vip=1", "rules.scan_reward.multiplier.high_roller=1",
          "rules.scan_reward.multiplier.whale=1",
        ]))
    let rules = try #require(record.rules)
    let perScan = try #require(record.figure("cost_per_scan.scan_reward"))
    let value = TinValue(
      rules, scans: TierMix.shares(rules.tiers, BlakJaksSettings().population))
    #expect(abs(value.total - perScan) < 1e-9 && record.acceptedScans > 500)
  }
}
