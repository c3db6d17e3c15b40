package import Quantities
package import RewardModel

/// The purchases of a history, split into a calibration period and a holdout.
///
/// All dates are local dates of a zone. Purchases of one customer on one date count once. Dates
/// belong to a period with both ends: a customer who first bought on the end of calibration is
/// observed for 0 weeks. Customers who first bought later are left out of everything.
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
    let purchases = try PurchaseDays(history, zone: zone)
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
    var later = 0
    for customer in purchases.starts.indices.dropLast() {
      let days = purchases.days[purchases.starts[customer]..<purchases.starts[customer + 1]]
      guard let birth = days.first else { continue }
      guard birth <= untilDay else {
        later += 1
        continue
      }
      let seen = days.prefix { $0 <= untilDay }
      let held = days.dropFirst(seen.count).prefix { $0 <= closeDay }
      births[birth] += 1
      for day in days.dropFirst() where day <= closeDay { daily[day] += 1 }
      rows.append(
        PurchaseSummary.Row(
          repeats: seen.count - 1, lastWeeks: Double((seen.last ?? birth) - birth) / 7,
          spanWeeks: Double(untilDay - birth) / 7, holdoutRepeats: held.count))
    }
    summary = PurchaseSummary(rows)
    self.births = births
    dailyRepeats = daily
    laterCustomers = later
    withoutPurchase = purchases.withoutPurchase
    try summary.requireFittable(until: end)
  }
}

/// The dates on which each member bought, as days since the first purchase of all.
private struct PurchaseDays {
  /// Date of the first purchase of all.
  let first: CivilDate
  /// Local date of the history's last row.
  let lastRow: CivilDate
  /// Each member's days, ascending and each once, member after member.
  private(set) var days: [Int] = []
  /// Where each member's days begin in `days`, and, after the last member, their number.
  private(set) var starts: [Int] = []
  /// Members without a purchase.
  private(set) var withoutPurchase = 0

  init(_ history: History, zone: String) throws(CalibrationError) {
    let parser: InstantParser
    do throws(CalendarError) {
      parser = try InstantParser(zone: zone)
    } catch {
      throw .unknownZone(zone)
    }
    var visits: [(member: UInt32, day: Int)] = []
    var lastInstant: Instant?
    var day = Int.min
    let isPurchase = history.form.events.map(\.isPurchase)
    for row in history.rows where isPurchase[Int(row.kind)] {
      if row.instant != lastInstant {
        lastInstant = row.instant
        // Where a clock is put back across midnight, the day that has begun continues.
        day = max(day, parser.localDate(of: row.instant).dayNumber)
      }
      visits.append((row.member, day))
    }
    guard let origin = visits.first?.day, let last = history.rows.last else { throw .noPurchases }
    first = CivilDate(dayNumber: origin)
    lastRow = max(CivilDate(dayNumber: day), parser.localDate(of: last.instant))

    // Rows are sorted by time, so that sorting by member alone would be enough if it were stable.
    visits.sort { ($0.member, $0.day) < ($1.member, $1.day) }
    var next = 0
    starts.reserveCapacity(history.members.count + 1)
    days.reserveCapacity(visits.count)
    for member in history.members.indices {
      starts.append(days.count)
      while next < visits.count, visits[next].member == UInt32(member) {
        let day = visits[next].day - origin
        if days.count == starts[member] || days[days.count - 1] != day { days.append(day) }
        next += 1
      }
      if days.count == starts[member] { withoutPurchase += 1 }
    }
    starts.append(days.count)
  }
}
