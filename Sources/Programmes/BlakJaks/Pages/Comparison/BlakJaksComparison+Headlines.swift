internal import Quantities
internal import RewardModel

extension BlakJaksComparison {
  /// The headline figures by what they are about.
  ///
  /// - Complexity: O(runs × figures).
  var headlines: [HeadlineGroup] {
    [
      HeadlineGroup("Cost and budget", costRows + budgetRows),
      HeadlineGroup("Program", programmeRows),
      HeadlineGroup("Payouts", payoutRows),
      HeadlineGroup("Owed and set aside at the end", obligationRows),
      HeadlineGroup("Treasury at the end", treasuryRows),
      HeadlineGroup(
        "Members by tier at the end",
        Tier.allCases.map { tier in row(tier.name, .count) { $0.record.tiers[tier] } }),
    ].filter { !$0.rows.isEmpty }
  }

  private func row(
    _ label: String, _ unit: MeasureUnit, _ value: (RunFigures) -> Int64?
  ) -> Headline {
    Headline(label, unit, runs.map { .known(value($0)) })
  }

  private func series(_ label: String, _ unit: MeasureUnit, _ key: String) -> Headline {
    Headline(label, unit, runs.map { $0.value(key) })
  }

  /// A utilization in the colors of its run's bounds.
  private func utilisation(_ label: String, _ value: (RunFigures) -> JudgedShare?) -> Headline {
    let shares = runs.map(value)
    return Headline(
      label, .share, shares.map { .known($0?.basisPoints) },
      tones: shares.map { $0?.tone ?? .soft },
      words: shares.map { $0.map { $0.isWithoutBudget ? "no budget" : $0.words } ?? "–" })
  }

  /// The whole cost, then who carries it.
  private var costRows: [Headline] {
    let accounts = ChargeAccount.allCases.filter { account in
      runs.contains { $0.cost[account] != .zero }
    }
    return [row("Cost in all, USDT", .money) { $0.cost.total.microunits }]
      + accounts.map { account in
        row("of which \(account.label), USDT", .money) { $0.cost[account].microunits }
      }
  }

  private var budgetRows: [Headline] {
    [
      row("Gross profit, USDT", .money) { $0.grossProfit.microunits },
      row("Budget, USDT", .money) { $0.budget.microunits },
      row("Spend by accrual, USDT", .money) { $0.spendAccrual.microunits },
      row("Spend in cash, USDT", .money) { $0.spendCash.microunits },
      row("Budget left, USDT", .money) { $0.left.microunits },
      utilisation("Utilized") { $0.share(of: $0.spend) },
      utilisation("Highest month") { run in run.worstMonth.map { run.share($0) } },
    ]
      + BudgetStatus.allCases.map { status in
        row("Months \(status.rawValue)", .count) { Int64($0.months(status)) }
      }
  }

  private var programmeRows: [Headline] {
    [
      row("Days", .count) { Int64($0.record.days.count) },
      row("Members", .count) { $0.record.members },
      row("Tins sold", .count) { $0.record.tinsSold },
      row("Accepted scans", .count) { $0.record.acceptedScans },
      row("Spend for an accepted scan, USDT", .money) {
        let scans = $0.record.acceptedScans
        return scans > 0 ? $0.spend.microunits / scans : nil
      },
    ]
  }

  private var payoutRows: [Headline] {
    [
      row("All payouts, USDT", .money) { $0.record.payoutTotal.total.microunits },
      row("Prizes awarded", .count) { Int64($0.record.awards.count) },
      row("Prizes waiting", .count) { $0.record.prizes.reduce(0) { $0 + $1.waiting } },
      series("Payouts pending", .count, "payouts.pending"),
      series("Pending, USDT", .money, "payouts.pending_value"),
      series("Payouts failed", .count, "payouts.failed"),
      series("Failed, USDT", .money, "payouts.failed_value"),
      series("Weekly pools awarded, USDT", .money, "affiliates.pool_paid"),
    ]
  }

  /// What the program owes and holds back.
  private var obligationRows: [Headline] {
    [
      series("Trip reserve, USDT", .money, "trip_reserve"),
      series("Chip liability, USDT", .money, "chips.liability"),
      series("Owed to members, USDT", .money, "payable.member"),
      series("Owed to affiliates, USDT", .money, "payable.affiliate"),
      series("Owed to wholesale, USDT", .money, "payable.wholesale"),
      series("Refunds and shipping owed, USDT", .money, "payable.shop"),
      Headline(
        "Weekly pool so far, USDT", .money, runs.map { $0.atEnd?.weeklyPoolSoFar ?? .none }),
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

  private var treasuryRows: [Headline] {
    Self.balances.map { series("\($0.label), USDT", .money, $0.key) }
      + [
        row("Reconciliation alerts", .count) {
          Int64($0.record.reconciliations.count { !$0.balanced })
        }
      ]
  }
}
