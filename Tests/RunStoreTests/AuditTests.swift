// Goal: a changed bit anywhere in a run's files is found, and nothing is found where none changed.
// Method: bits are flipped at random places of every file of a real run; rows of every table are
// changed through SQLite, where the damage has to be named.

import BlakJaks
import Foundation
import GRDB
import RewardModel
import RunStore
import TestSupport
import Testing

@Suite struct AuditTests {
  private func audit(_ path: String) throws(RunStoreError) -> RunAudit {
    try RunAudit(path, of: [BlakJaksProgramme.self])
  }

  @Test func aRunAsItWasWrittenHasNoProblem() throws {
    try withFolder { folder in
      let year = try SampleRun.year()
      let page = RunFolder.ExtraFile(name: "report.html", contents: Data("<p>".utf8))
      try RunFolder.write(year, to: folder + "/run", extra: { [page] })
      let audit = try audit(folder + "/run")
      #expect(audit.problems == [])
      #expect(audit.files == RunFolder.files(of: BlakJaksRecord.self).count + 1)
      #expect(audit.fingerprint == RunFingerprint.of(year))
      // Days and series fill more than one batch.
      #expect(audit.batches > BlakJaksRecord.allTables.count / 2)
      #expect(audit.rows > 1_000)
    }
  }

  @Test func filesThatTheSummaryDoesNotListAreNamed() throws {
    try withFolder { folder in
      let path = folder + "/run"
      let page = RunFolder.ExtraFile(name: "report.html", contents: Data("<p>".utf8))
      try RunFolder.write(smallRecord(), to: path, extra: { [page] })
      #expect(try audit(path).others == [])
      for name in ["zz.csv", "members.csv"] {
        try Data().write(to: URL(fileURLWithPath: "\(path)/\(name)"))
      }
      let audit = try audit(path)
      #expect(audit.others == ["members.csv", "zz.csv"])
      #expect(audit.problems == [])
    }
  }

  /// SQLite has no NaN: it gives back something else than it was given.
  @Test func aNumberThatCannotBeStoredIsNotTakenForDamage() throws {
    try withFolder { folder in
      var record = smallRecord()
      record.thresholds = [
        RunHeader.ThresholdRow(threshold: "x < 1", holds: false, figure: nil, reached: .nan)
      ]
      try RunFolder.write(record, to: folder + "/run")
      #expect(try audit(folder + "/run").problems == [])
    }
  }

  @Test func aRunThatAnotherProgramHasLockedIsNotCalledDamaged() throws {
    try withFolder { folder in
      let path = folder + "/run"
      try RunFolder.write(smallRecord(), to: path)
      let other = try DatabaseQueue(path: path + "/run.sqlite")
      let words =
        "\(path)/run.sqlite: is locked by another program; let that program finish or close the "
        + "file there, and try again"
      try other.inDatabase { database in
        try database.execute(sql: "BEGIN EXCLUSIVE")
        let reading = #expect(throws: RunStoreError.self) { try readRun(path) }
        #expect(reading?.description == words)
        let auditing = #expect(throws: RunStoreError.self) { try audit(path) }
        #expect(auditing?.description == words)
        try database.execute(sql: "ROLLBACK")
      }
      try other.close()
      #expect(try audit(path).problems == [])
      #expect(try readRun(path).scenario == "small")
    }
  }

  @Test("A flipped bit anywhere in any file is found", arguments: 0..<2)
  func flippedBit(part: Int) throws {
    try withFolder { folder in
      let path = folder + "/run"
      let page = RunFolder.ExtraFile(name: "report.html", contents: Data("<p>".utf8))
      try RunFolder.write(smallRecord(), to: path, extra: { [page] })
      var draws = Damage(seed: UInt64(part) + 1)
      for name in try names(in: path) {
        let url = URL(fileURLWithPath: "\(path)/\(name)")
        let whole = try Data(contentsOf: url)
        // The headers of SQLite's pages are few bytes: they get as many flips as all else.
        let places =
          (0..<8).map { _ in Int(draws.next(below: UInt64(whole.count))) }
          + (0..<5).map { _ in Int(draws.next(below: UInt64(min(whole.count, 100)))) }
        for place in places {
          var damaged = whole
          damaged[place] ^= 1 << UInt8(draws.next(below: 8))
          try damaged.write(to: url)
          #expect(try !audit(path).problems.isEmpty, "byte \(place) of \(name)")
        }
        try whole.write(to: url)
      }
      #expect(try audit(path).problems == [])
    }
  }

  @Test(
    "A changed row is found with its place",
    arguments: [
      ("UPDATE run SET wall_seconds = 99", "rows 1 to 1 of table 'run' do not match their digest"),
      ("DELETE FROM setting", "rows 1 to 1 of table 'setting' are missing"),
      ("UPDATE content SET sha256 = 'x'", "its list of digests was changed"),
      (
        "CREATE TABLE more (x INTEGER PRIMARY KEY) STRICT",
        "the tables' definitions do not match their digest"
      ),
    ])
  func changedRow(statement: String, problem: String) throws {
    try withFolder { folder in
      var record = smallRecord()
      record.header.settings = [RunHeader.SettingRow(path: "a", value: "1", mark: "set")]
      try RunFolder.write(record, to: folder + "/run")
      let queue = try DatabaseQueue(path: folder + "/run/run.sqlite")
      try queue.write { try $0.execute(sql: statement) }
      try queue.close()
      let problems = try audit(folder + "/run").problems
      #expect(problems.contains("\(folder)/run/run.sqlite: \(problem)"), "\(problems)")
      // The file as a whole is not the one that was written, either.
      #expect(problems.count > 1, "\(problems)")
    }
  }

  @Test func missingFilesAreNamed() throws {
    try withFolder { folder in
      for name in ["run.sqlite", "summary.json", "months.csv"] {
        try RunFolder.write(smallRecord(), to: folder + "/run")
        try FileManager.default.removeItem(atPath: "\(folder)/run/\(name)")
        #expect(
          try audit(folder + "/run").problems == [
            "\(folder)/run/\(name): is missing or cannot be read"
          ])
        try FileManager.default.removeItem(atPath: "\(folder)/run")
      }
      let error = try #require(throws: RunStoreError.self) { try audit(folder + "/nowhere") }
      #expect(error.problem == "no such folder")
    }
  }
}

/// A small generator for places of damage.
private struct Damage {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next(below limit: UInt64) -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 33) % limit
  }
}
