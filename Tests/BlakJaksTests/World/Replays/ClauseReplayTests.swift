import BlakJaks
import Population
import Quantities
// Goal: the exact readings of the program, each at the very instant where it decides.
// Method: histories of a few rows, read and replayed by the real code; the figures by hand.
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite struct ClauseReplayTests {
  private func replay(
    _ rows: [String], seed: UInt64 = 1, edit: (inout ProgrammeRules) -> Void = { _ in }
  ) throws -> BlakJaksRecord {
    let text = (["time,member,event,tins,other"] + rows).joined(separator: "\n") + "\n"
    let zone = "America/New_York"
    let history = try History.read(bytes: Array(text.utf8), file: "h.csv", zone: zone)
    var rules = ProgrammeRules()
    edit(&rules)
    var replay = try HistoryReplay(
      WorldInput(
        scenario: "clause", seed: seed,
        calendar: try history.calendar(zone: zone), window: .hours(1),
        rules: rules, population: PopulationSettings()), history: history)
    return try replay.run()
  }

  private func line(_ record: BlakJaksRecord, _ type: String) -> BlakJaksRecord.PayoutRow {
    record.payouts.first { $0.type == type }
      ?? BlakJaksRecord.PayoutRow(type: type, count: -1, total: .zero, shareBasisPoints: -1)
  }

  private func prize(
    _ kind: PrizeKind, every: Int64, _ amount: Int64, _ allocation: PrizeAllocation = .rollForward
  ) -> Prize {
    Prize(
      name: kind.rawValue, kind: kind, amount: .whole(amount), every: every,
      requiredTier: .standard, allocation: allocation)
  }

  @Test func matchAndCreditCountFromTheReferralOnAndNotBefore() throws {
    let record = try replay([
      "2026-01-02T10:00,a,scan,2,", "2026-01-02T11:00,a,refer,,b", "2026-01-02T12:00,a,scan,3,",
      "2026-01-03T12:00,c,signup,,",
    ]) { rules in
      rules.prizes = [prize(.crypto, every: 1, 100)]
      rules.tiers.floorVip = 3
    }
    #expect(line(record, "crypto").count == 5)
    #expect(line(record, "match").count == 3)
    #expect(line(record, "match").total == .whole(63))
    #expect(record.affiliates.chipsIssued == 3)
    // The third scan since the referral is the one that reaches the floor, from midnight on.
    #expect(record.affiliates.floors.vip == 1)
    // The match is a charge to the comp pool: 500 + 63 + five rewards of 0.20.
    #expect(record.days[0].spendCash == .whole(564))
  }

  @Test func aMonthOfScansWithoutSalesIsCriticalAndItsGuardActs() throws {
    let record = try replay([
      "2026-01-02T10:00,a,scan,1,", "2026-01-20T10:00,a,scan,1,", "2026-02-10T10:00,b,signup,,",
    ]) { rules in
      rules.guardPolicy.policy = .scaleScanReward
      rules.guardPolicy.factor = BasisPoints(0)
    }
    // The first scan is paid; from the next day on the guard leaves nothing of a reward.
    #expect(line(record, "scan_reward").count == 1)
    #expect(record.months[0].budget == .zero && record.months[0].utilisationBasisPoints == nil)
    #expect(record.months[0].status == .critical)
    #expect(record.days[0].status == .critical && record.days[1].status == .critical)
    // A month with neither has no status.
    #expect(record.months[1].status == nil)
  }

  @Test(
    "Crypto and casino comps count toward the guarantee, a trip does not",
    arguments: [(.crypto, 0), (.casino, 0), (.trip, 48_550_000)] as [(PrizeKind, Int64)])
  func compsSoFar(kind: PrizeKind, topUp: Int64) throws {
    let record = try replay(["2026-01-02T10:00,a,scan,7,", "2026-04-30,z,purchase,1,"]) {
      $0.prizes = [prize(kind, every: 7, 60)]
    }
    #expect(line(record, kind.rawValue).count == 1)
    #expect(line(record, "guarantee").total.microunits == topUp)
  }

  @Test func aMatchIsNoCompOfTheAffiliatesOwn() throws {
    // a wins 1,000 on every scan, so b is matched 210 and still topped up to 50.
    let record = try replay([
      "2026-01-02T10:00,b,scan,7,", "2026-01-02T11:00,a,refer,,b", "2026-01-02T12:00,a,scan,1,",
      "2026-04-30,z,purchase,1,",
    ]) { $0.prizes = [prize(.crypto, every: 8, 1_000)] }
    #expect(line(record, "match").total == .whole(210))
    #expect(line(record, "guarantee").count == 1)
    #expect(line(record, "guarantee").total == MicroUSDT(microunits: 48_550_000))
  }

  @Test func aGuaranteeIsChargedToTheMonthInWhichItIsPaid() throws {
    // 90 × 24 hours behind 23:00 of 30 January, winter time, is midnight of 1 May, summer time.
    let record = try replay([
      "2026-01-30T23:00,a,scan,7,", "2026-04-30T23:59:59.999999,z,purchase,1,",
      "2026-05-02,z,purchase,1,",
    ])
    #expect(record.months.map(\.month) == ["2026-01", "2026-02", "2026-03", "2026-04", "2026-05"])
    #expect(
      record.months.map(\.spendCash.microunits) == [1_450_000, 0, 0, 0, 48_550_000])
  }

  @Test func theWeeklyPoolRunsBeforeTheScansOfItsInstantAndTakesTheWeekUpToMidnight() throws {
    // Sold on Sunday: 1,000 tins, 2,000 gross profit, a pool of 100. Sold on Monday: next week's.
    let rows = [
      "2026-01-06T10:00,a,refer,,b", "2026-01-06T10:00,c,refer,,d",
      "2026-01-11T23:59:59.999999,z,purchase,1000,", "2026-01-12T00:00,z,purchase,3000,",
      "2026-01-12T04:59:59.999999,a,scan,1,", "2026-01-12T05:00,c,scan,1,",
      "2026-01-19T05:00,z,purchase,1,",
    ]
    let record = try replay(rows)
    let paid = record.pools.filter { $0.paid > .zero }
    #expect(paid.map(\.pool) == [.whole(100), .whole(300)])
    #expect(paid.map(\.chips) == [1, 2])
    #expect(paid.map(\.holders) == [1, 2])
    #expect(
      paid.map(\.time.description)
        == ["2026-01-12T10:00:00.000000Z", "2026-01-19T10:00:00.000000Z"])
    #expect(line(record, "pool").count == 3)
  }

  @Test func anActiveSunsetEngineTakesNoNewReferralsAndKeepsWhatWasEarned() throws {
    func rows(_ referral: String) -> [String] {
      [
        "2026-01-02T10:00,a,refer,,b", "2026-01-02T11:00,a,scan,5,", "2026-01-03T11:00,a,scan,5,",
        "\(referral),c,refer,,d", "2026-01-06T10:00,c,scan,1,", "2026-01-06T11:00,a,scan,1,",
      ]
    }
    // Five scans a day from the second on: three checks of at least 5 are those of 3, 4, 5 January.
    for (referral, chips, referred) in [
      ("2026-01-05T04:59", 12, 2), ("2026-01-05T05:00", 11, 1),
    ] as [(String, Int64, Int64)] {
      let record = try replay(rows(referral)) { rules in
        rules.sunset.threshold = 5
        rules.prizes = [prize(.crypto, every: 12, 100)]
      }
      #expect(record.affiliates.referred == referred, "\(referral)")
      #expect(record.affiliates.chipsIssued == chips)
      #expect(record.affiliates.chipsUnexpired == chips)
      // What was earned before goes on to earn.
      #expect(line(record, "match").count == 1)
    }
  }

  @Test func theQuartersTableHasEveryMemberSignedUpByItsLastInstant() throws {
    let record = try replay([
      "2026-01-02T10:00,a,scan,7,", "2026-03-31T23:59:59.999999,b,signup,,",
      "2026-04-01,c,signup,,", "2026-04-02T10:00,c,scan,30,", "2026-07-01,c,scan,1,",
    ])
    #expect(record.quarters.map(\.quarter) == ["2026-Q1", "2026-Q2", "2026-Q3"])
    // a is VIP, then carried, then Standard; c is a Whale, then carried.
    #expect(
      record.quarters.map(\.tiers.all) == [[1, 1, 0, 0], [1, 1, 0, 1], [2, 0, 0, 1]])
  }

  @Test func aDrawIsWeightedByAcceptedScansOfTheQuarter() throws {
    // Three scans of a to one of b at the fourth, of a quarter that does not know c's fifty.
    var wins = 0
    for seed in UInt64(1)...400 {
      let record = try replay(
        [
          "2025-12-31T10:00,c,scan,50,", "2026-01-02T10:00,a,scan,3,", "2026-01-02T11:00,b,scan,1,",
        ],
        seed: seed
      ) { $0.prizes = [prize(.crypto, every: 54, 100, .draw)] }
      #expect(record.awards.count == 1 && record.awards[0].wonScan == 54)
      #expect(record.awards[0].member != "c")
      wins += record.awards[0].member == "b" ? 1 : 0
    }
    // Binomial(400, ¼): mean 100, standard deviation 8.7.
    #expect(abs(wins - 100) < 35, "\(wins) of 400")
  }

  @Test func cashAndAccrualSpendDifferByTheTripAlone() throws {
    // 10 scans of 1.00, a crypto comp of 100 and a trip of 50 at the tenth, 5.00 a scan.
    let record = try replay([
      "2026-01-30T10:00,a,scan,5,", "2026-02-01T10:00,a,scan,5,", "2026-02-02,z,purchase,600,",
    ]) { rules in
      rules.scanReward.base = .whole(1)
      rules.scanReward.multiplier = PerTier(repeating: BasisPoints(10_000))
      rules.prizes = [prize(.crypto, every: 10, 100), prize(.trip, every: 10, 50)]
    }
    #expect(record.months.map(\.spendCash) == [.whole(5), .whole(155)])
    #expect(record.months.map(\.spendAccrual) == [.whole(30), .whole(130)])
    // A budget of 600 in February, of nothing in January, which spent all the same.
    #expect(record.months.map(\.status) == [.critical, .normal])
    #expect(record.payoutTotal.shareBasisPoints == 10_000)
    #expect(record.payoutTotal.total == .whole(160))
    #expect(line(record, "crypto").shareBasisPoints == 6_250)
    #expect(line(record, "scan_reward").shareBasisPoints == 625)
  }
}
