internal import EventKernel
internal import Quantities
package import RewardModel

/// The figures of the Insights pages at each day's last instant.
///
/// Keys are those of `series.csv`. A key is cumulative or a state unless it begins with `day.`.
package struct Dashboard: Sendable {
  package var table: SeriesTable
  /// Accepted scans of the current day by local hour.
  package var hours: [Int64] = Array(repeating: 0, count: 24)
  private var scanHours: [[Int64]] = []
  /// Of the lines of the payout ledger, and of the prizes.
  private var ledgerKeys: [(count: String, total: String)] = []
  private var prizeKeys: [(awarded: String, waiting: String)] = []
  /// What the run tells of.
  package var feed = ActivityFeed()

  /// Before the first day.
  ///
  /// - Parameter known: See `SeriesTable.init`.
  package init(like known: [DailySeries] = []) {
    table = SeriesTable(BlakJaksSeries.catalog, like: known)
  }

  /// What changes from day to day.
  struct Saved: Codable {
    fileprivate var table: SeriesTable.Saved
    fileprivate var hours: [Int64]
    fileprivate var scanHours: [[Int64]]
    fileprivate var feed: ActivityFeed.Saved
  }

  /// What to save, or where to go on.
  var saved: Saved {
    get { Saved(table: table.saved, hours: hours, scanHours: scanHours, feed: feed.saved) }
    set {
      table.saved = newValue.table
      (hours, scanHours) = (newValue.hours, newValue.scanHours)
      feed.saved = newValue.feed
    }
  }

  /// Enters what books, board and pipeline show.
  package mutating func enter(_ programme: LiveProgramme, _ pipeline: PayoutPipeline) {
    enter(programme, ConfirmedPayouts(pipeline.day))
  }

  /// The same with what was confirmed in the last day.
  mutating func enter(_ programme: LiveProgramme, _ confirmed: ConfirmedPayouts) {
    let books = programme.books
    for (key, treasury) in Self.holdings { table.set(key, books.holding(treasury).microunits) }
    for (key, account) in Self.balances {
      table.set(key, books.ledger.balance(account).microunits)
    }
    table.set("gas", -books.ledger.balance(.gas).microunits)
    for (key, wallet) in Self.fees {
      table.set(key, (try? books.fees(owedFrom: wallet))?.microunits)
    }
    enter(books.desk, confirmed)
    if ledgerKeys.isEmpty { name(books.payouts.lines, programme.board.prizes) }
    for (line, key) in zip(books.payouts.lines, ledgerKeys) {
      table.set(key.count, line.count)
      table.set(key.total, line.total.microunits)
    }
    for (row, key) in prizeKeys.enumerated() {
      table.set(key.awarded, programme.board.awarded[row])
      table.set(key.waiting, programme.board.waiting(row))
    }
    table.set("affiliates.chips_issued", books.affiliates.chipsIssued)
    table.set("affiliates.chips_unexpired", books.affiliates.chipsHeld)
    table.set("affiliates.match_paid", books.payouts[.match].total.microunits)
    table.set("affiliates.pool_paid", books.payouts[.pool].total.microunits)
    table.set("affiliates.pool_accruing", books.poolAccruing?.microunits)
  }

  /// Makes the keys that a scenario names, once.
  private mutating func name(_ lines: [PayoutLedger.Line], _ prizes: [Prize]) {
    ledgerKeys = lines.map { ("ledger.\($0.id).count", "ledger.\($0.id).total") }
    prizeKeys = prizes.map { ("prize.\($0.name).awarded", "prize.\($0.name).waiting") }
  }

  private static let holdings: [(String, Treasury)] = Treasury.allCases.map {
    ("treasury.\($0.key)", $0)
  }

  private static let fees: [(String, Treasury)] = [
    ("fees.member", .memberWallet), ("fees.affiliate", .affiliateWallet),
    ("fees.wholesale", .wholesaleWallet),
  ]

  private static let balances: [(String, LedgerAccount)] = [
    ("payable.member", .memberPayable), ("payable.affiliate", .affiliatePayable),
    ("payable.wholesale", .wholesalePayable), ("trip_reserve", .tripReserve),
    ("sales_tax", .salesTax), ("pool.comp", .compPool), ("pool.affiliate", .affiliatePool),
    ("pool.wholesale", .wholesalePool),
  ]

  private mutating func enter(_ desk: PayoutDesk, _ day: ConfirmedPayouts) {
    table.set("payouts.queue", desk.queue)
    enter("payouts.awarded", "payouts.awarded_value", desk.awarded)
    enter("payouts.pending", "payouts.pending_value", desk.pending)
    enter("payouts.paid", "payouts.paid_value", desk.paid)
    enter("payouts.failed", "payouts.failed_value", desk.failed)
    table.set("payouts.waiting_funds", desk.waitingForFunds)
    table.set("payouts.retries", desk.retries)
    table.set("payouts.attempts", desk.attempts)
    table.set("payouts.succeeded", desk.successes)
    table.set("payouts.repeats_refused", desk.repeatsRefused)
    table.set("day.payouts.count", day.sum.count)
    table.set("day.payouts.value", day.sum.amount.microunits)
    table.set("payouts.confirm_mean", day.fromAward.mean?.microseconds)
    table.set("payouts.confirm_p95", day.fromAward.p95?.microseconds)
    table.set("payouts.submission_mean", day.fromSubmission.mean?.microseconds)
    table.set("payouts.submission_p95", day.fromSubmission.p95?.microseconds)
  }

  private mutating func enter(_ count: String, _ value: String, _ sum: PayoutSum) {
    table.set(count, sum.count)
    table.set(value, sum.amount.microunits)
  }

  /// Enters gold chips.
  mutating func enter(_ chips: ChipTotals, _ rules: ChipRules) {
    table.set("chips.issued", chips.issued)
    table.set("chips.bonus", chips.issuedAsBonus)
    table.set("chips.held", chips.held)
    table.set("chips.vaulted", chips.vaulted)
    table.set("chips.redeemed", chips.redeemed)
    table.set("chips.expired", chips.expired)
    table.set("chips.liability", (try? chips.liability(rules))?.microunits)
  }

  private static let feedKeys = FeedKind.allCases.map { ("feed.\($0.rawValue)", $0) }

  /// Ends a day: its figures become a row, and the counts by hour begin again at 0.
  package mutating func closeDay() {
    for (key, kind) in Self.feedKeys { table.set(key, feed.count(kind)) }
    table.closeDay()
    feed.closeDay()
    scanHours.append(hours)
    hours = Array(repeating: 0, count: 24)
  }

  /// Puts everything into the record.
  package func fill(_ record: inout BlakJaksRecord) {
    record.series = table.all
    record.scanHours = scanHours
    record.feed = feed.all
  }
}

/// Payouts that were confirmed within a day, and how long they took.
struct ConfirmedPayouts {
  /// Times to confirmation; nil without any.
  typealias Times = (mean: TimeSpan?, p95: TimeSpan?)

  var sum: PayoutSum
  /// From each award.
  var fromAward: Times
  /// From the submission of each award's transaction.
  var fromSubmission: Times
}

extension ConfirmedPayouts {
  /// What a pipeline's day showed.
  init(_ day: PayoutPipeline.Day) {
    sum = day.confirmed
    fromAward = (day.fromAward.mean, day.fromAward.quantile(0.95))
    fromSubmission = (day.fromSubmission.mean, day.fromSubmission.quantile(0.95))
  }
}

extension SeriesTable {
  /// Enters the state of the sunset engine.
  mutating func enter(_ sunset: SunsetEngine) {
    set("sunset.active", sunset.isActive ? 1 : 0)
    set("sunset.trailing", sunset.trailing)
    set("sunset.last_check", sunset.lastCheck?.microseconds)
  }
}
