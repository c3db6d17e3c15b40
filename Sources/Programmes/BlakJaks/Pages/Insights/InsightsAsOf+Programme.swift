internal import Quantities
internal import RewardModel

extension InsightsAsOf {
  /// The open month at the day's end.
  struct Budget {
    var grossProfit: MicroUSDT
    var budget: MicroUSDT
    var spend: MicroUSDT
    /// Nil without a budget.
    var utilisation: Int64?
  }

  /// Sums of the month's days so far; the budget is the comp pool's share of their gross profit,
  /// rounded down, and the spend is counted as the setting of recognition says.
  func budget() -> Budget {
    let label = day.date.monthLabel
    let days = record.days[...row].reversed().prefix { $0.date.monthLabel == label }
    let grossProfit = PageSums.sum(days.map(\.grossProfit))
    let cash = rules.compPool.recognition == .cash
    let spend = PageSums.sum(days.map { cash ? $0.spendCash : $0.spendAccrual })
    // A sum that fits into money has a share that fits, too.
    let budget = (try? grossProfit.share(rules.compPool.share)) ?? .zero
    return Budget(
      grossProfit: grossProfit, budget: budget, spend: spend,
      utilisation: BudgetHealth.utilisation(spend: spend, budget: budget))
  }

  /// Budgets less spend since the start, the spend counted as the setting of recognition says. The
  /// ledger charges the comp pool with what is set aside for trips; in cash they are spent when won.
  func compPool() -> PageValue {
    guard rules.compPool.recognition == .cash, rules.compPool.charges.trip == .compPool,
      let pool = number("pool.comp"), let reserve = number("trip_reserve")
    else { return value("pool.comp") }
    let sum = PageSums.sum([MicroUSDT(microunits: pool), MicroUSDT(microunits: reserve)])
    return .number(sum.microunits)
  }

  /// One prize at the day's end.
  struct Milestone {
    var prize: Prize
    var awarded: Int64
    var waiting: Int64
    var nextDue: Int64
    var away: Int64
    /// Accepted scans since it last fell due.
    var since: Int64
    /// Of the way to the next due number, in basis points, rounded down.
    var progress: Int64
    /// Members that hold at least the required tier, suspended ones included.
    var eligible: Int64
  }

  /// The prizes of the scenario.
  ///
  /// - Complexity: O(awards + prizes).
  func milestones() -> [Milestone] {
    var awarded: [String: Int64] = [:]
    for award in record.awards where award.time < instant { awarded[award.prize, default: 0] += 1 }
    return record.prizes.map { row in
      let (prize, every) = (row.prize, row.prize.every)
      let count = number("prize.\(prize.name).awarded") ?? awarded[prize.name] ?? 0
      let since = scans % every
      return Milestone(
        prize: prize, awarded: count,
        waiting: number("prize.\(prize.name).waiting") ?? (scans / every - count),
        nextDue: scans - since + every, away: every - since, since: since,
        progress: Int64(Int128(since) * 10_000 / Int128(every)),
        eligible: holders(of: prize.requiredTier))
    }
  }

  /// Members whose effective tier is at least this one.
  func holders(of tier: Tier) -> Int64 {
    Tier.allCases.reduce(0) { $0 + ($1 >= tier ? day.tiers[$1] : 0) }
  }

  /// The payout ledger: its own series, or the record's rows on the last day.
  ///
  /// - Returns: Nil when the run holds neither.
  func payoutLedger() -> [BlakJaksRecord.PayoutRow]? {
    let hasSeries = record.payouts.contains { has("ledger.\($0.type).count") }
    guard hasSeries || isLast else { return nil }
    var rows = record.payouts.map { row in
      guard hasSeries else { return row }
      return BlakJaksRecord.PayoutRow(
        type: row.type, count: number("ledger.\(row.type).count") ?? 0,
        total: MicroUSDT(microunits: number("ledger.\(row.type).total") ?? 0),
        shareBasisPoints: 0)
    }
    // They add up, unlike those of the record, which are rounded down.
    let shares = PageSums.shares(of: rows.map(\.total.microunits))
    for index in rows.indices { rows[index].shareBasisPoints = shares[index] ?? 0 }
    return rows
  }

  /// A line of the payout ledger; nil when the ledger is not known at this day.
  func payout(_ type: PayoutType) -> BlakJaksRecord.PayoutRow? {
    payoutLedger()?.first { record.type(of: $0) == type }
  }

  /// Weekly pools paid so far, in order.
  var poolsPaid: [BlakJaksRecord.PoolRow] { record.pools.filter { $0.time < instant } }

  /// What the next weekly pool would hold: its share of the week's gross profit so far, and the
  /// carry of the last one. Weeks begin on Monday. Nil when no pool is paid.
  func poolAccruing() -> MicroUSDT? {
    guard rules.affiliates.weeklyPool else { return nil }
    let week = record.days[max(0, row - day.date.weekday)...row].map(\.grossProfit)
    let accrued = (try? PageSums.sum(week).share(rules.compPool.affiliateShare)) ?? .zero
    return PageSums.sum([accrued, poolsPaid.last?.carry ?? .zero])
  }

  /// The same as pages show it.
  var weeklyPoolSoFar: PageValue {
    let key = "affiliates.pool_accruing"
    guard rules.affiliates.weeklyPool else {
      return .notInRun(setting: "rules.affiliates.weekly_pool")
    }
    return has(key) ? value(key) : .known(poolAccruing()?.microunits)
  }

  /// Reconciliations so far, in order.
  var reconciled: [BlakJaksRecord.ReconciliationRow] {
    record.reconciliations.filter { $0.time < instant }
  }

  /// Set when the run reconciles nothing; a service does so each morning, the first after its start.
  var reconciliationAbsence: PageValue? {
    record.reconciliations.isEmpty && !isLive ? .notInRun(setting: nil) : nil
  }

  /// The latest reconciliation of each wallet, in the order in which wallets first occur.
  func latestReconciliations() -> [BlakJaksRecord.ReconciliationRow] {
    var latest: [BlakJaksRecord.ReconciliationRow] = []
    for row in reconciled {
      if let place = latest.firstIndex(where: { $0.wallet == row.wallet }) {
        latest[place] = row
      } else {
        latest.append(row)
      }
    }
    return latest
  }

  /// What had become of a traced member's transaction.
  ///
  /// The record says it of the run's end. What leaves a wallet is settled at once; an award that is paid
  /// by the end may have been pending on an earlier day.
  func status(of row: BlakJaksRecord.TransactionRow) -> String {
    guard !isLast, !isLive, row.status == "confirmed", CreditKind(rawValue: row.kind) != nil
    else { return row.status }
    return "pending or confirmed"
  }

  // MARK: - The feed

  /// Something that happened.
  typealias FeedItem = BlakJaksRecord.FeedRow

  /// The latest happenings before the day's end, the newest first: awards, weekly pools, alerts of
  /// the reconciliation and what else the run reported.
  ///
  /// - Parameter partners: Only what partners ask for: match, pools, affiliates, wholesale, sunset.
  /// - Complexity: O(rows of the record that may be reported).
  func feed(_ count: Int = 20, partners: Bool = false) -> [FeedItem] {
    var items: [FeedItem] = []
    if !partners {
      items += latest(record.awards, count, \.time).map { FeedItem($0) }
      let alerts = record.reconciliations.filter { !$0.balanced }
      items += latest(alerts, count, \.time).map { FeedItem($0) }
    }
    items += latest(record.pools, count, \.time).map { FeedItem($0) }
    let told = partners ? record.feed.filter { Self.isForPartners($0.kind) } : record.feed
    items += latest(told, count, \.time)
    return Array(latest(items, count, \.time).reversed())
  }

  private static func isForPartners(_ kind: String) -> Bool {
    ["match", "pool", "affiliate", "wholesale", "sunset", "partner"].contains {
      kind.hasPrefix($0)
    }
  }

  /// The last rows before the day's end, oldest first; those of one instant in their own order.
  func latest<Row>(_ rows: [Row], _ count: Int, _ time: (Row) -> Instant) -> [Row] {
    let before = rows.enumerated().filter { time($0.element) < instant }
    let sorted = before.sorted {
      (time($0.element), $0.offset) < (time($1.element), $1.offset)
    }
    return sorted.suffix(count).map(\.element)
  }
}

extension BlakJaksRecord.FeedRow {
  /// What is told of a milestone comp.
  init(_ row: BlakJaksRecord.AwardRow) {
    self.init(
      time: row.time, kind: "award",
      text: "\(row.prize): \(row.amount.cents) USDT won by member \(row.member)"
        + " at scan \(row.wonScan.grouped)")
  }

  /// What is told of a reconciliation that did not balance.
  init(_ row: BlakJaksRecord.ReconciliationRow) {
    self.init(
      time: row.time, kind: "reconciliation",
      text: "\(row.wallet): Alert, the chain differs from the ledger by "
        + "\(row.difference.cents) USDT")
  }

  /// What is told of a weekly pool.
  init(_ row: BlakJaksRecord.PoolRow) {
    self.init(
      time: row.time, kind: "pool",
      text: "Weekly pool of \(row.pool.cents) USDT: \(row.paid.cents) to "
        + PageWords.counted(row.holders, "affiliate", "affiliates"))
  }
}
