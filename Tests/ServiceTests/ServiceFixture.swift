import Foundation
import Logging
import Quantities
import RewardModel
import Scenario
import Service
import TestSupport
import Testing

@testable import BlakJaks

/// A BlakJaks service in a folder of its own, with a clock that a test moves.
final class ServiceFixture: @unchecked Sendable {
  /// Whether services of this task have a database of a PostgreSQL server instead of a folder.
  @TaskLocal static var isOnPostgres = false

  /// The secrets of a new database; its own where there are none.
  @TaskLocal static var secrets: Data?
  /// The server of new databases; the shared one where there is none.
  @TaskLocal static var server: PostgresServer?

  let folder: URL
  let place: ServicePlace
  /// The name of its database; nil in a folder.
  let database: String?
  let clock: ManualClock
  private let text: String
  /// For how long a request waits for the writer.
  private var answerSeconds = 45.0
  /// Whose database it shares.
  private var first: ServiceFixture?
  private(set) var host: ServiceHost<BlakJaksMachine>?

  static let start = Instant(microseconds: 1_767_628_800_000_000)  // 2026-01-05T16:00:00Z

  init(
    _ scenario: String = "", snapshotEvery: Int64 = 200_000, answerSeconds: Double = 45
  ) throws {
    self.answerSeconds = answerSeconds
    folder = FileManager.default.temporaryDirectory.appending(
      path: "service-\(UInt64.random(in: .min ... .max))")
    clock = ManualClock(Self.start)
    text = "name: service\nseed: 7\n" + scenario
    if Self.isOnPostgres {
      let server = try Self.server ?? PostgresServer.shared.get()
      let name = try server.makeDatabase()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Self.secrets?.write(to: folder.appending(path: "secrets.json"))
      database = name
      place = try Self.place(server.address(of: name), folder)
    } else {
      database = nil
      place = .folder(folder)
    }
    try open(snapshotEvery: snapshotEvery)
  }

  /// A service on the database of another, with its clock or one of its own.
  private init(beside first: ServiceFixture, _ clock: ManualClock?) throws {
    self.clock = clock ?? first.clock
    (folder, place, database, text) = (first.folder, first.place, first.database, first.text)
    self.first = first
    try open()
  }

  /// Another service on the same database, with the same clock unless it has its own.
  func another(_ clock: ManualClock? = nil) throws -> ServiceFixture {
    try ServiceFixture(beside: self, clock)
  }

  /// What a folder holds.
  func store(in folder: URL) throws -> SQLiteStore {
    try SQLiteStore(
      folder: folder, programme: BlakJaksProgramme.id,
      settings: ServiceHost<BlakJaksMachine>.settings(try plan().frame),
      tables: BlakJaksMachine.tables)
  }

  /// The place of a database, with its secrets in a folder.
  static func place(_ address: String, _ folder: URL) throws -> ServicePlace {
    .postgres(
      try #require(PostgresAddress(address)), secrets: folder.appending(path: "secrets.json"))
  }

  deinit {
    close()
    if first == nil { try? FileManager.default.removeItem(at: folder) }
  }

  /// Opens the folder, again after a restart.
  ///
  /// - Parameter clock: Makes another clock than its own.
  func open(
    snapshotEvery: Int64 = 200_000, clock other: ((Instant?) throws -> any ServiceClock)? = nil
  ) throws {
    let plan = try plan()
    host = try ServiceHost(
      BlakJaksProgramme.self, at: place, frame: plan.frame, settings: plan.settings,
      clock: other ?? { [clock] _ in clock }, snapshotEvery: snapshotEvery,
      answerSeconds: answerSeconds)
  }

  /// Its rules.
  func plan() throws -> ProgrammePlan<BlakJaksProgramme> { try Self.plan(of: text) }

  /// The rules of a scenario.
  static func plan(of text: String) throws -> ProgrammePlan<BlakJaksProgramme> {
    let scenario = try Scenario.load(text: text, file: "service.yaml")
    return try #require(try scenario.plan() as? ProgrammePlan<BlakJaksProgramme>)
  }

  /// Stops the writer and lets the folder go.
  ///
  /// - Parameter isLeft: Whether a stop has left the writer before, as a test wants it to.
  func close(isLeft: Bool = false) {
    if let end = host?.engine.stop(within: 60), end != .whole, !isLeft {
      Issue.record("a minute after its stop the writer has not ended: \(end)")
    }
    host = nil
  }

  /// Stops the writer and opens the folder again.
  func restart(snapshotEvery: Int64 = 200_000) throws {
    close()
    try open(snapshotEvery: snapshotEvery)
  }

  var engine: ServiceEngine<BlakJaksMachine> {
    guard let host else { fatalError("the service is closed") }
    return host.engine
  }

  /// Commits a request and waits for its answer.
  @discardableResult
  func submit(
    _ request: ProgrammeRequest, key: String? = nil, digest: Int64 = 0
  ) async throws -> ServedReply {
    try await withCheckedThrowingContinuation { continuation in
      do {
        try engine.submit(
          .init(
            key: key, digest: digest, account: Self.account(request),
            make: { _ in BlakJaksMachine.Request(request) }
          ) { continuation.resume(with: $0) })
      } catch { continuation.resume(throwing: error) }
    }
  }

  /// Whoever joins has an account.
  static func account(_ request: ProgrammeRequest) -> ServiceAccount? {
    guard case .signUp(let member, _) = request else { return nil }
    return ServiceAccount(
      member: member, email: "member\(member)@example.com", born: "1990-01-31",
      salt: Data(count: 16), hash: Data(count: 32))
  }

  /// Reads the state.
  func ask<Answer: Sendable>(
    _ read: @escaping @Sendable (borrowing BlakJaksMachine) -> Answer
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      do {
        try engine.ask(
          { continuation.resume(returning: read($0)) },
          orElse: { continuation.resume(throwing: $0) })
      } catch { continuation.resume(throwing: error) }
    }
  }

  /// Moves the clock and waits until the writer has seen it.
  func advance(_ span: TimeSpan) async throws {
    clock.advance(to: clock.now + span)
    engine.tick()
    _ = try await ask { _ in true }
  }

  /// Signs members up and prints tins.
  func begin(members: UInt32, tins: UInt64) async throws -> [String] {
    for member in 0..<members { try await submit(.signUp(member: member, state: nil)) }
    try await submit(.printTins(run: 0, through: tins))
    return try await ask { machine in
      (0..<tins).map { machine.codes.code(ofSerial: $0).text }
    }
  }

  /// The whole state as it would be saved.
  func saved() async throws -> Data { try await ask { try? $0.saved() } ?? Data() }

  /// Audits the folder, whose service is closed.
  ///
  /// - Returns: What is wrong.
  func audit() throws -> [String] {
    let scratch = folder.appending(path: "scratch")
    try? FileManager.default.removeItem(at: scratch)
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    let plan = try plan()
    let copy = folder.appending(path: "copy")
    var faults: [String] = []
    if database != nil {
      try? FileManager.default.removeItem(at: copy)
      try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
      faults = try place.copy(BlakJaksProgramme.self, frame: plan.frame, in: copy)
    }
    return try ServiceAudit(
      BlakJaksProgramme.self, folder: database == nil ? folder : copy, frame: plan.frame,
      settings: plan.settings, scratch: scratch, faults: faults
    ).problems.map(\.description)
  }
}
