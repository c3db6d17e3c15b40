import BlakJaks
import Experiments
import Foundation
import Reports
// Goal: what a sweep and a comparison print says what was run and what the numbers mean.
// Method: text of estimates made by hand.
import RewardModel
import Testing

@Suite struct SweepTextTests {
  private func sweep(_ values: [[Double]], axis: String = "a.b") -> Sweep {
    let measured = MeasuredFigures(BlakJaksProgramme.figures)
    return Sweep(
      axes: [axis],
      rows: values.enumerated().map { place, numbers in
        SweepRow(
          values: ["\(place)"], places: [Double(place)],
          estimates: measured.names.map { _ in Estimate(numbers) })
      }, measured: measured)
  }

  private func text(
    _ sweep: Sweep, replications: Int, figures: [String] = ["cost_per_scan.trip"], width: Int = 100
  ) -> String {
    SweepText.text(
      sweep, scenario: "s", replications: replications, figures: figures, folder: "f", width: width,
      colour: false)
  }

  @Test("A table that is wider than the terminal becomes one a figure, with the same numbers")
  func width() {
    let figures = ["tins.sold", "scans.accepted", "members.total"]
    let sweep = sweep([[1, 2], [3, 4]])
    let wide = text(sweep, replications: 2, figures: figures, width: 120)
    let narrow = text(sweep, replications: 2, figures: figures, width: 40)
    let head = wide.split(separator: "\n").first { $0.hasPrefix("a.b") } ?? ""
    #expect(["Tins sold", "Accepted scans", "Members"].allSatisfy(head.contains), "\(wide)")
    for name in ["a.b  Tins sold", "a.b  Accepted scans", "a.b  Members"] {
      #expect(narrow.contains(name), "\(narrow)")
    }
    #expect(narrow.split(separator: "1.5").count == 4 && wide.split(separator: "1.5").count == 4)
  }

  @Test("The text counts points and replications and explains the half-width")
  func counts() {
    let one = text(sweep([[1]]), replications: 1)
    #expect(one.contains("Sweep of s  1 point, 1 replication each with the same random numbers"))
    let many = text(sweep([[1, 2], [3, 4]]), replications: 1_200)
    #expect(many.contains("2 points, 1,200 replications each"))
    #expect(many.contains("±: half-width of the 95 % interval of the mean"))
    // A part of a figure is named with the whole.
    #expect(many.contains("Payouts for each scan, trips"))
  }

  @Test("A number that all replications have is told as the same, without an interval")
  func constant() {
    let words = "same: all replications have the same value"
    for (values, isConstant) in [([[3.0, 3], [1, 2]], true), ([[3], [1, 2]], false)] {
      let sweep = sweep(values)
      let text = text(sweep, replications: 2).replacing("\n", with: " ")
      let page = SweepPage.html(
        sweep, scenario: "s", replications: 2, figures: ["tins.sold"], plotly: .cdn, source: nil)
      #expect(text.contains(words) == isConstant && page.contains(words) == isConstant)
      #expect(text.contains(#/3\.00 +same /#) == isConstant, "\(text)")
      #expect(
        page.contains("<td class=\"n\">3</td><td class=\"n\">same</td>") == isConstant)
    }
  }

  @Test("What was set is in text, page and JSON, whatever it holds")
  func set() {
    let set = SetWords(["population.members=300", "rules.note=<b>"])
    #expect(set.text(width: 100) == "Set here   population.members=300, rules.note=<b>\n")
    let page = SweepPage.html(
      sweep([[1, 3]]), scenario: "s", replications: 2, figures: ["tins.sold"], plotly: .cdn,
      source: nil, set: set)
    #expect(page.contains("Set here: population.members=300, rules.note=&lt;b&gt;"))
    #expect(page.contains("How members behave is an assumption of the scenario"))
    #expect(page.contains("±: half-width of the 95 % interval of the mean. –: one replication"))
    let json = SweepText.json(sweep([[1, 3]]), set: set)
    #expect(json.contains(#""set""#) && json.contains(#""population.members=300""#))
    #expect(SetWords().text(width: 100).isEmpty)
    #expect(SetWords(["a=1", "b=2", "a=3"]) == SetWords(["b=2", "a=3"]), "the last one counts")
    let many = SetWords((0..<20).map { "population.purchase.a\($0)=0.5" })
    for (width, most) in [(120, 96), (100, 96), (60, 60)] {
      let lines = many.text(width: width).split(separator: "\n")
      #expect(lines.allSatisfy { (most - 30...most).contains($0.count) || $0 == lines.last })
      #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("           p") })
    }
    let (one, named, all) = ("r.p[0].every=5", "r.p.Trip A.every=6", "r.p[*].every=7")
    #expect(SetWords([one, named, "r.p[1].cost=1", all]) == SetWords(["r.p[1].cost=1", all]))
    #expect(SetWords([all, one, named]).text(width: 100).contains("\(all), \(one), \(named)"))
    #expect(SetWords([one, all, "r.p=[]", "r.pay=2"]) == SetWords(["r.p=[]", "r.pay=2"]))
    let group = SetWords([one, "r.p={every: 1}"])
    #expect(group.text(width: 100).contains(one), "a group leaves other settings")
  }

  @Test("The columns of the file are numbers, with their unit in the heading")
  func numbers() throws {
    let measured = MeasuredFigures(BlakJaksProgramme.figures)
    func csv(_ values: [String]) -> [Substring] {
      Sweep(
        axes: ["a.b"],
        rows: values.map {
          SweepRow(
            values: [$0], places: [0], estimates: measured.names.map { _ in Estimate([1, 2]) })
        }, measured: measured
      ).csv.split(separator: "\n")
    }
    for (values, heading, cells) in [
      (["60 %", "80%"], "a.b (%)", ["60", "80"]), (["× 1", "× 2.5"], "a.b (×)", ["1", "2.5"]),
      (["0.1", "-2"], "a.b", ["0.1", "-2"]), (["30 min", "90 min"], "a.b (min)", ["30", "90"]),
      (["1 h", "90 min"], "a.b", ["1 h", "90 min"]), (["shop", "none"], "a.b", ["shop", "none"]),
      (["9:00", "10:00"], "a.b", ["9:00", "10:00"]),
    ] {
      let lines = csv(values)
      #expect(lines[0].hasPrefix("point,\(heading),figure,mean"), "\(lines[0])")
      for (place, cell) in cells.enumerated() {
        #expect(lines[1 + place * measured.names.count].hasPrefix("\(place),\(cell),"))
      }
    }
  }

  @Test("Effects on a share are in points, and the symbols of a screening are explained")
  func effects() throws {
    let figure = try #require(BlakJaksProgramme.figures.figure("budget.utilisation.year"))
    var plan = SensitivityAnalysis.Plan()
    plan.keep = 0
    // Half as much again over the range of the one setting, and nothing over that of the other.
    let analysis = try SensitivityAnalysis(
      [try SettingAxis("a.b=0..10"), try SettingAxis("c.d=0..1")], figure: figure, plan: plan
    ) { points in points.map { 1 - ($0[0]?.plotted ?? 0) / 20 } }
    let text = SensitivityText.text(
      analysis, scenario: "s", folder: "f", width: 100, colour: false)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("a.b ") })
    #expect(line.contains(" 50.0 points ") && line.contains(" -50.0 points "), "\(line)")
    let page = SensitivityPage.html(analysis, scenario: "s", plotly: .cdn, source: nil)
    #expect(page.contains(">50.0 points</td>") && page.contains(">-50.0 points</td>"))
    for words in [text.replacing("\n", with: " "), page] {
      #expect(words.contains("μ*: mean size of the effect. ±: half-width of its 95 % interval."))
    }
  }

  @Test("A share alone that is shown as the share in all is told, with what it was")
  func capped() throws {
    let figure = try #require(BlakJaksProgramme.figures.figure("budget.utilisation.year"))
    var seen = 0
    for seed in UInt64(0)..<6 {
      var plan = SensitivityAnalysis.Plan()
      (plan.base, plan.seed) = (16, seed)
      let analysis = try SensitivityAnalysis(
        [try SettingAxis("a.b=0..10"), try SettingAxis("c.d=0..1")], figure: figure, plan: plan
      ) { points in points.map { 1 - $0.compactMap { $0?.plotted }.reduce(0, +) / 20 } }
      let capped = analysis.rows.compactMap { row in
        row.index?.firstBeforeCap.map { "\(row.axis.path) (\(String(format: "%.2f", $0)))" }
      }
      seen += capped.count
      let text = SensitivityText.text(analysis, scenario: "s", folder: "f", colour: false)
      let page = SensitivityPage.html(analysis, scenario: "s", plotly: .cdn, source: nil)
      for words in [text.replacing("\n", with: " "), page] {
        #expect(words.contains("First came out above Total, which few") == !capped.isEmpty)
        #expect(capped.allSatisfy(words.contains))
      }
    }
    #expect(seen > 0)
  }

  @Test("A mean says how many replications it is of where not all have the figure")
  func few() throws {
    let sweep = sweep([[1, 3], [2, 2, 2]])
    let page = SweepPage.html(
      sweep, scenario: "s", replications: 3, figures: ["cost_per_scan.trip"], plotly: .cdn,
      source: nil)
    for words in [text(sweep, replications: 3), page] {
      #expect(words.contains("2.00 (2 of 3)") && words.contains("(n of 3): replications that"))
      #expect(!words.contains("(3 of 3)"))
    }
    #expect(!text(sweep, replications: 2).contains("replications that have the figure"))
    #expect(SweepText.json(sweep).matches(of: #/"count": ?2,/#).count > 0)
  }

  @Test("The page shows the half-widths, and names of axes cannot run")
  func page() throws {
    let page = SweepPage.html(
      sweep([[1, 3], [3, 3]], axis: "<script>alert(1)</script>"), scenario: "<b>s</b>",
      replications: 2, figures: ["cost_per_scan.trip"], plotly: .cdn, source: nil)
    #expect(page.contains("2 points, 2 replications each"))
    #expect(!page.contains("<script>alert") && !page.contains("<b>s</b>"))
    #expect(page.contains(#/"yaxis":\{"automargin":true,"ticksuffix":"","title":\{"text":"[^"]/#))
    // 12.706 × 1: t with one degree of freedom and a standard error of 1.
    #expect(page.contains("12.71"))
  }

  @Test("A point without an interval is hollow, and the page says why where there is one")
  func hollow() {
    func page(_ values: [[Double]]) -> String {
      SweepPage.html(
        sweep(values), scenario: "s", replications: 2, figures: ["tins.sold"], plotly: .cdn,
        source: nil)
    }
    let words = "A hollow point has no interval"
    let mixed = page([[1, 3], [3], [5, 5]])
    #expect(mixed.contains(#""symbol":["circle","circle-open","circle"]"#))
    #expect(mixed.contains(words) && mixed.contains(#/"array":\[12\.7[0-9]*,null,0\]/#))
    let all = page([[1, 3], [5, 5]])
    #expect(!all.contains("circle-open") && !all.contains(words))
  }

  @Test("Of two settings, the points of one value of the other are one line with its name")
  func lines() throws {
    let measured = MeasuredFigures(BlakJaksProgramme.figures)
    let factors: [(String, Double)] = [("× 1", 1), ("× 2.5", 2.5)]
    let rows = factors.flatMap { text, number -> [SweepRow] in
      ["no", "<yes>"].enumerated().map { place, word -> SweepRow in
        SweepRow(
          values: [text, word], places: [number, Double(place)],
          estimates: measured.names.map { _ in Estimate([number, number + 1]) })
      }
    }
    let page = SweepPage.html(
      Sweep(axes: ["a.b", "c.d"], rows: rows, measured: measured), scenario: "s", replications: 2,
      figures: ["tins.sold"], plotly: .cdn, source: nil)
    for name in [
      #""name":"c.d = no""#, #""name":"c.d = \u0026lt;yes\u0026gt;""#, #""name":"a.b = × 2.5""#,
    ] { #expect(page.contains(name), "\(name)\n\(page.suffix(4_000))") }
    // Factors are numbers on their axis; words are not.
    #expect(page.contains(#""x":[1,2.5]"#) && page.contains(#""tickprefix":"× ""#))
    #expect(page.contains(#""type":"category""#))
  }

  @Test("Parts of a figure carry its name where they stand alone")
  func names() {
    #expect(
      BlakJaksProgramme.figures.figure("cost_per_scan.crypto")?.title
        == "Payouts for each scan, crypto comps")
    #expect(
      BlakJaksProgramme.figures.figure("cost_per_scan.total")?.title
        == "Payouts for each scan, USDT")
    #expect(BlakJaksProgramme.figures.figure("scans.error_rate")?.title == "Share of scans refused")
    #expect(BlakJaksProgramme.figures.figure("series.x")?.title == "series.x")
  }
}
