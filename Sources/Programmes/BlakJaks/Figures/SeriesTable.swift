/// Figures of every day by key, in the order in which they were first set.
package struct SeriesTable: Sendable {
  private var series: [BlakJaksRecord.Series] = []
  private var rows: [String: Int] = [:]
  /// Place of the next expected key: keys come in the same order every day.
  private var cursor = 0
  private var days = 0

  package init() {}

  /// Sets a figure of the current day; nil where it is not defined.
  package mutating func set(_ key: String, _ unit: BlakJaksRecord.Unit = .count, _ value: Int64?) {
    let row = row(of: key, unit)
    if series[row].values.count == days { series[row].values.append(nil) }
    series[row].values[days] = value
    cursor = row + 1
  }

  private mutating func row(of key: String, _ unit: BlakJaksRecord.Unit) -> Int {
    if cursor < series.count, series[cursor].key == key { return cursor }
    if let row = rows[key] { return row }
    let blanks = [Int64?](repeating: nil, count: days)
    series.append(BlakJaksRecord.Series(key: key, unit: unit, values: blanks))
    rows[key] = series.count - 1
    return series.count - 1
  }

  /// Ends the day; figures that were not set have no value in it.
  package mutating func closeDay() {
    days += 1
    cursor = 0
    for row in series.indices where series[row].values.count < days {
      series[row].values.append(nil)
    }
  }

  /// All figures, one value a closed day each.
  package var all: [BlakJaksRecord.Series] { series }
}
