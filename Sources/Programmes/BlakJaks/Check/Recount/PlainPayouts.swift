internal import Quantities

/// Awards and payouts as a recount keeps them: one entry an award, by its id.
struct PlainPayouts {
  /// An award.
  struct PlainAward {
    var amount: Int64
    var receiver: UInt32?
    /// When it is batched: its own instant, or that of a later award of its type told before it.
    var time: Instant
    var slot: Int?
    var isPaid = false
  }

  /// A payout that is not forgotten.
  struct Slot {
    var type: PayoutType
    var first: Int
    var count: Int
    var status: PayoutStatus
    var attempts = 0
    /// When money was last found lacking.
    var waitsSince = Instant.distantPast
    var cost: Int64
  }

  var awards: [PayoutType: [PlainAward]] = [:]
  /// How many of a type are in payouts; they go there in the order of their numbers.
  var batched: [PayoutType: Int] = [:]
  var slots: [Int: Slot] = [:]
  /// Paid so far, by type, in micro-USDT.
  var paid: [PayoutType: Int64] = [:]
  /// Paid so far without gas, by treasury.
  var paidFrom: [Treasury: Int64] = [:]
  /// Confirmed transactions on the chain, by treasury.
  var transactions: [Treasury: Int64] = [:]
  /// What members have pending, in micro-USDT.
  var pending: [UInt32: Int64] = [:]

  func total(_ type: PayoutType) -> Int64 { (awards[type] ?? []).reduce(0) { $0 + $1.amount } }
}
