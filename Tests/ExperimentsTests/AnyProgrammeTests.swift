import Experiments
import Quantities
import RewardModel
// Goal: experiments work for any programme: they see plans, figures by id and samples alone.
// Method: a program of tossed coins, whose figures have a known distribution, against its own
// runs, added up plainly.
import Scenario
import Testing

@Suite struct AnyProgrammeTests {
  @Test("A projection of coins is what their runs add up to")
  func projection() throws {
    let plan = try ProgrammePlan<CoinProgramme>.coins()
    let runner = ReplicationRunner(
      plan, asked: ["peak.cost"], threads: 2, fingerprint: { "\($0.seed)" })
    let fold = try #require(
      try Projector(runner, target: .replications(40)).run { _, _ in true })
    let projection = Projection(fold, seed: 5, dates: plan.frame.calendar.dates.map(\.description))
    let records = try (0..<40).map { number in
      var plan = plan
      plan.frame.seed = ReplicationRunner.seed(5, replication: number)
      return try plan.simulate(threads: 1)
    }
    func mean(_ value: (CoinProgramme.Record) -> Double) -> Double {
      records.reduce(0) { $0 + value($1) } / 40
    }
    func estimate(_ id: String) throws -> Estimate {
      try #require(projection.figures.first { $0.name == id }).estimate
    }
    let heads = mean { Double($0.heads.reduce(0, +)) }
    #expect(near(try estimate("heads.total").mean, heads))
    #expect(near(try estimate("heads.cost").mean, heads))
    #expect(near(try estimate("peak.cost").mean, heads))
    #expect(near(try estimate("heads.share").mean, heads / (0.6 * 4_500)))
    // Binomial: 4,500 tosses have a mean of 2,250 and a deviation of 33.5; of 40 means 5.3.
    #expect(abs(heads - 2_250) < 5 * 5.3)
    #expect(projection.months.map(\.label) == ["2026-12", "2027-01"])
    #expect(
      near(
        projection.months[0].spendCash.mean, mean { Double($0.heads.prefix(31).reduce(0, +)) }))
    #expect(near(projection.months[1].budget.mean, 14 * 60))
    #expect(projection.events.map(\.kind) == ["penny"])
    #expect(near(projection.events[0].means.reduce(0, +), heads))
    // Half of the tosses over six tenths: every month is at about 83 % of its budget.
    #expect(projection.year?.warning.happened == 40)
    #expect(projection.highest.first.map { Double($0.number) } == Double(highest(records)))
    #expect(projection.measured.catalog.figure("heads.share")?.unit == .share)
  }

  private func highest(_ records: [CoinProgramme.Record]) -> Int {
    let sums = records.map { $0.heads.reduce(0, +) }
    return sums.firstIndex(of: sums.max() ?? 0) ?? -1
  }

  @Test("Conditions and searches see a program's own figures and health")
  func conditions() throws {
    let catalog = CoinProgramme.figures
    let measured = MeasuredFigures(catalog)
    let plan = try ProgrammePlan<CoinProgramme>.coins(heads: 0.58)
    let run = try #require(
      try ReplicationRunner(plan, threads: 1).run(0..<1)?.first)
    let critical = try Objective("P(critical) <= 0.05", figures: catalog)
    let sample = try #require(critical.sample(run, measured))
    let worst = try #require(run.months.compactMap(\.utilisation).max())
    #expect(near(sample.margin, worst - 0.9) && sample.value == 1)
    let mean = try Objective("mean(heads.total) < 9", figures: catalog)
    #expect(mean.value(run, measured) == run.figures[0])
    #expect(throws: Objective.Refusal.self) {
      try Objective("mean(scans.accepted) < 9", figures: catalog)
    }
    let goal = ConstrainedSolution.Goal(mostGenerousOf: catalog)
    #expect(goal.figure.id == "heads.total" && goal.isAssumed)
  }

  @Test("A misspelt figure is named with the one that was meant")
  func suggestions() throws {
    #expect(CoinProgramme.figures.nearest("head.total") == "heads.total")
    let refusal = try #require(throws: Objective.Refusal.self) {
      try Objective("mean(heads.totl) < 9", figures: CoinProgramme.figures)
    }
    #expect(refusal.description.hasSuffix("did you mean 'heads.total'?"))
  }
}
