import BlakJaks
// Goal: sensitivity analysis names the settings that move a figure, and only those; the settings
// of a point are those that the axes say.
// Method: formulas with indices known in closed form, then small worlds with a figure that can
// depend on one setting only.
import EventKernel
import Experiments
import Foundation
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite(.tags(.slow)) struct SensitivityAnalysisTests {
  private func axes(_ count: Int) throws -> [SettingAxis] {
    try (0..<count).map { try SettingAxis("axis.\($0)=0.0..1.0") }
  }

  private func values(
    _ points: [[DesignCoordinate?]], standard: Double = 0.5, _ model: ([Double]) -> Double
  ) -> [Double] {
    points.map { point in model(point.map { $0?.plotted ?? standard }) }
  }

  @Test func aSumHasTheSharesOfItsSquaredWeights() throws {
    var plan = SensitivityAnalysis.Plan()
    plan.base = 1_024
    plan.keep = 2
    let weights = [1.0, 0, 4, 0.1, 3]
    var evaluated = 0
    let analysis = try SensitivityAnalysis(axes(5), figure: figure("tins.sold"), plan: plan) {
      points in
      evaluated += points.count
      return values(points) { zip($0, weights).reduce(0) { $0 + $1.0 * $1.1 } }
    }
    #expect(analysis.rows.map(\.axis.path) == [2, 4, 0, 3, 1].map { "axis.\($0)" })
    #expect(abs(analysis.standard - 4.05) < 1e-12)
    for (row, weight) in zip(analysis.rows, [4.0, 3, 1, 0.1, 0]) {
      #expect(abs(row.effect.size.mean - weight) < 1e-9)
      #expect(row.effect.deviation < 1e-9)
    }
    #expect(analysis.rows.map(\.verdict) == [.steady, .steady, .steady, .little, .noEffect])
    // Of 16 / 12 + 9 / 12, the axes left out stand still.
    let variance = try #require(analysis.variance)
    #expect(abs(variance - 25.0 / 12) < 0.02)
    for (row, share) in zip(analysis.rows, [16.0 / 25, 9.0 / 25]) {
      let index = try #require(row.index)
      #expect(abs(index.first.estimate - share) < 0.02)
      #expect(abs(index.total.estimate - share) < 0.02)
    }
    #expect(analysis.rows.dropFirst(2).allSatisfy { $0.index == nil })
    #expect(analysis.points == evaluated)
    #expect(evaluated == plan.pointsMaximum(axes: 5))
  }

  @Test func aProductIsUnevenAndItsTotalsExceedTheFirst() throws {
    var plan = SensitivityAnalysis.Plan()
    plan.base = 1_024
    plan.trajectories = 40
    // (x − 1/2)(y − 1/2): no axis does anything alone, together they do all.
    let analysis = try SensitivityAnalysis(axes(2), figure: figure("tins.sold"), plan: plan) {
      points in
      values(points) { ($0[0] - 0.5) * ($0[1] - 0.5) }
    }
    for row in analysis.rows {
      #expect(row.verdict == .uneven)
      let index = try #require(row.index)
      #expect(abs(index.first.estimate) < 0.1)
      #expect(abs(index.total.estimate - 1) < 0.05)
    }
  }

  @Test("The effect of a whole number is over the step that it took")
  func wholeSteps() throws {
    let base = try Scenario.load(
      text: "name: small\npopulation: {members: 80}\ncalendar: {days: 60}\n", file: "s.yaml")
    let axes = try ["rules.prizes[0].every=100..101", "rules.prizes[1].every=200..202"].map {
      try SettingAxis($0).grained(like: base)
    }
    var plan = SensitivityAnalysis.Plan()
    plan.keep = 0
    let analysis = try SensitivityAnalysis(
      axes, figure: figure("tins.sold"), plan: plan, like: base
    ) { points in
      values(points) { 49.2 * ($0[0] - 100) + 10 * ($0[1] - 200) }
    }
    #expect(abs(analysis.rows[0].effect.size.mean - 49.2) < 1e-9)
    #expect(abs(analysis.rows[1].effect.size.mean - 20) < 1e-9)
    #expect(analysis.rows.allSatisfy { $0.effect.deviation < 1e-9 })
    // A factor on a small whole number moves it by what it is rounded to.
    let small = try Scenario.load(
      text: "name: small\npopulation: {members: 80}\ncalendar: {days: 60}\n", file: "s.yaml",
      overrides: [SettingOverride(path: "rules.prizes[0].every", value: "2")])
    let factor = try SettingAxis("rules.prizes[0].every=*0.5..*1.5").grained(like: small)
    let stretched = try SensitivityAnalysis(
      [factor], figure: figure("tins.sold"), plan: plan, like: small
    ) { points in
      try points.map { point in
        let value = try point[0].map { try factor.overrides($0, small)[0].value } ?? "2"
        return try #require(Double(value))
      }
    }
    #expect(abs(stretched.rows[0].effect.size.mean - 2) < 1e-9)
  }

  @Test func aConstantHasNoIndices() throws {
    let analysis = try SensitivityAnalysis(
      axes(3), figure: figure("tins.sold"), plan: SensitivityAnalysis.Plan()
    ) { points in points.map { _ in 7 } }
    #expect(analysis.rows.allSatisfy { $0.verdict == .noEffect && $0.index == nil })
    #expect(analysis.mean == nil && analysis.standard == 7)
    #expect(analysis.points == 1 + 10 * 4)
  }

  @Test func plansAndAxesOutOfRangeAreRefusedBeforeAnythingRuns() throws {
    var evaluated = 0
    func run(_ axes: [SettingAxis], _ edit: (inout SensitivityAnalysis.Plan) -> Void) throws {
      var plan = SensitivityAnalysis.Plan()
      edit(&plan)
      _ = try SensitivityAnalysis(axes, figure: figure("tins.sold"), plan: plan) { points in
        evaluated += 1
        return points.map { _ in 0 }
      }
    }
    let two = try axes(2)
    #expect(throws: StatisticsError.count(name: "trajectories", count: 1, allowed: 2...10_000)) {
      try run(two) { $0.trajectories = 1 }
    }
    #expect(throws: StatisticsError.count(name: "base", count: 7, allowed: 8...(1 << 20))) {
      try run(two) { $0.base = 7 }
    }
    #expect(throws: StatisticsError.duplicateAxis("axis.0")) { try run([two[0], two[0]]) { _ in } }
    #expect(throws: StatisticsError.count(name: "factors", count: 0, allowed: 1...1_000)) {
      try run([]) { _ in }
    }
    #expect(evaluated == 0)
  }

  @Test("The scan reward's cost depends on its base amount, not on prizes that nobody wins")
  func scanRewardCost() throws {
    let text = "name: small\npopulation:\n  members: 80\ncalendar:\n  days: 60\n"
    func load(_ overrides: [SettingOverride]) throws -> Scenario {
      try Scenario.load(text: text, file: "small.yaml", overrides: overrides)
    }
    let base = try load([])
    let figure = "cost_per_scan.scan_reward"
    let axes = try [
      "rules.prizes[*].amount=*0.5..*1.5", "rules.scan_reward.base=0.1..0.3",
      "rules.guarantee.amount=*0.5..*1.5",
    ].map { try SettingAxis($0) }
    var plan = SensitivityAnalysis.Plan()
    plan.trajectories = 3
    plan.base = 16
    plan.keep = 3
    let analysis = try SensitivityAnalysis(
      axes, figure: ExperimentsTests.figure(figure), plan: plan
    ) { points in
      let jobs = try points.map { point in
        let overrides = try zip(axes, point).flatMap { axis, coordinate in
          try coordinate.map { try axis.overrides($0, base) } ?? []
        }
        return ReplicationJob(
          ReplicationRunner(
            try load(overrides).plan(), threads: 1), 0)
      }
      let values = try #require(try ReplicationJob.figures(jobs, figure, threads: 2))
      return try values.map { try #require($0) }
    }
    let first = analysis.rows[0]
    #expect(first.axis.path == "rules.scan_reward.base")
    // What a scan costs is the base amount times the mean multiplier of those who scan, so that
    // from 0.1 to 0.3 it changes by just what it is at 0.2.
    #expect(analysis.standard >= 0.2 && analysis.standard < 0.4)
    #expect(abs(first.effect.size.mean - analysis.standard) < 1e-4)
    #expect(first.effect.deviation < 1e-4)
    #expect(first.verdict == .steady)
    let total = try #require(first.index?.total)
    #expect(abs(total.estimate - 1) < 0.15)
    #expect(analysis.rows.dropFirst().allSatisfy { $0.verdict == .noEffect && $0.index == nil })
  }

  @Test func theStandardAxesAreReadAtBothEnds() throws {
    let text =
      "name: small\npopulation:\n  tins:\n    scanned: 80 %\nrules:\n  guarantee:\n"
      + "    amount: 0\n"
    func load(_ overrides: [SettingOverride]) throws(InputErrors) -> Scenario {
      try Scenario.load(text: text, file: "small.yaml", overrides: overrides)
    }
    let base = try load([])
    let axes = StandardAxes.of(base.standardAxes, base) { (try? load($0)) != nil }
    // No factor changes 0, and 80 % times 1.5 is no share.
    #expect(axes.map(\.path) == base.standardAxes.filter { $0 != "rules.guarantee.amount" })
    #expect(axes.first { $0.path == "population.tins.scanned" }?.rangeText == "× 0.5 to × 1")
    #expect(axes.first { $0.path == "economy.gross_profit" }?.rangeText == "× 0.5 to × 1.5")
  }

  @Test(
    "A factor makes a value that the setting can hold",
    arguments: [
      ("economy.gross_profit", 0.765_432_1, "1.530864"), ("economy.gross_profit", 1, "2"),
      ("population.tins.per_week", 0.7, "1.75"), ("rules.comp_pool.share", 0.777_77, "38.89%"),
      ("rules.guarantee.minimum_scans", 0.5, "4"), ("population.tins.scanned", 0.777, "46.62%"),
      ("rules.prizes[*].every", 0.333_333, "167"),
    ] as [(String, Double, String)])
  func stretched(path: String, factor: Double, expected: String) throws {
    let base = try Scenario.load(text: "name: small\n", file: "small.yaml")
    let overrides = try SettingAxis("\(path)=*0.1..*2").overrides(factor, base)
    #expect(overrides.first?.value == expected)
    // And it reads back.
    _ = try Scenario.load(text: "name: small\n", file: "small.yaml", overrides: overrides)
  }

  @Test func aRangeOfAShareReadsAtEveryPoint() throws {
    let base = try Scenario.load(text: "name: small\n", file: "small.yaml")
    for text in ["rules.comp_pool.share=40%..60%", "rules.comp_pool.share=40 %..60 %"] {
      let overrides = try SettingAxis(text).overrides(46.123_456, base)
      #expect(overrides.map(\.value) == ["46.12%"])
      _ = try Scenario.load(text: "name: small\n", file: "small.yaml", overrides: overrides)
    }
  }

  @Test func whatIsNoNumberCannotBeStretched() throws {
    let base = try Scenario.load(text: "name: small\n", file: "small.yaml")
    for path in ["rules.guarantee.enabled", "calendar.zone", "no.such.setting"] {
      #expect(throws: SettingAxis.Refusal.self) {
        try SettingAxis("\(path)=*1..*2").overrides(1.5, base)
      }
    }
  }
}
