package import Quantities

/// Days, months, pools and reconciliations that have ended, in order.
///
/// A run leaves them in the books to its end; whoever keeps books open for ever takes them away
/// with `ProgrammeBooks.takeClosed`, so that nothing grows.
package struct ClosedPeriods: Sendable, Equatable, Codable {
  package internal(set) var days: [ProgrammeBooks.Day] = []
  package internal(set) var months: [ProgrammeBooks.Month] = []
  package internal(set) var pools: [ProgrammeBooks.Pool] = []
  /// Three a morning, one a wallet.
  package internal(set) var reconciliations: [Reconciliation] = []
}

extension ProgrammeBooks {
  package var days: [Day] { closed.days }
  package var months: [Month] { closed.months }
  package var pools: [Pool] { closed.pools }
  package var reconciliations: [Reconciliation] { closed.reconciliations }

  /// Hands over what has ended since the last call.
  package mutating func takeClosed() -> ClosedPeriods {
    defer { closed = ClosedPeriods() }
    return closed
  }
}

/// Money that a sweep moves into a wallet on the chain, or out of it where it is negative: whoever
/// talks to the chain carries it out.
package struct ChainTransfer: Sendable, Equatable, Codable {
  package var wallet: Treasury
  package var amount: MicroUSDT
}
