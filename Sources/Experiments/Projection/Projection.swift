internal import Rulebook

/// What many replications of one scenario say together.
package struct Projection: Sendable {
  /// One figure of the year.
  package struct Figure: Sendable {
    package var name: String
    package var unit: FigureCatalog.Unit
    package var estimate: Estimate
  }

  /// How often something happened.
  package struct Chance: Sendable {
    package var happened: Int
    package var of: Int
    /// The Wilson 95 % interval.
    package var low: Double
    package var high: Double

    package var share: Double { of > 0 ? Double(happened) / Double(of) : 0 }

    /// - Parameter count: 0 or more; of none, the interval is everything.
    package init(_ happened: Int, of count: Int) {
      self.happened = happened
      of = count
      let interval = try? Proportion(successes: happened, trials: count).wilson()
      low = interval?.low ?? 0
      high = interval?.high ?? 1
    }
  }

  /// The upper tail of a month's spend.
  package struct Tail: Sendable {
    /// The level, 0.95 or 0.99.
    package var level: Double
    /// Spend that is exceeded in the share 1 − level of replications.
    package var valueAtRisk: Double
    /// Mean spend in that share of replications: the expected shortfall (Rockafellar and Uryasev
    /// 2000, doi:10.21314/JOR.2000.038).
    package var expectedShortfall: Double
  }

  /// One local month.
  package struct Month: Sendable {
    package var label: String
    package var spendCash: Estimate
    package var spendAccrual: Estimate
    package var budget: Estimate
    package var utilisation: Estimate?
    /// Closing Warning or worse, and Critical.
    package var warning: Chance
    package var critical: Chance
    /// Of recognised spend, at 95 and 99 %.
    package var tails: [Tail]
  }

  /// One day.
  package struct Day: Sendable {
    /// P5, P10, P50, P90, P95 of recognised spend so far, in USDT.
    package var spend: [Double]
    /// Mean budget so far.
    package var budget: Double
    /// Shares of replications whose projection says Warning or worse, and Critical.
    package var warning: Double
    package var critical: Double
  }

  package let count: Int
  package let seed: UInt64
  package let dates: [String]
  package let figures: [Figure]
  package let months: [Month]
  package let days: [Day]
  /// Any month closing Warning or worse, and Critical.
  package let warning: Chance
  package let critical: Chance
  /// Spend of the whole run in ascending order, one a replication.
  package let yearSpend: [Double]
  package let prizes: [String]
  /// Mean awards by prize and month.
  package let awards: [[Double]]
  /// Mean accepted scans by weekday and hour, 168 rows.
  package let heat: [Double]
  /// Mean share of each cohort still there at each month's end from its own on.
  package let retention: [[Double]]
  /// Seeds by replication, with utilisation of the year: what to replay.
  package let replays: [(seed: UInt64, utilisation: Double?)]

  /// Sums up replications of one scenario.
  ///
  /// - Parameter replications: At least one; all of the same calendar.
  package init(
    _ replications: [Replication], catalog: FigureCatalog, seed: UInt64, dates: [String],
    prizes: [String], cash: Bool
  ) {
    let n = Double(replications.count)
    count = replications.count
    self.seed = seed
    self.dates = dates
    self.prizes = prizes
    figures = catalog.names.enumerated().compactMap { row, name in
      Estimate(replications.compactMap { $0.figures[row] }).map {
        Figure(name: name, unit: FigureCatalog.unit(of: name), estimate: $0)
      }
    }
    let first = replications[0]
    months = first.months.indices.compactMap { Projection.month($0, replications, cash) }
    days = first.spend.indices.map { Projection.day($0, replications) }
    func chance(_ holds: (BudgetStatus) -> Bool) -> Chance {
      Chance(
        replications.count { $0.months.contains { $0.status.map(holds) ?? false } },
        of: replications.count)
    }
    warning = chance { $0 != .normal }
    critical = chance { $0 == .critical }
    yearSpend = replications.map { Double($0.spend.last ?? 0) }.sorted()
    awards = first.awards.indices.map { prize in
      first.months.indices.map { month in
        replications.reduce(0) { $0 + Double($1.awards[prize][month]) } / n
      }
    }
    heat = (0..<168).map { row in replications.reduce(0) { $0 + $1.heat[row] } / n }
    retention = first.cohorts.indices.map { Projection.retention($0, replications) }
    let year = catalog.row(of: "budget.utilisation.year")
    replays = replications.map { row in (row.seed, year.flatMap { row.figures[$0] }) }
  }

  private static func month(
    _ row: Int, _ replications: [Replication], _ cash: Bool
  ) -> Month? {
    let months = replications.map { $0.months[row] }
    guard let spendCash = Estimate(months.map(\.spendCash)),
      let spendAccrual = Estimate(months.map(\.spendAccrual)),
      let budget = Estimate(months.map(\.budget))
    else { return nil }
    let spend = months.map { cash ? $0.spendCash : $0.spendAccrual }.sorted()
    return Month(
      label: months[0].label, spendCash: spendCash, spendAccrual: spendAccrual, budget: budget,
      utilisation: Estimate(months.compactMap(\.utilisation)),
      warning: Chance(
        months.count { $0.status.map { $0 != .normal } ?? false }, of: months.count),
      critical: Chance(months.count { $0.status == .critical }, of: months.count),
      tails: [0.95, 0.99].map { tail(spend, level: $0) })
  }

  /// The tail of losses.
  ///
  /// `TailRisk` has the same expected shortfall; its value at risk is an order statistic, which is
  /// observed, while this one interpolates as all percentiles of a projection do.
  ///
  /// - Parameter losses: Ascending, not empty.
  package static func tail(_ losses: [Double], level: Double) -> Tail {
    let valueAtRisk = Estimate.quantile(level, of: losses)
    // The mean of the worst share, its last part taken in proportion.
    var left = (1 - level) * Double(losses.count)
    let share = left
    var sum = 0.0
    for loss in losses.reversed() {
      let weight = min(1, left)
      sum += weight * loss
      left -= weight
      if left <= 0 { break }
    }
    return Tail(
      level: level, valueAtRisk: valueAtRisk,
      expectedShortfall: share > 0 ? max(sum / share, valueAtRisk) : valueAtRisk)
  }

  private static func day(_ row: Int, _ replications: [Replication]) -> Day {
    let spend = replications.map { Double($0.spend[row]) }.sorted()
    let n = Double(replications.count)
    return Day(
      spend: Estimate.shares.map { Estimate.quantile($0, of: spend) },
      budget: replications.reduce(0) { $0 + Double($1.budget[row]) } / n,
      warning: Double(
        replications.count { $0.statuses[row].map { $0 != .normal } ?? false }) / n,
      critical: Double(replications.count { $0.statuses[row] == .critical }) / n)
  }

  private static func retention(_ cohort: Int, _ replications: [Replication]) -> [Double] {
    let columns = replications[0].cohorts[cohort].count
    return (0..<columns).map { column in
      var living = 0.0
      var began = 0.0
      for row in replications where row.cohorts.count > cohort {
        living += Double(row.cohorts[cohort][column])
        began += Double(row.cohorts[cohort].first ?? 0)
      }
      return began > 0 ? living / began : 0
    }
  }
}
