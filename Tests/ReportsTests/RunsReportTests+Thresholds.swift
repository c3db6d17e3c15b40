// What pages about runs say of their thresholds.
import BlakJaks
import Embera
import Reports
import RewardModel
import TestSupport
import Testing

extension RunsReportTests {
  @Test("What a run reached has the decimals that show on which side of its threshold it is")
  func decimalsOfThresholds() {
    func line(_ text: String, _ reached: Double) -> String {
      ThresholdWords.line(
        RunHeader.ThresholdRow(
          threshold: text, holds: false, figure: "budget.utilisation.year", reached: reached),
        of: RunHeader(programme: "blakjaks"), BlakJaksProgramme.figures)
    }
    let figure = "budget.utilisation.year"
    #expect(line("\(figure) <= 1.233", 1.23304) == "\(figure) <= 1.233; the run reached 123.304 %")
    #expect(line("\(figure) < 123.3 %", 1.24) == "\(figure) < 123.3 %; the run reached 124.0 %")
    // The bound of a probability is not the figure's.
    let event = "P(\(figure) > 1.233) <= 5 %"
    #expect(line(event, 1.23304) == "\(event); the run reached 123.3 %")
  }

  @Test("A bound that is a time has its unit, and a figure without a value says why it has none")
  func unitsOfThresholds() {
    func line(
      _ text: String, _ figure: String, _ reached: Double?, _ figures: FigureCatalog
    ) -> String {
      ThresholdWords.line(
        RunHeader.ThresholdRow(threshold: text, holds: false, figure: figure, reached: reached),
        of: RunHeader(programme: "blakjaks"), figures)
    }
    let lag = line("sync.lag_p95 < 2", "sync.lag_p95", 2_556, EmberaProgramme.figures)
    #expect(lag == "sync.lag_p95 < 2 s; the run reached 42.6 min")
    let day = "bank.first_shortfall_day > 30"
    #expect(
      line(day, "bank.first_shortfall_day", nil, BlakJaksProgramme.figures)
        == "\(day); the run reached no value: never short")
  }

  @Test("Of what a replay does not know a threshold says so, not that there is no budget")
  func thresholdsOfReplays() {
    var run = RunHeader(programme: "embera")
    func line(_ text: String, _ figure: String?) -> String {
      ThresholdWords.line(
        RunHeader.ThresholdRow(threshold: text, holds: false, figure: figure, reached: nil),
        of: run, EmberaProgramme.figures)
    }
    let use = "reward.utilisation"
    #expect(line("\(use) < 1", use).contains("it has no budget to compare with"))
    run.source = .history
    #expect(line("\(use) < 1", use) == "\(use) < 1; a replay does not know what rewards cost")
    let event = "P(critical) <= 5 %"
    #expect(line(event, nil) == "\(event); a replay does not know what rewards cost")
  }

  @Test("Thresholds of several runs stand side by side, and those of one run below its sections")
  func thresholds() throws {
    func row(_ text: String, _ holds: Bool, _ reached: Double?, _ figure: String? = "members.total")
      -> RunHeader.ThresholdRow
    {
      RunHeader.ThresholdRow(threshold: text, holds: holds, figure: figure, reached: reached)
    }
    var runs = try three()
    #expect(runsPage(runs).count(of: "id=\"thresholds\"") == 0)
    runs[0].1.thresholds = [
      row("members.total < 5", false, 12), row("members.total > 1", true, 12),
    ]
    runs[1].1.thresholds = [
      row("members.total < 5", true, 4), row("P(critical) <= 5 %", false, 1, nil),
    ]
    let page = runsPage(runs)
    #expect(sections(page).prefix(3) == ["differences", "headlines", "thresholds"])
    #expect(page.count(of: "href=\"#thresholds\"") == 1)
    #expect(page.count(of: "A a: 1 of 2 thresholds is missed.") == 1)
    #expect(page.count(of: "B b: 1 of 2 thresholds is missed.") == 1)
    #expect(page.count(of: "C c: ") == 0)
    let table = try PageTable("Thresholds", in: page)
    #expect(
      table.rows == [
        ["Threshold", "A a", "B b", "C c"],
        [
          "members.total < 5", "missed|the run reached 12", "holds|the run reached 4",
          "–|not asked of this run",
        ],
        [
          "members.total > 1", "holds|the run reached 12", "–|not asked of this run",
          "–|not asked of this run",
        ],
        [
          "P(critical) <= 5 %", "–|not asked of this run", "missed|it happened",
          "–|not asked of this run",
        ],
      ])
    let one = runsPage([runs[0]])
    #expect(one.count(of: "1 of 2 thresholds is missed.") == 1)
    // In the color of what is bad, which the style sheet has.
    #expect(one.contains("class=\"bad\">missed") || one.contains("class=\"bad\">1 of 2"))
    #expect(!one.contains("class=\"warn\""))
    #expect(one.count(of: "href=\"#thresholds\"") == 1)
    #expect(try PageTable("Thresholds", in: one).row("members.total < 5")[1] == "missed")
  }
}
