import BlakJaks
// Goal: the windowed world is right, and the same for any number of threads.
// Method: a plain sequential driver over a second writing of the rules; records compared field by
// field between thread counts; rare branches counted.
import EventKernel
import Foundation
import Population
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

/// A small world whose prizes fall due often enough to see every branch.
func smallWorld(
  seed: UInt64, members: Int = 160, days: Int = 200, window: TimeSpan = .hours(1),
  edit: (inout WorldInput) -> Void = { _ in }
) throws -> WorldInput {
  var rules = ProgrammeRules()
  let every: [Int64] = [20, 60, 200, 300, 900]
  for row in rules.prizes.indices { rules.prizes[row].every = every[row] }
  rules.tiers.floorVip = 20
  rules.tiers.floorHighRoller = 60
  rules.tiers.floorWhale = 150
  var population = PopulationSettings()
  population.members = members
  population.referral.affiliates = 0.3
  population.referral.referred = 0.4
  var input = WorldInput(
    scenario: "small", seed: seed,
    calendar: try ProgrammeCalendar(
      zone: "America/New_York", firstDate: CivilDate("2026-01-01")!, days: days),
    window: window, rules: rules, population: population)
  edit(&input)
  return input
}

@Suite(.tags(.slow)) struct WorldTests {
  @Test("Pareto/NBD: active members are those whose lifetime has not ended")
  func activeByTheClock() throws {
    let members = 20_000
    let input = try smallWorld(seed: 39, members: members, days: 273, window: .hours(24)) { input in
      let law = BuyTillYouDie.pareto
      input.population.adoption.model = .cohort
      input.population.referral.referred = 0
      input.population.purchase = law.settings.purchase
      input.population.season.enabled = false
    }
    var world = try World(input, threads: 2)
    let record = try world.run()
    let series = try #require(record.series.first { $0.key == "members.active" })
    for weeks in [4, 13, 39] {
      let alive = BuyTillYouDie.pareto.alive(Double(weeks))
      let active = try #require(series.values[weeks * 7 - 1])
      let share = Double(active) / Double(members)
      let errors = distance(share, alive, alive * (1 - alive) / Double(members))
      #expect(errors < 4, "\(weeks) weeks: \(share), \(alive)")
    }
  }

  @Test(
    "The windowed world agrees with a plain sequential driver",
    arguments: [
      (1, .bass, .mbgNbd, 1), (2, .cohort, .bgNbd, 1), (3, .rate, .paretoNbd, 24),
      (4, .plan, .mbgNbd, 7), (5, .bass, .mbgNbd, 6),
    ] as [(UInt64, AdoptionModel, PurchaseModel, Int64)])
  func secondOpinion(
    seed: UInt64, adoption: AdoptionModel, purchase: PurchaseModel, windowHours: Int64
  ) throws {
    let input = try smallWorld(seed: seed, window: .hours(windowHours)) { input in
      input.population.adoption.model = adoption
      input.population.adoption.monthly = [40, 10, 30]
      input.population.adoption.perDay = 0.8
      input.population.purchase.model = purchase
      input.population.purchase.erlang = Int(seed)
    }
    var world = try World(input, threads: 2)
    let record = try world.run()
    let plain = PlainWorld(input)
    expectSame(
      record, plain.programme, names: { String($0 + 1) },
      replay: "replay: swift test --filter WorldTests (seed \(seed))")
    // Member by member, by the tier that each ends in.
    var final = BlakJaksRecord.FinalTiers()
    let last = try #require(record.days.last).date
    for member in plain.programme.members where member.signUp != nil {
      let tier = plain.programme.tier(member, on: last)
      final.tins[tier] += member.tins
      final.scans[tier] += Int64(member.lifetime)
      final.comps[tier] += member.comps + member.trips
    }
    #expect(record.finalTiers == final, "\(record.finalTiers) \(final)")
    // Sometimes-checks: the comparison means little where these never happen.
    #expect(record.awards.contains { $0.wonScan > $0.dueScan }, "no prize ever rolled forward")
    #expect(record.affiliates.floors.vip + record.affiliates.floors.highRoller > 0)
    #expect(record.payouts.first { $0.type == "match" }!.count > 0)
    #expect(record.payouts.first { $0.type == "guarantee" }!.count > 0)
    #expect(record.payouts.first { $0.type == "pool" }!.count > 0)
    #expect(record.outcomes.first { $0.name == "already_scanned" }!.count > 0)
  }

  /// One prize is drawn, the others roll forward.
  @Test("Any number of threads gives the same record")
  func threads() throws {
    let input = try smallWorld(seed: 7, members: 20_000, days: 40) { input in
      input.population.adoption.model = .cohort
      input.rules.prizes[1].allocation = .draw
      input.rules.guardPolicy.policy = .scaleScanReward
    }
    var records: [BlakJaksRecord] = []
    for threads in [1, 2, 8] {
      var world = try World(input, threads: threads)
      records.append(try world.run())
    }
    for record in records.dropFirst() {
      #expect(String(describing: record) == String(describing: records[0]))
    }
  }

  @Test func drawnPrizesGoToEligibleMembersAndNumbersStayInOrder() throws {
    let input = try smallWorld(seed: 9) { input in
      for row in input.rules.prizes.indices { input.rules.prizes[row].allocation = .draw }
    }
    var rows: [HistoryRow] = []
    var world = try World(input, threads: 1, history: { rows.append($0) })
    let record = try world.run()
    for prize in input.rules.prizes {
      let due = record.awards.filter { $0.prize == prize.name }.map(\.dueScan)
      #expect(due == (0..<Int64(due.count)).map { ($0 + 1) * prize.every })
    }
    #expect(Set(record.awards.map(\.member)).count > 20)
    // What members did once more, by the plain writing of the rules, for tiers at each draw.
    var rules = input.rules
    rules.prizes = []
    let plain = PlainProgramme(
      rules: rules, calendar: input.calendar, members: input.population.members)
    let drawn = Dictionary(grouping: record.awards, by: \.wonScan)
    var looked = 0
    var couldNot: [String: Int] = [:]
    for row in rows {
      let member = Int(row.member)
      if row.event == .refer { plain.members[member].affiliate = Int(row.other) }
      guard row.event == .scan else { continue }
      for _ in 0..<row.tins {
        plain.scan(member, at: row.instant)
        for award in drawn[Int64(plain.scans)] ?? [] {
          let prize = try #require(input.rules.prizes.first { $0.name == award.prize })
          let winner = plain.members[try #require(Int(award.member)) - 1]
          let today = plain.date(row.instant)
          #expect(plain.tier(winner, on: today) >= prize.requiredTier, "\(award)")
          looked += 1
          couldNot[prize.name, default: 0] += plain.members.count {
            $0.lifetime > 0 && plain.tier($0, on: today) < prize.requiredTier
          }
        }
      }
    }
    #expect(looked == record.awards.count && plain.scans == Int(record.acceptedScans))
    for prize in input.rules.prizes where prize.requiredTier > .standard {
      #expect(couldNot[prize.name] ?? 0 > 10, "sometimes: others may not win \(prize.name)")
    }
  }

  @Test("Guard policies act only while the budget is Critical", arguments: GuardPolicy.allCases)
  func guards(policy: GuardPolicy) throws {
    let input = try smallWorld(seed: 11) { $0.rules.guardPolicy.policy = policy }
    var world = try World(input, threads: 1)
    let record = try world.run()
    let rewards = record.payouts.first { $0.type == "scan_reward" }!
    let waiting = record.prizes.reduce(0) { $0 + $1.waiting }
    #expect(record.days.contains { $0.status == .critical })
    switch policy {
    case .none: #expect(record.awards.count > 50)
    case .deferMilestones: #expect(waiting > 50)
    case .scaleScanReward:
      // At half the reward, the average must fall below the lowest tier's full reward.
      #expect(rewards.total.microunits / rewards.count < 200_000)
    }
  }

  @Test func aStoppedRunKeepsWhatItHasAndSaysSo() throws {
    let input = try smallWorld(seed: 12)
    var world = try World(input, threads: 2, mergesWindows: false)
    let stop = input.calendar.dayStarts[70] + .hours(7)
    let record = try world.run { $0.simulated < stop }
    #expect(record.interrupted)
    #expect(record.end == stop)
    #expect(record.days.count == 71)
    #expect(record.months.map(\.month) == ["2026-01", "2026-02", "2026-03"])
    var whole = try World(input, threads: 1)
    let complete = try whole.run()
    #expect(
      record.days.dropLast().map(\.spendCash) == complete.days.prefix(70).map(\.spendCash))
  }

  @Test(
    "A run that is stopped at a midnight has nothing of the day, month or quarter that begins there",
    arguments: [(1, 1, 1), (59, 2, 1), (60, 3, 1), (70, 3, 1), (90, 3, 1), (91, 4, 2)])
  func stoppedAtMidnight(days: Int, months: Int, quarters: Int) throws {
    let input = try smallWorld(seed: 12, days: 100) { $0.keepsMembers = true }
    let stop = input.calendar.dayStarts[days]
    var world = try World(input, threads: 1)
    let record = try world.run { $0.simulated < stop }
    #expect(record.end == stop && record.interrupted)
    #expect(record.days.count == days && record.scanHours.count == days)
    #expect(record.series.allSatisfy { $0.values.count == days })
    #expect(record.days.map(\.date) == Array(input.calendar.dates.prefix(days)))
    #expect(record.months.count == months && record.quarters.count == quarters)
    #expect(record.quarters.last?.tiers == record.days.last?.tiers)
    #expect(record.tiers == record.days.last?.tiers)
    #expect(record.months.reduce(0) { $0 + $1.tinsSold } == record.tinsSold)
    #expect(record.memberValues?.cohorts.map(\.month).max() == months - 1)
    var whole = try World(input, threads: 1)
    let complete = try whole.run()
    #expect(record.days.map(\.tiers) == complete.days.prefix(days).map(\.tiers))
  }

  @Test func moneyThatLeavesItsRangeIsAnErrorAndNoCrash() throws {
    let input = try smallWorld(seed: 13) { input in
      input.rules.scanReward.base = MicroUSDT(microunits: .max / 4)
    }
    #expect(throws: MoneyError.self) {
      var world = try World(input, threads: 2)
      _ = try world.run()
    }
  }

  @Test func windowsCoverTheRunWithoutGapAndEndAtEveryBoundary() throws {
    let calendar = try ProgrammeCalendar(
      zone: "America/New_York", firstDate: CivilDate("2026-03-06")!, days: 5)
    for length in [TimeSpan.minutes(50), .hours(1), .hours(7), .hours(24)] {
      let windows = Array(World.windows(calendar, length: length))
      #expect(windows.first?.start == calendar.start)
      #expect(windows.last?.end == calendar.end)
      for (before, after) in zip(windows, windows.dropFirst()) {
        #expect(before.end == after.start)
      }
      let ends = Set(windows.map(\.end))
      #expect(windows.allSatisfy { $0.end - $0.start <= length && $0.start < $0.end })
      #expect(calendar.dayStarts.dropFirst().allSatisfy(ends.contains))
      #expect(ProgrammeRules.mornings(calendar).allSatisfy(ends.contains))
    }
  }

  @Test func theWindowBeforeMidnightMayBeAShortOne() throws {
    let calendar = try ProgrammeCalendar(
      zone: "America/New_York", firstDate: CivilDate("2026-03-06")!, days: 5)
    let boundaries = Set(calendar.dayStarts.dropFirst() + ProgrammeRules.mornings(calendar))
    for (length, lead) in [(7, 1), (3, 1), (24, 2), (1, 1), (1, 5)] {
      let (length, lead) = (TimeSpan.hours(Int64(length)), TimeSpan.hours(Int64(lead)))
      let windows = Array(
        RunWindows(
          calendar, length: length, lead: lead, from: calendar.start, to: calendar.end))
      #expect(windows.first?.start == calendar.start && windows.last?.end == calendar.end)
      for (before, after) in zip(windows, windows.dropFirst()) {
        #expect(before.end == after.start && before.index + 1 == after.index)
      }
      let last = windows.filter { boundaries.contains($0.end) }
      #expect(last.count == boundaries.count)
      let nights = last.filter { calendar.dayStarts.contains($0.end) }
      #expect(nights.allSatisfy { $0.end - $0.start <= min(length, lead) })
      #expect(windows.allSatisfy { $0.end - $0.start <= length })
      #expect(
        length > .hours(7) || windows.contains { $0.end - $0.start == length },
        "sometimes: a window is long")
      // A day with its morning at five, by hand.
      guard length == .hours(3) else { continue }
      let day = windows.prefix { $0.end <= calendar.dayStarts[1] }
      #expect(
        day.map { ($0.end - calendar.start).inSeconds / 3_600 }
          == [3, 5, 6, 9, 12, 15, 18, 21, 23, 24])
    }
  }

  @Test func partsOfARunHaveTheWindowsOfTheWhole() throws {
    let calendar = try ProgrammeCalendar(
      zone: "America/New_York", firstDate: CivilDate("2026-03-06")!, days: 5)
    for length in [TimeSpan.minutes(50), .hours(7)] {
      let whole = Array(World.windows(calendar, length: length))
      for cut in [0, 1, whole.count / 3, whole.count - 1, whole.count] {
        let border = cut == 0 ? calendar.start : whole[cut - 1].end
        let before = RunWindows(calendar, length: length, from: calendar.start, to: border)
        let after = RunWindows(calendar, length: length, from: border, to: calendar.end)
        #expect(Array(before) == Array(whole[..<cut]))
        #expect(Array(after) == Array(whole[cut...]))
      }
      let led = Array(
        RunWindows(
          calendar, length: length, lead: .minutes(30), from: calendar.start, to: calendar.end))
      for window in led {
        let after = RunWindows(
          calendar, length: length, lead: .minutes(30), from: window.start, to: calendar.end)
        #expect(Array(after) == Array(led[window.index...]))
      }
      // A run that had other windows goes on within one.
      for minutes in [1, 130, 299, 301, 1_439, 1_441, 2_900] {
        let border = calendar.start + .minutes(Int64(minutes))
        let after = Array(
          RunWindows(calendar, length: length, from: border, to: calendar.end))
        let later = whole.filter { $0.end > border }
        #expect(after.first?.start == border)
        #expect(after.map(\.end) == later.map(\.end))
        #expect(after.dropFirst().map(\.start) == later.dropFirst().map(\.start))
        #expect(after.map(\.index) == later.map(\.index))
      }
    }
  }

  @Test func oneMemberCostsAtMost160Bytes() {
    // A row, its slot and place in the list of the active, a claimed bit for each of some 100
    // tins a year, and the emissions of a busy hour.
    #expect(World.bytesPerMember + 100 / 8 + 16 <= 160)
  }
}

@Suite(.tags(.slow)) struct ProgressTests {
  /// The progress line shows `done`; it tells the truth when it is the share of the work done.
  @Test(
    "The share done is the share of the events done", arguments: ["launch-year", "full-programme"])
  func truthfulProgress(_ name: String) throws {
    let scenario = try Scenario.load(
      path: scenarioFolder.appending(path: "\(name).yaml").path,
      overrides: [
        SettingOverride(path: "population.members", value: "2000"),
        // The curve is that of what members buy themselves.
        SettingOverride(path: "population.wholesale.scanned", value: "0"),
      ])
    var seen: [(done: Double, events: Double)] = []
    var world = try World(try WorldInput(scenario), threads: 1)
    _ = try world.run { progress in
      seen.append((progress.done, Double(progress.events)))
      return true
    }
    let total = try #require(seen.last?.events)
    for (place, point) in seen.enumerated() where place % 100 == 0 {
      let truth = point.events / total
      #expect(
        abs(point.done - truth) < 0.06, "window \(place): shown \(point.done), done \(truth)")
    }
    #expect(abs(seen[seen.count - 1].done - 1) < 1e-9)
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.done <= $1.done })
  }
}
