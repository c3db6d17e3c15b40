/// Where a program has the settings that a calibration finds out of a history. A path is nil where the
/// program has no such setting: it is not fitted then.
///
/// `population.members`, `population.adoption`, `population.purchase`, `population.season` and
/// `population.referral` are the groups that any program has.
package struct CalibratedPaths: Sendable, Equatable {
  /// The mean of what a purchase brings: one thing, and a Poisson number more.
  package var amount: String?
  /// What a member buys a week on average, and the shape of that over members: they stand for the
  /// parameters of purchase rates where those are left open, and follow from them here.
  package var weeklyAmount: String?
  package var weeklyShape: String?
  /// The share of what is bought that is used.
  package var used: String?

  /// Paths; see the properties.
  package init(
    amount: String? = nil, weeklyAmount: String? = nil, weeklyShape: String? = nil,
    used: String? = nil
  ) {
    self.amount = amount
    self.weeklyAmount = weeklyAmount
    self.weeklyShape = weeklyShape
    self.used = used
  }
}

/// How many members a run has on each level of its program at the end of a period.
package struct LevelCounts: Sendable, Equatable {
  /// Members on one level.
  package struct Level: Sendable, Equatable {
    /// As people read it.
    package var name: String
    package var members: Int64

    /// A level; see the properties.
    package init(name: String, members: Int64) {
      self.name = name
      self.members = members
    }
  }

  /// Such as `2026-Q1`.
  package var period: String
  /// From the lowest on.
  package var levels: [Level]

  /// A period; see the properties.
  package init(period: String, levels: [Level]) {
    self.period = period
    self.levels = levels
  }
}
