package import Quantities

/// How promised payouts reach their receivers.
package struct PayoutRules: Sendable, Equatable, Codable {
  /// Awards are collected over this time and paid out together; zero pays each at once.
  package var batch = TimeSpan.minutes(10)
  /// The largest number of awards in one transaction, 1 or more.
  package var batchLimit: Int64 = 500
  /// Workers that submit transactions, 1 or more.
  package var workers = 4
  /// Mean time that a worker takes to submit one, exponentially distributed.
  package var service = TimeSpan.seconds(2)
  /// Mean time from submission to confirmation, exponentially distributed.
  package var confirmation = TimeSpan.seconds(30)
  /// Probability that an attempt fails.
  package var failure = 0.02
  /// Attempts after the first before a payout is left to a person.
  package var retries = 5
  /// Wait before the first retry; each further one waits twice as long.
  package var backoff = TimeSpan.seconds(30)
  /// Network fee of one transaction on the chain.
  package var gas = MicroUSDT(microunits: 10_000)
  /// How long until a person submits a failed payout anew; zero is never. Until it is paid, its
  /// own receivers' credits stay pending, and nobody else's.
  package var review = TimeSpan.days(1)

  /// The defaults.
  package init() {}

  /// The wait before retry number `retry`, which is 1 or more.
  package func wait(beforeRetry retry: Int) -> TimeSpan {
    // Twenty doublings of an hour are a century; more would only overflow.
    backoff * (Int64(1) << Int64(min(retry - 1, 20)))
  }

  /// How many awards a full transaction holds: one where each is paid at once.
  package var fullTransaction: Int64 { batch.microseconds > 0 ? batchLimit : 1 }

  /// When awards of an instant are batched, counted from the run's start.
  package func batchEnd(after instant: Instant, from origin: Instant) -> Instant {
    guard batch.microseconds > 0 else { return instant }
    let elapsed = (instant - origin).microseconds
    return origin + batch * (elapsed / batch.microseconds + 1)
  }
}
