/// Which buy-till-you-die model members follow.
public enum PurchaseModel: String, CaseIterable, Sendable {
  /// Fader, Hardie and Lee 2005, doi:10.1287/mksc.1040.0098: may leave after a repeat purchase.
  case bgNbd = "bg_nbd"
  /// Batislam, Denizel and Filiztekin 2007, doi:10.1016/j.ijresmar.2006.12.005: may also leave
  /// after the first.
  case mbgNbd = "mbg_nbd"
  /// Schmittlein, Morrison and Colombo 1987, doi:10.1287/mnsc.33.1.1: an exponential lifetime.
  case paretoNbd = "pareto_nbd"
}

/// Purchase rates and dropout across members; times in weeks of 7 × 24 hours.
public struct PurchaseSettings: Sendable, Equatable {
  public var model = PurchaseModel.mbgNbd
  /// Shape of the gamma distribution of purchase rates; nil takes the shape of `tins`.
  public var r: Double?
  /// Rate of that gamma distribution in weeks, as published: with Erlang gaps of shape k the rate λ
  /// is that of the k steps of a gap, whose mean is k/λ (Platzer and Reutterer 2016,
  /// doi:10.1287/mksc.2015.0963). Nil follows from `tins`.
  public var alpha: Double?
  /// First parameter of the beta distribution of the dropout probability (BG, MBG).
  public var a = 0.4
  /// Second parameter of the same.
  public var b = 16.0
  /// Shape of the gamma distribution of dropout rates (Pareto/NBD).
  public var s = 0.606
  /// Rate of the same, in weeks.
  public var beta = 11.669
  /// Shape k of the Erlang gaps between purchases; 1 is the published models' Poisson process.
  public var erlang = 2

  /// The rate parameter of purchases themselves, in weeks: k·α; nil where α is.
  public var purchaseWeeks: Double? { alpha.map { $0 * Double(erlang) } }

  /// The defaults.
  public init() {}
}
