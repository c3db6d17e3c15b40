// A service on PostgreSQL does what one in a folder does: a real server of the tests' own.
import Foundation
import Quantities
import RewardModel
import TestSupport
import Testing

@testable import BlakJaks
@testable import Service

@Suite(
  "A service on PostgreSQL does what one in a folder does",
  .enabled(if: PostgresServer.programs != nil, "PostgreSQL is not installed"))
struct PostgresParityTests {
  struct Same: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var body: @Sendable () async throws -> Void
  }

  static let tests = [
    Same(testDescription: "idempotence") { try await ServiceEngineTests().idempotence() },
    Same(testDescription: "restart from the journal") {
      try await ServiceEngineTests().restart(snapshotEvery: 1_000_000)
    },
    Same(testDescription: "restart from a state") {
      try await ServiceEngineTests().restart(snapshotEvery: 50)
    },
    Same(testDescription: "abuse") { try await ServiceEngineTests().abuse(snapshotEvery: 2) },
    Same(testDescription: "calendar") { try await ServiceEngineTests().calendar() },
    Same(testDescription: "too much to do") { try await ServiceEngineTests().full() },
    Same(testDescription: "shop after a restart") { try await ShopAndChatTests().restart() },
    Same(testDescription: "messages") { try await ShopAndChatTests().messages() },
    Same(testDescription: "streams") { try await ShopAndChatTests().streams() },
    Same(testDescription: "referral codes") { try await ShopAndChatTests().referralCodes() },
  ]

  @Test("A test of the service passes on PostgreSQL", arguments: tests)
  func same(_ test: Same) async throws {
    try await ServiceFixture.$isOnPostgres.withValue(true) { try await test.body() }
  }

  @Test("The same requests give the same state, rows and replies as in a folder")
  func equality() async throws {
    func past() async throws -> (ServiceFixture, Data) {
      let service = try ServiceFixture(snapshotEvery: 60)
      let codes = try await service.begin(members: 6, tins: 90)
      for (place, code) in codes.enumerated() {
        try await service.submit(
          .scan(member: UInt32(place % 6), code: code), key: "k\(place % 80)", digest: 1)
        try await service.advance(.minutes(11))
      }
      try await service.submit(.placeOrder(member: 1, number: 1, tins: 3))
      try await service.advance(.days(40))
      let state = try await service.saved()
      return (service, state)
    }
    let (folder, inFolder) = try await past()
    // Codes depend on the secrets.
    let secrets = try Data(contentsOf: folder.folder.appending(path: "secrets.json"))
    let (shared, inDatabase) = try await ServiceFixture.$isOnPostgres.withValue(true) {
      try await ServiceFixture.$secrets.withValue(secrets) { try await past() }
    }
    folder.close()
    shared.close()
    #expect(inFolder.count > 1_000)
    #expect(try canonical(inFolder) == canonical(inDatabase))
    #expect(try folder.audit() == [])
    #expect(try shared.audit() == [])
    let copy = try folder.store(in: folder.folder)
    let other = try folder.store(in: shared.folder.appending(path: "copy"))
    #expect(try copy.differences(from: other).allSatisfy { $0.rows == 0 })
    var replies: [[ServedReply]] = [[], []]
    try copy.forEach(after: 0) { replies[0].append($0.reply) }
    try other.forEach(after: 0) { replies[1].append($0.reply) }
    #expect(replies[0].count > 100)
    #expect(replies[0] == replies[1])
  }
}

/// Where two states differ, as paths with both values.
func differences(_ one: Data, _ other: Data) throws -> [String] {
  func walk(_ a: Any, _ b: Any, _ path: String) -> [String] {
    switch (a, b) {
    case (let a as [String: Any], let b as [String: Any]):
      return Set(a.keys).union(b.keys).sorted().flatMap {
        walk(a[$0] ?? "nothing", b[$0] ?? "nothing", "\(path).\($0)")
      }
    case (let a as [Any], let b as [Any]) where a.count == b.count:
      return a.indices.flatMap { walk(a[$0], b[$0], "\(path)[\($0)]") }
    default: return "\(a)" == "\(b)" ? [] : ["\(path): \(a), \(b)"]
    }
  }
  return walk(
    try JSONSerialization.jsonObject(with: one), try JSONSerialization.jsonObject(with: other), "")
}

/// A state with its names in order: those of a dictionary come in any.
func canonical(_ state: Data) throws -> Data {
  try JSONSerialization.data(
    withJSONObject: JSONSerialization.jsonObject(with: state), options: .sortedKeys)
}
