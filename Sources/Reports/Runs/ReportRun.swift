package import BlakJaks
internal import Quantities
internal import RewardModel

/// One finished run as a report shows it: its record, its figures and what people call it.
package struct ReportRun: Sendable {
  /// What people call it, usually its folder.
  package let name: String
  package let record: BlakJaksRecord
  let figures: RunFigures
  /// The run at its last day's end; nil for a run without days.
  let atEnd: InsightsAsOf?

  /// - Complexity: O(rows of the record).
  package init(name: String, record: BlakJaksRecord) {
    self.name = name
    self.record = record
    figures = RunFigures(record)
    atEnd = try? InsightsAsOf(record)
  }

  /// A daily series at the run's end, or why there is none.
  func value(_ series: String) -> InsightValue { atEnd?.value(series) ?? .none }

  /// Whether trips count when they are won; else by the reserve set aside for them.
  private var recognisesCash: Bool { figures.recognition == "cash" }

  /// Spend as the programme recognises it, of the whole run.
  var spend: MicroUSDT { recognisesCash ? figures.spendCash : figures.spendAccrual }

  /// Recognised spend of a month.
  func spend(_ month: BlakJaksRecord.MonthRow) -> MicroUSDT {
    recognisesCash ? month.spendCash : month.spendAccrual
  }

  /// Recognised spend over budget in basis points, of the whole run; nil without a budget.
  var utilisation: Int64? {
    recognisesCash ? figures.cashUtilisation : figures.accrualUtilisation
  }

  /// The month with the highest utilisation; the first of several.
  var worstMonth: BlakJaksRecord.MonthRow? {
    var worst: BlakJaksRecord.MonthRow?
    for month in record.months where month.utilisationBasisPoints != nil {
      if (month.utilisationBasisPoints ?? 0) > (worst?.utilisationBasisPoints ?? .min) {
        worst = month
      }
    }
    return worst
  }

  /// Months whose budget did not last, with neighbours drawn together: `2026-04 to 2026-12`.
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
  var utilisationWithoutLargest: Int64? {
    guard let eater = figures.budgetEaters.first else { return nil }
    let kind = record.prizes.first { $0.prize.name == eater.type }?.prize.kind
    guard kind != .trip || recognisesCash, eater.total <= spend else { return nil }
    let rest = MicroUSDT(microunits: spend.microunits - eater.total.microunits)
    return BudgetHealth.utilisation(spend: rest, budget: figures.budget)
  }

  /// Budget less recognised spend; negative when the budget did not last.
  var left: MicroUSDT {
    let wide = Int128(figures.budget.microunits) - Int128(spend.microunits)
    return MicroUSDT(microunits: Int64(clamping: wide))
  }

  /// The beginning of the fingerprint, which is enough to tell runs apart.
  var shortFingerprint: String {
    record.fingerprint.isEmpty ? "none" : String(record.fingerprint.prefix(12))
  }

  /// What the run says about its budget, in sentences for people who read nothing else.
  var verdict: String {
    guard let utilisation else { return "The run has no budget." }
    let over = spend > figures.budget
    var text = over ? "Over budget: " : "Within budget: "
    text += "the programme spent \(spend.cents) USDT by \(figures.recognition), "
    text += "\(RunFigures.percent(utilisation)) of its budget of \(figures.budget.cents) USDT"
    text += over ? "; \(MicroUSDT.zero.lessClamped(left).cents) USDT are missing." : "; "
    if !over { text += "\(left.cents) USDT are left." }
    return text
  }

  /// What stands behind the verdict: months by status, and the rule that takes most.
  var reasons: String {
    var parts = [RunWords.health(record, figures), figures.budgetSentence].compactMap { $0 }
    if spend > figures.budget, let rest = utilisationWithoutLargest,
      let first = figures.budgetEaters.first
    {
      parts.append(
        "All else being equal, \(RunFigures.percent(rest)) would have been used without "
          + "\(first.type).")
    }
    return parts.joined(separator: " ")
  }
}

extension MicroUSDT {
  /// The difference, held at the ends of what an amount can be; for texts only.
  func lessClamped(_ other: MicroUSDT) -> MicroUSDT {
    MicroUSDT(microunits: Int64(clamping: Int128(microunits) - Int128(other.microunits)))
  }
}
