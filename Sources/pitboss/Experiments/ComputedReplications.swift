internal import Documents
internal import Experiments
internal import Foundation
internal import RewardModel
internal import Synchronization

/// What an experiment has computed so far, so that an interrupt does not lose it: one row for
/// every replication that ended, in the order in which they did.
enum ComputedReplications {
  private struct State {
    /// Where the experiment's results go.
    var folder = ""
    var figures: [FigureDescription] = []
    var rows: [Row] = []
  }

  private struct Row {
    var scenario: String
    var seed: UInt64
    /// `path=value` of what the scenario, flags and the experiment have set.
    var settings: String
    var values: [Double?]
  }

  private static let state = Mutex(State())

  /// From here on rows are kept for an experiment whose results go to a folder.
  static func begin(_ folder: String) { state.withLock { $0.folder = folder } }

  /// Keeps the figures of one replication.
  ///
  /// - Parameter measured: Those of the first replication name the columns.
  static func add(_ record: any ProgrammeRecord, _ measured: MeasuredFigures) {
    let header = record.header
    let settings = header.settings.filter { $0.mark == "set" }.map { "\($0.path)=\($0.value)" }
      .joined(separator: "; ")
    let values = measured.names.map { measured.catalog.value($0, record) }
    state.withLock { state in
      if state.figures.isEmpty { state.figures = measured.figures }
      let known = measured.names
      let row = state.figures.map { figure in
        known.firstIndex(of: figure.id).flatMap { values[$0] }
      }
      state.rows.append(
        Row(scenario: header.scenario, seed: header.seed, settings: settings, values: row))
    }
  }

  /// Writes `replications.csv` to the folder `NAME-interrupted` next to where the results would
  /// have gone; an earlier interrupted experiment there is replaced, a complete one stays.
  ///
  /// - Returns: What was written and where, for people; nil when nothing had been computed.
  static func write() throws -> String? {
    let kept = state.withLock { $0 }
    guard !kept.rows.isEmpty, !kept.folder.isEmpty else { return nil }
    var csv = CSVText.line(["scenario", "seed", "settings"] + kept.figures.map(\.id))
    for row in kept.rows {
      csv += CSVText.line(
        [row.scenario, "\(row.seed)", row.settings]
          + row.values.map { value in value.map { "\($0)" } ?? "" })
    }
    var folder = kept.folder
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    folder += "-interrupted"
    try ExperimentFolder.write([("replications.csv", csv)], to: folder)
    let count = kept.rows.count
    return "\(count) finished \(count == 1 ? "replication is" : "replications are") in "
      + "\(folder)/replications.csv"
  }
}
