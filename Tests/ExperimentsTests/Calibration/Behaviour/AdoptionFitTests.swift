// Goal: sign-ups are told as a Bass curve where they are one that turns off, as a plan of months or a
// cohort otherwise; intervals hold the truth.
// Method: curves without noise; the likelihood written out plainly; 40 markets of people who adopt one by
// one; sign-ups that no curve fits.
import BlakJaks
import EventKernel
import Experiments
import Foundation
import Population
import Quantities
import RewardModel
import Testing

@Suite struct AdoptionFitTests {
  private static let first = CivilDate(year: 2026, month: 1, day: 15)

  private func dates(_ count: Int) -> [CivilDate] {
    (0..<count).map { Self.first.adding(days: $0) }
  }

  /// Sign-ups by day of a market of people who adopt one by one.
  private func market(
    _ size: Int, p: Double, q: Double, days: Int, seed: UInt64
  ) -> [Int] {
    var stream = RandomStream(seed: seed, purpose: 1, entity: 0)
    var daily = [Int](repeating: 0, count: days)
    for _ in 0..<size {
      let years = AdoptionCurve.bassYears(share: stream.uniform(), innovation: p, imitation: q)
      if years * 365 < Double(days) { daily[Int(years * 365)] += 1 }
    }
    return daily
  }

  @Test("A curve without noise gives back its parameters")
  func exact() throws {
    let daily = (0..<700).map { day -> Int in
      let ends = [day, day + 1].map {
        AdoptionCurve.bassShare(years: Double($0) / 365, innovation: 0.08, imitation: 2.5)
      }
      return Int((4e6 * (ends[1] - ends[0])).rounded())
    }
    let fit = try #require(BassFit(daily: daily))
    #expect(fit.status == .converged && fit.distance < 1e-4)
    for (estimate, truth) in zip(fit.estimates, [0.08, 2.5, 4e6]) {
      #expect(abs(estimate.value / truth - 1) < 2e-3, "\(estimate)")
      #expect(holds(estimate.low, estimate.high, truth), "\(estimate)")
    }
    let (expected, counted) = (fit.expected.reduce(0, +), Double(daily.reduce(0, +)))
    #expect(abs(expected - counted) < 1)
  }

  @Test("The log-likelihood is that of Poisson counts with the curve's increments")
  func likelihood() throws {
    let daily = market(3_000, p: 0.1, q: 3, days: 500, seed: 5)
    let fit = try #require(BassFit(daily: daily))
    let (p, q, size) = (fit.estimates[0].value, fit.estimates[1].value, fit.estimates[2].value)
    func sum(_ p: Double, _ q: Double, _ size: Double) -> Double {
      daily.enumerated().reduce(0) { sum, day in
        let ends = [day.offset, day.offset + 1].map {
          AdoptionCurve.bassShare(years: Double($0) / 365, innovation: p, imitation: q)
        }
        let mean = size * (ends[1] - ends[0])
        return sum + (day.element > 0 ? Double(day.element) * log(mean) : 0) - mean
      }
    }
    #expect(abs(sum(p, q, size) - fit.logLikelihood) < 1e-5)
    for factor in [0.97, 1.03] {
      #expect(sum(p * factor, q, size) < fit.logLikelihood)
      #expect(sum(p, q * factor, size) < fit.logLikelihood)
      #expect(sum(p, q, size * factor) < fit.logLikelihood)
    }
    // At the most likely market as many are expected as there were.
    let (expected, counted) = (fit.expected.reduce(0, +), Double(daily.reduce(0, +)))
    #expect(abs(expected - counted) < 1e-3)
  }

  @Test("Intervals hold the parameters of 40 markets as often as they say")
  func coverage() throws {
    var held = [0, 0, 0]
    for seed in 0..<40 {
      let daily = market(2_000, p: 0.15, q: 3, days: 540, seed: UInt64(seed))
      let fit = AdoptionFit(daily: daily, dates: dates(540))
      #expect(fit.model == .bass, "\(fit.reason ?? "")")
      for (place, truth) in [0.15, 3, 2_000].enumerated() {
        guard let estimate = fit.bass?.estimates[place] else { continue }
        if holds(estimate.low, estimate.high, truth) { held[place] += 1 }
      }
    }
    // 40 trials at .95 are below 34 once in 300 tries.
    #expect(held.allSatisfy { $0 >= 34 }, "\(held) of 40")
  }

  @Test("Sign-ups that rise to the end set no limit to the market: a plan of months")
  func rising() {
    let daily = market(500_000, p: 0.01, q: 0.9, days: 365, seed: 3)
    let fit = AdoptionFit(daily: daily, dates: dates(365))
    let words = fit.reason ?? ""
    #expect(
      fit.model == .plan && words.contains("turn off"), "\(words) \(String(describing: fit.bass))")
    #expect(fit.months.count == 13 && fit.months[0].label == "2026-01" && fit.months[0].days == 17)
    #expect(fit.months.reduce(0) { $0 + $1.signUps } == daily.reduce(0, +))
    // The first and the last month are in part here; what is missing comes at the rate of the last days.
    let rate = Double(daily.suffix(90).reduce(0, +)) / 90
    let rest = fit.months[12]
    #expect(rest.label == "2027-01" && rest.days == 14 && rest.missing == 17)
    #expect(fit.months.dropLast().allSatisfy { $0.missing == 0 })
    #expect(fit.plan.prefix(12) == fit.months.dropLast().map(\.signUps)[...])
    #expect(fit.plan[12] == rest.signUps + Int((17 * rate).rounded()))
    #expect(fit.plan[13] == Int((rate * 365 / 12).rounded()))
  }

  @Test("Two waves are no Bass curve: a plan of months")
  func waves() {
    let daily = (0..<360).map { $0 % 180 < 30 ? 20 : 0 }
    let fit = AdoptionFit(daily: daily, dates: dates(360))
    #expect(fit.model == .plan && fit.reason?.contains("off by up to") == true)
    #expect(fit.bass.map { $0.distance > AdoptionFit.distanceMost } == true)
  }

  @Test("All on one day are a cohort, and a few tell no curve")
  func small() {
    var daily = [Int](repeating: 0, count: 90)
    daily[3] = 900
    let cohort = AdoptionFit(daily: daily, dates: dates(90))
    #expect(cohort.model == .cohort && cohort.bass == nil)
    daily[3] = 20
    daily[50] = 29
    let few = AdoptionFit(daily: daily, dates: dates(90))
    #expect(few.model == .plan && few.bass == nil && few.reason?.contains("fewer than 50") == true)
  }

  @Test(
    "Members sign up at their first row, who brings before who is brought, and not after the end")
  func signUps() throws {
    var made = MadeHistory()
    made.add(.purchase, 2, hours: 30)
    made.add(.refer, 1, hours: 5, other: 0)
    made.add(.signup, 2, hours: 40)
    made.add(.scan, 3, hours: 100)
    let observed = try made.observed(untilDay: 2)
    let names = observed.order.map { observed.history.members[Int($0)] }
    #expect(names == ["m0", "m1", "m2"])
    let fit = AdoptionFit(observed)
    #expect(fit.daily == [2, 1, 0] && fit.signUps == 3)
  }
}
