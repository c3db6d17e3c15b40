import Experiments
import Quantities
// Goal: (x, tₓ, T) are counted from a history as published: one purchase a customer and local day,
// weeks of 7 days since the first, calibration and holdout with both ends.
// Method: histories of a few lines whose counts are worked out by hand; every refusal.
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite struct CalibrationSampleTests {
  private func history(_ rows: [String], zone: String = "UTC") throws -> History {
    let text = (["time,member,event,tins,other"] + rows).joined(separator: "\n") + "\n"
    return try History.read(bytes: Array(text.utf8), file: "h.csv", zone: zone)
  }

  private func date(_ text: String) throws -> CivilDate { try #require(CivilDate(text)) }

  /// Four more customers with one repeat purchase, so that there are enough of them.
  private let others = (1...4).flatMap {
    ["2026-01-01,o\($0),purchase,1,", "2026-01-08,o\($0),purchase,1,"]
  }

  @Test func repeatsRecencyAndSpanAreCountedByTheDay() throws {
    let rows = [
      "2026-01-03,a,signup,,", "2026-01-05,a,purchase,2,", "2026-01-05T18:00:00Z,a,purchase,1,",
      "2026-01-09,a,purchase,1,", "2026-01-15,a,purchase,1,", "2026-01-15,a,scan,4,",
      "2026-01-19,b,purchase,1,", "2026-01-20,a,purchase,1,", "2026-01-22,a,purchase,1,",
      "2026-01-23,c,purchase,1,", "2026-01-24,d,scan,1,", "2026-01-25,a,purchase,1,",
    ]
    let sample = try CalibrationSample(
      history(rows + others), zone: "UTC", until: date("2026-01-19"), holdout: date("2026-01-22"))
    #expect(
      sample.summary.rows == [
        PurchaseSummary.Row(repeats: 0, lastWeeks: 0, spanWeeks: 0),
        PurchaseSummary.Row(repeats: 1, lastWeeks: 1, spanWeeks: 18.0 / 7, customers: 4),
        PurchaseSummary.Row(
          repeats: 2, lastWeeks: 10.0 / 7, spanWeeks: 2, holdoutRepeats: 2),
      ])
    #expect(sample.summary.customers == 6 && sample.summary.repeats == 6)
    #expect(sample.summary.holdoutRepeats == 2)
    #expect(sample.laterCustomers == 1 && sample.withoutPurchase == 1)
    #expect(try sample.first == date("2026-01-01") && sample.holdoutEnd == date("2026-01-22"))
    #expect(sample.births.reduce(0, +) == 6 && sample.births.count == 19)
    #expect(sample.births[0] == 4 && sample.births[4] == 1 && sample.births[18] == 1)
    var daily = [Int](repeating: 0, count: 22)
    daily[7] = 4
    for day in [8, 14, 19, 21] { daily[day] = 1 }
    #expect(sample.dailyRepeats == daily)
    #expect(sample.summary.histogram(bins: 2) == [1, 5])
  }

  @Test func theLastRowEndsBothPeriodsByDefault() throws {
    let rows = others + ["2026-01-10,x,purchase,1,", "2026-02-01,o1,scan,1,"]
    let whole = try CalibrationSample(history(rows), zone: "UTC")
    #expect(try whole.until == date("2026-02-01") && whole.holdoutEnd == nil)
    #expect(whole.holdoutWeeks == 0)
    let split = try CalibrationSample(history(rows), zone: "UTC", until: date("2026-01-25"))
    #expect(try split.holdoutEnd == date("2026-02-01") && split.holdoutWeeks == 1)
  }

  @Test func daysAreThoseOfTheZone() throws {
    // In New York these two lie on one day, and in UTC on two; both count on either.
    let rows =
      others + ["2026-01-06T03:00:00Z,x,purchase,1,", "2026-01-05T20:00:00Z,x,purchase,1,"]
    let york = try CalibrationSample(
      history(rows, zone: "America/New_York"), zone: "America/New_York")
    let utc = try CalibrationSample(history(rows), zone: "UTC")
    #expect(york.summary.repeats == 5 && utc.summary.repeats == 5)
    #expect(york.births[4] == 1 && york.dailyRepeats[4] == 1)
    #expect(utc.births[4] == 1 && utc.dailyRepeats[5] == 1)
    // Clocks change on 8 March; a week stays a week.
    let spring = (1...5).flatMap {
      ["2026-03-05,c\($0),purchase,1,", "2026-03-12,c\($0),purchase,1,"]
    }
    let sample = try CalibrationSample(
      history(spring, zone: "America/New_York"), zone: "America/New_York")
    #expect(sample.summary.rows.map(\.lastWeeks) == [1])
  }

  @Test("Instants are counted one by one, to the end of the last day; a bare date is a day")
  func instants() throws {
    let rows =
      others + [
        "2026-01-02T06:00:00Z,x,purchase,1,", "2026-01-02T18:00:00Z,x,purchase,1,",
        "2026-01-02T18:00:00Z,x,purchase,2,", "2026-01-05,x,purchase,1,",
        "2026-01-05T09:00:00Z,x,purchase,1,",
      ]
    let sample = try CalibrationSample(history(rows), zone: "UTC")
    let row = try #require(sample.summary.rows.last)
    // 6:00 on the 2nd to noon of the 5th, and to the end of the 8th.
    #expect(row.repeats == 2 && abs(row.lastWeeks - 3.25 / 7) < 1e-12)
    #expect(abs(row.spanWeeks - 6.75 / 7) < 1e-12)
    #expect(!sample.isOfDates && abs(sample.partWeeks - 0.75 / 7 / 5) < 1e-12)
    let dates = try CalibrationSample(history(others + ["2026-01-02,x,purchase,1,"]), zone: "UTC")
    #expect(dates.isOfDates && dates.partWeeks == 0)
  }

  @Test("An instant that falls on a local midnight is an instant")
  func instantsAtMidnight() throws {
    let rows = (1...5).flatMap {
      [
        "2026-01-01T05:00:00Z,c\($0),purchase,1,", "2026-01-01T11:00:00Z,c\($0),purchase,1,",
        "2026-01-03T05:00:00Z,c\($0),purchase,1,",
      ]
    }
    let zone = "America/New_York"
    let sample = try CalibrationSample(history(rows, zone: zone), zone: zone)
    let row = try #require(sample.summary.rows.first)
    #expect(sample.summary.rows.count == 1 && !sample.isOfDates)
    #expect(row.repeats == 2 && abs(row.lastWeeks - 2.0 / 7) < 1e-12)
    #expect(abs(row.spanWeeks - 3.0 / 7) < 1e-12)
  }

  @Test func orderOfRowsDoesNotMatter() throws {
    let rows =
      others + ["2026-01-10,x,purchase,1,", "2026-01-03,x,purchase,1,", "2026-01-12,x,purchase,1,"]
    let forwards = try CalibrationSample(history(rows), zone: "UTC")
    let backwards = try CalibrationSample(history(rows.reversed()), zone: "UTC")
    #expect(forwards == backwards)
  }

  @Test func whatCannotBeFittedIsRefusedWithAdvice() throws {
    func refusal(
      _ rows: [String], until: String? = nil, holdout: String? = nil, zone: String = "UTC"
    ) throws -> CalibrationError? {
      let history = try history(rows)
      let (until, holdout) = (until.flatMap { CivilDate($0) }, holdout.flatMap { CivilDate($0) })
      do {
        _ = try CalibrationSample(history, zone: zone, until: until, holdout: holdout)
        return nil
      } catch {
        #expect(error.description.contains(";"), "says what would do: \(error)")
        return error
      }
    }
    let (first, last) = (try date("2026-01-01"), try date("2026-01-08"))
    #expect(try refusal(["2026-01-01,a,signup,,", "2026-01-02,a,scan,3,"]) == .noPurchases)
    #expect(
      try refusal(others, until: "2025-12-31")
        == .untilOutside(until: date("2025-12-31"), first: first, last: last))
    #expect(
      try refusal(others, until: "2026-01-09")
        == .untilOutside(until: date("2026-01-09"), first: first, last: last))
    #expect(
      try refusal(others, until: "2026-01-05", holdout: "2026-01-05")
        == .holdoutOutside(holdout: date("2026-01-05"), until: date("2026-01-05"), last: last))
    #expect(
      try refusal(others, until: "2026-01-05", holdout: "2026-01-09")
        == .holdoutOutside(holdout: date("2026-01-09"), until: date("2026-01-05"), last: last))
    #expect(
      try refusal(others, holdout: "2026-01-08")
        == .holdoutOutside(holdout: last, until: last, last: last))
    #expect(
      try refusal(["2026-01-01,a,purchase,1,", "2026-01-08,a,purchase,1,"])
        == .tooFewCustomers(count: 1, needed: 5, until: last))
    #expect(try refusal(others) == .tooFewCustomers(count: 4, needed: 5, until: last))
    let once = (1...9).map { "2026-01-0\($0),m\($0),purchase,2," }
    #expect(
      try refusal(once) == .noRepeats(customers: 9, until: date("2026-01-09")))
    #expect(
      try refusal(others + ["2026-01-01,x,purchase,1,"], until: "2026-01-07")
        == .noRepeats(customers: 5, until: date("2026-01-07")))
    #expect(try refusal(others, zone: "Mars/Olympus") == .unknownZone("Mars/Olympus"))
  }
}
