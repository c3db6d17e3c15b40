/// What is known of a figure before any run: everything but its value.
package struct FigureDescription: Sendable, Equatable {
  /// Unique in its program: thresholds, flags and files name the figure so.
  package var id: String
  /// The heading of the figure on its own; one of money names the currency.
  package var title: String
  /// One line that says what is counted.
  package var meaning: String
  package var unit: MeasureUnit
  /// The setting that switches the figure on; nil where every run has it.
  package var setting: String?
  /// What its mean can be for any settings; nil where that is not known.
  package var range: ClosedRange<Double>?
  /// Its heading below the figure that it is a part of; nil for a figure that is not a part.
  package var partTitle: String?
  /// What is said in place of the figure where no run has it; nil leaves it out.
  package var absence: String?
  /// Whether it is spend over a budget, which no number tells where there is spend and no budget: a
  /// run does not have it then, and conditions compare it as infinite. See `RunSample.compared`.
  package var isUtilisation: Bool
  /// What a replay of a history would have to know for the figure and does not, as in "what rewards
  /// cost": the figure has no value there. Nil where a replay knows it.
  package var unknownInReplay: String?

  /// A description; see the properties.
  package init(
    _ id: String, _ title: String, _ meaning: String, _ unit: MeasureUnit, setting: String? = nil,
    range: ClosedRange<Double>? = nil, partTitle: String? = nil, absence: String? = nil,
    isUtilisation: Bool = false, unknownInReplay: String? = nil
  ) {
    self.id = id
    self.title = title
    self.meaning = meaning
    self.unit = unit
    self.setting = setting
    self.range = range
    self.partTitle = partTitle
    self.absence = absence
    self.isUtilisation = isUtilisation
    self.unknownInReplay = unknownInReplay
  }

  /// The heading in a list, where a part is indented below its whole.
  package var heading: String { partTitle.map { "  " + $0 } ?? title }
}

/// A figure of a run, declared once by its program: thresholds, experiments, pages and files
/// find it by its id.
package struct Figure<Record: ProgrammeRecord>: Sendable {
  package let description: FigureDescription
  /// The figure in its unit (money whole, shares as ratios, durations in seconds); nil where the
  /// run does not have it.
  package let value: @Sendable (Record) -> Double?

  /// A figure with how a record gives it; nil where the run does not have it.
  package init(
    _ description: FigureDescription, value: @escaping @Sendable (Record) -> Double?
  ) {
    self.description = description
    self.value = value
  }
}
