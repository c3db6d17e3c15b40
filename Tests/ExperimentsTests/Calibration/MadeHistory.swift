// Goal: histories for the tests that calibrate: rows by hand, and those of a world whose settings are
// known.

import BlakJaks
import Experiments
import Population
import Quantities
import RewardModel
import Scenario

/// Rows of a history in UTC from 1 January 2026 on.
struct MadeHistory {
  static let start = Instant(microseconds: 1_767_225_600_000_000)
  private(set) var rows: [HistoryRow] = []
  private(set) var members = 0

  /// Adds a row, in any order of time.
  mutating func add(
    _ event: BlakJaksEvent, _ member: Int, hours: Double, amount: Int = 1, other: Int? = nil,
    hasClock: Bool = true
  ) {
    members = max(members, member + 1, (other ?? 0) + 1)
    rows.append(
      HistoryRow(
        instant: Self.start + TimeSpan(microseconds: Int64(hours * 3.6e9)),
        hasClock: hasClock, row: UInt32(rows.count + 1), line: UInt32(rows.count + 2),
        member: UInt32(member), other: other.map { UInt32($0) } ?? .max, amount: Int64(amount),
        kind: event.rawValue))
  }

  var history: History {
    History(
      BlakJaksProgramme.history, names: (0..<members).map { "m\($0)" }, fileRows: rows)
  }

  /// The history up to the end of its day with this number from 0.
  func observed(untilDay day: Int) throws -> ObservedHistory {
    try ObservedHistory(
      history, zone: "UTC", until: CivilDate(year: 2026, month: 1, day: 1).adding(days: day))
  }
}

/// What the members of a scenario's world do.
func simulatedHistory(_ text: String) throws -> History {
  let scenario = try Scenario.load(text: text, file: "s.yaml")
  return try history(of: scenario.plan())
}

private func history<Plan: RunPlan>(of plan: Plan) throws -> History {
  var rows: [HistoryRow] = []
  var members: UInt32 = 0
  let outputs = RunOutputs<Plan.Programme.Member>(history: { row in
    var row = row
    row.row = UInt32(rows.count + 1)
    row.line = row.row + 1
    members = max(members, row.member + 1, row.other == .max ? 0 : row.other + 1)
    rows.append(row)
  })
  _ = try plan.simulate(threads: 1, outputs: outputs)
  return History(
    Plan.Programme.history, names: (0..<members).map { "\($0 + 1)" }, fileRows: rows)
}

/// Whether an interval holds a value; an open end holds everything.
func holds(_ low: Double?, _ high: Double?, _ value: Double) -> Bool {
  (low ?? -.infinity) <= value && value <= (high ?? .infinity)
}
