internal import BlakJaks
internal import Quantities
internal import RewardModel

/// A figure of several runs, one value a run.
struct Headline {
  var label: String
  var unit: InsightUnit
  var values: [InsightValue]
  /// A class of the style sheet for each value; may be empty.
  var styles: [String] = []

  /// The difference of a value to the first run's in words; empty where one of them is no number.
  func difference(_ index: Int) -> String {
    guard index > 0, case .number(let base) = values[0], case .number(let value) = values[index]
    else { return "" }
    return Self.difference(value, to: base, unit)
  }

  /// `+1,234.00 (+5.6 %)`, points for shares; empty for none. A share of nothing or of a debt says
  /// nothing and is left out.
  static func difference(_ value: Int64, to base: Int64, _ unit: InsightUnit) -> String {
    let wide = Int128(value) - Int128(base)
    guard wide != 0 else { return "" }
    let sign = wide > 0 ? "+" : "-"
    let size = Int64(clamping: wide.magnitude)
    if case .share = unit {
      return "\(sign)\(RunFigures.percent(size).dropLast(2)) points"
    }
    let words = sign + InsightWords.words(size, unit, bare: true)
    guard base > 0 else { return words }
    let whole = Int128(base)
    // Rounded once, to the tenths that are shown.
    let tenths = (Int128(wide.magnitude) * 2_000 + whole) / (whole * 2)
    return "\(words) (\(sign)\(RunFigures.percent(Int64(clamping: tenths * 10))))"
  }
}

/// The headline figures of several runs, by what they are about.
enum RunHeadlines {
  /// Figures about one thing.
  struct Group {
    var title: String
    var rows: [Headline]
  }

  /// All groups; figures that no run has are left out.
  ///
  /// - Complexity: O(runs × figures).
  static func all(_ runs: [ReportRun]) -> [Group] {
    [
      Group(title: "Budget", rows: budget(runs)),
      Group(title: "Programme", rows: programme(runs)),
      Group(title: "Payouts", rows: payouts(runs)),
      Group(title: "Owed and set aside at the end", rows: obligations(runs)),
      Group(title: "Treasury at the end", rows: treasury(runs)),
      Group(title: "Members by tier at the end", rows: tiers(runs)),
    ].map { Group(title: $0.title, rows: $0.rows.filter(isKnown)) }
      .filter { !$0.rows.isEmpty }
  }

  /// Whether at least one run has it.
  private static func isKnown(_ row: Headline) -> Bool {
    row.values.contains { if case .notInRun = $0 { false } else { true } }
  }

  private static func row(
    _ label: String, _ unit: InsightUnit, _ runs: [ReportRun], _ value: (ReportRun) -> Int64?
  ) -> Headline {
    Headline(
      label: label, unit: unit, values: runs.map { value($0).map { .number($0) } ?? .none })
  }

  private static func series(
    _ label: String, _ unit: InsightUnit, _ runs: [ReportRun], _ key: String
  ) -> Headline {
    Headline(label: label, unit: unit, values: runs.map { $0.value(key) })
  }

  /// A utilisation in the colours of its run's bounds.
  private static func utilisation(
    _ label: String, _ runs: [ReportRun], _ value: (ReportRun) -> Int64?
  ) -> Headline {
    var row = row(label, .share, runs, value)
    row.styles = runs.map {
      ReportSections(record: $0.record, figures: $0.figures).style(value($0))
    }
    return row
  }

  private static func budget(_ runs: [ReportRun]) -> [Headline] {
    [
      row("Gross profit, USDT", .money, runs) { $0.figures.grossProfit.microunits },
      row("Budget, USDT", .money, runs) { $0.figures.budget.microunits },
      row("Spend by accrual, USDT", .money, runs) { $0.figures.spendAccrual.microunits },
      row("Spend in cash, USDT", .money, runs) { $0.figures.spendCash.microunits },
      row("Budget left, USDT", .money, runs) { $0.left.microunits },
      utilisation("Utilised", runs) { $0.utilisation },
      utilisation("Highest month", runs) { $0.worstMonth?.utilisationBasisPoints },
    ]
      + BudgetStatus.allCases.map { status in
        row("Months \(status.rawValue)", .count, runs) {
          Int64(RunFigures.months(status, in: $0.record))
        }
      }
  }

  private static func programme(_ runs: [ReportRun]) -> [Headline] {
    [
      row("Days", .count, runs) { Int64($0.record.days.count) },
      row("Members", .count, runs) { $0.record.members },
      row("Tins sold", .count, runs) { $0.record.tinsSold },
      row("Accepted scans", .count, runs) { $0.record.acceptedScans },
      row("Spend for an accepted scan, USDT", .money, runs) {
        let scans = $0.record.acceptedScans
        return scans > 0 ? $0.spend.microunits / scans : nil
      },
    ]
  }

  private static func payouts(_ runs: [ReportRun]) -> [Headline] {
    [
      row("All payouts, USDT", .money, runs) { $0.record.payoutTotal.total.microunits },
      row("Prizes awarded", .count, runs) { Int64($0.record.awards.count) },
      row("Prizes waiting", .count, runs) {
        $0.record.prizes.reduce(0) { $0 + $1.waiting }
      },
      series("Payouts pending", .count, runs, "payouts.pending"),
      series("Pending, USDT", .money, runs, "payouts.pending_value"),
      series("Payouts failed", .count, runs, "payouts.failed"),
      series("Failed, USDT", .money, runs, "payouts.failed_value"),
      series("Weekly pools paid, USDT", .money, runs, "affiliates.pool_paid"),
    ]
  }

  /// What the programme owes and holds back.
  static func obligations(_ runs: [ReportRun]) -> [Headline] {
    [
      series("Trip reserve, USDT", .money, runs, "trip_reserve"),
      series("Chip liability, USDT", .money, runs, "chips.liability"),
      series("Owed to members, USDT", .money, runs, "payable.member"),
      series("Owed to affiliates, USDT", .money, runs, "payable.affiliate"),
      series("Owed to wholesale, USDT", .money, runs, "payable.wholesale"),
    ]
  }

  /// The six balances, as series and in words.
  static let balances: [(key: String, label: String)] = [
    ("treasury.wallet_member", "Member wallet"),
    ("treasury.wallet_affiliate", "Affiliate wallet"),
    ("treasury.wallet_wholesale", "Wholesale wallet"),
    ("treasury.bank_operating", "Operating account"),
    ("treasury.bank_reserve", "Reserve account"),
    ("treasury.bank_comp_pool", "Comp Pool account"),
  ]

  private static func treasury(_ runs: [ReportRun]) -> [Headline] {
    balances.map { series("\($0.label), USDT", .money, runs, $0.key) }
      + [
        row("Reconciliation alerts", .count, runs) {
          Int64($0.record.reconciliations.count { !$0.balanced })
        }
      ]
  }

  private static func tiers(_ runs: [ReportRun]) -> [Headline] {
    Tier.allCases.map { tier in row(tier.name, .count, runs) { $0.record.tiers[tier] } }
  }
}
