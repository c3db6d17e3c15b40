/// One number per day, as of the day's last instant. It is cumulative since the run's
/// start, or a state such as a balance; a key that begins with `day.` is of the day alone.
package struct DailySeries: Sendable, Equatable, Codable {
  /// Unique in the record, for example `payouts.queue`.
  package var key: String
  package var unit: MeasureUnit
  /// One value a local day; nil where the number is not defined (a mean of nothing).
  @Packed package var values: [Int64?]

  /// A series with one value per day; nil where the figure is not defined.
  package init(key: String, unit: MeasureUnit, values: [Int64?]) {
    self.key = key
    self.unit = unit
    self.values = values
  }
}

extension ProgrammeRecord {
  /// A daily series on the run's last day, in the unit of figures; nil where there is none.
  package func last(_ key: String) -> Double? {
    guard let row = series.first(where: { $0.key == key }) else { return nil }
    return (row.values.last ?? nil).map { Double($0) / row.unit.scale }
  }

  /// The largest value of a daily series, in the unit of figures; nil where there is none.
  package func peak(_ key: String) -> Double? {
    guard let row = series.first(where: { $0.key == key }) else { return nil }
    return row.values.compactMap(\.self).max().map { Double($0) / row.unit.scale }
  }
}

/// What a program says of one daily series, or of a family of them.
package struct SeriesDeclaration: Sendable {
  /// The series' key. One `*` in it is replaced by what a scenario names, such as a prize.
  package let key: String
  package let unit: MeasureUnit
  /// One line without a full stop that says what is counted.
  package let meaning: String
  /// The setting that switches the series on; nil where every run has it.
  package let setting: String?
  /// As of a figure: what a replay does not know, so that it does not have the series.
  package var unknownInReplay: String?
  /// What comes before the `*` and what comes after it; nil where there is none.
  private let ends: (before: String, after: String)?

  /// A series, or a family of them where the key has a `*`.
  package init(_ key: String, _ unit: MeasureUnit, _ meaning: String, setting: String? = nil) {
    self.key = key
    self.unit = unit
    self.meaning = meaning
    self.setting = setting
    ends = key.firstIndex(of: "*").map {
      (String(key[..<$0]), String(key[key.index(after: $0)...]))
    }
  }

  /// Whether a series belongs to this family.
  fileprivate func covers(_ name: String) -> Bool {
    guard let ends else { return false }
    return name.utf8.count > key.utf8.count - 1 && name.hasPrefix(ends.before)
      && name.hasSuffix(ends.after)
  }
}

/// The daily series that runs of a program can have.
package struct SeriesCatalog: Sendable {
  package let declarations: [SeriesDeclaration]
  private let rows: [String: Int]
  private let families: [SeriesDeclaration]

  /// Keys have to be unique.
  package init(_ declarations: [SeriesDeclaration]) {
    self.declarations = declarations
    rows = Dictionary(uniqueKeysWithValues: declarations.enumerated().map { ($1.key, $0) })
    families = declarations.filter { $0.key.contains("*") }
  }

  /// The declaration of a series by its key; nil for one that no run has.
  package func declaration(of key: String) -> SeriesDeclaration? {
    if let row = rows[key] { return declarations[row] }
    return families.first { $0.covers(key) }
  }
}
