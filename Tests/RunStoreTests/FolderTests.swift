// Goal: a run folder is there as a whole or not at all. Method: real refusals of the file system
// (a full device, a limit on file sizes, missing permissions), each looked at afterward.

import BlakJaks
import Foundation
import GRDB
import Quantities
import RewardModel
import RunStore
import Synchronization
import TestSupport
import Testing

@Suite struct FolderTests {
  @Test func folderHoldsItsFilesAndNothingElse() throws {
    try withFolder { folder in
      let page = RunFolder.ExtraFile(name: "report.html", contents: Data("<p>".utf8))
      let summary = try RunFolder.write(smallRecord(), to: folder + "/a/b/", extra: { [page] })
      #expect(
        try names(in: folder + "/a/b") == [
          "awards.csv", "daily.csv", "ledger.csv", "months.csv", "payouts.csv", "pools.csv",
          "reconciliations.csv", "report.html", "run.sqlite", "series.csv", "summary.json",
          "tiers.csv",
        ])
      #expect(try names(in: folder + "/a") == ["b"])
      #expect(try text(folder + "/a/b/report.html") == "<p>")
      #expect(try text(folder + "/a/b/summary.json") == summary)
    }
  }

  @Test func earlierRunAndEmptyFolderAreReplaced() throws {
    try withFolder { folder in
      let path = folder + "/run"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try RunFolder.write(smallRecord(), to: path)
      let extra = RunFolder.ExtraFile(name: "extra.txt", contents: Data())
      try RunFolder.write(smallRecord(), to: path, extra: { [extra] })
      var second = smallRecord()
      second.members = 77
      try RunFolder.write(second, to: path)
      #expect(try readRun(path).members == 77)
      #expect(try names(in: folder) == ["run"])
      #expect(!(try names(in: path).contains("extra.txt")))
    }
  }

  @Test func aPlaceIsCheckedWithoutATrace() throws {
    try withFolder { folder in
      try RunFolder.check(folder + "/a/b/run", for: BlakJaksProgramme.self)
      #expect(try names(in: folder) == [])
      try RunFolder.write(smallRecord(), to: folder + "/run")
      try RunFolder.check(folder + "/run", for: BlakJaksProgramme.self)
      #expect(try readRun(folder + "/run").members == smallRecord().members)
    }
  }

  @Test("What Pitboss did not write is left alone", arguments: ["folder", "added", "file", "link"])
  func foreignContentIsRefused(what: String) throws {
    try withFolder { folder in
      let path = folder + "/mine"
      let note = what == "file" ? path : path + "/note.txt"
      switch what {
      case "folder":
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      case "added": try RunFolder.write(smallRecord(), to: path)
      case "link":
        try RunFolder.write(smallRecord(), to: folder + "/other")
        try FileManager.default.createSymbolicLink(
          atPath: path, withDestinationPath: folder + "/other")
      default: break
      }
      if what != "link" { try Data("keep".utf8).write(to: URL(fileURLWithPath: note)) }
      let before = try names(in: folder)
      let error = try #require(throws: RunStoreError.self) {
        try RunFolder.write(smallRecord(), to: path)
      }
      let problem =
        switch what {
        case "folder": "already exists and is not a run folder"
        case "added": "is a run folder, but holds 'note.txt', which Pitboss did not write"
        case "link": "is a link"
        default: "already exists and is not a folder"
        }
      let early = try #require(throws: RunStoreError.self) {
        try RunFolder.check(path, for: BlakJaksProgramme.self)
      }
      #expect(error.kind == .occupied)
      #expect(
        error.description
          == "\(path): \(problem); "
          + (what == "link"
            ? "give the folder that it points to, or choose another place with --out"
            : "choose another place with --out, or move it away"))
      #expect(early == error, "a run is not begun for a place that refuses it at its end")
      #expect(try names(in: folder) == before)
      if what != "link" { #expect(try text(note) == "keep") }
    }
  }

  @Test func interruptedRunsTakeTheFirstPlaceThatIsNobodyElses() throws {
    try withFolder { folder in
      func place() -> String {
        RunFolder.interruptedPath(folder + "/run/", for: BlakJaksProgramme.self)
      }
      #expect(place() == folder + "/run-interrupted")
      // A complete run, a folder of somebody's and a file stay; an interrupted run is replaced.
      try RunFolder.write(smallRecord(), to: folder + "/run-interrupted")
      try FileManager.default.createDirectory(
        atPath: folder + "/run-interrupted-2/thesis", withIntermediateDirectories: true)
      try Data().write(to: URL(fileURLWithPath: folder + "/run-interrupted-3"))
      #expect(place() == folder + "/run-interrupted-4")
      var half = smallRecord()
      half.header.interrupted = true
      try RunFolder.write(half, to: place())
      #expect(place() == folder + "/run-interrupted-4")
    }
  }

  @Test func pathThroughAFileIsRefused() throws {
    try withFolder { folder in
      try Data().write(to: URL(fileURLWithPath: folder + "/file"))
      for path in [folder + "/file/run", folder + "/file/deep/run"] {
        let error = try #require(throws: RunStoreError.self) {
          try RunFolder.write(smallRecord(), to: path)
        }
        let early = try #require(throws: RunStoreError.self) {
          try RunFolder.check(path, for: BlakJaksProgramme.self)
        }
        #expect(early == error)
        #expect(
          error.description == "\(path): cannot make the folder: Not a directory; "
            + "a part of the path is a file; choose another place with --out")
      }
      #expect(try names(in: folder) == ["file"])
    }
  }

  @Test(arguments: ["", ".", "..", "/", "a/.."])
  func nameThatNamesNoFolderIsRefused(path: String) throws {
    let error = try #require(throws: RunStoreError.self) {
      try RunFolder.write(smallRecord(), to: path)
    }
    #expect(error.kind == .system || error.kind == .occupied)
  }

  @Test func wrongFingerprintAndBadExtrasAreRefused() throws {
    try withFolder { folder in
      var record = smallRecord()
      record.fingerprint = "00"
      let wrong = try #require(throws: RunStoreError.self) {
        try RunFolder.write(record, to: folder + "/run")
      }
      #expect(wrong.kind == .contradiction)
      for name in ["../x", "a/b", ".hidden", "", "run.sqlite", "awards.csv", "summary.json"] {
        let file = RunFolder.ExtraFile(name: name, contents: Data())
        let error = try #require(throws: RunStoreError.self) {
          try RunFolder.write(smallRecord(), to: folder + "/run", extra: { [file] })
        }
        #expect(error.kind == .contradiction)
      }
      var orphan = smallRecord()
      orphan.awards[0].prize = "nobody's"
      let error = try #require(throws: RunStoreError.self) {
        try RunFolder.write(orphan, to: folder + "/run")
      }
      #expect(
        error.problem == "the run's rows contradict each other: FOREIGN KEY constraint failed")
      var cut = smallRecord()
      cut.awards[0].member = "a\u{0}b"
      let nul = try #require(throws: RunStoreError.self) {
        try RunFolder.write(cut, to: folder + "/run")
      }
      #expect(
        nul.description == "\(folder)/run: the text \"a\\0b\" holds a NUL character; "
          + "remove it from the scenario or the history")
      #expect(try names(in: folder) == [])
    }
  }

  /// In a process of its own, which gives up root's rights first.
  @Test func unwritableFolderIsRefusedWithoutATrace() async {
    await #expect(processExitsWith: .success) {
      let folder = NSTemporaryDirectory() + "pitboss-closed-" + UUID().uuidString
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      guard chmod(folder, 0o555) == 0, geteuid() != 0 || seteuid(65_534) == 0 else { exit(1) }
      var refusal: RunStoreError?
      do throws(RunStoreError) {
        try RunFolder.write(smallRecord(), to: folder + "/run")
      } catch {
        refusal = error
      }
      #expect(
        refusal?.description == "\(folder)/run: cannot make the folder: Permission denied; "
          + "choose a folder that you may write to with --out")
      if getuid() == 0 { _ = seteuid(0) }
      #expect(try names(in: folder) == [])
    }
  }

  /// In a process of its own, whose files may grow to so many bytes only: the database, an export
  /// and a report each fail in one of the cases.
  @Test("A file that cannot grow leaves no run", arguments: [4_096, 60_000, 180_000, 300_000])
  func sizeLimitLeavesNoRun(bytes: Int) async {
    await #expect(processExitsWith: .success) { [bytes = bytes as Int] in
      let folder = NSTemporaryDirectory() + "pitboss-limit-" + UUID().uuidString
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try RunFolder.write(smallRecord(), to: folder + "/run")
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: UInt(bytes), rlim_max: UInt(bytes))
      guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(1) }
      let page = RunFolder.ExtraFile(name: "report.html", contents: Data(count: 400_000))
      let year = try SampleRun.year()
      var refusal: RunStoreError?
      do throws(RunStoreError) {
        try RunFolder.write(year, to: folder + "/run", extra: { [page] })
      } catch {
        refusal = error
      }
      #expect(refusal?.kind == .system, "\(String(describing: refusal))")
      // The earlier run stands as it was.
      #expect(try names(in: folder) == ["run"])
      #expect(try readRun(folder + "/run").scenario == "small")
    }
  }

  @Test(
    "A full device leaves no run", .enabled(if: SmallDisk.canBeMounted, "may mount no small disk"),
    arguments: [64, 256, 512, 900])
  func fullDeviceLeavesNoRun(kilobytes: Int) throws {
    try withFolder { folder in
      try #require(SmallDisk.mount(kilobytes: kilobytes, at: folder))
      defer { SmallDisk.unmount(folder) }
      let page = RunFolder.ExtraFile(name: "report.html", contents: Data(count: 500_000))
      let error = try #require(throws: RunStoreError.self) {
        try RunFolder.write(try SampleRun.year(), to: folder + "/run", extra: { [page] })
      }
      #expect(error.description.contains("No space left on device"), "\(error)")
      #expect(error.description.hasSuffix("free some space, or choose another place with --out"))
      #expect(try names(in: folder) == [])
    }
  }

  /// The process writes the same run again and again until it is killed somewhere in between.
  @Test("A kill leaves a whole run or none", arguments: [2, 9, 23, 48, 95, 160])
  func killLeavesAWholeRunOrNone(milliseconds: Int) async throws {
    let folder = NSTemporaryDirectory() + "pitboss-kill-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [folder = folder as String, milliseconds = milliseconds as Int] in
      let record = try SampleRun.year(days: 90)
      Thread.detachNewThread {
        usleep(UInt32(milliseconds) * 1_000)
        kill(getpid(), SIGKILL)
      }
      for _ in 0..<10_000 { try RunFolder.write(record, to: folder + "/run") }
    }
    let found = try names(in: folder).filter { !$0.hasPrefix(".") }
    #expect(found == [] || found == ["run"])
    if found == ["run"] {
      #expect(try readRun(folder + "/run").days.count == 90)
      #expect(try names(in: folder + "/run") == RunFolder.files(of: BlakJaksRecord.self).sorted())
    }
  }

  @Test func leftoversOfAKilledProcessAreRemovedLater() throws {
    try withFolder { folder in
      // No process has a number this high.
      let old = folder + "/.run.partial-2147483646-0123456789ab"
      let fresh = folder + "/.run.partial-2147483645-0123456789ab"
      // An experiment that has been writing to one of its files for days.
      let long = folder + "/.run.partial-2147483644-0123456789ab"
      let file = folder + "/.run.jsonl.partial-2147483646-0123456789ab"
      // Names of somebody else's, as a backup with its date.
      let others = [".backup.partial-20261101", ".photos.replaced-20261101", ".a.partial-1-notes"]
      try Data("half".utf8).write(to: URL(fileURLWithPath: file))
      for path in [old, fresh, long] + others.map({ "\(folder)/\($0)" }) {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try Data("half".utf8).write(to: URL(fileURLWithPath: path + "/run.sqlite"))
      }
      let touched = [old + "/run.sqlite", old, long, file]
      for path in touched + others.map({ "\(folder)/\($0)" }) {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -90_000)], ofItemAtPath: path)
      }
      try RunFolder.write(smallRecord(), to: folder + "/run")
      #expect(
        try names(in: folder)
          == (others + [
            ".run.partial-2147483644-0123456789ab", ".run.partial-2147483645-0123456789ab", "run",
          ]).sorted())
    }
  }

  @Test func whatAKilledProcessOfThisMachineLeftIsRemovedByTheNextRunThere() throws {
    try withFolder { folder in
      let writer = try FolderWriter(target: folder + "/run")
      let own = try #require(try names(in: folder).first)
      let place = own.split(separator: "-").dropFirst(2).joined(separator: "-")
      try #require(!place.isEmpty)
      // No process has a number this high; its folder was to be another run.
      let left = folder + "/.other-run.partial-2147483646-\(place)"
      let aside = folder + "/.moved.replaced-2147483646-\(place)"
      let near = folder + "/.mine.partial-notes"
      for path in [left, aside, near] {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try Data("half".utf8).write(to: URL(fileURLWithPath: path + "/run.sqlite"))
      }
      writer.abandon()
      try RunFolder.write(smallRecord(), to: folder + "/run")
      #expect(try names(in: folder) == [".mine.partial-notes", "moved", "run"])
    }
  }

  @Test("A run whose folder a killed process had put aside takes its place as any other does")
  func putAside() throws {
    try withFolder { folder in
      try RunFolder.write(smallRecord(), to: folder + "/run")
      let writer = try FolderWriter(target: folder + "/other")
      let own = try #require(try names(in: folder).first { $0.contains("partial") })
      let place = own.split(separator: "-").dropFirst().dropFirst().joined(separator: "-")
      writer.abandon()
      // Killed between the two renames: the earlier run waits beside its place.
      try FileManager.default.moveItem(
        atPath: folder + "/run", toPath: folder + "/.run.replaced-2147483646-\(place)")
      var record = smallRecord()
      record.header.seed = 5
      try RunFolder.write(record, to: folder + "/run")
      #expect(try readRun(folder + "/run").header.seed == record.header.seed)
      #expect(try names(in: folder) == ["run"])
    }
  }

  @Test(
    "A changed row of any table is found, whatever its table is for",
    arguments: [
      "UPDATE run SET wall_seconds = 99", "UPDATE run SET seed = '99'", "DELETE FROM setting",
      "UPDATE setting SET mark = 'given'", "UPDATE schema_version SET version = 3",
      "UPDATE content SET sha256 = 'x'", "CREATE TABLE more (x INTEGER PRIMARY KEY) STRICT",
    ])
  func tampering(statement: String) throws {
    try withFolder { folder in
      var record = smallRecord()
      record.header.settings = [RunHeader.SettingRow(path: "a", value: "1", mark: "set")]
      try RunFolder.write(record, to: folder + "/run")
      _ = try readRun(folder + "/run")
      let queue = try DatabaseQueue(path: folder + "/run/run.sqlite")
      try queue.write { try $0.execute(sql: statement) }
      try queue.close()
      #expect(throws: RunStoreError.self) { try readRun(folder + "/run") }
    }
  }

  @Test("A file written bit by bit holds every bit, in order")
  func stream() throws {
    try withFolder { folder in
      let writer = try FolderWriter(target: folder + "/run")
      let stream = try writer.stream("rows.csv")
      // More than one block, and a rest.
      let rows = (0..<20_000).map { "row \($0)\n" }
      for row in rows { stream.append(row) }
      try stream.finish()
      #expect(!stream.hasFailed)
      #expect(try names(in: folder).allSatisfy { $0.hasPrefix(".run.partial-\(getpid())") })
      try writer.publish(over: Replacement(sort: "folder", advice: "") { _, _ in nil })
      #expect(try text(folder + "/run/rows.csv") == rows.joined())
      #expect(throws: RunStoreError.self) { try writer.stream("late.csv") }
    }
  }

  @Test("A new parent that others make and remove again is in nobody's way")
  func sharedParents() throws {
    try withFolder { folder in
      let parent = folder + "/Results"
      let isOver = Mutex(false)
      let ended = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        while !isOver.withLock({ $0 }) {
          mkdir(parent, 0o777)
          rmdir(parent)
        }
        ended.signal()
      }
      defer {
        isOver.withLock { $0 = true }
        ended.wait()
      }
      for _ in 1...500 { try FolderWriter(target: parent + "/run").abandon() }
    }
  }

  @Test("Who gives up leaves nothing: neither the folder nor parents that it made for it")
  func abandoned() throws {
    try withFolder { folder in
      let writer = try FolderWriter(target: folder + "/a/b/run")
      let stream = try writer.stream("rows.csv")
      stream.append("half")
      #expect(try names(in: folder) == ["a"])
      writer.abandon()
      #expect(try names(in: folder).isEmpty)
      // What others use stays.
      let shared = try FolderWriter(target: folder + "/a/b/run")
      try Data().write(to: URL(fileURLWithPath: folder + "/a/theirs"))
      shared.abandon()
      #expect(try names(in: folder + "/a") == ["theirs"])
    }
  }
}
