package import Quantities
package import RewardModel

/// Where a payout stands on its way to the receiver.
package enum PayoutStatus: UInt8, CaseIterable, Sendable, Codable {
  /// Waits for a worker, or for its next attempt.
  case queued
  /// Waits until its wallet or account holds the money.
  case waitingForFunds
  /// Its money is set aside and it is on its way.
  case submitted
  /// Confirmed.
  case paid
  /// Given up after the last retry, for a person to look at.
  case failed
}

/// One transaction: awards of one type that are paid out together, and no more than their sum.
package struct Payout: Sendable, Equatable, Codable {
  package var type: PayoutType
  /// The number, within the type, of the first award; with the type it is the idempotency key.
  package var firstAward: Int64
  /// How many awards, which follow one another in number.
  package var count: Int64
  package var amount: MicroUSDT
  package var source: Treasury
  /// When its awards were made, minute by minute.
  package var minutes: [AwardMinute] = []
  /// The awards as in `AwardRun.awards`; empty where nobody keeps wallets, and once paid.
  @Packed package var awards: [Award] = []
  package var attempts = 0
  package var status = PayoutStatus.queued
}

/// A count of awards and their money.
package struct PayoutSum: Sendable, Equatable, Codable {
  package var count: Int64 = 0
  package var amount = MicroUSDT.zero

  /// No awards.
  package init() {}

  /// A number of awards and their money.
  package init(count: Int64, amount: MicroUSDT) {
    self.count = count
    self.amount = amount
  }

  mutating func add(_ count: Int64, _ amount: MicroUSDT) throws(MoneyError) {
    self.amount = try self.amount.adding(amount)
    self.count += count
  }

  mutating func remove(_ count: Int64, _ amount: MicroUSDT) throws(MoneyError) {
    self.amount = try self.amount.subtracting(amount)
    self.count -= count
  }
}
