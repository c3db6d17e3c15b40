// Goal: a table is declared once and nothing is forgotten: each is in the database, comes back, and
// is in the fingerprint once. Method: the declarations against the database itself, and one field
// changed at a time. A program of the tests' own shows that the store knows none.

import BlakJaks
import Foundation
import GRDB
import RewardModel
import RunStore
import TestSupport
import Testing

@Suite struct TableTests {
  @Test func everyTableAndColumnIsInTheDatabase() throws {
    try withFolder { folder in
      try RunFolder.write(smallRecord(), to: folder + "/run")
      let queue = try DatabaseQueue(path: folder + "/run/run.sqlite")
      let shapes = BlakJaksRecord.allTables.map(\.stored)
      let cells = BlakJaksRecord.allTables.compactMap(\.cells)
      try queue.read { database in
        let tables = try String.fetchSet(
          database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
        #expect(tables == Set(shapes.map(\.name) + ["schema_version", "content", "batch"]))
        let views = try String.fetchSet(
          database, sql: "SELECT name FROM sqlite_schema WHERE type = 'view'")
        #expect(views == Set(cells.map(\.name)) && !views.isEmpty)
        for shape in shapes + cells {
          let columns = try database.columns(in: shape.name).map(\.name)
          #expect(
            Set(columns).subtracting(["id", "position"]) == Set(shape.columns.map(\.storedName)))
          #expect(
            try Bool.fetchOne(database, sql: "SELECT count(*) > 0 FROM \(shape.name)") == true)
        }
      }
    }
  }

  @Test func namesAreDeclaredOnce() {
    let tables = BlakJaksRecord.allTables
    #expect(Set(tables.map(\.name)).count == tables.count)
    #expect(Set(BlakJaksRecord.files) == Set(tables.compactMap(\.file)))
    #expect(Set(BlakJaksRecord.files).count == BlakJaksRecord.files.count)
    let keys = BlakJaksRecord.summaryKeys
    #expect(Set(keys).count == keys.count)
    for key in keys {
      #expect(RunSummary.text(of: smallRecord()).contains("\n  \"\(key)\": "), "\(key)")
    }
    for shape in tables.map(\.stored) + tables.compactMap(\.cells) {
      #expect(Set(shape.columns.map(\.storedName)).count == shape.columns.count, "\(shape.name)")
    }
  }

  /// The tables that the fingerprint leaves out: they repeat others, or tell of the time before.
  @Test func everyOtherTableIsDigestedOnce() {
    let left = BlakJaksRecord.tables.filter { !$0.isDigested }.map(\.name)
    #expect(left == ["affiliates", "feed", "opening"])
    var sections: [String] = []
    for table in BlakJaksRecord.tables where table.isDigested {
      var bytes = DigestBytes()
      table.digest(smallRecord(), version: RunFingerprint.latest, into: &bytes) { _ in }
      #expect(bytes.bytes.count > 16)
      sections.append(table.name)
    }
    #expect(Set(sections).count == sections.count)
  }

  @Test("Numbers are digested together as they are one by one", arguments: [true, false])
  func numbersAreDigestedTogether(marked: Bool) {
    let numbers = (Int64(0)..<20_000).map { row -> Int64? in row % 7 == 3 ? nil : row * -1_000_003 }
    var (together, single) = (DigestBytes(), DigestBytes())
    for part in [numbers, [], [nil], [.max, nil, .min], numbers] {
      together.add(part, marked: marked)
      for number in part {
        if marked { single.mark(number != nil) }
        if let number { single.add(number) }
      }
    }
    #expect(together.bytes == single.bytes)
    #expect(together.isFull)
  }

  @Test("A change of any field of a digested table changes the fingerprint")
  func everyFieldIsDigested() throws {
    try withFolder { folder in
      try RunFolder.write(smallRecord(), to: folder + "/run")
      var changes: [String] = []
      for table in BlakJaksRecord.tables where table.isDigested {
        let shape = table.stored
        for column in shape.columns where column.reference?.column != "position" {
          if case .columns(let key) = shape.key, key.contains(column.name) { continue }
          let isList = table.cells != nil && column.name == shape.columns.last?.name
          changes.append(
            "UPDATE \(shape.name) SET \(column.storedName) = "
              + (isList ? "json_set(\(column.storedName), '$[1]', 77)" : change(column))
              + " WHERE rowid IN (SELECT min(rowid) FROM \(shape.name))")
        }
      }
      #expect(changes.count > 70)
      let database = folder + "/run/run.sqlite"
      let original = try Data(contentsOf: URL(fileURLWithPath: database))
      for change in changes {
        try original.write(to: URL(fileURLWithPath: database))
        let queue = try DatabaseQueue(path: database)
        try queue.writeWithoutTransaction {
          try $0.execute(sql: "PRAGMA foreign_keys = OFF")
          try $0.execute(sql: change)
        }
        try queue.close()
        let error = try #require(throws: RunStoreError.self, "\(change)") {
          try readRun(folder + "/run")
        }
        // Postings say how a run was computed; only the digest of the whole content has them.
        let problem =
          change.contains("SET postings")
          ? "its content does not match its digest" : "its rows do not match its fingerprint"
        #expect(error.problem == problem, "\(change)")
      }
    }
  }

  /// Another value of a column, in SQL.
  private func change(_ column: ColumnShape) -> String {
    let name = column.storedName
    switch column.kind {
    case .choice(let words):
      let other = "CASE \(name) WHEN '\(words[0])' THEN '\(words[1])' ELSE '\(words[0])' END"
      return column.isOptional ? "iif(\(name) IS NULL, '\(words[0])', \(other))" : other
    case .flag: return "1 - \(name)"
    case .date: return "'1999-12-31'"
    case .text, .unsigned: return "coalesce(\(name), '') || '1'"
    default: return "coalesce(\(name), 0) + 1"
    }
  }
}

@Suite struct SecondProgrammeTests {
  @Test func recordComesBackWhateverTheProgramme() throws {
    try withFolder { folder in
      var record = TeaRecord.sample()
      try RunFolder.write(record, to: folder + "/run")
      let back = try RunFolder.read(
        folder + "/run", of: [BlakJaksProgramme.self, TeaProgramme.self])
      record.fingerprint = RunFingerprint.of(record)
      #expect(try everyField(#require(back as? TeaRecord)) == everyField(record))
      #expect(
        try names(in: folder + "/run") == ["cups.csv", "run.sqlite", "summary.json"])
      #expect(
        try text(folder + "/run/cups.csv") == """
          time,guest,leaf,price_micro,group,refill,day
          1970-01-01T00:00:00.000001Z,"Ann, ""the first""\",white tip,3000000,0.5,true,1970-01-01
          1970-01-01T00:00:00.000000Z,Bob,green,,1.0,false,

          """)
    }
  }

  @Test func summaryTellsEverythingInTheOrderOfDeclaration() throws {
    let record = TeaRecord.sample()
    let summary = RunSummary.text(of: record)
    #expect(
      try MiniSchema(SummarySchema.text(of: TeaProgramme.self)).problems(in: summary) == [
        "$.fingerprint: '' does not match"
      ])
    #expect(summary.contains("\n  \"programme\": \"tea\",\n"))
    #expect(summary.contains("\n  \"stamps\": 11,\n  \"best\": \"white tip\",\n"))
    #expect(summary.contains("\n  \"stamps_per_second\": 5.5,\n"))
    #expect(
      summary.contains(
        "{\"time\": \"1970-01-01T00:00:00.000000Z\", \"guest\": \"Bob\", \"leaf\": \"green\", "
          + "\"price_micro\": null, \"group\": 1.0, \"refill\": false, \"day\": null}"))
  }

  @Test func everyRowCounts() {
    let changes: [(inout TeaRecord) -> Void] = [
      { $0.cups[0].guest = "" }, { $0.cups[0].price = nil }, { $0.cups[1].group = -0.0 },
      { $0.cups[1].isRefill = true }, { $0.cups[0].day = nil }, { $0.cups.swapAt(0, 1) },
      { $0.shelves[0].grams[1] = 0 }, { $0.shelves[0].grams.removeLast() },
      { $0.shelves[1].leaf = .black }, { $0.shelves[1].grams = [250] },
    ]
    var digests: Set = [RunFingerprint.of(TeaRecord.sample())]
    for change in changes {
      var record = TeaRecord.sample()
      change(&record)
      digests.insert(RunFingerprint.of(record))
    }
    #expect(digests.count == changes.count + 1)
  }

  @Test func runOfAnotherProgrammeIsRefused() throws {
    try withFolder { folder in
      try RunFolder.write(TeaRecord.sample(), to: folder + "/run")
      let error = try #require(throws: RunStoreError.self) { try readRun(folder + "/run") }
      #expect(
        error.problem == "is a run of 'tea', which is not a known program")
      // One program's run may take the place of another's.
      try RunFolder.write(smallRecord(), to: folder + "/run")
      #expect(try readRun(folder + "/run").members == 1)
    }
  }
}
