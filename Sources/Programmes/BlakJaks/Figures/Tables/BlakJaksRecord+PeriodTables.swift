internal import Quantities
internal import RewardModel

extension BlakJaksRecord {
  static let openingTable = Table(
    "opening", sql: "opening", summary: .none, row: \BlakJaksRecord.opening, blank: Opening(),
    columns: [
      .count("accepted_scans", \.acceptedScans), Column("trip_reserve", \.tripReserve),
    ]
  ) {
    $0.since = 7
    $0.note = "Where the program was when the days begin; zero but for a replay from a later day."
  }

  static let dayTable = Table(
    "days", sql: "day", file: "daily.csv", rows: \BlakJaksRecord.days,
    blank: DayRow(date: CivilDate(dayNumber: 0)),
    columns: [
      Column("date", \.date) { $0.isUnique = true },
      .count("signups", \.signups),
      .count("members", \.members) { $0.note = "At the day's last instant." },
      .count("purchases", \.purchases),
      .count("tins_sold", \.tinsSold),
      .count("submitted", \.submitted) { $0.note = "Codes, whatever the outcome." },
      .count("accepted_scans", \.acceptedScans),
    ] + tierColumns(\.tiers) + [
      Column("gross_profit", \.grossProfit),
      Column("spend_cash", \.spendCash),
      Column("spend_accrual", \.spendAccrual),
      Column("projected_bp", \.projectedBasisPoints) { $0.note = "Null without a budget." },
      Column("status", \.status),
    ])

  static let monthTable = Table(
    "months", sql: "month", file: "months.csv", summary: .rows, rows: \BlakJaksRecord.months,
    blank: MonthRow(month: ""),
    columns: [
      Column("month", \.month) {
        $0.isUnique = true
        $0.pattern = "^[0-9]{4}-[0-9]{2}$"
      },
      .count("tins_sold", \.tinsSold),
      .count("accepted_scans", \.acceptedScans),
      Column("gross_profit", \.grossProfit),
      Column("budget", \.budget),
      Column("spend_cash", \.spendCash),
      Column("spend_accrual", \.spendAccrual),
      Column("utilisation_bp", \.utilisationBasisPoints) { $0.note = "Null without a budget." },
      Column("status", \.status),
    ]
  ) { $0.note = "One row per local month; the first and the last may be partial." }

  static let quarterTable = Table(
    "quarters", sql: "quarter", file: "tiers.csv", rows: \BlakJaksRecord.quarters,
    blank: QuarterRow(quarter: "", tiers: PerTier(repeating: 0)),
    columns: [Column("quarter", \.quarter) { $0.isUnique = true }] + tierColumns(\.tiers))

  static let seriesTable = ListTable(
    "series", sql: "series", rows: \BlakJaksRecord.series,
    blank: Series(key: "", unit: .count, values: []),
    columns: [Column("key", \.key) { $0.isUnique = true }, Column("unit", \.unit)],
    list: \.values, column: "by_day",
    cells: TableShape(
      "series_value", key: .columns(["series", "day"]),
      columns: [
        column("series") { $0.note = "Its position in 'series'." },
        column("day") { $0.note = "Its position in 'day'." },
        column("value") {
          $0.isOptional = true
          $0.note = "Null where the figure is not defined."
        },
      ])
  ) {
    $0.since = 2
    $0.isRowDigested = { !BlakJaksSeries.later.contains($0.key) }
    $0.lines = ListTable.Lines("series.csv", place: ColumnShape("date", .date)) { record, day in
      record.days[day].date.stored
    }
  }

  static let scanHourTable = ListTable(
    "scan_hours", sql: "day_scans", rows: \BlakJaksRecord.scanHours, blank: [], list: \.numbers,
    column: "by_hour", length: 24,
    cells: TableShape(
      "scan_hour", key: .columns(["day", "hour"]),
      columns: [
        column("day") { $0.note = "Its position in 'day'." },
        column("hour") {
          $0.least = 0
          $0.most = 23
          $0.note = "Local."
        },
        column("scans") { $0.note = "Accepted." },
      ])
  ) { $0.since = 2 }

  private static func column(
    _ name: String, _ describe: (inout ColumnShape) -> Void
  ) -> ColumnShape {
    var shape = ColumnShape(name, .whole)
    describe(&shape)
    return shape
  }

  /// Why the figures of the days cannot be stored, in words; nil when they can.
  ///
  /// Every series has one value a day, every key and every hour of a day occurs once.
  package var contradiction: String? {
    var keys: Set<String> = []
    for row in series {
      if row.values.count != days.count {
        return "series '\(row.key)' has \(row.values.count) values for \(days.count) days"
      }
      if !keys.insert(row.key).inserted { return "series '\(row.key)' stands there twice" }
    }
    guard scanHours.isEmpty || scanHours.count == days.count else {
      return "scans by hour are there for \(scanHours.count) of \(days.count) days"
    }
    if let day = scanHours.firstIndex(where: { $0.count != 24 }) {
      return "day \(days[day].date) has \(scanHours[day].count) hours of scans"
    }
    return nil
  }
}

extension [Int64] {
  /// Numbers none of which is absent, as lists hold them.
  fileprivate var numbers: [Int64?] {
    // By hand: a conversion of the whole list casts each number at run time.
    get { map { .some($0) } }
    set { self = newValue.compactMap(\.self) }
  }
}
