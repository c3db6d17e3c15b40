import BlakJaks
// Goal: sign-ups follow the curve that the scenario names, in the numbers it names.
// Method: the Bass curve against its differential equation; exact counts by month; Poisson counts
// over many fixed seeds within 4 standard errors; for every curve order and range.
import EventKernel
import Foundation
import Population
import Quantities
import TestSupport
import Testing

@Suite(.tags(.slow)) struct AdoptionTests {
  private func calendar(
    _ zone: String = "UTC", from date: String = "2026-01-01", days: Int = 365
  ) throws -> ProgrammeCalendar {
    try ProgrammeCalendar(zone: zone, firstDate: try #require(CivilDate(date)), days: days)
  }

  private func signUps(
    _ calendar: ProgrammeCalendar, seed: UInt64 = 1, _ edit: (inout PopulationSettings) -> Void
  ) -> [Instant] {
    var settings = PopulationSettings()
    edit(&settings)
    let season = SeasonTable(settings.season, calendar: calendar)
    return AdoptionCurve.signUps(settings, calendar: calendar, season: season, seed: seed)
  }

  private func countsByMonth(_ instants: [Instant], _ calendar: ProgrammeCalendar) -> [Int] {
    var months: [Int] = []
    var day = 0
    var monthOfDay: [Int] = []
    while day < calendar.dayCount {
      if day == 0 || calendar.startsMonth(day) { months.append(0) }
      monthOfDay.append(months.count - 1)
      day += 1
    }
    for instant in instants { months[monthOfDay[calendar.dayIndex(of: instant)]] += 1 }
    return months
  }

  @Test(
    "The Bass share solves F' = (p + q·F)(1 − F)",
    arguments: [(0.03, 0.38), (0.2, 0.0), (1.0, 5.0)])
  func differentialEquation(p: Double, q: Double) {
    func rate(_ share: Double) -> Double { (p + q * share) * (1 - share) }
    // Runge and Kutta's fourth-order step.
    var share = 0.0
    let step = 1.0 / 256
    for place in 0..<(256 * 12) {
      let years = Double(place) * step
      let closed = AdoptionCurve.bassShare(years: years, innovation: p, imitation: q)
      #expect(abs(closed - share) < 1e-8, "after \(years) years")
      let k1 = rate(share)
      let k2 = rate(share + step / 2 * k1)
      let k3 = rate(share + step / 2 * k2)
      let k4 = rate(share + step * k3)
      share += step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    }
  }

  @Test func sharesAndPeakAreThoseOfTheClosedFormForTheAverageCoefficients() {
    func share(_ years: Double) -> Double {
      AdoptionCurve.bassShare(years: years, innovation: 0.03, imitation: 0.38)
    }
    // Evaluated apart from this code.
    let expected: [(years: Double, share: Double)] = [
      (0, 0), (1, 0.035_758_164), (2, 0.085_056_281), (5, 0.331_198_642), (10, 0.812_803_221),
    ]
    for (years, value) in expected {
      let decay = exp(-0.41 * years)
      let closed = (1 - decay) / (1 + 0.38 / 0.03 * decay)
      #expect(abs(share(years) - closed) < 1e-14)
      #expect(abs(closed - value) < 1e-9, "after \(years) years: \(closed)")
    }
    // Sign-ups peak at ln(q/p) / (p + q), where the share is ½ − p/2q (Bass 1969).
    let peak = log(0.38 / 0.03) / 0.41
    #expect(abs(share(peak) - (0.5 - 0.03 / 0.76)) < 1e-12)
    let slopes = [peak - 0.1, peak, peak + 0.1].map { share($0 + 1e-4) - share($0 - 1e-4) }
    #expect(slopes[1] > slopes[0] && slopes[1] > slopes[2])
  }

  @Test(
    "Years and share are inverses", arguments: [(0.03, 0.38), (0.2, 0.0), (1.0, 5.0), (1e-4, 0.9)])
  func inverse(p: Double, q: Double) {
    for place in 0..<1_000 {
      let share = Double(place) / 1_000
      let years = AdoptionCurve.bassYears(share: share, innovation: p, imitation: q)
      let back = AdoptionCurve.bassShare(years: years, innovation: p, imitation: q)
      #expect(abs(back - share) < 1e-12, "\(share)")
    }
  }

  @Test func bassSignUpsTakeEachEqualPartOfTheCurveOnce() throws {
    let calendar = try calendar()
    let instants = signUps(calendar) {
      $0.members = 5_000
      $0.season.enabled = false
    }
    #expect(instants.count == 5_000)
    let reached = AdoptionCurve.bassShare(years: 1, innovation: 0.03, imitation: 0.38)
    for (place, instant) in instants.enumerated() {
      let years = (instant - calendar.start).inSeconds / 86_400 / 365
      let share = AdoptionCurve.bassShare(years: years, innovation: 0.03, imitation: 0.38)
      // The instant is cut to a microsecond.
      let part = share / reached * 5_000 - Double(place)
      #expect(part > -1e-6 && part < 1 + 1e-6, "sign-up \(place)")
    }
  }

  @Test func aBassMarketGivesTheShareReached() throws {
    let reached = AdoptionCurve.bassShare(years: 1, innovation: 0.03, imitation: 0.38)
    let instants = signUps(try calendar()) { $0.adoption.market = 100_000 }
    // Of a year of 52 weeks and a day, that day weighs what its weekday does.
    #expect(abs(Double(instants.count) / (100_000 * reached) - 1) < 0.003)
    let two = try calendar(days: 730)
    let later = AdoptionCurve.bassShare(years: 2, innovation: 0.03, imitation: 0.38)
    let both = signUps(two) { $0.adoption.market = 100_000 }
    #expect(abs(Double(both.count) / (100_000 * later) - 1) < 0.003)
    #expect(both.prefix(instants.count).elementsEqual(instants))
    #expect(both[instants.count] >= (try calendar()).end, "a longer run moves nobody")
  }

  @Test(
    "A plan's numbers are exact by calendar month, and by days of one that the run's end cuts",
    arguments: ["UTC", "America/New_York", "Pacific/Auckland"])
  func plan(zone: String) throws {
    let plan = [31, 0, 500, 7, 1_200]
    for season in [true, false] {
      // Seven calendar months, the first and the last in part: eight days of July.
      let calendar = try calendar(zone, from: "2026-01-20", days: 170)
      let instants = signUps(calendar) {
        $0.adoption.model = .plan
        $0.adoption.monthly = plan
        $0.season.enabled = season
        $0.season.holidays = [HolidayFactor(date: CivilDate("2026-03-01")!, factor: 0)]
      }
      let counts = countsByMonth(instants, calendar)
      #expect(counts.dropLast() == [31, 0, 500, 7, 1_200, 1_200])
      #expect(counts[6] == 309 || counts[6] == 310, "1,200 * 8 / 31 is 309.7, not \(counts[6])")
    }
  }

  @Test("A longer run has the same sign-ups of a plan in the days of a shorter one")
  func planOfALongerRun() throws {
    func plan(_ days: Int) throws -> [Int64] {
      let calendar = try calendar(from: "2026-01-20", days: days)
      return signUps(calendar) {
        $0.adoption.model = .plan
        $0.adoption.monthly = [31, 200, 500]
        $0.season.enabled = false
      }.map(\.microseconds)
    }
    let long = try plan(90)
    for days in [5, 12, 30, 40, 65] {
      let short = try plan(days)
      let end = try calendar(from: "2026-01-20", days: days).end.microseconds
      #expect(short.count == long.count { $0 < end }, "\(days) days")
      // Rounding moves an instant by a microsecond at most.
      #expect(zip(short, long).allSatisfy { abs($0 - $1) <= 1 }, "\(days) days")
    }
  }

  @Test("Sign-ups at a rate are a Poisson process", arguments: [true, false])
  func rate(season: Bool) throws {
    // Twelve whole weeks in UTC have as much operational time as clock time.
    let calendar = try calendar(from: "2026-01-05", days: 84)
    var counts = Moments(around: 63)
    var firstHalf = Moments(around: 31)
    var covariance = 0.0
    for seed in UInt64(0)..<1_500 {
      let instants = signUps(calendar, seed: seed) {
        $0.adoption.model = .rate
        $0.adoption.perDay = 0.75
        $0.season.enabled = season
      }
      let early = instants.count { $0 < calendar.dayStarts[42] }
      counts.add(Double(instants.count))
      firstHalf.add(Double(early))
      covariance += (Double(early) - 31.5) * (Double(instants.count - early) - 31.5)
    }
    #expect(counts.errors(from: 63, variance: 63) < 4)
    #expect(counts.varianceErrors(from: 63, fourth: 63 + 3 * 63 * 63) < 4)
    #expect(firstHalf.errors(from: 31.5, variance: 31.5) < 4)
    #expect(firstHalf.varianceErrors(from: 31.5, fourth: 31.5 + 3 * 31.5 * 31.5) < 4)
    // Disjoint intervals are independent: the product of two deviations has variance 31.5².
    #expect(distance(covariance, 0, 1_500 * 31.5 * 31.5) < 4)
  }

  @Test func waitsBetweenSignUpsAtARateAreExponential() throws {
    let calendar = try calendar()
    let instants = signUps(calendar) {
      $0.adoption.model = .rate
      $0.adoption.perDay = 48
      $0.season.enabled = false
    }
    var hours = Moments()
    for place in instants.indices.dropFirst() {
      hours.add((instants[place] - instants[place - 1]).inSeconds / 3_600)
    }
    #expect(hours.errors(from: 0.5, variance: 0.25) < 4)
    #expect(hours.varianceErrors(from: 0.25, fourth: 9.0 / 16) < 4)
  }

  @Test func membersBoundTheSignUpsAtARate() throws {
    let calendar = try calendar()
    let all = signUps(calendar) {
      $0.adoption.model = .rate
      $0.adoption.perDay = 5
    }
    let bounded = signUps(calendar) {
      $0.adoption.model = .rate
      $0.adoption.perDay = 5
      $0.members = 1_000
    }
    #expect(all.count > 1_000)
    #expect(bounded == Array(all.prefix(1_000)))
  }

  @Test func aCohortSignsUpAtTheFirstInstant() throws {
    let calendar = try calendar("America/New_York")
    let instants = signUps(calendar) {
      $0.adoption.model = .cohort
      $0.members = 321
    }
    #expect(instants == Array(repeating: calendar.start, count: 321))
  }

  @Test("Sign-ups ascend and lie within the run", arguments: AdoptionModel.allCases)
  func orderAndRange(model: AdoptionModel) throws {
    for (days, season) in [(1, true), (1, false), (40, true), (500, true), (500, false)] {
      let calendar = try calendar("America/New_York", from: "2026-02-27", days: days)
      for members in [1, 2, 3_000] {
        let instants = signUps(calendar, seed: UInt64(days)) {
          $0.adoption.model = model
          $0.adoption.monthly = [members, 0, 3]
          $0.adoption.perDay = Double(members)
          $0.members = members
          $0.season.enabled = season
          $0.season.holidays = [HolidayFactor(date: CivilDate("2026-03-01")!, factor: 0)]
        }
        #expect(!instants.isEmpty || model == .rate || model == .plan && members <= 2)
        #expect(zip(instants, instants.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(instants.allSatisfy { calendar.start <= $0 && $0 < calendar.end })
        if model != .rate && model != .plan { #expect(instants.count == members) }
      }
    }
  }

  @Test func bassSignUpsFollowTheHoursOfTheDay() throws {
    let calendar = try calendar()
    let instants = signUps(calendar) { $0.members = 40_000 }
    var byHour = [Double](repeating: 0, count: 24)
    for instant in instants { byHour[Int(instant.microseconds / 3_600_000_000 % 24)] += 1 }
    let weights = SeasonSettings().hours
    let total = weights.reduce(0, +)
    for hour in 0..<24 {
      // Equal parts of the curve vary less than independent sign-ups would.
      let share = weights[hour] / total
      #expect(distance(byHour[hour], 40_000 * share, 40_000 * share * (1 - share)) < 4, "\(hour)")
    }
  }

  @Test func signUpsDependOnTheSeedAlone() throws {
    let calendar = try calendar()
    for model in AdoptionModel.allCases where model != .cohort {
      func instants(_ seed: UInt64) -> [Instant] {
        signUps(calendar, seed: seed) {
          $0.adoption.model = model
          $0.adoption.monthly = [10, 20]
          $0.adoption.perDay = 1
          $0.members = 200
        }
      }
      #expect(instants(1) == instants(1))
      #expect(instants(1) != instants(2))
    }
  }
}
