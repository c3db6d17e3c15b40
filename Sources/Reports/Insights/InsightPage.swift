package import Quantities
package import RewardModel

/// The five pages of Insights, and the feed.
package enum InsightPageName: String, CaseIterable, Sendable {
  case overview, treasury, systems, comps, partners, feed

  /// The page's name as people see it.
  package var title: String {
    switch self {
    case .overview: "Overview"
    case .treasury: "Treasury"
    case .systems: "Systems"
    case .comps: "Comps"
    case .partners: "Partners"
    case .feed: "Activity feed"
    }
  }
}

/// What the number of an insight means.
package typealias InsightUnit = FigureUnit

/// A figure's value, or why there is none.
package enum InsightValue: Equatable, Sendable {
  /// In the unit of its figure or column.
  case number(Int64)
  case text(String)
  /// The run models it, but nothing has happened yet.
  case none
  /// The run does not model it; the setting switches it on, as far as one does.
  case notInRun(setting: String?)
}

/// One page as of one day of a run, independent of how it is shown.
package struct InsightPage: Sendable {
  package var name: InsightPageName
  package var scenario: String
  package var fingerprint: String
  package var zone: String
  /// The local day at whose end the page stands.
  package var date: CivilDate
  /// The day's end, exclusive.
  package var instant: Instant
  package var blocks: [InsightBlock]
}

/// A part of a page under a heading of its own.
package struct InsightBlock: Sendable {
  /// What the block shows.
  package enum Body: Sendable {
    case figures([InsightFigure])
    case table(InsightTable)
    case history(InsightHistory)
    case heat(InsightHeat)
    /// A picture of figures that another block holds.
    case gauge(InsightGauge)
    /// A picture of figures that another block holds.
    case bars(InsightBars)
  }

  /// The key in JSON and in links, unique in its page.
  package var key: String
  package var title: String
  package var body: Body
}

/// A figure with its label.
package struct InsightFigure: Sendable {
  /// Without the unit's suffix.
  package var key: String
  package var label: String
  package var unit: InsightUnit
  package var value: InsightValue
  /// A few words behind the value; may be empty.
  package var note: String

  package init(
    _ key: String, _ label: String, _ unit: InsightUnit, _ value: InsightValue, note: String = ""
  ) {
    self.key = key
    self.label = label
    self.unit = unit
    self.value = value
    self.note = note
  }
}

/// Rows of values.
package struct InsightTable: Sendable {
  /// A column: key without the unit's suffix, heading, unit.
  package struct Column: Sendable {
    package var key: String
    package var title: String
    package var unit: InsightUnit

    package init(_ key: String, _ title: String, _ unit: InsightUnit) {
      self.key = key
      self.title = title
      self.unit = unit
    }
  }

  package var columns: [Column]
  /// One value a column.
  package var rows: [[InsightValue]]
  package var total: [InsightValue]?
  /// Said in the place of rows when there are none.
  package var empty: String
  /// Set when the run does not model the table.
  package var absence: InsightValue?

  package init(
    _ columns: [Column], rows: [[InsightValue]] = [], total: [InsightValue]? = nil,
    empty: String = "none yet", absence: InsightValue? = nil
  ) {
    self.columns = columns
    self.rows = rows
    self.total = total
    self.empty = empty
    self.absence = absence
  }
}

/// Figures by day, oldest first.
package struct InsightHistory: Sendable {
  /// One figure over the days.
  package struct Line: Sendable {
    package var key: String
    package var label: String
    package var unit: InsightUnit
    /// One value a date; nil where it is not defined.
    package var values: [Int64?]
  }

  package var dates: [CivilDate]
  package var lines: [Line]
  /// Set when the run does not model any of the lines.
  package var absence: InsightValue?
}

/// Accepted scans by weekday and local hour.
package struct InsightHeat: Sendable {
  /// Days that each weekday has in the period, Monday first.
  package var days: [Int64]
  /// Sums over these days: one row a weekday, Monday first, 24 hours.
  package var scans: [[Int64]]
  /// Set when the run does not hold hours.
  package var absence: InsightValue?
}

/// A share against two bounds, all in basis points.
package struct InsightGauge: Sendable {
  package var label: String
  /// Nil without a budget.
  package var value: Int64?
  package var warning: Int64
  package var critical: Int64
}

/// Values side by side.
package struct InsightBars: Sendable {
  package var unit: InsightUnit
  package var labels: [String]
  package var values: [Int64]
}
