package import Quantities

/// Something that happens to a payout on its way, as whoever runs the pipeline reports it.
///
/// A slot names a payout that is not settled; the desk gave it out.
package enum PayoutStep: Sendable, Equatable, Codable {
  /// Promises that are due are batched into transactions, counted from an origin.
  case batch(origin: Instant)
  /// A worker submits a transaction.
  case begin(slot: Int)
  /// An attempt failed.
  case reject(slot: Int)
  /// The network confirmed a transaction.
  case confirm(slot: Int)
  /// A person submits a failed transaction again.
  case resubmit(slot: Int)
  /// A worker repeats an attempt that had gone through.
  case repeated(slot: Int)
  /// A paid transaction may be forgotten.
  case forget(slot: Int)
}

/// What a step of a payout led to.
package enum PayoutReply: Sendable, Equatable, Codable {
  case done
  /// The new transactions' slots, in order.
  case batched(slots: [Int])
  /// False when the money is lacking: the payout waits for funds.
  case began(Bool)
  /// The wait before the next attempt; nil when it was the last.
  case retries(after: TimeSpan?)
}

extension PayoutDesk {
  /// Whether a step can be taken now: its slot is in use and the payout is where the step begins.
  package func allows(_ step: PayoutStep) -> Bool {
    switch step {
    case .batch: true
    case .begin(let slot): status(slot).map { $0 == .queued || $0 == .waitingForFunds } ?? false
    case .reject(let slot), .confirm(let slot): status(slot) == .submitted
    case .resubmit(let slot): status(slot) == .failed
    case .repeated(let slot): status(slot).map { $0 == .paid || $0 == .submitted } ?? false
    case .forget(let slot): status(slot) == .paid
    }
  }

  /// Takes a step, which has to be allowed.
  ///
  /// - Throws: `MoneyError.overflow`.
  package mutating func take(
    _ step: PayoutStep, at time: Instant, _ ledger: inout Ledger
  ) throws(MoneyError) -> PayoutReply {
    switch step {
    case .batch(let origin):
      var slots: [Int] = []
      try batch(at: time, from: origin) { slots.append($0) }
      return .batched(slots: slots)
    case .begin(let slot):
      return .began(try begin(slot, holding: ledger.holding(size(slot).source)))
    case .reject(let slot): return .retries(after: try reject(slot))
    case .confirm(let slot): try confirm(slot, &ledger)
    case .resubmit(let slot): try resubmit(slot)
    case .repeated(let slot): refuseRepeat(slot)
    case .forget(let slot): forget(slot)
    }
    return .done
  }
}

extension ProgrammeBooks {
  /// Takes a step of a payout.
  ///
  /// - Throws: `MoneyError.overflow`.
  package mutating func take(
    _ step: PayoutStep, at time: Instant
  ) throws(MoneyError) -> PayoutReply {
    try desk.take(step, at: time, &ledger)
  }
}
