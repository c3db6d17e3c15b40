/// How sign-ups are spread over the run.
public enum AdoptionModel: String, CaseIterable, Sendable {
  /// Bass diffusion: innovators and imitators.
  case bass
  /// Given numbers a month.
  case plan
  /// A Poisson process of a given rate.
  case rate
  /// Everybody at the first instant.
  case cohort
}

/// When members sign up.
public struct AdoptionSettings: Sendable, Equatable {
  /// The most members that a run has: about 10 GB of BlakJaks with scans alone.
  public static let membersMaximum = 100_000_000

  public var model = AdoptionModel.bass
  /// Bass coefficient of innovation a year, more than 0.
  public var innovation = 0.03
  /// Bass coefficient of imitation a year, 0 or more.
  public var imitation = 0.38
  /// Bass market size; nil sets it so that `members` have signed up at the run's end.
  public var market: Int?
  /// Sign-ups of each calendar month for `plan`; the last holds for later months. A month that the
  /// run's end cuts has its share of them by days.
  public var monthly: [Int] = []
  /// Sign-ups a day for `rate`.
  public var perDay = 100.0

  /// The defaults.
  public init() {}
}
