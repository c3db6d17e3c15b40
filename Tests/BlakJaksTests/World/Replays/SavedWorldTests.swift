// Goal: a run that is interrupted after any window and taken up again is the run that was not
// interrupted.
// Method: every scenario at reduced size is stopped at random windows; what it saves goes into a
// fresh world with other threads, which runs to the end. The records must be equal in all that a
// fingerprint covers, the members and the journals in all that they hold. Damage has to be refused.
import BlakJaks
import EventKernel
import Foundation
import Population
import Quantities
import RewardModel
import RunStore
import Scenario
import TestSupport
import Testing

@Suite(.tags(.slow)) struct SavedWorldTests {
  /// A small world of a scenario in which guarantees fall due, floors are reached and payouts fail.
  private func input(
    _ name: String, window: String = "1 h", days: Int = 100, _ more: [String] = []
  ) throws -> WorldInput {
    try WorldInput(
      try story(
        name,
        [
          "population.members=200", "calendar.days=\(days)", "calendar.window=\(window)",
          "population.adoption.per_day=20", "rules.guarantee.after=30 d",
          "rules.guarantee.minimum_scans=2", "rules.tiers.floors.vip=20",
          "rules.tiers.floors.high_roller=60", "rules.tiers.floors.whale=150",
        ] + more))
  }

  /// Runs a world with stops, each time in a fresh world that is restored from bytes.
  private func interrupted(
    _ input: WorldInput, at stops: [Instant], members: ((BlakJaksMember) -> Void)? = nil,
    journal: ((JournalEntry) -> Void)? = nil
  ) throws -> BlakJaksRecord {
    var saved: SavedRun?
    for (place, stop) in stops.enumerated() {
      // Windows that are merged begin within those that were not.
      var world = try World(
        input, threads: place % 2 + 1, journal: journal, members: members,
        mergesWindows: place % 3 == 1)
      if let saved { try world.restore(saved) }
      #expect(try !world.advance(until: .distantFuture) { $0.simulated < stop })
      saved = try world.saved()
    }
    var world = try World(input, threads: 2, journal: journal, members: members)
    if let saved { try world.restore(saved) }
    return try world.run()
  }

  private func stops(_ input: WorldInput, _ count: Int, seed: UInt64) -> [Instant] {
    var stream = RandomStream(seed: seed, purpose: 77, entity: 1)
    let length = UInt64((input.calendar.end - input.calendar.start).microseconds) * 98 / 100
    return (0..<count).map { _ in
      input.calendar.start + TimeSpan(microseconds: Int64(stream.uniformIndex(below: length)))
    }.sorted()
  }

  @Test("A run with stops is the run without", arguments: stories)
  func stops(_ name: String) throws {
    let input = try input(name)
    var world = try World(input, threads: 1)
    let whole = try world.run()
    #expect(whole.acceptedScans > 20)
    for seed in 1...2 as ClosedRange<UInt64> {
      let stops = stops(input, 3, seed: seed)
      let record = try interrupted(input, at: stops)
      #expect(
        RunFingerprint.of(record) == RunFingerprint.of(whole),
        "\(name), stopped at \(stops.map(\.description))")
      #expect(record.events == whole.events)
      #expect(record.feed == whole.feed)
    }
  }

  @Test("Stops may come in windows of any length", arguments: ["10 min", "6 h", "1 d"])
  func windows(_ window: String) throws {
    let input = try input("full-programme", window: window, days: 70)
    var world = try World(input, threads: 1)
    let whole = RunFingerprint.of(try world.run())
    #expect(RunFingerprint.of(try interrupted(input, at: stops(input, 4, seed: 5))) == whole)
  }

  @Test("Payouts that fail, wait and lose their answers go on where they were")
  func payouts() throws {
    let input = try input(
      "full-programme", days: 80,
      [
        "rules.payouts.failure=30 %", "rules.payouts.workers=1", "rules.payouts.service=2 min",
        "rules.payouts.batch_limit=2", "faults.payouts.lost_response=30 %",
        "faults.chain.late=20 %", "faults.chain.duplicated=10 %",
        "rules.treasury.opening.member_wallet=50",
      ])
    var world = try World(input, threads: 1)
    let whole = RunFingerprint.of(try world.run())
    #expect(RunFingerprint.of(try interrupted(input, at: stops(input, 6, seed: 9))) == whole)
  }

  @Test("Members and journals are those of the run without stops")
  func outputs() throws {
    let input = try input("full-programme", days: 60)
    func run(_ stops: [Instant]) throws -> ([BlakJaksMember], [JournalEntry]) {
      var members: [BlakJaksMember] = []
      var entries: [JournalEntry] = []
      _ = try interrupted(
        input, at: stops, members: { members.append($0) }, journal: { entries.append($0) })
      return (members, entries)
    }
    let whole = try run([])
    let parts = try run(stops(input, 3, seed: 3))
    #expect(parts.0 == whole.0 && !whole.0.isEmpty)
    #expect(parts.1 == whole.1 && !whole.1.isEmpty)
  }

  @Test("Every invariant holds after every window of a run that was taken up again")
  func laws() throws {
    let input = try input("full-programme", days: 40)
    var world = try World(input, threads: 1)
    _ = try world.advance(until: input.calendar.dayStarts[23], checking: true)
    let saved = try world.saved()
    var next = try World(input, threads: 1)
    try next.restore(saved)
    #expect(next.now == input.calendar.dayStarts[23])
    _ = try next.run(checking: true)
  }

  @Test("The state is saved at local midnights, counted from the start, and where it is stopped")
  func rhythm() throws {
    let input = try input("launch-year", days: 40)
    var saved: [SavedRun] = []
    func checkpoints(_ resumed: SavedRun?) -> RunCheckpoints {
      RunCheckpoints(days: 15, resumed: resumed) { instant, parts in
        var all: [Data] = []
        try parts { all.append($0) }
        saved.append(SavedRun(instant: instant, parts: all))
      }
    }
    let stop = input.calendar.dayStarts[20] + .hours(7)
    var world = try World(input, threads: 1, mergesWindows: false)
    _ = try world.run(checkpoints: checkpoints(nil)) { $0.simulated < stop }
    #expect(saved.map(\.instant) == [input.calendar.dayStarts[15], stop])
    var next = try World(input, threads: 1)
    try next.restore(saved[1])
    let record = try next.run(checkpoints: checkpoints(saved[1]))
    #expect(
      saved.map(\.instant) == [input.calendar.dayStarts[15], stop, input.calendar.dayStarts[30]])
    var whole = try World(input, threads: 1)
    #expect(RunFingerprint.of(record) == RunFingerprint.of(try whole.run()))
  }

  @Test("What another world saved is refused, and so is half of it")
  func foreign() throws {
    let input = try input("full-programme", days: 10)
    var world = try World(input, threads: 1)
    _ = try world.advance(until: input.calendar.dayStarts[5])
    let saved = try world.saved()
    var half = saved
    half.parts[1].removeLast(40)
    var fewer = saved
    fewer.parts.removeLast()
    let larger = try self.input("full-programme", days: 10, ["population.members=201"])
    for (input, saved) in [(input, half), (input, fewer), (larger, saved)] {
      var other = try World(input, threads: 1)
      #expect(throws: (any Error).self) { try other.restore(saved) }
    }
    for instant in [input.calendar.start + TimeSpan(microseconds: -1), input.calendar.end] {
      var late = saved
      late.instant = instant
      var other = try World(input, threads: 1)
      #expect(throws: SavedRunError.otherShape) { try other.restore(late) }
    }
  }
}
