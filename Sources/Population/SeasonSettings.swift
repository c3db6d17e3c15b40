public import Quantities

/// Whether and how demand follows the clock.
public struct SeasonSettings: Sendable, Equatable {
  /// False makes every instant alike, as the published models have it.
  public var enabled = true
  /// 24 weights by local hour of day; only their ratios count.
  public var hours: [Double] = [
    0.55, 0.38, 0.26, 0.18, 0.16, 0.20, 0.35, 0.60, 0.80, 0.92, 1.00, 1.08,
    1.15, 1.15, 1.12, 1.15, 1.25, 1.42, 1.62, 1.80, 1.90, 1.75, 1.35, 0.90,
  ]
  /// 7 weights from Monday to Sunday; only their ratios count.
  public var weekdays: [Double] = [0.90, 0.90, 0.95, 1.00, 1.15, 1.20, 0.90]
  /// Factors of single local dates.
  public var holidays: [HolidayFactor] = []

  /// The defaults.
  public init() {}
}

/// A dated factor of demand.
public struct HolidayFactor: Sendable, Equatable {
  /// The local date.
  public var date: CivilDate
  /// 0 or more; 1 changes nothing.
  public var factor: Double

  /// - Parameters:
  ///   - date: The local date.
  ///   - factor: 0 or more.
  public init(date: CivilDate, factor: Double) {
    self.date = date
    self.factor = factor
  }
}
