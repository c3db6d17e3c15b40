internal import BlakJaks
internal import Quantities
internal import RewardModel
internal import Simulator

extension Insights {
  /// Where the money is, whether the chain agrees, and what was paid.
  static func treasury(_ asOf: InsightsAsOf) -> InsightPage {
    asOf.page(
      .treasury,
      [
        figures(
          "wallets", "Wallets on the chain",
          [
            asOf.figure("member", "Member", .money, "treasury.wallet_member"),
            asOf.figure("affiliate", "Affiliate", .money, "treasury.wallet_affiliate"),
            asOf.figure("wholesale", "Wholesale", .money, "treasury.wallet_wholesale"),
            lastSync(asOf),
          ]),
        figures(
          "bank", "Bank accounts",
          [
            asOf.figure("operating", "Operating", .money, "treasury.bank_operating"),
            asOf.figure("reserve", "Reserve", .money, "treasury.bank_reserve"),
            asOf.figure("comp_pool", "Comp Pool", .money, "treasury.bank_comp_pool"),
          ]),
        figures(
          "obligations", "Owed and set aside",
          [
            asOf.figure("payable_member", "Owed to members", .money, "payable.member"),
            asOf.figure("payable_affiliate", "Owed to affiliates", .money, "payable.affiliate"),
            asOf.figure("payable_wholesale", "Owed to wholesale", .money, "payable.wholesale"),
            asOf.figure("trip_reserve", "Trip reserve", .money, "trip_reserve"),
            asOf.figure("sales_tax", "Sales tax", .money, "sales_tax"),
            asOf.figure("gas", "Gas paid", .money, "gas"),
          ]),
        InsightBlock(
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

  /// When the chain was last compared with the ledger.
  static func lastSync(_ asOf: InsightsAsOf) -> InsightFigure {
    let last = asOf.reconciled.map(\.time.microseconds).max()
    let none = asOf.reconciliationAbsence ?? .none
    return InsightFigure("last_sync", "Last sync", .instant, last.map { .number($0) } ?? none)
  }

  private static func reconciliation(_ asOf: InsightsAsOf) -> InsightBlock {
    let rows = asOf.latestReconciliations().map { row -> [InsightValue] in
      let alerts = asOf.reconciled.count { $0.wallet == row.wallet && !$0.balanced }
      return [
        .text(row.wallet), .number(row.time.microseconds), .number(row.ledger.microunits),
        .number(row.chain.microunits), .number(row.difference.microunits),
        .text(row.balanced ? "Balanced" : "Alert"), .number(Int64(alerts)),
      ]
    }
    return InsightBlock(
      key: "reconciliation", title: "Reconciliation",
      body: .table(
        InsightTable(
          [
            InsightTable.Column("wallet", "Wallet", .text),
            InsightTable.Column("time", "Checked (UTC)", .instant),
            InsightTable.Column("ledger", "Ledger USDT", .money),
            InsightTable.Column("chain", "Chain USDT", .money),
            InsightTable.Column("difference", "Difference", .money),
            InsightTable.Column("status", "Status", .text),
            InsightTable.Column("alerts", "Alerts so far", .count),
          ], rows: rows,
          absence: asOf.reconciliationAbsence)))
  }

  /// The ledger as a table with its total, and as bars.
  private static func payoutLedger(_ asOf: InsightsAsOf) -> [InsightBlock] {
    let ledger = asOf.payoutLedger()
    let rows = ledger ?? []
    func cells(_ row: BlakJaksRecord.PayoutRow) -> [InsightValue] {
      [
        .text(row.type), .number(row.count), .number(row.total.microunits),
        .number(row.shareBasisPoints),
      ]
    }
    let total = BlakJaksRecord.PayoutRow(
      type: "Total", count: rows.reduce(0) { $0 + $1.count },
      total: InsightsAsOf.sum(rows.map(\.total)), shareBasisPoints: 10_000)
    let table = InsightTable(
      [
        InsightTable.Column("type", "Type", .text), InsightTable.Column("count", "Count", .count),
        InsightTable.Column("total", "USDT", .money), InsightTable.Column("share", "Share", .share),
      ], rows: rows.map(cells), total: ledger == nil ? nil : cells(total),
      absence: ledger == nil ? .notInRun(setting: nil) : nil)
    let bars = InsightBars(
      unit: .money, labels: rows.map(\.type), values: rows.map(\.total.microunits))
    return [
      InsightBlock(key: "payout_ledger", title: "Payout ledger", body: .table(table)),
      InsightBlock(key: "payout_bars", title: "Payouts by type", body: .bars(bars)),
    ]
  }

  private static func memberWallets(_ asOf: InsightsAsOf) -> InsightBlock {
    figures(
      "member_wallets", "Members' wallets and cards",
      [
        asOf.figure("balance", "Balances", .money, "wallet.balance"),
        asOf.figure("pending", "Pending", .money, "wallet.pending"),
        asOf.figure("withdrawals", "Withdrawals", .count, "wallet.withdrawals"),
        asOf.figure("withdrawn", "Withdrawn", .money, "wallet.withdrawn"),
        asOf.figure("card_applied", "Cards applied for", .count, "wallet.card_applied"),
        asOf.figure("card_verified", "Cards verified", .count, "wallet.card_verified"),
        asOf.figure("card_active", "Cards active", .count, "wallet.card_active"),
        asOf.figure("card_payments", "Card payments", .count, "wallet.card_payments"),
        asOf.figure("card_spent", "Spent by card", .money, "wallet.card_spent"),
      ])
  }

  private static func transactions(_ asOf: InsightsAsOf) -> InsightBlock {
    let rows = asOf.latest(asOf.record.transactions, 20, \.time).reversed()
    return InsightBlock(
      key: "transactions", title: "Latest transactions of the traced members",
      body: .table(
        InsightTable(
          [
            InsightTable.Column("time", "Time (UTC)", .instant),
            InsightTable.Column("member", "Member", .count),
            InsightTable.Column("kind", "Kind", .text),
            InsightTable.Column("amount", "USDT", .money),
            InsightTable.Column("balance", "Balance", .money),
            InsightTable.Column("status", "Status", .text),
            InsightTable.Column("hash", "Hash", .hash),
          ],
          rows: rows.map { row in
            [
              .number(row.time.microseconds), .number(row.member), .text(row.kind),
              .number(row.amount.microunits), .number(row.balance.microunits), .text(row.status),
              .text(row.hash),
            ]
          }, absence: asOf.value("wallet.balance").absence)))
  }
}

extension InsightValue {
  /// Itself when the run does not model it.
  var absence: InsightValue? {
    if case .notInRun = self { self } else { nil }
  }
}
