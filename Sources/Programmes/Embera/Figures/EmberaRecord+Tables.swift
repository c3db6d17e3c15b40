internal import Quantities
package import RewardModel

extension EmberaRecord {
  package static let facts: [Column<EmberaRecord>] = [
    .count("members", \.total.members),
    .count("visits", \.total.visits),
    .count("left", \.total.left),
    .count("subscribers", \.total.subscribers),
    .count("orders", \.total.sums.orders) { $0.rate = "orders_per_second" },
    .count("deliveries", \.total.sums.deliveries),
    .count("issued", \.total.sums.issued),
    .count("redeemed", \.total.sums.redeemed),
    .count("expired", \.total.sums.expired),
    .count("refused", \.total.sums.refused),
    .count("repeated", \.total.sums.repeated),
    Column("reward_cost", \.total.rewardCost),
    Column("status", \.total.status),
    .count("session_resets", \.total.resets),
    // What reading back needs; months and accounts tell it everywhere else.
    .count("list_micro", \.total.sums.list) { $0.forms = [.sql] },
    .count("discount_micro", \.total.sums.discount) { $0.forms = [.sql] },
    .count("shipping_micro", \.total.sums.shipping) { $0.forms = [.sql] },
    .count("tax_micro", \.total.sums.tax) { $0.forms = [.sql] },
    .count("cost_micro", \.total.sums.cost) { $0.forms = [.sql] },
    .count("deferred_micro", \.total.sums.deferred) { $0.forms = [.sql] },
  ]

  package static let tables: [any RecordTable<EmberaRecord>] = [
    dayTable, monthTable, offerTable, tierTable, statusTable, checkoutTable, ceremonyTable,
    accountTable, syncTable, offerMonthTable, hourTable, cohortTable, openingTable,
  ]

  private static let openingTable = Table(
    "opening", sql: "opening", summary: .none, row: \EmberaRecord.opening, blank: Opening(),
    columns: [
      .count("signups", \.signUps), .count("issued", \.issued), .count("redeemed", \.redeemed),
      .count("expired", \.expired),
    ]
  ) {
    $0.since = 7
    $0.note =
      "What had happened when the days begin: nothing but for a replay from a later day."
  }

  private static let dayTable = Table(
    "days", sql: "day", key: .columns(["date"]), file: "daily.csv", summary: .number,
    rows: \EmberaRecord.days, blank: Day(date: CivilDate(dayNumber: 0)),
    columns: [
      Column("date", \.date), .count("signups", \.signUps), .count("placed", \.placed),
      .count("orders", \.orders), .count("deliveries", \.deliveries),
      Column("revenue", \.revenue), .count("issued", \.issued), .count("redeemed", \.redeemed),
      .count("expired", \.expired), .count("outstanding", \.outstanding),
      .count("processing", \.processing), .count("roasting", \.roasting),
      .count("shipping", \.shipping), .count("waiting", \.waiting), .count("ember", \.ember),
      .count("aura", \.aura), .count("halo", \.halo), .count("subscribers", \.subscribers),
      Column("reward_cost", \.rewardCost),
    ])

  private static let monthTable = Table(
    "months", sql: "month", key: .columns(["month"]), file: "months.csv", summary: .rows,
    rows: \EmberaRecord.months, blank: Month.blank,
    columns: [
      Column("month", \.month), .count("orders", \.orders), .count("deliveries", \.deliveries),
      Column("revenue", \.revenue), Column("discounts", \.discounts),
      Column("shipping", \.shipping), Column("tax", \.tax),
      Column("cost_of_goods", \.costOfGoods), .count("issued", \.issued),
      .count("redeemed", \.redeemed), .count("expired", \.expired),
      .count("outstanding", \.outstanding), Column("reward_cost", \.rewardCost),
      Column("status", \.status),
      .count("share_bp", \.valuation.share.rawValue) {
        $0.note =
          "The estimated share of points that are redeemed in the end, in basis points: what was redeemed so "
          + "far of points that are old enough, which later redemptions raise. 'Expected redeemed' of reports "
          + "is expected_redeemed over all points issued by then."
      },
      .count("expected_redeemed", \.valuation.expectedRedeemed) {
        $0.note =
          "All points issued by then times share_bp, but no more than those redeemed and share_bp of those "
          + "outstanding, and no fewer than those redeemed."
      },
      Column("liability_gross", \.valuation.gross), Column("breakage", \.valuation.breakage),
      Column("contract_liability", \.valuation.contractLiability),
    ])

  private static let offerTable = Table(
    "offers", sql: "offer", file: "offers.csv", summary: .rows, rows: \EmberaRecord.offers,
    blank: OfferRow(id: "", title: "", redemptions: 0, points: 0, cost: .zero),
    columns: [
      Column("id", \.id) { $0.isUnique = true }, Column("title", \.title),
      .count("redemptions", \.redemptions), .count("points", \.points), Column("cost", \.cost),
    ])

  private static let tierTable = Table(
    "tiers", sql: "tier", file: "tiers.csv", summary: .rows, rows: \EmberaRecord.tiers,
    blank: TierRow(tier: .ember, members: 0, reached: 0, meanTimeToReach: nil),
    columns: [
      Column("tier", \.tier), .count("members", \.members), .count("reached", \.reached),
      span("mean_seconds_to_reach", \.meanTimeToReach),
    ])

  private static let statusTable = Table(
    "statuses", sql: "status", summary: .rows, rows: \EmberaRecord.statuses,
    blank: NamedCount(name: "", count: 0), columns: counts)

  private static let checkoutTable = Table(
    "checkouts", sql: "checkout", summary: .rows, rows: \EmberaRecord.checkouts,
    blank: Checkouts(outcome: .success, online: 0, offline: 0),
    columns: [
      Column("outcome", \.outcome), .count("online", \.online), .count("offline", \.offline),
    ])

  private static let ceremonyTable = Table(
    "ceremonies", sql: "ceremony", summary: .rows, rows: \EmberaRecord.ceremonies,
    blank: NamedCount(name: "", count: 0), columns: counts)

  private static let accountTable = Table(
    "accounts", sql: "account", file: "ledger.csv", summary: .rows,
    rows: \EmberaRecord.accounts, blank: AccountRow(account: .cash, balance: .zero),
    columns: [Column("account", \.account), Column("balance", \.balance)])

  private static let syncTable = Table(
    "sync", sql: "sync", row: \EmberaRecord.sync, blank: Sync(),
    columns: [
      .count("offline_orders", \.offlineOrders), .count("arrived", \.arrived),
      .count("waiting_orders", \.waitingOrders),
      .count("waiting_redemptions", \.waitingRedemptions), .count("syncs", \.syncs),
      span("mean_lag_seconds", \.meanLag), span("p95_lag_seconds", \.lagP95),
      span("longest_lag_seconds", \.longestLag),
      .count("offline_redemptions", \.offlineRedemptions), .count("confirmed", \.confirmed),
      .count("conflicts", \.conflicts), .count("points_returned", \.pointsReturned),
      .count("resent", \.resent), .count("looks", \.looks), .count("held_back", \.heldBack),
    ])

  private static let offerMonthTable = Table(
    "offer_months", sql: "offer_month", rows: \EmberaRecord.offerMonths,
    blank: OfferMonth(month: "", offer: "", redemptions: 0),
    columns: [
      Column("month", \.month), Column("offer", \.offer), .count("redemptions", \.redemptions),
    ])

  private static let hourTable = Table(
    "hours", sql: "order_hour", rows: \EmberaRecord.hours,
    blank: HourRow(weekday: 0, hour: 0, orders: 0),
    columns: [
      .count("weekday", \.weekday), .count("hour", \.hour), .count("orders", \.orders),
    ])

  private static let cohortTable = Table(
    "cohorts", sql: "cohort", rows: \EmberaRecord.cohorts,
    blank: CohortRow(cohort: "", month: "", members: 0),
    columns: [
      Column("cohort", \.cohort), Column("month", \.month), .count("members", \.members),
    ])

  private static let counts: [Column<NamedCount>] = [
    Column("name", \.name) { $0.isUnique = true }, .count("count", \.count),
  ]

  /// A span in seconds that may be open.
  private static func span<Row>(
    _ name: String, _ path: any WritableKeyPath<Row, TimeSpan?> & Sendable
  ) -> Column<Row> {
    Column(
      name, get: { $0[keyPath: path].map { $0.inSeconds } },
      set: { (row: inout Row, seconds: Double?) in
        row[keyPath: path] = seconds.map { TimeSpan(microseconds: Int64(($0 * 1e6).rounded())) }
      })
  }
}

extension EmberaRecord.Month {
  fileprivate static let blank = EmberaRecord.Month(
    MonthClose(
      month: 0, sums: ProgramSums(), outstanding: 0, rewardCost: .zero, status: .normal,
      valuation: PointsValuation(
        share: BasisPoints(0), expectedRedeemed: 0, gross: .zero, breakage: .zero,
        contractLiability: .zero)))
}

extension BudgetStatus: FieldChoice {
  package var word: String { key }
}

extension EmberaTier: FieldChoice {
  package var word: String { key }
}

extension PaymentOutcome: FieldChoice {
  package var word: String { key }
}

extension EmberaAccount: FieldChoice {
  package var word: String { key }
}
