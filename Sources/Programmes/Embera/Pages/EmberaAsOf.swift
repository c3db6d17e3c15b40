internal import Quantities
internal import RewardModel

/// The pages of EMBERA.
enum EmberaPage: String, CaseIterable {
  case overview, loyalty, orders, sync

  /// Its id and its name as people see it.
  var description: PageDescription {
    let title =
      switch self {
      case .overview: "Overview"
      case .loyalty: "Loyalty"
      case .orders: "Orders"
      case .sync: "Sync"
      }
    return PageDescription(id: rawValue, title: title)
  }
}

/// A run as of the end of one of its days.
///
/// Counts by day are summed to that day. Costs and liabilities are known when a month is closed:
/// they are of the months closed by then. What only the whole run knows is shown on its last day.
struct EmberaAsOf {
  let record: EmberaRecord
  let at: PageDay
  let budget: RewardBudget
  /// Months closed by the day's end.
  let months: ArraySlice<EmberaRecord.Month>

  /// - Parameter text: As for `PageDay`.
  /// - Throws: `PageError`.
  /// - Complexity: O(days + months + settings).
  init(_ record: EmberaRecord, at text: String? = nil) throws(PageError) {
    let at = try PageDay(record.header, days: record.days.map(\.date), at: text)
    self.record = record
    self.at = at
    budget = record.budgetRules
    let isLast = at.row == record.days.count - 1
    let next = at.date.adding(days: 1).monthLabel
    months = isLast ? record.months[...] : record.months.prefix { $0.month < next }
  }

  /// The day itself.
  var day: EmberaRecord.Day { record.days[at.row] }

  /// Whether the run ends with this day, so that totals of the run hold.
  var isLast: Bool { at.row == record.days.count - 1 }

  /// A count of all days up to this one.
  func sum(_ count: KeyPath<EmberaRecord.Day, Int64>) -> Int64 {
    record.days[...at.row].reduce(0) { $0 + $1[keyPath: count] }
  }

  /// Goods after discounts of all days up to this one.
  var revenue: MicroUSDT { PageSums.sum(record.days[...at.row].map(\.revenue)) }

  /// An amount of all closed months; nil before the first is closed.
  func sum(_ amount: KeyPath<EmberaRecord.Month, MicroUSDT>) -> MicroUSDT? {
    months.isEmpty ? nil : PageSums.sum(months.map { $0[keyPath: amount] })
  }

  /// An amount of all closed months as a figure: none before the first is closed.
  func closedSum(_ amount: KeyPath<EmberaRecord.Month, MicroUSDT>) -> PageValue {
    .known(sum(amount)?.microunits)
  }

  /// Reward cost of the closed months over their revenue in basis points; nil without revenue, and
  /// where it is not known.
  var rewardRate: Int64? {
    guard record.knowsRedemptions, let cost = sum(\.rewardCost), let revenue = sum(\.revenue)
    else { return nil }
    return PageSums.share(cost.microunits, of: revenue.microunits)
  }

  /// How near its budget the reward rate of the closed months is; nil without revenue.
  var status: BudgetStatus? {
    guard rewardRate != nil, let cost = sum(\.rewardCost), let revenue = sum(\.revenue) else {
      return nil
    }
    return budget.status(cost: cost, revenue: revenue)
  }

  /// What the last close found; nil before the first.
  var valuation: PointsValuation? { months.last?.valuation }

  /// Until when months are closed, in words.
  var closed: String {
    guard let last = months.last else { return "known when a month is closed" }
    return isLast ? "to the end of the run" : "to the end of \(PageWords.monthName(last.month))"
  }

  /// When the points were valued last, in words.
  var valued: String {
    guard let last = months.last else { return "known when a month is closed" }
    return isLast ? "at the end of the run" : "at the end of \(PageWords.monthName(last.month))"
  }

  // MARK: - Parts of pages

  /// The page.
  func page(_ name: EmberaPage) -> Page {
    let blocks =
      switch name {
      case .overview: overview
      case .loyalty: loyalty
      case .orders: orders
      case .sync: sync
      }
    return Page(name.description, of: record.header, in: .usd, at: at, blocks)
  }

  /// Why a replay of history does not show members' devices; nil in a simulation.
  var deviceAbsence: PageValue? {
    record.source == .history ? .notInRun(setting: nil) : nil
  }

  /// Why a replay of history does not show redemptions and what they cost; nil in a simulation.
  var redemptionAbsence: PageValue? {
    record.knowsRedemptions ? nil : .notInRun(setting: nil)
  }

  /// A total of the whole run: shown on its last day.
  func total(_ number: Int64?) -> PageValue { isLast ? .known(number) : .none }

  /// What devices showed over the whole run.
  func deviceTotal(_ number: Int64?) -> PageValue { deviceAbsence ?? total(number) }

  /// What is said beside a total of the whole run: before its last day that it is known then.
  func totalNote(_ note: String, _ absence: PageValue?) -> String {
    isLast || absence != nil ? note : Self.atEndOnly
  }

  /// What is said in the place of rows that only the last day has.
  static let atEndOnly = "known at the end of the run"

  /// Counts of the last 90 days.
  func history(
    _ key: String, _ title: String,
    _ lines: [(key: String, label: String, count: KeyPath<EmberaRecord.Day, Int64>?)],
    absence: PageValue? = nil
  ) -> PageBlock {
    let days = record.days[max(0, at.row - 89)...at.row]
    return PageBlock(
      key: key, title: title,
      body: .history(
        PageHistory(
          dates: days.map(\.date),
          lines: lines.map { line in
            PageHistory.Line(
              key: line.key, label: line.label, unit: .count,
              values: days.map { day in line.count.map { day[keyPath: $0] } })
          }, absence: absence)))
  }
}
