package import RewardModel

/// What happened in a simulation as a history file, which `backtest` and `calibrate` read; whole
/// or not at all.
package final class HistoryFile {
  private let file: WholeFile
  private let form: HistoryForm

  /// Creates the partial file with its header.
  ///
  /// - Throws: `RunStoreError` when the path is taken or cannot be written.
  package init(at path: String, form: HistoryForm) throws(RunStoreError) {
    self.form = form
    file = try WholeFile(at: path, noun: "history")
    file.add { (form.header + "\n").utf8 }
  }

  /// Whether something could not be written; `finish` says what.
  package var hasFailed: Bool { file.hasFailed }

  /// Adds a row, whose members are numbers from 0.
  package func add(_ row: HistoryRow) { file.add { form.line(of: row).utf8 } }

  /// Completes the file and gives it its name.
  ///
  /// - Throws: `RunStoreError` with the first failure; the partial file is then removed.
  package func finish() throws(RunStoreError) { try file.finish() }
}
