internal import Quantities
internal import RewardModel

extension RunFigures {
  /// How the run's budget went.
  var verdict: ReportVerdict {
    ReportVerdict(text: verdictText, tone: tone(utilisation), reasons: reasons)
  }

  /// What the run says about its budget, in sentences for people who read nothing else.
  private var verdictText: String {
    guard let utilisation else { return "The run has no budget." }
    let over = spend > budget
    var text = over ? "Over budget: " : "Within budget: "
    text += "the program spent \(spend.cents) USDT by \(recognition), "
    text += "\(PageWords.percent(utilisation)) of its budget of \(budget.cents) USDT"
    text += over ? "; \(PageSums.difference(.zero, left).cents) USDT are missing." : "; "
    if !over { text += "\(left.cents) USDT are left." }
    return text
  }

  /// What the verdict rests on: months by status, and the rule that takes most.
  private var reasons: String {
    var parts = [lead].filter { !$0.isEmpty }
    if spend > budget, let rest = utilisationWithoutLargest, let first = budgetEaters.first {
      parts.append(
        "All else being equal, \(PageWords.percent(rest)) would have been used without "
          + "\(first.name).")
    }
    return parts.joined(separator: " ")
  }

  /// Months by status and the rule that takes most of the budget; may be empty.
  var lead: String { [health, budgetSentence].compactMap { $0 }.joined(separator: " ") }

  /// How many months were in which status, and which was the worst; nil without a budget.
  private var health: String? {
    let counts = BudgetStatus.allCases.map { ($0, months($0)) }.filter { $0.1 > 0 }
    guard !counts.isEmpty else { return nil }
    let words = counts.map { "\($0.1) \($0.0.rawValue)" }
    var text = "Budget health by month: " + words.joined(separator: ", ") + "."
    let judged = record.months.count { $0.utilisationBasisPoints != nil }
    if judged > 1, let worst = worstMonth {
      text += " The highest was \(worst.month) with "
      text += "\(PageWords.percent(worst.utilisationBasisPoints))."
    }
    return text
  }

  /// Which payout type takes most of the budget, in one sentence; nil when nothing was paid.
  package var budgetSentence: String? {
    guard let first = budgetEaters.first else { return nil }
    var text = "\(first.name) takes most of the budget: \(first.total.cents) USDT paid"
    if let share = first.shareOfBudget { text += ", \(PageWords.percent(share)) of it" }
    if budgetEaters.count > 1 {
      let next = budgetEaters[1]
      text += "; then \(next.name) with \(next.total.cents) USDT"
      if let share = next.shareOfBudget { text += " (\(PageWords.percent(share)))" }
    }
    return text + "."
  }

  /// The month with the highest utilization; the first of several.
  var worstMonth: BlakJaksRecord.MonthRow? {
    var worst: BlakJaksRecord.MonthRow?
    for month in record.months where month.utilisationBasisPoints != nil {
      if (month.utilisationBasisPoints ?? 0) > (worst?.utilisationBasisPoints ?? .min) {
        worst = month
      }
    }
    return worst
  }

  /// Months whose budget did not last, with neighbors drawn together: `2026-04 to 2026-12`.
  var breachMonths: [String] {
    var spans: [(first: String, last: String, end: Int)] = []
    for (index, month) in record.months.enumerated() where month.status == .critical {
      if let span = spans.last, span.end == index - 1 {
        spans[spans.count - 1] = (span.first, month.month, index)
      } else {
        spans.append((month.month, month.month, index))
      }
    }
    return spans.map { $0.first == $0.last ? $0.first : "\($0.first) to \($0.last)" }
  }

  /// What of the budget would have been used had the largest eater paid nothing and all else
  /// stayed, in basis points; nil without a budget, and where the eater is not booked as paid.
  private var utilisationWithoutLargest: Int64? {
    guard let eater = budgetEaters.first, eater.total <= spend else { return nil }
    if case .prize(let row) = eater.type, record.prizes[row].prize.kind == .trip,
      rules.compPool.recognition != .cash
    {
      return nil
    }
    let rest = MicroUSDT(microunits: spend.microunits - eater.total.microunits)
    return BudgetHealth.utilisation(spend: rest, budget: budget)
  }
}
