package import Quantities

/// What has to be there for a kind of fault to happen.
package enum FaultNeed: Sendable, Equatable {
  /// A zone whose clocks turn.
  case clockChanges
  /// A scenario of so many days; in fewer small worlds hardly ever have it.
  case days(Int)
  /// Another kind in the same case, by name.
  case kind(String)
  /// Entries in a list of records, by the path of one of their texts: `rules.states.code`.
  case records(String)
}

/// Something that goes wrong around a program, as a campaign of `check` brings it about.
package struct FaultKind: Sendable {
  /// How a campaign turns a kind into settings of a scenario.
  package typealias Settings =
    @Sendable (_ rate: Double, _ place: CasePlace) -> [(path: String, value: String)]

  /// A stable name in snake case.
  package let id: String
  /// What goes wrong, for people.
  package let sentence: String
  /// The greatest rate that a campaign draws, above 0 and at most 1.
  package let most: Double
  /// The share of cases for which it is drawn; where it needs another kind, of those with that one.
  package let chance: Double
  /// The settings that bring it about; nil where the course of requests does.
  package let settings: Settings?
  /// What it needs; nil where any case of any scenario can have it.
  package let need: FaultNeed?

  /// A kind that the course of requests brings about.
  package init(
    _ id: String, _ sentence: String, most: Double, chance: Double = 0.4, need: FaultNeed? = nil
  ) {
    self.id = id
    self.sentence = sentence
    self.most = most
    self.chance = chance
    settings = nil
    self.need = need
  }

  /// A kind that settings bring about.
  package init(
    _ id: String, _ sentence: String, most: Double, chance: Double = 0.4, need: FaultNeed? = nil,
    settings: @escaping Settings
  ) {
    self.id = id
    self.sentence = sentence
    self.most = most
    self.chance = chance
    self.settings = settings
    self.need = need
  }
}

/// Where and when a case of a campaign takes place, for whoever draws its settings.
package struct CasePlace: Sendable {
  package var start: CivilDate
  package var days: Int
  /// Of the case's draws; the same for the same case.
  package var seed: UInt64
  /// Texts in the scenario's lists of records, in their order, by the path without the entry:
  /// `rules.states.code`.
  package var texts: [String: [String]]

  /// A place; see the properties.
  package init(start: CivilDate, days: Int, seed: UInt64, texts: [String: [String]] = [:]) {
    self.start = start
    self.days = days
    self.seed = seed
    self.texts = texts
  }
}

/// The size and the variety that a campaign gives a program's worlds.
package struct CaseBounds: Sendable {
  /// Settings that a small world bounds, with the least and the greatest value, as settings are
  /// written; where a scenario's own is smaller, it stays.
  package var small: [(path: String, least: Int, most: Int)]
  /// Bounds on work, never on sense, of settings that are drawn: the greatest value, or the least
  /// and the greatest, in the setting's own measure.
  package var caps: [String: ClosedRange<Double>]
  /// Settings that are worth being drawn more often than others.
  package var often: [String]
  /// Settings that are never drawn.
  package var never: Set<String>
  /// Settings each of which has to be above the one before.
  package var rising: [[String]]
  /// Settings whose sum is at most one.
  package var shares: [String]

  /// Bounds; see the properties.
  package init(
    small: [(path: String, least: Int, most: Int)], caps: [String: ClosedRange<Double>],
    often: [String], never: Set<String>, rising: [[String]], shares: [String]
  ) {
    self.small = small
    self.caps = caps
    self.often = often
    self.never = never
    self.rising = rising
    self.shares = shares
  }
}
