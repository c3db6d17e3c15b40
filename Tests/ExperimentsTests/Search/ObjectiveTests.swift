import BlakJaks
// Goal: a condition is read as it is written, and its values are what replications say.
// Method: every form with its parts by hand; every refusal with its advice; values on replications
// of which everything is known.
import Experiments
import RewardModel
import Scenario
import Testing

@Suite struct ObjectiveTests {
  @Test("A probability of a month's status")
  func status() throws {
    let objective = try readObjective("P(critical) <= 0.05")
    #expect(objective.measure == .probability(.status(.critical, month: nil)))
    #expect(objective.comparison == .lessOrEqual)
    #expect(objective.bound == 0.05)
    #expect(objective.isProbability && objective.comparison.wantsLess)
    #expect(objective.figures.isEmpty)
    #expect(objective.text == "P(critical) <= 0.05")
    let month = try readObjective(" P( warning@2026-12 )>=5 %")
    #expect(month.measure == .probability(.status(.warning, month: "2026-12")))
    #expect(month.comparison == .moreOrEqual && month.bound == 0.05)
    #expect(month.month == "2026-12" && objective.month == nil)
    #expect(!month.comparison.wantsLess)
  }

  @Test("A probability of a figure, and a mean")
  func figures() throws {
    let event = try readObjective("P(budget.utilisation.max > 110 %) < 10%")
    #expect(event.measure == .probability(.figure("budget.utilisation.max", .more, 1.1)))
    #expect(event.comparison == .less && event.bound == 0.1)
    #expect(event.figures == ["budget.utilisation.max"])
    let mean = try readObjective("mean(series.trip_reserve) < 5_000_000")
    #expect(mean.measure == .mean("series.trip_reserve"))
    #expect(mean.bound == 5e6 && !mean.isProbability)
    #expect(mean.figures == ["series.trip_reserve"])
    #expect(try readObjective("mean(liability.chips) >= -1.5").bound == -1.5)
    #expect(
      try readObjective("P(tins.sold<=10)>0.5").measure
        == .probability(.figure("tins.sold", .lessOrEqual, 10)))
  }

  @Test("A percentile is a probability")
  func percentiles() throws {
    let most = try readObjective("p95(budget.utilisation.max) <= 1.1")
    #expect(most.measure == .probability(.figure("budget.utilisation.max", .more, 1.1)))
    #expect(most.comparison == .lessOrEqual && most.bound == 0.05)
    let least = try readObjective("p10(scans.accepted) > 500")
    #expect(least.measure == .probability(.figure("scans.accepted", .more, 500)))
    #expect(least.comparison == .moreOrEqual && least.bound == 0.9)
    #expect(most.isPercentile && least.isPercentile)
    #expect(try !readObjective("P(tins.sold > 5) <= 0.05").isPercentile)
    #expect(try !readObjective("mean(tins.sold) <= 5").isPercentile)
  }

  @Test("A percentile of whole numbers meets its bound as the sorted sample says")
  func wholePercentiles() throws {
    // 100 runs with 0 to 4 Critical months; ties at every bound.
    let counts = (0..<100).map { [0, 0, 0, 1, 1, 2, 2, 3, 3, 4][$0 % 10] }.map(Double.init)
    let sorted = counts.sorted()
    for percent in [5, 10, 25, 50, 60, 75, 90, 95] {
      // Of 100 values the percentile lies between these two; they differ where the share is
      // reached exactly, and then `<` and `<=` judge the lower, `>` and `>=` the upper.
      let (lower, upper) = (sorted[percent - 1], sorted[percent])
      for bound in [-1.0, 0, 1, 2, 3, 4, 5] {
        for (sign, expected) in [
          ("<=", lower <= bound), ("<", lower < bound), (">=", upper >= bound),
          (">", upper > bound),
        ] {
          let objective = try readObjective("p\(percent)(budget.months.critical) \(sign) \(bound)")
          guard case .probability(.figure(_, let event, let limit)) = objective.measure else {
            Issue.record("\(objective)")
            continue
          }
          let share = Double(counts.count { event.holds($0, limit) }) / 100
          #expect(
            objective.comparison.holds(share, objective.bound) == expected, "\(objective.text)")
        }
      }
    }
  }

  @Test(
    "What is no condition is refused with advice",
    arguments: [
      ("", "measures nothing"), ("critical <= 0.05", "measures nothing"),
      (") <= 1", "measures nothing"), ("P(critical)", "has no comparison"),
      ("P(critical) = 0.05", "has no comparison"), ("P(critical) <= much", "is not a number"),
      ("P(critical) <= nan", "is not a number"), ("mean(tins.sold) < inf", "is not a number"),
      ("P(critical) <= 5", "is not a probability"), ("P(critical) <= -0.1", "is not a probability"),
      ("P(tight) <= 0.1", "is not an event"), ("P() <= 0.1", "is not an event"),
      ("P(> 3) <= 0.1", "is not an event"), ("P(tins.sold > x) <= 0.1", "is not a number"),
      ("P(critical@) <= 0.1", "is not a month"), ("P(critical@2026-13) <= 0.1", "is not a month"),
      ("P(critical@December) <= 0.1", "is not a month"),
      ("median(tins.sold) < 1", "neither P, mean nor p1 to p99"),
      ("p0(tins.sold) < 1", "neither P, mean nor p1 to p99"),
      ("p100(tins.sold) < 1", "neither P, mean nor p1 to p99"),
      ("mean(budget.spend) < 1", "unknown figure 'budget.spend'"), ("mean() < 1", "unknown figure"),
      ("P(utilisation > 1) < 0.1", "unknown figure 'utilisation'"),
      ("p95(spend) < 1", "unknown figure 'spend'"),
      ("mean(series.trip_reserv) < 1", "did you mean 'trip_reserve'?"),
      ("P(peak.payouts.typo > 5) < 0.1", "no run has a daily series 'payouts.typo'"),
      ("mean(cost.total) <= 16000 %", "cost.total is in USDT; write a number in its unit"),
      ("mean(budget.utilisation.year) < 90", "'90' would be 9000 %; write 90 % or 9000 %"),
      ("P(budget.utilisation.max > 110) <= 5 %", "write 110 % or 11000 %"),
      ("P(tins.sold > 5%) <= 0.1", "tins.sold is a count; write a number in its unit"),
    ])
  func refusals(text: String, advice: String) {
    do throws(Objective.Refusal) {
      let objective = try readObjective(text)
      Issue.record("read as \(objective)")
    } catch { #expect(error.description.contains(advice), "\(error.description)") }
  }

  @Test("Values of replications")
  func values() throws {
    func value(_ text: String, _ run: HandmadeRun) throws -> Double? {
      try readObjective(text).value(run.replication(), measured)
    }
    let calm = HandmadeRun()
    let tight = HandmadeRun(spend: [40, 90], status: [.normal, .warning])
    let broken = HandmadeRun(spend: [120, 40], status: [.critical, .normal])
    let idle = HandmadeRun(spend: [0, 0], budget: [0, 0], status: [nil, nil])
    for (text, expected) in [
      ("P(critical) <= 0.1", [0, 0, 1, 0]), ("P(warning) <= 0.1", [0, 1, 1, 0]),
      ("P(critical@2026-12) <= 0.1", [0, 0, 1, 0]), ("P(critical@2027-01) <= 0.1", [0, 0, 0, 0]),
      ("P(warning@2027-01) <= 0.1", [0, 1, 0, 0]),
      ("P(budget.utilisation.max > 0.9) <= 0.1", [0, 0, 1, 0]),
      ("P(budget.utilisation.max >= 0.9) <= 0.1", [0, 1, 1, 0]),
      ("P(budget.spend.year < 130) <= 0.1", [1, 0, 0, 1]),
      ("P(budget.spend.year <= 130) <= 0.1", [1, 1, 0, 1]),
      ("p95(budget.spend.year) <= 130", [0, 0, 1, 0]),
    ] as [(String, [Double])] {
      #expect(try [calm, tight, broken, idle].map { try value(text, $0) } == expected, "\(text)")
    }
    #expect(try value("mean(budget.spend.year) < 1", broken) == 160)
    #expect(try value("mean(budget.utilisation.year) < 1", broken) == 0.8)
    #expect(try value("mean(budget.utilisation.year) < 1", idle) == nil, "without a budget")
    for sign in ["<=", "<", ">=", ">"] {
      let text = "p95(budget.utilisation.max) \(sign) 1"
      #expect(try [calm, tight, broken].allSatisfy { try value(text, $0) != nil })
      #expect(try value(text, idle) == nil, "without a budget there is no percentile of it")
    }
    #expect(try value("mean(series.payable.shop) < 1", calm) == nil, "nobody asked for it")
  }

  @Test(
    "Spend without a budget is over any budget, be it of the whole run or of a month",
    arguments: [[0, 0], [100, 0], [100, -100]] as [[Int64]])
  func withoutBudget(budget: [Int64]) throws {
    let run = HandmadeRun(
      spend: [40, 60], budget: budget, status: [budget[0] > 0 ? .normal : .critical, .critical])
    let figures = ["max", "mean", "p95"] + (budget.reduce(0, +) > 0 ? [] : ["year"])
    for figure in figures.map({ "budget.utilisation.\($0)" }) {
      for (event, expected) in [("> 300 %", 1.0), (">= 1", 1), ("<= 1", 0), ("< 300 %", 0)] {
        let objective = try readObjective("P(\(figure) \(event)) <= 5 %")
        #expect(objective.value(run.replication(), measured) == expected, "\(objective.text)")
        let margin = try #require(objective.sample(run.replication(), measured)).margin
        #expect(margin.isFinite && (margin > 0) == (expected == 1), "\(objective.text)")
      }
      let percentile = try readObjective("p95(\(figure)) <= 1")
      #expect(percentile.value(run.replication(), measured) == 1, "\(figure)")
      let mean = try readObjective("mean(\(figure)) <= 1")
      #expect(mean.value(run.replication(), measured) == nil, "no number says how far over it is")
    }
    let runs = [HandmadeRun(), run, run].enumerated().map { $1.replication($0) }
    let known = try #require(try readObjective("mean(budget.utilisation.max) <= 1").figure)
    let gaps = try #require(FigureGaps(known, runs, measured))
    #expect(gaps.infinite == 2 && gaps.absent == 0 && gaps.count == 3)
    #expect(gaps.seed == runs[1].seed && FigureGaps(known, [runs[0]], measured) == nil)
    let critical = try readObjective("P(critical) <= 5 %").sample(run.replication(), measured)
    #expect(critical?.value == 1 && (critical?.margin ?? 0) > 0)
  }
}
