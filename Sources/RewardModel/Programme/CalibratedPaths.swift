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
  /// The part of a member's mean gap between purchases over which it is used; 0 is at once.
  package var usedOver: String?
  /// Settings that add purchases, or take some away, which are among those of a history already.
  package var contained: [ContainedEffect]

  /// Paths; see the properties.
  package init(
    amount: String? = nil, weeklyAmount: String? = nil, weeklyShape: String? = nil,
    used: String? = nil, usedOver: String? = nil, contained: [ContainedEffect] = []
  ) {
    self.amount = amount
    self.weeklyAmount = weeklyAmount
    self.weeklyShape = weeklyShape
    self.used = used
    self.usedOver = usedOver
    self.contained = contained
  }
}

/// A setting whose effect is in the purchases that a calibration fits: with the fitted rates it must
/// have none, or it counts twice.
package struct ContainedEffect: Sendable, Equatable {
  /// Of the setting.
  package var path: String
  /// The value at which the setting does nothing, as a scenario writes it.
  package var value: String
  /// Why, without a capital letter and a full stop.
  package var reason: String

  /// A setting; see the properties.
  package init(path: String, value: String, reason: String) {
    self.path = path
    self.value = value
    self.reason = reason
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
