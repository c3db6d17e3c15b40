package import Quantities

/// A run with what people call it.
package struct NamedRun<Record: ProgrammeRecord>: Sendable {
  package var name: String
  package var record: Record

  /// A record with its name.
  package init(name: String, record: Record) {
    self.name = name
    self.record = record
  }
}

/// What a report of several runs shows side by side; the first is what the others are compared
/// with.
package struct RunComparison: Sendable {
  /// One a run.
  package var verdicts: [ReportVerdict]
  /// What readers must know before they compare columns.
  package var notes: [String]
  /// The headline figures, by what they are about.
  package var headlines: [HeadlineGroup]
  package var sections: [ReportSection]
  /// One a run.
  package var paces: [ReportPace]

  /// A comparison; see the properties.
  package init(
    verdicts: [ReportVerdict], notes: [String], headlines: [HeadlineGroup],
    sections: [ReportSection], paces: [ReportPace]
  ) {
    self.verdicts = verdicts
    self.notes = notes
    self.headlines = headlines
    self.sections = sections
    self.paces = paces
  }
}

/// Headline figures about one thing.
package struct HeadlineGroup: Sendable {
  package var title: String
  package var rows: [Headline]

  /// Figures that no run has are left out.
  package init(_ title: String, _ rows: [Headline]) {
    self.title = title
    self.rows = rows.filter { row in row.values.contains { $0.absence == nil } }
  }
}

/// Figures of several runs as a table, each with the difference to the first run's.
package struct HeadlineTable: Sendable {
  package var caption: String
  /// Heading of the figures' names.
  package var first: String
  package var rows: [Headline]
  package var total: Headline?

  /// A table whose first column has the heading `first`.
  package init(_ caption: String, first: String, rows: [Headline], total: Headline? = nil) {
    self.caption = caption
    self.first = first
    self.rows = rows
    self.total = total
  }
}

/// A figure of several runs, one value a run.
package struct Headline: Sendable {
  package var label: String
  package var unit: MeasureUnit
  package var values: [PageValue]
  /// One a value; may be empty.
  package var tones: [PageTone]
  /// How each value reads where its unit does not tell; may be empty.
  package var words: [String]

  /// A figure with one value per run.
  package init(
    _ label: String, _ unit: MeasureUnit, _ values: [PageValue], tones: [PageTone] = [],
    words: [String] = []
  ) {
    self.label = label
    self.unit = unit
    self.values = values
    self.tones = tones
    self.words = words
  }

  /// The difference of a value to the first run's in words; empty where one of them is not a
  /// number.
  package func difference(_ index: Int) -> String {
    guard index > 0, let base = values[0].amount, let value = values[index].amount else {
      return ""
    }
    return Self.difference(value, to: base, unit)
  }

  /// `+1,234.00 (+5.6 %)`, points for shares; empty for none. A share of nothing or of a debt says
  /// nothing and is left out.
  static func difference(_ value: Int64, to base: Int64, _ unit: MeasureUnit) -> String {
    let wide = Int128(value) - Int128(base)
    guard wide != 0 else { return "" }
    let sign = wide > 0 ? "+" : "-"
    let size = Int64(clamping: wide.magnitude)
    if case .share = unit {
      return "\(sign)\(PageWords.percent(size).dropLast(2)) points"
    }
    let words = sign + PageWords.words(size, unit)
    guard base > 0 else { return words }
    let whole = Int128(base)
    // Rounded once, to the tenths that are shown.
    let tenths = (Int128(wide.magnitude) * 2_000 + whole) / (whole * 2)
    return "\(words) (\(sign)\(PageWords.percent(Int64(clamping: tenths * 10))))"
  }
}

extension PageValue {
  /// The number, whatever its words; nil for what is none.
  fileprivate var amount: Int64? {
    switch self {
    case .number(let amount), .worded(let amount, _): amount
    default: nil
    }
  }
}

/// How the days and months of several runs are lined up: by the calendar when all begin on
/// the same day, else by their distance from each run's start.
package struct RunTimes: Sendable {
  /// Whether dates are shared; else the first months (and days) of the runs are lined up.
  package let byCalendar: Bool
  /// One label a row of months, in order.
  package let months: [String]
  private let days: [[CivilDate]]

  /// - Parameters:
  ///   - days: The local days of each run.
  ///   - months: The local months of each run, `YYYY-MM`.
  /// - Complexity: O(runs).
  package init(days: [[CivilDate]], months: [[String]]) {
    self.days = days
    let starts = days.compactMap(\.first)
    byCalendar = starts.allSatisfy { $0 == starts[0] }
    let longest = months.max { $0.count < $1.count } ?? []
    self.months = byCalendar ? longest : longest.indices.map { "Month \($0 + 1)" }
  }

  /// Places of a run's days on the axis.
  package func places(_ run: Int) -> PlotPlaces {
    byCalendar
      ? .texts(days[run].map(\.description)) : .numbers(days[run].indices.map { Double($0 + 1) })
  }

  /// The axis of days.
  package var axis: PlotAxis {
    byCalendar
      ? PlotAxis.days(days.max { $0.count < $1.count } ?? []) : .number("Days since the start")
  }

  /// What readers must know about the times.
  package var notes: [String] {
    var notes: [String] = []
    if days.contains(where: { $0.count != days[0].count }) {
      notes.append("The runs differ in length: compare shares rather than sums.")
    }
    if !byCalendar {
      notes.append("The runs begin on different days: their months are counted from each start.")
    }
    return notes
  }
}
