package import Quantities

extension BlakJaksRecord {
  /// What the whole numbers of a series count.
  package enum Unit: String, CaseIterable, Sendable {
    case count
    /// Micro-USDT.
    case money
    /// Microseconds: a time span, or an instant since 1970-01-01T00:00:00Z.
    case micros
    case basisPoints = "basis_points"
    /// 0 or 1.
    case flag
  }

  /// The unit of a daily series by its key, whether or not a run has it: a run's own rows hold the
  /// same.
  package static func unit(ofSeries key: String) -> Unit {
    let moneyPlaces = ["treasury.", "payable.", "pool."]
    if moneyPlaces.contains(where: key.hasPrefix) || moneyKeys.contains(key) { return .money }
    if key.hasPrefix("ledger."), key.hasSuffix(".total") { return .money }
    if key.hasPrefix("tier."), key.hasSuffix(".comps") { return .money }
    if key.hasPrefix("payouts."), key.hasSuffix("_value") { return .money }
    if key == "payouts.confirm_mean" || key == "payouts.confirm_p95" { return .micros }
    if key.hasPrefix("scans.processing_") || key == "sunset.last_check" { return .micros }
    return key == "sunset.active" ? .flag : .count
  }

  private static let moneyKeys: Set<String> = [
    "trip_reserve", "sales_tax", "gas", "day.payouts.value", "affiliates.match_paid",
    "affiliates.pool_paid", "affiliates.pool_accruing", "wholesale.comps_value",
    "wallet.balance", "wallet.pending", "wallet.withdrawn", "wallet.card_spent", "shop.revenue",
    "shop.shipping", "shop.tax", "chips.liability",
  ]

  /// One figure of every day, as it stood at the day's last instant. It is cumulative since the
  /// run's start, or a state such as a balance; a key that begins with `day.` is of the day alone.
  package struct Series: Sendable, Equatable {
    /// Unique in the record, for example `payouts.queue`.
    package var key: String
    package var unit: Unit
    /// One value a row of `days`; nil where the figure is not defined (a mean of nothing).
    package var values: [Int64?]

    package init(key: String, unit: Unit, values: [Int64?]) {
      self.key = key
      self.unit = unit
      self.values = values
    }
  }

  /// One reconciliation of one wallet.
  package struct ReconciliationRow: Sendable, Equatable {
    package var time: Instant
    package var wallet: String
    /// What the books say.
    package var ledger: MicroUSDT
    /// What the chain says.
    package var chain: MicroUSDT
    /// Chain less ledger.
    package var difference: MicroUSDT
    /// Within the tolerance.
    package var balanced: Bool

    package init(
      time: Instant, wallet: String, ledger: MicroUSDT, chain: MicroUSDT, difference: MicroUSDT,
      balanced: Bool
    ) {
      self.time = time
      self.wallet = wallet
      self.ledger = ledger
      self.chain = chain
      self.difference = difference
      self.balanced = balanced
    }
  }

  /// Something worth telling, bounded in number.
  package struct FeedRow: Sendable, Equatable {
    package var time: Instant
    package var kind: String
    package var text: String

    package init(time: Instant, kind: String, text: String) {
      self.time = time
      self.kind = kind
      self.text = text
    }
  }

  /// One transaction of a traced member.
  package struct TransactionRow: Sendable, Equatable {
    package var time: Instant
    /// Sequence number of the member.
    package var member: Int64
    package var kind: String
    /// Negative when it leaves the wallet.
    package var amount: MicroUSDT
    /// The wallet's balance after it.
    package var balance: MicroUSDT
    /// `pending`, `confirmed` or `failed`.
    package var status: String
    package var hash: String

    package init(
      time: Instant, member: Int64, kind: String, amount: MicroUSDT, balance: MicroUSDT,
      status: String, hash: String
    ) {
      self.time = time
      self.member = member
      self.kind = kind
      self.amount = amount
      self.balance = balance
      self.status = status
      self.hash = hash
    }
  }

  /// One live stream.
  package struct StreamRow: Sendable, Equatable {
    package var start: Instant
    package var end: Instant
    package var peakViewers: Int64
    package var uniqueViewers: Int64
    package var messages: Int64

    package init(
      start: Instant, end: Instant, peakViewers: Int64, uniqueViewers: Int64, messages: Int64
    ) {
      self.start = start
      self.end = end
      self.peakViewers = peakViewers
      self.uniqueViewers = uniqueViewers
      self.messages = messages
    }
  }

  /// One proposal.
  package struct ProposalRow: Sendable, Equatable {
    package var opened: Instant
    /// Nil while it is open at the run's end.
    package var closed: Instant?
    package var votesFor: Int64
    package var votesAgainst: Int64
    package var eligible: Int64
    package var passed: Bool

    package init(
      opened: Instant, closed: Instant?, votesFor: Int64, votesAgainst: Int64, eligible: Int64,
      passed: Bool
    ) {
      self.opened = opened
      self.closed = closed
      self.votesFor = votesFor
      self.votesAgainst = votesAgainst
      self.eligible = eligible
      self.passed = passed
    }
  }
}
