/// How wholesale accounts order; how many there are is a rule of the programme.
public struct WholesaleSettings: Sendable, Equatable {
  /// Orders a week of an account, more than 0.
  public var ordersPerWeek = 1.0
  /// Cases an order on average, 1 or more: one, and a Poisson number more.
  public var casesPerOrder = 5.0
  /// Tins in a case, 1 or more.
  public var tinsPerCase = 100
  /// Gamma shape of the accounts' sizes, which scale the cases beyond the first.
  public var sizeShape = 1.0
  /// Days of 24 hours from the start over which accounts join; 0 has all there at the start.
  public var onboardingDays = 90
  /// Factors on the order rate for some time.
  public var waves: [DemandWave] = []

  /// The defaults.
  public init() {}
}

/// A factor on a rate from one local date on.
public struct DemandWave: Sendable, Equatable {
  /// The first local date, `YYYY-MM-DD`.
  public var date: String
  /// 0 or more; 1 changes nothing. Waves that overlap multiply.
  public var factor: Double
  /// Local days that it lasts, 1 or more.
  public var days: Int

  /// - Parameters:
  ///   - date: `YYYY-MM-DD`.
  ///   - factor: 0 or more.
  ///   - days: 1 or more.
  public init(date: String, factor: Double, days: Int) {
    self.date = date
    self.factor = factor
    self.days = days
  }
}
