import BlakJaks
// Goal: a comparison says in words what is real, what is not shown, and what no run has.
// Method: replications made by hand.
import Experiments
import Foundation
import Quantities
import Reports
import RewardModel
import TestSupport
import Testing

@Suite struct ComparisonTextTests {
  /// Pairs of tins sold, and of the USDT that the one accepted scan cost, or the microunits
  /// with the unit 1; nil where none was.
  private func comparison(
    _ tins: [(Int64, Int64)], costs: [(Int64?, Int64?)], unit: Int64 = 1_000_000,
    spends: [(Int64, Int64)]? = nil
  ) throws -> ScenarioComparison {
    let measured = MeasuredFigures(BlakJaksProgramme.figures)
    let sample = try SampleRun.year(days: 1)
    func replication(
      _ index: Int, _ tins: Int64, _ cost: Int64?, _ spend: Int64?
    ) -> Replication {
      var record = sample
      record.tinsSold = tins
      record.acceptedScans = cost == nil ? 0 : 1
      record.payouts = [
        BlakJaksRecord.PayoutRow(
          type: "scan_reward", count: 1,
          total: MicroUSDT(microunits: (cost ?? 0) * unit), shareBasisPoints: 10_000)
      ]
      if let spend {
        for month in record.months.indices {
          record.months[month].budget = MicroUSDT(microunits: 100_000_000)
          record.months[month].spendAccrual = MicroUSDT(microunits: spend * 1_000_000)
          record.months[month].spendCash = record.months[month].spendAccrual
        }
      }
      return Replication(
        record, of: BlakJaksProgramme.self, index: index, measured: measured, fingerprint: "")
    }
    return try ScenarioComparison(
      tins.indices.map { replication($0, tins[$0].0, costs[$0].0, spends?[$0].0) },
      tins.indices.map { replication($0, tins[$0].1, costs[$0].1, spends?[$0].1) },
      measured: measured, settings: [])
  }

  private func line(_ text: String, _ name: String) throws -> String {
    String(try #require(text.split(separator: "\n").first { $0.hasPrefix(name) }))
  }

  @Test("Verdicts are words, few pairs are counted, and absent figures are listed")
  func verdicts() throws {
    let tins = (Int64(0)..<8).map { ($0, $0 + 10 + $0 % 3) }
    let comparison = try comparison(
      tins, costs: (Int64(0)..<8).map { $0 < 3 ? (1, $0) : (nil, 1) })
    let text = ComparisonText.text(comparison, names: ("a", "b"), folder: "f", colour: false)
    #expect(try line(text, "Tins sold").hasSuffix("higher"))
    #expect(
      try line(text, "Payouts for each scan, USDT").hasSuffix("not shown, 3 pairs have it"))
    let page = ComparisonPage.html(comparison, names: ("a", "b"), plotly: .cdn, source: nil)
    #expect(page.contains("not shown, 3 pairs have it") && page.contains("Without a value: "))
    let words = text.replacing("\n", with: " ")
    #expect(words.contains("Without a value: ") && words.contains("Runway, member wallet"))
    let notes = text.split(separator: "\n").filter { !$0.contains("  ") }
    #expect(notes.count >= 5 && notes.allSatisfy { DisplayText.width(String($0)) <= 96 })
    let json = ComparisonText.json(comparison, names: ("a", "b"))
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let absent = try #require(object["absent"] as? [String])
    #expect(absent.contains("runway.wallet_member") && !absent.contains("tins.sold"))
    let figures = try #require(object["figures"] as? [[String: Any]])
    func pairs(_ name: String) -> Int? {
      figures.first { $0["name"] as? String == name }?["pairs"] as? Int
    }
    #expect(pairs("tins.sold") == 8 && pairs("cost_per_scan.total") == 3)
  }

  @Test("A figure that only one side has says how many replications of each have it")
  func oneSided() throws {
    let tins = (Int64(0)..<4).map { ($0, $0) }
    let comparison = try comparison(tins, costs: tins.map { ($0.0, nil) })
    let text = ComparisonText.text(comparison, names: ("a", "b"), folder: "f", colour: false)
      .replacing("\n", with: " ")
    let page = ComparisonPage.html(comparison, names: ("a", "b"), plotly: .cdn, source: nil)
    for words in [text, page] {
      let without = try #require(words.split(separator: "Without a value: ").last)
      #expect(words.contains("Payouts for each scan, USDT (4 of 4 in a, 0 in b)"))
      #expect(!without.prefix { $0 != "." }.contains("Payouts for each scan, USDT"))
    }
    #expect(
      ComparisonText.json(comparison, names: ("a", "b")).replacing(/\s+/, with: " ")
        .contains("\"name\": \"cost_per_scan.total\", \"first\": 4, \"second\": 0"))
  }

  @Test("What rounding alone moves has no sign and no reduction by trillions")
  func rounding() throws {
    let tins = (Int64(0)..<8).map { ($0, $0) }
    let comparison = try comparison(
      tins,
      costs: (Int64(1)...8).map { eighth -> (Int64?, Int64?) in
        let cost = eighth * 1_000_000_000
        return (cost, cost - eighth % 2)
      }, unit: 1)
    let text = ComparisonText.text(comparison, names: ("a", "b"), folder: "f", colour: false)
    let line = try line(text, "Payouts for each scan, USDT")
    #expect(line.contains(" 0.00 ") && !line.contains("-0.00") && line.contains("> 1,000 ×"))
  }

  @Test("Differences of shares are in points, and those of money in money")
  func points() throws {
    let tins = (Int64(0)..<8).map { (100 + $0, 200 + $0) }
    let comparison = try comparison(
      tins, costs: tins.map { _ in (1, 1) }, spends: tins.map { (40 + $0.0 % 3, 80 + $0.0 % 5) })
    let share = try #require(
      comparison.rows.first {
        $0.figure.unit == .share && $0.pair.variantMean != $0.pair.baselineMean
      })
    let text = ComparisonText.text(comparison, names: ("a", "b"), folder: "f", colour: false)
    let points = String(
      format: "%+.1f points", (share.pair.variantMean - share.pair.baselineMean) * 100)
    #expect(try line(text, share.figure.title).contains(points), "\(points)")
    #expect(try !line(text, "Tins sold").contains("points"))
    let page = ComparisonPage.html(comparison, names: ("a", "b"), plotly: .cdn, source: nil)
    #expect(page.contains(points))
  }

  @Test("A difference that all pairs have is said to be in every pair, without an interval")
  func constant() throws {
    let comparison = try comparison(
      (Int64(0)..<16).map { (7 + $0, 4 + $0) }, costs: (Int64(0)..<16).map { ($0, $0 + $0 % 3) })
    let text = ComparisonText.text(comparison, names: ("a", "b"), folder: "f", colour: false)
    let tins = try line(text, "Tins sold")
    #expect(tins.contains(" -3  in every pair ") && tins.hasSuffix("lower"))
    #expect(try !line(text, "Payouts for each scan, USDT").contains("in every pair"))
    #expect(text.contains("in every pair: the difference is the same in all pairs"))
    let page = ComparisonPage.html(comparison, names: ("a", "b"), plotly: .cdn, source: nil)
    #expect(page.contains("<td class=\"n\">-3</td><td class=\"n\">in every pair</td>"))
    let json = ComparisonText.json(comparison, names: ("a", "b")).replacing(/\s+/, with: " ")
    #expect(json.contains(#""difference": -3.0, "half_width": null, "family_half_width": null"#))
    #expect(ComparisonPage.csv(comparison).contains("tins.sold,14.5,11.5,-3.0,,,lower,16\n"))
  }

  @Test("Small counts have the decimals with which the difference is that of the sides")
  func decimalsOfCounts() throws {
    func tins(_ pairs: [(Int64, Int64)]) throws -> String {
      let comparison = try comparison(pairs, costs: pairs.map { _ in (1, 1) })
      let page = ComparisonPage.html(comparison, names: ("a", "b"), plotly: .cdn, source: nil)
      let text = ComparisonText.text(comparison, names: ("a", "b"), folder: "f", colour: false)
      let words = try line(text, "Tins sold").split(separator: " ").dropFirst(2).prefix(3)
      let cells = words.map { "<td class=\"n\">\($0)</td>" }.joined()
      #expect(page.contains(cells), "\(words)")
      return words.joined(separator: " ")
    }
    // 15 and 4 of 20: 0.8 and 0.2 are not 0.5 apart.
    for (first, second) in [(15, 4), (7, 12), (3, 18)] as [(Int64, Int64)] {
      let rare = (Int64(0)..<20).map { ($0 < first ? Int64(1) : 0, $0 < second ? Int64(1) : 0) }
      let seen = try tins(rare).split(separator: " ").compactMap { Double($0) }
      #expect(seen.count == 3 && abs(seen[1] - seen[0] - seen[2]) < 1e-9, "\(seen)")
    }
    #expect(try tins([(1, 3), (2, 3), (1, 3), (2, 4)]) == "1.50 3.25 1.75")
    #expect(try tins([(1, 2), (2, 2), (1, 3), (2, 4)]) == "1.50 2.75 1.25")
    #expect(try tins([(1, 2), (2, 2)]) == "1.5 2 0.5")
  }

  @Test("Equal sides are the same")
  func same() throws {
    let comparison = try comparison([(1, 1), (2, 2)], costs: [(1, 1), (1, 1)])
    let text = ComparisonText.text(comparison, names: ("a", "b"), folder: "f", colour: false)
    let tins = try line(text, "Tins sold")
    #expect(tins.hasSuffix("same") && tins.contains(" 0  in every pair "))
  }

  @Test("The page draws the real differences in percent of the first mean, and only those")
  func page() throws {
    let tins: [(Int64, Int64)] = (Int64(0)..<8).map { (100 + $0, 109 + $0 + $0 % 3) }
    let comparison = try comparison(tins, costs: tins.map { _ in (1, 1) })
    let page = ComparisonPage.html(
      comparison, names: ("<i>a</i>", "b"), plotly: .cdn, source: nil)
    #expect(page.contains("id=\"plot-differences\"") && page.contains("\"Tins sold\""))
    // 79 tins more in eight pairs, of a mean of 103.5.
    #expect(page.contains("\"x\":[9.54"))
    #expect(!page.contains("<i>a"))
    for id in ["differences", "figures"] { #expect(page.contains("href=\"#\(id)\"")) }
    let same = try self.comparison(tins.map { ($0.0, $0.0) }, costs: tins.map { _ in (1, 1) })
    let none = ComparisonPage.html(same, names: ("a", "b"), plotly: .cdn, source: nil)
    #expect(!none.contains("plot-differences") && none.contains("Tins sold"))
  }

  @Test("A difference that would flatten all others is in the table only, and the page says so")
  func wideDifference() throws {
    func page(_ tins: [(Int64, Int64)]) throws -> String {
      let comparison = try comparison(
        tins, costs: tins.map { _ in (1, 1) }, spends: (Int64(0)..<8).map { (40, 41 + $0 % 2) })
      let wide = try #require(comparison.rows.first { $0.name == "tins.sold" })
      #expect(wide.verdict.isReal)
      return ComparisonPage.html(comparison, names: ("a", "b"), plotly: .cdn, source: nil)
    }
    let drawn = "\"Tins sold\""
    let much = try page((Int64(0)..<8).map { (100, 190 + 20 * ($0 % 3)) })
    #expect(
      !much.contains(drawn)
        && much.contains("1 more is in the table of figures only: 1 of them would flatten"))
    #expect(much.contains("id=\"plot-differences\"") && much.contains(">Tins sold<"))
    let little = try page((Int64(0)..<8).map { (100, 105 + $0 % 3) })
    #expect(little.contains(drawn) && !little.contains("in the table of figures"))
  }

  @Test("The page of a comparison draws its plot", .needsBrowser, .needsPlotly)
  func plotIsDrawn() throws {
    let chromium = try #require(Browser.find())
    let source = try #require(plotlyOfCheckout())
    let tins: [(Int64, Int64)] = (Int64(0)..<8).map { (100 + $0, 109 + $0 + $0 % 3) }
    let page = ComparisonPage.html(
      try comparison(tins, costs: tins.map { _ in (1, 1) }), names: ("a", "b"), plotly: .inline,
      source: source)
    let document = try chromium.document(of: [(name: "report.html", contents: Data(page.utf8))])
    #expect(document.count(of: "data-errors=\"\"") == 1)
    #expect(document.count(of: "class=\"plot js-plotly-plot\"") == 1)
  }
}
