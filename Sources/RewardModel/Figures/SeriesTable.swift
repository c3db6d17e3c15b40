/// Daily series as they grow, in the order in which their keys were first set.
package struct SeriesTable: Sendable {
  /// One value a closed day each, and while the day lasts one more.
  package private(set) var all: [DailySeries] = []
  private let catalog: SeriesCatalog
  private var rows: [String: Int] = [:]
  /// Place of the next expected key: keys come in the same order every day.
  private var cursor = 0
  private var days = 0
  private var expected = 0

  /// A table without days.
  ///
  /// - Parameter catalog: Declares every key that is ever set.
  /// - Parameter known: Series that were there before: those of the same keys are found without a
  ///   search, and are there without a value where nobody sets one.
  package init(_ catalog: SeriesCatalog, like known: [DailySeries] = []) {
    self.catalog = catalog
    all = known.map { DailySeries(key: $0.key, unit: $0.unit, values: []) }
    rows = Dictionary(uniqueKeysWithValues: known.enumerated().map { ($1.key, $0) })
  }

  /// Makes room for the values of so many days, 0 or more.
  package mutating func reserve(days: Int) {
    expected = days
    for row in all.indices { all[row].values.reserveCapacity(days) }
  }

  /// What changes from day to day.
  package struct Saved: Sendable, Codable {
    fileprivate var all: [DailySeries]
    fileprivate var cursor: Int
    fileprivate var days: Int
  }

  /// What to save, or where to go on with the same catalog.
  package var saved: Saved {
    get { Saved(all: all, cursor: cursor, days: days) }
    set {
      all = newValue.all
      (cursor, days) = (newValue.cursor, newValue.days)
      rows = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.key, $0) })
    }
  }

  /// Sets a number of the current day; nil where it is not defined.
  ///
  /// - Precondition: The key is declared.
  package mutating func set(_ key: String, _ value: Int64?) {
    let row = row(of: key)
    if all[row].values.count == days {
      all[row].values.append(value)
    } else {
      all[row].values[days] = value
    }
    cursor = row + 1
  }

  private mutating func row(of key: String) -> Int {
    if cursor < all.count, all[cursor].key == key { return cursor }
    if let row = rows[key] { return row }
    guard let declaration = catalog.declaration(of: key) else {
      preconditionFailure("the daily series \(key) is not declared")
    }
    var blanks = [Int64?](repeating: nil, count: days)
    blanks.reserveCapacity(expected)
    all.append(DailySeries(key: key, unit: declaration.unit, values: blanks))
    rows[key] = all.count - 1
    return all.count - 1
  }

  /// Ends the day; series that were not set have no value in it.
  package mutating func closeDay() {
    days += 1
    cursor = 0
    for row in all.indices where all[row].values.count < days { all[row].values.append(nil) }
  }
}
