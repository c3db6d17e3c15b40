internal import Quantities
internal import RewardModel

/// Checks the invariants after windows: in every run what counters and sums say, and where somebody
/// asks all of them against a count made again from the members.
struct EmberaAudit: Sendable {
  /// Whether every invariant is checked after every window.
  var isThorough = false
  private let scenario: String
  private let seed: UInt64

  init(_ frame: RunFrame) {
    scenario = frame.scenario
    seed = frame.seed
  }

  /// Checks what every run checks after every window.
  ///
  /// - Throws: `Violation` with the first law that is broken.
  /// - Complexity: O(offers).
  func checkLaws(_ house: House, at time: Instant) throws {
    for law in EmberaWorld.laws {
      try law.check(house, scenario: scenario, seed: seed, at: time)
    }
  }

  /// Checks what every replay checks after every day.
  ///
  /// - Throws: `Violation` with the first law that is broken.
  /// - Complexity: O(offers).
  func checkLaws(_ state: EmberaState, at time: Instant) throws {
    let view = BooksView(state.books, state.rules)
    for law in EmberaBooks.laws {
      try law.check(view, scenario: scenario, seed: seed, at: time)
    }
  }

  /// Checks everything.
  ///
  /// - Throws: `Violation` with the first invariant that is broken; `MoneyError` where a sum leaves
  ///   its range.
  /// - Complexity: O(members + orders under way).
  func check(
    _ cells: UnsafeMutableBufferPointer<Cell>, _ house: House, at time: Instant
  ) throws {
    let view = WorldView(cells: cells, house: house, time: time)
    for invariant in EmberaWorld.invariants {
      try invariant.check(view, scenario: scenario, seed: seed, at: time)
    }
  }
}
