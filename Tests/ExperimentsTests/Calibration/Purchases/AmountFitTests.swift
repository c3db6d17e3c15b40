// Goal: what a purchase brings is the mean of the purchases, with an interval that holds the truth, and
// the counts that one and a Poisson number more expect.
// Method: histories by hand; 40 simulated ones; amounts that are not Poisson; refusals.
import BlakJaks
import Embera
import EventKernel
import Experiments
import Foundation
import Quantities
import RewardModel
import Scenario
import Testing

@Suite struct AmountFitTests {
  /// Members who buy some times, each a number that a draw makes.
  private func history(
    members: Int, seed: UInt64, _ draw: (inout RandomStream) -> Int
  ) -> MadeHistory {
    var stream = RandomStream(seed: seed, purpose: 1, entity: 0)
    var made = MadeHistory()
    for member in 0..<members {
      for purchase in 0..<(1 + member % 5) {
        made.add(.purchase, member, hours: Double(24 * purchase + 9), amount: draw(&stream))
      }
    }
    return made
  }

  @Test("A worked example: 1, 1 and 4 things by two members")
  func worked() throws {
    var made = MadeHistory()
    made.add(.purchase, 0, hours: 9)
    made.add(.purchase, 0, hours: 33, amount: 4)
    made.add(.purchase, 1, hours: 9)
    made.add(.scan, 1, hours: 10, amount: 7)
    made.add(.purchase, 1, hours: 24 * 9, amount: 100)
    let fit = try AmountFit(made.observed(untilDay: 5))
    #expect(fit.mean.estimate == 2 && fit.purchases == 3 && fit.members == 2)
    #expect(Array(fit.counts.prefix(5)) == [2, 0, 0, 1, 0])
    // e⁻¹ of three purchases bring one thing, as many bring two, half as many three.
    let each = 3 * exp(-1.0)
    for (place, mean) in [each, each, each / 2].enumerated() {
      #expect(abs(fit.expected[place] - mean) < 1e-12)
    }
    let expected: Double = fit.expected.reduce(0, +)
    #expect(abs(expected - 3) < 1e-9)
    // What is beyond the first has the mean 1 and the variance 3.
    #expect(abs(try #require(fit.dispersion) - 3) < 1e-12)
  }

  @Test("Rows of one purchase are one purchase, of all that they bring")
  func rowsOfOnePurchase() throws {
    var made = MadeHistory()
    // Three rows of one instant, and another purchase of the same day.
    for amount in [1, 2, 3] { made.add(.purchase, 0, hours: 9, amount: amount) }
    made.add(.purchase, 0, hours: 10, amount: 4)
    // A bare date takes in all of its day, of the same member alone.
    made.add(.purchase, 1, hours: 24, amount: 5, hasClock: false)
    made.add(.purchase, 1, hours: 33, amount: 1)
    made.add(.purchase, 1, hours: 34, amount: 1)
    made.add(.purchase, 2, hours: 33, amount: 1)
    made.add(.purchase, 1, hours: 57, amount: 2)
    let fit = try AmountFit(made.observed(untilDay: 5))
    #expect(fit.purchases == 5 && fit.members == 3)
    // 6, 4, 7, 1 and 2.
    #expect(fit.mean.estimate == 4)
    // The models of buying and leaving take the same rows for one.
    var whole = made
    for member in 3..<9 { whole.add(.purchase, member, hours: 20) }
    let sample = try CalibrationSample(whole.history, zone: "UTC")
    #expect(sample.summary.customers + sample.summary.repeats == 5 + 6)
  }

  @Test("Intervals hold the mean that made 40 histories as often as they say")
  func coverage() throws {
    var held = 0
    for seed in 0..<40 {
      let made = history(members: 80, seed: UInt64(seed)) { 1 + $0.poisson(mean: 3.2) }
      let fit = try AmountFit(made.observed(untilDay: 30))
      if fit.mean.contains(4.2) { held += 1 }
      #expect(fit.dispersion.map { 0.6 < $0 && $0 < 1.5 } == true)
    }
    // 40 trials at .95 are below 34 once in 300 tries.
    #expect(held >= 34, "\(held) of 40")
  }

  @Test("Amounts of another shape keep their mean, and are seen not to fit")
  func misfit() throws {
    let made = history(members: 400, seed: 10) { $0.bernoulli(0.5) ? 1 : 12 }
    let fit = try AmountFit(made.observed(untilDay: 30))
    let amounts = made.rows.map { Double($0.amount) }
    #expect(abs(fit.mean.estimate - amounts.reduce(0, +) / Double(amounts.count)) < 1e-12)
    #expect(fit.test.pValue.map { $0 < 1e-6 } == true)
    #expect(fit.dispersion.map { $0 > 3 } == true)
  }

  @Test("Nobody who ever bought more than one leaves a mean of 1 with an upper limit")
  func ones() throws {
    let made = history(members: 20, seed: 1) { _ in 1 }
    let fit = try AmountFit(made.observed(untilDay: 30))
    #expect(fit.mean.estimate == 1 && fit.mean.low == 1 && fit.standardError == 0)
    // −ln 0.025 over 60 purchases.
    #expect(abs(try #require(fit.mean.high) - (1 - log(0.025) / 60)) < 1e-9)
    #expect(fit.law == nil)
    // All of them are expected to bring one, as they do.
    #expect(fit.expected == [60, 0, 0] && fit.counts == [60, 0, 0])
    #expect(fit.test.chiSquared == 0 && fit.test.pValue == nil)
  }

  @Test("Counts where the law expects nothing at all count against it")
  func impossible() {
    let test = GoodnessOfFit(expected: [0, 0, 10, 10], actual: [4, 0, 8, 8], parameters: 0)
    // 12 of 10 and 8 of 10.
    #expect(abs(test.chiSquared - 0.8) < 1e-12 && test.degreesOfFreedom == 1)
  }

  @Test("Money and a single member do not tell it")
  func refused() throws {
    let text = "time,member,event,amount,other\n2026-01-01,a,order,12.50,\n2026-01-02,b,order,9,\n"
    let money = try History.read(
      EmberaProgramme.history, bytes: Array(text.utf8), file: "h.csv", zone: "UTC")
    let until = CivilDate(year: 2026, month: 1, day: 2)
    let observed = try ObservedHistory(money, zone: "UTC", until: until)
    #expect { _ = try AmountFit(observed) } throws: {
      ($0 as? Untold)?.reason.contains("money") == true
    }
    let large = history(members: 3, seed: 1) { _ in 5_000 }
    #expect {
      _ = try AmountFit(large.observed(untilDay: 30))
    } throws: {
      ($0 as? Untold)?.reason.contains("than a scenario allows") == true
    }
    var alone = MadeHistory()
    alone.add(.purchase, 0, hours: 1, amount: 3)
    #expect {
      _ = try AmountFit(alone.observed(untilDay: 0))
    } throws: {
      ($0 as? Untold)?.reason.contains("fewer than two members") == true
    }
  }
}
