package import BlakJaks
package import Quantities
internal import RewardModel

/// What one replication left behind: enough for every figure of an experiment, and no more.
///
/// About 30 KiB for a year, whatever the number of members.
package struct Replication: Sendable {
  /// One local month.
  package struct Month: Sendable {
    /// `YYYY-MM`.
    package var label: String
    /// In USDT.
    package var spendCash: Double
    package var spendAccrual: Double
    package var budget: Double
    /// Recognised spend over budget; nil without a budget.
    package var utilisation: Double?
    package var status: BudgetStatus?
    /// Spend over budget that the month's middle day expects for its end; nil where it expects
    /// none.
    package var projected: Double?
  }

  /// Number of the replication in its experiment, from 0.
  package let index: Int
  /// The seed that replays it with `pitboss run`.
  package let seed: UInt64
  package let fingerprint: String
  package let months: [Month]
  /// Recognised spend and budget in USDT, cumulative at each day's end.
  package let spend: [Float]
  package let budget: [Float]
  /// The status of each day by its projection; nil without a budget.
  package let statuses: [BudgetStatus?]
  /// Spend over budget in basis points that each day expects for its month's end; nil without a
  /// budget.
  package let projected: [Int64?]
  /// Figures by their place in `FigureCatalog`; nil where the run does not have one.
  package let figures: [Double?]
  /// Awards by prize and month.
  package let awards: [[Int]]
  /// Accepted scans by weekday (Monday first) and local hour, 168 rows.
  package let heat: [Double]
  /// Living members of each cohort at each month's end: one row a cohort, one column a month from
  /// its own on.
  package let cohorts: [[Int64]]
  /// Figures whose expectation is 0 whatever the scenario (`PurchaseControls`); empty without.
  package let controls: [Double]

  /// Takes what is needed out of a run's record.
  package init(_ record: BlakJaksRecord, index: Int, catalog: FigureCatalog, fingerprint: String) {
    self.index = index
    seed = record.seed
    self.fingerprint = fingerprint
    let cash = record.recognisesCash
    let labels = record.days.map(\.date.monthLabel)
    months = record.months.map { month in
      let spend = cash ? month.spendCash : month.spendAccrual
      let budget = month.budget.usdt
      let days = labels.indices.filter { labels[$0] == month.month }
      let middle =
        days.isEmpty ? nil : record.days[days[(days.count - 1) / 2]].projectedBasisPoints
      return Month(
        label: month.month, spendCash: month.spendCash.usdt,
        spendAccrual: month.spendAccrual.usdt, budget: budget,
        utilisation: budget > 0 ? spend.usdt / budget : nil, status: month.status,
        projected: middle.map(Replication.share))
    }
    let share = record.poolShare
    var spent = 0.0
    var earned = 0.0
    var spendRows: [Float] = []
    var budgetRows: [Float] = []
    for day in record.days {
      spent += (cash ? day.spendCash : day.spendAccrual).usdt
      earned += day.grossProfit.usdt * share
      spendRows.append(Float(spent))
      budgetRows.append(Float(earned))
    }
    spend = spendRows
    budget = budgetRows
    statuses = record.days.map(\.status)
    projected = record.days.map(\.projectedBasisPoints)
    figures = catalog.names.map { record.experimentFigure($0) }
    var counts = record.prizes.map { _ in [Int](repeating: 0, count: record.months.count) }
    let calendar = MonthIndex(record)
    for award in record.awards {
      guard let row = record.prizes.firstIndex(where: { $0.prize.name == award.prize }),
        let month = calendar.month(of: award.time)
      else { continue }
      counts[row][month] += 1
    }
    awards = counts
    heat = Replication.heat(record)
    cohorts = Replication.cohorts(record)
    controls = record.controls.map { [$0.purchases, $0.tins] } ?? []
  }

  /// Basis points as a share.
  static func share(_ basisPoints: Int64) -> Double { Double(basisPoints) / 10_000 }

  private static func heat(_ record: BlakJaksRecord) -> [Double] {
    var sums = [Double](repeating: 0, count: 168)
    for (day, hours) in zip(record.days, record.scanHours) {
      for (hour, count) in hours.enumerated() {
        sums[day.date.weekday * 24 + hour] += Double(count)
      }
    }
    return sums
  }

  private static func cohorts(_ record: BlakJaksRecord) -> [[Int64]] {
    let ends = record.days.indices.filter { row in
      row + 1 == record.days.count || record.days[row + 1].date.day == 1
    }
    return record.series.filter { $0.key.hasPrefix("cohort.") }.map { series in
      ends.compactMap { series.values[$0] }
    }
  }
}

/// The months of a record's awards, by binary search over the month's first instants.
private struct MonthIndex {
  private var starts: [Instant] = []

  init(_ record: BlakJaksRecord) {
    guard
      let calendar = try? ProgrammeCalendar(
        zone: record.zone, firstDate: record.days.first?.date ?? CivilDate("1970-01-01")!,
        days: record.days.count)
    else { return }
    starts = (0..<calendar.dayCount).filter { $0 == 0 || calendar.startsMonth($0) }
      .map { calendar.dayStarts[$0] }
  }

  func month(of instant: Instant) -> Int? { starts.lastIndex { $0 <= instant } }
}

extension MicroUSDT {
  /// In USDT, for statistics only.
  package var usdt: Double { Double(microunits) / 1e6 }
}
