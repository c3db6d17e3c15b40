/// Which figures serve where nobody names one, and the words of what `RunSample` counts.
package struct FigureChoices: Sendable {
  /// A heading with one sentence below it.
  package struct Section: Sendable {
    package var title: String
    package var text: String

    /// A title with the text below it.
    package init(_ title: String, _ text: String) {
      self.title = title
      self.text = text
    }
  }

  /// One step of an account: what a figure adds to it or takes from it.
  package struct Step: Sendable {
    /// As people read it.
    package var title: String
    /// Id of the figure.
    package var figure: String
    /// Whether the figure is taken off.
    package var isTaken: Bool

    /// A step of what is owed, by the id of its figure.
    package init(_ title: String, _ figure: String, isTaken: Bool = false) {
      self.title = title
      self.figure = figure
      self.isTaken = isTaken
    }
  }

  /// What the program costs in all, whoever carries it.
  package var cost: String
  /// How many members a run had; empty for a program that counts none.
  package var members: String
  /// Spend over budget of the whole run. It ranks replications and tells when they suffice.
  package var utilisation: String
  /// Recognized spend of the whole run, which is used where there is no budget.
  package var spend: String
  /// Whether spend is counted in two ways, when it is owed and when it is paid; where it is not,
  /// `RunSample` has the same sum twice.
  package var isSpendAccrued: Bool
  /// The higher, the more generous the program: what a search maximizes.
  package var generosity: String
  /// What a projection shows, in this order.
  package var projection: [String]
  /// What a sweep shows.
  package var sweep: [String]
  /// What JSON calls `RunSample.events`, the kind of one of them, and `RunSample.heat`.
  package var keys: (events: String, kind: String, heat: String)
  /// What `RunSample.controls` are in words, one a control variate.
  package var controls: [String]
  /// What `RunSample.events` are.
  package var events: Section
  /// What `RunSample.heat` counts.
  package var heat: Section
  /// How what is owed at a run's end comes about; empty for a program that owes nothing.
  package var owed: (section: Section, steps: [Step])

  /// The choices of one program; see the properties.
  package init(
    cost: String, members: String = "", utilisation: String, spend: String,
    isSpendAccrued: Bool = false, generosity: String,
    projection: [String], sweep: [String],
    keys: (events: String, kind: String, heat: String), controls: [String] = [], events: Section,
    heat: Section, owed: (section: Section, steps: [Step])
  ) {
    self.cost = cost
    self.members = members
    self.utilisation = utilisation
    self.spend = spend
    self.isSpendAccrued = isSpendAccrued
    self.generosity = generosity
    self.projection = projection
    self.sweep = sweep
    self.keys = keys
    self.controls = controls
    self.events = events
    self.heat = heat
    self.owed = owed
  }
}
