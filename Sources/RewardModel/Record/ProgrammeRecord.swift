package import Quantities

/// Everything that one run of a programme showed: a header and typed rows.
///
/// It is a plain value: files, figures and pages need nothing else. Its tables are declared once, by
/// `tables`, and serve SQL, CSV, JSON, the digest and reading back.
package protocol ProgrammeRecord: Sendable {
  var header: RunHeader { get set }

  /// A record without rows, to be filled.
  init(header: RunHeader)
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
