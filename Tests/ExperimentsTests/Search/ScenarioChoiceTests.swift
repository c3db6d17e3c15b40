import BlakJaks
// Goal: a choice names the scenario with the best mean, and jobs answer in their order whatever
// the number of threads.
// Method: systems whose means are known, values drawn from a small generator; small worlds.
import Experiments
import Foundation
import Scenario
import TestSupport
import Testing

@Suite(.tags(.slow)) struct ScenarioChoiceTests {
  /// Means 3, 1 and 2 with the same triangular noise for all.
  private func value(_ system: Int, _ replication: Int) -> Double {
    [3.0, 1, 2][system] + Double((replication * 37 % 11)) / 50
      + Double((replication * (system + 3) % 7)) / 50
  }

  @Test(
    "The goal decides which mean is chosen",
    arguments: [(.smallest, 1, [1, 2, 0]), (.largest, 0, [0, 2, 1])]
      as [(RankingSelection.Goal, Int, [Int])])
  func goal(goal: RankingSelection.Goal, best: Int, ranking: [Int]) throws {
    let choice = try ScenarioChoice(
      names: ["a", "b", "c"], figure: figure("tins.sold"),
      try RankingSelection(systems: 3, indifference: 0.1, goal: goal, first: 10)
    ) { request in
      request.systems.map { system in request.replications.map { value(system, $0) } }
    }
    #expect(choice.selection.best == best)
    #expect(choice.best == ["a", "b", "c"][best])
    #expect(choice.ranking == ranking)
    #expect(choice.selection.isGuaranteed)
  }

  @Test func everySystemNeedsAName() throws {
    let procedure = try RankingSelection(systems: 3, indifference: 1, goal: .largest)
    #expect(throws: StatisticsError.lengths(name: "names", count: 2, needed: 3)) {
      try ScenarioChoice(names: ["a", "b"], figure: figure("tins.sold"), procedure) { _ in [] }
    }
  }

  @Test func jobsAnswerInTheirOrder() throws {
    let runners = try ["0.1", "0.4"].map { base in
      let scenario = try Scenario.load(
        text: "name: small\npopulation:\n  members: 50\ncalendar:\n  days: 40\n",
        file: "small.yaml",
        overrides: [SettingOverride(path: "rules.scan_reward.base", value: base)])
      return ReplicationRunner(
        try scenario.plan(), threads: 1)
    }
    let jobs = [1, 0, 2].flatMap { number in runners.map { ReplicationJob($0, number) } }
    let figure = "payouts.total"
    let one = try #require(try ReplicationJob.figures(jobs, figure, threads: 1))
    let three = try #require(try ReplicationJob.figures(jobs, figure, threads: 3))
    #expect(one == three)
    for (job, value) in zip(jobs, one) {
      let alone = try job.runner.run(job.number..<job.number + 1)?.first
      let row = try #require(job.runner.measured.row(of: figure))
      #expect(value == alone?.figures[row])
    }
    // The dearer scan reward costs more in every replication.
    for place in stride(from: 0, to: one.count, by: 2) {
      #expect(try #require(one[place]) < #require(one[place + 1]))
    }
    #expect(try ReplicationJob.figures(jobs, "no.such", threads: 1) == jobs.map { _ in nil })
    #expect(try ReplicationJob.figures(jobs, figure, threads: 1) { $0 < 2 } == nil)
    #expect(try ReplicationJob.figures([], figure, threads: 1) == [])
  }
}
