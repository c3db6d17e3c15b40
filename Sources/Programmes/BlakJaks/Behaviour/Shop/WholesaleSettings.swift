package import Quantities

/// How wholesale accounts order; how many there are is a rule of the program.
package struct WholesaleSettings: Sendable, Equatable {
  /// Members for whom accounts order as often as `ordersPerWeek` says, 1 or more. The rate follows
  /// the members signed up by the end of each local day.
  package var referenceMembers = 100_000
  /// Share of the accounts' tins that members scan; nil takes that of `tins`.
  package var scanned: Double?
  /// Mean time from the midnight after an order to a member's taking a tin of it home.
  package var shelf = TimeSpan.days(14)
  /// Orders a week of an account, more than 0.
  package var ordersPerWeek = 1.0
  /// Cases an order on average, 1 or more: one, and a Poisson number more.
  package var casesPerOrder = 5.0
  /// Tins in a case, 1 or more.
  package var tinsPerCase = 100
  /// Gamma shape of the accounts' sizes, which scale the cases beyond the first.
  package var sizeShape = 1.0
  /// Days of 24 hours from the start over which accounts join; 0 has all there at the start. The
  /// first order follows as the next ones do.
  package var onboardingDays = 90
  /// Factors on the order rate for some time.
  package var waves: [DemandWave] = []

  /// The defaults.
  package init() {}
}

/// A factor on a rate from one local date on.
package struct DemandWave: Sendable, Equatable {
  /// The first local date.
  package var date: CivilDate
  /// 0 or more; 1 changes nothing. Waves that overlap multiply.
  package var factor: Double
  /// Local days that it lasts, 1 or more.
  package var days: Int

  /// - Parameters:
  ///   - date: The first local date.
  ///   - factor: 0 or more.
  ///   - days: 1 or more.
  package init(date: CivilDate, factor: Double, days: Int) {
    self.date = date
    self.factor = factor
    self.days = days
  }
}
