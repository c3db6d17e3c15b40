package import Quantities
package import RewardModel

/// A history up to the end of a local date, as calibrations of behavior look at it.
package struct ObservedHistory: Sendable {
  /// What really happened, later rows included.
  package let history: History
  /// From the local date of the first row to the last date that counts, both whole.
  package let calendar: ProgrammeCalendar
  /// Rows up to then: the first so many of the history's.
  package let count: Int
  /// When each member of the history is first seen, as a member or as who brought one; `distantFuture`
  /// for those who are first seen later. A replay signs members up at these instants.
  package let signUps: [Instant]
  /// Members in the order of sign-up; on one row who brings comes before who is brought.
  package let order: [UInt32]

  /// - Parameters:
  ///   - history: Any program's.
  ///   - zone: IANA name of the zone whose dates count.
  ///   - until: The last date that counts, at or after that of the first row.
  /// - Throws: `CalibrationError.unknownZone`.
  /// - Complexity: O(rows).
  package init(
    _ history: History, zone: String, until: CivilDate
  ) throws(CalibrationError) {
    self.history = history
    do throws(CalendarError) {
      let first = try InstantParser(zone: zone).localDate(of: history.rows[0].instant)
      calendar = try ProgrammeCalendar(
        zone: zone, firstDate: first, days: max(1, until.dayNumber - first.dayNumber + 1))
    } catch {
      throw .unknownZone(zone)
    }
    let end = calendar.end
    var signUps = [Instant](repeating: .distantFuture, count: history.members.count)
    var order: [UInt32] = []
    var count = 0
    for row in history.rows {
      guard row.instant < end else { break }
      count += 1
      for member in [row.other, row.member]
      where member != .max && signUps[Int(member)] == .distantFuture {
        signUps[Int(member)] = row.instant
        order.append(member)
      }
    }
    self.count = count
    self.signUps = signUps
    self.order = order
  }

  /// The rows that count, in the order of processing.
  package var rows: ArraySlice<HistoryRow> { history.rows[..<count] }

  /// Calls `body` with each row that counts and the row of the calendar of its local day.
  ///
  /// - Complexity: O(rows + days).
  package func eachRow(_ body: (HistoryRow, Int) -> Void) {
    var day = 0
    for row in rows {
      while day + 1 < calendar.dayCount, calendar.dayStarts[day + 1] <= row.instant { day += 1 }
      body(row, day)
    }
  }

  /// The event that uses up what was bought; nil where the program's histories have none.
  var use: HistoryForm.Event? { history.form.events.first(where: \.usesPurchases) }

  /// The event that names who brought a member; nil where the program's histories have none.
  var referral: HistoryForm.Event? { history.form.events.first { $0.other != nil } }
}

/// Why something is not fitted: a sentence for people, without the full stop.
package struct Untold: Error, Hashable, Sendable {
  /// As `no scans: the share of tins that are scanned is left at its default`.
  package let reason: String

  /// A reason.
  package init(_ reason: String) { self.reason = reason }
}
