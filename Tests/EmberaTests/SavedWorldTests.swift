// Goal: a run that is interrupted after any window and taken up again is the run that was not
// interrupted.
// Method: worlds of several settings are stopped at random windows; what they save goes into fresh
// worlds, which run to the end. All that the records, members and journals hold must be equal.
import Embera
import EventKernel
import Foundation
import Quantities
import RewardModel
import TestSupport
import Testing

@Suite(.tags(.slow)) struct SavedWorldTests {
  private struct Outcome {
    var record: String
    var members: [EmberaMember]
    var journal: [JournalEntry]
  }

  private func run(
    _ frame: RunFrame, _ settings: EmberaSettings, stops: [Instant]
  ) throws -> Outcome {
    var members: [EmberaMember] = []
    func world(_ threads: Int) -> EmberaWorld {
      EmberaWorld(
        frame, settings, threads: threads, journals: true, members: { members.append($0) })
    }
    var saved: SavedRun?
    for stop in stops {
      var part = world(1)
      if let saved { try part.restore(saved) }
      #expect(try !part.advance(until: .distantFuture) { $0.simulated < stop })
      saved = try part.saved()
    }
    var last = world(2)
    if let saved { try last.restore(saved) }
    var text = ""
    dump(try last.run(checking: true), to: &text)
    return Outcome(record: text, members: members, journal: last.journal)
  }

  @Test("A run with stops is the run without", arguments: Setting.all)
  func stops(setting: Setting) throws {
    for (seed, window) in [(1, TimeSpan.hours(6)), (2, .hours(1)), (3, .days(1))] {
      let frame = try frame(seed: UInt64(seed), days: setting.days, window: window)
      let settings = setting.settings(members: 150)
      var stream = RandomStream(seed: UInt64(seed), purpose: 77, entity: 1)
      let length = UInt64((frame.calendar.end - frame.calendar.start).microseconds) * 98 / 100
      let stops = (0..<3).map { _ in
        frame.calendar.start + TimeSpan(microseconds: Int64(stream.uniformIndex(below: length)))
      }.sorted()
      let whole = try run(frame, settings, stops: [])
      let parts = try run(frame, settings, stops: stops)
      #expect(parts.record == whole.record, "stopped at \(stops.map(\.description))")
      #expect(parts.members == whole.members && !whole.members.isEmpty)
      #expect(parts.journal == whole.journal && !whole.journal.isEmpty)
    }
  }

  @Test("What another world saved is refused")
  func foreign() throws {
    let frame = try frame(seed: 1, days: 20)
    var world = EmberaWorld(frame, Setting.all[0].settings(members: 100), threads: 1)
    _ = try world.advance(until: frame.calendar.dayStarts[9])
    let saved = try world.saved()
    var half = saved
    half.parts[1].removeLast(100)
    var other = EmberaWorld(frame, Setting.all[0].settings(members: 101), threads: 1)
    #expect(throws: SavedRunError.otherShape) { try other.restore(saved) }
    var same = EmberaWorld(frame, Setting.all[0].settings(members: 100), threads: 1)
    #expect(throws: SavedRunError.otherShape) { try same.restore(half) }
    for instant in [frame.calendar.start + TimeSpan(microseconds: -1), frame.calendar.end] {
      var late = saved
      late.instant = instant
      #expect(throws: SavedRunError.otherShape) { try same.restore(late) }
    }
  }
}
