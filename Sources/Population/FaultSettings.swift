public import Quantities

/// What goes wrong around the programme, as one scenario sets it. The defaults let nothing.
public struct FaultSettings: Sendable, Equatable {
  public var chain = ChainFaultSettings()
  public var payouts = PayoutFaultSettings()

  /// No faults.
  public init() {}
}

/// Probabilities, each for one transaction of a payout, that chain and ledger come to differ.
public struct ChainFaultSettings: Sendable, Equatable {
  /// The network takes a fee that nobody books.
  public var unbookedFee = 0.0
  /// That fee.
  public var extraFee = MicroUSDT(microunits: 500_000)
  /// Booked as paid, but reverted.
  public var failed = 0.0
  /// Executed twice.
  public var duplicated = 0.0
  /// Executed later than booked.
  public var late = 0.0
  /// By how much later.
  public var lateBy = Span.hours(12)

  /// No faults.
  public init() {}
}

/// What goes wrong with the workers that submit payouts.
public struct PayoutFaultSettings: Sendable, Equatable {
  /// Probability that a worker never hears of an attempt that went through, and repeats it.
  public var lostResponse = 0.0
  public var outages: [PayoutOutage] = []

  /// No faults.
  public init() {}
}

/// What happens to attempts during an outage.
public enum OutageKind: String, CaseIterable, Sendable {
  /// Workers stand still, and go on when it ends.
  case halt
  /// Each attempt fails.
  case reject
}

/// A time in which payouts cannot be submitted.
public struct PayoutOutage: Sendable, Equatable {
  /// The local date on which it begins, `YYYY-MM-DD`.
  public var date: String
  /// The local hour at which it begins, 0...23.
  public var hour: Int
  public var lasts: Span
  public var kind: OutageKind

  /// An outage.
  public init(date: String, hour: Int = 0, lasts: Span = .hours(6), kind: OutageKind = .halt) {
    self.date = date
    self.hour = hour
    self.lasts = lasts
    self.kind = kind
  }
}
