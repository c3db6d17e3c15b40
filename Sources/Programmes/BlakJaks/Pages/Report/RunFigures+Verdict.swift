internal import Quantities
internal import RewardModel

extension RunFigures {
  /// How the run's budget went.
  var verdict: ReportVerdict {
    ReportVerdict(text: verdictText, tone: share(of: spend).tone, reasons: reasons)
  }

  /// What the run costs and who carries it, in sentences for people who read nothing else.
  private var verdictText: String {
    guard utilisation != nil || cost.total > .zero else { return "The run has no budget." }
    guard utilisation != nil else { return costSentence + " The run has no budget." }
    return (spend > budget ? "Over budget: the" : "Within budget: the")
      + costSentence.dropFirst("The".count)
  }

  /// What the program costs in all, what of it the comp pool carries, and who carries the rest.
  package var costSentence: String {
    var text = "The program costs \(cost.total.cents) USDT in all. "
    text += "The comp pool carries \(cost[.compPool].cents) of it by \(recognition)"
    if utilisation != nil {
      text += ", \(share(of: spend).words) of its budget of \(budget.cents)"
      text +=
        spend > budget
        ? "; it is \(PageSums.difference(.zero, left).cents) over."
        : "; \(left.cents) are left."
    } else {
      text += "."
    }
    let others = cost.carriers.filter { $0.account != .compPool }
    guard let first = others.first else { return text + " No other account carries any of it." }
    text += " The \(first.account.label) carries \(first.amount.cents)"
    for (row, other) in others.enumerated().dropFirst() {
      text += row == others.count - 1 ? " and" : ","
      text += " the \(other.account.label) \(other.amount.cents)"
    }
    return text + "."
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

  /// What it costs, months by status and the rule that takes the largest part of the budget; empty
  /// for a run that cost nothing and has no budget.
  var opening: String {
    (cost.total > .zero || utilisation != nil ? [costSentence, lead] : [lead])
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Whether payouts have no money, months by status, the rule that takes the largest part of the budget,
  /// whether Operating could pay what the shop owed, and how members respond; may be empty.
  package var lead: String {
    [unpaidSentence, health, budgetSentence, shortfallSentence, responseSentence].compactMap { $0 }
      .joined(separator: " ")
  }

  /// Since when payouts wait for money at the run's end, and what their people are owed. Nil where none
  /// does, or where the accounts that fill wallets up in the morning have as much.
  var unpaidSentence: String? {
    guard let values = record.series.first(where: { $0.key == "payouts.waiting_funds" })?.values,
      let waiting = values.last.flatMap({ $0 }), values.count >= Self.mornings,
      values.suffix(Self.mornings).allSatisfy({ $0 ?? 0 > 0 })
    else { return nil }
    let lacking = CashStatement.lacking(record)
    let owed = Self.paid.compactMap { treasury, key, people -> String? in
      guard lacking.indices.contains(treasury.rawValue), lacking[treasury.rawValue] > .zero,
        case .number(let owed) = value("payable.\(key)")
      else { return nil }
      return "\(people) \(MicroUSDT(microunits: owed).cents) USDT"
    }
    guard !owed.isEmpty else { return nil }
    let since = (values.lastIndex { $0 ?? 0 == 0 } ?? -1) + 1
    return
      "Money ran out: payouts have been waiting for it since \(record.days[since].date); "
      + "\(PageWords.counted(waiting, "transaction was", "transactions were")) still waiting at the end. "
      + "The program owes \(Self.listed(owed))."
  }

  /// A list in words: `a`, `a and b`, or `a, b and c`.
  private static func listed(_ parts: [String]) -> String {
    parts.count < 2
      ? parts.joined()
      : parts.dropLast().joined(separator: ", ") + " and " + (parts.last ?? "")
  }

  /// Whom treasuries pay, each by the one that is short where the money for them is.
  private static let paid: [(treasury: Treasury, key: String, people: String)] = [
    (.compPoolBank, "member", "members"), (.affiliateWallet, "affiliate", "affiliates"),
    (.wholesaleWallet, "wholesale", "wholesale accounts"),
  ]

  /// Days at whose ends payouts have to wait, so that no filling up has helped them.
  private static let mornings = 3

  /// When the Operating account was first short, by how much at worst, and what helped; nil where
  /// it never was.
  package var shortfallSentence: String? {
    guard let short = OperatingShortfalls(record), let first = short.first else { return nil }
    var text = "Operating could not pay all that the shop owed on \(record.days[first].date)"
    text += short.mornings == 1 ? ": it" : " and \(short.mornings) mornings in all: at worst it"
    text += " was short of \(short.deepest.cents) USDT. "
    text +=
      short.toppedUp > .zero
      ? "Reserve put in \(short.toppedUp.cents) USDT" : "Reserve could put nothing in"
    return text + "; the shop owes \(short.owed.cents) USDT at the end."
  }

  /// How many months were in which status, and which was the worst; nil without a budget.
  private var health: String? {
    let counts = BudgetStatus.allCases.map { ($0, months($0)) }.filter { $0.1 > 0 }
    guard !counts.isEmpty else { return nil }
    let words = counts.map { "\($0.1) \($0.0.rawValue)" }
    var text = "Budget health by month: " + words.joined(separator: ", ") + "."
    let judged = record.months.filter { $0.status != nil }.map(\.utilisationBasisPoints)
    if Set(judged).count > 1, let worst = worstMonth {
      text += " The highest was \(worst.month)"
      text +=
        worst.utilisationBasisPoints == nil
        ? ", which had no budget." : " with \(share(worst).words)."
    }
    return text
  }

  /// What takes the largest part of the budget, in one sentence; nil when nothing does.
  package var budgetSentence: String? {
    guard let first = budgetEaters.first else { return nil }
    var text = "\(first.name) "
    text +=
      utilisation == nil ? "costs the comp pool most: " : "takes the largest part of the budget: "
    text += "\(first.total.cents) USDT \(first.isAccrued ? "accrued" : "awarded")"
    if let share = first.shareOfBudget { text += ", \(PageWords.percent(share)) of it" }
    if budgetEaters.count > 1 {
      let next = budgetEaters[1]
      text += "; then \(next.name) with \(next.total.cents) USDT"
      if next.isAccrued { text += " accrued" }
      if let share = next.shareOfBudget { text += " (\(PageWords.percent(share)))" }
    }
    return text + "."
  }

  /// The month with the highest utilization, the first of several; one that spent without a budget
  /// exceeds all others. Nil where no month is judged.
  var worstMonth: BlakJaksRecord.MonthRow? {
    func used(_ month: BlakJaksRecord.MonthRow) -> Int64 { month.utilisationBasisPoints ?? .max }
    let judged = record.months.filter { $0.status != nil }
    return judged.first.map { judged.dropFirst().reduce($0) { used($1) > used($0) ? $1 : $0 } }
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

  /// What of the budget would have been used had the largest eater taken nothing and all else
  /// stayed, in basis points; nil without a budget.
  private var utilisationWithoutLargest: Int64? {
    guard let eater = budgetEaters.first, eater.total <= spend else { return nil }
    let rest = MicroUSDT(microunits: spend.microunits - eater.total.microunits)
    return BudgetHealth.utilisation(spend: rest, budget: budget)
  }
}
