import BlakJaks
// Goal: tiers follow scans of the quarter, carry and floors; rewards and guarantees follow tiers.
// Method: the thresholds of the brief, one step below and at each.
import Quantities
import Testing

@Suite struct TierTests {
  @Test(
    "Accepted scans of the quarter earn a tier",
    arguments: [
      (0, .standard), (6, .standard), (7, .vip), (14, .vip), (15, .highRoller), (29, .highRoller),
      (30, .whale), (5_000, .whale),
    ] as [(UInt32, Tier)])
  func thresholds(scans: UInt32, tier: Tier) {
    var standing = MemberStanding()
    for _ in 0..<scans { _ = standing.countScan(TierRules()) }
    #expect(standing.tier == tier)
    #expect(TierRules().tier(quarterScans: scans) == tier)
  }

  @Test func aTierIsCarriedToTheEndOfTheNextQuarterAndNoFurther() {
    let rules = TierRules()
    var standing = MemberStanding()
    for _ in 0..<30 { _ = standing.countScan(rules) }
    standing.turnQuarter(rules)
    #expect(standing.tier == .whale)
    for _ in 0..<7 { #expect(standing.countScan(rules) == .whale) }
    standing.turnQuarter(rules)
    #expect(standing.tier == .vip)
    standing.turnQuarter(rules)
    #expect(standing.tier == .standard)
    #expect(standing.lifetimeScans == 37)
  }

  @Test func withoutCarryAQuarterStartsAtTheFloor() {
    var rules = TierRules()
    rules.carry = false
    var standing = MemberStanding()
    for _ in 0..<30 { _ = standing.countScan(rules) }
    standing.raiseFloor(to: .vip)
    #expect(standing.tier == .whale)
    standing.turnQuarter(rules)
    #expect(standing.tier == .vip)
    standing.raiseFloor(to: .standard)
    #expect(standing.floor == .vip)
  }

  @Test(
    "Referred scans give a floor for life",
    arguments: [
      (209, .standard), (210, .vip), (2_099, .vip), (2_100, .highRoller), (20_999, .highRoller),
      (21_000, .whale),
    ] as [(Int64, Tier)])
  func floors(scans: Int64, floor: Tier) {
    #expect(TierRules().floor(referredScans: scans) == floor)
  }

  @Test func aScanPaysTheBaseTimesTheMultiplierOfItsTier() throws {
    let table = try ScanRewardTable(ScanRewardRules())
    #expect(table.amount.all.map(\.microunits) == [200_000, 250_000, 300_000, 400_000])
    let halved = try ScanRewardTable(ScanRewardRules(), factor: BasisPoints(5_000))
    #expect(halved.amount.all.map(\.microunits) == [100_000, 125_000, 150_000, 200_000])
  }

  @Test(
    "The guarantee tops comps up to 50 for members with seven scans",
    arguments: [
      (6, 0, 0), (7, 0, 50_000_000), (7, 49_999_999, 1), (7, 50_000_000, 0), (500, 60_000_000, 0),
    ] as [(UInt32, Int64, Int64)])
  func guarantee(scans: UInt32, comps: Int64, topUp: Int64) {
    let rules = GuaranteeRules()
    #expect(rules.topUp(scans: scans, comps: MicroUSDT(microunits: comps)).microunits == topUp)
    #expect(rules.due(signedUp: Instant(microseconds: 0)) == Instant(microseconds: 0) + .days(90))
  }
}
