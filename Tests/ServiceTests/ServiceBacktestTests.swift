// A service's journal under other rules, held against the service itself where the rules are the
// same and against arithmetic where they are not.
import Foundation
import GRDB
import Quantities
import RewardModel
import Scenario
import Service
import Testing

@testable import BlakJaks

@Suite("A service's past under other rules")
struct ServiceBacktestTests {
  /// A service that has taken scans, orders, withdrawals and three weeks, and is closed.
  private func past() async throws -> (ServiceFixture, [MachineFigure]) {
    let service = try ServiceFixture()
    let codes = try await service.begin(members: 4, tins: 600)
    for (place, code) in codes.enumerated() {
      try await service.submit(.scan(member: UInt32(place % 4), code: code))
      if place % 9 == 0 { try await service.advance(.hours(8)) }
    }
    try await service.submit(.placeOrder(member: 1, number: 1, tins: 3))
    try await service.submit(.withdraw(member: 0, amount: MicroUSDT(microunits: 6_000_000)))
    try await service.advance(.days(2))
    let figures = try await service.ask { $0.figures }
    service.close()
    return (service, figures)
  }

  private func backtest(_ service: ServiceFixture, _ other: String) throws -> ServiceBacktest {
    let recorded = try service.plan()
    let plan = try ServiceFixture.plan(of: "name: service\nseed: 7\n" + other)
    return try ServiceBacktest(
      BlakJaksProgramme.self, folder: service.folder,
      recorded: (recorded.frame, recorded.settings), other: (plan.frame, plan.settings))
  }

  @Test("The same rules give the service's own figures, on both sides")
  func sameRules() async throws {
    let (service, figures) = try await past()
    let backtest = try backtest(service, "")
    #expect(backtest.figures.map(\.name) == figures.map(\.name))
    #expect(backtest.figures.map(\.recorded) == figures.map(\.value))
    #expect(backtest.figures.map(\.other) == figures.map(\.value))
    #expect(backtest.requests == 4 + 1 + 600 + 2)
    #expect(backtest.answeredOtherwise == 0)
    // Two days follow the last of them, with midnights and mornings that nobody asked for.
    let span = try #require(backtest.span)
    #expect(span.upperBound + .days(2) <= service.clock.now)
    // The folder is as it was.
    #expect(try service.audit() == [])
  }

  @Test("Twice the scan reward pays twice as much for the same scans, and nothing else changes")
  func twiceTheReward() async throws {
    let (service, _) = try await past()
    let backtest = try backtest(service, "rules:\n  scan_reward:\n    base: 0.40\n")
    func figure(_ name: String) throws -> ServiceBacktest.Figure {
      try #require(backtest.figures.first { $0.name == name })
    }
    let rewards = try figure("Scan rewards")
    #expect(rewards.recorded > 0)
    #expect(rewards.other == 2 * rewards.recorded)
    for name in ["Accepted scans", "Members", "Crypto comps", "Trips", "Members who are VIP"] {
      let figure = try figure(name)
      #expect(figure.recorded == figure.other, Comment(rawValue: name))
    }
  }

  @Test("A folder without a service, in use, or of another program is refused")
  func refusals() async throws {
    let (service, _) = try await past()
    let plan = try service.plan()
    let rules = (plan.frame, plan.settings)
    let nowhere = service.folder.appending(path: "nowhere")
    #expect(throws: ServiceError.missing(path: nowhere.path)) {
      try ServiceBacktest(
        BlakJaksProgramme.self, folder: nowhere, recorded: rules, other: rules)
    }
    #expect(!FileManager.default.fileExists(atPath: nowhere.path))
    try service.open()
    #expect(throws: ServiceError.taken(path: service.folder.path)) {
      try backtest(service, "")
    }
    service.close()
    let file = service.folder.appending(path: "service.sqlite").path
    // The service's last connections may still be closing.
    var patient = Configuration()
    patient.busyMode = .timeout(30)
    let database = try DatabaseQueue(path: file, configuration: patient)
    try await database.write { try $0.execute(sql: "UPDATE service SET programme = 'embera'") }
    try database.close()
    #expect(throws: ServiceError.otherFile(path: file, found: "embera, version 2")) {
      try backtest(service, "")
    }
  }

  @Test("A journal without a start of its service is refused")
  func withoutStart() async throws {
    let service = try ServiceFixture()
    _ = try await service.begin(members: 1, tins: 1)
    service.close()
    let file = service.folder.appending(path: "service.sqlite").path
    // The service's last connections may still be closing.
    var patient = Configuration()
    patient.busyMode = .timeout(30)
    let database = try DatabaseQueue(path: file, configuration: patient)
    try await database.write { try $0.execute(sql: "UPDATE service SET started_us = NULL") }
    try database.close()
    #expect(throws: ServiceError.damaged(path: file)) { try backtest(service, "") }
  }
}
