import BlakJaks
import Experiments
import Quantities
import RewardModel
import Scenario
import TestSupport

/// What every experiment with BlakJaks measures.
let measured = MeasuredFigures(BlakJaksProgramme.figures)

/// A figure of BlakJaks by its id.
func figure(_ id: String) -> FigureDescription { BlakJaksProgramme.figures.figure(id)! }

/// A condition on runs of BlakJaks.
func readObjective(_ text: String) throws(Objective.Refusal) -> Objective {
  try Objective(text, figures: BlakJaksProgramme.figures)
}

/// A small scenario with overrides.
func smallScenario(_ overrides: String...) throws -> Scenario {
  try Scenario.load(
    text: "name: small\nseed: 7\npopulation: {members: 120}\ncalendar: {days: 70}\n",
    file: "small.yaml", overrides: overrides.map { SettingOverride(argument: $0) })
}

/// A runner of a scenario whose digest is the run's rows, written out.
func smallRunner(
  _ scenario: Scenario, threads: Int = 2, asked: [String] = []
) throws -> ReplicationRunner {
  ReplicationRunner(
    try scenario.plan(), asked: asked, threads: threads,
    fingerprint: { ($0 as? BlakJaksRecord).map(rows) ?? "" })
}

/// The rows of a run, written out.
func rows(_ record: BlakJaksRecord) -> String {
  "\(record.days)\(record.months)\(record.awards)\(record.payouts)\(record.accounts)"
}

extension [Replication] {
  /// One figure of every replication that has it.
  func figures(_ name: String) throws -> [Double] {
    let row = measured.row(of: name)
    return compactMap { replication in row.flatMap { replication.figures[$0] } }
  }
}

/// Four days over the end of 2026 with two months, written by hand.
struct HandmadeRun {
  /// What either month spends and may spend, in whole USDT; no budget is none.
  var spend: [Int64] = [40, 60]
  var budget: [Int64] = [100, 100]
  var status: [BudgetStatus?] = [.normal, .normal]
  /// Status of the four days.
  var days: [BudgetStatus?] = [.normal, .normal, .normal, .normal]
  /// Spend over budget that the four days expect for their month's end, in basis points.
  var projected: [Int64?] = [3_000, 4_000, 5_000, 6_000]
  /// Awards of the one prize, by month.
  var awards = [0, 0]
  /// Living members of the cohorts of either month at the four days' ends.
  var cohorts: [[Int64?]] = [[10, 10, 9, 8], [nil, nil, 4, 4]]
  /// Accepted scans of each day's hour 5.
  var scans: Int64 = 0
  var seed: UInt64 = 1
  var cash = false
  var health = BudgetHealthRules()

  static let dates = ["2026-12-30", "2026-12-31", "2027-01-01", "2027-01-02"]

  private func usdt(_ whole: Int64) -> MicroUSDT { MicroUSDT(microunits: whole * 1_000_000) }

  var record: BlakJaksRecord {
    var record = BlakJaksRecord()
    record.seed = seed
    record.zone = "UTC"
    var rules = ProgrammeRules()
    rules.compPool.share = BasisPoints(5_000)
    rules.compPool.recognition = cash ? .cash : .accrual
    rules.health = health
    record.rules = rules
    record.months = (0..<2).map { month in
      var row = BlakJaksRecord.MonthRow(month: ["2026-12", "2027-01"][month])
      row.budget = usdt(budget[month])
      row.spendAccrual = usdt(spend[month])
      row.spendCash = usdt(spend[month] * 2)
      row.status = status[month]
      row.utilisationBasisPoints =
        budget[month] > 0 ? spend[month] * (cash ? 2 : 1) * 10_000 / budget[month] : nil
      return row
    }
    record.days = (0..<4).map { day in
      var row = BlakJaksRecord.DayRow(date: CivilDate(HandmadeRun.dates[day])!)
      row.grossProfit = usdt(budget[day / 2])
      row.spendAccrual = MicroUSDT(microunits: spend[day / 2] * 500_000)
      row.spendCash = usdt(spend[day / 2])
      row.signups = [15, 5, 8, 0][day]
      row.status = days[day]
      row.projectedBasisPoints = projected[day]
      return row
    }
    record.scanHours = (0..<4).map { _ in (0..<24).map { $0 == 5 ? scans : 0 } }
    let prize = Prize(
      name: "Trip", kind: .trip, amount: usdt(1), every: 10, requiredTier: .standard)
    record.prizes = [
      BlakJaksRecord.PrizeRow(prize: prize, awarded: 0, waiting: 0, nextDue: 10, away: 10)
    ]
    let noon = record.days.map { row in
      try! ProgrammeCalendar(zone: "UTC", firstDate: row.date, days: 1).dayStarts[0] + .hours(12)
    }
    for month in 0..<2 {
      for award in 0..<awards[month] {
        record.awards.append(
          BlakJaksRecord.AwardRow(
            award: Int64(award + 1), prize: "Trip", kind: .trip, amount: usdt(1), dueScan: 1,
            wonScan: 1, time: noon[month * 2 + 1], member: "1"))
      }
    }
    record.series = cohorts.enumerated().map { row, values in
      BlakJaksRecord.Series(
        key: "cohort.\(["2026-12", "2027-01"][row])", unit: .count, values: values)
    }
    return record
  }

  func replication(_ index: Int = 0) -> Replication {
    Replication(
      record, of: BlakJaksProgramme.self, index: index, measured: measured, fingerprint: "")
  }
}

/// What hand-made replications say together.
func projection(of runs: [HandmadeRun]) -> Projection {
  Projection(
    fold(runs.enumerated().map { $1.replication($0) }), seed: 1, dates: HandmadeRun.dates)
}

/// Replications summed up.
func fold(_ replications: [Replication]) -> ProjectionFold {
  var fold = ProjectionFold(measured: measured)
  for replication in replications { fold.add(replication) }
  return fold
}
