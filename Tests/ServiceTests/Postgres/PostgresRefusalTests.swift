// What a service does not take from PostgreSQL, and what an audit finds in it.
import Foundation
import RewardModel
import Service
import TestSupport
import Testing

@testable import BlakJaks

@Suite("Addresses of databases")
struct PostgresAddressTests {
  @Test(
    "An address is told without user, password and options",
    arguments: [
      (
        "postgres://ann:se@cret@db.example.com:5432/blakjaks?sslmode=require",
        "postgres://db.example.com:5432/blakjaks"
      ),
      ("postgresql://db/blakjaks", "postgres://db/blakjaks"),
      ("postgres://ann:se?cret@db/blakjaks?sslmode=require", "postgres://db/blakjaks"),
      ("postgres://ann:se/cret@db/blakjaks", "postgres://…"),
      ("postgres://ann:se/c?ret@db/blakjaks", "postgres://…"),
      ("postgres://db/blakjaks?password=p@ss", "postgres://db/blakjaks"),
      ("postgres:///blakjaks?host=/run/postgresql&password=secret", "postgres:///blakjaks"),
    ])
  func name(text: String, name: String) throws {
    #expect(try #require(PostgresAddress(text)).name == name)
  }

  @Test("What is no address is refused", arguments: ["", "db", "mysql://db/x", "host=db"])
  func refusal(text: String) { #expect(PostgresAddress(text) == nil) }

  @Test("A server that does not answer is named, and a password is not")
  func unreachable() throws {
    let address = try #require(PostgresAddress("postgres://ann:secret@127.0.0.1:1/blakjaks"))
    let error = #expect(throws: ServiceError.self) {
      try PostgresStore(
        address, programme: "blakjaks", settings: "", tables: BlakJaksMachine.tables
      ) { _ in [] }
    }
    let words = "\(try #require(error))"
    #expect(words.contains("postgres://127.0.0.1:1/blakjaks"))
    #expect(!words.contains("secret"))
  }

  @Test(
    "Nothing of a password is told where libpq takes a part of it for something else",
    arguments: [
      "postgres://ann:se@cret@127.0.0.1:1/blakjaks", "postgres://ann:se/cret@127.0.0.1:1/blakjaks",
      "postgres://ann:se%cret@127.0.0.1:1/blakjaks",
      "postgres://127.0.0.1:1/blakjaks?passwort=secret",
    ])
  func malformed(text: String) throws {
    let address = try #require(PostgresAddress(text))
    let error = #expect(throws: ServiceError.self) {
      try PostgresStore(
        address, programme: "blakjaks", settings: "", tables: BlakJaksMachine.tables
      ) { _ in [] }
    }
    let words = "\(try #require(error))"
    #expect(words.contains("the address cannot be read"))
    #expect(!words.contains("cret"))
  }
}

@Suite(
  "What is not taken from PostgreSQL",
  .enabled(if: PostgresServer.programs != nil, "PostgreSQL is not installed"))
struct PostgresRefusalTests {
  private func service() async throws -> (ServiceFixture, PostgresServer, String) {
    let service = try ServiceFixture.$isOnPostgres.withValue(true) { try ServiceFixture() }
    let codes = try await service.begin(members: 2, tins: 20)
    for code in codes { try await service.submit(.scan(member: 1, code: code), key: code) }
    service.close()
    return (service, try PostgresServer.shared.get(), try #require(service.database))
  }

  @Test(
    "The audit finds what was changed in the database",
    arguments: [
      "UPDATE pitboss.journal SET reply = set_byte(reply, 3, get_byte(reply, 3) # 1) WHERE sequence = 9",
      "UPDATE pitboss.journal SET time_us = time_us - 1 WHERE sequence = 9",
      "DELETE FROM pitboss.journal WHERE sequence = 9",
      "UPDATE pitboss.member SET lifetime_scans = lifetime_scans + 1 WHERE member = 1",
      "DELETE FROM pitboss.scan WHERE number = 7",
      "UPDATE pitboss.account SET member = 77 WHERE member = 1",
    ])
  func tampering(sql: String) async throws {
    let (service, server, database) = try await service()
    #expect(try service.audit() == [])
    try server.run(sql, in: database)
    #expect(try !service.audit().isEmpty)
  }

  @Test(
    "A flipped bit of a kept state is found, and the state is passed over",
    arguments: [
      "UPDATE pitboss.state SET bytes = set_byte(bytes, 40, get_byte(bytes, 40) # 1)",
      "UPDATE pitboss.bits SET bytes = set_byte(bytes, 0, get_byte(bytes, 0) # 1)",
    ])
  func damagedState(sql: String) async throws {
    let service = try ServiceFixture.$isOnPostgres.withValue(true) {
      try ServiceFixture(snapshotEvery: 20)
    }
    let codes = try await service.begin(members: 2, tins: 60)
    for code in codes { try await service.submit(.scan(member: 1, code: code)) }
    service.close()
    #expect(try service.audit() == [])
    try PostgresServer.shared.get().run(sql, in: try #require(service.database))
    #expect(try service.audit().contains { $0.contains("the state that was kept") })
    try service.open()
    #expect(try await service.ask { $0.state.programme.books.scans } == 60)
  }

  @Test("A database of the version before is taken over, without its states")
  func upgrade() async throws {
    let (service, server, database) = try await service()
    try server.run(
      """
      ALTER TABLE pitboss.state DROP COLUMN digest;
      INSERT INTO pitboss.state (sequence, time_us, bytes) VALUES (1, 0, 'x');
      UPDATE pitboss.service SET version = 1
      """, in: database)
    try service.open()
    #expect(try await service.ask { $0.state.programme.books.scans } == 20)
    service.close()
    #expect(try server.run("SELECT version FROM pitboss.service", in: database) == "2")
    #expect(try service.audit() == [])
  }

  @Test("A key that is gone stops a service before it begins, and the audit tells of it")
  func lostKeys() async throws {
    let (service, server, database) = try await service()
    try server.run(
      """
      ALTER TABLE pitboss.journal DROP CONSTRAINT journal_key_key;
      DROP INDEX pitboss.award_receiver_place;
      CREATE FUNCTION pitboss.nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
      CREATE TRIGGER strange BEFORE INSERT ON pitboss.award
        FOR EACH ROW EXECUTE FUNCTION pitboss.nothing()
      """, in: database)
    let error = #expect(throws: ServiceError.self) { try service.open() }
    #expect(
      error.map { "\($0)" }?.contains(
        "the table journal has lost its key over key; without it the same thing could be kept twice"
      )
        == true, "\(error as Any)")
    #expect(
      try service.audit() == [
        "the table award has lost its index over receiver, place",
        "the table journal has lost its key over key",
        "the table award has a trigger that the service did not make, strange",
      ])
    // What is there twice cannot be copied, and is told with the key that it lacks.
    try server.run(
      "UPDATE pitboss.journal SET key = 'twice' WHERE sequence IN (5, 6)", in: database)
    let uncopied = #expect(throws: UncopiedService.self) { try service.audit() }
    #expect(uncopied?.faults.contains("the table journal has lost its key over key") == true)
    #expect(uncopied?.faults.last?.hasPrefix("rows cannot be copied: ") == true)
    try server.run(
      "UPDATE pitboss.journal SET key = key || sequence WHERE key = 'twice'", in: database)
    // Without an index the service is slower, and no less right.
    try server.run("ALTER TABLE pitboss.journal ADD UNIQUE (key)", in: database)
    try service.open()
    #expect(try await service.ask { $0.state.programme.books.scans } == 20)
  }

  private static let losesLast = """
    DELETE FROM pitboss.journal WHERE sequence = (SELECT max(sequence) FROM pitboss.journal)
    """

  /// In the second case the service is writing as its connection breaks, and begins again from the journal.
  @Test(
    "A journal that lost what was answered stops the service, and says so",
    arguments: [false, true])
  func lostEntries(isWriting: Bool) async throws {
    let service = try ServiceFixture.$isOnPostgres.withValue(true) { try ServiceFixture() }
    let codes = try await service.begin(members: 1, tins: 3)
    for code in codes.prefix(2) { try await service.submit(.scan(member: 0, code: code)) }
    let server = try PostgresServer.shared.get()
    let database = try #require(service.database)
    let holder = Task {
      try await blocking {
        try server.run(
          isWriting
            ? """
            BEGIN; LOCK TABLE pitboss.journal IN EXCLUSIVE MODE; SELECT pg_sleep(1); \(Self.losesLast);
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE application_name = 'pitboss' AND datname = current_database(); COMMIT
            """ : Self.losesLast, in: database)
      }
    }
    if isWriting {
      let held =
        "SELECT count(*) FROM pg_locks WHERE mode = 'ExclusiveLock' AND relation IS NOT NULL"
      while try server.run(held, in: database) == "0" {
        try await Task.sleep(for: .milliseconds(20))
      }
    } else {
      _ = try await holder.value
    }
    await #expect(throws: ServiceError.self) {
      try await service.submit(.scan(member: 0, code: codes[2]))
    }
    _ = try await holder.value
    #expect(
      service.engine.failure?.contains("was answered and is not in the journal any more") == true,
      "\(service.engine.failure ?? "none")")
    service.close(isLeft: true)
    // Somebody decided to go on from there.
    try service.open()
    #expect(try await service.ask { $0.state.programme.books.scans } == 1)
  }

  @Test("A journal whose replies the rules do not give stops the service that starts from it")
  func differs() async throws {
    let (service, server, database) = try await service()
    try server.run(
      "UPDATE pitboss.journal SET reply = 'no' WHERE sequence = 9", in: database)
    #expect(throws: ServiceError.differs(sequence: 9)) { try service.open() }
  }

  @Test("A service stops where another one's reply is not what its rules give")
  func divergence() async throws {
    let service = try ServiceFixture.$isOnPostgres.withValue(true) { try ServiceFixture() }
    let (running, stopped) = (try service.another(), try service.another())
    let codes = try await service.begin(members: 1, tins: 3)
    stopped.close()
    // The reply is another one for whoever reads it, at whatever time.
    let (server, database) = (try PostgresServer.shared.get(), try #require(service.database))
    try server.run(
      """
      CREATE FUNCTION pitboss.spoil() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN NEW.reply = ''no''; RETURN NEW; END';
      CREATE TRIGGER spoil BEFORE INSERT ON pitboss.journal
        FOR EACH ROW EXECUTE FUNCTION pitboss.spoil()
      """, in: database)
    try await service.submit(.scan(member: 0, code: codes[0]))
    try server.run("DROP TRIGGER spoil ON pitboss.journal", in: database)
    await #expect(throws: ServiceError.self) {
      try await running.submit(.scan(member: 0, code: codes[2]))
    }
    let words = "is answered otherwise than it was"
    #expect(running.engine.failure?.contains(words) == true, "\(running.engine.failure ?? "none")")
    let error = try #require(throws: ServiceError.self) { try stopped.open() }
    #expect("\(error)".contains(words))
    // Who wrote it goes on: it need not read it.
    let reply = try await service.submit(.scan(member: 0, code: codes[1]))
    #expect(reply.status == 200)
  }

  @Test("Other rules, other secrets and another program are refused, and say so")
  func others() async throws {
    let (service, server, database) = try await service()
    let address = try #require(PostgresAddress(server.address(of: database)))
    func refusal(_ programme: String, _ settings: String, _ secrets: [UInt8]) throws -> String {
      let error = #expect(throws: ServiceError.self) {
        try PostgresStore(
          address, programme: programme, settings: settings, tables: BlakJaksMachine.tables
        ) { _ in secrets }
      }
      return "\(try #require(error))"
    }
    #expect(try refusal("embera", "", []).contains("of another service (blakjaks, version 2)"))
    #expect(
      try refusal("blakjaks", "rules.tiers.vip=9", []).contains(
        "began with other settings (now rules.tiers.vip=9)"))
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "secrets-\(UInt64.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // The file of a database that has a service is never made anew.
    let place = try ServiceFixture.place(server.address(of: database), folder)
    let plan = try service.plan()
    #expect(
      throws: ServiceError.secrets(path: folder.appending(path: "secrets.json").path)
    ) {
      try place.copy(BlakJaksProgramme.self, frame: plan.frame, in: folder)
    }
    _ = try ServiceSecrets(folder: folder)
    #expect(throws: ServiceError.otherSecrets(name: address.name)) {
      try place.copy(BlakJaksProgramme.self, frame: plan.frame, in: folder)
    }
  }

  @Test("A database that is missing or empty is named, and an audit makes nothing in it")
  func missing() async throws {
    let server = try PostgresServer.shared.get()
    let (service, _, _) = try await service()
    let plan = try service.plan()
    for database in ["nowhere", try server.makeDatabase()] {
      let place = try ServiceFixture.place(server.address(of: database), service.folder)
      let error = try #require(throws: ServiceError.self) {
        try place.copy(BlakJaksProgramme.self, frame: plan.frame, in: service.folder)
      }
      #expect("\(error)".contains(database), "\(error)")
      if database != "nowhere" {
        #expect(
          try server.run("SELECT to_regnamespace('pitboss') IS NULL", in: database) == "t")
      }
    }
  }

  @Test("A server that does not write before it answers is refused")
  func fsync() throws {
    let server = try PostgresServer()
    _ = try server.run("ALTER SYSTEM SET fsync = off", in: "postgres")
    _ = try server.run("SELECT pg_reload_conf()", in: "postgres")
    let address = try #require(PostgresAddress(server.address(of: "postgres")))
    var said = ""
    // The server reads its settings when it comes to it.
    for _ in 0..<50 where !said.contains("fsync = off") {
      do {
        _ = try PostgresStore(address, programme: "any", settings: "", tables: []) { _ in [] }
      } catch { said = "\(error)" }
      Thread.sleep(forTimeInterval: 0.05)
    }
    #expect(said.contains("the server has fsync = off; answers could be lost: set it to on"))
  }
}
