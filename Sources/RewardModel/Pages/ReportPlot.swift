package import Quantities

/// A plot as data: what is shown, not how it is drawn.
package struct ReportPlot: Sendable {
  /// What is shown.
  package enum Body: Sendable {
    case curves(PlotCurves)
    case lanes(PlotLanes)
  }

  /// Unique in its report.
  package var id: String
  /// In units of 1/96 inch; nil takes it from the number of rows.
  package var height: Int?
  package var body: Body

  /// A plot under an id that is unique in its report.
  package init(_ id: String, height: Int? = nil, _ body: Body) {
    self.id = id
    self.height = height
    self.body = body
  }
}

/// What a plot's values are along.
package enum PlotAxis: Sendable {
  case dates
  /// From half a day before the first to half a day after the last.
  case span(CivilDate, CivilDate)
  case categories
  /// Names, one below the other.
  case rows
  /// Numbers, with what they count.
  case number(String)

  /// The axis of some days, oldest first, with room at its ends.
  package static func days(_ dates: [CivilDate]) -> PlotAxis {
    guard let first = dates.first, let last = dates.last else { return .dates }
    return .span(first, last)
  }
}

/// Where values are on their axis.
package enum PlotPlaces: Sendable {
  case texts([String])
  case numbers([Double])
}

/// A colour by its part in a plot.
package enum PlotColour: Sendable {
  /// The main thing, what goes with it, and what both are measured against.
  case main, second, reference
  /// What is in the background.
  case back, faint
  case tone(PageTone)
  /// One of several equals.
  case series(Int)
  /// One of four steps, the lowest 0.
  case level(Int)
}

/// How prominent a line is.
package enum PlotWeight: Sendable {
  case hair, thin, plain, strong, broad
}

/// How a line is drawn.
package enum PlotDash: Sendable {
  case solid, dotted, dashDotted
}

/// One row of values of a plot.
package struct PlotSeries: Sendable {
  /// How values are shown.
  package enum Shape: Sendable {
    case line
    /// A line with a mark at each value.
    case points
    /// The same with the area below it.
    case area
    case bars
  }

  package var name: String
  package var shape: Shape
  package var places: PlotPlaces
  /// In the unit that people read; nil where not defined.
  package var values: [Double?]
  /// What each value means; empty for values that mean nothing by themselves.
  package var tones: [PageTone] = []
  package var colour: PlotColour
  package var weight = PlotWeight.plain
  package var dash = PlotDash.solid
  /// Series of one group appear and disappear together.
  package var group: Int?
  /// The panel, from the top.
  package var panel = 0

  /// A series with one value for each place.
  package init(
    _ name: String, _ shape: Shape, _ places: PlotPlaces, _ values: [Double?], _ colour: PlotColour
  ) {
    self.name = name
    self.shape = shape
    self.places = places
    self.values = values
    self.colour = colour
  }
}

/// Lines and bars along one axis.
package struct PlotCurves: Sendable {
  /// How panels and series are arranged.
  package enum Form: Sendable {
    /// One panel, or two with the lower one smaller, in which bars are stacked.
    case plain
    /// Parts of a whole, the lowest first, as counts or as shares.
    case stacked
    /// A small plot a panel.
    case grid
  }

  /// A vertical axis.
  package struct Panel: Sendable {
    package var title: String
    /// Amounts, percent or counts.
    package var unit: MeasureUnit
    /// What stands behind a number under the pointer; may be empty.
    package var word: String
    /// Whether counts of many are shortened (12k).
    package var isShort: Bool
    /// Where something begins.
    package var bounds: [(value: Double, tone: PageTone)] = []
    /// The axis ends here; nil takes the largest value.
    package var top: Double?

    /// A panel with its axis; see the properties.
    package init(
      _ title: String, _ unit: MeasureUnit, word: String = "", isShort: Bool = false,
      bounds: [(value: Double, tone: PageTone)] = [], top: Double? = nil
    ) {
      self.title = title
      self.unit = unit
      self.word = word
      self.isShort = isShort
      self.bounds = bounds
      self.top = top
    }

    /// An axis of amounts.
    package static func money(_ title: String, _ currency: Currency) -> Panel {
      Panel(title, .money, word: currency.code)
    }
  }

  package var axis: PlotAxis
  package var panels: [Panel]
  package var series: [PlotSeries]
  package var form: Form
  /// Whether the colors need a legend.
  package var hasLegend: Bool

  /// Series in one or more panels along one axis.
  package init(
    _ axis: PlotAxis, _ panels: [Panel], _ series: [PlotSeries], form: Form = .plain,
    hasLegend: Bool = true
  ) {
    self.axis = axis
    self.panels = panels
    self.series = series
    self.form = form
    self.hasLegend = hasLegend
  }
}

/// What happened when, a lane a kind.
package struct PlotLanes: Sendable {
  /// What happened on one day.
  package struct Mark: Sendable {
    package var date: CivilDate
    /// 1 or more.
    package var count: Int
    package var words: String

    /// A mark for what happened on a date.
    package init(date: CivilDate, count: Int, words: String) {
      self.date = date
      self.count = count
      self.words = words
    }
  }

  package var axis: PlotAxis
  package var lanes: [(name: String, marks: [Mark])]

  /// Lanes of marks along one axis.
  package init(_ axis: PlotAxis, _ lanes: [(name: String, marks: [Mark])]) {
    self.axis = axis
    self.lanes = lanes
  }
}
