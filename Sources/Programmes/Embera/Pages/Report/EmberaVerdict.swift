internal import Quantities
internal import RewardModel

/// How a run's reward rate went against its budget.
struct EmberaVerdict {
  let record: EmberaRecord
  let budget: RewardBudget
  /// Reward cost over revenue of the run in basis points; nil without revenue, and in a replay of a
  /// history, which has no redemptions.
  let rate: Int64?

  init(_ record: EmberaRecord) {
    self.record = record
    budget = record.budgetRules
    rate =
      record.knowsRedemptions
      ? PageSums.share(record.total.rewardCost.microunits, of: record.total.sums.revenue) : nil
  }

  /// Goods after discounts.
  var revenue: MicroUSDT { MicroUSDT(microunits: record.total.sums.revenue) }

  /// What it means for its reader.
  var tone: PageTone { rate == nil ? .soft : record.total.status.tone }

  /// The reward rate in words; nil without revenue.
  var rateWords: String? { rate.map { budget.words($0, judged: record.total.status) } }

  /// The run's reward cost in words of a card or table; a dash where it is not known.
  func cost(_ words: (MicroUSDT) -> String) -> String {
    record.knowsRedemptions ? words(record.total.rewardCost) : "–"
  }

  /// A month's reward rate in words; a dash where there is none.
  func words(_ month: EmberaRecord.Month) -> String {
    record.knowsRedemptions ? budget.words(month.rate, judged: month.status) : "–"
  }

  /// A month's reward cost, reward rate and status; dashes where they are not known.
  func cells(_ month: EmberaRecord.Month) -> [ReportCell] {
    guard record.knowsRedemptions else { return ["–", "–", "–"] }
    let tone = month.rate == nil ? .soft : month.status.tone
    return [ReportCell(month.rewardCost.cents), ReportCell(words(month), tone), status(month)]
  }

  /// A month's status; a dash where no revenue judges it.
  func status(_ month: EmberaRecord.Month) -> ReportCell {
    month.rate == nil ? ReportCell("–", .soft) : ReportCell(month.status.label, month.status.tone)
  }

  /// In sentences.
  var verdict: ReportVerdict { ReportVerdict(text: text, tone: tone, reasons: lead) }

  private var text: String {
    guard record.knowsRedemptions else {
      return "What rewards cost is not known; revenue was \(revenue.cents) USD."
    }
    guard let rateWords else { return "There was no revenue to measure rewards against." }
    let judged =
      switch record.total.status {
      case .normal: "Within budget"
      case .warning: "Close to the limit"
      case .critical: "Over budget"
      }
    return "\(judged): rewards cost \(record.total.rewardCost.cents) USD, "
      + "\(rateWords) of revenue of \(revenue.cents) USD. "
      + "The budget is \(PageWords.percent(budget.limit.rawValue, decimals: 2))."
  }

  /// Months by status, the offer that costs most, what is owed at the end, and what a history does not
  /// tell of it; may be empty.
  var lead: String { [months, dearest, owed, unknown].compactMap { $0 }.joined(separator: " ") }

  private var months: String? {
    let judged = record.months.filter { record.knowsRedemptions && $0.rate != nil }
    guard let highest = judged.max(by: { ($0.rate ?? 0) < ($1.rate ?? 0) }) else { return nil }
    let counts = BudgetStatus.allCases.compactMap { status -> String? in
      let count = judged.count { $0.status == status }
      return count > 0 ? "\(count) \(status.label)" : nil
    }
    var text = "Reward rate by month: \(counts.joined(separator: ", "))."
    if Set(judged.map(\.rate)).count > 1 {
      text += " The highest was \(words(highest)) "
      text += "in \(PageWords.monthName(highest.month))."
    }
    return text
  }

  private var dearest: String? {
    guard let offer = record.offers.max(by: { $0.cost < $1.cost }), offer.cost > .zero else {
      return nil
    }
    let share = PageWords.percent(
      offer.cost.microunits, of: record.total.rewardCost.microunits)
    return "\(offer.title) costs the most: \(offer.cost.cents) USD, "
      + "\(share) of the reward cost."
  }

  private var owed: String? {
    guard let valuation = record.valuation else { return nil }
    let text =
      "At the end, \(record.outstanding.grouped) points are outstanding: \(valuation.net.cents) USD at "
      + "cost, \(valuation.contractLiability.cents) USD under IFRS 15."
    let liability = EmberaSettings(recorded: record.header.settings).rules.liability
    guard record.knowsRedemptions, valuation.share != liability.priorShare else { return text }
    let percent = PageWords.percent(valuation.share.rawValue)
    let source =
      "the share so far of those \(PageWords.counted(liability.months, "month", "months")) old"
    let issued = record.opening.issued + record.total.sums.issued
    switch valuation.expectedRedeemed {
    case Int64(Int128(issued) * Int128(valuation.share.rawValue) / 10_000):
      return text
        + " Both count on \(percent) of points being redeemed, \(source); later redemptions add to both."
    case record.opening.redeemed + record.total.sums.redeemed:
      return text
        + " No more redemptions are counted on: as many points as \(source), \(percent), are redeemed."
    default:
      // More have expired than that share leaves.
      return text
        + " The cost counts on \(percent) of the points outstanding being redeemed, \(source)."
    }
  }

  private var unknown: String? {
    guard !record.knowsRedemptions, record.total.sums.issued > 0 else { return nil }
    return "A history has no redemptions: no points are used, and the share of them that is "
      + "redeemed in the end is the scenario's own (rules.liability.prior_share)."
  }
}
