import Foundation
import Quantities
import RewardModel
import Service
import Synchronization
import Testing

@testable import BlakJaks

/// A clock that stands still, and counts how often the writer looks how long it has to wait.
private final class CountingClock: ServiceClock {
  let looks = Atomic<Int>(0)
  let now = ServiceFixture.start
  let speed = 0.0

  func wait(until instant: Instant) -> Double? {
    looks.add(1, ordering: .relaxed)
    return nil
  }
}

@Suite("The service's engine")
struct ServiceEngineTests {
  @Test("An accepted scan is answered once; its key brings the same answer and no second reward")
  func idempotence() async throws {
    let service = try ServiceFixture()
    let codes = try await service.begin(members: 1, tins: 2)
    let scan = ProgrammeRequest.scan(member: 0, code: codes[0])
    let first = try await service.submit(scan, key: "0:a", digest: 1)
    #expect(String(decoding: first.body, as: UTF8.self).contains("\"success\": true"))
    let again = try await service.submit(scan, key: "0:a", digest: 1)
    #expect(again == first)
    let scans = try await service.ask { $0.state.programme.books.scans }
    #expect(scans == 1)
    let other = try await service.submit(
      .scan(member: 0, code: codes[1]), key: "0:a", digest: 2)
    #expect(other.status == 409)
    let second = try await service.submit(scan, key: "0:b", digest: 1)
    #expect(String(decoding: second.body, as: UTF8.self).contains("\"success\": false"))
    // A restart knows the key from the journal.
    try service.restart()
    let late = try await service.submit(scan, key: "0:a", digest: 1)
    #expect(late == first)
  }

  @Test("A writer with nothing to do is not woken", .timeLimit(.minutes(5)))
  func idleness() async throws {
    // Its watch looks every 10 ms for those who wait.
    let service = try ServiceFixture(answerSeconds: 0.04)
    service.close()
    let clock = CountingClock()
    try service.open { _ in clock }
    while clock.looks.load(ordering: .relaxed) == 0 { try await Task.sleep(for: .milliseconds(5)) }
    try await Task.sleep(for: .milliseconds(200))
    #expect(clock.looks.load(ordering: .relaxed) == 1)
    service.close()
  }

  @Test(
    "A restart gives the state back, from the journal alone or from a state that was kept",
    arguments: [Int64(1_000_000), 50])
  func restart(snapshotEvery: Int64) async throws {
    let service = try ServiceFixture(snapshotEvery: snapshotEvery)
    let codes = try await service.begin(members: 5, tins: 120)
    for (place, code) in codes.enumerated() {
      try await service.submit(.scan(member: UInt32(place % 5), code: code))
      try await service.advance(.minutes(7))
    }
    try await service.submit(.withdraw(member: 0, amount: MicroUSDT(microunits: 1_000_000)))
    try await service.submit(.placeOrder(member: 1, number: 1, tins: 3))
    let before = try await service.ask { machine in
      (
        machine.state.programme.books.scans, machine.state.members,
        machine.state.programme.books.ledger, machine.state.programme.books.desk.awarded
      )
    }
    let figures = try await service.ask { $0.live }
    try service.restart(snapshotEvery: snapshotEvery)
    #expect(try await service.ask { $0.live } == figures)
    let after = try await service.ask { machine in
      (
        machine.state.programme.books.scans, machine.state.members,
        machine.state.programme.books.ledger, machine.state.programme.books.desk.awarded
      )
    }
    #expect(before.0 == 120)
    #expect(after.0 == before.0)
    #expect(after.1 == before.1)
    #expect(after.2 == before.2)
    #expect(after.3 == before.3)
    // And it goes on: what was under way is paid.
    try await service.advance(.days(2))
    let desk = try await service.ask { $0.state.programme.books.desk }
    #expect(desk.pending.count == 0)
    #expect(desk.paid.count + desk.failed.count == desk.awarded.count)
  }

  @Test(
    "Who submits too many bad codes on one day is suspended, after a restart as well",
    arguments: [Int64(1_000_000), 2])
  func abuse(snapshotEvery: Int64) async throws {
    let service = try ServiceFixture(
      "rules:\n  abuse:\n    refusals: 4\n", snapshotEvery: snapshotEvery)
    let codes = try await service.begin(members: 2, tins: 4)
    func outcome(_ code: String, of member: UInt32 = 0) async throws -> String {
      let reply = try await service.submit(.scan(member: member, code: code))
      let text = String(decoding: reply.body, as: UTF8.self)
      return String(text.split(separator: "\"outcome\": \"").last?.prefix { $0 != "\"" } ?? "")
    }
    #expect(try await outcome(codes[0]) == "accepted")
    for _ in 0..<2 { #expect(try await outcome(codes[0]) == "already_scanned") }
    #expect(try await outcome("x") == "invalid_code")
    try service.restart(snapshotEvery: snapshotEvery)
    #expect(try await outcome("AAAA-AAAA-AAAA") == "unknown_code")
    #expect(try await outcome(codes[1]) == "member_ineligible")
    #expect(try await outcome(codes[1], of: 1) == "accepted")
    // For good: days turn, and the service starts again.
    try await service.advance(.days(2))
    try service.restart(snapshotEvery: snapshotEvery)
    #expect(try await outcome(codes[2]) == "member_ineligible")
    let suspended = try await service.ask { machine in
      (0..<2).map { machine.state.members.account(of: $0).isSuspended }
    }
    #expect(suspended == [true, false])
  }

  @Test("No request is earlier than the first start, after which nobody asked for anything")
  func untouched() async throws {
    let service = try ServiceFixture()
    service.close()
    var last: Instant?
    try service.open { told in
      last = told
      return ManualClock(ServiceFixture.start - .days(40))
    }
    #expect(last == ServiceFixture.start)
    try await service.submit(.signUp(member: 0, state: nil))
    service.close()
    #expect(try service.store(in: service.folder).lastTime() == ServiceFixture.start)
    #expect(try service.audit() == [])
  }

  @Test("Days, mornings, payouts and guarantees turn by the clock that the service is given")
  func calendar() async throws {
    let service = try ServiceFixture("rules:\n  guarantee:\n    minimum_scans: 7\n")
    let codes = try await service.begin(members: 2, tins: 8)
    for code in codes { try await service.submit(.scan(member: 1, code: code)) }
    let date = try await service.ask { $0.state.programme.books.date }
    #expect(date == CivilDate("2026-01-05"))
    // A quarter and more in one step: each day turns, with its morning.
    try await service.advance(.days(100))
    let (today, wallet, members, problems) = try await service.ask { machine in
      (
        machine.state.programme.books.date, machine.state.members.purses[1].wallet,
        machine.state.members.accounts, Self.broken(machine.state.programme)
      )
    }
    #expect(today == CivilDate("2026-04-15"))
    #expect(wallet.available == MicroUSDT(microunits: 50_000_000))
    #expect(wallet.pending == .zero)
    #expect(members[1].standing.quarterScans == 0)
    #expect(members[1].standing.lifetimeScans == 8)
    #expect(problems == [])
  }

  /// Laws that do not hold.
  private static func broken(_ programme: LiveProgramme) -> [String] {
    LiveProgramme.laws.compactMap { law in
      do {
        try law.check(programme, scenario: "service", seed: 7, at: ServiceFixture.start)
        return nil
      } catch { return "\(error)" }
    }
  }

  @Test("More than the service keeps waiting is refused, and what it took is answered")
  func full() async throws {
    let service = try ServiceFixture()
    let engine = service.engine
    let gate = DispatchSemaphore(value: 0)
    defer { gate.signal() }
    // The writer is inside before anything is handed in.
    await withCheckedContinuation { entered in
      try? engine.ask { _ in
        entered.resume()
        gate.wait()
      }
    }
    var taken = 0
    var refused = 0
    let (answers, sink) = AsyncStream<Int>.makeStream()
    for member in 0..<UInt32(20_000) {
      do {
        try engine.submit(
          .init(make: { _ in BlakJaksMachine.Request(.signUp(member: member, state: nil)) }) { _ in
            sink.yield(1)
          })
        taken += 1
      } catch {
        #expect(error == .full)
        refused += 1
      }
    }
    #expect(refused > 0)
    gate.signal()
    var answered = 0
    for await _ in answers {
      answered += 1
      if answered == taken { break }
    }
    #expect(answered == taken)
    #expect(engine.metrics.values.refused == Int64(refused))
    #expect(engine.metrics.values.largestBatch > 1_000)
  }

  // Found with strace: the pool set NORMAL behind the store's back, which a kill does not show and a power
  // cut does.
  @Test("The writer flushes each transaction (synchronous is FULL)")
  func durable() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for _ in 0..<2 {
      let store = try SQLiteStore(folder: folder, programme: "any", settings: "", tables: [])
      #expect(try store.isDurable())
    }
  }

  @Test("A folder serves one process, one program and one set of rules")
  func folder() async throws {
    let service = try ServiceFixture()
    #expect(throws: ServiceError.self) { try service.open() }
    let host = try #require(service.host)
    #expect(throws: ServiceError.self) {
      try SQLiteStore(
        folder: service.folder, programme: "other", settings: "", tables: BlakJaksMachine.tables)
    }
    #expect(throws: ServiceError.self) {
      try SQLiteStore(
        folder: service.folder, programme: "blakjaks", settings: "rules.tiers.vip=9",
        tables: BlakJaksMachine.tables)
    }
    _ = host
  }
}
