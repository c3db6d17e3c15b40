// Goal: a projection draws what is uncertain for each replication, and anybody can run such a
// replication again by hand.
// Method: real worlds of few members; replications against runs with their drawn settings set by hand.
import Experiments
import Foundation
import RewardModel
import Scenario
import TestSupport
import Testing

@testable import BlakJaks

@Suite(.tags(.slow)) struct UncertainProjectionTests {
  private static let entries = """
    uncertain:
      - population.tins.scanned ~ triangular(40 %, 60 %, 80 %)
      - economy.gross_profit ~ uniform(1.2, 2.8)

    """

  private static func text(_ entries: String) -> String {
    "name: unsure\nseed: 7\npopulation: {members: 80}\ncalendar: {days: 60}\n" + entries
  }

  private func runner(
    _ entries: String = Self.entries, set: [String] = []
  ) throws -> ReplicationRunner {
    let scenario = try Scenario.load(
      text: Self.text(entries), file: "u.yaml",
      overrides: set.map { SettingOverride(argument: $0) })
    var runner = try smallRunner(scenario)
    runner.inputs = try UncertainInputs(scenario)
    return runner
  }

  @Test("A replication is the run of its seed with what was drawn for it")
  func replay() throws {
    let replications = try #require(try runner().run(0..<4))
    for replication in replications {
      #expect(replication.drawn.numbers.count == 2)
      let scenario = try Scenario.load(
        text: Self.text(""), file: "u.yaml",
        overrides: (replication.drawn.texts + ["seed=\(replication.seed)"])
          .map { SettingOverride(argument: $0) })
      let again = try #require(try smallRunner(scenario).run(0..<1))
      #expect(again[0].fingerprint == replication.fingerprint, "\(replication.drawn.texts)")
    }
    #expect(Set(replications.map(\.drawn.numbers)).count == 4)
  }

  @Test("What was drawn of words is a word, and of numbers none")
  func words() throws {
    let replications = try #require(
      try runner(
        "uncertain: [\"rules.comp_pool.recognition ~ discrete(accrual = 1, cash = 1)\", "
          + "\"rules.tiers.vip ~ discrete(7 = 1, 9 = 1)\", "
          + "\"economy.gross_profit ~ uniform(2, 3)\"]\n"
      ).run(0..<12))
    for replication in replications {
      let drawn = replication.drawn
      let word = try #require(drawn.words[0])
      #expect(drawn.texts[0] == "rules.comp_pool.recognition=\(word)")
      #expect(drawn.words.dropFirst().allSatisfy { $0 == nil } && drawn.words.count == 3)
    }
    #expect(Set(replications.map { $0.drawn.words[0] }) == ["accrual", "cash"])
  }

  @Test("Settings move together where they are correlated or drawn from one file")
  func together() throws {
    func areTogether(_ entries: String, set: [String] = []) throws -> Bool? {
      try runner(entries, set: set).inputs?.areTogether
    }
    let correlated =
      Self.entries
      + "correlated: [\"population.tins.scanned and economy.gross_profit = 0.9\"]\n"
    #expect(try areTogether(Self.entries) == false)
    #expect(try areTogether(correlated) == true)
    #expect(try areTogether(correlated, set: ["economy.gross_profit=2"]) == false)
    #expect(try areTogether(correlated.replacing("0.9", with: "0")) == false)
    let fold = try #require(
      try Projector(runner(correlated), target: .replications(4)).run { _, _ in true })
    #expect(Projection(fold, seed: 7, dates: []).areTogether)
  }

  @Test("Two scenarios of one seed draw the same, and a certain one has the luck of before")
  func commonNumbers() throws {
    let one = try #require(try runner().run(0..<3))
    let other = try #require(try runner(set: ["rules.payouts.retries=2"]).run(0..<3))
    #expect(one.map(\.drawn) == other.map(\.drawn) && one.map(\.seed) == other.map(\.seed))
    let certain = try #require(try runner("").run(0..<3))
    #expect(certain.map(\.seed) == one.map(\.seed))
    #expect(certain.allSatisfy { $0.drawn.numbers.isEmpty })
  }

  @Test("The projection tells luck from not knowing, and what is set by hand is not drawn")
  func spread() throws {
    let fold = try #require(
      try Projector(runner(), target: .replications(30)).run { _, _ in true })
    let projection = Projection(fold, seed: 7, dates: [])
    #expect(projection.count == 30 && projection.repeated == 20)
    #expect(projection.uncertain == ["population.tins.scanned", "economy.gross_profit"])
    let used = try #require(
      projection.spreads.first {
        $0.figure.id == projection.measured.catalog.choices.utilisation
      })
    #expect(used.influences.count == 2 && used.parts.unknown > 0 && used.parts.luck > 0)
    // More gross profit allows more, so that less of the budget is used.
    let profit = try #require(used.influences.first { $0.path == "economy.gross_profit" })
    #expect(profit.correlation < -0.3)
    let narrow = try #require(
      try Projector(
        runner(set: ["economy.gross_profit=2"]), target: .replications(30)
      ).run { _, _ in true })
    #expect(narrow.uncertainty?.names == ["population.tins.scanned"])
    let certain = try #require(
      try Projector(runner(""), target: .replications(4)).run { _, _ in true })
    #expect(Projection(certain, seed: 7, dates: []).spreads.isEmpty)
  }

  @Test("The wider a distribution, the more of the spread it makes")
  func width() throws {
    func share(_ low: Int, _ high: Int) throws -> Double {
      let entry = "uncertain: [\"population.tins.scanned ~ uniform(\(low) %, \(high) %)\"]\n"
      let fold = try #require(
        try Projector(runner(entry), target: .replications(24)).run { _, _ in true })
      return try #require(fold.uncertainty?.spreads.first).parts.share.estimate
    }
    #expect(try share(10, 95) > share(58, 62))
  }

  @Test("A draw that is refused while replications run keeps its settings for the replay")
  func refusedDraw() throws {
    // Only scores up to 3 standard deviations away are tried beforehand.
    let entry = "uncertain: [\"rules.tiers.vip ~ discrete(7 = 0.999, 900 = 0.001)\"]\n"
    let runner = try runner(entry)
    let inputs = try #require(runner.inputs)
    let number = try #require(
      (0..<20_000).first {
        let seed = ReplicationRunner.seed(runner.plan.frame.seed, replication: $0)
        return inputs.draw(seed: seed).texts == ["rules.tiers.vip=900"]
      })
    #expect {
      _ = try runner.run(number..<number + 1)
    } throws: { error in
      (error as? ReplicationFailure)?.drawn.map { "\($0.path)=\($0.value)" }
        == ["rules.tiers.vip=900"]
    }
  }

  @Test("A draw that makes no scenario is refused before anything runs, and says what was drawn")
  func refused() throws {
    let entry = "uncertain: [\"rules.tiers.vip ~ uniform(1, 200)\"]\n"
    #expect {
      _ = try runner(entry)
    } throws: { error in
      "\(error)".contains("rules.tiers.vip=") && "\(error)".contains("drawn for 'uncertain'")
    }
  }
}
