import BlakJaks
// Goal: the answer to a scan has the brief's seven fields, in their order, with exact amounts, and then
// the id of its reward.
// Method: whole lines of JSON written out by hand; thresholds of the tiers one scan either side.
import Quantities
import Testing

@Suite struct ScanAnswerTests {
  private let rules = ProgrammeRules()

  private func standing(scans: Int) -> MemberStanding {
    var standing = MemberStanding()
    for _ in 0..<scans { _ = standing.countScan(rules.tiers) }
    return standing
  }

  private func win(_ award: MilestoneAward, number: Int64) -> Win {
    Win(
      award: award, member: 0, time: Instant(microseconds: 0), tier: .whale, match: .zero,
      id: AwardID(type: .prize(award.prize), number: number))
  }

  private func product() throws -> Product { try #require(Product(.bluerazzIce, milligrams: 6)) }

  @Test func anAcceptedScanTellsProductRewardAndProgress() throws {
    let answer = try ScanAnswer(
      .accepted, product: try product(), standing: standing(scans: 9), rules: rules,
      reward: MicroUSDT(microunits: 250_000))
    #expect(
      answer.json == """
        {"success": true, "product_name": "Bluerazz Ice 6 mg", "usdt_earned": 0.25, \
        "tier_multiplier": 1.25, "tier_progress": {"tier": "vip", "scans_this_quarter": 9, \
        "next_tier": "high_roller", "scans_needed": 6}, "comp_earned": 0.00, \
        "milestone_hit": null, "reward_id": null, "outcome": "accepted"}
        """)
  }

  @Test func aScanThatWinsTwoPrizesTellsBothAndTheirSum() throws {
    let answer = try ScanAnswer(
      .accepted, product: try product(), standing: standing(scans: 31), rules: rules,
      reward: MicroUSDT(microunits: 400_000),
      id: AwardID(type: .scanReward, number: 500_000),
      wins: [
        win(MilestoneAward(prize: 0, dueScan: 500_000, wonScan: 500_000), number: 100),
        win(MilestoneAward(prize: 4, dueScan: 500_000, wonScan: 500_000), number: 1),
      ])
    #expect(answer.rewardID == AwardID(type: .scanReward, number: 500_000))
    #expect(
      answer.milestones.map(\.id) == [
        AwardID(type: .prize(0), number: 100), AwardID(type: .prize(4), number: 1),
      ])
    #expect(answer.compEarned == .whole(200_100))
    #expect(
      answer.json == """
        {"success": true, "product_name": "Bluerazz Ice 6 mg", "usdt_earned": 0.40, \
        "tier_multiplier": 2.00, "tier_progress": {"tier": "whale", "scans_this_quarter": 31, \
        "next_tier": null, "scans_needed": 0}, "comp_earned": 200100.00, "milestone_hit": \
        [{"prize": "Crypto $100", "amount": 100.00, "due_scan": 500000, "won_scan": 500000, \
        "id": "Crypto $100#100"}, {"prize": "Trip $200K", "amount": 200000.00, \
        "due_scan": 500000, "won_scan": 500000, "id": "Trip $200K#1"}], \
        "reward_id": "scan_reward#500000", "outcome": "accepted"}
        """)
  }

  @Test("A refused scan earns and tells nothing", arguments: ScanOutcome.allCases.dropFirst())
  func refused(outcome: ScanOutcome) throws {
    let answer = try ScanAnswer(
      outcome, product: try product(), standing: standing(scans: 0), rules: rules,
      reward: .whole(1), id: AwardID(type: .scanReward, number: 1),
      wins: [win(MilestoneAward(prize: 0, dueScan: 500, wonScan: 500), number: 1)])
    #expect(
      answer.json == """
        {"success": false, "product_name": null, "usdt_earned": 0.00, "tier_multiplier": 1.00, \
        "tier_progress": {"tier": "standard", "scans_this_quarter": 0, "next_tier": "vip", \
        "scans_needed": 7}, "comp_earned": 0.00, "milestone_hit": null, "reward_id": null, \
        "outcome": "\(outcome.key)"}
        """)
    #expect(answer.outcome == outcome)
    #expect(answer.rewardID == nil && answer.milestones.isEmpty)
  }

  @Test(
    "Progress counts down to the tier after the effective one",
    arguments: [
      (0, "vip", 7), (6, "vip", 1), (7, "high_roller", 8), (14, "high_roller", 1),
      (15, "whale", 15), (29, "whale", 1), (30, nil, 0), (500, nil, 0),
    ] as [(Int, String?, UInt32)])
  func progress(scans: Int, next: String?, needed: UInt32) {
    let progress = ScanAnswer.Progress(standing(scans: scans), rules.tiers)
    #expect(progress.next?.key == next)
    #expect(progress.scansNeeded == needed)
    #expect(progress.quarterScans == UInt32(scans))
  }

  @Test func aTierForLifeAsksForTheScansOfTheTierAboveIt() {
    var standing = standing(scans: 2)
    standing.raiseFloor(to: .highRoller)
    let progress = ScanAnswer.Progress(standing, rules.tiers)
    #expect(progress.tier == .highRoller)
    #expect(progress.next == .whale)
    #expect(progress.scansNeeded == 28)
  }

  @Test func amountsAreExactAndNamesAreEscaped() throws {
    var rules = ProgrammeRules()
    rules.prizes = [
      Prize(
        name: "a \"b\"\\\n", kind: .crypto, amount: MicroUSDT(microunits: 9_007_199_254_740_993),
        every: 1, requiredTier: .standard)
    ]
    rules.scanReward.multiplier.standard = BasisPoints(12_345)
    let answer = try ScanAnswer(
      .accepted, product: try product(), standing: standing(scans: 1), rules: rules,
      reward: MicroUSDT(microunits: 1),
      wins: [win(MilestoneAward(prize: 0, dueScan: 1, wonScan: 2), number: 1)])
    #expect(answer.json.contains("\"usdt_earned\": 0.000001, \"tier_multiplier\": 1.2345,"))
    #expect(answer.json.contains("\"comp_earned\": 9007199254.740993,"))
    #expect(answer.json.contains("\"prize\": \"a \\\"b\\\"\\\\\\n\""))
  }
}
