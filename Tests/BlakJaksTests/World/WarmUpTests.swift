// Goal: a replay that shows its days from a later one on has the figures that the whole replay has
// for them, and its members are as the days before left them.
// Method: what a replay shows after a warm-up is held against the whole replay, and against what is
// left of it after a replay of the warm-up alone; exact readings by hand.
import BlakJaks
import Population
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite struct WarmUpTests {
  private static let zone = "America/New_York"

  private func history(_ rows: [String]) throws -> History {
    let text = (["time,member,event,tins,other"] + rows).joined(separator: "\n") + "\n"
    return try History.read(bytes: Array(text.utf8), file: "h.csv", zone: Self.zone)
  }

  private func replay(
    _ history: History, _ calendar: ProgrammeCalendar, warmUpDays: Int = 0,
    _ rules: ProgrammeRules = ProgrammeRules(), proceed: (RunProgress) -> Bool = { _ in true }
  ) throws -> BlakJaksRecord {
    var input = WorldInput(
      scenario: "t", seed: 1, calendar: calendar, window: .hours(1), rules: rules,
      population: PopulationSettings())
    input.warmUpDays = warmUpDays
    var replay = try HistoryReplay(input, history: history)
    return try replay.run(proceed: proceed)
  }

  /// A whole replay of 140 days from 2026-01-02 on, its warm-up alone, and what is shown after it.
  private struct Case {
    let whole: BlakJaksRecord
    let before: BlakJaksRecord
    let part: BlakJaksRecord
    let calendar: ProgrammeCalendar
  }

  private func replays(warmUpDays: Int) throws -> Case {
    var rules = ProgrammeRules()
    let every: [Int64] = [10, 40, 100, 150, 400]
    for row in rules.prizes.indices { rules.prizes[row].every = every[row] }
    rules.guarantee.amount = .whole(2_000)
    let history = try history(
      (0..<140).flatMap { day in
        let date = CivilDate(year: 2026, month: 1, day: 2).adding(days: day)
        let member = "m\(day % 9)"
        // A bare date is its midnight: such rows come as a day begins.
        let rows = [
          "\(date),m\((day * 5 + 2) % 9),scan,2,", "\(date)T09:00:00,\(member),purchase,3,",
          "\(date)T10:30:00,\(member),scan,3,",
        ]
        return rows + (day % 20 == 3 ? ["\(date)T12:00:00,\(member),refer,,m\((day + 1) % 9)"] : [])
      })
    let calendar = try history.calendar(zone: Self.zone)
    let first = try ProgrammeCalendar(
      zone: Self.zone, firstDate: calendar.dates[0], days: warmUpDays)
    let earlier = try #require(
      history.part(from: .distantPast, until: calendar.dayStarts[warmUpDays]))
    return Case(
      whole: try replay(history, calendar, rules), before: try replay(earlier, first, rules),
      part: try replay(history, calendar, warmUpDays: warmUpDays, rules), calendar: calendar)
  }

  // The first day of a month, the middle of one, and days on which guarantees are paid.
  @Test("Days, months and awards after a warm-up are those of the whole", arguments: [30, 45, 95])
  func periods(warmUpDays: Int) throws {
    let run = try replays(warmUpDays: warmUpDays)
    let (whole, part) = (run.whole, run.part)
    let start = run.calendar.dayStarts[warmUpDays]
    #expect(part.start == start && part.end == whole.end && !part.interrupted)
    #expect(part.days == Array(whole.days[warmUpDays...]))
    #expect(part.scanHours == Array(whole.scanHours[warmUpDays...]))
    let cut = run.calendar.dates[warmUpDays].day == 1 ? 0 : 1
    let months = part.months.dropFirst(cut).map { "\($0)" }
    #expect(months == whole.months.suffix(months.count).map { "\($0)" } && !months.isEmpty)
    #expect(part.months.first?.month == run.calendar.dates[warmUpDays].monthLabel)
    for month in part.months {
      let days = part.days.filter { $0.date.monthLabel == month.month }
      #expect(month.tinsSold == days.reduce(0) { $0 + $1.tinsSold })
      #expect(month.acceptedScans == days.reduce(0) { $0 + $1.acceptedScans })
      #expect(month.spendCash.microunits == days.reduce(0) { $0 + $1.spendCash.microunits })
      let spend = month.spendAccrual.microunits
      #expect(month.utilisationBasisPoints == spend * 10_000 / month.budget.microunits)
    }
    #expect(part.quarters.last?.tiers == whole.tiers)
    #expect(part.awards == whole.awards.filter { $0.time >= start } && !part.awards.isEmpty)
    #expect(part.pools == whole.pools.filter { $0.time >= start } && !part.pools.isEmpty)
    #expect(part.feed == whole.feed.filter { $0.time >= start })
    // What is the case at the end does not depend on where the figures begin.
    #expect(part.members == whole.members && part.tiers == whole.tiers)
    #expect("\(part.accounts)" == "\(whole.accounts)")
    #expect(try InsightsAsOf(part).scans == whole.acceptedScans)
  }

  @Test("A warm-up and what is shown after it make up the whole", arguments: [30, 95])
  func sums(warmUpDays: Int) throws {
    let run = try replays(warmUpDays: warmUpDays)
    let (whole, before, part) = (run.whole, run.before, run.part)
    func expectSum(
      _ what: String, _ value: (BlakJaksRecord) -> Int64,
      _ place: SourceLocation = #_sourceLocation
    ) {
      #expect(
        value(before) + value(part) == value(whole) && value(before) > 0, "\(what)",
        sourceLocation: place)
    }
    expectSum("scans") { $0.acceptedScans }
    expectSum("tins") { $0.tinsSold }
    expectSum("outcomes") { $0.outcomes[0].count }
    expectSum("prizes") { $0.prizes[0].awarded }
    expectSum("chips") { $0.affiliates.chipsIssued }
    expectSum("cost") { ProgrammeCost($0).total.microunits }
    expectSum("trips") { Int64((($0.figure("liability.trips_accrued") ?? 0) * 1e6).rounded()) }
    for row in whole.payouts.indices {
      let (one, two) = (before.payouts[row], part.payouts[row])
      #expect(one.count + two.count == whole.payouts[row].count)
      #expect(one.total.microunits + two.total.microunits == whole.payouts[row].total.microunits)
    }
    #expect((9_980...10_000).contains(part.payouts.reduce(0) { $0 + $1.shareBasisPoints }))
    #expect(part.opening.acceptedScans == before.acceptedScans)

    let added = [
      "ledger.scan_reward.total", "feed.signup", "payouts.awarded", "affiliates.chips_issued",
    ]
    // A success after the warm-up may be of an attempt before it.
    let kept = [
      "treasury.bank_operating", "trip_reserve", "affiliates.chips_unexpired",
      "payouts.attempts", "payouts.succeeded",
    ]
    #expect(part.series.map(\.key) == whole.series.map(\.key))
    for (all, shown) in zip(whole.series, part.series) {
      let opening = before.series.first { $0.key == all.key }?.values.last.flatMap(\.self) ?? 0
      let same = Array(all.values[warmUpDays...])
      let less = same.map { value in value.map { $0 - opening } }
      #expect(shown.values == same || shown.values == less, "\(all.key)")
      if added.contains(all.key) { #expect(shown.values == less && opening > 0, "\(all.key)") }
      if kept.contains(all.key) { #expect(shown.values == same && opening != 0, "\(all.key)") }
    }
  }

  @Test("Members begin with the tier and the guarantee that the days before gave them")
  func state() throws {
    let rows = [
      "2026-01-02T10:00:00,a,scan,7,", "2026-04-15T10:00:00,a,scan,7,",
      "2026-08-01T10:00:00,a,scan,1,",
    ]
    let whole = try history(rows)
    let calendar = try whole.calendar(zone: Self.zone)
    // April 10, after the guarantee of April 2.
    let part = try replay(whole, calendar, warmUpDays: 98)
    #expect(part.days[0].date == CivilDate(year: 2026, month: 4, day: 10))
    #expect(part.days[0].members == 1 && part.days[0].tiers.vip == 1)
    func line(_ record: BlakJaksRecord, _ type: String) throws -> [Int64] {
      let row = try #require(record.payouts.first { $0.type == type })
      return [row.count, row.total.microunits]
    }
    // The scans of April are those of a VIP, who was one by the seven scans of the quarter before.
    #expect(try line(part, "scan_reward") == [8, 8 * 250_000])
    #expect(try line(part, "guarantee") == [0, 0])
    #expect(part.opening.acceptedScans == 7 && part.acceptedScans == 8)
    #expect(part.days.reduce(0) { $0 + $1.signups } == 0)
    // Without the days before, the member would begin anew: as a Standard, who turns VIP with the
    // seventh scan, and with a guarantee to come.
    let late = try history(Array(rows.dropFirst()))
    let fresh = try replay(late, late.calendar(zone: Self.zone))
    // Six of a Standard member and two of a VIP.
    let rewards: Int64 = 6 * 200_000 + 2 * 250_000
    #expect(try line(fresh, "scan_reward") == [8, rewards])
    #expect(try line(fresh, "guarantee")[0] == 1)
  }

  @Test func aReplayThatIsStoppedDuringItsWarmUpShowsNothing() throws {
    let history = try history([
      "2026-01-02T10:00:00,a,purchase,600,", "2026-01-03T10:00:00,a,purchase,600,",
      "2026-03-01T10:00:00,a,purchase,1,",
    ])
    let calendar = try history.calendar(zone: Self.zone)
    let record = try replay(history, calendar, warmUpDays: 30) { _ in false }
    #expect(record.interrupted && record.end == calendar.dayStarts[30])
    #expect(record.days.isEmpty && record.months.isEmpty && record.scanHours.isEmpty)
    #expect(record.tinsSold == 0 && record.payoutTotal.count == 0)
    #expect(record.contradiction == nil)
    #expect(BlakJaksProgramme.report(of: record).pages.isEmpty)
  }
}
