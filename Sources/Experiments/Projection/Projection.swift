internal import EventKernel
package import RewardModel

/// What many replications of one scenario say together.
package struct Projection: Sendable {
  /// One figure of the year.
  package struct Figure: Sendable {
    package var description: FigureDescription
    package var estimate: Estimate

    /// Its id.
    package var name: String { description.id }
    package var unit: MeasureUnit { description.unit }
  }

  /// How often something happened.
  package struct Chance: Sendable {
    package var happened: Int
    package var of: Int
    /// The exact 95 % interval, which counts pairs as such.
    package var low: Double
    package var high: Double

    package var share: Double { of > 0 ? Double(happened) / Double(of) : 0 }

    /// - Parameters:
    ///   - happened: In how many replications it happened, at most `count`.
    ///   - count: 0 or more; of none, the interval is everything.
    ///   - pairs: Those that ran in antithetic pairs.
    package init(_ happened: Int, of count: Int, pairs: PairCounts = PairCounts()) {
      self.happened = happened
      of = count
      let interval = try? Proportion(successes: happened, trials: count, pairs: pairs).exact()
      low = interval?.low ?? 0
      high = interval?.high ?? 1
    }

    /// Of nothing, where no replication could tell.
    init(_ count: EventCount) {
      self.init(
        count.happened, of: count.told > 0 ? count.of : 0,
        pairs: count.told > 0 ? count.pairs : PairCounts())
    }
  }

  /// One local month, or the whole run.
  package struct Period: Sendable {
    package var label: String
    package var spendCash: Estimate
    package var spendAccrual: Estimate
    package var budget: Estimate
    /// Recognized spend over budget.
    package var utilisation: Estimate?
    /// The same as the month's middle day expects it for the month's end; nil of the whole run.
    package var projected: Estimate?
    /// A month closing Warning or worse, and Critical; of the whole run, any of its months.
    package var warning: Chance
    package var critical: Chance
    /// The upper tail of recognized spend, by the levels of `Projection.levels`.
    package var tails: [TailRisk]
  }

  /// One day.
  package struct Day: Sendable {
    /// P5, P10, P50, P90, P95 of recognized spend so far, in USDT.
    package var spend: [Double]
    /// Mean budget so far.
    package var budget: Double
    /// P5, P10, P50, P90, P95 of the spend over budget that the day expects for its month's end;
    /// empty where no replication expects any.
    package var projected: [Double]
    /// The mean of the same.
    package var projectedMean: Double?
    /// How often the day's projection says Warning or worse, and Critical.
    package var warning: Chance
    package var critical: Chance
  }

  /// Events of one kind.
  package struct Events: Sendable, Equatable {
    package var kind: String
    /// Their mean number by month.
    package var means: [Double]

    /// Mean counts of one kind of event.
    package init(kind: String, means: [Double]) {
      self.kind = kind
      self.means = means
    }
  }

  /// A replication by what replays it.
  package struct Replay: Sendable, Equatable {
    package var number: Int
    package var seed: UInt64
    /// What was drawn for it, each `path=value`.
    package var drawn: [String] = []
    /// Of the whole run; nil without a budget.
    package var utilisation: Double?

    var rank: Double { utilisation ?? -.infinity }
  }

  /// A point of an exceedance curve.
  package struct Exceedance: Sendable, Equatable {
    /// Spend of the whole run, in USDT.
    package var spend: Double
    /// Share of replications that spend at least so much.
    package var share: Double
  }

  /// Levels of value at risk and expected shortfall.
  package static let levels = [0.95, 0.99]
  /// Points of the exceedance curve at most.
  package static let exceedanceLimit = 1_000

  package let count: Int
  package let seed: UInt64
  package let dates: [String]
  /// What was measured, whether or not a replication has it.
  package let measured: MeasuredFigures
  package let figures: [Figure]
  package let months: [Period]
  /// All months together; nil without a month.
  package let year: Period?
  package let days: [Day]
  /// Any day's projection says Warning or worse, and Critical.
  package let everWarning: Chance
  package let everCritical: Chance
  /// What no replication had, whatever it is.
  package let unseen: Chance
  /// Falling shares over recognized spend of the whole run.
  package let exceedance: [Exceedance]
  /// What a program counts one by one, by kind.
  package let events: [Events]
  /// Mean of what members did by weekday and hour, 168 rows.
  package let heat: [Double]
  /// Share of all who signed up in each cohort's month who are still there at each month's end from
  /// its own on; NaN of a cohort without sign-ups.
  package let retention: [[Double]]
  /// The replications of highest utilization, the highest first.
  package let highest: [Replay]
  /// 0 where all percentiles are exact, otherwise `PercentileSketch.relativeError`: the largest
  /// error of an order statistic as a share of its distance from the median, or of the mean distance
  /// where that is more.
  package let percentileError: Double
  /// What became of antithetic pairs.
  package let trial: PairTrial
  /// How far it came toward a precision; nil where none was asked for.
  package let precision: PrecisionGoal?
  /// Where the spread of the main figures comes from; empty where all settings are certain.
  package let spreads: [UncertaintySample.Spread]
  /// Paths of the settings that were drawn, and how many of the draws were run twice.
  package let uncertain: [String]
  package let repeated: Int
  /// Whether some settings were drawn together, so that the shares that they explain overlap.
  package let areTogether: Bool

  /// Which of the months were run in part.
  package var partialMonths: PartialMonths { PartialMonths(dates: dates, count: months.count) }
  /// The months and the whole run with their names in tables, where a star marks a month that was run
  /// in part.
  package var periods: [(name: String, period: Period)] {
    let partial = partialMonths
    return months.enumerated().map { ($1.label + partial.star($0), $1) }
      + (year.map { [($0.label, $0)] } ?? [])
  }

  /// Sums up replications of one scenario.
  ///
  /// - Parameters:
  ///   - fold: Of at least one replication.
  ///   - seed: The scenario's; it also names the bootstrap resamples of the tails.
  ///   - dates: The run's days.
  /// - Complexity: O((days + figures) × n) for n replications, and 1,000 resamples of the tails.
  package init(_ fold: ProjectionFold, seed: UInt64, dates: [String]) {
    let n = Double(max(fold.count, 1))
    count = fold.count
    self.seed = seed
    self.dates = dates
    measured = fold.measured
    figures = zip(fold.measured.figures, fold.figures).compactMap { figure, sample in
      sample.estimate.map { Figure(description: figure, estimate: $0) }
    }
    trial = fold.trial
    precision = fold.precision
    spreads = fold.uncertainty?.spreads ?? []
    uncertain = fold.uncertainty?.names ?? []
    areTogether = fold.uncertainty?.areTogether ?? false
    repeated = fold.uncertainty?.repeated ?? 0
    months = fold.months.compactMap { Period($0, of: fold, seed: seed) }
    year = Period(fold.year, of: fold, seed: seed)
    days = fold.days.map { Day($0, of: fold.count) }
    everWarning = Chance(fold.everWarning)
    everCritical = Chance(fold.everCritical)
    unseen = Chance(
      0, of: fold.count, pairs: PairCounts(none: fold.everCritical.pairs.count))
    let spend = fold.basis == .cash ? fold.year.spendCash : fold.year.spendAccrual
    exceedance = Projection.exceedance(spend.ordered?.sorted ?? [])
    events = fold.events.map { Events(kind: $0.kind, means: $0.means.map { $0 / n }) }
    heat = fold.heat.map { $0 / n }
    retention = zip(fold.living, fold.signedUp).map { living, signedUp in
      living.map { signedUp > 0 ? $0 / signedUp : .nan }
    }
    highest = fold.highest
    let samples = fold.figures + fold.months.flatMap(\.samples) + fold.year.samples
    percentileError =
      samples.lazy.map(\.sketch).filter { !$0.isExact }.map(\.relativeError)
      .max() ?? 0
  }

  /// The share of values that are at least so great, at no more than `exceedanceLimit` of them:
  /// all, or the least, the greatest and those at even steps of rank between them. Equal values
  /// are one point.
  ///
  /// - Parameter values: Ascending.
  package static func exceedance(_ values: [Double]) -> [Exceedance] {
    let points = min(values.count, exceedanceLimit)
    var curve: [Exceedance] = []
    for point in 0..<points {
      let row = points == values.count ? point : point * (values.count - 1) / (points - 1)
      guard values[row] != curve.last?.spend else { continue }
      let first = values.firstIndex(of: values[row]) ?? row
      curve.append(
        Exceedance(
          spend: values[row], share: Double(values.count - first) / Double(values.count)))
    }
    return curve
  }
}

extension Projection.Period {
  /// Nil without a value.
  init?(_ sums: PeriodSums, of fold: ProjectionFold, seed: UInt64) {
    guard let spendCash = sums.spendCash.estimate,
      let spendAccrual = sums.spendAccrual.estimate, let budget = sums.budget.estimate
    else { return nil }
    label = sums.label
    self.spendCash = spendCash
    self.spendAccrual = spendAccrual
    self.budget = budget
    utilisation = sums.utilisation.estimate
    projected = sums.projected.estimate
    warning = Projection.Chance(sums.warning)
    critical = Projection.Chance(sums.critical)
    let spend = fold.basis == .cash ? sums.spendCash : sums.spendAccrual
    let losses = spend.ordered
    tails = Projection.levels.compactMap { level in
      losses.flatMap { try? TailRisk($0, probability: level, seed: seed, pairs: spend.pairs) }
    }
  }
}

extension Projection.Day {
  init(_ sums: DaySums, of count: Int) {
    func percentiles(_ sample: FigureSample) -> [Double] {
      guard let ordered = sample.ordered else { return [] }
      return Estimate.shares.compactMap { try? ordered.interpolated($0) }
    }
    spend = percentiles(sums.spend)
    budget = sums.budget / Double(max(count, 1))
    projected = percentiles(sums.projected)
    projectedMean = projected.isEmpty ? nil : sums.projected.tally.mean
    warning = Projection.Chance(sums.warning)
    critical = Projection.Chance(sums.critical)
  }
}

extension PeriodSums {
  var samples: [FigureSample] { [spendCash, spendAccrual, budget, utilisation, projected] }
}
