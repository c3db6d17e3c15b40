// Claims of tins are kept as bits beside a state. What is restored from a kept state is held
// against what the journal alone gives.
import Foundation
import GRDB
import Quantities
import RewardModel
import Service
import Testing

@testable import BlakJaks

@Suite("Claims on the disk")
struct ServiceClaimsTests {
  /// Changes a closed service's file.
  private func change<Answer>(
    _ service: ServiceFixture, _ body: (Database) throws -> Answer
  ) throws -> Answer {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    let database = try DatabaseQueue(
      path: service.folder.appending(path: "service.sqlite").path, configuration: configuration)
    defer { try? database.close() }
    return try database.write(body)
  }

  /// Executes SQL in a closed service's file and gives a number.
  @discardableResult
  private func execute(_ service: ServiceFixture, _ sql: String) throws -> Int64? {
    try change(service) { try Int64.fetchOne($0, sql: sql) }
  }

  @Test("A restart from a kept state knows each claim, and the state itself has none")
  func restart() async throws {
    // Somebody tries 90 claimed codes below, and may go on.
    let service = try ServiceFixture("rules:\n  abuse:\n    refusals: 0\n", snapshotEvery: 40)
    let codes = try await service.begin(members: 2, tins: 9_000)
    // In three chunks; some before a state is kept and some after the last.
    let scanned = (0..<90).map { codes[$0 * 1_013 % 9_000] }
    for code in scanned { try await service.submit(.scan(member: 1, code: code)) }
    service.close()
    let states = try FileManager.default.contentsOfDirectory(atPath: service.folder.path)
      .filter { $0.hasPrefix("state-") }
    #expect(states.count == 2)
    for state in states {
      let data = try Data(contentsOf: service.folder.appending(path: state))
      #expect(data.count < 60_000)
    }
    #expect(try execute(service, "SELECT count(DISTINCT place) FROM bits") == 3)
    #expect(try service.audit() == [])
    try service.open(snapshotEvery: 40)
    #expect(try await service.ask { $0.state.claimed } == 90)
    for code in scanned {
      let reply = try await service.submit(.scan(member: 0, code: code))
      #expect(String(decoding: reply.body, as: UTF8.self).contains("\"success\": false"))
    }
    let fresh = try await service.submit(.scan(member: 0, code: codes[1]))
    #expect(String(decoding: fresh.body, as: UTF8.self).contains("\"success\": true"))
    service.close()
    #expect(try service.audit() == [])
  }

  @Test("Bits that the journal does not give are found, and older bits are forgotten")
  func tampering() async throws {
    let service = try ServiceFixture(snapshotEvery: 10)
    let codes = try await service.begin(members: 1, tins: 100)
    for code in codes {
      try await service.submit(.scan(member: 0, code: code))
      // One state after another is kept.
      if code == codes[50] { try service.restart(snapshotEvery: 10) }
    }
    service.close()
    // One chunk, of the two latest states.
    #expect((try execute(service, "SELECT count(*) FROM bits") ?? 0) <= 2)
    #expect(try service.audit() == [])
    try execute(service, "UPDATE bits SET bytes = zeroblob(16) RETURNING 1")
    #expect(try service.audit().contains { $0.hasPrefix("the bits that were kept") })
  }

  @Test("A state whose bits are gone is passed over: no tin is claimed twice")
  func lostBits() async throws {
    let service = try ServiceFixture(snapshotEvery: 10)
    let codes = try await service.begin(members: 1, tins: 30)
    for code in codes { try await service.submit(.scan(member: 0, code: code)) }
    service.close()
    try execute(service, "DELETE FROM bits RETURNING 1")
    try service.open(snapshotEvery: 10)
    #expect(try await service.ask { $0.state.claimed } == 30)
    let again = try await service.submit(.scan(member: 0, code: codes[0]))
    #expect(String(decoding: again.body, as: UTF8.self).contains("\"success\": false"))
    service.close()
    #expect(try service.audit() == [])
  }

  @Test("Claims are kept as the journal gives them when tins were printed and none of them scanned")
  func printedLater() async throws {
    let service = try ServiceFixture("rules:\n  abuse:\n    refusals: 0\n", snapshotEvery: 10)
    let codes = try await service.begin(members: 1, tins: 100)
    for code in codes.prefix(20) { try await service.submit(.scan(member: 0, code: code)) }
    try await service.submit(.printTins(run: 0, through: 300))
    for _ in 0..<20 { try await service.submit(.scan(member: 0, code: "x")) }
    service.close()
    #expect(try service.audit() == [])
  }

  @Test("A state with other bits, as many as before, is passed over: no tin is claimed twice")
  func otherBits() async throws {
    let service = try ServiceFixture(snapshotEvery: 10)
    let codes = try await service.begin(members: 1, tins: 64)
    for code in codes.dropLast(8) { try await service.submit(.scan(member: 0, code: code)) }
    service.close()
    #expect(try service.audit() == [])
    let changed = try change(service) { database in
      let rows = try Row.fetchAll(database, sql: "SELECT sequence, bytes FROM bits")
      for row in rows {
        var bytes = try row.decode(Data.self, forColumn: "bytes")
        // The first tin's claim becomes the last one's.
        bytes[bytes.startIndex] &= 0xFE
        bytes[bytes.startIndex + 7] |= 0x80
        try database.execute(
          sql: "UPDATE bits SET bytes = ? WHERE sequence = ?",
          arguments: [bytes, try row.decode(Int64.self, forColumn: "sequence")])
      }
      return rows.count
    }
    #expect(changed > 0)
    #expect(try service.audit().contains { $0.contains("is damaged") })
    try service.open(snapshotEvery: 1_000)
    let again = try await service.submit(.scan(member: 0, code: codes[0]))
    #expect(String(decoding: again.body, as: UTF8.self).contains("\"success\": false"))
    service.close()
    #expect(try service.audit() == [])
  }

  @Test("Claims are taken as they changed, and put back as they were", arguments: [1, 64, 9_000])
  func chunks(tins: UInt64) throws {
    let codes = CodeBook(key: 5)
    var runs = PrintRuns(codes: codes)
    runs.print(run: 2, through: tins)
    #expect(runs.takeClaims(all: true) == [])
    let first = UInt64(2) << PrintRuns.serialBits
    var kept: [ClaimChunk.Place: ClaimChunk] = [:]
    for index in stride(from: 0, to: tins, by: 977) {
      let text = codes.code(ofSerial: first + index).text
      #expect(runs.submit(text, eligible: true).outcome == .accepted)
      let changed = runs.takeClaims(all: false)
      #expect(changed.map(\.place) == [ClaimChunk.Place(run: 2, number: UInt32(index / 4_096))])
      for chunk in changed { kept[chunk.place] = chunk }
    }
    #expect(runs.takeClaims(all: false) == [])
    var again = PrintRuns(codes: codes, claims: runs.unclaimed)
    #expect(again.claimed == 0)
    again.restore(Array(kept.values))
    #expect(again.claims == runs.claims)
    #expect(again.claimed == runs.claimed)
    // Bits of tins that are not printed are left out.
    again.restore([ClaimChunk(place: .init(run: 9, number: 0), words: [1])])
    #expect(again.claimed == runs.claimed)
  }
}
