package import RewardModel

/// What is kept of one replication: enough for every figure of an experiment, and no more.
///
/// The rows of the run's `RunSample` are members of it, too: `replication.months`.
@dynamicMemberLookup
package struct Replication: Sendable {
  /// Number of the replication in its experiment, from 0.
  package let index: Int
  /// The seed that replays it with `pitboss run`.
  package let seed: UInt64
  package let fingerprint: String
  /// What was drawn for it; nothing where all settings are certain.
  package let drawn: UncertainInputs.Draw
  /// Figures by their row in `MeasuredFigures`; nil where the run does not have one.
  package let figures: [Double?]
  package let sample: RunSample

  /// Takes what is needed out of a run's record.
  package init<Programme: RewardProgramme>(
    _ record: Programme.Record, of programme: Programme.Type, index: Int,
    measured: MeasuredFigures, drawn: UncertainInputs.Draw = UncertainInputs.Draw(),
    fingerprint: String
  ) {
    self.index = index
    self.drawn = drawn
    seed = record.seed
    self.fingerprint = fingerprint
    figures = measured.figures.map { Programme.figures.value($0.id, record) }
    sample = Programme.sample(record)
  }

  /// A replication that was made elsewhere; see the properties.
  init(
    index: Int, seed: UInt64, drawn: UncertainInputs.Draw, answer: ReplicationAnswer
  ) {
    self.index = index
    self.seed = seed
    self.drawn = drawn
    fingerprint = answer.fingerprint
    figures = answer.figures
    sample = answer.sample
  }

  /// A figure as conditions compare it; nil where the run does not have it.
  func compared(_ figure: FigureDescription, _ measured: MeasuredFigures) -> Double? {
    sample.compared(measured.row(of: figure.id).flatMap { figures[$0] }, as: figure)
  }

  /// What the run's sample says.
  package subscript<Value>(dynamicMember path: KeyPath<RunSample, Value>) -> Value {
    sample[keyPath: path]
  }
}
