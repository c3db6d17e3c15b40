package import Quantities

/// What goes wrong around the program, as one scenario sets it. The defaults let nothing.
package struct FaultSettings: Sendable, Equatable {
  package var chain = ChainFaultSettings()
  package var payouts = PayoutFaultSettings()

  /// No faults.
  package init() {}
}

/// Probabilities, each for one transaction of a payout, that chain and ledger come to differ.
package struct ChainFaultSettings: Sendable, Equatable {
  /// The network takes a fee that nobody books.
  package var unbookedFee = 0.0
  /// That fee.
  package var extraFee = MicroUSDT(microunits: 500_000)
  /// Booked as paid, but reverted.
  package var failed = 0.0
  /// Executed twice.
  package var duplicated = 0.0
  /// Executed later than booked.
  package var late = 0.0
  /// By how much later.
  package var lateBy = TimeSpan.hours(12)
}

/// What goes wrong with the workers that submit payouts.
package struct PayoutFaultSettings: Sendable, Equatable {
  /// Probability that a worker never hears of an attempt that went through, and repeats it.
  package var lostResponse = 0.0
  package var outages: [PayoutOutage] = []
}

/// What happens to attempts during an outage.
package enum OutageKind: String, CaseIterable, Sendable {
  /// Attempts that begin in it end after it; one that began before goes through.
  case halt
  /// Each attempt fails.
  case reject
}

/// A time in which attempts to submit a payout wait for its end, or fail.
package struct PayoutOutage: Sendable, Equatable {
  /// The local date on which it begins.
  package var date: CivilDate
  /// The local hour at which it begins, 0...23.
  package var hour = 0
  package var lasts = TimeSpan.hours(6)
  package var kind = OutageKind.halt

  /// Local days that it may reach into, a day more where the clocks could make a difference.
  package var daysAtMost: Int {
    Int((TimeSpan.hours(Int64(hour)) + lasts).inSeconds / 86_400) + 2
  }
}
