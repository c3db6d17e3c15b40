internal import BlakJaks
internal import Quantities

/// How the days and months of several runs stand side by side: by the calendar when all begin on
/// the same day, else by their distance from each run's start.
struct RunTimes {
  /// Whether dates are shared; else the first months (and days) of the runs stand together.
  let byCalendar: Bool
  /// One label a row of months, in order.
  let months: [String]

  /// - Complexity: O(months of all runs).
  init(_ runs: [ReportRun]) {
    let starts = runs.compactMap { $0.record.days.first?.date }
    byCalendar = starts.allSatisfy { $0 == starts[0] }
    let longest = runs.max { $0.record.months.count < $1.record.months.count }?.record
    if byCalendar {
      months = longest?.months.map(\.month) ?? []
    } else {
      months = (longest?.months ?? []).indices.map { "Month \($0 + 1)" }
    }
  }

  /// Places of a run's days on the axis.
  func days(_ run: ReportRun) -> [PlotValue] {
    byCalendar
      ? run.record.days.map { .text($0.date.description) }
      : run.record.days.indices.map { .number(Double($0 + 1)) }
  }

  /// The axis of days.
  var dayAxis: PlotValue {
    byCalendar
      ? ["type": "date", "automargin": true]
      : ["title": ["text": "Days since the start"], "automargin": true]
  }
}
