internal import CKernel
package import Quantities

// The same map for many at once, so that the processor works on several at a time.
extension SeasonTable {
  /// Operational hours from the run's start to many instants of one window.
  ///
  /// - Parameters:
  ///   - instants: In microseconds.
  ///   - start: The window's first instant.
  ///   - end: The first instant after it.
  ///   - hours: Receives as many answers of `operationalHours(at:)`.
  /// - Complexity: O(1) each.
  package func operationalHours(
    of instants: UnsafeBufferPointer<Int64>, from start: Instant, until end: Instant,
    into hours: UnsafeMutablePointer<Double>
  ) {
    guard enabled else {
      for place in instants.indices {
        hours[place] = operationalHours(at: Instant(microseconds: instants[place]))
      }
      return
    }
    let first = (start.microseconds - origin) / SeasonTable.hourMicros
    let last = (end.microseconds - 1 - origin) / SeasonTable.hourMicros
    guard first == last else {
      withUnsafePointer(to: map) {
        ck_season_hours_anywhere(instants.baseAddress, instants.count, $0, rates.first, hours)
      }
      return
    }
    let begin = origin + first * SeasonTable.hourMicros
    ck_season_hours(
      instants.baseAddress, instants.count, begin, rows[Int(first)].cumulative, rates[Int(first)],
      hours)
  }

  /// The table as loops over lanes read it.
  private var map: ck_season {
    ck_season(
      rows: UnsafeRawPointer(rows.first).assumingMemoryBound(to: ck_season_row.self),
      guide: guide.first, bins: SeasonTable.guideBins, total: totalHours, origin: origin, end: end,
      never: Instant.distantFuture.microseconds)
  }

  /// The instants of many operational times, each at least a microsecond after another instant.
  ///
  /// - Parameters:
  ///   - hours: Operational hours from the start, 0 or more; may be infinite.
  ///   - earlier: As many instants, in microseconds.
  ///   - instants: Receives as many answers of `instant(atOperationalHours:)`.
  /// - Complexity: O(1) each, on average.
  package func instants(
    of hours: UnsafeBufferPointer<Double>, after earlier: UnsafePointer<Int64>,
    into instants: UnsafeMutablePointer<Int64>
  ) {
    guard enabled, totalHours > 0 else {
      for place in hours.indices {
        let instant = instant(atOperationalHours: hours[place]).microseconds
        instants[place] = max(instant, earlier[place] + 1)
      }
      return
    }
    withUnsafePointer(to: map) {
      ck_season_instants(hours.baseAddress, earlier, hours.count, $0, instants)
    }
  }
}
