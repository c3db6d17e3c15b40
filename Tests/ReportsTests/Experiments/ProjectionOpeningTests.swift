import BlakJaks
// Goal: what a projection says first is true of what it knows: how often a month closes Critical, and
// how sure its means are.
// Method: projections of replications made by hand.
import Experiments
import Foundation
import Quantities
import Reports
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite struct ProjectionOpeningTests {
  /// One replication for each cost, in whole USDT; the first ones close Critical.
  private func projection(
    _ costs: [Int64], critical: Int, antithetic: Antithetic = .off, uncertain: [String] = [],
    dates: [String] = ["2026-01-01"]
  ) throws -> Projection {
    let measured = MeasuredFigures(BlakJaksProgramme.figures)
    let sample = try SampleRun.year(days: 1)
    var fold = ProjectionFold(
      measured: measured, antithetic: antithetic, uncertain: uncertain)
    for (index, cost) in costs.enumerated() {
      var record = sample
      record.payouts = [
        BlakJaksRecord.PayoutRow(
          type: "scan_reward", count: 1, total: MicroUSDT(microunits: cost * 1_000_000),
          shareBasisPoints: 10_000)
      ]
      for month in record.months.indices {
        record.months[month].status = index < critical ? .critical : .normal
      }
      fold.add(
        Replication(
          record, of: BlakJaksProgramme.self, index: index, measured: measured, fingerprint: ""))
    }
    return Projection(fold, seed: 1, dates: dates)
  }

  @Test("A month that was run in part has a star, in text and page")
  func partialMonths() throws {
    let whole = try projection([100, 101], critical: 0, dates: ["2026-01-01", "2026-01-31"])
    let cases = [("2026-01-02", "2026-01-31"), ("2026-01-01", "2026-01-30")]
    let parts = try cases.map {
      try projection([100, 101], critical: 0, dates: [$0.0, $0.1])
    }
    let month = try #require(whole.months.first).label
    #expect(!text(whole).contains("\(month)*") && !text(whole).contains("partial month"))
    #expect(!page(whole).contains("\(month)*") && !page(whole).contains("was run in part"))
    for part in parts {
      #expect(part.periods.map(\.name) == ["\(month)*", "Whole run"])
      let words = text(part).split { $0.isWhitespace }.joined(separator: " ")
      #expect(words.contains("\(month)* ") && words.contains("* partial month."))
      #expect(page(part).contains("\(month)*<") && page(part).contains("was run in part"))
    }
  }

  @Test("One replication shows no spread")
  func oneReplication() throws {
    #expect(text(try projection([100], critical: 0)).contains("one replication shows no spread"))
    #expect(text(try projection([100, 101], critical: 0)).contains("spread below is luck alone"))
  }

  private func page(_ projection: Projection) -> String {
    ProjectionPage.html(
      projection, scenario: "s", description: "", settings: [], plotly: .cdn, source: nil)
  }

  private func text(_ projection: Projection, _ ranking: AssumptionRanking? = nil) -> String {
    ProjectionText.text(
      projection, scenario: "s", overrides: "", folder: nil, assumptions: ranking, colour: false)
  }

  @Test("Text wraps to a narrow terminal, above the tables and below")
  func narrow() throws {
    let text = ProjectionText.text(
      try projection([100, 101, 102], critical: 1), scenario: "a-scenario-of-some-length",
      overrides: "", folder: nil, width: 60, colour: false)
    let blocks = text.split(separator: "\n\n").map { $0.split(separator: "\n") }
    let notes = try #require(blocks.first { $0[0].hasPrefix("±: half-width") })
    for line in blocks[0] + notes { #expect(DisplayText.width(String(line)) <= 60, "\(line)") }
    #expect(notes.joined(separator: " ").contains("share of replications that close Warning"))
  }

  @Test(
    "The verdict says how often a month closes Critical, whatever bound that has",
    arguments: [
      (0, "No month closes Critical in any replication"),
      (4, "A month closes Critical in every replication"),
      (1, "A month closes Critical in 25 % of replications"),
    ])
  func verdict(critical: Int, words: String) throws {
    let projection = try projection([100, 101, 102, 103], critical: critical)
    #expect(text(projection).contains("\(words): the program costs"))
    let page = page(projection)
    #expect(page.contains(words) && page.contains("Chance that a month closes Critical"))
    #expect(!page.contains("Over budget in") && !page.contains("breaks its budget"))
  }

  @Test("One replication says what it cost, and not how often more is spent", arguments: [0, 1])
  func oneReplication(critical: Int) throws {
    // Besides what is awarded, the day sets 1.20 aside for trips.
    let projection = try projection([100], critical: critical)
    let words =
      "\(critical == 0 ? "No" : "A") month closes Critical: the program costs 101.20 USDT in one "
      + "replication; run more of them to see how much that varies."
    #expect(text(projection).replacing("\n", with: " ").contains(words), "\(text(projection))")
    #expect(page(projection).contains(words))
    #expect(!text(projection).contains("of 100 replications"))
  }

  @Test(
    "What 95 of 100 replications cost is told from 20 on; of fewer, what the dearest did",
    arguments: [19, 20])
  func most(count: Int) throws {
    let words = text(try projection((0..<Int64(count)).map { 100 + $0 }, critical: 0))
      .replacing("\n", with: " ")
    // Besides what is awarded, the day sets 1.20 aside for trips.
    #expect(words.contains("at most 119.20 in each of 19 replications.") == (count == 19))
    #expect(words.contains("in 95 of 100 replications.") == (count == 20))
  }

  @Test("A cost without an interval says that replications are too few")
  func missingIntervals() throws {
    let alone = page(try projection([100], critical: 0))
    #expect(alone.contains("one replication") && !alone.contains("A ± is wider"))
    let pair = page(try projection([100, 120], critical: 0, antithetic: .on))
    #expect(pair.contains("one pair of replications"))
    for last in [Int64(9_000), 102] {
      let costs = (0..<20).map { $0 == 19 ? last : 100 + Int64($0 % 3) }
      let page = page(try projection(costs, critical: 0))
      #expect(!page.contains("one replication") && !page.contains("one pair of replications"))
    }
  }

  @Test("A ± says how likely an event may be that no replication had")
  func unseen() throws {
    let projection = try projection((0..<20).map { 100 + $0 }, critical: 0)
    let words = "none of the 20 replications had may have a chance of up to 16.8 % in each"
    #expect(page(projection).contains(words))
    #expect(text(projection).replacing("\n", with: " ").contains(words))
    // The chance of a Critical month is such an event, and has the same interval.
    #expect(text(projection).contains("Any month closes Critical           0 %  (0 to 17 %)"))
    #expect(page(projection).contains("interval 0 to 17 %"))
  }

  @Test("However skewed the values are, the page and the file have their wider half-width")
  func skewedHalfWidths() throws {
    for last in [Int64(9_000), 101] {
      let costs = (0..<20).map { $0 == 19 ? last : 100 + Int64($0 % 3) }
      let projection = try projection(costs, critical: 0, antithetic: .on)
      let cost = try PageTable("Variance reduction", in: page(projection)).row("Cost in all")
      #expect(cost[1] != "–" && cost[2] != "–", "\(cost)")
      let json = try JSONSerialization.jsonObject(
        with: Data(ProjectionFiles.json(projection, scenario: "s").utf8))
      let figures = try #require((json as? [String: Any])?["figures"] as? [[String: Any]])
      let total = try #require(figures.first { $0["name"] as? String == "cost.total" })
      let plain = try #require(total["plain_half_width"] as? Double)
      let mean = Double(costs.reduce(0, +)) / 20
      let variance = costs.reduce(0) { $0 + pow(Double($1) - mean, 2) } / 19
      let widening = SkewedMean.widening(costs.map { Double($0) }, observations: 10)
      // Student's t at nineteen degrees of freedom.
      let half = 2.093024054408263 * (variance / 20).squareRoot() * widening
      #expect(abs(plain - half) < 1e-6 * half)
      #expect((total["half_width"] as? Double ?? 0) > 0)
    }
  }

  @Test("A cost that nothing moves is not taken for one of too few replications")
  func sameCost() throws {
    let price = ["economy.price"]
    let same = text(try projection([5, 5, 5, 5], critical: 0, uncertain: price))
    #expect(same.contains("but the cost is the same in every replication."), "\(same)")
    let few = text(try projection([5, 6, 7], critical: 0, uncertain: price))
    #expect(few.contains("but too few replications ran to tell luck from not knowing."))
  }

  @Test("A figure that is the same in every run has no ±")
  func constant() throws {
    for (costs, isConstant) in [([100, 100, 100], true), ([100, 101, 102], false)]
      as [([Int64], Bool)]
    {
      let projection = try projection(costs, critical: 0)
      let line = try #require(
        text(projection).split(separator: "\n").first { $0.hasPrefix("Cost in all") })
      #expect(line.contains(#/101\.20 +same /#) == isConstant, "\(line)")
      let cost = try PageTable("Figures", in: page(projection)).row("Cost in all, USDT")
      #expect((cost[2] == "same") == isConstant, "\(cost)")
      for words in [text(projection).replacing("\n", with: " "), page(projection)] {
        #expect(words.contains("same: all replications have the same value"))
        #expect(!isConstant || !words.contains("± 0"))
      }
    }
  }

  @Test("Where nothing was varied, nothing is said of what moves the cost")
  func emptyRanking() throws {
    let projection = try projection([100, 101], critical: 0)
    let figure = try #require(BlakJaksProgramme.figures.figure("cost.total"))
    func words(leftOut: Int) -> String {
      text(
        projection,
        AssumptionRanking(
          figure: figure, standard: 100, replications: 1, rows: [], leftOut: leftOut)
      ).replacing("\n", with: " ")
    }
    for count in [0, 2] { #expect(!words(leftOut: count).contains("None of the settings")) }
    #expect(words(leftOut: 2).contains("drawn from a file"))
    #expect(!words(leftOut: 0).contains("drawn from a file"))
  }
}
