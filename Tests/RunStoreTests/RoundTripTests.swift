// Goal: what is read from run.sqlite is the record that was written, field by field, and a
// database that was changed afterward is refused. Method: `dump` shows every stored field.

import BlakJaks
import Foundation
import GRDB
import Quantities
import RewardModel
import RunStore
import TestSupport
import Testing

@Suite struct RoundTripTests {
  @Test("A record comes back with every field as it was", arguments: ["small", "year", "empty"])
  func everyFieldComesBack(which: String) throws {
    try withFolder { folder in
      var record =
        switch which {
        case "small": smallRecord()
        case "year": try SampleRun.year(days: 120)
        default: BlakJaksRecord()
        }
      record.source = which == "small" ? .history : .simulation
      record.interrupted = which == "small"
      if which == "small" {
        record.opening.acceptedScans = 11
        record.opening.tripReserve = MicroUSDT(microunits: -12)
      }
      try RunFolder.write(record, to: folder + "/run")
      let back = try readRun(folder + "/run")
      #expect(back.fingerprint == RunFingerprint.of(record))
      record.fingerprint = back.fingerprint
      #expect(everyField(back) == everyField(record))
    }
  }

  @Test func extremesOfMoneyAndTimeComeBack() throws {
    try withFolder { folder in
      var record = smallRecord()
      record.accounts[0].balance = MicroUSDT(microunits: .min)
      record.accounts[1].balance = MicroUSDT(microunits: .max)
      record.start = .distantPast
      record.end = .distantFuture
      record.seed = 0
      // Lists go through text.
      record.series[0].values = [.min, .max]
      record.series[1].values = [nil, 1 - .max]
      record.awards[0].member = "\u{1}\u{1F3B0}\u{2028}'; DROP TABLE award; --"
      try RunFolder.write(record, to: folder + "/run")
      let back = try readRun(folder + "/run")
      record.fingerprint = back.fingerprint
      #expect(everyField(back) == everyField(record))
    }
  }

  @Test func databaseIsASingleStrictFileWithForeignKeys() throws {
    try withFolder { folder in
      try RunFolder.write(smallRecord(), to: folder + "/run")
      #expect(try names(in: folder + "/run").filter { $0.hasPrefix("run.") } == ["run.sqlite"])
      let queue = try DatabaseQueue(path: folder + "/run/run.sqlite")
      try queue.read { database in
        let loose = try String.fetchAll(
          database,
          sql: "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
            + "AND strict = 0 AND name NOT LIKE 'sqlite_%'")
        #expect(loose == [])
        let parent = try String.fetchOne(
          database, sql: "SELECT \"table\" FROM pragma_foreign_key_list('award')")
        #expect(parent == "prize")
        #expect(try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok")
        #expect(try String.fetchOne(database, sql: "PRAGMA journal_mode") == "delete")
        #expect(try Int.fetchOne(database, sql: "SELECT version FROM schema_version") == 8)
        #expect(try Int.fetchOne(database, sql: "PRAGMA user_version") == 8)
        let types = try String.fetchAll(
          database,
          sql: "SELECT DISTINCT c.type FROM sqlite_schema AS s, pragma_table_info(s.name) AS c "
            + "WHERE s.type = 'table' AND c.name LIKE '%_micro'")
        #expect(types == ["INTEGER"])
      }
    }
  }

  @Test(
    "A database that was changed after the run is refused",
    arguments: [
      ("UPDATE award SET amount_micro = amount_micro + 1", "do not match its fingerprint"),
      ("DELETE FROM account WHERE position = 0", "do not match its fingerprint"),
      ("UPDATE run SET seed = '-3'", "seed is not a 64-bit whole number"),
      ("UPDATE prize SET required_tier = 'duke'", "which is not one of its values"),
      ("UPDATE day SET date = '2026-02-30' WHERE position = 0", "is not a date"),
      ("UPDATE schema_version SET version = 9", "has schema version 9, not 1 to 8"),
      ("UPDATE schema_version SET version = 0", "has schema version 0, not 1 to 8"),
      ("UPDATE schema_version SET version = 1", "do not match its fingerprint"),
      (
        "UPDATE series SET by_day = json_set(by_day, '$[0]', 1)", "do not match its fingerprint"
      ),
      ("UPDATE series SET by_day = json_remove(by_day, '$[1]')", "do not match its fingerprint"),
      ("UPDATE series SET by_day = '[1,'", "malformed JSON"),
      ("UPDATE series SET by_day = '[1, 2.5]'", "value holds something that is not a whole number"),
      ("UPDATE series SET by_day = '[\"x\"]'", "value holds something that is not a whole number"),
      ("UPDATE series SET by_day = '{\"a\": 1}'", "holds something that is not a whole number"),
      ("UPDATE day_scans SET by_hour = '[]' WHERE position = 0", "day 1 has no hour before hour 0"),
      (
        "UPDATE wallet_transaction SET award = 'match#9' WHERE position = 1",
        "do not match its fingerprint"
      ),
      ("DROP TABLE proposal", "no such table: proposal"),
      ("DELETE FROM run", "the run's header is missing"),
      ("DROP TABLE outcome", "no such table: outcome"),
    ])
  func tamperingIsRefused(sql: String, problem: String) throws {
    try withFolder { folder in
      try RunFolder.write(smallRecord(), to: folder + "/run")
      let queue = try DatabaseQueue(path: folder + "/run/run.sqlite")
      try queue.write {
        try $0.execute(sql: "PRAGMA ignore_check_constraints = ON")
        try $0.execute(sql: sql)
      }
      try queue.close()
      let error = try #require(throws: RunStoreError.self) {
        try readRun(folder + "/run")
      }
      #expect(error.kind == .damaged)
      #expect(error.description.contains(problem), "\(error)")
    }
  }

  @Test(
    "A database of another shape is refused, whatever its fields hold",
    arguments: [
      (
        "ALTER TABLE run DROP COLUMN programme; ALTER TABLE run ADD COLUMN programme; "
          + "UPDATE run SET programme = 7", "the program's name is not text"
      ),
      ("UPDATE run SET programme = x'ff'", "a field holds bytes"),
      ("UPDATE run SET programme = ''", "is a run of '', which is not a known program"),
      (
        "UPDATE batch SET number = 9223372036854775807",
        "a digest is of rows that no table holds"
      ),
      ("CREATE TABLE \"a\"\"b\" (c PRIMARY KEY)", "does not match its digest"),
    ])
  func otherShapesAreRefused(sql: String, problem: String) throws {
    try withFolder { folder in
      try RunFolder.write(smallRecord(), to: folder + "/run")
      let queue = try DatabaseQueue(path: folder + "/run/run.sqlite")
      try queue.write {
        try $0.execute(
          sql: "CREATE TABLE loose AS SELECT * FROM run; DROP TABLE run; "
            + "ALTER TABLE loose RENAME TO run")
        try $0.execute(sql: sql)
      }
      try queue.close()
      let error = try #require(throws: RunStoreError.self) { try readRun(folder + "/run") }
      #expect(error.kind == .damaged)
      #expect(error.description.contains(problem), "\(error)")
    }
  }

  @Test("Daily figures that contradict the days are refused before anything is written")
  func contradictingDailyFiguresAreRefused() throws {
    let cases: [((inout BlakJaksRecord) -> Void, String)] = [
      (
        { $0.series[1].values.removeLast() },
        "series 'ledger.Crypto $100, or \"more\".total' has 1 values for 2 days"
      ),
      ({ $0.series[1].key = "payouts.queue" }, "series 'payouts.queue' stands there twice"),
      ({ $0.scanHours.removeLast() }, "scans by hour are there for 1 of 2 days"),
      ({ $0.scanHours[1].append(0) }, "day 2026-01-02 has 25 hours of scans"),
    ]
    for (change, problem) in cases {
      try withFolder { folder in
        var record = smallRecord()
        change(&record)
        let error = try #require(throws: RunStoreError.self) {
          try RunFolder.write(record, to: folder + "/run")
        }
        #expect(error.kind == .contradiction)
        #expect(error.problem == problem)
        #expect(try names(in: folder) == [])
      }
    }
  }

  @Test func whatIsNoRunIsRefused() throws {
    try withFolder { folder in
      let missing = try #require(throws: RunStoreError.self) { try readRun(folder) }
      #expect(
        missing.description
          == "\(folder): does not contain run.sqlite; give a run folder that pitboss has written")
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/loop", withDestinationPath: "loop")
      for (name, problem) in [
        ("nowhere", "no such folder"), ("loop", "is a loop of symbolic links"),
      ] {
        let error = try #require(throws: RunStoreError.self) { try readRun("\(folder)/\(name)") }
        #expect(error.problem == problem)
      }
      try Data("not a database".utf8).write(to: URL(fileURLWithPath: folder + "/run.sqlite"))
      let foreign = try #require(throws: RunStoreError.self) { try readRun(folder) }
      #expect(foreign.problem == "is not a database of a Pitboss run")
    }
  }
}
