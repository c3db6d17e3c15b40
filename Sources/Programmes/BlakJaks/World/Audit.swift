internal import EventKernel
internal import Quantities
internal import RewardModel

/// Checks a world's invariants after windows: the cheap ones in every run, all where somebody asks.
struct Audit {
  /// Whether every invariant is checked after every window in which something happened.
  var isThorough = false
  private let scenario: String
  private let seed: UInt64
  /// Events of the run when everything was checked last.
  private(set) var checkedEvents: Int64 = -1
  /// Awards that were checked before, and the last due number of each prize among them.
  var checkedAwards = 0
  var lastDue: [String: Int64] = [:]
  /// What the laws were found to hold for last.
  private var lawful = LawfulSums()

  init(_ input: WorldInput) {
    scenario = input.scenario
    seed = input.seed
  }

  /// Checks what every run checks after every window: what the programme's counters and sums say. After
  /// a window that left all of them as they were there is nothing to check again.
  ///
  /// - Throws: `Violation` with the first law that is broken; `MoneyError` where a sum leaves its
  ///   range.
  /// - Complexity: O(1).
  mutating func checkLaws(of programme: inout LiveProgramme, at time: Instant) throws {
    guard !lawful.shows(&programme) else { return }
    try Invariant.check(
      LiveProgramme.laws, of: &programme, scenario: scenario, seed: seed, at: time)
    lawful.take(&programme)
  }

  /// Checks everything.
  ///
  /// - Throws: `Violation` with the first invariant that is broken; `MoneyError` where a sum
  ///   leaves its range.
  /// - Complexity: O(members + payouts not settled + new awards).
  mutating func check(
    _ cells: UnsafeMutableBufferPointer<Cell>, _ house: House, at time: Instant
  ) throws {
    for invariant in LiveProgramme.invariants {
      try invariant.check(house.programme, scenario: scenario, seed: seed, at: time)
    }
    let awards = house.chronicle.awards
    let view = WorldView(
      cells: cells, house: house, time: time, newAwards: awards[checkedAwards...], lastDue: lastDue)
    for invariant in World.invariants {
      try invariant.check(view, scenario: scenario, seed: seed, at: time)
    }
    for award in view.newAwards { lastDue[award.prize] = award.dueScan }
    checkedAwards = awards.count
    checkedEvents = house.allEvents
  }
}
