package import Quantities
package import RewardModel

extension BlakJaksRecord {
  /// See `DailySeries`.
  package typealias Series = DailySeries

  /// One reconciliation of one wallet.
  package struct ReconciliationRow: Sendable, Equatable, Codable {
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

    /// One wallet on one morning.
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
  package struct FeedRow: Comparable, Sendable, Codable {
    package var time: Instant
    package var kind: String
    package var text: String

    /// One event in words.
    package init(time: Instant, kind: String, text: String) {
      self.time = time
      self.kind = kind
      self.text = text
    }

    /// In the order of their instants.
    package static func < (a: FeedRow, b: FeedRow) -> Bool {
      (a.time, a.kind, a.text) < (b.time, b.kind, b.text)
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
    /// The id of the award that was credited; nil for what is not an award.
    package var award: String?

    /// One transaction; see the properties.
    package init(
      time: Instant, member: Int64, kind: String, amount: MicroUSDT, balance: MicroUSDT,
      status: String, hash: String, award: String? = nil
    ) {
      self.time = time
      self.member = member
      self.kind = kind
      self.amount = amount
      self.balance = balance
      self.status = status
      self.hash = hash
      self.award = award
    }
  }

  /// One live stream.
  package struct StreamRow: Sendable, Equatable, Codable {
    package var start: Instant
    /// After the run's end where the stream is still on then: when it is to end. Viewers and
    /// messages are those so far then; in a run that was stopped within a day, at the last midnight
    /// before it.
    package var end: Instant
    package var peakViewers: Int64
    package var uniqueViewers: Int64
    package var messages: Int64

    /// One stream.
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
  package struct ProposalRow: Sendable, Equatable, Codable {
    package var opened: Instant
    /// Nil when it is open at the run's end; in a run that was stopped within a day, at the last
    /// midnight before it.
    package var closed: Instant?
    /// Votes so far while it is open.
    package var votesFor: Int64
    package var votesAgainst: Int64
    package var eligible: Int64
    /// False while it is open.
    package var passed: Bool

    /// One proposal; `closed` is nil while it is open.
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
