internal import Quantities
internal import RewardModel

extension Insights {
  /// Where the money is, whether the chain agrees, and what was paid.
  static func treasury(_ asOf: InsightsAsOf) -> Page {
    asOf.page(
      .treasury,
      [
        .figures(
          "wallets", "Wallets on the chain",
          [
            asOf.figure("member", "Member", .money, "treasury.wallet_member"),
            asOf.figure("affiliate", "Affiliate", .money, "treasury.wallet_affiliate"),
            asOf.figure("wholesale", "Wholesale", .money, "treasury.wallet_wholesale"),
            lastSync(asOf),
          ]),
        .figures(
          "bank", "Bank accounts",
          [
            asOf.figure("operating", "Operating", .money, "treasury.bank_operating"),
            asOf.figure("reserve", "Reserve", .money, "treasury.bank_reserve"),
            asOf.figure("comp_pool", "Comp Pool", .money, "treasury.bank_comp_pool"),
          ] + shortfalls(asOf)),
        .figures(
          "obligations", "Owed and set aside",
          [
            asOf.figure("payable_member", "Owed to members", .money, "payable.member"),
            asOf.figure("payable_affiliate", "Owed to affiliates", .money, "payable.affiliate"),
            asOf.figure("payable_wholesale", "Owed to wholesale", .money, "payable.wholesale"),
            asOf.figure("payable_shop", "Refunds and shipping owed", .money, "payable.shop"),
            PageFigure(
              "pool_accruing", "Weekly pool so far", .money, asOf.weeklyPoolSoFar,
              note: "with what was carried over; distributed on Monday, when the week is over"),
            asOf.figure("trip_reserve", "Trip reserve", .money, "trip_reserve"),
            asOf.figure("sales_tax", "Sales tax", .money, "sales_tax"),
            asOf.figure("gas", "Gas paid", .money, "gas"),
          ]),
        PageBlock(
          key: "balance_history", title: "Balances, last 90 days",
          body: .history(
            asOf.history(
              .money,
              [
                ("wallet_member", "Member wallet", "treasury.wallet_member"),
                ("wallet_affiliate", "Affiliate wallet", "treasury.wallet_affiliate"),
                ("wallet_wholesale", "Wholesale wallet", "treasury.wallet_wholesale"),
                ("bank_operating", "Operating", "treasury.bank_operating"),
                ("bank_reserve", "Reserve", "treasury.bank_reserve"),
                ("bank_comp_pool", "Comp Pool", "treasury.bank_comp_pool"),
              ]))),
        reconciliation(asOf),
      ] + payoutLedger(asOf) + [memberWallets(asOf), transactions(asOf)])
  }

  /// Where Operating could not pay what the shop owed: since when, by how much, and what Reserve
  /// put in; nothing where it never was short.
  private static func shortfalls(_ asOf: InsightsAsOf) -> [PageFigure] {
    guard let short = OperatingShortfalls(asOf.record, through: asOf.row), let first = short.first
    else { return [] }
    return [
      PageFigure(
        "first_shortfall", "Operating first short", .text,
        .text(asOf.record.days[first].date.description)),
      PageFigure(
        "deepest_shortfall", "Deepest shortfall", .money, .number(short.deepest.microunits)),
      PageFigure(
        "topped_up", "Put in from Reserve", .money, .number(short.toppedUp.microunits)),
    ]
  }

  /// When the chain was last compared with the ledger.
  static func lastSync(_ asOf: InsightsAsOf) -> PageFigure {
    let last = asOf.reconciled.map(\.time.microseconds).max()
    let none = asOf.reconciliationAbsence ?? .none
    return PageFigure(
      "last_sync", "Last sync", .instant, last.map { .number($0) } ?? none,
      note: last == nil && none == .none ? "not yet; wallets are reconciled at 05:00" : "")
  }

  /// Whether the chain agrees with the ledger, as a figure.
  static func reconciliationVerdict(_ balanced: Bool) -> PageValue {
    balanced ? .verdict("Balanced", .good) : .verdict("Alert", .bad)
  }

  private static func reconciliation(_ asOf: InsightsAsOf) -> PageBlock {
    let rows = asOf.latestReconciliations().map { row -> [PageValue] in
      let alerts = asOf.reconciled.count { $0.wallet == row.wallet && !$0.balanced }
      return [
        .text(row.wallet), .number(row.time.microseconds), .number(row.ledger.microunits),
        .number(row.chain.microunits), .number(row.difference.microunits),
        reconciliationVerdict(row.balanced), .number(Int64(alerts)),
      ]
    }
    return PageBlock(
      key: "reconciliation", title: "Reconciliation",
      body: .table(
        PageTable(
          [
            ("wallet", "Wallet", .text), ("time", "Checked (UTC)", .instant),
            ("ledger", "Ledger USDT", .money), ("chain", "Chain USDT", .money),
            ("difference", "Difference", .money), ("status", "Status", .text),
            ("alerts", "Alerts so far", .count),
          ], rows: rows, empty: "none yet; wallets are reconciled at 05:00",
          absence: asOf.reconciliationAbsence)))
  }

  /// The ledger as a table with its total, and as bars.
  private static func payoutLedger(_ asOf: InsightsAsOf) -> [PageBlock] {
    let ledger = asOf.payoutLedger()
    let rows = ledger ?? []
    let labels = rows.map { asOf.record.label(of: $0, asOf.rules) }
    func cells(_ label: String, _ row: BlakJaksRecord.PayoutRow) -> [PageValue] {
      [
        .text(label), .number(row.count), .number(row.total.microunits),
        .number(row.shareBasisPoints),
      ]
    }
    let total = BlakJaksRecord.PayoutRow(
      type: "Total", count: rows.reduce(0) { $0 + $1.count },
      total: PageSums.sum(rows.map(\.total)), shareBasisPoints: 10_000)
    let table = PageTable(
      [
        ("type", "Type", .text), ("count", "Count", .count), ("total", "USDT", .money),
        ("share", "Share", .share),
      ], rows: zip(labels, rows).map(cells),
      total: ledger == nil ? nil : cells("Total", total),
      absence: ledger == nil ? .notInRun(setting: nil) : nil)
    let bars = PageBars(
      unit: .money, labels: labels, values: rows.map(\.total.microunits))
    return [
      PageBlock(key: "payout_ledger", title: asOf.title("Payout ledger"), body: .table(table)),
      PageBlock(key: "payout_bars", title: asOf.title("Payouts by type"), body: .bars(bars)),
    ]
  }

  private static func memberWallets(_ asOf: InsightsAsOf) -> PageBlock {
    .figures(
      "member_wallets", "Members' wallets and cards",
      [
        asOf.figure("balance", "Balances", .money, "wallet.balance"),
        asOf.figure("pending", "of them pending", .money, "wallet.pending"),
        asOf.figure("withdrawals", "Withdrawals", .count, "wallet.withdrawals"),
        asOf.figure("withdrawn", "Withdrawn", .money, "wallet.withdrawn"),
        asOf.figure("card_applied", "Cards applied for", .count, "wallet.card_applied"),
        asOf.figure("card_verified", "Cards verified", .count, "wallet.card_verified"),
        asOf.figure("card_active", "Cards active", .count, "wallet.card_active"),
        asOf.figure("card_payments", "Card payments", .count, "wallet.card_payments"),
        asOf.figure("card_spent", "Spent by card", .money, "wallet.card_spent"),
      ])
  }

  private static func transactions(_ asOf: InsightsAsOf) -> PageBlock {
    let rows = asOf.latest(asOf.record.transactions, 20, \.time).reversed()
    return PageBlock(
      key: "transactions", title: "Latest transactions of the traced members",
      body: .table(
        PageTable(
          [
            ("time", "Time (UTC)", .instant), ("member", "Member", .count),
            ("kind", "Kind", .text), ("amount", "USDT", .money), ("balance", "Balance", .money),
            ("status", "Status", .text), ("hash", "Hash", .hash),
          ],
          rows: rows.map { row in
            [
              .number(row.time.microseconds), .number(row.member), .text(row.kind),
              .number(row.amount.microunits), .number(row.balance.microunits),
              .text(asOf.status(of: row)),
              .text(row.hash),
            ]
          }, absence: asOf.value("wallet.balance").absence)))
  }
}

extension BudgetStatus {
  /// The status as a figure.
  var verdict: PageValue { .verdict(rawValue, tone) }
}
