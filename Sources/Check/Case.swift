/// A case of a campaign: a scenario, what is set in it, a seed, and how much of it happens.
package struct Case: Sendable, Codable, Equatable {
  /// Path of the scenario's file, for messages; empty where `text` is all there is.
  package var file = ""
  /// The scenario's text in YAML; nil where it is read from the file, which can change meanwhile.
  package var text: String?
  /// Overrides, each `path=value`.
  package var settings: [String] = []
  package var seed: UInt64 = 1
  /// Whether settings are drawn from their ranges, besides world and faults.
  package var varies = false
  /// Microseconds since 1970 at which it ends; nil for its own end.
  package var until: Int64?

  /// A case of a scenario's file.
  package init(file: String, settings: [String], seed: UInt64, varies: Bool) {
    self.file = file
    self.settings = settings
    self.seed = seed
    self.varies = varies
  }

  /// A case that is fully said.
  package init(text: String, settings: [String], seed: UInt64) {
    self.text = text
    self.settings = settings
    self.seed = seed
  }
}

/// What became of a case.
package struct CaseAnswer: Sendable, Codable, Equatable {
  /// How a case ends.
  package enum Verdict: String, Sendable, Codable {
    /// Every promise holds.
    case passed
    /// A promise is broken.
    case violated
    /// The settings that were drawn make no scenario, or leave what can be counted.
    case refused
    /// The process ended, or did not end in time.
    case crashed
    /// The machine could not run it: its disk is full, say. `refusal` says why.
    case failed
  }

  /// A broken promise.
  package struct Broken: Sendable, Codable, Equatable {
    package var invariant: String
    package var facts: String
    /// Microseconds since 1970.
    package var time: Int64
    /// By number from 1 on.
    package var members: [UInt64] = []
    /// What happened last, the latest last.
    package var events: [String] = []
    /// The part of the check that found it.
    package var part: String = ""
  }

  package var verdict = Verdict.passed
  package var events: Int64 = 0
  package var requests: Int64 = 0
  package var submissions = 0
  package var faults: [String: Int64] = [:]
  package var seen: [String: Int64] = [:]
  package var broken: Broken?
  /// Why a case was refused, or could not be run.
  package var refusal: String?
  /// The program whose case it was.
  package var programme = ""
  /// The case as it was drawn: everything that was set, each `path=value`.
  package var drawn: [String] = []

  /// An answer of a verdict.
  package init(_ verdict: Verdict) { self.verdict = verdict }
}
