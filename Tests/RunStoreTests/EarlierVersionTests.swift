// Goal: runs that earlier versions wrote are read as they were. Method: databases of today are brought into
// the shape of the first versions; one of version 7 is as that version wrote it (Earlier/version-7.sqlite: ten
// days of launch-year with 400 members).

import BlakJaks
import Foundation
import GRDB
import RewardModel
import RunStore
import TestSupport
import Testing

@Suite struct EarlierVersionTests {
  /// A run of schema version 1 has none of the later tables, and its digest ends before them.
  @Test func aRunOfVersion1IsReadWithoutDailyFigures() throws {
    try withFolder { folder in
      var record = smallRecord()
      record.findings = []
      record.thresholds = []
      record.series = []
      record.scanHours = []
      record.reconciliations = []
      record.feed = []
      record.transactions = []
      record.streams = []
      record.proposals = []
      let views = ["series_value", "scan_hour"].map { "DROP VIEW \($0)" }
      let tables = [
        "series", "day_scans", "reconciliation", "feed", "wallet_transaction", "stream",
        "proposal", "data_quality", "threshold", "content",
      ].map { "DROP TABLE \($0)" }
      record = try Self.write(
        record, to: folder + "/run", version: 1,
        views + tables + ["ALTER TABLE run DROP COLUMN programme"])
      #expect(everyField(try readRun(folder + "/run")) == everyField(record))
    }
  }

  /// A run of schema version 2 does not say its programme: it is of the first one.
  @Test func aRunOfVersion2IsOfTheFirstProgramme() throws {
    try withFolder { folder in
      var record = smallRecord()
      record.findings = []
      record.thresholds = []
      record.transactions[1].award = nil
      record = try Self.write(
        record, to: folder + "/run", version: 2,
        [
          "ALTER TABLE run DROP COLUMN programme",
          "ALTER TABLE wallet_transaction DROP COLUMN award",
          "DROP TABLE data_quality", "DROP TABLE threshold", "DROP TABLE content",
        ])
      let back = try RunFolder.read(
        folder + "/run", of: [BlakJaksProgramme.self, TeaProgramme.self])
      #expect(try everyField(#require(back as? BlakJaksRecord)) == everyField(record))
    }
  }

  /// A later version may have more to say in a summary, so that of an earlier one is not held against the rows.
  @Test func theSummaryOfAnEarlierVersionIsNotComparedWithItsRows() throws {
    try withFolder { folder in
      var record = smallRecord()
      record.findings = []
      record.thresholds = []
      record.transactions[1].award = nil
      let programmes = [BlakJaksProgramme.self]
      try RunFolder.write(record, to: folder + "/today")
      let today = try RunAudit(folder + "/today", of: programmes)
      #expect(today.looksAtSummary && today.problems.isEmpty, "\(today.problems)")
      _ = try Self.write(
        record, to: folder + "/earlier", version: 2,
        [
          "ALTER TABLE run DROP COLUMN programme",
          "ALTER TABLE wallet_transaction DROP COLUMN award",
          "DROP TABLE data_quality", "DROP TABLE threshold", "DROP TABLE content",
        ])
      let earlier = try RunAudit(folder + "/earlier", of: programmes)
      #expect(!earlier.looksAtSummary)
      // The file was changed after its digest was taken; its rows are those of its fingerprint.
      #expect(
        earlier.problems.allSatisfy { $0.contains("run.sqlite: ") && !$0.contains("fingerprint") },
        "\(earlier.problems)")
    }
  }

  /// Writes a run and brings its database into the shape of an earlier version.
  ///
  /// - Returns: The record with the fingerprint that it had in that version.
  private static func write(
    _ record: BlakJaksRecord, to folder: String, version: Int, _ changes: [String]
  ) throws -> BlakJaksRecord {
    try RunFolder.write(record, to: folder)
    var record = record
    record.fingerprint = RunFingerprint.of(record, version: version)
    let queue = try DatabaseQueue(path: folder + "/run.sqlite")
    try queue.write { database in
      for change in changes { try database.execute(sql: change) }
      try database.execute(sql: "UPDATE schema_version SET version = \(version)")
      try database.execute(
        sql: "UPDATE run SET fingerprint = ?", arguments: [record.fingerprint])
    }
    try queue.close()
    return record
  }

  /// Version 7 had a row for each number of a list.
  @Test func aRunOfVersion7IsReadWithItsDailyFigures() throws {
    try withFolder { folder in
      try Self.copyVersion7(to: folder + "/run")
      let record = try readRun(folder + "/run")
      #expect(
        record.fingerprint == "eb56c20b673fbcf86472de0d25e44afdb0613b6085ea9f9aaa6fac6a89beb84a")
      #expect(record.fingerprint == RunFingerprint.of(record))
      #expect(record.days.count == 10 && record.scanHours.allSatisfy { $0.count == 24 })
      #expect(record.series.allSatisfy { $0.values.count == 10 })
      #expect(record.series.first { $0.key == "day.scans.submitted" }?.values.last == 108)
      // Written again it has the shape of today and the same figures.
      try RunFolder.write(record, to: folder + "/again")
      #expect(try everyField(readRun(folder + "/again")) == everyField(record))
    }
  }

  @Test(
    "Numbers that are missing in a run of version 7 are named",
    arguments: [
      ("UPDATE series_value SET value = 1 WHERE day = 0", "do not match its fingerprint"),
      ("DELETE FROM series_value WHERE day = 9", "do not match its fingerprint"),
      ("DELETE FROM series_value WHERE day = 0", "series 0 has no day before day 1"),
      ("DELETE FROM scan_hour WHERE hour = 7 AND day = 1", "day 1 has no hour before hour 8"),
      ("DELETE FROM scan_hour WHERE day = 0", "day 1 has no hour before hour 0"),
    ])
  func missingNumbersAreNamed(sql: String, problem: String) throws {
    try withFolder { folder in
      try Self.copyVersion7(to: folder + "/run")
      let queue = try DatabaseQueue(path: folder + "/run/run.sqlite")
      try queue.write { try $0.execute(sql: sql) }
      try queue.close()
      let error = try #require(throws: RunStoreError.self) { try readRun(folder + "/run") }
      #expect(error.kind == .damaged)
      #expect(error.description.contains(problem), "\(error)")
    }
  }

  private static func copyVersion7(to folder: String) throws {
    let files = FileManager.default
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try files.copyItem(
      atPath: Checkout.root.path + "/Tests/RunStoreTests/Earlier/version-7.sqlite",
      toPath: folder + "/run.sqlite")
  }
}
