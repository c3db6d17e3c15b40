public import Quantities

/// Demand over the hours of one run, and the map between the clock and operational time.
///
/// In operational time every hour is alike; an event drawn there happens on the clock at the
/// inverse of the cumulative rate (Çinlar 1975, *Introduction to Stochastic Processes*, §4.7). An
/// ordinary week, by the weights of its hours and weekdays, has mean rate 1; dated factors change
/// their own day only.
public final class SeasonTable: Sendable {
  /// One row per hour from the start: operational hours at its beginning, and how to get on from
  /// there.
  @usableFromInline
  struct Row: Sendable, BitwiseCopyable {
    @usableFromInline var cumulative: Double
    /// Microseconds of clock time per operational hour; 0 where the rate is 0.
    @usableFromInline var micros: Double
  }

  /// Guide entries per operational hour.
  @inlinable static var guideBins: Double { 4 }

  @inlinable static var hourMicros: Int64 { 3_600_000_000 }
  @usableFromInline let origin: Int64
  @usableFromInline let end: Int64
  @usableFromInline let rows: ConstantRows<Row>
  /// Operational hours per clock hour, by row.
  @usableFromInline let rates: ConstantRows<Double>
  @usableFromInline let guide: ConstantRows<Int32>
  @usableFromInline let enabled: Bool
  /// Operational hours over the whole run.
  public let totalHours: Double

  /// - Parameters:
  ///   - settings: Weights; hours 24 and weekdays 7, not all zero.
  ///   - calendar: The run's local days and clock changes.
  public init(_ settings: SeasonSettings, calendar: ProgrammeCalendar) {
    origin = calendar.start.microseconds
    end = calendar.end.microseconds
    enabled = settings.enabled
    guard settings.enabled else {
      rows = ConstantRows([])
      rates = ConstantRows([])
      guide = ConstantRows([])
      totalHours = Double(end - origin) / Double(SeasonTable.hourMicros)
      return
    }
    let meanHour = settings.hours.reduce(0, +) / 24
    let meanDay = settings.weekdays.reduce(0, +) / 7
    let factors = Dictionary(
      settings.holidays.map { ($0.date, $0.factor) }, uniquingKeysWith: { _, last in last })
    let count = Int((end - origin + SeasonTable.hourMicros - 1) / SeasonTable.hourMicros)
    var table: [Row] = []
    var rates: [Double] = []
    table.reserveCapacity(count + 1)
    rates.reserveCapacity(count + 1)
    var cumulative = 0.0
    for hour in 0..<count {
      let begin = origin + Int64(hour) * SeasonTable.hourMicros
      // Where clocks change by half an hour, the last hour may be a part of one.
      let micros = min(SeasonTable.hourMicros, end - begin)
      let middle = Instant(microseconds: begin + micros / 2)
      let local = middle + .seconds(Int64(calendar.offsetSeconds(at: middle)))
      let hourOfDay = Int(local.microseconds / SeasonTable.hourMicros % 24 + 24) % 24
      let date = calendar.dates[calendar.dayIndex(of: middle)]
      let rate =
        settings.hours[hourOfDay] / meanHour * settings.weekdays[date.weekday] / meanDay
        * (factors[date] ?? 1)
      table.append(
        Row(
          cumulative: cumulative, micros: rate > 0 ? Double(SeasonTable.hourMicros) / rate : 0))
      rates.append(rate)
      cumulative += rate * (Double(micros) / Double(SeasonTable.hourMicros))
    }
    table.append(Row(cumulative: cumulative, micros: 0))
    rates.append(0)
    rows = ConstantRows(table)
    self.rates = ConstantRows(rates)
    totalHours = cumulative
    var starts: [Int32] = []
    var row = 0
    for bin in 0...Int(cumulative * SeasonTable.guideBins) + 1 {
      let hours = Double(bin) / SeasonTable.guideBins
      while row + 1 < count && table[row + 1].cumulative <= hours { row += 1 }
      starts.append(Int32(row))
    }
    guide = ConstantRows(starts)
  }

  deinit {
    rows.deallocate()
    rates.deallocate()
    guide.deallocate()
  }

  /// Operational hours from the run's start to an instant within the run.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func operationalHours(at instant: Instant) -> Double {
    let elapsed = instant.microseconds - origin
    guard enabled else { return Double(elapsed) / Double(SeasonTable.hourMicros) }
    let hour = Int(elapsed / SeasonTable.hourMicros)
    let within =
      Double(elapsed - Int64(hour) * SeasonTable.hourMicros) / Double(SeasonTable.hourMicros)
    return rows[hour].cumulative + rates[hour] * within
  }

  /// The instant of an operational time; `distantFuture` at or after the run's end.
  ///
  /// - Parameter hours: Operational hours from the start, 0 or more; may be infinite.
  /// - Complexity: O(1) on average.
  @inlinable
  public func instant(atOperationalHours hours: Double) -> Instant {
    guard hours < totalHours else { return .distantFuture }
    let instant: Int64
    if enabled {
      var row = Int(guide[Int(hours * SeasonTable.guideBins)])
      while rows[row + 1].cumulative <= hours { row += 1 }
      let within = (hours - rows[row].cumulative) * rows[row].micros
      instant = origin + Int64(row) * SeasonTable.hourMicros + Int64(within)
    } else {
      instant = origin + Int64(hours * Double(SeasonTable.hourMicros))
    }
    return instant < end ? Instant(microseconds: instant) : .distantFuture
  }
}
