// Goal: the scans of a window are counted in the local hour in which their minute begins, and in their minutes.
// Method: random scans entered window by window, beside each of them entered by itself, where clocks change and
// where they are half an hour or an odd number of seconds away from UTC.
import EventKernel
import Quantities
import RewardModel
import Testing

@testable import BlakJaks

@Suite struct ScanVelocityTests {
  @Test(
    "Scans of a window are counted by local hour and by minute",
    arguments: [
      ("UTC", "2026-01-01"), ("Asia/Kolkata", "2026-01-01"), ("Asia/Kathmandu", "2026-01-01"),
      // Clocks go forward and back on the second day; 44 minutes and 30 seconds behind UTC.
      ("America/New_York", "2026-03-07"), ("America/New_York", "2026-10-31"),
      ("Australia/Lord_Howe", "2026-04-04"), ("Africa/Monrovia", "1971-06-01"),
    ], [20, 3_000])
  func hours(place: (zone: String, date: String), scans count: Int) throws {
    let calendar = try ProgrammeCalendar(
      zone: place.zone, firstDate: try #require(CivilDate(place.date)), days: 3)
    var (together, apart) = (
      ScanVelocity(ScanningRules(), seed: 4), ScanVelocity(ScanningRules(), seed: 4)
    )
    var (hours, expected) = (
      Array(repeating: Int64(0), count: 24), Array(repeating: Int64(0), count: 24)
    )
    var stream = RandomStream(seed: 5, purpose: 3, entity: UInt64(count))
    let table = try ScanRewardTable(ScanRewardRules())
    var (start, index, byMinute, overflow) = (calendar.start, 0, ScansByMinute(), Overflow())
    while start < calendar.end {
      // Not all windows begin with an hour.
      let end = min(start + .minutes([180, 60, 17, 720][index % 4]), calendar.end)
      let window = Window(index: index, start: start, end: end)
      let times = (0..<count / 20).map { _ in
        start
          + TimeSpan(
            microseconds: Int64(
              stream.uniformIndex(below: UInt64((end - start).microseconds))))
      }.sorted()
      var harvest = CellHarvest()
      harvest.emissions = times.map {
        AcceptedScan(
          time: $0, member: 1,
          mark: ScanMark(tier: .standard, affiliate: MemberAccount.noAffiliate))
      }
      byMinute.take([harvest], of: window, table, &overflow)
      together.enter(byMinute, window, calendar, hours: &hours)
      for time in times {
        apart.enter(1, at: AwardMinute.minute(of: time), calendar, hours: &expected)
      }
      (start, index) = (end, index + 1)
      #expect(hours == expected, "\(place), window \(window.start) to \(window.end)")
      #expect(together.peak == apart.peak)
    }
    #expect(hours.reduce(0, +) == Int64(index * (count / 20)))
    #expect(hours.allSatisfy { $0 > 0 } || count < 100)
  }

  // One scan a minute: 60 an hour, whatever the clock shows.
  @Test(
    "An hour that the clock shows twice is two hours",
    arguments: [
      ("America/New_York", "2026-10-31"), ("America/New_York", "2026-03-07"),
      ("Atlantic/Azores", "2026-10-24"), ("UTC", "2026-10-31"),
    ], [true, false])
  func repeatedHours(place: (zone: String, date: String), together: Bool) throws {
    let calendar = try ProgrammeCalendar(
      zone: place.zone, firstDate: try #require(CivilDate(place.date)), days: 3)
    var rules = ScanningRules()
    // 72 scans an hour.
    (rules.workers, rules.service) = (1, .seconds(50))
    var velocity = ScanVelocity(rules, seed: 4)
    let rewards = try ScanRewardTable(ScanRewardRules())
    var (byMinute, overflow) = (ScansByMinute(), Overflow())
    let mark = ScanMark(tier: .standard, affiliate: MemberAccount.noAffiliate)
    for day in 0..<3 {
      let (start, end) = (calendar.dayStarts[day], calendar.dayStarts[day + 1])
      let minutes = (end - start).microseconds / 60_000_000
      var hours = Array(repeating: Int64(0), count: 24)
      if together {
        var harvest = CellHarvest()
        harvest.emissions = (0..<minutes).map {
          AcceptedScan(time: start + .minutes($0), member: 1, mark: mark)
        }
        let window = Window(index: day, start: start, end: end)
        byMinute.take([harvest], of: window, rewards, &overflow)
        velocity.enter(byMinute, window, calendar, hours: &hours)
      } else {
        for minute in 0..<minutes {
          velocity.enter(1, at: start + .minutes(minute), calendar, hours: &hours)
        }
      }
      var table = SeriesTable(BlakJaksSeries.catalog)
      velocity.closeDay(before: end, submitted: minutes, hours: hours, into: &table)
      table.closeDay()
      func value(_ key: String) -> Int64? {
        table.all.first { $0.key == key }?.values.last.flatMap { $0 }
      }
      #expect(hours.reduce(0, +) == minutes)
      #expect(value("day.scans.peak_per_hour") == 60, "\(place), day \(day)")
      #expect(value("day.scans.hours_over_capacity") == 0)
      #expect(minutes != 1_500 || hours.max() == 120)
    }
  }

  @Test("A service tells an hour that the clock shows twice apart, on a day of 25 hours alone")
  func serviceHours() throws {
    for (date, hours) in [("2026-11-01", 25), ("2026-03-08", 23), ("2026-06-01", 24)] {
      let first = try #require(CivilDate(date))
      let zone = "America/New_York"
      let calendar = try ProgrammeCalendar(zone: zone, firstDate: first, days: 1)
      let service = try ServiceCalendar(zone: zone, date: first, start: calendar.start)
      let shown = (0..<Int64(hours)).map { service.localHour(at: calendar.start + .hours($0)) }
      #expect(shown.last?.number == 23 && shown.map(\.number) == shown.map(\.number).sorted())
      #expect(shown.indices.filter { shown[$0].isRepeated } == (hours == 25 ? [2] : []), "\(date)")
    }
  }

  @Test func aValueByTierIsThatOfTheTier() {
    let table = PerTier<Int64>(standard: 3, vip: 5, highRoller: 7, whale: 11)
    for tier in Tier.allCases {
      for affiliate in [0, 1, MemberAccount.noAffiliate] as [UInt32] {
        let mark = ScanMark(tier: tier, affiliate: affiliate)
        #expect(table.withValues { mark.value(in: $0) } == table[tier])
        let scan = AcceptedScan(time: .distantPast, member: 2, mark: mark)
        #expect(table.withValues { scan.value(in: $0) } == table[tier])
      }
    }
  }
}
