internal import Foundation
package import Quantities
package import RewardModel

/// The purchases of a history, split into a calibration period and a holdout.
///
/// A time with a clock is an instant, and every purchase counts; a bare date, read as its local
/// midnight, is a day on which a customer's purchases count once. A customer with bare dates only is
/// counted in whole days, one who first bought on the end of calibration is observed for 0 weeks;
/// any other is counted to the end of that day, with a bare date as its noon. All dates are local
/// dates of a zone and belong to a period with both ends. Customers who first bought after
/// calibration are left out of everything.
package struct CalibrationSample: Sendable, Equatable {
  /// IANA name.
  package let zone: String
  /// Date of the first purchase of all: day 0.
  package let first: CivilDate
  /// Last date of the calibration period.
  package let until: CivilDate
  /// Last date of the holdout, which begins the day after `until`; nil without one.
  package let holdoutEnd: CivilDate?
  /// One customer a count.
  package let summary: PurchaseSummary
  /// Customers by the day of their first purchase: from day 0 to `until`.
  package let births: [Int]
  /// Repeat purchases of these customers by day: from day 0 to the end of the holdout, or of
  /// calibration.
  package let dailyRepeats: [Int]
  /// Customers who first bought after the end of calibration.
  package let laterCustomers: Int
  /// Members of the history who bought nothing up to its last row.
  package let withoutPurchase: Int
  /// Whether no purchase has a clock, so that two of one day cannot be told from one.
  package let isOfDates: Bool
  /// Mean weeks that customers were observed beyond whole days: 0 for dates, up to 1/7 for instants.
  package let partWeeks: Double

  /// Weeks of 7 days in the holdout, 0 without one.
  package var holdoutWeeks: Double {
    Double((holdoutEnd ?? until).dayNumber - until.dayNumber) / 7
  }

  /// - Parameters:
  ///   - history: Its rows that are purchases are counted.
  ///   - zone: IANA name of the zone whose dates count.
  ///   - until: Last date of calibration; nil takes the date of the last row.
  ///   - holdout: Last date of the holdout; nil takes the date of the last row, which is none when
  ///     `until` is that date.
  /// - Throws: `CalibrationError` when there is nothing to fit, or a date is outside the history.
  /// - Complexity: O(rows + customers · log customers).
  package init(
    _ history: History, zone: String, until: CivilDate? = nil, holdout: CivilDate? = nil
  ) throws(CalibrationError) {
    let purchases = try PurchaseTimes(history, zone: zone)
    let end = until ?? purchases.lastRow
    guard purchases.first <= end, end <= purchases.lastRow else {
      throw .untilOutside(until: end, first: purchases.first, last: purchases.lastRow)
    }
    if let holdout, holdout <= end || purchases.lastRow < holdout {
      throw .holdoutOutside(holdout: holdout, until: end, last: purchases.lastRow)
    }
    let close = holdout ?? purchases.lastRow
    self.zone = zone
    first = purchases.first
    self.until = end
    holdoutEnd = end < close ? close : nil

    let untilDay = end.dayNumber - purchases.first.dayNumber
    let closeDay = close.dayNumber - purchases.first.dayNumber
    var births = [Int](repeating: 0, count: untilDay + 1)
    var daily = [Int](repeating: 0, count: closeDay + 1)
    var rows: [PurchaseSummary.Row] = []
    var logGaps = 0.0
    var later = 0
    var parts = 0.0
    let endOfDay = purchases.midnight(after: end)
    for customer in purchases.starts.indices.dropLast() {
      let visits = purchases.visits[purchases.starts[customer]..<purchases.starts[customer + 1]]
      guard let birth = visits.first else { continue }
      guard birth.day <= untilDay else {
        later += 1
        continue
      }
      let seen = visits.prefix { $0.day <= untilDay }
      let held = visits.dropFirst(seen.count).prefix { $0.day <= closeDay }
      births[birth.day] += 1
      for visit in visits.dropFirst() where visit.day <= closeDay { daily[visit.day] += 1 }
      let last = seen.last ?? birth
      var lastWeeks = Double(last.day - birth.day) / 7
      var spanWeeks = Double(untilDay - birth.day) / 7
      if !seen.allSatisfy(\.isDate) {
        let span = Self.weeks(from: birth.time, to: endOfDay)
        parts += span - spanWeeks
        (lastWeeks, spanWeeks) = (Self.weeks(from: birth.time, to: last.time), span)
      }
      for (one, next) in zip(seen, seen.dropFirst()) {
        let weeks = Self.weeks(from: one.time, to: next.time)
        logGaps += log(max(weeks, 1e-9))
      }
      rows.append(
        PurchaseSummary.Row(
          repeats: seen.count - 1, lastWeeks: lastWeeks, spanWeeks: spanWeeks,
          holdoutRepeats: held.count))
    }
    partWeeks = rows.isEmpty ? 0 : parts / Double(rows.count)
    isOfDates = purchases.visits.allSatisfy(\.isDate)
    summary = PurchaseSummary(rows, logGaps: logGaps)
    self.births = births
    dailyRepeats = daily
    laterCustomers = later
    withoutPurchase = purchases.withoutPurchase
    try summary.requireFittable(until: end)
  }

  private static func weeks(from start: Instant, to end: Instant) -> Double {
    Double((end - start).microseconds) / 604_800_000_000
  }
}

/// When each member bought.
private struct PurchaseTimes {
  /// Date of the first purchase of all.
  let first: CivilDate
  /// Local date of the history's last row.
  let lastRow: CivilDate
  /// Each member's purchases, ascending and each once, member after member.
  private(set) var visits: [PurchaseVisit] = []
  /// Where each member's purchases begin in `visits`, and, after the last member, their number.
  private(set) var starts: [Int] = []
  /// Members without a purchase.
  private(set) var withoutPurchase = 0
  private let parser: InstantParser

  init(_ history: History, zone: String) throws(CalibrationError) {
    do throws(CalendarError) {
      parser = try InstantParser(zone: zone)
    } catch {
      throw .unknownZone(zone)
    }
    var all: [PurchaseVisit] = []
    var lastInstant: Instant?
    var day = Int.min
    let isPurchase = history.form.events.map(\.isPurchase)
    for row in history.rows where isPurchase[Int(row.kind)] {
      if row.instant != lastInstant {
        lastInstant = row.instant
        // Where a clock is put back across midnight, the day that has begun continues.
        day = max(day, parser.localDate(of: row.instant).dayNumber)
      }
      all.append(
        PurchaseVisit(
          member: row.member, day: day,
          time: row.hasClock ? row.instant : row.instant + .hours(12), isDate: !row.hasClock))
    }
    guard let origin = all.first?.day, let last = history.rows.last else { throw .noPurchases }
    first = CivilDate(dayNumber: origin)
    lastRow = max(CivilDate(dayNumber: day), parser.localDate(of: last.instant))

    all.sort()
    var next = 0
    starts.reserveCapacity(history.members.count + 1)
    visits.reserveCapacity(all.count)
    for member in history.members.indices {
      starts.append(visits.count)
      while next < all.count, all[next].member == UInt32(member) {
        var visit = all[next]
        visit.day -= origin
        next += 1
        if let before = visits.last, before.isOne(with: visit) { continue }
        visits.append(visit)
      }
      if visits.count == starts[member] { withoutPurchase += 1 }
    }
    starts.append(visits.count)
  }

  /// The first instant after a date.
  func midnight(after date: CivilDate) -> Instant { parser.midnight(of: date.adding(days: 1)) }
}
