package import Quantities

/// What made a run and how it went: the part of a record that is the same for every program.
///
/// Only `timing` depends on the machine; all else is a pure function of (scenario, seed, overrides)
/// or of (scenario, history).
package struct RunHeader: Sendable, Equatable {
  /// What made the run: synthetic members, or recorded history.
  package enum Source: String, CaseIterable, Sendable {
    case simulation, history
  }

  /// Id of the program, as `programme:` in a scenario names it.
  package var programme: String
  package var scenario = ""
  package var scenarioDescription = ""
  package var source = Source.simulation
  package var seed: UInt64 = 0
  /// IANA name of the program's time zone.
  package var zone = ""
  package var start = Instant(microseconds: 0)
  /// End of what was run, exclusive; earlier than the scenario's end when interrupted.
  package var end = Instant(microseconds: 0)
  package var interrupted = false
  /// SHA-256, lower-case hexadecimal, of all rows in a fixed order.
  package var fingerprint = ""
  /// Events of the kernel.
  package var events: Int64 = 0
  /// The resolved settings in the scenario's order.
  package var settings: [SettingRow] = []
  /// What became of the scenario's thresholds; not part of the fingerprint.
  package var thresholds: [ThresholdRow] = []
  /// What is wrong with the history that was replayed; not part of the fingerprint.
  package var findings: [HistoryFinding] = []
  /// How the run went on this machine; not part of the fingerprint.
  package var timing = Timing()

  /// A header before the run.
  ///
  /// - Parameter programme: Id of the program.
  package init(programme: String) { self.programme = programme }
}

extension RunHeader {
  /// A resolved setting of the scenario.
  package struct SettingRow: Sendable, Equatable {
    package var path: String
    /// In the setting's own canonical spelling, which reads back as the same value.
    package var value: String
    /// `given`, `sourced`, `assumed` or `set`.
    package var mark: String

    /// A setting with its value and mark.
    package init(path: String, value: String, mark: String) {
      self.path = path
      self.value = value
      self.mark = mark
    }
  }

  /// What became of a threshold of the scenario.
  package struct ThresholdRow: Sendable, Equatable {
    /// As it was written.
    package var threshold: String
    package var holds: Bool
    /// Id of the figure that was compared; nil for an event of a month's status.
    package var figure: String?
    /// The figure in its unit, nil where the run does not have it; 1 for a status that was reached,
    /// 0 for one that was not.
    package var reached: Double?

    /// A threshold with what was reached.
    package init(threshold: String, holds: Bool, figure: String?, reached: Double?) {
      self.threshold = threshold
      self.holds = holds
      self.figure = figure
      self.reached = reached
    }
  }

  /// How the run went on one machine.
  package struct Timing: Sendable, Equatable {
    package var wallSeconds = 0.0
    package var threads = 1
    package var peakMemoryBytes: Int64 = 0

    /// Nothing has been measured.
    package init() {}
  }
}
