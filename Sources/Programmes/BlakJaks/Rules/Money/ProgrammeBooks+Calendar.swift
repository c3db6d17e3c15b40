package import Quantities
internal import RewardModel

/// Days, weeks and months of the books, and how the open month's budget is projected.
extension ProgrammeBooks {
  /// Whether the current day is a Monday, whose 05:00 pays the weekly pool.
  package var isMonday: Bool { date.weekday == 0 }

  /// Closes the current day and opens the next; closes the month, the week and the chips' month
  /// where they end with it.
  ///
  /// - Throws: `MoneyError.overflow`.
  package mutating func turnDay() throws(MoneyError) {
    try closeDay()
    today += 1
    date = date.adding(days: 1)
    if date.day == 1 {
      try closeMonth(date.adding(days: -1).monthLabel)
      affiliates.turnMonth(to: date)
    }
    if date.weekday == 0 {
      closedWeekGrossProfit = try closedWeekGrossProfit.adding(weekGrossProfit)
      weekGrossProfit = .zero
    }
    chipLot = affiliates.lot(ofScanOn: date)
    health = try projection(daysOver: date.day - 1, restFrom: date).status
  }

  /// The current day as it would be closed now.
  ///
  /// - Parameter isOver: Whether it ends now; else it is none of the days that are over, from which
  ///   the month is projected.
  /// - Throws: `MoneyError.overflow`.
  package func dayNow(isOver: Bool) throws(MoneyError) -> Day {
    var ended = self
    ended.closed.days = []
    try ended.closeDay(isOver: isOver)
    return ended.closed.days[0]
  }

  /// Closes the last day and month. Nothing may be posted afterwards.
  ///
  /// - Parameter hasToday: Whether any time of the current day has passed. A run that was stopped at a
  ///   midnight has nothing of the day that begins there, nor of the month where it is the first.
  /// - Throws: `MoneyError.overflow`.
  package mutating func close(hasToday: Bool = true) throws(MoneyError) {
    if hasToday { try closeDay() }
    if hasToday || date.day > 1 { try closeMonth(date.monthLabel) }
  }

  private mutating func closeDay(isOver: Bool = true) throws(MoneyError) {
    month.tinsSold += day.tinsSold
    month.acceptedScans += day.acceptedScans
    month.grossProfit = try month.grossProfit.adding(day.grossProfit)
    month.spendCash = try month.spendCash.adding(day.spendCash)
    month.spendAccrual = try month.spendAccrual.adding(day.spendAccrual)
    monthWeight += rules.health.weekdayWeights[date.weekday]
    let projected = try projection(
      daysOver: isOver ? date.day : date.day - 1, restFrom: date.adding(days: 1))
    scansYesterday = day.acceptedScans
    closed.days.append(
      Day(
        date: date, sums: day, projectedBasisPoints: projected.basisPoints,
        status: projected.status))
    day = Sums()
  }

  private mutating func closeMonth(_ label: String) throws(MoneyError) {
    let budget = try month.grossProfit.share(rules.compPool.share)
    let spend = recognised(month)
    closed.months.append(
      Month(
        label: label, sums: month, budget: budget,
        utilisationBasisPoints: BudgetHealth.utilisation(spend: spend, budget: budget),
        status: BudgetHealth.status(spend: spend, budget: budget, rules: rules.health)))
    lastMonth = BudgetHealth.Basis(spend: spend, budget: budget, weight: monthWeight)
    month = Sums()
    monthWeight = 0
  }

  /// Spend as the recognition setting counts it.
  package func recognised(_ sums: Sums) -> MicroUSDT {
    rules.compPool.recognition == .accrual ? sums.spendAccrual : sums.spendCash
  }

  /// The open month's projection.
  ///
  /// - Parameters:
  ///   - daysOver: Days of the month that are over.
  ///   - restFrom: The first date that is still to come; in the next month when none is.
  private func projection(
    daysOver: Int, restFrom: CivilDate
  ) throws(MoneyError) -> (basisPoints: Int64?, status: BudgetStatus?) {
    var rest: Int64 = 0
    if restFrom.month == date.month {
      for day in restFrom.day...CivilDate.days(in: date.month, of: date.year) {
        let left = CivilDate(year: date.year, month: date.month, day: day)
        rest += rules.health.weekdayWeights[left.weekday]
      }
    }
    return BudgetHealth.projection(
      toDate: BudgetHealth.Basis(
        spend: recognised(month), budget: try month.grossProfit.share(rules.compPool.share),
        weight: monthWeight),
      daysOver: daysOver, restWeight: rest, lastMonth: lastMonth, rules: rules.health)
  }
}
