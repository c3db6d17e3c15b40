internal import EventKernel
package import Quantities

/// The figures of the Insights pages, as they stand at each day's last instant.
///
/// Keys are those of `series.csv`. A key is cumulative or a state unless it begins with `day.`.
package struct Dashboard: Sendable {
  package var table = SeriesTable()
  /// Accepted scans of the current day by local hour.
  package var hours: [Int64] = Array(repeating: 0, count: 24)
  private var scanHours: [[Int64]] = []
  private var feed: [BlakJaksRecord.FeedRow] = []
  /// No run tells more than this.
  private static let feedBound = 20_000
  private var alerts = 0

  package init() {}

  /// Enters something worth telling; beyond the bound nothing is kept.
  package mutating func tell(_ time: Instant, _ kind: String, _ text: String) {
    guard feed.count < Dashboard.feedBound else { return }
    feed.append(BlakJaksRecord.FeedRow(time: time, kind: kind, text: text))
  }

  /// Enters what books, board and pipeline show.
  package mutating func enter(_ programme: LiveProgramme, _ pipeline: PayoutPipeline) {
    let books = programme.books
    for treasury in Treasury.allCases {
      let name = String(treasury.key)
      table.set("treasury.\(name)", .money, books.holding(treasury).microunits)
    }
    for (key, account) in Self.balances {
      table.set(key, .money, books.ledger.balance(account).microunits)
    }
    table.set("gas", .money, -books.ledger.balance(.gas).microunits)
    enter(books.desk, pipeline)
    for line in books.payouts.lines {
      table.set("ledger.\(line.name).count", .count, line.count)
      table.set("ledger.\(line.name).total", .money, line.total.microunits)
    }
    for (row, prize) in programme.board.prizes.enumerated() {
      table.set("prize.\(prize.name).awarded", .count, programme.board.awarded[row])
      table.set("prize.\(prize.name).waiting", .count, programme.board.waiting(row))
    }
    table.set("affiliates.chips_issued", .count, books.affiliates.chipsIssued)
    table.set("affiliates.chips_unexpired", .count, books.affiliates.chipsHeld)
    table.set("affiliates.match_paid", .money, books.payouts[.match].total.microunits)
    table.set("affiliates.pool_paid", .money, books.payouts[.pool].total.microunits)
    table.set("affiliates.pool_accruing", .money, books.poolAccruing?.microunits)
    for row in books.reconciliations[alerts...] where !row.balanced {
      tell(
        row.time, "reconciliation",
        "\(row.wallet.key): chain and ledger differ by \(row.difference) USDT")
    }
    alerts = books.reconciliations.count
  }

  private static let balances: [(String, LedgerAccount)] = [
    ("payable.member", .memberPayable), ("payable.affiliate", .affiliatePayable),
    ("payable.wholesale", .wholesalePayable), ("trip_reserve", .tripReserve),
    ("sales_tax", .salesTax), ("pool.comp", .compPool), ("pool.affiliate", .affiliatePool),
    ("pool.wholesale", .wholesalePool),
  ]

  private mutating func enter(_ desk: PayoutDesk, _ pipeline: PayoutPipeline) {
    table.set("payouts.queue", .count, desk.queue)
    for (name, sum) in [
      ("awarded", desk.awarded), ("pending", desk.pending), ("paid", desk.paid),
      ("failed", desk.failed),
    ] {
      table.set("payouts.\(name)", .count, sum.count)
      table.set("payouts.\(name)_value", .money, sum.amount.microunits)
    }
    table.set("payouts.waiting_funds", .count, desk.waitingForFunds)
    table.set("payouts.retries", .count, desk.retries)
    table.set("payouts.attempts", .count, desk.attempts)
    table.set("payouts.succeeded", .count, desk.successes)
    table.set("payouts.repeats_refused", .count, desk.repeatsRefused)
    let day = pipeline.day
    table.set("day.payouts.count", .count, day.confirmed.count)
    table.set("day.payouts.value", .money, day.confirmed.amount.microunits)
    table.set("payouts.confirm_mean", .micros, day.latency.mean.map { Int64($0 * 1e6) })
    table.set("payouts.confirm_p95", .micros, day.latencyP95.map { Int64($0 * 1e6) })
  }

  /// Enters gold chips.
  mutating func enter(_ chips: ChipTotals, _ rules: ChipRules) {
    table.set("chips.issued", .count, chips.issued)
    table.set("chips.bonus", .count, chips.issuedAsBonus)
    table.set("chips.held", .count, chips.held)
    table.set("chips.vaulted", .count, chips.vaulted)
    table.set("chips.redeemed", .count, chips.redeemed)
    table.set("chips.expired", .count, chips.expired)
    table.set("chips.liability", .money, (try? chips.liability(rules))?.microunits)
  }

  package mutating func closeDay() {
    table.closeDay()
    scanHours.append(hours)
    hours = Array(repeating: 0, count: 24)
  }

  /// Puts everything into the record.
  package func fill(_ record: inout BlakJaksRecord) {
    record.series = table.all
    record.scanHours = scanHours
    // Stable, so that what one window told at one instant keeps its order.
    record.feed = feed.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    .map(\.element)
  }
}
