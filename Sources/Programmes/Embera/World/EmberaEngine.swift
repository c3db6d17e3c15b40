package import Quantities
package import RewardModel

/// The state machine of a scenario's rules with the requests of its own world.
package struct EmberaEngine: StressedEngine {
  package static let kinds = [
    "sign_up", "order", "redeem", "close_month", "challenge", "sign_in",
  ]
  package static let counted = "orders"

  private let frame: RunFrame
  private let entries: [JournalEntry]
  private var machine: EmberaState

  /// - Parameters:
  ///   - entries: In the order of a world's journal.
  package init(_ frame: RunFrame, _ rules: EmberaRules, _ entries: [JournalEntry]) {
    self.frame = frame
    self.entries = entries
    machine = EmberaState(rules, month: frame.calendar.dates[0].monthNumber)
  }

  package var count: Int { entries.count }
  package var end: Instant? { entries.last?.instant }
  package var state: any Encodable { machine.snapshot }

  /// By the case of the request.
  package func kind(at place: Int) -> Int {
    switch entries[place].request {
    case .signUp: 0
    case .order: 1
    case .redeem: 2
    case .closeMonth: 3
    case .challenge: 4
    case .signIn: 5
    }
  }

  /// Commits it to a `EmberaState`.
  package mutating func commit(_ place: Int) throws -> StressAnswer {
    switch try machine.commit(entries[place].request, at: entries[place].instant) {
    case .ordered: .accepted
    case .refused: .refused
    case .signedUp, .redeemed, .repeated, .closed, .challenged, .signedIn: .done
    }
  }

  /// Checks `EmberaBooks.laws`.
  package func check() throws {
    try EmberaAudit(frame).checkLaws(machine, at: end ?? frame.calendar.start)
  }
}

extension EmberaProgramme: StressedProgramme {
  /// Runs an `EmberaWorld` and keeps its journal.
  package static func engine(
    _ frame: RunFrame, _ settings: EmberaSettings, threads: Int, limit: Int,
    proceed: (RunProgress) -> Bool
  ) throws -> EmberaEngine {
    var world = EmberaWorld(frame, settings, threads: threads, journals: true)
    _ = try world.run(proceed: proceed)
    return EmberaEngine(frame, settings.rules, Array(world.journal.prefix(limit)))
  }
}
