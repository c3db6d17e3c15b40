/// Daily series as they grow, in the order in which their keys were first set.
///
/// Values are kept day by day, as they come, and become series when somebody asks for them.
package struct SeriesTable: Sendable {
  private let catalog: SeriesCatalog
  private var keys: [String] = []
  private var units: [MeasureUnit] = []
  private var rows: [String: Int] = [:]
  /// The values of each closed day by series; shorter where later days brought more of them.
  private var closed: [[Int64??]] = []
  /// The same of the current day; nothing where no value was set, which may be none.
  private var today: [Int64??] = []
  /// Place of the next expected key: keys come in the same order every day.
  private var cursor = 0

  /// A table without days.
  ///
  /// - Parameter catalog: Declares every key that is ever set.
  /// - Parameter known: Series that were there before: those of the same keys are found without a
  ///   search, and are there without a value where nobody sets one.
  package init(_ catalog: SeriesCatalog, like known: [DailySeries] = []) {
    self.catalog = catalog
    name(known)
  }

  /// Takes over the keys of series, in their order.
  private mutating func name(_ series: [DailySeries]) {
    keys = series.map(\.key)
    units = series.map(\.unit)
    rows = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
    today = Array(repeating: nil, count: keys.count)
  }

  /// Makes room for the values of so many days, 0 or more.
  package mutating func reserve(days: Int) { closed.reserveCapacity(days) }

  /// One value a closed day each, and one more of the current day where it was set.
  ///
  /// - Complexity: O(days × series).
  package var all: [DailySeries] {
    keys.indices.map { row in
      var values: [Int64?] = []
      values.reserveCapacity(closed.count + 1)
      for day in closed { values.append(row < day.count ? day[row] ?? nil : nil) }
      if let value = today[row] { values.append(value) }
      return DailySeries(key: keys[row], unit: units[row], values: values)
    }
  }

  /// What changes from day to day.
  package struct Saved: Sendable, Codable {
    fileprivate var all: [DailySeries]
    fileprivate var cursor: Int
    fileprivate var days: Int
  }

  /// What to save, or where to go on with the same catalog.
  package var saved: Saved {
    get { Saved(all: all, cursor: cursor, days: closed.count) }
    set {
      name(newValue.all)
      cursor = newValue.cursor
      closed = (0..<max(newValue.days, 0)).map { day in
        newValue.all.map { .some(day < $0.values.count ? $0.values[day] : nil) }
      }
      for (row, series) in newValue.all.enumerated() where series.values.count > newValue.days {
        today[row] = .some(series.values[newValue.days])
      }
    }
  }

  /// Sets a number of the current day; nil where it is not defined.
  ///
  /// - Precondition: The key is declared.
  /// - Complexity: O(1).
  package mutating func set(_ key: String, _ value: Int64?) {
    let row = row(of: key)
    today[row] = .some(value)
    cursor = row + 1
  }

  private mutating func row(of key: String) -> Int {
    if cursor < keys.count, keys[cursor] == key { return cursor }
    if let row = rows[key] { return row }
    guard let declaration = catalog.declaration(of: key) else {
      preconditionFailure("the daily series \(key) is not declared")
    }
    keys.append(key)
    units.append(declaration.unit)
    today.append(nil)
    rows[key] = keys.count - 1
    return keys.count - 1
  }

  /// Ends the day; series that were not set have no value in it.
  package mutating func closeDay() {
    closed.append(today)
    today = Array(repeating: nil, count: keys.count)
    cursor = 0
  }
}
