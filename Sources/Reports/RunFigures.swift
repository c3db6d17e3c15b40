package import BlakJaks
internal import Foundation
package import Quantities
internal import RewardModel

/// Figures that reports show and that the record holds only in parts.
package struct RunFigures: Sendable {
  package let grossProfit: MicroUSDT
  package let budget: MicroUSDT
  package let spendCash: MicroUSDT
  package let spendAccrual: MicroUSDT
  /// Cash spend over budget, of the whole run; nil without a budget.
  package let cashUtilisation: Int64?
  /// Accrual spend over budget, of the whole run; nil without a budget.
  package let accrualUtilisation: Int64?
  /// Whether the first month was entered after its first instant.
  package let firstMonthIsPartial: Bool
  /// Whether the last month was left before its end.
  package let lastMonthIsPartial: Bool
  /// `accrual` or `cash`: how the trip counts in the utilisation by month.
  package let recognition: String
  /// Where the status turns to Warning, in basis points.
  package let warningBound: Int64
  /// Above which the status is Critical, in basis points.
  package let criticalBound: Int64
  /// What is paid from the comp pool, the largest first.
  package let budgetEaters: [Eater]

  /// One payout type that is charged to the comp pool.
  package struct Eater: Sendable {
    package var type: String
    package var total: MicroUSDT
    /// Of the run's budget; nil without one.
    package var shareOfBudget: Int64?
  }

  /// - Complexity: O(months + payouts + settings).
  package init(_ record: BlakJaksRecord) {
    let months = record.months
    grossProfit = Self.sum(months.map(\.grossProfit))
    let budget = Self.sum(months.map(\.budget))
    self.budget = budget
    spendCash = Self.sum(months.map(\.spendCash))
    spendAccrual = Self.sum(months.map(\.spendAccrual))
    cashUtilisation = BudgetHealth.utilisation(spend: spendCash, budget: budget)
    accrualUtilisation = BudgetHealth.utilisation(spend: spendAccrual, budget: budget)
    (firstMonthIsPartial, lastMonthIsPartial) = Self.partialEnds(record)
    recognition =
      record.settings.last { $0.path.hasSuffix("recognition") }?.value ?? "accrual"
    warningBound = Self.bound("budget_health.warning", record) ?? 8_500
    criticalBound = Self.bound("budget_health.critical", record) ?? 10_000
    budgetEaters =
      record.payouts
      .filter { $0.total > .zero && Self.isCompPool($0.type, record) }
      .map { row in
        Eater(
          type: row.type, total: row.total,
          shareOfBudget: BudgetHealth.utilisation(spend: row.total, budget: budget))
      }
      .enumerated()
      .sorted { ($1.element.total, $0.offset) < ($0.element.total, $1.offset) }
      .map(\.element)
  }

  /// How many months have a status.
  static func months(_ status: BudgetStatus, in record: BlakJaksRecord) -> Int {
    record.months.count { $0.status == status }
  }

  /// Which payout type takes most of the budget, in one sentence; nil when nothing was paid.
  package var budgetSentence: String? {
    guard let first = budgetEaters.first else { return nil }
    var text = "\(first.type) eats most of the budget: \(first.total.cents) USDT paid"
    if let share = first.shareOfBudget { text += ", \(Self.percent(share)) of it" }
    if budgetEaters.count > 1 {
      let next = budgetEaters[1]
      text += "; then \(next.type) with \(next.total.cents) USDT"
      if let share = next.shareOfBudget { text += " (\(Self.percent(share)))" }
    }
    return text + "."
  }

  /// `84.21 %`, rounded half up; `–` for nothing.
  package static func percent(_ basisPoints: Int64?, decimals: Int = 1) -> String {
    guard let basisPoints else { return "–" }
    let magnitude = basisPoints.magnitude
    let sign = basisPoints < 0 ? "-" : ""
    switch decimals {
    case 0: return "\(sign)\(((magnitude + 50) / 100).grouped) %"
    case 1:
      let tenths = (magnitude + 5) / 10
      return "\(sign)\((tenths / 10).grouped).\(tenths % 10) %"
    default:
      let rest = magnitude % 100
      return "\(sign)\((magnitude / 100).grouped).\(rest < 10 ? "0" : "")\(rest) %"
    }
  }

  /// A part of a whole in basis points, rounded half up; nil of nothing.
  static func share(_ part: Int64, of whole: Int64) -> Int64? {
    guard whole > 0 else { return nil }
    return Int64(clamping: (Int128(part) * 20_000 + Int128(whole)) / (Int128(whole) * 2))
  }

  private static func sum(_ amounts: [MicroUSDT]) -> MicroUSDT {
    let wide = amounts.reduce(Int128(0)) { $0 + Int128($1.microunits) }
    return MicroUSDT(microunits: Int64(clamping: wide))
  }

  private static func partialEnds(_ record: BlakJaksRecord) -> (first: Bool, last: Bool) {
    guard !record.months.isEmpty, record.end > record.start,
      let parser = try? InstantParser(zone: record.zone)
    else { return (false, false) }
    let first = parser.localDate(of: record.start)
    let last = parser.localDate(of: record.end - TimeSpan(microseconds: 1))
    let endsMonth = last.day == CivilDate.days(in: last.month, of: last.year)
    return (
      first.day != 1 || parser.midnight(of: first) != record.start,
      !endsMonth || parser.midnight(of: last.adding(days: 1)) != record.end
    )
  }

  /// A bound of the budget's health among the settings, in basis points. Nil when it is not
  /// there or not understood; it only places lines and words.
  private static func bound(_ path: String, _ record: BlakJaksRecord) -> Int64? {
    guard let row = record.settings.last(where: { $0.path.hasSuffix(path) }),
      let number = Double(row.value.prefix { $0.isNumber || $0 == "." }), number > 0
    else { return nil }
    if row.value.hasSuffix("%") { return Int64((number * 100).rounded()) }
    return number < 10 ? Int64((number * 10_000).rounded()) : nil
  }

  /// Whether a payout type is charged to the comp pool: as the setting of its charge account
  /// says, else all but the weekly pool and wholesale comps.
  private static func isCompPool(_ type: String, _ record: BlakJaksRecord) -> Bool {
    let others = [
      "Scan reward": "scan_reward", "$50 Guarantee": "guarantee", "21% Match": "match",
      "Pool 5%": "pool", "Wholesale": "wholesale",
    ]
    let prize = record.prizes.first { $0.prize.name == type }?.prize.kind.rawValue
    guard let key = prize ?? others[type] else { return true }
    let setting = record.settings.last { $0.path.hasSuffix("charges.\(key)") }
    if let setting { return setting.value == ChargeAccount.compPool.rawValue }
    return key != "pool" && key != "wholesale"
  }
}
