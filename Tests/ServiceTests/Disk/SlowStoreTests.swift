// Goal: whoever asks a service whose database or disk does not answer is told so in time, and what to do.
// Method: a request that stops the writer in its rules; a PostgreSQL server whose tables are locked, and
// one of whose processes is stopped.
import Foundation
import Logging
import Quantities
import RewardModel
import Synchronization
import TestSupport
import Testing

@testable import BlakJaks
@testable import Service

/// Keeps what is logged.
private final class Heard: LogHandler {
  private let heard = Mutex<[String]>([])
  // Handlers are values to a logger; this one is the same to all of them, and takes no settings.
  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }
  var logLevel: Logger.Level {
    get { .trace }
    set {}
  }

  subscript(metadataKey key: String) -> Logger.MetadataValue? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) {
    // Debug messages are of the libraries.
    if event.level >= .notice { heard.withLock { $0.append("\(event.level): \(event.message)") } }
  }

  /// Waits until as many messages have come.
  func lines(_ count: Int) async throws -> [String] {
    while heard.withLock({ $0.count }) < count { try await Task.sleep(for: .milliseconds(5)) }
    return heard.withLock { $0 }
  }
}

struct SlowStoreTests {
  /// Hands in a request with the key "a" that stops the writer in its rules, and waits until it does.
  private func hold(
    _ service: ServiceFixture, _ request: ProgrammeRequest, until hold: DispatchSemaphore
  ) async -> Task<ServedReply, any Error> {
    let (begins, begun) = AsyncStream<Bool>.makeStream()
    let stopped = Task {
      try await withCheckedThrowingContinuation { continuation in
        do {
          try service.engine.submit(
            .init(
              key: "a", digest: 1,
              make: { _ in
                begun.yield(true)
                hold.wait()
                return BlakJaksMachine.Request(request)
              }
            ) { continuation.resume(with: $0) })
        } catch { continuation.resume(throwing: error) }
      }
    }
    for await _ in begins { break }
    return stopped
  }

  @Test(
    "Who waits too long for the writer is told whether it may still be done, which comes true",
    .timeLimit(.minutes(5)))
  func lateAnswers() async throws {
    let service = try ServiceFixture(answerSeconds: 5)
    let codes = try await service.begin(members: 1, tins: 2)
    let scan = ProgrammeRequest.scan(member: 0, code: codes[0])
    let hold = DispatchSemaphore(value: 0)
    // A test that fails before it lets the writer go on does not leave it waiting.
    defer { hold.signal() }
    let stopped = await self.hold(service, scan, until: hold)
    await #expect(throws: ServiceError.late(seconds: 5, mayBeDone: false)) {
      try await service.submit(.scan(member: 0, code: codes[1]), key: "b")
    }
    await #expect(throws: ServiceError.late(seconds: 5, mayBeDone: true)) {
      _ = try await stopped.value
    }
    #expect(service.engine.busySeconds >= 5)
    hold.signal()
    // The writer goes on with what it had taken; what it had not is not done.
    #expect(try await service.submit(scan, key: "a", digest: 1).status == 200)
    let scans = try await service.ask { $0.state.programme.books.scans }
    #expect(scans == 1)
    service.close()
    #expect(service.host == nil)
  }

  @Test(
    "While one turn of the writer takes too long a service is not ready, and its log says so",
    .timeLimit(.minutes(5)))
  func readiness() async throws {
    let service = try ServiceFixture(answerSeconds: 0.5)
    let heard = Heard()
    let hasty = try await Served(service, busySeconds: 0.2, log: heard)
    let patient = try await Served(service, busySeconds: 600)
    #expect(try await hasty.ask("GET", "/readyz").status == 200)
    let hold = DispatchSemaphore(value: 0)
    defer { hold.signal() }
    let begun = await self.hold(service, .printTins(run: 0, through: 1), until: hold)
    #expect(
      try await heard.lines(1)
        == ["error: the writer is busy for long: with the database, the disk or much to do"])
    #expect(service.engine.busySeconds >= 0.2)
    let late = try await hasty.ask("GET", "/readyz")
    #expect(late.status == 503 && late.type == "application/problem+json")
    #expect(late.text.contains(/the writer has been busy for \d+ seconds/), "\(late.text)")
    #expect(try await patient.ask("GET", "/readyz").status == 200)
    // Whoever is told to come later is told when.
    #expect(try await hasty.retryAfter("/readyz") == (503, "5"))
    #expect(try await patient.retryAfter("/insights/overview") == (503, "5"))
    #expect(try await patient.retryAfter("/readyz") == (200, nil))
    await #expect(throws: ServiceError.late(seconds: 1, mayBeDone: true)) {
      _ = try await begun.value
    }
    hold.signal()
    #expect(try await heard.lines(2).last == "notice: the writer goes on")
    #expect(try await hasty.ask("GET", "/readyz").status == 200)
    hasty.stop()
    patient.stop()
  }

  @Test(
    "A stop leaves a writer that hangs, tells who waits, and says what may not be saved",
    .timeLimit(.minutes(5)))
  func stopInTime() async throws {
    let service = try ServiceFixture()
    let codes = try await service.begin(members: 1, tins: 2)
    let scan = ProgrammeRequest.scan(member: 0, code: codes[0])
    let served = try await Served(service, writerStopSeconds: 0.2)
    let hold = DispatchSemaphore(value: 0)
    defer { hold.signal() }
    let begun = await self.hold(service, scan, until: hold)
    let waiting = Task { try await service.submit(.scan(member: 0, code: codes[1]), key: "b") }
    while service.engine.waiting == 0 { try await Task.sleep(for: .milliseconds(5)) }
    served.stop()
    await #expect(throws: ServiceError.stopping(mayBeDone: true)) { _ = try await begun.value }
    await #expect(throws: ServiceError.stopping(mayBeDone: false)) { _ = try await waiting.value }
    await #expect(throws: ServiceError.unsaved(seconds: 1, begun: 1, waiting: 1)) {
      try await served.end()
    }
    // Nobody else gets the folder while the writer may still write to it.
    service.close(isLeft: true)
    #expect(throws: ServiceError.taken(path: service.folder.path)) { try service.open() }
    hold.signal()
    while (try? service.open()) == nil { try await Task.sleep(for: .milliseconds(5)) }
    // What had begun was done; what had not was not.
    #expect(try await service.submit(scan, key: "a", digest: 1).status == 200)
    let scans = try await service.ask { $0.state.programme.books.scans }
    #expect(scans == 1)
    service.close()
  }

  @Test(
    "What may not be saved is told even where the connections ended with an error",
    .timeLimit(.minutes(5)))
  func unsavedAfterErrors() async throws {
    let (service, other) = (try ServiceFixture(), try ServiceFixture())
    // Its port is taken.
    let served = try await Served(other)
    let hold = DispatchSemaphore(value: 0)
    defer { hold.signal() }
    let begun = await self.hold(service, .signUp(member: 0, state: nil), until: hold)
    let heard = Heard()
    var limits = ServiceApplication<BlakJaksMachine>.Limits()
    limits.writerStopSeconds = 0.2
    let host = try #require(service.host)
    await #expect(throws: ServiceError.unsaved(seconds: 1, begun: 1, waiting: 0)) {
      try await host.serve(
        host: "127.0.0.1", port: served.port, limits: limits,
        logger: Logger(label: "test") { _ in heard }
      ) { _ in }
    }
    #expect(try await heard.lines(1).contains { $0.hasPrefix("error: ") })
    await #expect(throws: ServiceError.stopping(mayBeDone: true)) { _ = try await begun.value }
    served.stop()
    service.close(isLeft: true)
  }

  @Test(
    "A service whose task is canceled answers what it has taken, and ends",
    .timeLimit(.minutes(5)))
  func canceledService() async throws {
    let service = try ServiceFixture()
    let served = try await Served(service)
    let token = try await served.join("ana")
    let code = try #require(try await served.codes(1).first)
    let hold = DispatchSemaphore(value: 0)
    defer { hold.signal() }
    let begun = await self.hold(service, .printTins(run: 0, through: 1), until: hold)
    let scan = Task {
      let scan = try await served.ask(
        "POST", "/scans/submit", "{\"code\": \"\(code)\"}", token: token)
      return scan.status
    }
    while service.engine.waiting == 0 { try await Task.sleep(for: .milliseconds(5)) }
    served.stop()
    // Time enough for a stop that leaves the scan.
    try await Task.sleep(for: .milliseconds(100))
    hold.signal()
    _ = try? await begun.value
    #expect(try await scan.value == 200)
    try await served.end()
    service.close()
  }

  @Test("A stop that leaves a writer with nothing of a client's is an orderly one")
  func stopWithoutRequests() async throws {
    let service = try ServiceFixture()
    let hold = DispatchSemaphore(value: 0)
    defer { hold.signal() }
    try service.engine.ask { _ in hold.wait() }
    #expect(service.engine.stop(within: 0.1) == .saved)
    service.close(isLeft: true)
    let other = try ServiceFixture()
    #expect(other.engine.stop(within: 60) == .whole)
  }

  @Test("What waits for the store ends with its task", .timeLimit(.minutes(5)))
  func canceledReads() async throws {
    let hold = DispatchSemaphore(value: 0)
    defer { hold.signal() }
    let read = Task { try await Elsewhere.run(within: 600) { hold.wait() } }
    read.cancel()
    await #expect(throws: ServiceError.stopping(mayBeDone: false)) { try await read.value }
    hold.signal()
  }

  @Test("What the store is asked for too slowly is not waited for, nor begun when it is too late")
  func lateReads() async throws {
    let hold = DispatchSemaphore(value: 0)
    defer { for _ in 0..<4 { hold.signal() } }
    let isBegun = Mutex(false)
    // As many as may read at once, so that what comes later waits for them.
    let slow = (0..<4).map { _ in Task { try await Elsewhere.run(within: 60) { hold.wait() } } }
    var isLate = false
    while !isLate {
      do {
        try await Elsewhere.run(within: 0.2) { isBegun.withLock { $0 = true } }
        isBegun.withLock { $0 = false }
      } catch ServiceError.late(seconds: 1, mayBeDone: false) { isLate = true }
    }
    for _ in 0..<4 { hold.signal() }
    for one in slow { try await one.value }
    #expect(try await Elsewhere.run(within: 60) { isBegun.withLock { $0 } } == false)
  }
}

@Suite(
  "A PostgreSQL server that is there and does not answer", .tags(.alone),
  .enabled(if: PostgresServer.programs != nil, "PostgreSQL is not installed"))
struct SlowPostgresTests {
  @Test("A server's process that is stopped is taken for gone", .timeLimit(.minutes(1)))
  func silence() throws {
    let server = try PostgresServer.shared.get()
    let address = try #require(PostgresAddress(server.address(of: try server.makeDatabase())))
    // More than a socket takes at once, and what it takes.
    for (bytes, isCopied) in [(4 << 20, false), (1, false), (4 << 20, true), (1, true)] {
      let connection = try PostgresConnection(address, silence: 0.5)
      let process = try connection.query("SELECT pg_backend_pid()::bigint").whole(0, 0)
      // What comes within the time is waited for.
      try connection.run("SELECT pg_sleep(0.2); CREATE TEMP TABLE copied (bytes bytea)")
      let value = PostgresValue.bytes(Array(repeating: 1, count: bytes))
      defer { kill(pid_t(process), SIGCONT) }
      do {
        if isCopied {
          // The server waits for the rows by then.
          let rows = [value].lazy.map { value in
            kill(pid_t(process), SIGSTOP)
            return [value]
          }
          try connection.copy(rows, into: "copied")
        } else {
          kill(pid_t(process), SIGSTOP)
          try connection.query("SELECT length($1)", [value])
        }
        Issue.record("a stopped process has answered")
      } catch PostgresError.lost(let words) {
        #expect(words == "the server has been silent for 0.5 seconds")
      }
    }
  }

  @Test(
    "Who asks while tables are locked gets a 503 in time, and the answer later by its key",
    .timeLimit(.minutes(2)))
  func lockedTables() async throws {
    let service = try ServiceFixture.$isOnPostgres.withValue(true) {
      try ServiceFixture(answerSeconds: 4)
    }
    let served = try await Served(service)
    let token = try await served.join("ann")
    let codes = try await served.codes(1)
    let server = try PostgresServer.shared.get()
    let database = try #require(service.database)
    let holder = Task {
      try await blocking {
        try server.run(
          "BEGIN; LOCK TABLE pitboss.journal, pitboss.account; SELECT pg_sleep(60)", in: database)
      }
    }
    let holders = """
      FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE relation = 'pitboss.journal'::regclass AND mode = 'AccessExclusiveLock' AND granted
      """
    while try server.run("SELECT count(*) \(holders)", in: database) != "1" {
      try await Task.sleep(for: .milliseconds(20))
    }
    let scan = #"{"code": "\#(codes[0])"}"#
    let late = try await served.ask("POST", "/scans/submit", scan, token: token, key: "a")
    #expect(late.status == 503, "\(late.text)")
    #expect(late.text.contains("has not answered for 4 seconds"), "\(late.text)")
    let logIn = #"{"email": "ann@example.com", "password": "0123456789"}"#
    #expect(try await served.ask("POST", "/auth/login", logIn).status == 503)
    let metrics = try await served.ask("GET", "/metrics").text
    #expect(metrics.contains("\npitboss_late_total 2\n"), "\(metrics)")
    #expect(!metrics.contains("\npitboss_writer_busy_seconds 0.0\n"))
    try server.run("SELECT pg_terminate_backend(pid) \(holders)", in: database)
    await #expect(throws: PostgresServer.Failure.self) { _ = try await holder.value }
    let answer = try await served.ask("POST", "/scans/submit", scan, token: token, key: "a")
    #expect(answer.status == 200 && answer.text.contains("\"accepted\""), "\(answer.text)")
    try await served.close()
    #expect(try service.audit() == [])
  }
}
