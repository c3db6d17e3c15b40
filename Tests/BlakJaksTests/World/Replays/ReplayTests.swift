import BlakJaks
import Population
import Quantities
// Goal: a history is replayed row by row by the real rules.
// Method: random histories full of awkward instants, judged by the plain writing of the rules;
// hand-computed cases for the exact readings.
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite(.tags(.slow)) struct ReplayTests {
  func rules(_ edit: (inout ProgrammeRules) -> Void = { _ in }) -> ProgrammeRules {
    var rules = ProgrammeRules()
    let every: [Int64] = [10, 40, 100, 150, 400]
    for row in rules.prizes.indices { rules.prizes[row].every = every[row] }
    rules.tiers.floorVip = 15
    rules.tiers.floorHighRoller = 50
    rules.tiers.floorWhale = 120
    edit(&rules)
    return rules
  }

  func replay(_ text: String, _ rules: ProgrammeRules) throws -> (BlakJaksRecord, History) {
    let history = try History.read(
      bytes: Array(("time,member,event,tins,other\n" + text).utf8), file: "h.csv",
      zone: "America/New_York")
    let calendar = try history.calendar(zone: "America/New_York")
    let input = WorldInput(
      scenario: "t", seed: 1, calendar: calendar, window: .hours(1), rules: rules,
      population: PopulationSettings())
    var replay = try HistoryReplay(input, history: history)
    return (try replay.run(), history)
  }

  @Test func aReplayTellsOfNewMembersTiersAndLargeScans() throws {
    let rules = rules {
      $0.tiers.vip = 3
      $0.feed.largeScan = .whole(50)
    }
    let (record, _) = try replay(
      """
      2026-01-02T10:15:00,m1,scan,2,
      2026-01-02T11:15:00,m2,scan,7,
      2026-01-02T12:00:00,m1,scan,1,

      """, rules)
    #expect(
      record.feed.map { "\($0.kind) \($0.text)" } == [
        "signup member m1 signed up", "signup member m2 signed up", "tier member m2 reached VIP",
        "large_scan member m1 earned 100.25 USDT with one scan", "tier member m1 reached VIP",
      ])
  }

  @Test func severalScansOfOneRowAreToldOneByOne() throws {
    let prize = Prize(
      name: "$600", kind: .crypto, amount: .whole(600), every: 5, requiredTier: .standard)
    // Two of ten scans win 600 each, then both prizes each; the tenth is a VIP's.
    for (prizes, told) in [
      ([prize], []), ([prize, prize], ["1,200.20", "1,200.25"]),
    ] as [([Prize], [String])] {
      let (record, _) = try replay(
        "2026-01-02T10:15:00,m1,scan,10,\n", rules { $0.prizes = prizes })
      let large = record.feed.filter { $0.kind == "large_scan" }
      #expect(large.map(\.text) == told.map { "member m1 earned \($0) USDT with one scan" })
      let count = try #require(record.series.first { $0.key == "feed.large_scan" })
      #expect(count.values == [Int64(told.count)])
    }
  }

  @Test func aReplayTellsOfTheSunsetEngine() throws {
    let (record, _) = try replay(
      """
      2026-01-02T10:15:00,m1,scan,9,
      2026-01-03T10:15:00,m1,scan,9,
      2026-01-05T09:00:00,m1,scan,1,

      """,
      rules {
        $0.sunset.threshold = 5
        $0.sunset.days = 1
        $0.sunset.checks = 1
      })
    let told = record.feed.filter { $0.kind == "sunset" }
    #expect(told.map(\.text) == ["the sunset engine turned active"])
    #expect(record.series.first { $0.key == "sunset.active" }?.values.last == 1)
  }

  @Test(
    "Where tins were sold, and in which tier, a history does not know, and no figure says 0 for it")
  func channels() throws {
    let (record, _) = try replay("2026-01-02T10:15:00,m1,scan,10,\n", rules { _ in })
    for figure in ["value.retail", "value.shop", "value.standard", "reinvestment.vip"] {
      #expect(record.figure(figure) == nil)
      let unknown = BlakJaksProgramme.figures.figure(figure)?.unknownInReplay
      #expect(unknown?.isEmpty == false, "\(figure)")
    }
  }

  @Test("A replay enters its scans by hour and minute, and what the sunset engine found")
  func velocity() throws {
    let (record, _) = try replay(
      """
      2026-01-02T10:15:00,m1,scan,3,
      2026-01-02T10:15:59,m2,scan,2,
      2026-01-02T23:30:00,m1,scan,4,
      2026-01-03T09:00:00,m1,scan,1,
      2026-01-04T09:00:00,m2,scan,1,

      """, rules { $0.sunset.enabled = true })
    func series(_ key: String) throws -> [Int64?] {
      try #require(record.series.first { $0.key == key }, "\(key)").values
    }
    #expect(record.scanHours[0][10] == 5 && record.scanHours[0][23] == 4)
    for (day, hours) in zip(record.days, record.scanHours) {
      #expect(hours.reduce(0, +) == day.acceptedScans)
    }
    #expect(try series("day.scans.peak_per_minute") == [5, 1, 1])
    #expect(try series("scans.last_hour") == [4, 0, 0])
    #expect(try series("day.scans.submitted") == [9, 1, 1])
    #expect(try series("sunset.trailing").last == 10)
    #expect(try series("sunset.active") == [0, 0, 0])
  }

  @Test("Scans of a replay queue at their workers, over hours and midnights")
  func queue() throws {
    // 90 scans at 23:50 take one worker 90 minutes on average.
    let (record, _) = try replay(
      """
      2026-01-02T09:00:00,m1,scan,1,
      2026-01-02T23:50:00,m1,scan,90,
      2026-01-03T12:00:00,m2,scan,1,

      """,
      rules {
        $0.scanning.workers = 1
        $0.scanning.service = .minutes(1)
      })
    func series(_ key: String) throws -> [Int64] {
      try #require(record.series.first { $0.key == key }, "\(key)").values.map { $0 ?? -1 }
    }
    #expect(try series("day.scans.peak_per_hour") == [90, 1])
    #expect(try series("day.scans.hours_over_capacity") == [1, 0])
    #expect(try series("scans.workers") == [1, 1])
    let backlog = try series("scans.backlog")
    // Ten services are done by midnight, Poisson; the rest is on the next day.
    #expect(abs(backlog[0] - 79) < 16 && backlog[1] == 0)
    #expect(try series("day.scans.backlog_peak")[0] > 80)
    let mean = try series("scans.processing_mean")
    #expect(mean[0] > 30 * 60_000_000 && mean[1] == 60_000_000)
    #expect(try series("scans.processing_p95")[0] > mean[0])
    #expect(try series("scans.processing_now")[0] > 60 * 60_000_000)
    #expect(try series("day.scans.processing_peak")[0] > 60 * 60_000_000)
  }

  @Test func aLawThatIsBrokenEndsTheReplayAfterItsDay() throws {
    let text = """
      time,member,event,tins,other
      2026-01-02T10:15:00,m1,scan,2,
      2026-01-03T10:15:00,m1,scan,2,
      2026-01-04T10:15:00,m1,scan,2,

      """
    let history = try History.read(bytes: Array(text.utf8), file: "h.csv", zone: "UTC")
    let input = WorldInput(
      scenario: "planted", seed: 7, calendar: try history.calendar(zone: "UTC"),
      window: .hours(1), rules: rules(), population: PopulationSettings())
    var replay = try HistoryReplay(input, history: history)
    // A scan that nobody submitted.
    try replay.state.withBooks { (books) throws(MoneyError) in try books.count(scans: 1) }
    let violation = try #require(throws: Violation.self) { try replay.run() }
    #expect(violation.invariant == "scans_numbered")
    #expect(violation.time == input.calendar.dayStarts[1])
    #expect(violation.line == 3)
    #expect(violation.description.hasSuffix("(scenario planted, seed 7, line 3 of the history)"))
    // A history of one day is checked at its end.
    let day = try #require(history.part(from: history.rows[0].instant, until: violation.time))
    var short = try HistoryReplay(input, history: day)
    try short.state.withBooks { (books) throws(MoneyError) in try books.count(scans: 1) }
    #expect(throws: Violation.self) { try short.run() }
  }

  @Test("Days after the last row are replayed as days on which nobody does anything")
  func quietEnd() throws {
    let history = try History.read(
      bytes: Array("time,member,event,tins,other\n2026-01-20T10:00:00,a,scan,2,\n".utf8),
      file: "h.csv", zone: "UTC")
    let calendar = try ProgrammeCalendar(
      zone: "UTC", firstDate: CivilDate(year: 2026, month: 1, day: 1), days: 59)
    var replay = try HistoryReplay(
      WorldInput(
        scenario: "t", seed: 1, calendar: calendar, window: .hours(1), rules: rules(),
        population: PopulationSettings()), history: history)
    let record = try replay.run()
    #expect(record.days.map(\.date) == calendar.dates)
    #expect(
      record.days.map(\.acceptedScans).reduce(0, +) == 2 && record.days[19].acceptedScans == 2)
    #expect(record.months.map(\.month) == ["2026-01", "2026-02"])
    #expect(record.end == calendar.end && !record.interrupted)
  }

  /// Rows over 14 months: ordinary days, Mondays at 05:00, midnights, clock changes, quarter ends,
  /// instants shared by several rows and the very instants of guarantees.
  private func randomHistory(seed: UInt64) -> String {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    let special = [
      "2026-01-05T05:00", "2026-03-31T23:59:59.999999", "2026-04-01", "2026-03-08T03:30",
      "2026-11-01T01:30", "2026-07-06T05:00", "2026-12-31T23:59:59", "2027-01-01",
      "2026-05-01T00:00:00-04:00", "2026-08-03T09:00:00Z",
    ]
    var lines: [String] = []
    for _ in 0..<350 {
      let date = CivilDate("2026-01-02")!.adding(days: random(430))
      var time = "\(date)T\(10 + random(13)):\(10 + random(50))"
      if random(5) == 0 { time = special[random(special.count)] }
      if random(6) == 0 { time = "\(date)" }
      let member = "m\(random(14))"
      switch random(10) {
      case 0: lines.append("\(time),\(member),signup,,")
      case 1:
        let other = "m\(random(14))"
        if other != member { lines.append("\(time),\(member),refer,,\(other)") }
      case 2...4: lines.append("\(time),\(member),purchase,\(1 + random(20)),")
      default: lines.append("\(time),\(member),scan,\(1 + random(6)),")
      }
    }
    // Rows exactly 90 × 24 hours after a sign-up, before which the guarantee must run.
    lines.append("2026-01-03T12:00:00Z,g,signup,,")
    lines.append("2026-02-03T12:00:00Z,g,scan,7,")
    lines.append("2026-04-03T12:00:00Z,g,scan,3,")
    return lines.joined(separator: "\n") + "\n"
  }

  @Test("A replay agrees with the plain writing of the rules", arguments: UInt64(1)...25)
  func secondOpinion(seed: UInt64) throws {
    // A guarantee high enough that some member is always below it.
    let rules = rules { rules in
      rules.tiers.carry = seed % 3 != 0
      rules.guarantee.amount = .whole(2_000)
    }
    let (record, history) = try replay(randomHistory(seed: seed), rules)
    let calendar = try history.calendar(zone: "America/New_York")
    let plain = PlainProgramme(
      rules: rules, calendar: calendar, members: history.members.count)
    let end = history.rows.last!.instant
    let mornings = ProgrammeRules.mornings(calendar)
    // Everything that the calendar brings, in a list sorted by instant; rows come behind it.
    var now = calendar.start
    func bring(through instant: Instant) {
      while true {
        var best: (Instant, () -> Void)?
        func offer(_ time: Instant, _ action: @escaping () -> Void) {
          guard time > now || (time == now && best == nil), time <= instant else { return }
          if best == nil || time < best!.0 { best = (time, action) }
        }
        for (day, date) in calendar.dates.enumerated() {
          if calendar.dayStarts[day + 1] > now {
            offer(calendar.dayStarts[day + 1]) { plain.closeDay(date) }
          }
          if date.weekday == 0, mornings[day] > now {
            offer(mornings[day]) {
              plain.payPool(on: date, at: mornings[day])
            }
          }
        }
        let settled = best
        let limit = settled?.0 ?? instant
        let open = plain.members.indices.filter { index in
          guard let signUp = plain.members[index].signUp else { return false }
          return !plain.members[index].guaranteeSettled && signUp + .days(90) <= limit
        }.min { plain.members[$0].signUp! < plain.members[$1].signUp! }
        if let open, plain.members[open].signUp! + .days(90) < limit || settled == nil {
          plain.settleGuarantee(open, at: plain.members[open].signUp! + .days(90))
          continue
        }
        guard let (time, action) = settled else { return }
        action()
        now = time
      }
    }
    for row in history.rows {
      bring(through: row.instant)
      let member = Int(row.member)
      plain.signUp(member, at: row.instant)
      switch row.event {
      case .signup: break
      case .purchase: plain.sell(Int(row.tins), at: row.instant)
      case .scan: for _ in 0..<row.tins { plain.scan(member, at: row.instant) }
      case .refer:
        plain.signUp(Int(row.other), at: row.instant)
        plain.members[member].affiliate = Int(row.other)
      }
    }
    plain.closeDay(plain.date(end))
    expectSame(
      record, plain, names: { history.members[$0] },
      replay: "replay: swift test --filter ReplayTests (seed \(seed))")
    #expect(record.payouts.first { $0.type == "match" }!.count > 0)
    #expect(record.payouts.first { $0.type == "guarantee" }!.count > 0)
    #expect(record.payouts.first { $0.type == "pool" }!.count > 0)
    #expect(record.affiliates.floors.standard < Int64(history.members.count))
  }

  @Test func theTierThatCountsIsTheOneAfterTheScan() throws {
    let (record, _) = try replay("2026-01-02T10:00,a,scan,7,\n", rules())
    let reward = record.payouts.first { $0.type == "scan_reward" }!
    #expect(reward.total.microunits == 6 * 200_000 + 250_000)
    #expect(record.tiers.vip == 1)
  }

  @Test func theGuaranteeRunsBeforeTheScansOfItsInstant() throws {
    // 90 × 24 hours after sign-up the member has 6 scans; the seventh comes at that very instant.
    let late = "2026-01-01T00:00Z,a,scan,6,\n2026-04-01T00:00Z,a,scan,1,\n"
    let (none, _) = try replay(late, rules())
    #expect(none.payouts.first { $0.type == "guarantee" }!.count == 0)
    let before = "2026-01-01T00:00Z,a,scan,7,\n2026-04-01T00:00Z,a,scan,1,\n"
    let (one, _) = try replay(before, rules())
    // 6 × 0.20 + 0.25 so far.
    let line = one.payouts.first { $0.type == "guarantee" }!
    #expect(line.count == 1)
    #expect(line.total == MicroUSDT(microunits: 48_550_000))
  }

  @Test func whatFallsDueAfterTheLastRowDoesNotHappen() throws {
    let (record, _) = try replay(
      "2026-01-01T00:00Z,a,scan,7,\n2026-03-31T23:59:59Z,a,purchase,1,\n", rules())
    #expect(record.payouts.first { $0.type == "guarantee" }!.count == 0)
    #expect(record.end.description == "2026-03-31T23:59:59.000001Z")
    #expect(record.quarters.map(\.quarter) == ["2025-Q4", "2026-Q1"])
  }

  @Test func anEmptyMonthHasNoStatusAndNoUtilisation() throws {
    let (record, _) = try replay(
      "2026-01-10,a,purchase,5,\n2026-03-10,a,purchase,5,\n", rules())
    #expect(record.months.map(\.month) == ["2026-01", "2026-02", "2026-03"])
    #expect(record.months[1].status == nil)
    #expect(record.months[1].utilisationBasisPoints == nil)
    #expect(record.months[0].status == .normal)
  }
}

extension ReplayTests {
  @Test func chipsOfAPopularAffiliateDoNotOverflow() throws {
    var rules = ProgrammeRules()
    rules.affiliates.chipsPerScan = 1_000
    var table = AffiliateTable(rules: rules.affiliates, firstDate: CivilDate("2026-01-01")!)
    _ = table.add()
    let lot = table.lot(ofScanOn: CivilDate("2026-01-01")!)
    for _ in 0..<5 {
      table.credit(Array(repeating: 0, count: 1_000_000), lot: lot) { _, _ in }
    }
    #expect(table.chips(0) == 5_000_000_000)
    #expect(table.referredScans(0) == 5_000_000)
  }

  @Test func aNewAffiliateTakesOverAReferredMember() throws {
    let (record, _) = try replay(
      "2026-01-01,a,refer,,b\n2026-01-02,a,scan,5,\n2026-01-03,a,refer,,c\n2026-01-04,a,scan,5,\n",
      rules())
    #expect(record.affiliates.active == 1)
    #expect(record.affiliates.referred == 1)
    #expect(record.affiliates.chipsIssued == 10)
  }

  @Test func drawnPrizesOfAReplayGoToEligibleMembers() throws {
    let rules = rules { rules in
      for row in rules.prizes.indices { rules.prizes[row].allocation = .draw }
      rules.prizes[0].every = 5
      // Due at scans of others, too.
      rules.prizes[4].every = 16
    }
    // On every fifth day m0 scans eleven tins; each of the others scans one, and twelve in all.
    let days = (1...60).map { day in (day, "m\(day % 5)", day % 5 == 0 ? 11 : 1) }
    let rows = days.map { "\(CivilDate("2026-01-01")!.adding(days: $0)),\($1),scan,\($2)," }
    let (record, _) = try replay(rows.joined(separator: "\n") + "\n", rules)
    // All of it is in one quarter, so that scans alone make tiers.
    var scans: [String: UInt32] = [:]
    let after = days.flatMap { Array(repeating: $1, count: $2) }.map { member in
      scans[member, default: 0] += 1
      return scans
    }
    #expect(after.count == 180)
    let tiers = rules.tiers
    let least: [Tier: UInt32] = [
      .vip: tiers.vip, .highRoller: tiers.highRoller, .whale: tiers.whale,
    ]
    for prize in rules.prizes {
      func eligible(_ scan: Int64) -> [String] {
        after[Int(scan) - 1].filter { $0.value >= least[prize.requiredTier] ?? 1 }.map(\.key)
      }
      let won = record.awards.filter { $0.prize == prize.name }
      #expect(won.map(\.dueScan) == (1...180 / prize.every).map { $0 * prize.every })
      for award in won {
        #expect(eligible(award.wonScan).contains(award.member), "\(award)")
        // At the very scan that made it due, or the first that made somebody eligible.
        let first = (award.dueScan...180).first { !eligible($0).isEmpty }
        #expect(award.wonScan == first, "\(award)")
      }
    }
    func winners(_ prize: String) -> [String] {
      record.awards.filter { $0.prize == prize }.map(\.member)
    }
    #expect(Set(winners("Crypto $100")).count > 2)
    #expect(winners("Trip $200K") == Array(repeating: "m0", count: 11))
  }
}
