import BlakJaks
// Goal: the population gives the published figures of BG/NBD, MBG/NBD and Pareto/NBD on CDNOW.
// Method: closed forms against the published numbers to their last digit and against quadrature;
// 100,000 members watched through the model's own functions against both, within 4 standard errors
// of known variance. All seeds are fixed.
import CGSL
import EventKernel
import Foundation
import Population
import Quantities
import Testing

@Suite struct PublishedResultTests {
  static let members: UInt32 = 100_000
  /// Published expected numbers of the 2,357 customers with 0, 1, … 6 and 7 or more repeats.
  static let histogram = [1_406.5, 460.8, 192.7, 101.3, 59.9, 38.2, 25.6, 72.0]
  /// Customers of the CDNOW sample by the week of 1997 in which they joined, and the days that they
  /// were observed for, in total: the published histogram rests on individual exposures. Within a
  /// week the probabilities are so nearly straight that the mean exposure gives all its digits.
  static let joined: [(customers: Int, days: Int)] = [
    (157, 42_179), (164, 42_931), (182, 46_368), (193, 47_846), (216, 52_027), (220, 51_473),
    (202, 45_795), (204, 44_854), (219, 46_666), (217, 44_728), (204, 40_579), (179, 34_333),
  ]

  @Test func closedFormsGiveThePublishedFigures() {
    let bg = BuyTillYouDie.bg
    #expect(abs(bg.mean(10) - 0.43241) < 6e-6)
    #expect(abs(bg.mean(39) - 1.19672) < 6e-6)
    #expect(abs(bg.variance(39) - 6.4479) < 6e-5)
    #expect(abs(bg.alive(39) - 0.79440) < 6e-6)
    #expect(abs(bg.alive(repeats: 2, last: 30.43, weeks: 38.86) - 0.72658) < 6e-6)
    #expect(abs(BuyTillYouDie.pareto.mean(39) - 1.21300) < 6e-6)
    #expect(abs(BuyTillYouDie.mbg.mean(39) - 1.18295) < 6e-6)
  }

  @Test func closedFormGivesThePublishedHistogramAtTheIndividualExposures() {
    var expected = [Double](repeating: 0, count: 8)
    for week in Self.joined {
      let exposure = Double(week.days) / Double(week.customers) / 7
      let probabilities = BuyTillYouDie.bg.probabilities(exposure, count: 7)
      for x in 0..<7 { expected[x] += Double(week.customers) * probabilities[x] }
      expected[7] += Double(week.customers) * (1 - probabilities.reduce(0, +))
    }
    #expect(Self.joined.reduce(0) { $0 + $1.customers } == 2_357)
    for (x, count) in Self.histogram.enumerated() {
      #expect(abs(expected[x] - count) < 0.06, "\(x) repeats: \(expected[x])")
    }
  }

  @Test(
    "The closed mean is the integral of the rate of purchases",
    arguments: [BuyTillYouDie.bg, .mbg, .pareto] + BuyTillYouDie.others)
  func quadrature(law: BuyTillYouDie) {
    for t in [0.5, 4, 10, 39, 78, 260] {
      let integral = BuyTillYouDie.integral(0, t, law.purchaseRate)
      #expect(abs(law.mean(t) / integral - 1) < 1e-5, "t = \(t): \(law.mean(t)) \(integral)")
    }
    #expect(law.mean(0) == 0)
    let start = law.model == .mbgNbd ? law.second / (law.first + law.second) : 1
    #expect(abs(law.alive(0) - start) < 1e-12)
  }

  @Test func probabilitiesAgreeWithTheMomentsAndSumToOne() {
    for law in [BuyTillYouDie.bg] + BuyTillYouDie.others where law.model == .bgNbd {
      for t in [2.0, 10, 39] {
        let probabilities = law.probabilities(t, count: 800)
        let values = probabilities.indices.map(Double.init)
        let mean = zip(values, probabilities).reduce(0) { $0 + $1.0 * $1.1 }
        let square = zip(values, probabilities).reduce(0) { $0 + $1.0 * $1.0 * $1.1 }
        let whole: Double = probabilities.reduce(0, +)
        #expect(abs(whole - 1) < 1e-9)
        #expect(abs(mean / law.mean(t) - 1) < 1e-8)
        #expect(abs((square - mean * mean) / law.variance(t) - 1) < 1e-6)
      }
    }
  }

  @Test func conditionalExpectationStaysFiniteForThousandsOfPurchases() {
    let law = BuyTillYouDie.bg
    // The usual form, while it still works.
    for x in [0, 1, 2, 20, 200] {
      let z = 39 / (law.alpha + 38.86 + 39)
      let n = Double(x)
      let sum = law.first + law.second + n - 1
      let series = BuyTillYouDie.hypergeometric(law.r + n, law.second + n, sum, z)
      let usual =
        sum / (law.first - 1) * (1 - pow(1 - z, law.r + n) * series)
        * law.alive(repeats: x, last: 30.43, weeks: 38.86)
      let stable = law.next(39, repeats: x, last: 30.43, weeks: 38.86)
      #expect(abs(stable - usual) < 1e-9 * max(1, usual), "x = \(x): \(stable) \(usual)")
    }
    // Fader, Hardie and Lee, "Implementing the BG/NBD Model": 1.226 for this customer.
    #expect(abs(law.next(39, repeats: 2, last: 30.43, weeks: 38.86) - 1.226) < 6e-4)
    for x in [1_600, 3_000, 10_000] {
      // Somebody who buys so often and has just bought is surely there and goes on.
      let next = law.next(39, repeats: x, last: 38.86, weeks: 38.86)
      let rate = (law.r + Double(x)) / (law.alpha + 38.86)
      #expect(next > 0.5 * rate * 39 && next < rate * 39, "x = \(x): \(next)")
    }
  }

  @Test(
    "Members buy and leave as published: means at 10 and 39 weeks and the share alive",
    arguments: [
      (BuyTillYouDie.bg, 0.43241, 1.19672), (.mbg, nil, 1.18295), (.pareto, nil, 1.21300),
    ] as [(BuyTillYouDie, Double?, Double)])
  func simulation(law: BuyTillYouDie, atTen: Double?, at39: Double) throws {
    let watch = try Watch(law.settings, seed: 39, days: 273)
    var ten = Moments()
    var thirtyNine = Moments(around: 1)
    var alive = Moments()
    for member in 0..<Self.members {
      let seen = watch.member(member, weeks: 39)
      ten.add(Double(seen.count(until: 10)))
      thirtyNine.add(Double(seen.repeats.count))
      alive.add(seen.left > 39 ? 1 : 0)
    }
    let share = law.alive(39)
    #expect(ten.errors(from: atTen ?? law.mean(10), variance: law.variance(10)) < 4)
    #expect(thirtyNine.errors(from: at39, variance: law.variance(39)) < 4)
    #expect(alive.errors(from: share, variance: share * (1 - share)) < 4)
    if law.model == .bgNbd {
      let mean = law.mean(39)
      let probabilities = law.probabilities(39, count: 800)
      let fourth = probabilities.enumerated().reduce(0) {
        $0 + $1.element * pow(Double($1.offset) - mean, 4)
      }
      #expect(thirtyNine.varianceErrors(from: 6.4479, fourth: fourth) < 4)
      #expect(alive.errors(from: 0.79440, variance: share * (1 - share)) < 4)
    }
  }

  @Test("MBG/CNBD-3 with its published parameters buys as published from 4 to 52 weeks")
  func regularPurchases() throws {
    // Platzer and Reutterer 2016: of the steps of gaps, negative binomial over members, every third
    // is a purchase; P(X(t) = x) has who stayed x + 1 times, and who left at the x-th repeat.
    let (r, alpha, a, b, k) = (0.52, 2.1, 0.6, 3.0, 3)
    func mean(_ t: Double) -> Double {
      var step = exp(-r * log1p(t / alpha))
      var steps: [Double] = []
      for j in 0..<9_000 {
        steps.append(step)
        step *= (r + Double(j)) / Double(j + 1) * t / (alpha + t)
      }
      var (stay, reached, sum) = (1.0, 1.0, 0.0)
      for x in 0..<3_000 {
        let leave = stay * a / (a + b + Double(x))
        stay *= (b + Double(x)) / (a + b + Double(x))
        let here = steps[k * x..<k * x + k].reduce(0, +)
        sum += Double(x) * (stay * here + leave * reached)
        reached = max(0, reached - here)
      }
      return sum
    }
    var law = BuyTillYouDie.mbg
    (law.r, law.alpha, law.first, law.second) = (r, alpha, a, b)
    var settings = law.settings
    settings.purchase.erlang = k
    let watch = try Watch(settings, seed: 3, days: 364)
    let weeks = [4.0, 13, 26, 52]
    var seen = weeks.map { _ in Moments() }
    for member in 0..<Self.members {
      let watched = watch.member(member, weeks: 52)
      for (place, time) in weeks.enumerated() {
        seen[place].add(Double(watched.count(until: time)))
      }
    }
    for (place, time) in weeks.enumerated() {
      let expected = mean(time)
      let errors = seen[place].errors(from: expected, variance: seen[place].variance)
      #expect(errors < 4, "\(time) weeks: \(seen[place].mean), published \(expected)")
    }
    let table = try #require(PurchaseExpectation.of(settings, weeks: 52))
    for time in weeks {
      #expect(abs(table.repeats(weeks: time, referred: false) / mean(time) - 1) < 1e-5)
    }
  }

  @Test func simulatedHistogramIsThePublishedOneAtTheIndividualExposures() throws {
    let watch = try Watch(BuyTillYouDie.bg.settings, seed: 2_357, days: 273)
    // Members are dealt to the weeks of joining in proportion, by places over all customers.
    let exposures = Self.joined.flatMap { week in
      Array(repeating: Double(week.days) / Double(week.customers) / 7, count: week.customers)
    }
    var counts = [Int](repeating: 0, count: 8)
    for member in 0..<Self.members {
      let exposure = exposures[Int(member) % exposures.count]
      counts[min(watch.member(member, weeks: exposure).repeats.count, 7)] += 1
    }
    let number = Double(Self.members)
    for (x, published) in Self.histogram.enumerated() {
      let share = published / 2_357
      let rounding = 0.05 / 2_357
      let bound = 4 * (share * (1 - share) / number).squareRoot() + rounding
      #expect(abs(Double(counts[x]) / number - share) < bound, "\(x) repeats: \(counts[x])")
    }
  }

  @Test func membersAreAliveAsOftenAsTheirPurchasesTell() throws {
    // Given x and tₓ, whether a member is alive is a coin of known probability, so the number
    // alive in any group has a known mean and variance. One group lies around x = 2, tₓ = 30.43.
    let law = BuyTillYouDie.bg
    let watch = try Watch(law.settings, seed: 3_043, days: 273)
    var groups = [(alive: Double, expected: Double, variance: Double, members: Int)](
      repeating: (0, 0, 0, 0), count: 12)
    for member in 0..<Self.members {
      let seen = watch.member(member, weeks: 38.86)
      guard let last = seen.repeats.last else {
        #expect(seen.left == .infinity, "BG lets nobody leave before the first repeat purchase")
        continue
      }
      let probability = law.alive(repeats: seen.repeats.count, last: last, weeks: 38.86)
      var own = [min(Int(probability * 10), 9)]
      if seen.repeats.count == 2 { own.append(10) }
      if seen.repeats.count == 2 && abs(last - 30.43) < 3 { own.append(11) }
      for group in own {
        groups[group].alive += seen.left == .infinity ? 1 : 0
        groups[group].expected += probability
        groups[group].variance += probability * (1 - probability)
        groups[group].members += 1
      }
    }
    for (place, group) in groups.enumerated() where group.members > 0 {
      #expect(
        distance(group.alive, group.expected, group.variance) < 4, "group \(place): \(group)")
    }
    #expect(groups[11].members > 300)
  }

  @Test(
    "Members buy and leave by the closed forms also far from the published parameters",
    arguments: BuyTillYouDie.others)
  func furtherParameters(law: BuyTillYouDie) throws {
    let watch = try Watch(law.settings, seed: 12, days: 84)
    var counts = [3.0, 12].map {
      (weeks: $0, seen: Moments(around: law.mean($0)), alive: Moments())
    }
    for member in 0..<UInt32(10_000) {
      let seen = watch.member(member, weeks: 12)
      for place in counts.indices {
        let weeks = counts[place].weeks
        counts[place].seen.add(Double(seen.count(until: weeks)))
        counts[place].alive.add(seen.left > weeks ? 1 : 0)
      }
    }
    for (weeks, seen, alive) in counts {
      #expect(seen.errors(from: law.mean(weeks), variance: law.variance(weeks)) < 4, "\(weeks)")
      let share = law.alive(weeks)
      #expect(alive.errors(from: share, variance: share * (1 - share)) < 4, "\(weeks)")
    }
  }

  @Test func seasonMovesPurchasesWithinWeeksButNotTheirNumber() throws {
    let law = BuyTillYouDie.bg
    var settings = law.settings
    settings.season.enabled = true
    let watch = try Watch(settings, seed: 7, days: 84)
    let plain = try Watch(law.settings, seed: 7, days: 84)
    for member in 0..<UInt32(5_000) {
      // Every whole week has as much operational time as clock time.
      let seen = watch.member(member, weeks: 12)
      let expected = plain.member(member, weeks: 12)
      #expect(seen.repeats.count == expected.repeats.count)
      for (mine, theirs) in zip(seen.repeats, expected.repeats) {
        #expect(mine.rounded(.down) == theirs.rounded(.down))
      }
    }
  }
}
