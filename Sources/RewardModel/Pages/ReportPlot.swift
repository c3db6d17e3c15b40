package import Quantities

/// A plot as data: what is shown, not how it is drawn.
package struct ReportPlot: Sendable {
  /// What is shown.
  package enum Body: Sendable {
    case curves(PlotCurves)
    case stack(PlotStack)
    case lanes(PlotLanes)
    case bars(PlotBars)
    case small(SmallPlots)
  }

  /// Unique in its report.
  package var id: String
  /// In units of 1/96 inch; nil takes it from the number of rows.
  package var height: Int?
  package var body: Body

  package init(_ id: String, height: Int? = nil, _ body: Body) {
    self.id = id
    self.height = height
    self.body = body
  }
}

/// What a plot's horizontal axis is of.
package enum PlotAxis: Sendable {
  case dates
  /// From half a day before the first to half a day after the last.
  case span(CivilDate, CivilDate)
  case categories
  /// Numbers, with what they count.
  case number(String)
}

/// Where values stand on the horizontal axis.
package enum PlotPlaces: Sendable {
  case texts([String])
  case numbers([Double])
}

/// What a plot's numbers are of.
package enum PlotUnit: Sendable {
  /// USDT.
  case money
  /// Percent, with a word behind it that may be empty.
  case percent(String)
  /// Counts, shortened (12k) where they are of many.
  case count(short: Bool)
}

/// A colour by its part in a plot.
package enum PlotColour: Sendable {
  /// The main thing, what goes with it, and what both are measured against.
  case main, second, reference
  /// What lies behind the main thing.
  case back, faint
  case tone(PageTone)
  /// One of several equals.
  case series(Int)
  /// One of four steps, the lowest first.
  case level(Int)
}

/// How much a line stands out.
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

/// Lines and bars over one axis, in one panel or in two, the lower one smaller.
package struct PlotCurves: Sendable {
  /// A vertical axis.
  package struct Panel: Sendable {
    package var title: String
    package var unit: PlotUnit
    /// Where something begins.
    package var bounds: [(value: Double, tone: PageTone)] = []
    /// The axis ends here; nil takes the largest value.
    package var top: Double?

    package init(
      _ title: String, _ unit: PlotUnit, bounds: [(value: Double, tone: PageTone)] = [],
      top: Double? = nil
    ) {
      self.title = title
      self.unit = unit
      self.bounds = bounds
      self.top = top
    }
  }

  package var axis: PlotAxis
  package var panels: [Panel]
  package var series: [PlotSeries]
  /// Whether the colours need a legend.
  package var hasLegend: Bool

  package init(
    _ axis: PlotAxis, _ panels: [Panel], _ series: [PlotSeries], hasLegend: Bool = true
  ) {
    self.axis = axis
    self.panels = panels
    self.series = series
    self.hasLegend = hasLegend
  }
}

/// Parts of a whole by date, as counts or as shares.
package struct PlotStack: Sendable {
  /// What is counted.
  package var title: String
  package var dates: [CivilDate]
  /// The lowest part first, with one value a date.
  package var parts: [(name: String, values: [Double])]

  package init(_ title: String, dates: [CivilDate], parts: [(name: String, values: [Double])]) {
    self.title = title
    self.dates = dates
    self.parts = parts
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

    package init(date: CivilDate, count: Int, words: String) {
      self.date = date
      self.count = count
      self.words = words
    }
  }

  package var axis: PlotAxis
  package var lanes: [(name: String, marks: [Mark])]

  package init(_ axis: PlotAxis, _ lanes: [(name: String, marks: [Mark])]) {
    self.axis = axis
    self.lanes = lanes
  }
}

/// Amounts in USDT side by side, a bar a run.
package struct PlotBars: Sendable {
  package var labels: [String]
  /// One value a label.
  package var runs: [(name: String, values: [Double])]

  package init(labels: [String], runs: [(name: String, values: [Double])]) {
    self.labels = labels
    self.runs = runs
  }
}

/// The same small plot of several things, a line a run in each, in USDT.
package struct SmallPlots: Sendable {
  /// One of them.
  package struct Panel: Sendable {
    package var title: String
    /// One a run that has it, with the run's row.
    package var lines: [(run: Int, values: [Double?])]

    package init(_ title: String, _ lines: [(run: Int, values: [Double?])]) {
      self.title = title
      self.lines = lines
    }
  }

  package var axis: PlotAxis
  /// One a run.
  package var runs: [(name: String, places: PlotPlaces)]
  package var panels: [Panel]

  package init(_ axis: PlotAxis, runs: [(name: String, places: PlotPlaces)], panels: [Panel]) {
    self.axis = axis
    self.runs = runs
    self.panels = panels
  }
}
