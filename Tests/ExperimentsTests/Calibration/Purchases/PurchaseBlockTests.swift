import BlakJaks
import Experiments
import Foundation
import Population
import Quantities
// Goal: the block that a calibration writes is a valid part of a scenario with the fitted figures.
// Method: a small history is fitted with each model; the block is read back as a scenario.
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite(.tags(.slow)) struct PurchaseBlockTests {
  /// Sixty customers who buy every few days or weeks, each leaving in his or her own time.
  private func report(_ models: [PurchaseModel]) throws -> CalibrationReport {
    var lines = ["time,member,event,tins,other"]
    let start = CivilDate(year: 2026, month: 1, day: 1)
    for member in 0..<60 {
      let gap = 2 + member * member % 23
      let purchases = 1 + member * 5 % 9
      for index in 0..<purchases {
        let day = member % 20 + index * gap + index * index % 3
        if day < 160 { lines.append("\(start.adding(days: day)),m\(member),purchase,1,") }
      }
    }
    let history = try History.read(
      bytes: Array((lines.joined(separator: "\n") + "\n").utf8), file: "h.csv", zone: "UTC")
    let sample = try CalibrationSample(history, zone: "UTC", until: CivilDate("2026-05-01"))
    return try CalibrationReport(sample, models: models)
  }

  @Test("The block is read back with the fitted parameters", arguments: PurchaseModel.allCases)
  func roundTrip(model: PurchaseModel) throws {
    let report = try report([model])
    #expect(report.chosen.fit.law.model == model)
    let yaml = PurchaseBlock.yaml(report, report.chosen)
    let scenario = try Scenario.load(text: "name: fitted\n" + yaml, file: "purchase.yaml")
    let purchase = scenario.population.purchase
    let law = report.chosen.fit.law
    #expect(purchase.model == model && purchase.erlang == 1)
    let last =
      model == .paretoNbd ? [purchase.s, purchase.beta] : [purchase.a, purchase.b]
    // The line that the block advises is taken as well.
    #expect(yaml.contains("add:  season: none"))
    let plain = try Scenario.load(
      text: "name: fitted\n" + yaml + "  season: none\n", file: "purchase.yaml")
    #expect(!plain.population.season.enabled)
    for estimate in report.chosen.fit.estimates {
      let line = try #require(
        yaml.split(separator: "\n").first { $0.contains("  \(estimate.name): ") })
      let isTold = estimate.low != nil || estimate.high != nil
      #expect(line.contains("# 95 %: ") == isTold, "\(line)")
    }
    let read = [try #require(purchase.r), try #require(purchase.alpha)] + last
    for (written, fitted) in zip(read, law.values) { #expect(apart(written, fitted) < 1e-6) }
  }

  @Test("Comments of the block are at most 100 columns wide, whatever they say")
  func commentsAreWrapped() throws {
    let report = try report([.mbgNbd])
    let effect = ContainedEffect(
      path: "population.referral.dropout_factor", value: "1",
      reason: "purchases were fitted to all members, referred ones among them")
    let yaml = PurchaseBlock.yaml(report, report.chosen, contained: [effect])
    let lines = yaml.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 100 })
    let comments = lines.filter { $0.drop { $0 == " " }.first == "#" }
      .map { $0.drop { $0 == " " }.dropFirst(2) }.joined(separator: " ")
    #expect(comments.contains("set \(effect.path) to 1: \(effect.reason)."))
    #expect(try Scenario.load(text: "name: a\n" + yaml, file: "a.yaml").name == "a")
  }

  @Test func reportsAreTheSameEveryTime() throws {
    let (one, two) = (try report([.mbgNbd]), try report([.mbgNbd]))
    #expect(one == two)
    #expect(one.weekly.last == one.sample.dailyRepeats.prefix(one.weeks.count * 7 + 1).reduce(0, +))
  }

  @Test func bgIsNeverChosenBesideAnother() throws {
    let report = try report([.bgNbd, .mbgNbd])
    #expect(report.models.map(\.fit.law.model) == [.bgNbd, .mbgNbd])
    #expect(report.chosen.fit.law.model == .mbgNbd)
    #expect(report.model(.paretoNbd) == nil)
  }
}
