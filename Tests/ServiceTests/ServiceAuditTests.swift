import Foundation
import GRDB
import Quantities
import RewardModel
import Scenario
import Service
import Testing

@testable import BlakJaks

@Suite("The audit of a service's folder")
struct ServiceAuditTests {
  @Test(
    "What the rules did not give is found, wherever it is; what they gave is not",
    arguments: [
      ("", false), ("UPDATE scan SET reward_micro = 200001 WHERE number = 3", true),
      ("DELETE FROM award WHERE number = 2", true),
      ("UPDATE posting SET amount_micro = amount_micro + 1 WHERE request = 9", true),
      ("UPDATE member SET available_micro = 5000000 WHERE member = 1", true),
      ("UPDATE feed SET text = 'nothing' WHERE kind = 'signup'", true),
      ("UPDATE journal SET reply = x'7B7D' WHERE sequence = 6", true),
      ("DELETE FROM journal WHERE sequence = 6", true),
      ("UPDATE journal SET time_us = 0 WHERE sequence = 7", true),
      ("UPDATE journal SET request = x'7B7D' WHERE sequence = 6", true),
      ("UPDATE service SET started_us = NULL", true),
      ("UPDATE service SET started_us = started_us + 1000000", true),
      ("UPDATE service SET started_us = NULL; DELETE FROM journal WHERE sequence > 1", true),
      ("UPDATE service SET started_us = NULL; DELETE FROM journal; DELETE FROM account", true),
      ("DELETE FROM account WHERE member = 1", true),
      ("INSERT INTO account VALUES (9, 'x@example.com', '1990-01-31', x'00', x'00')", true),
      ("UPDATE account SET email = 'member1.example.com' WHERE member = 1", true),
      ("UPDATE account SET email = 'Member1@example.com' WHERE member = 1", true),
      ("UPDATE account SET born = '2015-01-31' WHERE member = 1", true),
      ("UPDATE account SET born = '1990-02-31' WHERE member = 1", true),
      ("UPDATE account SET salt = x'00' WHERE member = 1", true),
      ("UPDATE account SET hash = x'' WHERE member = 1", true),
    ])
  func tampering(sql: String, isFound: Bool) async throws {
    let service = try ServiceFixture()
    let codes = try await service.begin(members: 2, tins: 8)
    for code in codes { try await service.submit(.scan(member: 1, code: code), key: code) }
    service.close()
    if !sql.isEmpty { try await change(service, sql) }
    let audit = try audit(service)
    #expect(!audit.problems.isEmpty == isFound, "\(sql): \(audit.problems)")
  }

  @Test(
    "Rows are counted once, whether they were changed, lost or added; a table that is gone is named",
    arguments: [
      ("UPDATE scan SET reward_micro = 200001 WHERE number = 3", "1 row of the table scan is not"),
      ("DELETE FROM scan WHERE number = 3", "1 row of the table scan is not"),
      (
        "UPDATE scan SET reward_micro = 1 WHERE number < 3; DELETE FROM scan WHERE number = 5",
        "3 rows of the table scan are not"
      ),
      ("DROP TABLE payout", "the table payout is missing"),
      ("UPDATE scan SET number = 99 WHERE number = 3", "2 rows of the table scan are not"),
    ])
  func counts(sql: String, words: String) async throws {
    let service = try ServiceFixture()
    let codes = try await service.begin(members: 2, tins: 8)
    for code in codes { try await service.submit(.scan(member: 1, code: code), key: code) }
    service.close()
    try await change(service, sql)
    let problems = try audit(service).problems.map { "\($0)" }
    #expect(problems.contains { $0.contains(words) }, "\(problems)")
  }

  private func change(_ service: ServiceFixture, _ sql: String) async throws {
    // The service's own connections may still be closing.
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    let database = try DatabaseQueue(
      path: service.folder.appending(path: "service.sqlite").path, configuration: configuration)
    try await database.write { try $0.execute(sql: sql) }
    try database.close()
  }

  @Test("An account has the email address that its member joined with, where the request has a key")
  func accountOfKey() async throws {
    let service = try ServiceFixture()
    try await service.submit(
      .signUp(member: 0, state: nil), key: "join:member0@example.com:first try")
    service.close()
    #expect(try audit(service).problems == [])
    try await change(service, "UPDATE account SET email = 'other@example.com'")
    #expect(try audit(service).problems.map(\.area) == [.accounts])
  }

  @Test(
    "A request that no service comes to is found, and is not carried out",
    arguments: [
      ProgrammeRequest.printTins(run: 0, through: 4_000_000_000),
      .printTins(run: 0, through: .max), .signUp(member: 4_000_000_000, state: nil),
      .reconcile(chain: [.zero, .zero]), .reconcile(chain: []),
    ])
  func impossibleRequest(_ request: ProgrammeRequest) async throws {
    let service = try ServiceFixture()
    let codes = try await service.begin(members: 2, tins: 8)
    for code in codes { try await service.submit(.scan(member: 1, code: code), key: code) }
    service.close()
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    let database = try DatabaseQueue(
      path: service.folder.appending(path: "service.sqlite").path, configuration: configuration)
    let bytes = Data(try BlakJaksMachine.encode(.init(request)))
    try await database.write {
      try $0.execute(sql: "UPDATE journal SET request = ? WHERE sequence = 6", arguments: [bytes])
    }
    try database.close()
    let problems = try audit(service).problems
    #expect(problems.map(\.description).contains { $0.contains("request 6 cannot be read") })
    #expect(throws: ServiceError.unreadable(sequence: 6)) { try service.open() }
  }

  @Test("An index that is gone, a trigger of somebody else's and another status are told")
  func schema() async throws {
    let service = try ServiceFixture()
    let codes = try await service.begin(members: 2, tins: 8)
    for code in codes { try await service.submit(.scan(member: 1, code: code), key: code) }
    service.close()
    #expect(try audit(service).problems.isEmpty)
    let database = try DatabaseQueue(
      path: service.folder.appending(path: "service.sqlite").path)
    try await database.write {
      try $0.execute(
        sql: """
          UPDATE journal SET status = status + 1 WHERE sequence = 6;
          DROP INDEX award_receiver_place;
          DROP INDEX journal_key; CREATE INDEX journal_key ON journal (key);
          CREATE TRIGGER strange AFTER INSERT ON award BEGIN SELECT 1; END;
          """)
    }
    try database.close()
    let words = try audit(service).problems.map(\.description)
    for part in [
      "the table award has lost its index over receiver, place",
      "the table journal has lost its key over key",
      "the table award has a trigger that the service did not make, strange",
      "request 6 was answered with status 201 and {", "; the rules say status 200 and {",
    ] { #expect(words.contains { $0.contains(part) }, "\(part): \(words)") }
    #expect(words.count == 4)
  }

  @Test("Whoever is shown the entries of a journal may end the audit")
  func endedAudit() async throws {
    struct Enough: Error {}
    let service = try ServiceFixture()
    let codes = try await service.begin(members: 1, tins: 3)
    for code in codes { try await service.submit(.scan(member: 1, code: code), key: code) }
    service.close()
    var shown = 0
    #expect(throws: Enough.self) {
      try audit(service) { _ in
        shown += 1
        if shown == 2 { throw Enough() }
      }
    }
    #expect(shown == 2)
  }

  private func audit(
    _ service: ServiceFixture, in folder: URL? = nil,
    each: (ServiceEntry) throws -> Void = { _ in }
  ) throws -> ServiceAudit {
    let scratch = service.folder.appending(path: "scratch")
    try? FileManager.default.removeItem(at: scratch)
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    let plan = try service.plan()
    return try ServiceAudit(
      BlakJaksProgramme.self, folder: folder ?? service.folder, frame: plan.frame,
      settings: plan.settings, scratch: scratch, each: each)
  }

  @Test("A flipped bit of the index by which repeated requests are known is found")
  func damagedIndex() async throws {
    let service = try ServiceFixture()
    let codes = try await service.begin(members: 2, tins: 8)
    for code in codes { try await service.submit(.scan(member: 1, code: code), key: code) }
    service.close()
    let file = service.folder.appending(path: "service.sqlite")
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    let database = try DatabaseQueue(path: file.path, configuration: configuration)
    let (page, size) = try await database.writeWithoutTransaction { database in
      // Connections of the service may still be closing: what is in the log would hide the damage.
      for _ in 0..<200 {
        let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        if row?[0] == 0 { break }
        Thread.sleep(forTimeInterval: 0.05)
      }
      return (
        try Int.fetchOne(
          database, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'journal_key'") ?? 0,
        try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
      )
    }
    try database.close()
    var bytes = try Data(contentsOf: file)
    let index = (page - 1) * size..<page * size
    let key = try #require(bytes.range(of: Data(codes[3].utf8), in: index))
    bytes[key.lowerBound] ^= 1
    try bytes.write(to: file)
    let problems = try audit(service).problems
    #expect(problems.contains { $0.area == .files }, "\(problems)")
    #expect(problems.allSatisfy { $0.area == .files })
  }

  @Test("A flipped bit of a kept state is found, and the state is passed over")
  func damagedByOneBit() async throws {
    let service = try ServiceFixture(snapshotEvery: 20)
    let codes = try await service.begin(members: 2, tins: 60)
    for code in codes { try await service.submit(.scan(member: 1, code: code)) }
    service.close()
    #expect(try audit(service).problems == [])
    let names = try FileManager.default.contentsOfDirectory(atPath: service.folder.path)
      .filter { $0.hasPrefix("state-") }
    #expect(names.count == 2, "\(names)")
    for name in names {
      let file = service.folder.appending(path: name)
      var state = try Data(contentsOf: file)
      // What it says stays JSON, and would be read.
      let digit = try #require(state.lastIndex { $0 == UInt8(ascii: "4") })
      state[digit] = UInt8(ascii: "5")
      try state.write(to: file)
    }
    let problems = try audit(service).problems
    #expect(problems.map(\.area) == names.map { _ in .files }, "\(problems)")
    try service.open()
    #expect(try await service.ask { $0.state.programme.books.scans } == 60)
    service.close()
    #expect(try audit(service).problems == [])
  }

  @Test("A kept state that cannot be read, or is ahead of the journal, is passed over")
  func damagedState() async throws {
    let service = try ServiceFixture(snapshotEvery: 20)
    let codes = try await service.begin(members: 2, tins: 60)
    for code in codes { try await service.submit(.scan(member: 1, code: code)) }
    service.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: service.folder.path)
      .filter { $0.hasPrefix("state-") }.sorted()
    #expect(names.count == 2)
    for name in names {
      try Data("{\"state\":".utf8).write(to: service.folder.appending(path: name))
    }
    try Data("{}".utf8).write(to: service.folder.appending(path: "state-999999-1.json"))
    // A kill came while a state was written.
    let half = service.folder.appending(path: ".state-999999-1.json.partial")
    try Data("{".utf8).write(to: half)
    try service.open()
    #expect(!FileManager.default.fileExists(atPath: half.path))
    #expect(try await service.ask { $0.state.programme.books.scans } == 60)
    // Their bits are forgotten, so they are, too: no other build takes a tin for unclaimed.
    let left = try FileManager.default.contentsOfDirectory(atPath: service.folder.path)
      .filter { $0.hasPrefix("state-") }
    #expect(left == [])
  }

  @Test(
    "An empty file is no service, and none begins where states of one are", arguments: [1_000, 10])
  func emptyFile(snapshotEvery: Int64) async throws {
    let service = try ServiceFixture(snapshotEvery: snapshotEvery)
    let codes = try await service.begin(members: 1, tins: 20)
    for code in codes { try await service.submit(.scan(member: 0, code: code)) }
    service.close()
    let copy = service.folder.appending(path: "copy")
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    for name in try FileManager.default.contentsOfDirectory(atPath: service.folder.path)
    where name.hasPrefix("state-") || name == "secrets.json" {
      try FileManager.default.copyItem(
        at: service.folder.appending(path: name), to: copy.appending(path: name))
    }
    let file = copy.appending(path: "service.sqlite")
    try Data().write(to: file)
    guard snapshotEvery < 20 else {
      #expect(throws: ServiceError.missing(path: copy.path)) { try audit(service, in: copy) }
      #expect(try service.store(in: copy).lastTime() == nil)
      return
    }
    let damaged = ServiceError.damaged(path: file.path)
    #expect(throws: damaged) { try audit(service, in: copy) }
    #expect(throws: damaged) { try service.store(in: copy) }
  }

  @Test("Secrets are never made anew for a service that has printed tins")
  func secrets() async throws {
    let service = try ServiceFixture()
    _ = try await service.begin(members: 1, tins: 1)
    service.close()
    let file = service.folder.appending(path: "secrets.json")
    let before = try Data(contentsOf: file)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    for content in [nil, Data(), Data("{}".utf8)] {
      try FileManager.default.removeItem(at: file)
      if let content { try content.write(to: file) }
      #expect(throws: ServiceError.secrets(path: file.path)) { try service.open() }
      if content == nil { try Data().write(to: file) }
    }
    try before.write(to: file)
    try service.open()
    #expect(try await service.ask { $0.state.printed(run: 0) } == 1)
  }
}
