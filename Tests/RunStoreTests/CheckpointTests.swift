// Goal: a checkpoint is there as a whole or not at all, and what is damaged, foreign or in use is
// refused in words.
// Method: states of known bytes; bits flipped at random places; a process that is killed while it
// writes one checkpoint after the other.

import Foundation
import Quantities
import RewardModel
import RunStore
import TestSupport
import Testing

@Suite struct CheckpointTests {
  private static let run = CheckpointedRun(
    file: "small.yaml", text: "name: small\n",
    overrides: [CheckpointedRun.Override(path: "seed", value: "7", source: "--seed")],
    canonicalText: "pitboss-scenario 1\n", seed: 7, build: "b1", days: 30, members: true,
    checks: false)

  private static let start = Instant(microseconds: 1_767_225_600_000_000)

  /// A state that tells its number.
  private static func parts(_ number: Int) -> [Data] {
    [Data("house \(number)".utf8), Data(), Data(repeating: UInt8(number & 255), count: 5_000)]
  }

  private static func begin(_ folder: String, saves: Int) throws -> CheckpointFolder {
    let checkpoints = try CheckpointFolder(beginning: run, at: start, for: folder + "/run")
    for number in 1..<saves + 1 { try save(number, in: checkpoints) }
    return checkpoints
  }

  private static func save(_ number: Int, in checkpoints: CheckpointFolder) throws {
    try checkpoints.save(start + .days(Int64(number))) { part in
      for data in parts(number) { try part(data) }
    }
  }

  /// Begins checkpoints and gives the folder back.
  private func left(_ folder: String, saves: Int) throws {
    _ = try Self.begin(folder, saves: saves)
  }

  private func resumed(_ folder: String, build: String = "b1") throws(RunStoreError)
    -> CheckpointFolder
  {
    try CheckpointFolder(resuming: folder + "/run", build: build)
  }

  @Test func whatWasSavedLastIsWhereTheRunGoesOn() throws {
    try withFolder { folder in
      try left(folder, saves: 5)
      #expect(
        try names(in: folder + "/run.checkpoints") == [
          "checkpoint-000005", "checkpoint-000006", "lock",
        ])
      let again = try resumed(folder)
      #expect(again.run == Self.run && again.warnings == [])
      #expect(again.instant == Self.start + .days(5))
      #expect(again.resumed?.instant == again.instant)
      #expect(again.resumed?.parts == Self.parts(5))
      try Self.save(6, in: again)
      #expect(
        try names(in: folder + "/run.checkpoints") == [
          "checkpoint-000006", "checkpoint-000007", "lock",
        ])
      again.remove()
      #expect(try names(in: folder) == [])
    }
  }

  @Test func beforeTheFirstCheckpointARunGoesOnFromItsBeginning() throws {
    try withFolder { folder in
      try left(folder, saves: 0)
      let again = try resumed(folder)
      #expect(again.resumed == nil && again.instant == Self.start)
    }
  }

  @Test("A flipped bit or a cut makes the last checkpoint of no use; the one before is taken")
  func damage() throws {
    try withFolder { folder in
      try left(folder, saves: 3)
      let last = URL(fileURLWithPath: folder + "/run.checkpoints/checkpoint-000004")
      let whole = try Data(contentsOf: last)
      var damaged: [Data] = [Data(), whole.dropLast(), whole + Data([0]), whole.prefix(40)]
      for place in stride(from: 0, to: whole.count, by: 97) {
        var flipped = whole
        flipped[place] ^= 1 << UInt8(place % 8)
        damaged.append(flipped)
      }
      for contents in damaged {
        try contents.write(to: last)
        let again = try resumed(folder)
        #expect(again.warnings == ["checkpoint-000004 is damaged; checkpoint-000003 is taken"])
        #expect(again.resumed?.parts == Self.parts(2))
      }
      let audit = CheckpointAudit(folder + "/run")
      #expect(audit.problems == ["checkpoint-000004 is damaged"])
      #expect(audit.resumesAt == Self.start + .days(2))
      try whole.write(to: last)
      #expect(CheckpointAudit(folder + "/run").problems == [])
    }
  }

  @Test func aDamagedCheckpointIsNotOneOfTheTwoThatAreKept() throws {
    try withFolder { folder in
      try left(folder, saves: 3)
      let last = URL(fileURLWithPath: folder + "/run.checkpoints/checkpoint-000004")
      try Data("broken".utf8).write(to: last)
      let again = try resumed(folder)
      for (number, kept) in [(3, ["3", "5"]), (4, ["5", "6"]), (5, ["6", "7"])] {
        try Self.save(number, in: again)
        #expect(
          try names(in: folder + "/run.checkpoints")
            == kept.map { "checkpoint-00000\($0)" } + ["lock"])
      }
      #expect(CheckpointAudit(folder + "/run").problems == [])
    }
  }

  @Test("Files that have no checkpoint's name are somebody else's, whatever they look like")
  func foreignNames() throws {
    try withFolder { folder in
      try left(folder, saves: 2)
      let path = folder + "/run.checkpoints"
      let foreign = [
        "checkpoint-9223372036854775807", "checkpoint-1000000001", "checkpoint--5", "checkpoint-7",
        "checkpoint-0000009", "checkpoint-000000", "checkpoint-+00008",
      ]
      for name in foreign { try Data("x".utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)")) }
      #expect(CheckpointAudit(folder + "/run").problems == [])
      let again = try resumed(folder)
      #expect(again.warnings == [] && again.resumed?.parts == Self.parts(2))
      try Self.save(3, in: again)
      #expect(
        Set(try names(in: path))
          == Set(foreign + ["checkpoint-000003", "checkpoint-000004", "lock"]))
    }
  }

  @Test("A rhythm that no run can have is damage", arguments: [0, -1, 36_501, Int.max])
  func rhythm(days: Int) throws {
    try withFolder { folder in
      var run = Self.run
      run.days = days
      _ = try CheckpointFolder(beginning: run, at: Self.start, for: folder + "/run")
      #expect(CheckpointAudit(folder + "/run").problems == ["checkpoint-000001 is damaged"])
    }
  }

  @Test func whereNoneIsWholeTheRunHasToBeBegunAgain() throws {
    try withFolder { folder in
      try left(folder, saves: 1)
      for name in ["checkpoint-000001", "checkpoint-000002"] {
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/run.checkpoints/\(name)"))
      }
      let error = try #require(throws: RunStoreError.self) { try resumed(folder) }
      #expect(
        error.description == "\(folder)/run.checkpoints: checkpoint-000001 is damaged; "
          + "checkpoint-000002 is damaged; remove the folder and run the scenario again; "
          + "the same seed gives the same run")
      for name in ["checkpoint-000001", "checkpoint-000002"] {
        try FileManager.default.removeItem(atPath: "\(folder)/run.checkpoints/\(name)")
      }
      let empty = try #require(throws: RunStoreError.self) { try resumed(folder) }
      #expect(empty.problem == "the run stopped before its first checkpoint was written")
    }
  }

  @Test("A run that was killed before it had a checkpoint is begun again")
  func nothingWasSaved() throws {
    try withFolder { folder in
      func leave() throws {
        try FileManager.default.createDirectory(
          atPath: folder + "/run.checkpoints", withIntermediateDirectories: true)
      }
      try leave()
      try CheckpointFolder.refuseUnfinished(at: folder + "/run")
      try leave()
      let open = try Self.begin(folder, saves: 1)
      withExtendedLifetime(open) {}
    }
  }

  @Test func anotherBuildAnotherRunAndAnotherProcessAreRefused() throws {
    try withFolder { folder in
      let open = try Self.begin(folder, saves: 2)
      let taken = try #require(throws: RunStoreError.self) { try resumed(folder) }
      #expect(taken.problem == "is in use by another process")
      // Whoever removes a folder that is in use ends its run.
      let used = try #require(throws: RunStoreError.self) { try left(folder, saves: 0) }
      #expect(used == taken)
      #expect(throws: taken) { try CheckpointFolder.refuseUnfinished(at: folder + "/run/") }
      withExtendedLifetime(open) {}
    }
    try withFolder { folder in
      try left(folder, saves: 2)
      let occupied = try #require(throws: RunStoreError.self) { try left(folder, saves: 0) }
      #expect(
        occupied.description == "\(folder)/run.checkpoints: holds a run that has not ended; go on "
          + "with it by 'pitboss resume \(folder)/run', or remove the folder")
      #expect(throws: RunStoreError.self) {
        try CheckpointFolder.refuseUnfinished(at: folder + "/run/")
      }
    }
    try withFolder { folder in
      try left(folder, saves: 2)
      let build = try #require(throws: RunStoreError.self) { try resumed(folder, build: "b2") }
      #expect(build.problem == "was written by another build of pitboss")
      let nothing = try #require(throws: RunStoreError.self) { try resumed(folder + "/x") }
      #expect(nothing.problem == "has no checkpoints to go on from")
      try RunFolder.write(smallRecord(), to: folder + "/ended")
      let ended = try #require(throws: RunStoreError.self) {
        try CheckpointFolder(resuming: folder + "/ended", build: "b1")
      }
      #expect(ended.problem == "is complete, and has no checkpoints to go on from")
      var cut = smallRecord()
      cut.interrupted = true
      try RunFolder.write(cut, to: folder + "/cut")
      let interrupted = try #require(throws: RunStoreError.self) {
        try CheckpointFolder(resuming: folder + "/cut", build: "b1")
      }
      #expect(interrupted.problem == "was interrupted, and has no checkpoints to go on from")
      #expect(interrupted.advice.contains("--checkpoint"))
      var other = Self.run
      other.seed = 8
      _ = try CheckpointFolder(beginning: other, at: Self.start, for: folder + "/other")
      try FileManager.default.moveItem(
        atPath: folder + "/other.checkpoints/checkpoint-000001",
        toPath: folder + "/run.checkpoints/checkpoint-000009")
      let mixed = try #require(throws: RunStoreError.self) { try resumed(folder) }
      #expect(mixed.problem == "its checkpoints are of different runs")
    }
  }

  @Test func aDiskThatRefusesIsNamed() throws {
    try withFolder { folder in
      try Data().write(to: URL(fileURLWithPath: folder + "/file"))
      let error = try #require(throws: RunStoreError.self) { try left(folder + "/file", saves: 0) }
      #expect(error.kind == .system)
      struct Unencodable: Error {}
      let checkpoints = try Self.begin(folder, saves: 1)
      #expect(throws: Unencodable.self) {
        try checkpoints.save(Self.start) { part in
          try part(Data("half".utf8))
          throw Unencodable()
        }
      }
      #expect(
        try names(in: folder + "/run.checkpoints") == [
          "checkpoint-000001", "checkpoint-000002", "lock",
        ])
    }
  }

  /// The process writes one checkpoint after the other until it is killed somewhere in between.
  @Test("A kill leaves a whole checkpoint", arguments: [3, 11, 29, 60, 110])
  func kill(milliseconds: Int) async throws {
    let folder = NSTemporaryDirectory() + "pitboss-checkpoint-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [folder = folder as String, milliseconds = milliseconds as Int] in
      let checkpoints = try Self.begin(folder, saves: 0)
      Thread.detachNewThread {
        usleep(UInt32(milliseconds) * 1_000)
        Foundation.kill(getpid(), SIGKILL)
      }
      for number in 1..<1_000_000 { try Self.save(number, in: checkpoints) }
    }
    let again = try resumed(folder)
    #expect(again.warnings == [])
    let days = (again.instant - Self.start).microseconds / 86_400_000_000
    #expect(again.resumed?.parts == (days > 0 ? Self.parts(Int(days)) : nil))
  }
}
