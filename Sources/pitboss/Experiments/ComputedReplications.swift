internal import Documents
internal import Experiments
internal import Foundation
internal import RewardModel
internal import Scenario
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
  /// - Parameters:
  ///   - frame: Of its run, before anything was drawn for it.
  ///   - measured: Those of the first replication name the columns.
  static func add(_ replication: Replication, _ frame: RunFrame, _ measured: MeasuredFigures) {
    let drawn = Dictionary(
      replication.drawn.settings.map { ($0.path, $0.value) }, uniquingKeysWith: { $1 })
    let settings = frame.settings.compactMap { row in
      drawn[row.path].map { "\(row.path)=\($0)" }
        ?? (row.mark == "set" ? "\(row.path)=\(row.value)" : nil)
    }.joined(separator: "; ")
    let values = replication.figures
    state.withLock { state in
      if state.figures.isEmpty { state.figures = measured.figures }
      let known = measured.names
      let row = state.figures.map { figure in
        known.firstIndex(of: figure.id).flatMap { values[$0] }
      }
      state.rows.append(
        Row(scenario: frame.scenario, seed: replication.seed, settings: settings, values: row))
    }
  }

  /// Writes `replications.csv` to the folder `NAME-interrupted` next to where the results would
  /// have gone; an earlier interrupted experiment there is replaced, and anything else stays: the
  /// folder is then `NAME-interrupted-2`, and so on.
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
    let folder = ExperimentFolder.interruptedPath(kept.folder)
    try ExperimentFolder.write([("replications.csv", csv)], to: folder)
    let count = kept.rows.count
    return "\(count) finished \(count == 1 ? "replication is" : "replications are") in "
      + "\(folder)/replications.csv"
  }
}
