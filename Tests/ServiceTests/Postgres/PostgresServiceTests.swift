// Several services on one database of PostgreSQL: a real server of the tests' own.
import Foundation
import Quantities
import RewardModel
import Synchronization
import TestSupport
import Testing

@testable import BlakJaks
@testable import Service

@Suite(
  "Services that share a database", .tags(.alone), .timeLimit(.minutes(5)),
  .enabled(if: PostgresServer.programs != nil, "PostgreSQL is not installed"))
struct SharedServiceTests {
  /// The first service of a new database, and others beside it.
  private func services(_ count: Int, _ scenario: String = "") throws -> [ServiceFixture] {
    let first = try ServiceFixture.$isOnPostgres.withValue(true) { try ServiceFixture(scenario) }
    return try [first] + (1..<count).map { _ in try first.another() }
  }

  private func number(_ reply: ServedReply) throws -> String {
    let answer = try #require(
      try JSONSerialization.jsonObject(with: Data(reply.body)) as? [String: Any])
    return try #require(answer["reward_id"] as? String)
  }

  @Test("Each scan gets its one number, whichever service takes it", arguments: [1, 2, 4])
  func numbers(count: Int) async throws {
    let services = try services(count)
    let codes = try await services[0].begin(members: 8, tins: 400)
    let numbers = try await withThrowingTaskGroup(of: String.self) { group in
      for (place, code) in codes.enumerated() {
        group.addTask {
          let reply = try await services[place % count].submit(
            .scan(member: UInt32(place % 8), code: code), key: "s\(place)", digest: 1)
          return try number(reply)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(numbers) == Set((1...400).map { "scan_reward#\($0)" }))
    // Everybody comes to the same state.
    var states: Set<Data> = []
    for service in services { states.insert(try canonical(await service.saved())) }
    #expect(states.count == 1)
    // Each of them wrote something.
    #expect(services.allSatisfy { $0.engine.metrics.values.requests > 0 })
    for service in services { service.close() }
    #expect(try services[0].audit() == [])
  }

  @Test("A key that one service answered brings the same answer from another, and nothing twice")
  func idempotence() async throws {
    let services = try services(2)
    let codes = try await services[0].begin(members: 1, tins: 2)
    let scan = ProgrammeRequest.scan(member: 0, code: codes[0])
    let first = try await services[0].submit(scan, key: "a", digest: 1)
    #expect(try await services[1].submit(scan, key: "a", digest: 1) == first)
    #expect(try await services[1].submit(scan, key: "a", digest: 2).status == 409)
    // Both at once: one is done, the other told of it.
    let later = ProgrammeRequest.scan(member: 0, code: codes[1])
    async let one = services[0].submit(later, key: "b", digest: 1)
    async let two = services[1].submit(later, key: "b", digest: 1)
    #expect(try await one == two)
    let scans = try await services[1].ask { $0.state.programme.books.scans }
    #expect(scans == 2)
  }

  @Test("Who reads sees what another service has answered before")
  func reading() async throws {
    let services = try services(2)
    let codes = try await services[0].begin(members: 1, tins: 30)
    for (place, code) in codes.enumerated() {
      try await services[place % 2].submit(.scan(member: 0, code: code))
      let seen = try await services[1 - place % 2].ask { $0.state.programme.books.scans }
      #expect(seen == Int64(place + 1))
    }
    #expect(services[0].engine.metrics.values.followed > 0)
  }

  @Test("A service whose clock is behind the others' tells and writes no time before the state's")
  func clockBehind() async throws {
    let first = try services(1)[0]
    let behind = try first.another(ManualClock(ServiceFixture.start))
    try await first.advance(.days(3))
    try await first.submit(.signUp(member: 0, state: nil))
    #expect(try await behind.ask { $0.nextMember } == 1)
    #expect(behind.engine.now == first.clock.now)
    try await behind.submit(.signUp(member: 1, state: nil))
    #expect(try behind.host?.store.lastTime() == first.clock.now)
    for service in [first, behind] { service.close() }
    #expect(try first.audit() == [])
  }

  @Test("One service pays; when it ends, another goes on with what is open")
  func lead() async throws {
    let scenario = "rules:\n  guarantee:\n    minimum_scans: 1\n"
    /// What the desk has after 45 days of services that end one after another.
    func desk(_ services: [ServiceFixture]) async throws -> PayoutDesk {
      let codes = try await services[0].begin(members: 3, tins: 30)
      for (place, code) in codes.enumerated() {
        try await services[place % services.count].submit(
          .scan(member: UInt32(place % 3), code: code))
      }
      for step in 0..<(45 * 4) {
        // The first ends after 10 days, the second after 35.
        let left = services[min(step < 40 ? 0 : step < 140 ? 1 : 2, services.count - 1)...]
        if step == 40 || step == 140, services.count > 1 { services[step / 100].close() }
        try await left[left.startIndex].advance(.hours(6))
        for service in left.dropFirst() { _ = try await service.ask { $0.nextDue } }
      }
      return try await services[services.count - 1].ask { $0.state.programme.books.desk }
    }
    let services = try services(3, scenario)
    let shared = try await desk(services)
    let alone = try await desk([try ServiceFixture(scenario)])
    #expect(shared.awarded.count > 3)
    #expect(shared.awarded.count == alone.awarded.count)
    #expect(shared.open.isEmpty && shared.pending.count == alone.pending.count)
    #expect(shared.paid.count + shared.failed.count == alone.paid.count + alone.failed.count)
    services[2].close()
    #expect(try services[2].audit() == [])
  }

  @Test("A service that begins later starts from a state that another kept")
  func laterStart() async throws {
    let first = try ServiceFixture.$isOnPostgres.withValue(true) {
      try ServiceFixture(snapshotEvery: 20)
    }
    let codes = try await first.begin(members: 2, tins: 90)
    for code in codes { try await first.submit(.scan(member: 1, code: code)) }
    let server = try PostgresServer.shared.get()
    let database = try #require(first.database)
    first.close()
    #expect(try server.run("SELECT count(*) FROM pitboss.state", in: database) == "2")
    // What a damaged state cannot give, the one before it or the journal does.
    for damage in ["", "WHERE sequence = (SELECT max(sequence) FROM pitboss.state)", "WHERE true"] {
      if !damage.isEmpty {
        try server.run("UPDATE pitboss.state SET bytes = 'x' \(damage)", in: database)
      }
      let next = try first.another()
      let scans = try await next.ask { $0.state.programme.books.scans }
      #expect(scans == 90)
      next.close()
    }
    try server.run("TRUNCATE pitboss.state CASCADE", in: database)
    #expect(try first.audit() == [])
    try server.run("DROP TABLE pitboss.payout", in: database)
    let problems = try first.audit().map { "\($0)" }
    #expect(problems.contains { $0.contains("the table payout is missing") }, "\(problems)")
  }

  @Test("Sessions that the server ends in mid-load cost no acknowledged scan, and double none")
  func endedSessions() async throws {
    let services = try services(2)
    let codes = try await services[0].begin(members: 4, tins: 600)
    let server = try PostgresServer.shared.get()
    let database = try #require(services[0].database)
    let killer = Task {
      var ended = 0
      while !Task.isCancelled {
        let count = try await blocking {
          try server.run(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE application_name = 'pitboss' AND datname = '\(database)' AND random() < 0.5
            """, in: database)
        }
        ended += Int(count) ?? 0
      }
      return ended
    }
    let numbers = try await scan(codes, services)
    killer.cancel()
    #expect(try await killer.value > 5)
    #expect(Set(numbers) == Set((1...600).map { "scan_reward#\($0)" }))
    for service in services { service.close() }
    #expect(try services[0].audit() == [])
  }

  @Test(
    "Limits that a database sets to statements and locks end no writer", .timeLimit(.minutes(2)))
  func limitsOfTheDatabase() async throws {
    let services = try services(1)
    let codes = try await services[0].begin(members: 1, tins: 3)
    let server = try PostgresServer.shared.get()
    let database = try #require(services[0].database)
    for name in ["statement_timeout", "lock_timeout"] {
      try server.run("ALTER DATABASE \(database) SET \(name) = '50ms'", in: "postgres")
    }
    // New sessions have them, but for those that ask here.
    let free = "SET statement_timeout = 0; SET lock_timeout = 0; "
    let other = try services[0].another()
    let holder = Task {
      try await blocking {
        try server.run(
          "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(1885959266, 1),"
            + " pg_sleep(60); COMMIT", in: database)
      }
    }
    while try server.run(free + Self.heldTurns, in: database) != "1" {
      try await Task.sleep(for: .milliseconds(20))
    }
    async let reply = other.submit(.scan(member: 0, code: codes[0]))
    let waiting = """
      SELECT count(*) FROM pg_stat_activity
      WHERE application_name = 'pitboss' AND datname = '\(database)' AND wait_event = 'advisory'
        AND now() - query_start > interval '200 milliseconds'
      """
    while try server.run(free + waiting, in: database) == "0" {
      let isHeld = try server.run(free + Self.heldTurns, in: database) == "1"
      try #require(isHeld, "nobody waited for longer than the limits")
      try await Task.sleep(for: .milliseconds(20))
    }
    try server.run(
      "\(free)SELECT pg_terminate_backend(pid) \(Self.holders)", in: database)
    #expect(try await reply.status == 200)
    await #expect(throws: PostgresServer.Failure.self) { _ = try await holder.value }
    #expect(other.engine.failure == nil)
  }

  @Test("Services go on where a database shows transactions only what was there before them")
  func isolation() async throws {
    let services = try services(1)
    let codes = try await services[0].begin(members: 1, tins: 200)
    let database = try #require(services[0].database)
    try PostgresServer.shared.get().run(
      "ALTER DATABASE \(database) SET default_transaction_isolation = 'repeatable read'",
      in: "postgres")
    // New sessions have it.
    let both = try (0..<2).map { _ in try services[0].another() }
    let numbers = try await withThrowingTaskGroup(of: String.self) { group in
      for (place, code) in codes.enumerated() {
        group.addTask {
          try number(await both[place % 2].submit(.scan(member: 0, code: code), key: "s\(place)"))
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(numbers) == Set((1...200).map { "scan_reward#\($0)" }))
    #expect(both.allSatisfy { $0.engine.failure == nil })
  }

  /// Sessions of psql that have a service's turn.
  private static let holders = """
    FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE classid = 1885959266 AND objid = 1 AND granted AND application_name = 'psql'
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    """
  private static let heldTurns = "SELECT count(*) \(holders)"

  // The holder stays until it is ended: on a busy machine it could be gone before anybody looks.
  @Test(
    "A statement that somebody cancels in a turn costs the turn, and nothing else",
    .timeLimit(.minutes(2)))
  func canceledTurn() async throws {
    let services = try services(2)
    let codes = try await services[0].begin(members: 1, tins: 2)
    let server = try PostgresServer.shared.get()
    let database = try #require(services[0].database)
    let holder = Task {
      try await blocking {
        try server.run("SELECT pg_advisory_lock(1885959266, 1), pg_sleep(60)", in: database)
      }
    }
    while try server.run(Self.heldTurns, in: database) != "1" {
      try await Task.sleep(for: .milliseconds(20))
    }
    async let reply = services[1].submit(.scan(member: 0, code: codes[0]), key: "a")
    // The service waits for its turn at some time before the holder ends.
    let canceled = """
      SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity
      WHERE application_name = 'pitboss' AND datname = '\(database)' AND wait_event = 'advisory'
      """
    while try server.run(canceled, in: database) != "1" {
      let isHeld = try server.run(Self.heldTurns, in: database) == "1"
      try #require(isHeld, "nobody waited for the turn")
      try await Task.sleep(for: .milliseconds(20))
    }
    try server.run("SELECT pg_terminate_backend(pid) \(Self.holders)", in: database)
    #expect(try await reply.status == 200)
    await #expect(throws: PostgresServer.Failure.self) { _ = try await holder.value }
    #expect(services[1].engine.failure == nil)
  }

  @Test("A session that keeps the turn is ended by whoever waits", .timeLimit(.minutes(2)))
  func keptTurn() async throws {
    let services = try services(1)
    let server = try PostgresServer.shared.get()
    let database = try #require(services[0].database)
    let store = try #require(services[0].host?.store as? PostgresStore)
    let holder = Task {
      try await blocking {
        try server.run("SELECT pg_advisory_lock(1885959266, 1), pg_sleep(60)", in: database)
      }
    }
    while try server.run(Self.heldTurns, in: database) != "1" {
      try await Task.sleep(for: .milliseconds(20))
    }
    store.endTurn()
    await #expect(throws: PostgresServer.Failure.self) { _ = try await holder.value }
    let reply = try await services[0].submit(.signUp(member: 0, state: nil))
    #expect(reply.status == 201)
  }

  @Test("A service without its database says that it is not ready, and is when that is back")
  func readiness() async throws {
    let server = try PostgresServer()
    let service = try ServiceFixture.$server.withValue(server) {
      try ServiceFixture.$isOnPostgres.withValue(true) { try ServiceFixture() }
    }
    let served = try await Served(service)
    let token = try await served.join("ann")
    func becomes(_ status: Int) async throws -> Bool {
      for _ in 0..<100 {
        if try await served.ask("GET", "/readyz").status == status { return true }
        try await Task.sleep(for: .milliseconds(50))
      }
      return false
    }
    #expect(try await becomes(200))
    try server.stopAtOnce()
    #expect(try await becomes(503))
    let list = try await served.ask("GET", "/scans/recent", token: token)
    #expect(list.status == 503)
    #expect(list.type == "application/problem+json")
    try server.startAgain()
    #expect(try await becomes(200))
    #expect(try await served.ask("GET", "/scans/recent", token: token).status == 200)
    try await served.close()
  }

  @Test("A server that is killed in mid-load, and comes back, has all that was acknowledged")
  func powerCut() async throws {
    let server = try PostgresServer()
    let first = try ServiceFixture.$server.withValue(server) {
      try ServiceFixture.$isOnPostgres.withValue(true) { try ServiceFixture() }
    }
    let services = [first, try first.another()]
    let codes = try await first.begin(members: 4, tins: 600)
    let done = Mutex(0)
    let cuts = Task {
      var inLoad = 0
      for cut in 1...3 {
        // Eight scans are on their way at any time before the last.
        while done.withLock({ $0 }) < 100 * cut {
          try await Task.sleep(for: .milliseconds(5))
        }
        inLoad += try await blocking {
          try server.stopAtOnce()
          let isInLoad = done.withLock { $0 } < codes.count
          try server.startAgain()
          return isInLoad ? 1 : 0
        }
      }
      return inLoad
    }
    let numbers: [String]
    do {
      numbers = try await scan(codes, services) { done.withLock { $0 += 1 } }
    } catch {
      cuts.cancel()
      Issue.record("\(services.map { $0.engine.failure ?? "goes on" })")
      throw error
    }
    #expect(try await cuts.value >= 1)
    #expect(Set(numbers) == Set((1...600).map { "scan_reward#\($0)" }))
    for service in services { service.close() }
    #expect(try first.audit() == [])
  }

  /// Scans at all services, eight at a time, each tin once.
  ///
  /// - Parameter note: Told of each that was answered.
  private func scan(
    _ codes: [String], _ services: [ServiceFixture], note: @escaping @Sendable () -> Void = {}
  ) async throws -> [String] {
    try await withThrowingTaskGroup(of: [String].self) { group in
      for client in 0..<8 {
        group.addTask {
          var numbers: [String] = []
          for place in stride(from: client, to: codes.count, by: 8) {
            let reply = try await services[client % services.count].submit(
              .scan(member: UInt32(client % 4), code: codes[place]), key: "s\(place)", digest: 1)
            numbers.append(try number(reply))
            note()
          }
          return numbers
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }
}
