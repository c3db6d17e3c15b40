// Goal: a calibration's text, JSON and page hold its figures, aligned and escaped, and say what to
// mind.
// Method: a small history fitted once, rendered in all three ways, with a file name that tries to
// break out of the page.

import BlakJaks
import Experiments
import Foundation
import Population
import Quantities
import Reports
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite struct CalibrationPageTests {
  private static let attack = "</script><img src=x onerror=alert(1)>\u{1B}[31m.csv"
  private let source = PlotlySource(script: Data("var Plotly = 1;".utf8))

  /// Two hundred members over fifteen weeks who scan what they buy, bring others and buy by the clock.
  private func whole() throws -> Calibration {
    var lines = ["time,member,event,tins,other"]
    let start = CivilDate(year: 2026, month: 1, day: 1)
    for member in 0..<200 {
      let first = member * member % 61
      lines.append("\(start.adding(days: first))T08:00:00Z,m\(member),signup,,")
      if member % 4 == 3 {
        lines.append("\(start.adding(days: first + 1))T08:00:00Z,m\(member),refer,,m\(member / 9)")
      }
      let gap = 2 + member * 7 % 13
      for index in 0..<(1 + member * 5 % 9) where first + index * gap < 105 {
        let day = start.adding(days: first + index * gap)
        let hour = 10 + (member + index * 5) % 12
        lines.append("\(day)T\(hour):15:00Z,m\(member),purchase,\(1 + (member + index) % 4),")
        if index.isMultiple(of: 2) {
          lines.append("\(day.adding(days: 1))T\(hour):15:00Z,m\(member),scan,1,")
        }
      }
    }
    let history = try History.read(
      bytes: Array((lines.joined(separator: "\n") + "\n").utf8), file: "h.csv", zone: "UTC")
    let sample = try CalibrationSample(history, zone: "UTC")
    let report = try CalibrationReport(sample, models: [.mbgNbd])
    var whole = try Calibration(
      history, of: BlakJaksProgramme.self, report, source: DisplayText.safe(Self.attack))
    try whole.compare(threads: 1)
    return whole
  }

  @Test("What is fitted besides purchases is in the text, the JSON and the page, each with a plot")
  func everything() throws {
    let whole = try whole()
    let text = CalibrationText.text(whole.report, source: Self.attack, whole: whole, width: 80)
    #expect(!text.contains("\u{1B}"))
    for part in [
      "Sign-ups\n", "Tins per purchase\n", "Tins with a scan\n", "Purchases by hour\n",
      "Purchases by weekday\n", "Referrals\n", "Members by level\n",
      "\(whole.adoption.months[0].signUps)",
    ] {
      #expect(text.contains(part), "\(part)\n\(text)")
    }
    // A Bass curve that is not taken is said to be off once, as the reason.
    #expect(text.replacing("\n", with: " ").split(separator: "off by up to").count == 2)
    let factor = "population.referral.dropout_factor to 1: "
    #expect(text.contains("In the fitted purchases already\nThe scenario sets \(factor)"))
    #expect(text.contains("  # Next to it, set \(factor)"))
    let json = CalibrationJSON.text(whole.report, source: "h", whole: whole)
    let parsed = try #require(
      JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let amount = try #require(parsed["amount"] as? [String: Any])
    #expect(amount["counts"] as? [Int] == whole.amounts?.counts)
    let season = try #require(parsed["season"] as? [String: Any])
    #expect((season["hours"] as? [[String: Any]])?.count == 24)
    let referral = try #require(parsed["referral"] as? [String: Any])
    #expect(referral["counts"] as? [Int] == whole.referral?.counts)
    let adoption = try #require(parsed["adoption"] as? [String: Any])
    #expect(adoption["sign_ups"] as? Int == 200)
    #expect((parsed["levels"] as? [[String: Any]])?.count == whole.levels?.rows.count)
    #expect((parsed["used"] as? [String: Any])?["used"] as? Int == whole.uses?.used)
    #expect((parsed["contained"] as? [[String: String]])?.first?["value"] == "1")
    let page = CalibrationPage.page(
      whole.report, source: Self.attack, whole: whole, plotly: .directory, script: source)
    #expect(!page.contains("<img") && !page.contains("\u{1B}"))
    for plot in [
      "adoption", "amounts", "uses", "hours", "hours-grid", "weekdays", "referral", "levels",
    ] {
      #expect(page.contains("id=\"plot-\(plot)\"") && page.contains("\"id\":\"plot-\(plot)\""))
    }
    #expect(page.contains("per_purchase: \(whole.amounts?.mean.estimate ?? 0)".prefix(20)))
    #expect(page.contains("id=\"scenario\"") && page.contains("sources:"))
    #expect(page.contains("The scenario sets \(factor)"))
    // The scenario holds the file's name as text that YAML reads.
    let yaml = try #require(CalibrationScenario(whole).files().first?.text)
    let scenario = try Scenario.load(text: yaml, file: "s.yaml")
    #expect(scenario.settings.contains { $0.source?.contains("onerror") == true })
  }

  /// Sixty customers over half a year, two members who only scan, one customer who comes late.
  private func report(
    until: String? = "2026-05-01", models: [PurchaseModel] = PurchaseModel.allCases,
    without failing: Set<PurchaseModel> = []
  ) throws -> CalibrationReport {
    var lines = ["time,member,event,tins,other", "2026-01-05,x,scan,1,", "2026-01-05,y,scan,1,"]
    let start = CivilDate(year: 2026, month: 1, day: 1)
    for member in 0..<60 {
      let gap = 2 + member * member % 23
      for index in 0..<(1 + member * 5 % 9) {
        let day = member % 20 + index * gap + index * index % 3
        if day < 160 { lines.append("\(start.adding(days: day)),m\(member),purchase,1,") }
      }
    }
    lines.append("2026-06-01,late,purchase,1,")
    let history = try History.read(
      bytes: Array((lines.joined(separator: "\n") + "\n").utf8), file: "h.csv", zone: "UTC")
    let sample = try CalibrationSample(
      history, zone: "UTC", until: until.flatMap { CivilDate($0) })
    return try CalibrationReport(sample, models: models) {
      (model, sample, weekEnds, shape) throws(CalibrationError) in
      guard !failing.contains(model) else { throw .notEvaluable(model) }
      return try FittedModel(model, sample, weekEnds: weekEnds, shape: shape)
    }
  }

  @Test("A model that cannot be computed is left out and named; without any other it is refused")
  func leftOut() throws {
    let models: [PurchaseModel] = [.mbgNbd, .paretoNbd]
    let report = try report(models: models, without: [.paretoNbd])
    let words = "Left out: Pareto/NBD, as its likelihood cannot be computed on these purchases."
    #expect(report.models.map(\.fit.law.model) == [.mbgNbd] && report.leftOut == [words])
    #expect(CalibrationText.text(report, source: "h").contains(words))
    #expect(CalibrationJSON.text(report, source: "h").contains(words))
    #expect(
      CalibrationPage.page(report, source: "h", plotly: .directory, script: nil).contains(words))
    #expect(throws: CalibrationError.notEvaluable(.mbgNbd)) {
      try self.report(models: models, without: [.mbgNbd, .paretoNbd])
    }
  }

  @Test func textHoldsTheFigures() throws {
    let report = try report()
    let text = CalibrationText.text(report, source: Self.attack, width: 80)
    #expect(!text.contains("\u{1B}"))
    for part in [
      "2026-01-01 to 2026-05-01, holdout to 2026-06-01 (UTC)", "60 customers", "BG/NBD", "MBG/NBD",
      "Pareto/NBD", "Left out: 1 customer who first bought after 2026-05-01.",
      "Left out: 2 members without a purchase.", "Log-likelihood", "7+", "Holdout, from all",
      "Purchases per customer in the holdout", "population:\n  purchase:\n    model: ",
      "cannot support a liability",
    ] {
      #expect(text.contains(part), "\(part)\n\(text)")
    }
    for estimate in report.models.flatMap(\.fit.estimates) where estimate.standardError != nil {
      let ends = [estimate.low, estimate.high].map { end in
        end.map { CalibrationPageTests.decimals($0) } ?? "–"
      }
      let cell = "\(Self.decimals(estimate.value)) (\(ends[0]) to \(ends[1]))"
      #expect(text.contains(cell), "\(cell)\n\(text)")
    }
    for model in report.models where model.fit.status != .converged {
      #expect(text.contains(model.fit.status.explanation.prefix(20)))
    }
    #expect(CalibrationText.text(report, source: "h", colour: true).contains("\u{1B}[1m"))
    let alone = CalibrationText.text(try self.report(until: nil, models: [.bgNbd]), source: "h")
    #expect(!alone.contains("holdout") && alone.contains("do not base a liability on it"))
  }

  /// With three decimals, thousands in groups.
  private static func decimals(_ value: Double) -> String {
    let text = String(format: "%.3f", value)
    let whole = text.prefix { $0 != "." }
    return (Int(whole)?.grouped ?? String(whole)) + text.dropFirst(whole.count)
  }

  @Test func jsonHoldsEveryFigure() throws {
    let report = try report()
    let text = CalibrationJSON.text(report, source: Self.attack)
    let parsed = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(parsed["history"] as? String == Self.attack)
    #expect(parsed["customers"] as? Int == 60 && parsed["later_customers"] as? Int == 1)
    #expect(parsed["until"] as? String == "2026-05-01")
    #expect(parsed["histogram_actual"] as? [Int] == report.histogram)
    #expect(parsed["weekly_actual"] as? [Int] == report.weekly)
    #expect((parsed["weeks"] as? [String])?.first == "2026-01-08")
    let models = try #require(parsed["models"] as? [[String: Any]])
    #expect(models.compactMap { $0["model"] as? String } == ["bg_nbd", "mbg_nbd", "pareto_nbd"])
    for (json, model) in zip(models, report.models) {
      #expect(same(json["log_likelihood"], [model.fit.logLikelihood]))
      #expect(same(json["bic"], [model.fit.bic]))
      #expect(same(json["weekly_expected"], model.weekly))
      #expect(same(json["histogram_expected"], model.histogram))
      #expect((json["holdout_groups"] as? [[String: Any]])?.count == model.groups.count)
      let parameters = try #require(json["parameters"] as? [String: [String: Any]])
      for estimate in model.fit.estimates {
        let written = parameters[estimate.name]
        #expect(same(written?["value"], [estimate.value]))
        if let error = estimate.standardError {
          #expect(same(written?["standard_error"], [error]))
        } else {
          #expect(written?["standard_error"] is NSNull)
        }
      }
    }
    let yaml = try #require(parsed["purchase_yaml"] as? String)
    #expect(yaml == PurchaseBlock.yaml(report, report.chosen))
    let whole = CalibrationJSON.text(try self.report(until: nil), source: "h")
    #expect(whole.contains("\"holdout_until\": null") && whole.contains("\"holdout_groups\": []"))
  }

  /// Foundation's reading of a number may differ in the last bit.
  private func same(_ json: Any?, _ values: [Double]) -> Bool {
    let read = json as? [Double] ?? (json as? Double).map { [$0] } ?? []
    return read.count == values.count
      && zip(read, values).allSatisfy { abs($0 - $1) <= 1e-14 * abs($1) }
  }

  @Test func pageHoldsPlotsAndTablesAndEscapesNames() throws {
    let report = try report()
    let page = CalibrationPage.page(
      report, source: Self.attack, plotly: .directory, script: source)
    #expect(!page.contains("<img") && !page.contains("\u{1B}"))
    for part in [
      "id=\"plot-histogram\"", "id=\"plot-weeks\"", "id=\"plot-groups\"", "plotly.min.js",
      "\"id\":\"plot-weeks\"", "<td class=\"n\">\(report.histogram[1])</td>", "model: ",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    let bare = CalibrationPage.page(report, source: "h", plotly: .directory, script: nil)
    #expect(!bare.contains("class=\"plot\"") && bare.contains("fetch-plotly"))
    let whole = CalibrationPage.page(
      try self.report(until: nil), source: "h", plotly: .cdn, script: nil)
    #expect(whole.contains("cdn.plot.ly") && !whole.contains("plot-groups"))
  }
}
