import BlakJaks
import Quantities
import RewardModel
import Testing

/// Compares a record with the plain program that ran beside it, figure by figure.
func expectSame(
  _ record: BlakJaksRecord, _ plain: PlainProgramme, names: (Int) -> String, replay: Comment
) {
  let awards = record.awards.map { award in
    "\(award.prize),\(award.dueScan),\(award.wonScan),\(award.time),\(award.member)"
  }
  let expected = plain.awards.map { line in
    var parts = line.split(separator: ",").map(String.init)
    parts[4] = names(Int(parts[4])!)
    return parts.joined(separator: ",")
  }
  #expect(awards == expected, replay)
  #expect(record.acceptedScans == Int64(plain.scans), replay)
  for day in record.days {
    let sums = plain.days[day.date] ?? PlainSums()
    let seen = PlainSums(
      tins: Int(day.tinsSold), scans: Int(day.acceptedScans), profit: day.grossProfit.microunits,
      cash: day.spendCash.microunits, accrual: day.spendAccrual.microunits)
    #expect(seen == sums, "\(day.date) \(replay)")
    #expect(
      day.tiers.all.map(Int.init) == plain.tiersByDay[day.date] ?? [], "\(day.date) \(replay)")
    #expect(day.signups == Int64(plain.signUpsByDay[day.date] ?? 0), "\(day.date) \(replay)")
  }
  for month in record.months {
    var sums = PlainSums()
    for (date, day) in plain.days where date.monthLabel == month.month {
      sums.tins += day.tins
      sums.scans += day.scans
      sums.profit += day.profit
      sums.cash += day.cash
      sums.accrual += day.accrual
    }
    #expect(month.tinsSold == Int64(sums.tins), replay)
    #expect(month.grossProfit.microunits == sums.profit, replay)
    #expect(month.budget.microunits == sums.profit / 2, replay)
    #expect(month.spendCash.microunits == sums.cash, replay)
    #expect(month.spendAccrual.microunits == sums.accrual, replay)
    let status: BudgetStatus? =
      sums.profit / 2 == 0
      ? (sums.accrual > 0 ? .critical : nil)
      : sums.accrual * 100 < sums.profit / 2 * 85
        ? .normal : sums.accrual <= sums.profit / 2 ? .warning : .critical
    #expect(month.status == status, replay)
  }
  for payout in record.payouts {
    let line = plain.payouts[payout.type] ?? (0, 0)
    #expect(payout.count == Int64(line.count), "\(payout.type) \(replay)")
    #expect(payout.total.microunits == line.total, "\(payout.type) \(replay)")
  }
  #expect(record.pools.last?.carry.microunits ?? 0 == plain.carry, replay)
  #expect(record.accounts.reduce(0) { $0 + $1.balance.microunits } == 0, replay)
}
