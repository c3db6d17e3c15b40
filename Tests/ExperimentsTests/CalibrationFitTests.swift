import BlakJaks
import Experiments
import Foundation
import Population
import Quantities
// Goal: the fits find the published parameters on CDNOW, and the true ones on simulated customers;
// where the purchases do not tell the parameters, they say so.
// Method: the CDNOW sample against Fader, Hardie and Lee 2005 and the figures in population.md
// (skipped where Scripts/fetch-cdnow has not been run); members of the behavior model, watched for
// a year, whose parameters must be found within 4 standard errors. All seeds are fixed.
import RewardModel
import Scenario
import TestSupport
import Testing

/// The CDNOW sample as `Scripts/fetch-cdnow` leaves it.
enum CDNOW {
  /// Below one of the folders above this file.
  static let path: String = {
    var folder = URL(fileURLWithPath: #filePath)
    for _ in 0..<5 {
      folder.deleteLastPathComponent()
      let file = folder.appendingPathComponent(".vendor/cdnow/cdnow-sample.csv").path
      if FileManager.default.fileExists(atPath: file) { return file }
    }
    return ""
  }()

  static var isThere: Bool { !path.isEmpty }

  static func report() throws -> CalibrationReport {
    let history = try History.read(path: path, zone: "America/New_York")
    return try CalibrationReport(
      CalibrationSample(
        history, zone: "America/New_York", until: CivilDate(year: 1997, month: 9, day: 30)))
  }
}

@Suite(.tags(.slow)) struct CalibrationFitTests {
  private static let histogram = [1_406.5, 460.8, 192.7, 101.3, 59.9, 38.2, 25.6, 72.0]

  @Test(.enabled(if: CDNOW.isThere, "run Scripts/fetch-cdnow"))
  func publishedFitsOfCDNOWAreFound() throws {
    let report = try CDNOW.report()
    let sample = report.sample
    #expect(sample.summary.customers == 2_357 && sample.births.count == 273)
    #expect(sample.holdoutEnd == CivilDate(year: 1998, month: 6, day: 30))
    #expect(report.histogram == [1_411, 439, 214, 100, 62, 38, 29, 64])
    #expect(report.weekly.count == report.weeks.count && report.weeks.count == 77)
    #expect(sample.summary.holdoutRepeats == 1_882)
    let published: [(PurchaseModel, [Double], Double)] = [
      (.bgNbd, [0.243, 4.414, 0.793, 2.426], -9_582.43),
      (.mbgNbd, [0.525, 6.183, 0.891, 1.614], -9_582.13),
      (.paretoNbd, [0.553, 10.578, 0.606, 11.669], -9_594.97),
    ]
    for (name, values, logLikelihood) in published {
      let model = try #require(report.model(name))
      #expect(model.fit.status == .converged)
      #expect(abs(model.fit.logLikelihood - logLikelihood) < 0.01, "\(model.fit)")
      for (estimate, value) in zip(model.fit.estimates, values) {
        #expect(abs(estimate.value - value) < 6e-4, "\(name) \(estimate)")
        let error = try #require(estimate.standardError)
        #expect(error > 0 && error < value, "\(name) \(estimate)")
      }
      #expect(abs(model.fit.bic - (4 * log(2_357) - 2 * model.fit.logLikelihood)) < 1e-6)
      #expect(abs(model.histogram.reduce(0, +) - 2_357) < 1e-6)
      // What is expected of each customer from births alone, summed over the weeks.
      #expect(model.weekly.count == 77 && model.weekly == model.weekly.sorted())
      #expect(abs(model.calibrationRepeats / 2_457 - 1) < 0.03, "\(model.calibrationRepeats)")
    }
    #expect(report.chosen.fit.law.model == .mbgNbd)
  }

  @Test(.enabled(if: CDNOW.isThere, "run Scripts/fetch-cdnow"))
  func publishedHistogramAndItsTestAreFound() throws {
    let report = try CDNOW.report()
    let bg = try #require(report.model(.bgNbd))
    // The published numbers come from parameters that were rounded to three decimals.
    let law = PurchaseLaw(model: .bgNbd, r: 0.243, alpha: 4.414, first: 0.793, second: 2.426)
    var rounded = [Double](repeating: 0, count: 8)
    for (birth, customers) in report.sample.births.enumerated() {
      let own = law.probabilities(Double(272 - birth) / 7, count: 7)
      for x in 0..<7 { rounded[x] += Double(customers) * own[x] }
      rounded[7] += Double(customers) * (1 - own.reduce(0, +))
    }
    for (x, count) in Self.histogram.enumerated() {
      #expect(abs(rounded[x] - count) < 0.051, "\(x) repeats: \(rounded[x])")
      #expect(abs(bg.histogram[x] - count) < 1.3, "\(x) repeats: \(bg.histogram[x])")
    }
    // Fader, Hardie and Lee 2005: χ² with 3 degrees of freedom 4.82 (P = .19), 11.99 (P = .007).
    #expect(abs(bg.chiSquared - 4.82) < 0.005 && bg.degreesOfFreedom == 3)
    #expect(abs(try #require(bg.pValue) - 0.19) < 0.005)
    let pareto = try #require(report.model(.paretoNbd))
    #expect(abs(pareto.chiSquared - 11.99) < 0.005)
    #expect(abs(try #require(pareto.pValue) - 0.007) < 5e-4)
  }

  @Test(.enabled(if: CDNOW.isThere, "run Scripts/fetch-cdnow"))
  func holdoutIsForecastFromEachCustomersHistory() throws {
    let report = try CDNOW.report()
    for model in report.models {
      #expect(model.groups.map(\.repeats) == Array(0...7))
      #expect(model.groups.map(\.customers) == report.histogram)
      let bought = model.groups.reduce(0) { $0 + $1.actual * Double($1.customers) }
      #expect(abs(bought - 1_882) < 1e-6)
      // Forecasts rise with what was bought before, and lie near what followed.
      let expected = model.groups.map(\.expected)
      #expect(expected == expected.sorted())
      #expect(abs(model.holdoutGivenHistory / 1_882 - 1) < 0.2)
      #expect(model.alive > 900 && model.alive < 2_000)
    }
    // BG/NBD counts all without a repeat purchase as alive; MBG/NBD does not.
    let alive = try [#require(report.model(.bgNbd)), #require(report.model(.mbgNbd))].map(\.alive)
    #expect(alive[0] > 1_411 && alive[1] < 1_100)
  }

  @Test(
    "The parameters of simulated members are found within 4 standard errors",
    arguments: [
      PurchaseLaw(model: .bgNbd, r: 0.8, alpha: 4, first: 0.9, second: 3),
      PurchaseLaw(model: .mbgNbd, r: 0.8, alpha: 4, first: 0.9, second: 3),
      PurchaseLaw(model: .paretoNbd, r: 0.8, alpha: 4, first: 0.9, second: 12),
      PurchaseLaw(model: .mbgNbd, r: 0.8, alpha: 2, first: 0.9, second: 3, shape: 2),
      PurchaseLaw(model: .bgNbd, r: 0.8, alpha: 1.3, first: 0.9, second: 3, shape: 3),
    ])
  func recovery(law: PurchaseLaw) throws {
    let summary = simulated(law, members: 2_500, seed: 20, span: 26...52)
    let fit = try PurchaseFit(law.model, summary, shape: law.shape)
    #expect(fit.status == .converged)
    for (estimate, truth) in zip(fit.estimates, law.values) {
      let error = try #require(estimate.standardError)
      #expect(abs(estimate.value - truth) < 4 * error, "\(estimate), true \(truth)")
      #expect(error < 0.4 * truth, "\(estimate) is told by so many members")
      let (low, high) = (try #require(estimate.low), try #require(estimate.high))
      #expect(low < estimate.value && estimate.value < high)
    }
    // The maximum is at least as high as the truth, and no higher than chance makes it.
    let truth = PurchaseLikelihood(law.model, summary, shape: law.shape).logLikelihood(law)
    #expect(fit.logLikelihood >= truth && fit.logLikelihood - truth < 12)
  }

  @Test func standardErrorsShrinkWithTheRootOfTheCustomers() throws {
    let law = PurchaseLaw(model: .mbgNbd, r: 0.8, alpha: 4, first: 0.9, second: 3)
    let summary = simulated(law, members: 2_000, seed: 4, span: 40...40)
    let fourfold = PurchaseSummary(
      summary.rows.map {
        PurchaseSummary.Row(
          repeats: $0.repeats, lastWeeks: $0.lastWeeks, spanWeeks: $0.spanWeeks,
          customers: 4 * $0.customers)
      })
    let (one, four) = (try PurchaseFit(.mbgNbd, summary), try PurchaseFit(.mbgNbd, fourfold))
    #expect(apart(four.logLikelihood, 4 * one.logLikelihood) < 1e-9)
    for (single, many) in zip(one.estimates, four.estimates) {
      #expect(apart(single.value, many.value) < 1e-3)
      let ratio = try #require(single.standardError) / #require(many.standardError)
      #expect(abs(ratio - 2) < 0.01)
    }
  }

  @Test("Members who never leave send the dropout to the edge", arguments: PurchaseModel.allCases)
  func edge(model: PurchaseModel) throws {
    // Everybody buys as a clock does, so that neither dropout nor spread can be seen.
    let rows = (0..<40).map {
      PurchaseSummary.Row(repeats: 20 + $0 % 3, lastWeeks: 20, spanWeeks: 20.5)
    }
    let fit = try PurchaseFit(model, PurchaseSummary(rows))
    #expect(fit.status != .converged)
    #expect(fit.logLikelihood.isFinite)
    if fit.status == .edge { #expect(fit.estimates.allSatisfy { $0.standardError == nil }) }
  }

  @Test func fitsRefuseWhatSamplesRefuse() {
    #expect(throws: CalibrationError.tooFewCustomers(count: 0, needed: 5, until: nil)) {
      try PurchaseFit(.bgNbd, PurchaseSummary([]))
    }
    let row = PurchaseSummary.Row(repeats: 3, lastWeeks: 2, spanWeeks: 4)
    #expect(throws: CalibrationError.tooFewCustomers(count: 1, needed: 5, until: nil)) {
      try PurchaseFit(.bgNbd, PurchaseSummary([row]))
    }
    let once = PurchaseSummary.Row(repeats: 0, lastWeeks: 0, spanWeeks: 4, customers: 50)
    #expect(throws: CalibrationError.noRepeats(customers: 50, until: nil)) {
      try PurchaseFit(.paretoNbd, PurchaseSummary([once]))
    }
  }

  /// Members as the behavior model has them, each watched for some weeks in a range.
  private func simulated(
    _ law: PurchaseLaw, members: UInt32, seed: UInt64, span: ClosedRange<Double>
  ) -> PurchaseSummary {
    var settings = PopulationSettings()
    settings.purchase.model = law.model
    settings.purchase.r = law.r
    settings.purchase.alpha = law.alpha
    settings.purchase.a = law.first
    settings.purchase.b = law.second
    settings.purchase.s = law.first
    settings.purchase.beta = law.second
    settings.purchase.erlang = law.shape
    let behaviour = BehaviourModel(settings, seed: seed)
    return PurchaseSummary(
      (0..<members).map { member in
        let share = Double(member) / Double(max(members - 1, 1))
        let end = span.lowerBound + share * (span.upperBound - span.lowerBound)
        let traits = behaviour.traits(member: member, referred: false)
        let lifetime = law.model == .paretoNbd ? Double(traits.dropout) : .infinity
        var row = PurchaseSummary.Row(repeats: 0, lastWeeks: 0, spanWeeks: end)
        var index: UInt32 = 0
        while true {
          let draw = behaviour.purchase(member: member, index: index)
          if behaviour.leaves(after: draw, index: index, dropout: traits.dropout) { return row }
          let next = row.lastWeeks + draw.gap * Double(traits.meanGapWeeks)
          guard next <= min(end, lifetime) else { return row }
          row.lastWeeks = next
          row.repeats += 1
          index += 1
        }
      })
  }
}
