package import Quantities

/// How a program is checked once.
package struct CheckPlan: Sendable {
  /// Rates of the faults that the course of requests brings, by kind; 0...1.
  package var rates: [String: Double] = [:]
  /// Places of the submissions that are made, of all that the members' journal has; nil for all.
  package var kept: PlaceSet?
  /// Nothing at or after it happens.
  package var until: Instant = .distantFuture
  /// Receives what happens, in words, and which members it is about.
  package var trace: (@Sendable (TraceLine) -> Void)?

  /// A plan without faults.
  package init() {}

  /// When a case's world is saved and goes on in another; nil where it is not restarted.
  ///
  /// - Parameter kind: The fault that restarts it, of which a world has at most one.
  package func restart(_ kind: String, of frame: RunFrame) -> Instant? {
    guard rates[kind, default: 0] > 0 else { return nil }
    let calendar = frame.calendar
    let share = Double((frame.seed &* 0x9E37_79B9_7F4A_7C15) >> 40) / Double(1 << 24)
    let seconds = (calendar.end - calendar.start).inSeconds * share
    return calendar.start + TimeSpan(microseconds: Int64(seconds * 1e6))
  }
}

/// One line of a story: what happened, and to whom.
package struct TraceLine: Sendable, Equatable {
  package var time: Instant
  /// By number from 1 on.
  package var members: [UInt64]
  package var text: String

  /// A line; see the properties.
  package init(_ time: Instant, _ members: [UInt64], _ text: String) {
    self.time = time
    self.members = members
    self.text = text
  }
}

/// What a check of one case found.
package struct CheckOutcome: Sendable {
  /// Events of the simulated world.
  package var events: Int64 = 0
  /// Requests that were committed, of every part of the check.
  package var requests: Int64 = 0
  /// Submissions of the members' journal, kept or not.
  package var submissions = 0
  /// Faults that happened, by kind.
  package var faults: [String: Int64] = [:]
  /// Rare cases that happened, by name.
  package var seen: [String: Int64] = [:]
  /// The first broken promise; nil where all hold.
  package var violation: Violation?
  /// The part of the check that found it.
  package var part = ""

  /// Nothing happened.
  package init() {}

  /// Counts faults of a kind.
  package mutating func count(_ kind: String, _ times: Int64 = 1) {
    if times > 0 { faults[kind, default: 0] += times }
  }
}

/// A program whose promises are looked for over many seeded runs, under faults.
package protocol CheckedProgramme: RewardProgramme {
  /// Every promise that a check looks at.
  static var checkedInvariants: [InvariantName] { get }
  /// What a campaign lets go wrong.
  static var faultKinds: [FaultKind] { get }
  /// How large and how various the worlds of a campaign are.
  static var caseBounds: CaseBounds { get }

  /// What has to be set in a drawn case so that it takes seconds, where something else than its members
  /// brings about more: each with its value, as settings are written.
  ///
  /// - Parameter size: How many times as much as usual a case may hold.
  static func workBounds(
    _ frame: RunFrame, _ settings: Settings, size: Int
  ) -> [(path: String, value: String)]

  /// Runs a case and looks at every promise.
  ///
  /// - Parameters:
  ///   - frame: Name, seed, calendar and lookahead of the run.
  ///   - settings: Checked by a scenario.
  /// - Returns: What was found; a broken promise is a value.
  /// - Throws: `MoneyError` or a `ProgrammeLimit` where the settings leave what can be counted.
  static func check(
    _ frame: RunFrame, _ settings: Settings, _ plan: CheckPlan
  ) throws -> CheckOutcome
}

extension CheckedProgramme {
  /// Members alone bring about what happens.
  package static func workBounds(
    _ frame: RunFrame, _ settings: Settings, size: Int
  ) -> [(path: String, value: String)] { [] }
}

extension RunPlan where Programme: CheckedProgramme {
  /// See `CheckedProgramme.check`.
  package func check(_ plan: CheckPlan) throws -> CheckOutcome {
    try Programme.check(frame, settings, plan)
  }
}
