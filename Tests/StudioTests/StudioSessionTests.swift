// Goal: every move is shown at once, with the figures that 'project', 'compare' and 'solve' have.
// Method: sessions of small scenarios; their figures against replications that are run apart.
import Experiments
import Foundation
import Quantities
import Reports
import RewardModel
import Scenario
import Synchronization
import TestSupport
import Testing

@testable import Studio

@Suite(.tags(.slow, .alone)) struct StudioSessionTests {
  private func session(
    _ text: String = SmallScenario.text, limit: Int = 8
  ) throws -> StudioSession {
    try StudioSession(text: text, file: "small.yaml", threads: 2, limit: limit)
  }

  /// The mean of a figure over replications that are run apart from any session.
  private func mean(
    _ figure: String, _ overrides: [String] = [], count: Int = 8, text: String = SmallScenario.text
  ) throws -> Double {
    let scenario = try Scenario.load(
      text: text, file: "small.yaml", overrides: overrides.map { SettingOverride(argument: $0) })
    let runner = ReplicationRunner(try scenario.plan(), asked: [figure], threads: 2)
    let row = try #require(runner.measured.row(of: figure))
    let values = try #require(try runner.run(0..<count)).compactMap { $0.figures[row] }
    return values.reduce(0, +) / Double(values.count)
  }

  @Test("The first picture is of one replication, and they sharpen to the limit")
  func sharpens() async throws {
    // Whoever waits may miss a picture on a busy machine; who watches gets each of them.
    let shown = Mutex<[Data]>([])
    let session = try StudioSession(
      text: SmallScenario.text, file: "small.yaml", threads: 2, limit: 6
    ) { picture in shown.withLock { $0.append(picture) } }
    defer { session.stop() }
    let last = try await session.settled()
    #expect(last.count == 6 && session.counts.a == 6)
    let pictures = try shown.withLock { $0 }.map { try ReceivedPicture($0) }
    #expect(pictures.map(\.count) == [0, 1, 2, 4, 6])
    #expect(pictures.map(\.isRunning) == [true, true, true, true, false])
  }

  @Test("What a session has nothing to do with is looked at, too, in each scenario that it opens")
  func screened() throws {
    func open(_ text: String) throws -> StudioSession {
      try StudioSession(
        text: text, file: "small.yaml", threads: 1, limit: 2,
        screen: { (scenario) throws(InputErrors) in
          guard !scenario.check.kinds.isEmpty else { return }
          throw InputErrors([scenario.finding(at: "check.faults[0]", "is no fault")])
        })
    }
    let other = "name: other\ncheck: {faults: [nothing 0.5]}\n"
    #expect(throws: InputErrors.self) { _ = try open(other) }
    let session = try open(SmallScenario.text)
    defer { session.stop() }
    let before = session.scenario.canonicalText
    let refusal = #expect(throws: StudioRefusal.self) { try session.open(other, file: "o.yaml") }
    #expect(refusal?.message.contains("is no fault") == true, "\(String(describing: refusal))")
    #expect(session.scenario.canonicalText == before)
  }

  @Test("The report is the one that 'project' writes")
  func report() async throws {
    let session = try session(limit: 12)
    defer { session.stop() }
    _ = try await session.settled()
    let scenario = try Scenario.load(text: SmallScenario.text, file: "small.yaml")
    let runner = ReplicationRunner(try scenario.plan(), threads: 1)
    let fold = try #require(
      try Projector(runner, target: .replications(12), antithetic: .auto, controls: true)
        .run { _, _ in true })
    let projection = Projection(
      fold, seed: 7, dates: runner.plan.frame.calendar.dates.map(\.description))
    let page = ProjectionPage.html(
      projection, scenario: "small", description: "", settings: runner.plan.frame.settings,
      plotly: .cdn, source: nil)
    #expect(try session.report(plotly: .cdn, source: nil) == page)
  }

  @Test("A move shows the figures of the new settings, in the direction that they move them")
  func moves() async throws {
    let session = try session()
    defer { session.stop() }
    func cost(_ picture: ReceivedPicture) throws -> String {
      let a = try #require(picture.json["a"] as? [String: Any])
      let cards = try #require((a["picture"] as? [String: Any])?["cards"] as? [[String: Any]])
      return try #require(cards.first?["value"] as? String)
    }
    func number(_ text: String) throws -> Double {
      try #require(Double(text.replacing(",", with: "")))
    }
    let before = try number(try cost(try await session.settled()))
    let moved = try session.move("rules.scan_reward.base", to: "0.8")
    #expect(moved.rows.map(\.path) == ["rules.scan_reward.base"] && !moved.isWhole)
    #expect(moved.rows.first?.mark == "set" && moved.rows.first?.isMoved == true)
    let after = try number(try cost(try await session.settled()))
    #expect(after > before * 1.5)
  }

  @Test("A refused value changes nothing and says what the reader says")
  func refuses() throws {
    let session = try session()
    defer { session.stop() }
    let before = session.scenario.canonicalText
    let revision = session.settings.revision
    for (path, value) in [
      ("rules.comp_pool.share", "130 %"), ("rules.guarantee.amount", "much"),
      ("rules.guarante.amount", "5"), ("rules.states[999].tax", "1 %"), ("", ""), ("name", ""),
    ] {
      let refusal = #expect(throws: StudioRefusal.self) { try session.move(path, to: value) }
      let errors = #expect(throws: InputErrors.self) {
        try Scenario.load(
          text: SmallScenario.text, file: "small.yaml",
          overrides: [SettingOverride(path: path, value: value, source: "studio")])
      }
      let message = try #require(errors?.findings.first?.message)
      #expect(refusal?.message.contains(message) == true, "\(path): \(refusal?.message ?? "")")
    }
    #expect(session.scenario.canonicalText == before && session.settings.revision == revision)
  }

  @Test("More members than a page takes are refused")
  func members() throws {
    let session = try session()
    defer { session.stop() }
    let refusal = #expect(throws: StudioRefusal.self) {
      try session.move("population.members", to: "3000000")
    }
    #expect(refusal?.message.contains("2000000") == true)
    #expect(throws: StudioRefusal.self) {
      _ = try StudioSession(
        text: "name: a\npopulation: {members: 3000000}\n", file: "a.yaml", threads: 1)
    }
  }

  @Test(
    "So are more members than 'uncertain' may draw, until they are set by hand",
    arguments: [
      ("uniform(100, 3000000)", true), ("* lognormal(1, 1)", true), ("uniform(100, 200)", false),
      ("* lognormal(1, 1) within 0.5 to 2", false), ("discrete(100 = 1, 2000001 = 0.001)", true),
    ])
  func drawnMembers(law: String, isRefused: Bool) throws {
    let text = """
      name: a
      population: {members: 1000}
      calendar: {days: 20}
      uncertain: ["population.members ~ \(law)"]
      """
    func check(_ set: [String] = []) throws {
      try StudioSession.check(
        try Scenario.load(
          text: text, file: "a.yaml", overrides: set.map { SettingOverride(argument: $0) }))
    }
    let refusal: StudioRefusal?
    do {
      try check()
      refusal = nil
    } catch { refusal = error as? StudioRefusal }
    #expect((refusal != nil) == isRefused)
    #expect(refusal.map { $0.message.contains("'uncertain' can draw") } ?? true)
    try check(["population.members=500"])
  }

  @Test("Undo goes back to what was opened, and a group that is switched off comes back")
  func undo() throws {
    let session = try session()
    defer { session.stop() }
    let before = session.scenario.canonicalText
    try session.move("rules.guarantee.amount", to: "5")
    try session.move("rules.guarantee.amount", to: nil)
    #expect(session.scenario.canonicalText == before)
    #expect(session.settings.rows.allSatisfy { !$0.isMoved })
    let off = try session.move("population.season", to: "none")
    #expect(off.isWhole && !off.rows.contains { $0.path == "population.season.hours" })
    #expect(try session.move("population.season", to: "on").isWhole)
    #expect(session.scenario.canonicalText == before)
    // A file that says none is switched on by hand.
    try session.open("name: a\npopulation: {season: none}\n", file: "a.yaml")
    try session.move("population.season", to: "on")
    #expect(session.settings.rows.contains { $0.path == "population.season.hours" })
  }

  @Test("An entry of a list is copied under a free name, and removed")
  func lists() throws {
    let studio = try session()
    let before = studio.scenario.rows(at: "rules.prizes[*].name").map(\.valueText)
    _ = try studio.move("rules.prizes[1].amount", to: "750")
    _ = try studio.changeList("rules.prizes[1]", isCopied: true)
    var names = studio.scenario.rows(at: "rules.prizes[*].name").map(\.valueText)
    #expect(names.count == before.count + 1)
    #expect(names[2] == "\(before[1]) 2" && names[1] == before[1] && names[3] == before[2])
    let amounts = studio.scenario.rows(at: "rules.prizes[*].amount").map(\.valueText)
    #expect(amounts[1] == amounts[2] && amounts[1].hasPrefix("750"))
    _ = try studio.changeList("rules.prizes[1]", isCopied: true)
    names = studio.scenario.rows(at: "rules.prizes[*].name").map(\.valueText)
    #expect(names[2] == "\(before[1]) 3" && Set(names).count == names.count)
    for _ in 0..<3 { _ = try studio.changeList("rules.prizes[1]", isCopied: false) }
    names = studio.scenario.rows(at: "rules.prizes[*].name").map(\.valueText)
    #expect(names == [before[0]] + before[2...])
    for entry in [
      "rules.prizes[99]", "rules.prizes", "rules.prizes[-1]", "rules.nothing[0]", "[", "",
    ] {
      #expect(throws: StudioRefusal.self, "\(entry)") {
        _ = try studio.changeList(entry, isCopied: false)
      }
    }
    #expect(studio.scenario.rows(at: "rules.prizes[*].name").count == before.count - 1)
    _ = try studio.move("rules.prizes", to: nil)
    #expect(studio.scenario.rows(at: "rules.prizes[*].name").map(\.valueText) == before)
    for _ in before { _ = try studio.changeList("rules.prizes[0]", isCopied: false) }
    let empty = studio.settings.rows.filter { $0.path.hasPrefix("rules.prizes") }
    #expect(empty.map(\.path) == ["rules.prizes"] && empty[0].isMoved)
    #expect(empty.map(\.group) == ["rules.prizes"], "where its entries were, with an undo")
  }

  @Test("A and B run with the same luck: their difference is that of paired replications")
  func sameLuck() async throws {
    let session = try session()
    defer { session.stop() }
    _ = try await session.settled()
    session.keep()
    try session.move("rules.scan_reward.base", to: "0.4")
    let picture = try await session.picture {
      $0.revision == 2 && $0.comparison["pairs"] as? Int == 8
    }
    let settings = try #require(picture.comparison["settings"] as? [[String: String]])
    #expect(settings == [["path": "rules.scan_reward.base", "a": "0.4", "b": "0.2"]])
    let rows = try #require(picture.comparison["rows"] as? [[String: String]])
    let id = session.scenario.figures.choices.cost
    let (a, b) = (try mean(id, ["rules.scan_reward.base=0.4"]), try mean(id))
    #expect(rows.first?["a"] == FigureText.money(a) && rows.first?["b"] == FigureText.money(b))
    #expect(rows.first?["difference"]?.hasPrefix("+\(FigureText.money(a - b)) ± ") == true)
    #expect(rows.first?["verdict"] == "higher")
    // What does not touch the cost makes no difference at all.
    try session.move("rules.scan_reward.base", to: nil)
    try session.move("rules.feed.large_scan", to: "999")
    let same = try await session.picture {
      $0.revision == 4 && $0.comparison["pairs"] as? Int == 8
    }
    #expect(
      same.comparison["headline"] as? String
        == "A and B cost the same in 8 replications with the same luck.")
  }

  @Test("With another seed B runs again, so that the luck stays the same")
  func anotherSeed() async throws {
    let session = try session()
    defer { session.stop() }
    _ = try await session.settled()
    session.keep()
    try session.move("seed", to: "99")
    let picture = try await session.picture {
      $0.revision == 2 && $0.comparison["pairs"] as? Int == 8
    }
    #expect((picture.comparison["headline"] as? String)?.hasPrefix("A and B cost the same") == true)
    session.drop()
    #expect(session.counts.b == nil)
    #expect(throws: StudioRefusal.self) { try session.restore() }
  }

  @Test("Going back to B has the settings that were kept")
  func restores() async throws {
    let session = try session()
    defer { session.stop() }
    try session.move("rules.guarantee.amount", to: "33")
    let kept = session.scenario.canonicalText
    session.keep()
    try session.move("rules.guarantee.amount", to: "44")
    try session.restore()
    #expect(session.scenario.canonicalText == kept)
  }

  @Test("What was moved before B was kept can be undone after going back to it")
  func undoesAfterGoingBack() async throws {
    let session = try session()
    defer { session.stop() }
    let opened = session.scenario.canonicalText
    try session.move("rules.guarantee.amount", to: "33")
    session.keep()
    try session.move("rules.guarantee.amount", to: "44")
    try session.restore()
    #expect(session.settings.rows.filter(\.isMoved).map(\.path) == ["rules.guarantee.amount"])
    try session.move("rules.guarantee.amount", to: nil)
    #expect(session.scenario.canonicalText == opened)
    // B of a scenario that was opened before goes back to that one.
    try session.open("name: other\nseed: 5\n", file: "other.yaml")
    try session.restore()
    #expect(session.scenario.name != "other" && session.file != "other.yaml")
    try session.move("rules.guarantee.amount", to: nil)
    #expect(session.scenario.canonicalText == opened)
  }

  @Test("A saved file says only what differs from the defaults")
  func savesDifferences() async throws {
    let session = try session()
    defer { session.stop() }
    let before = session.yaml
    try session.move("rules.prizes[0].every", to: "1")
    try session.move("population.tins.scanned", to: "0.5")
    #expect(session.yaml.contains("prizes:") && session.yaml.contains("scanned: 50 %"))
    try session.move("rules.prizes[0].every", to: "500")
    try session.move("population.tins.scanned", to: "0.6")
    #expect(session.yaml == before)
  }

  @Test("Another program begins with its own defaults, and B of the first is let go")
  func programme() async throws {
    let session = try session()
    defer { session.stop() }
    session.keep()
    let moved = try session.move("programme", to: "embera")
    #expect(moved.isWhole && session.scenario.programme.id == "embera")
    #expect(session.counts.b == nil && session.settings.programme != "BlakJaks")
    try session.move("population.members", to: "100")
    _ = try await session.picture { $0.count > 0 && $0.revision == 3 }
  }

  @Test("What is held does not grow with the number of moves")
  func holdsNoMore() async throws {
    let session = try session()
    defer { session.stop() }
    session.keep()
    for move in 0..<120 {
      try session.move("rules.guarantee.amount", to: "\(move % 50)")
      if move.isMultiple(of: 3) {
        try session.move("rules.scan_reward.base", to: "0.\(move % 9 + 1)")
      }
      if move.isMultiple(of: 40) { _ = try await session.picture { $0.count > 0 } }
      if move.isMultiple(of: 50) { session.keep() }
    }
    _ = try await session.settled()
    let held = session.state.withLock { state in
      (
        moves: state.moves.count, waiting: state.waiting.count, a: state.a.sum.figures.count,
        b: state.b?.sum.figures.count ?? 0, bytes: state.picture.count
      )
    }
    #expect(held.moves == 2 && held.waiting == 0 && held.a == 8 && held.b <= 8)
    #expect(held.bytes < 200_000)
    #expect(session.publishing.withLock { $0.count } <= 2)
  }

  @Test("What is saved loads to the same settings, for every scenario of the house")
  func saves() throws {
    let folder = Checkout.scenarios
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.count > 10)
    for name in names where name.hasSuffix(".yaml") {
      let scenario = try Scenario.load(path: folder.appending(path: name).path)
      let again = try Scenario.load(text: scenario.writtenYAML(head: ["a"]), file: name)
      #expect(again.canonicalText == scenario.canonicalText, "\(name)")
    }
    let session = try session()
    defer { session.stop() }
    try session.move("rules.prizes[1].every", to: "7000")
    try session.move("description", to: "what: if [this]?")
    let again = try Scenario.load(text: session.yaml, file: "again.yaml")
    #expect(again.canonicalText == session.scenario.canonicalText)
    try session.open(
      "name: a\nuncertain: [\"rules.prizes[*].every ~ * uniform(1, 4)\"]\n", file: "a.yaml")
    try session.move("rules.prizes[1].every", to: "7000")
    let certain = try Scenario.load(text: session.yaml, file: "again.yaml")
    #expect(certain.uncertain.map(\.except) == [["rules.prizes[1].every"]])
  }

  @Test("A file that is refused shows every finding and leaves what was open")
  func opens() throws {
    let session = try session()
    defer { session.stop() }
    let before = session.scenario.canonicalText
    let refusal = #expect(throws: StudioRefusal.self) {
      try session.open("name: a\nrules:\n  guarante: {}\nseed: x\n", file: "mine.yaml")
    }
    #expect(refusal?.message.contains("mine.yaml:3:3: rules.guarante") == true)
    #expect(refusal?.message.contains("mine.yaml:4:7: seed") == true)
    #expect(session.scenario.canonicalText == before)
    try session.open("name: other\npopulation: {members: 50}\n", file: "mine.yaml")
    #expect(session.scenario.name == "other")
  }
}
