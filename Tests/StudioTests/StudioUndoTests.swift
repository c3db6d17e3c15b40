// Goal: whatever is changed on the page can be taken back, and all pages of a session show the same.
// Method: sessions that are asked for their settings and pictures, before any replication has ended.
import Foundation
import Reports
import RewardModel
import Scenario
import TestSupport
import Testing

@testable import Studio

@Suite(.tags(.slow)) struct StudioUndoTests {
  private func session(_ text: String = SmallScenario.text) throws -> StudioSession {
    try StudioSession(text: text, file: "small.yaml", threads: 1, limit: 2)
  }

  private func row(_ path: String, _ session: StudioSession) throws -> StudioSettings.Row {
    try #require(session.settings.rows.first { $0.path == path })
  }

  @Test(
    "Another program is taken back with all that was set, opened and kept",
    arguments: [nil, "blakjaks"])
  func programme(undone: String?) throws {
    let session = try session()
    defer { session.stop() }
    try session.move("rules.guarantee.amount", to: "7")
    session.keep()
    try session.move("rules.guarantee.amount", to: "9")
    let before = session.scenario.canonicalText
    try session.move("programme", to: "embera")
    #expect(session.counts.b == nil)
    #expect(try row("programme", session).isMoved)
    try session.move("population.members", to: "500")
    try session.move("programme", to: undone)
    #expect(session.scenario.canonicalText == before)
    #expect(
      try !row("programme", session).isMoved && row("rules.guarantee.amount", session).isMoved)
    try session.restore()
    #expect(session.scenario.rows(at: "rules.guarantee.amount").first?.valueText == "7")
    // To choose what is chosen is a move as any other.
    try session.move("programme", to: "blakjaks")
    #expect(try row("programme", session).isMoved)
    try session.move("programme", to: nil)
    #expect(try !row("programme", session).isMoved)
    // A file that is opened has nothing to take back.
    try session.move("programme", to: "embera")
    try session.open("name: b\n", file: "b.yaml")
    #expect(try !row("programme", session).isMoved)
  }

  @Test("A list that was changed as a whole says so at its entries, and goes back as a whole")
  func lists() throws {
    let session = try session()
    defer { session.stop() }
    let before = session.scenario.canonicalText
    let path = "rules.prizes[1].every"
    try session.move(path, to: "9000")
    #expect(try row(path, session).changedList == nil)
    _ = try session.changeList("rules.prizes[1]", isCopied: true)
    #expect(try row(path, session).changedList == "rules.prizes")
    #expect(try row("rules.guarantee.amount", session).changedList == nil)
    try session.move("rules.prizes", to: nil)
    #expect(session.scenario.canonicalText == before)
    #expect(try row(path, session).changedList == nil)
  }

  @Test(
    "An uncertain setting is certain once it is set, to the value shown too, and drawn again once undone"
  )
  func uncertain() throws {
    let path = "population.tins.scanned"
    let session = try session(
      SmallScenario.text + "\nuncertain: [\"\(path) ~ triangular(40 %, 60 %, 80 %)\"]\n")
    defer { session.stop() }
    let shown = try row(path, session)
    let file = session.yaml
    #expect(shown.uncertain?.hasPrefix("Uncertain: each replication draws") == true)
    for values in [[shown.control.value], ["61 %", shown.control.value]] {
      for value in values { try session.move(path, to: value) }
      #expect(try row(path, session).uncertain?.hasPrefix("Uncertain until you set it") == true)
      #expect(!session.yaml.contains("triangular"))
      try session.move(path, to: nil)
      #expect(try row(path, session) == shown)
      #expect(session.yaml == file)
    }
  }

  @Test("A move is told to all pages at once, before its first replication")
  func heard() async throws {
    let session = try StudioSession(
      text: SmallScenario.huge, file: "huge.yaml", threads: 1, limit: 2)
    defer { session.stop() }
    let before = try ReceivedPicture(await session.picture(after: -1, seconds: 5).json)
    try session.move("population.members", to: "400001")
    let after = try ReceivedPicture(await session.picture(after: before.version, seconds: 5).json)
    #expect(after.revision == before.revision + 1)
  }

  @Test("The report names what the command line set, unless it was moved since")
  func given() async throws {
    let session = try StudioSession(
      text: SmallScenario.text, file: "small.yaml", threads: 2, limit: 2,
      given: ["population.members=120", "calendar.days=70"])
    defer { session.stop() }
    try session.move("calendar.days", to: "60")
    _ = try await session.settled()
    let page = try session.report(plotly: .cdn, source: nil)
    #expect(page.contains("population.members=120, calendar.days=60"))
    #expect(!page.contains("calendar.days=70"))
  }

  @Test("A search says which setting it is of, and ends with the program that it was of")
  func searches() async throws {
    let session = try session()
    defer { session.stop() }
    try session.seek(
      .init(
        path: "rules.guarantee.amount", low: "0", high: "60",
        condition: "mean(cost.total) < 1000000"))
    let told = try await session.picture {
      let state = $0.search["state"] as? String
      return state != nil && state != "running"
    }
    #expect(told.search["path"] as? String == "rules.guarantee.amount")
    try session.move("programme", to: "embera")
    let after = try await session.picture { $0.revision > told.revision }
    #expect(after.search.isEmpty)
  }
}
