package import Quantities

/// Everything that one run of a programme showed: a header and typed rows.
///
/// It is a plain value: files, figures and pages need nothing else. Its tables are declared once, by
/// `tables`, and serve SQL, CSV, JSON, the digest and reading back.
package protocol ProgrammeRecord: Sendable {
  var header: RunHeader { get set }
  /// One number of every local day, by key.
  var series: [DailySeries] { get }

  /// Facts about the whole run, such as totals: columns of the record itself.
  static var facts: [Column<Self>] { get }
  /// The programme's own tables, in the order of the fingerprint.
  static var tables: [any RecordTable<Self>] { get }
  /// The names of the CSV files, in the order in which a run folder lists them.
  static var files: [String] { get }
  /// The keys of `summary.json` in their order; all keys in the order of declaration when empty.
  /// Later versions only append keys.
  static var summaryKeys: [String] { get }

  /// Why the rows cannot be stored, in words; nil when they agree with each other.
  var contradiction: String? { get }

  /// A record without rows, to be filled.
  init(header: RunHeader)
}

extension ProgrammeRecord {
  package static var files: [String] { tables.compactMap(\.file) }
  package static var summaryKeys: [String] { [] }
  package var contradiction: String? { nil }
}

extension ProgrammeRecord {
  /// See `RunHeader`.
  package var scenario: String {
    get { header.scenario }
    set { header.scenario = newValue }
  }

  /// See `RunHeader`.
  package var scenarioDescription: String {
    get { header.scenarioDescription }
    set { header.scenarioDescription = newValue }
  }

  /// See `RunHeader`.
  package var source: RunHeader.Source {
    get { header.source }
    set { header.source = newValue }
  }

  /// See `RunHeader`.
  package var seed: UInt64 {
    get { header.seed }
    set { header.seed = newValue }
  }

  /// See `RunHeader`.
  package var zone: String {
    get { header.zone }
    set { header.zone = newValue }
  }

  /// See `RunHeader`.
  package var start: Instant {
    get { header.start }
    set { header.start = newValue }
  }

  /// See `RunHeader`.
  package var end: Instant {
    get { header.end }
    set { header.end = newValue }
  }

  /// See `RunHeader`.
  package var interrupted: Bool {
    get { header.interrupted }
    set { header.interrupted = newValue }
  }

  /// See `RunHeader`.
  package var fingerprint: String {
    get { header.fingerprint }
    set { header.fingerprint = newValue }
  }

  /// See `RunHeader`.
  package var events: Int64 {
    get { header.events }
    set { header.events = newValue }
  }

  /// See `RunHeader`.
  package var settings: [RunHeader.SettingRow] {
    get { header.settings }
    set { header.settings = newValue }
  }

  /// See `RunHeader`.
  package var timing: RunHeader.Timing {
    get { header.timing }
    set { header.timing = newValue }
  }
}
