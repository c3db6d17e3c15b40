internal import Rulebook

/// Replications of one scenario summed up one by one, in memory that does not grow with their
/// number.
///
/// It holds moments, counts, `PercentileSketch`es, the `replayLimit` replications of highest
/// utilisation, and the figures' values of the first `valuesLimit` replications. For a year and 60
/// figures that is at most about 40 MB.
package struct ProjectionFold: Sendable {
  /// Replications up to which `values(of:)` answers.
  package static let valuesLimit = 4_096
  /// Replications of highest utilisation that are kept.
  package static let replayLimit = 10
  /// Error of the percentiles of days, which only plots show; that of figures and months is
  /// `PercentileSketch`'s own.
  static let dayError = 0.005

  package let catalog: FigureCatalog
  /// Whether recognised spend is that by cash.
  package let cash: Bool
  /// Replications added.
  package private(set) var count = 0
  /// By the catalog's row.
  private(set) var figures: [FigureSample]
  /// One row a replication, one column a figure; NaN where the run does not have it. Empty once
  /// there are more than `valuesLimit`.
  private var rows: [Double] = []
  private(set) var months: [PeriodSums] = []
  private(set) var year: PeriodSums
  private(set) var days: [DaySums] = []
  /// Replications with a day whose projection says Warning or worse, and Critical.
  private(set) var everWarning = 0
  private(set) var everCritical = 0
  /// Awards by prize and month.
  private(set) var awards: [[Double]] = []
  /// Accepted scans by weekday and hour.
  private(set) var heat = [Double](repeating: 0, count: 168)
  /// Living members of each cohort at each month's end.
  private(set) var living: [[Double]] = []
  /// What became of antithetic pairs; whoever runs the replications says it.
  package var trial: PairTrial
  /// Values of the controls of the first `valuesLimit` replications, one column a control.
  private var controls: [[Double]] = []
  /// Highest utilisation first, of equals the one with the smaller number.
  private(set) var highest: [Projection.Replay] = []

  /// No replications.
  ///
  /// - Parameters:
  ///   - catalog: That of the replications.
  ///   - cash: Whether recognised spend is that by cash.
  ///   - antithetic: Whether replications run in pairs.
  package init(catalog: FigureCatalog, cash: Bool, antithetic: Antithetic = .off) {
    self.catalog = catalog
    self.cash = cash
    trial = PairTrial(antithetic)
    figures = catalog.names.map { _ in FigureSample() }
    year = PeriodSums(label: "Whole run")
  }

  /// Adds a replication, which must be of the same calendar and catalog as those before.
  ///
  /// - Complexity: O(days + figures), amortised.
  package mutating func add(_ replication: Replication) {
    keep(replication)
    for (row, value) in replication.figures.enumerated() {
      if let value { figures[row].add(value) }
    }
    if months.isEmpty {
      months = replication.months.map { PeriodSums(label: $0.label) }
      days = replication.spend.map { _ in DaySums() }
      awards = replication.awards.map { $0.map { _ in 0 } }
      living = replication.cohorts.map { $0.map { _ in 0 } }
    }
    for (row, month) in replication.months.enumerated() { months[row].add(month) }
    year.add(replication.months, cash: cash)
    for row in replication.spend.indices { days[row].add(replication, row) }
    everWarning += replication.statuses.contains { $0.map { $0 != .normal } ?? false } ? 1 : 0
    everCritical += replication.statuses.contains(.critical) ? 1 : 0
    for (prize, counts) in replication.awards.enumerated() {
      for (month, number) in counts.enumerated() { awards[prize][month] += Double(number) }
    }
    for (row, scans) in replication.heat.enumerated() { heat[row] += scans }
    for (cohort, members) in replication.cohorts.enumerated() {
      for (month, number) in members.enumerated() { living[cohort][month] += Double(number) }
    }
    count += 1
  }

  /// A figure's values in the order of the replications' numbers, nil where a run does not have
  /// it: what variance reduction works on.
  ///
  /// - Returns: Nil for a figure that is not in the catalog, and beyond `valuesLimit` replications.
  /// - Complexity: O(n).
  package func values(of figure: String) -> [Double?]? {
    guard let column = catalog.row(of: figure), count <= Self.valuesLimit else { return nil }
    return (0..<count).map { row in
      let value = rows[row * catalog.names.count + column]
      return value.isNaN ? nil : value
    }
  }

  /// A figure's mean by pairs and controls; nil where there are neither, where a run does not have
  /// the figure, and beyond `valuesLimit` replications.
  ///
  /// - Complexity: O(n).
  package func reduced(of figure: String) -> ReducedMean? {
    guard isPaired || !controls.isEmpty, let values = values(of: figure) else { return nil }
    let all = values.compactMap(\.self)
    guard all.count == values.count else { return nil }
    return ReducedMean(all, controls: controls, pairs: trial.pairs)
  }

  /// Whether any neighbours may depend on each other.
  var isPaired: Bool { !trial.pairs.isEmpty }

  /// Half-width of the 95 % interval of a figure's mean; nil with fewer than two values.
  package func halfWidth(of figure: String) -> Double? {
    reduced(of: figure)?.halfWidth
      ?? catalog.row(of: figure).flatMap { figures[$0].halfWidth(paired: isPaired) }
  }

  /// Ends the trial of pairs: utilisation of the year decides, or its spend without a budget.
  mutating func endTrial() {
    for figure in ["budget.utilisation.year", "budget.spend.year"] {
      guard let values = values(of: figure) else { continue }
      let all = values.compactMap(\.self)
      guard all.count == values.count else { continue }
      return trial.end(all, controls: controls)
    }
    trial.end([], controls: [])
  }

  private mutating func keep(_ replication: Replication) {
    if count < Self.valuesLimit {
      rows += replication.figures.map { $0 ?? .nan }
      if controls.isEmpty, count == 0 { controls = replication.controls.map { _ in [] } }
      for (column, value) in replication.controls.enumerated() {
        controls[column].append(value)
      }
    } else {
      rows = []
      controls = []
    }
    let year = catalog.row(of: "budget.utilisation.year")
    let replay = Projection.Replay(
      number: replication.index, seed: replication.seed,
      utilisation: year.flatMap { replication.figures[$0] })
    let place = highest.firstIndex { $0.rank < replay.rank } ?? highest.count
    highest.insert(replay, at: place)
    if highest.count > Self.replayLimit { highest.removeLast() }
  }
}

/// Sums over replications of one month, or of the whole run.
struct PeriodSums: Sendable {
  let label: String
  var spendCash = FigureSample()
  var spendAccrual = FigureSample()
  var budget = FigureSample()
  var utilisation = FigureSample()
  var projected = FigureSample()
  /// Closing Warning or worse, and Critical; of the whole run, any of its months.
  var warning = 0
  var critical = 0

  init(label: String) { self.label = label }

  mutating func add(_ month: Replication.Month) {
    spendCash.add(month.spendCash)
    spendAccrual.add(month.spendAccrual)
    budget.add(month.budget)
    if let share = month.utilisation { utilisation.add(share) }
    if let share = month.projected { projected.add(share) }
    count([month])
  }

  mutating func add(_ months: [Replication.Month], cash: Bool) {
    let byCash = months.reduce(0) { $0 + $1.spendCash }
    let byAccrual = months.reduce(0) { $0 + $1.spendAccrual }
    let allowed = months.reduce(0) { $0 + $1.budget }
    spendCash.add(byCash)
    spendAccrual.add(byAccrual)
    budget.add(allowed)
    if allowed > 0 { utilisation.add((cash ? byCash : byAccrual) / allowed) }
    count(months)
  }

  private mutating func count(_ months: [Replication.Month]) {
    warning += months.contains { $0.status.map { $0 != .normal } ?? false } ? 1 : 0
    critical += months.contains { $0.status == .critical } ? 1 : 0
  }
}

/// Sums over replications of one day.
struct DaySums: Sendable {
  /// Recognised spend since the run's start.
  var spend = FigureSample(relativeError: ProjectionFold.dayError)
  /// Spend over budget expected for the month's end.
  var projected = FigureSample(relativeError: ProjectionFold.dayError)
  /// Budget since the run's start.
  var budget = 0.0
  var warning = 0
  var critical = 0

  mutating func add(_ replication: Replication, _ row: Int) {
    spend.add(Double(replication.spend[row]))
    if let share = replication.projected[row] { projected.add(Replication.share(share)) }
    budget += Double(replication.budget[row])
    let status = replication.statuses[row]
    warning += status.map { $0 != .normal } ?? false ? 1 : 0
    critical += status == .critical ? 1 : 0
  }
}
