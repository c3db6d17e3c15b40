// Goal: a replay that shows its days from a later one on has the figures that the whole replay has
// for them. Method: it is held against the whole replay, and against what is left of that after a
// replay of the warm-up alone.
import Embera
import Quantities
import RewardModel
import Testing

@Suite struct WarmUpTests {
  /// Seven members order every day of 150, some of them as a day begins.
  private func replay(
    _ days: Range<Int>, warmUpDays: Int = 0, proceed: (RunProgress) -> Bool = { _ in true }
  ) throws -> EmberaRecord {
    var frame = try frame(seed: 1, days: days.upperBound)
    frame.warmUpDays = warmUpDays
    let rows = days.map { day in
      HistoryRow(
        instant: frame.calendar.dayStarts[day] + .hours(Int64(day % 10)), hasClock: true,
        row: UInt32(day + 1), line: UInt32(day + 2), member: UInt32(day % 7), other: .max,
        amount: Int64(20 + day % 13) * 1_000_000, kind: 0)
    }
    let names = (0..<7).map { "m\($0)" }
    var replay = EmberaReplay(
      frame, EmberaRules(), History(EmberaProgramme.history, names: names, fileRows: rows))
    return try replay.run(proceed: proceed)
  }

  private func figure(_ record: EmberaRecord, _ id: String, _ key: String) throws -> PageValue {
    let figures = try EmberaProgramme.page(id, of: record, at: nil).blocks.flatMap { block in
      if case .figures(let figures) = block.body { figures } else { [] as [PageFigure] }
    }
    return try #require(figures.first { $0.key == key }, "\(id).\(key)").value
  }

  // The first days of two months, and the middle of one.
  @Test("What is shown after a warm-up is that of the whole", arguments: [12, 40, 50])
  func sameFigures(warmUpDays: Int) throws {
    let whole = try replay(0..<150)
    let before = try replay(0..<warmUpDays)
    let part = try replay(0..<150, warmUpDays: warmUpDays)
    #expect(part.start == before.end && part.end == whole.end && !part.interrupted)
    #expect(part.days == Array(whole.days[warmUpDays...]))
    let cut = part.days[0].date.day == 1 ? 0 : 1
    let months = Array(part.months.dropFirst(cut))
    #expect(months == Array(whole.months.suffix(months.count)) && months.count > 1)
    #expect(part.months.first?.month == part.days[0].date.monthLabel)
    let first = part.days.filter { $0.date.monthLabel == part.months[0].month }
    #expect(part.months[0].orders == first.reduce(0) { $0 + $1.orders })
    #expect(
      part.months[0].revenue.microunits == first.reduce(0) { $0 + $1.revenue.microunits })

    #expect(part.total.sums == whole.total.sums.since(before.total.sums))
    for (hour, all) in zip(zip(before.hours, part.hours), whole.hours) {
      #expect(hour.0.orders + hour.1.orders == all.orders)
    }
    // Of the orders before, those that were under way are among the orders of the end.
    let underWay = before.statuses.dropLast().reduce(0) { $0 + $1.count }
    #expect(part.statuses.reduce(0) { $0 + $1.count } == part.total.sums.orders + underWay)

    // What is the case at the end does not depend on where the figures begin.
    #expect(part.total.members == 7 && part.tiers == whole.tiers)
    #expect(part.accounts == whole.accounts && part.total.valuation == whole.total.valuation)
    #expect(part.outstanding == whole.outstanding && part.opening.issued > 0)
    #expect(part.breakage == whole.breakage && part.breakage != nil)
    for (page, key) in [
      ("overview", "members"), ("loyalty", "outstanding"), ("loyalty", "breakage"),
    ] {
      #expect(try figure(part, page, key) == figure(whole, page, key), "\(key)")
    }
  }

  @Test func aReplayThatIsStoppedDuringItsWarmUpShowsNothing() throws {
    let record = try replay(0..<60, warmUpDays: 40) { _ in false }
    #expect(record.interrupted && record.start == record.end)
    #expect(record.days.isEmpty && record.months.isEmpty && record.total.sums.orders == 0)
    #expect(EmberaProgramme.report(of: record).pages.isEmpty)
  }
}
