internal import Quantities
internal import RewardModel

extension BlakJaksRecord {
  private static let epoch = Instant(microseconds: 0)

  static let accountTable = Table(
    "accounts", sql: "account", file: "ledger.csv", summary: .rows,
    rows: \BlakJaksRecord.accounts, blank: AccountRow(account: "", balance: .zero, postings: 0),
    columns: [
      Column("account", \.account) { $0.isUnique = true },
      Column("balance", \.balance),
      .count("postings", \.postings) { column in
        column.undigestedSince = 4
        column.note =
          "Entries; what a window brings is posted together, so it depends on calendar.window, and on whether a journal, a history or --check is asked for."
      },
    ]
  ) { $0.note = "The ledger; credits are positive and the balances sum to zero." }

  static let awardTable = Table(
    "awards", sql: "award", key: .columns(["award"]), file: "awards.csv", summary: .number,
    rows: \BlakJaksRecord.awards,
    blank: AwardRow(
      award: 0, prize: "", kind: .crypto, amount: .zero, dueScan: 0, wonScan: 0, time: epoch,
      member: ""),
    columns: [
      .count("award", \.award),
      Column("prize", \.prize) { $0.reference = ColumnShape.Reference("prize", "name") },
      Column("kind", \.kind),
      Column("amount", \.amount),
      .count("due_scan", \.dueScan),
      .count("won_scan", \.wonScan),
      Column("time", \.time),
      Column("member", \.member),
    ])

  static let prizeTable = Table(
    "prizes", sql: "prize", summary: .rows, rows: \BlakJaksRecord.prizes,
    blank: PrizeRow(
      prize: Prize(name: "", kind: .crypto, amount: .zero, every: 1, requiredTier: .standard),
      awarded: 0, waiting: 0, nextDue: 0, away: 0),
    columns: [
      Column("name", \.prize.name) { $0.isUnique = true },
      Column("kind", \.prize.kind),
      Column("amount", \.prize.amount),
      .count("every", \.prize.every) { $0.least = 1 },
      Column("required_tier", \.prize.requiredTier),
      Column("allocation", \.prize.allocation),
      .count("awarded", \.awarded),
      .count("waiting", \.waiting),
      .count("next_due", \.nextDue) {
        $0.note = "Global number of the scan at which it next falls due."
      },
      .count("away", \.away) { $0.note = "Accepted scans until then." },
    ])

  static let payoutTable = Table(
    "payouts", sql: "payout", file: "payouts.csv", summary: .rows,
    rows: \BlakJaksRecord.payouts,
    blank: PayoutRow(type: "", count: 0, total: .zero, shareBasisPoints: 0),
    columns: [
      Column("type", \.type) { $0.isUnique = true },
      .count("count", \.count),
      Column("total", \.total),
      .count("share_bp", \.shareBasisPoints),
    ]
  ) {
    $0.note = "The payout ledger without its total."
    $0.totalKey = "payout_total"
    $0.total = { $0.payoutTotal }
  }

  static let poolTable = Table(
    "pools", sql: "pool", file: "pools.csv", summary: .rows, rows: \BlakJaksRecord.pools,
    blank: PoolRow(time: epoch, pool: .zero, chips: 0, holders: 0, paid: .zero, carry: .zero),
    columns: [
      Column("time", \.time) { $0.isUnique = true },
      Column("pool", \.pool),
      .count("chips", \.chips),
      .count("holders", \.holders),
      Column("paid", \.paid),
      Column("carry", \.carry),
    ]
  ) { $0.note = "One row per weekly affiliate pool." }

  static let outcomeTable = Table(
    "outcomes", sql: "outcome", summary: .counts, rows: \BlakJaksRecord.outcomes,
    blank: NamedCount(name: "", count: 0),
    columns: [
      Column("outcome", \.name) { $0.isUnique = true },
      .count("count", \.count),
    ]
  ) { $0.note = "Submitted codes by outcome." }

  static let affiliateTable = Table(
    "affiliates", sql: "affiliate", row: \BlakJaksRecord.affiliates, blank: AffiliateFigures(),
    columns: [
      .count("active", \.active),
      .count("referred", \.referred),
      .count("chips_issued", \.chipsIssued),
      .count("chips_unexpired", \.chipsUnexpired),
      Column("match_paid", \.matchPaid),
      Column("pool_paid", \.poolPaid),
    ] + tierColumns(\.floors, prefix: "floor_", group: "floors"))

  static let reconciliationTable = Table(
    "reconciliations", sql: "reconciliation", file: "reconciliations.csv",
    rows: \BlakJaksRecord.reconciliations,
    blank: ReconciliationRow(
      time: epoch, wallet: "", ledger: .zero, chain: .zero, difference: .zero, balanced: false),
    columns: [
      Column("time", \.time),
      Column("wallet", \.wallet),
      Column("ledger", \.ledger),
      Column("chain", \.chain),
      Column("difference", \.difference) { $0.note = "Chain less ledger." },
      Column("balanced", \.balanced) { $0.note = "Within the tolerance." },
    ]
  ) { $0.since = 2 }

  static let transactionTable = Table(
    "transactions", sql: "wallet_transaction", rows: \BlakJaksRecord.transactions,
    blank: TransactionRow(
      time: epoch, member: 0, kind: "", amount: .zero, balance: .zero, status: "", hash: ""),
    columns: [
      Column("time", \.time),
      .count("member", \.member),
      Column("kind", \.kind),
      Column("amount", \.amount) { $0.note = "Negative when it leaves the wallet." },
      Column("balance", \.balance) { $0.note = "After it." },
      Column("status", \.status) { $0.kind = .choice(["pending", "confirmed", "failed"]) },
      Column("hash", \.hash),
      Column("award", \.award) {
        $0.since = 5
        $0.note = "Id of the award that was credited: its payout type and number."
      },
    ]
  ) { $0.since = 2 }
}
