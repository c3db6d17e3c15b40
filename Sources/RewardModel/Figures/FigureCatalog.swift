/// Every figure that a run of a program can have, by id.
///
/// Besides the figures that the program declares there are two of each daily series: `series.KEY`
/// is its value on the run's last day, `peak.KEY` its largest on any day. Which series a run has
/// depends on its settings, so that any key is a name, and only a run shows whether it has it.
package struct FigureCatalog: Sendable {
  /// What comes before the key of a daily series.
  package static let prefixes = ["series.", "peak."]

  /// In the program's order.
  package let figures: [FigureDescription]
  package let series: SeriesCatalog
  /// Of the programme's money.
  package let currency: Currency
  package let choices: FigureChoices
  private let rows: [String: Int]
  private let values: [@Sendable (any ProgrammeRecord) -> Double?]

  /// Erases the type of the record. Ids have to be unique.
  package init<Record>(
    _ figures: [Figure<Record>], series: SeriesCatalog, currency: Currency,
    choices: FigureChoices
  ) {
    self.figures = figures.map(\.description)
    self.series = series
    self.currency = currency
    self.choices = choices
    values = figures.map { figure in { ($0 as? Record).flatMap(figure.value) } }
    rows = Dictionary(uniqueKeysWithValues: figures.enumerated().map { ($1.description.id, $0) })
  }

  /// The ids of the declared figures, in the program's order.
  package var ids: [String] { figures.map(\.id) }

  /// What a message lists: the declared figures, and the families of the daily series.
  package var names: [String] { ids + Self.prefixes.map { $0 + "KEY" } }

  /// Whether a run can have a figure of this name.
  package func knows(_ id: String) -> Bool { rows[id] != nil || Self.key(id) != nil }

  /// What is known of a figure; nil for a name that no figure can have.
  package func figure(_ id: String) -> FigureDescription? {
    if let row = rows[id] { return figures[row] }
    guard let (prefix, key) = Self.key(id) else { return nil }
    let declared = series.declaration(of: key)
    let unit = declared?.unit ?? .count
    return FigureDescription(
      id, unit == .money ? "\(id), \(currency.code)" : id,
      (declared?.meaning ?? "The daily series \(key)")
        + (prefix == "peak." ? ", largest at any day's end." : ", at the run's end."),
      unit, setting: declared?.setting, unknownInReplay: declared?.unknownInReplay)
  }

  /// The declared figure that a mistyped name most likely meant; nil when none is near.
  package func nearest(_ name: String) -> String? {
    RewardModel.nearest(to: name, among: ids)
  }

  /// A figure of a run in its unit; nil for unknown names, and where the run does not have it.
  package func value(_ id: String, _ record: any ProgrammeRecord) -> Double? {
    guard record.header.source == .simulation || figure(id)?.unknownInReplay == nil else {
      return nil
    }
    if let row = rows[id] { return values[row](record) }
    guard let (prefix, key) = Self.key(id) else { return nil }
    return prefix == "peak." ? record.peak(key) : record.last(key)
  }

  /// What a run does not know that a threshold asks for, because it replays a history; nil where it
  /// knows it. A month's status is as unknown as the use of the budget that it judges.
  ///
  /// - Parameters:
  ///   - id: Of the figure that is compared; nil for a month's status.
  ///   - run: The run's header.
  package func unknown(_ id: String?, in run: RunHeader) -> String? {
    run.source == .history ? figure(id ?? choices.utilisation)?.unknownInReplay : nil
  }

  /// The key of a daily series that no run of the program has; nil for any other name.
  package func unknownSeries(_ id: String) -> String? {
    guard let (_, key) = Self.key(id), series.declaration(of: key) == nil else { return nil }
    return key
  }

  /// The declared series that a mistyped key most likely meant; nil when none is near.
  package func nearestSeries(_ key: String) -> String? {
    RewardModel.nearest(to: key, among: series.declarations.map(\.key))
  }

  private static func key(_ id: String) -> (prefix: String, key: String)? {
    for prefix in prefixes where id.hasPrefix(prefix) && id.count > prefix.count {
      return (prefix, String(id.dropFirst(prefix.count)))
    }
    return nil
  }
}
