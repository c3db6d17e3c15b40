package import Quantities
internal import RewardModel

/// One finished run, with figures that its record holds only in parts.
package struct RunFigures: Sendable {
  package let record: BlakJaksRecord
  let rules: ProgrammeRules
  /// How members behave, as the settings of the record say it.
  let population: PopulationSettings
  /// The run at its last day's end; nil for a run without days.
  let atEnd: InsightsAsOf?
  package let grossProfit: MicroUSDT
  package let budget: MicroUSDT
  package let spendCash: MicroUSDT
  package let spendAccrual: MicroUSDT
  /// Which months were run in part.
  let partialMonths: PartialMonths
  /// What it costs in all, and who carries it.
  package let cost: ProgrammeCost
  /// What was awarded, the largest first.
  package let eaters: [Eater]
  /// What takes the budget, the largest first: what is paid from the comp pool, and trips as they
  /// are recognized.
  package let budgetEaters: [Eater]

  /// One line of the payout ledger, or what trips accrued.
  package struct Eater: Sendable {
    /// Nil for a line that this version does not know, and for what trips accrued.
    package var type: PayoutType?
    /// As people read it.
    package var name: String
    package var total: MicroUSDT
    /// The account that it is charged to.
    package var carrier: ChargeAccount
    /// Of the run's budget; nil without one.
    package var shareOfBudget: Int64?
    /// Whether it is what trips accrued, won or not.
    package var isAccrued = false
  }

  /// - Complexity: O(rows of the record).
  package init(_ record: BlakJaksRecord) {
    // All that is made of the record then finds the rules there: reading hundreds of settings takes
    // as long as the figures.
    var record = record
    let settings = BlakJaksSettings(recorded: record.settings)
    let rules = record.rules ?? ProgrammeRules(settings, prizes: record.prizes.map(\.prize))
    record.rules = rules
    self.record = record
    self.rules = rules
    population = settings.population
    atEnd = try? InsightsAsOf(record)
    let months = record.months
    grossProfit = PageSums.sum(months.map(\.grossProfit))
    let budget = PageSums.sum(months.map(\.budget))
    self.budget = budget
    spendCash = PageSums.sum(months.map(\.spendCash))
    spendAccrual = PageSums.sum(months.map(\.spendAccrual))
    partialMonths = PartialMonths(record.header, count: months.count)
    cost = ProgrammeCost(record)
    eaters = Self.largestFirst(
      record.payouts.map { row in
        let type = record.type(of: row)
        return Eater(
          type: type, name: type?.label(rules) ?? row.type, total: row.total,
          carrier: record.charge(of: row, rules),
          shareOfBudget: BudgetHealth.utilisation(spend: row.total, budget: budget))
      })
    budgetEaters = Self.budgetEaters(eaters, record, cost, budget)
  }

  private static func largestFirst(_ eaters: [Eater]) -> [Eater] {
    eaters.filter { $0.total > .zero }.enumerated()
      .sorted { ($1.element.total, $0.offset) < ($0.element.total, $1.offset) }
      .map(\.element)
  }

  /// Where trips count as they accrue, what they accrued takes the place of what was won.
  private static func budgetEaters(
    _ eaters: [Eater], _ record: BlakJaksRecord, _ cost: ProgrammeCost, _ budget: MicroUSDT
  ) -> [Eater] {
    let charged = eaters.filter { $0.carrier == .compPool }
    guard !record.recognisesCash, record.rulesInForce.compPool.charges.trip == .compPool else {
      return charged
    }
    let trips = record.prizes.indices.filter { record.prizes[$0].prize.kind == .trip }
    func isTrip(_ eater: Eater) -> Bool { trips.contains { eater.type == .prize($0) } }
    let accrued = PageSums.sum(charged.filter(isTrip).map(\.total) + [cost.setAside])
    return largestFirst(
      charged.filter { !isTrip($0) } + [
        Eater(
          type: nil, name: trips.count == 1 ? record.prizes[trips[0]].prize.name : "Trips",
          total: accrued, carrier: .compPool,
          shareOfBudget: BudgetHealth.utilisation(spend: accrued, budget: budget),
          isAccrued: true)
      ])
  }

  /// A month as people read it, with a star when it was run in part.
  func label(_ index: Int) -> String {
    PageWords.monthName(record.months[index].month) + partialMonths.star(index)
  }

  /// How many months have a status.
  func months(_ status: BudgetStatus) -> Int { record.months.count { $0.status == status } }

  /// A daily series at the run's end, or why there is none.
  func value(_ series: String) -> PageValue { atEnd?.value(series) ?? .none }

  /// How trips count, in words.
  var recognition: String { rules.compPool.recognition.rawValue }

  /// Spend as the program recognizes it, of the whole run.
  var spend: MicroUSDT { rules.compPool.recognition == .cash ? spendCash : spendAccrual }

  /// Recognized spend of a month.
  func spend(_ month: BlakJaksRecord.MonthRow) -> MicroUSDT {
    rules.compPool.recognition == .cash ? month.spendCash : month.spendAccrual
  }

  /// Recognized spend over budget in basis points, of the whole run; nil without a budget.
  var utilisation: Int64? { BudgetHealth.utilisation(spend: spend, budget: budget) }

  /// Budget less recognized spend; negative when the budget did not last.
  var left: MicroUSDT { PageSums.difference(budget, spend) }

  /// Spend of the whole run against its budget, as words and with what it means.
  func share(of spend: MicroUSDT) -> JudgedShare {
    let status = BudgetHealth.status(spend: spend, budget: budget, rules: rules.health)
    return JudgedShare(
      BudgetHealth.utilisation(spend: spend, budget: budget), status, rules.health)
  }

  /// A month's utilization, as words and with what it means.
  func share(_ month: BlakJaksRecord.MonthRow) -> JudgedShare {
    JudgedShare(month.utilisationBasisPoints, month.status, rules.health)
  }

  /// What a day, by its row, expected of its month's end.
  func projected(_ row: Int) -> JudgedShare {
    JudgedShare(record.projected(row), record.days[row].status, rules.health)
  }

  /// The bounds of Warning and Critical in percent, for plots.
  var bounds: [(value: Double, tone: PageTone)] {
    [
      (Double(rules.health.warning.rawValue) / 100, .caution),
      (Double(rules.health.critical.rawValue) / 100, .bad),
    ]
  }

  /// Members of each tier at the end in tenths of a percent that add up.
  var tierShares: [Int64?] {
    PageSums.shares(of: Tier.allCases.map { record.tiers[$0] }, grain: 10)
  }

  /// Shares of the payout ledger's lines that add up; those of nothing are 0.
  var payoutShares: [Int64] {
    PageSums.shares(of: record.payouts.map(\.total.microunits)).map { $0 ?? 0 }
  }

  /// How large the run was.
  var size: String { PageWords.counted(record.members, "member", "members") }

  /// What the run's speed is counted in.
  var pace: ReportPace { ReportPace("scans", record.acceptedScans) }
}

extension BlakJaksRecord {
  /// What a day, by its row, expected of its month's end in basis points. On the last day of a month of
  /// which the record has all days nothing is left to project: it is what was used, rounded as that is.
  package func projected(_ row: Int) -> Int64? {
    let date = days[row].date
    let label = date.monthLabel
    guard date.adding(days: 1).monthLabel != label,
      opening.acceptedScans == 0 || row + 1 >= date.day,
      let month = months.first(where: { $0.month == label })
    else { return days[row].projectedBasisPoints }
    return month.utilisationBasisPoints
  }
}
