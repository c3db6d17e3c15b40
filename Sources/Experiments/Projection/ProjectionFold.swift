internal import EventKernel
internal import RewardModel
package import Scenario

/// Replications of one scenario summed up one by one, in memory that does not grow with their
/// number.
///
/// It holds moments, counts, `PercentileSketch`es and the `replayLimit` replications of highest
/// utilization. For a year and 60 figures that is at most about 40 MB.
package struct ProjectionFold: Sendable {
  /// Replications of highest utilization that are kept.
  package static let replayLimit = 10
  /// Error of the percentiles of days, which only plots show; that of figures and months is
  /// `PercentileSketch`'s own.
  static let dayError = 0.005

  package let measured: MeasuredFigures
  /// The basis of recognized spend, by the first replication.
  private(set) var basis = RunSample.Basis.accrual
  /// Replications added.
  package private(set) var count = 0
  /// By the row of what is measured.
  private(set) var figures: [FigureSample]
  /// Replications that have no value of a figure because it is infinite; by row, see
  /// `RunSample.compared`.
  private(set) var infinite: [Int]
  /// In how many replications thresholds hold.
  private(set) var thresholds: [ThresholdCount]
  private(set) var months: [PeriodSums] = []
  private(set) var year: PeriodSums
  private(set) var days: [DaySums] = []
  /// A day's projection says Warning or worse, and Critical, where one says anything.
  private(set) var everWarning = EventCount()
  private(set) var everCritical = EventCount()
  /// Sums of events by kind and month.
  private(set) var events: [Projection.Events] = []
  /// What members did by weekday and hour.
  private(set) var heat = [Double](repeating: 0, count: 168)
  /// Living members of each cohort at each month's end.
  private(set) var living: [[Double]] = []
  /// Members who signed up in each cohort's month.
  private(set) var signedUp: [Double] = []
  /// What became of antithetic pairs; the code that runs the replications sets it.
  package var trial: PairTrial
  /// How far it came toward a precision; nil where none was asked for. The code that runs the
  /// replications sets it.
  package var precision: PrecisionGoal?
  /// Where the spread comes from; nil where all settings are certain.
  package private(set) var uncertainty: UncertaintySample?
  /// Highest utilization first, of equals the one with the smaller number.
  private(set) var highest: [Projection.Replay] = []

  /// No replications.
  ///
  /// - Parameters:
  ///   - measured: Figures of the replications.
  ///   - antithetic: Whether replications run in pairs.
  ///   - uncertain: Paths of the settings that are drawn.
  ///   - areTogether: Whether some of those move together.
  ///   - expect: Thresholds that will be asked about.
  package init(
    measured: MeasuredFigures, antithetic: Antithetic = .off, uncertain: [String] = [],
    areTogether: Bool = false, expect: [Expectation] = []
  ) {
    self.measured = measured
    thresholds = expect.compactMap { ThresholdCount($0, measured) }
    uncertainty =
      uncertain.isEmpty
      ? nil : UncertaintySample(uncertain, areTogether: areTogether, measured)
    trial = PairTrial(antithetic)
    figures = measured.figures.map { _ in FigureSample() }
    infinite = measured.figures.map { _ in 0 }
    year = PeriodSums(label: "Whole run")
  }

  /// Adds a replication, which must be of the same plan as those before, but for its seed.
  ///
  /// - Complexity: O(days + figures), amortized.
  package mutating func add(_ replication: Replication) {
    keep(replication)
    let joins = trial.joins(replication.index)
    uncertainty?.add(replication, isMirrored: joins)
    for (row, value) in replication.figures.enumerated() {
      figures[row].add(value, controls: replication.controls, joins: joins)
      let compared = replication.sample.compared(value, as: measured.figures[row])
      infinite[row] += compared == .infinity ? 1 : 0
      for place in thresholds.indices where thresholds[place].row == row {
        thresholds[place].add(compared)
      }
    }
    if months.isEmpty {
      months = replication.months.map { PeriodSums(label: $0.label) }
      days = replication.spend.map { _ in DaySums() }
      basis = replication.basis
      events = replication.events.map {
        Projection.Events(kind: $0.kind, means: $0.counts.map { _ in 0 })
      }
      living = replication.cohorts.map { $0.map { _ in 0 } }
      signedUp = replication.cohortSignUps.map { _ in 0 }
    }
    let controls = replication.controls
    for (row, month) in replication.months.enumerated() {
      months[row].add(month, controls: controls, joins: joins)
    }
    year.add(replication.months, cash: basis == .cash, controls: controls, joins: joins)
    let sample = replication.sample
    for row in sample.spend.indices { days[row].add(sample, row, joins: joins) }
    let worst = sample.statuses.compactMap { $0 }.max()
    everWarning.add(worst.map { $0 != .normal }, joins: joins)
    everCritical.add(worst.map { $0 == .critical }, joins: joins)
    for (kind, row) in replication.events.enumerated() {
      for (month, number) in row.counts.enumerated() { events[kind].means[month] += Double(number) }
    }
    for (row, scans) in replication.heat.enumerated() { heat[row] += scans }
    for (cohort, members) in replication.cohorts.enumerated() {
      for (month, number) in members.enumerated() { living[cohort][month] += Double(number) }
    }
    for (cohort, number) in replication.cohortSignUps.enumerated() {
      signedUp[cohort] += Double(number)
    }
    count += 1
  }

  /// In how many replications a threshold's figure holds, where that is counted.
  func counted(_ expectation: Expectation) -> ThresholdCount? {
    guard let asked = ThresholdCount(expectation, measured) else { return nil }
    return thresholds.first { ($0.row, $0.sign, $0.bound) == (asked.row, asked.sign, asked.bound) }
  }

  /// Adds a replication that was run again with other luck, for where the spread comes from.
  mutating func addAgain(_ replication: Replication) { uncertainty?.addAgain(replication) }

  /// A figure's mean and percentiles; nil where no run has it.
  ///
  /// - Complexity: O(n log n) for n different values.
  package func estimate(of figure: String) -> Estimate? {
    measured.row(of: figure).flatMap { figures[$0].estimate }
  }

  /// Half-width of the 95 % interval of a figure's mean; nil with fewer than two values.
  package func halfWidth(of figure: String) -> Double? {
    measured.row(of: figure).flatMap { figures[$0].halfWidth }
  }

  /// Ends the trial of pairs: utilization of the year decides, or its spend without a budget, and
  /// every other figure that is measured may object.
  mutating func endTrial() {
    let choices = measured.catalog.choices
    let names = [choices.utilisation, choices.spend]
    let decisive = names.first { name in
      measured.row(of: name).map { figures[$0].tally.count == count } ?? false
    }
    guard let decisive, let row = measured.row(of: decisive) else { return }
    let others = zip(measured.figures, figures).compactMap { figure, sample in
      figure.id == decisive ? nil : sample.reduced?.pairGain.map { (figure.id, $0) }
    }
    trial.end(decisive, gain: figures[row].reduced?.pairGain, others: others)
  }

  private mutating func keep(_ replication: Replication) {
    let year = measured.row(of: measured.catalog.choices.utilisation)
    let replay = Projection.Replay(
      number: replication.index, seed: replication.seed, drawn: replication.drawn.texts,
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
  /// Closing Warning or worse, and Critical, where there is a budget; of the whole run, any of its
  /// months.
  var warning = EventCount()
  var critical = EventCount()

  init(label: String) { self.label = label }

  mutating func add(_ month: RunSample.Month, controls: [Double], joins: Bool) {
    func enter(_ value: Double?, _ sample: inout FigureSample) {
      sample.add(value, controls: controls, joins: joins)
    }
    enter(month.spendCash, &spendCash)
    enter(month.spendAccrual, &spendAccrual)
    enter(month.budget, &budget)
    enter(month.utilisation, &utilisation)
    enter(month.projected, &projected)
    count([month], joins: joins)
  }

  mutating func add(
    _ months: [RunSample.Month], cash: Bool, controls: [Double], joins: Bool
  ) {
    func enter(_ value: Double?, _ sample: inout FigureSample) {
      sample.add(value, controls: controls, joins: joins)
    }
    let byCash = months.reduce(0) { $0 + $1.spendCash }
    let byAccrual = months.reduce(0) { $0 + $1.spendAccrual }
    let allowed = months.reduce(0) { $0 + $1.budget }
    enter(byCash, &spendCash)
    enter(byAccrual, &spendAccrual)
    enter(allowed, &budget)
    enter(allowed > 0 ? (cash ? byCash : byAccrual) / allowed : nil, &utilisation)
    count(months, joins: joins)
  }

  private mutating func count(_ months: [RunSample.Month], joins: Bool) {
    let worst = months.compactMap(\.status).max()
    warning.add(worst.map { $0 != .normal }, joins: joins)
    critical.add(worst.map { $0 == .critical }, joins: joins)
  }
}

/// Sums over replications of one day.
struct DaySums: Sendable {
  /// Recognized spend since the run's start.
  var spend = FigureSample(relativeError: ProjectionFold.dayError)
  /// Spend over budget expected for the month's end.
  var projected = FigureSample(relativeError: ProjectionFold.dayError)
  /// Budget since the run's start.
  var budget = 0.0
  /// The day's projection says so, where there is a budget.
  var warning = EventCount()
  var critical = EventCount()

  mutating func add(_ sample: RunSample, _ row: Int, joins: Bool) {
    spend.add(Double(sample.spend[row]))
    if let share = sample.projected[row] { projected.add(Double(share) / 10_000) }
    budget += Double(sample.budget[row])
    let status = sample.statuses[row]
    warning.add(status.map { $0 != .normal }, joins: joins)
    critical.add(status.map { $0 == .critical }, joins: joins)
  }
}
