package import Quantities

/// A page that a program shows of its runs.
package struct PageDescription: Equatable, Sendable {
  /// As commands, links and JSON name it.
  package var id: String
  /// As people read it.
  package var title: String

  /// A page by its id and title.
  package init(id: String, title: String) {
    self.id = id
    self.title = title
  }
}

/// One page as of one day of a run, independent of how it is shown.
package struct Page: Sendable {
  package var description: PageDescription
  package var scenario: String
  package var fingerprint: String
  package var zone: String
  /// Of its amounts.
  package var currency: Currency
  /// The local day at whose end the page stands.
  package var date: CivilDate
  /// The day's end, exclusive.
  package var instant: Instant
  /// Whether the run ends within the day.
  package var isCut: Bool
  package var blocks: [PageBlock]

  /// A page of a run as of the end of a day.
  package init(
    _ description: PageDescription, of header: RunHeader, in currency: Currency, at day: PageDay,
    _ blocks: [PageBlock]
  ) {
    self.description = description
    scenario = header.scenario
    fingerprint = header.fingerprint
    zone = header.zone
    self.currency = currency
    date = day.date
    instant = day.instant
    isCut = day.isCut
    self.blocks = blocks
  }

  /// When the page stands, in words: `the end of 2026-06-30`, or that the run ends within the day.
  package var moment: String {
    isCut ? "\(date), a day that the run ends within" : "the end of \(date)"
  }
}

/// A part of a page under a heading of its own.
package struct PageBlock: Sendable {
  /// What the block shows.
  package enum Body: Sendable {
    case figures([PageFigure])
    case table(PageTable)
    case history(PageHistory)
    case heat(PageHeat)
    /// A picture of figures that another block holds.
    case gauge(PageGauge)
    /// A picture of figures that another block holds.
    case bars(PageBars)
  }

  /// The key in JSON and in links, unique in its page.
  package var key: String
  package var title: String
  package var body: Body

  /// A block with its heading.
  package init(key: String, title: String, body: Body) {
    self.key = key
    self.title = title
    self.body = body
  }

  /// A block of figures.
  package static func figures(_ key: String, _ title: String, _ figures: [PageFigure]) -> PageBlock
  {
    PageBlock(key: key, title: title, body: .figures(figures))
  }
}

/// A figure with its label.
package struct PageFigure: Sendable {
  /// Without the unit's suffix.
  package var key: String
  package var label: String
  package var unit: MeasureUnit
  package var value: PageValue
  /// A few words after the value; may be empty.
  package var note: String

  /// A figure with its label; see the properties.
  package init(
    _ key: String, _ label: String, _ unit: MeasureUnit, _ value: PageValue, note: String = ""
  ) {
    self.key = key
    self.label = label
    self.unit = unit
    self.value = value
    self.note = note
  }
}

/// Rows of values.
package struct PageTable: Sendable {
  /// A column: key without the unit's suffix, heading, unit.
  package typealias Column = (key: String, title: String, unit: MeasureUnit)

  package var columns: [Column]
  /// One value a column.
  package var rows: [[PageValue]]
  package var total: [PageValue]?
  /// Said in the place of rows when there are none.
  package var empty: String
  /// Set when the run does not model the table.
  package var absence: PageValue?

  /// A table; `empty` is shown in place of no rows.
  package init(
    _ columns: [Column], rows: [[PageValue]] = [], total: [PageValue]? = nil,
    empty: String = "none yet", absence: PageValue? = nil
  ) {
    self.columns = columns
    self.rows = rows
    self.total = total
    self.empty = empty
    self.absence = absence
  }

  /// The rows as people read them: shares of a whole that the total row has are rounded to the
  /// tenths that are shown, so that these add up, too.
  package var shownRows: [[PageValue]] {
    var shown = rows
    for (column, total) in (total ?? []).enumerated() {
      guard case .share = columns[column].unit, case .number(10_000) = total else { continue }
      let parts = rows.compactMap { row -> Int64? in
        if case .number(let part) = row[column] { part } else { nil }
      }
      guard parts.count == rows.count else { continue }
      for (row, share) in PageSums.shares(of: parts, grain: 10).enumerated() {
        if let share { shown[row][column] = .number(share) }
      }
    }
    return shown
  }
}

/// Figures by day, oldest first.
package struct PageHistory: Sendable {
  /// One figure over the days.
  package struct Line: Sendable {
    package var key: String
    package var label: String
    package var unit: MeasureUnit
    /// One value a date; nil where it is not defined.
    package var values: [Int64?]

    /// A line with one value per day; nil where there is none.
    package init(key: String, label: String, unit: MeasureUnit, values: [Int64?]) {
      self.key = key
      self.label = label
      self.unit = unit
      self.values = values
    }
  }

  package var dates: [CivilDate]
  package var lines: [Line]
  /// Set when the run does not model any of the lines.
  package var absence: PageValue?

  /// Lines over the same days.
  package init(dates: [CivilDate], lines: [Line], absence: PageValue? = nil) {
    self.dates = dates
    self.lines = lines
    self.absence = absence
  }
}

/// Counts by weekday and local hour.
package struct PageHeat: Sendable {
  /// What is counted, in the plural: the word that people read and the key in JSON.
  package var counted: String
  /// Days that each weekday has in the period, Monday first.
  package var days: [Int64]
  /// Sums over these days: one row a weekday, Monday first, 24 hours.
  package var counts: [[Int64]]
  /// A sentence about the hours; may be empty.
  package var note: String
  /// Set when the run does not hold hours.
  package var absence: PageValue?

  /// Counts by weekday and hour, with how many days of each weekday were counted.
  package init(
    counted: String, days: [Int64], counts: [[Int64]], note: String = "",
    absence: PageValue? = nil
  ) {
    self.counted = counted
    self.days = days
    self.counts = counts
    self.note = note
    self.absence = absence
  }

  /// The mean count in one hour of a weekday; nil for a weekday that the period does not have.
  package func mean(_ weekday: Int, _ hour: Int) -> Double? {
    let days = days[weekday]
    return days == 0 ? nil : Double(counts[weekday][hour]) / Double(days)
  }

  /// The largest mean of all hours; nil for a period without days.
  package var largest: Double? {
    (0..<7).flatMap { day in (0..<24).compactMap { mean(day, $0) } }.max()
  }

  /// Whether means are so small that people read a decimal.
  package var isFine: Bool { largest ?? 0 < 10 }

  /// The mean as people read it, rounded half up: with one decimal where no hour has ten, and a dash for a
  /// weekday that the period does not have.
  package func words(_ weekday: Int, _ hour: Int) -> String {
    mean(weekday, hour).map(words) ?? "–"
  }

  /// A mean of this map as people read it.
  package func words(_ mean: Double) -> String {
    guard isFine else { return Int64(mean.rounded()).grouped }
    let tenths = Int64((mean * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

/// A share against two bounds, all in basis points.
package struct PageGauge: Sendable {
  /// A bound with the name of what begins there.
  package struct Bound: Sendable {
    package var name: String
    /// The next basis point where it is none.
    package var value: Int64
    /// As people read it, with all its decimals.
    package var words: String
    /// Whether `value` is above where it really is.
    package var isRoundedUp: Bool

    /// A bound of whole basis points with its name.
    package init(_ name: String, _ value: Int64) {
      self.name = name
      self.value = value
      words = PageWords.percent(value, decimals: value % 10 == 0 ? 1 : 2)
      isRoundedUp = false
    }

    /// A bound with its name.
    ///
    /// - Parameter hundredMillionths: Of one; 0 or more.
    package init(_ name: String, hundredMillionths: Int64) {
      let (whole, rest) = hundredMillionths.quotientAndRemainder(dividingBy: 10_000)
      self.init(name, whole)
      guard rest != 0 else { return }
      value = whole + 1
      isRoundedUp = true
      var decimals = String(1_000_000 + hundredMillionths % 1_000_000).dropFirst()
      while decimals.last == "0" { decimals.removeLast() }
      words = "\((whole / 100).grouped).\(decimals) %"
    }
  }

  package var label: String
  /// Rounded; nil without anything to compare with, and then `empty` is said.
  package var value: Int64?
  /// What the exact share was judged to be.
  package var status: HealthStatus?
  /// Good is below it.
  package var caution: Bound
  /// Bad is above it.
  package var bad: Bound
  package var empty: String

  /// A gauge; `empty` is shown where there is no value.
  package init(
    label: String, value: Int64?, judged status: HealthStatus?, caution: Bound, bad: Bound,
    empty: String
  ) {
    self.label = label
    self.value = value
    self.status = status
    self.caution = caution
    self.bad = bad
    self.empty = empty
  }

  /// What the value means.
  package var tone: PageTone { status?.tone ?? .soft }

  /// The value as people read it, never on the wrong side of a bound.
  package var words: String {
    PageWords.percent(
      value, judged: status, warning: caution.value, isRoundedUp: caution.isRoundedUp,
      critical: bad.value)
  }
}

/// Values side by side.
package struct PageBars: Sendable {
  package var unit: MeasureUnit
  package var labels: [String]
  package var values: [Int64]

  /// One bar for each label.
  package init(unit: MeasureUnit, labels: [String], values: [Int64]) {
    self.unit = unit
    self.labels = labels
    self.values = values
  }
}
