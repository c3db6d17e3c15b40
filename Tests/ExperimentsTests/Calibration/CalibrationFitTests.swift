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
  static let path = Checkout.cdnow.path

  static let isThere = FileManager.default.fileExists(atPath: path)

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
      let customers: Double = model.histogram.reduce(0, +)
      #expect(abs(customers - 2_357) < 1e-6)
      // What is expected of each customer from births alone, summed over the weeks.
      #expect(model.weekly.count == 77 && model.weekly == model.weekly.sorted())
      #expect(abs(model.calibrationRepeats / 2_457 - 1) < 0.03, "\(model.calibrationRepeats)")
    }
    // Of the two that a program may rest on, the one whose forecast of 1,882 purchases is nearest.
    let distances = [PurchaseModel.mbgNbd, .paretoNbd].compactMap { name in
      report.model(name).map { (name, abs($0.holdoutGivenHistory - 1_882)) }
    }
    #expect(report.chosen.fit.law.model == distances.min { $0.1 < $1.1 }?.0, "\(distances)")
    #expect(report.likeliest.fit.law.model == .mbgNbd)
    let own = try #require(report.holdoutError(report.likeliest))
    #expect(abs(own - (report.likeliest.holdoutGivenHistory / 1_882 - 1)) < 1e-12)
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
    let summary = simulatedPurchases(law, members: 2_500, seed: 20, span: 26...52)
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

  @Test("The log-likelihood falls by 1.92 to each end of an interval, whatever else then fits best")
  func profiles() throws {
    let law = PurchaseLaw(model: .mbgNbd, r: 0.525, alpha: 6.183, first: 0.891, second: 1.614)
    let summary = simulatedPurchases(law, members: 500, seed: 5, span: 27...39)
    let fit = try PurchaseFit(.mbgNbd, summary)
    #expect(fit.status == .converged)
    let likelihood = PurchaseLikelihood(.mbgNbd, summary)
    for (place, estimate) in fit.estimates.enumerated() {
      let ends = [try #require(estimate.low), try #require(estimate.high)]
      for end in ends {
        var logs = fit.law.values.map { log($0) }
        logs[place] = log(end)
        let best = climbed(from: logs, holding: place) {
          likelihood.logLikelihood(PurchaseLaw(model: .mbgNbd, logs: $0))
        }
        // Half of the 95 % quantile of χ² with one degree of freedom.
        #expect(abs(fit.logLikelihood - best - 1.920_729) < 0.01, "\(estimate)")
      }
    }
    // As far as this from the symmetry in the logarithm that an interval from the curvature has.
    let b = fit.estimates[3]
    #expect(try #require(b.high) / b.value > 1.2 * b.value / #require(b.low))
  }

  /// The highest value with one variable held, by Hooke and Jeeves's pattern search.
  private func climbed(
    from start: [Double], holding held: Int, _ function: ([Double]) -> Double
  ) -> Double {
    func explored(_ point: [Double], _ value: Double, _ step: Double) -> ([Double], Double) {
      var (best, height) = (point, value)
      for place in point.indices where place != held {
        for move in [step, -step] {
          var next = best
          next[place] += move
          let tried = function(next)
          if tried > height {
            (best, height) = (next, tried)
            break
          }
        }
      }
      return (best, height)
    }
    var (base, height) = (start, function(start))
    var step = 0.3
    while step > 1e-5 {
      var (next, value) = explored(base, height, step)
      if value <= height { step /= 2 }
      while value > height {
        let ahead = zip(base, next).map { 2 * $1 - $0 }
        (base, height) = (next, value)
        (next, value) = explored(ahead, function(ahead), step)
      }
    }
    return height
  }

  @Test func anEndThatThePurchasesLeaveOpenIsNone() throws {
    // Half a year tells that customers leave, and hardly how unlike they are in it.
    let law = PurchaseLaw(model: .paretoNbd, r: 0.553, alpha: 10.578, first: 0.606, second: 11.669)
    let summary = simulatedPurchases(law, members: 300, seed: 3, span: 27...39)
    let fit = try PurchaseFit(.paretoNbd, summary)
    #expect(fit.status == .converged)
    let (r, beta) = (fit.estimates[0], fit.estimates[3])
    #expect(r.low != nil && r.high != nil)
    #expect(beta.standardError != nil && beta.low != nil && beta.high == nil, "\(beta)")
  }

  @Test func standardErrorsShrinkWithTheRootOfTheCustomers() throws {
    let law = PurchaseLaw(model: .mbgNbd, r: 0.8, alpha: 4, first: 0.9, second: 3)
    let summary = simulatedPurchases(law, members: 2_000, seed: 4, span: 40...40)
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
    // What a search along an edge still gains does not matter, and is not looked for.
    #expect(fit.evaluations < 3_000 || model != .paretoNbd, "\(fit.evaluations)")
  }

  @Test("Only level ground is flat: a slope, and what cannot be computed, is no end of a search")
  func endings() {
    func status(_ function: @escaping ([Double]) -> Double) -> FitStatus {
      let curvature = Curvature(at: [0, 0], function)
      return curvature.status(curvature.inverse(), within: 1e-4)
    }
    #expect(status { $0[0] * $0[0] + $0[1] * $0[1] } == .converged)
    #expect(status { $0[0] * $0[0] + $0[1] * $0[1] + $0[0] } == .notConverged)
    #expect(status { ($0[0] + $0[1]) * ($0[0] + $0[1]) - 1e-6 * $0[0] * $0[0] } == .flat)
    #expect(status { $0[0] - $0[1] * $0[1] } == .notConverged)
    #expect(status { $0[0] > 0 ? .nan : $0[0] * $0[0] + $0[1] * $0[1] } == .notConverged)
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
}
