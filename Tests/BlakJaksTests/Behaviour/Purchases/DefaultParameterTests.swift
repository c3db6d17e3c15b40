import BlakJaks
// Goal: the defaults are the ones of population.md and mean in simulation what they say.
// Method: a table of every default; tins a week of members whom nothing makes leave against the
// renewal function of Erlang-2 gaps; the life of a default member against bounds.
import EventKernel
import Foundation
import Population
import Testing

@Suite struct DefaultParameterTests {
  @Test func defaultsAreTheOnesOfTheSpecification() {
    let settings = PopulationSettings()
    let table: [(String, Double, Double)] = [
      ("Bass innovation a year", settings.adoption.innovation, 0.03),
      ("Bass imitation a year", settings.adoption.imitation, 0.38),
      ("share of members who refer", settings.referral.affiliates, 0.10),
      ("factor on a referred member's dropout", settings.referral.dropoutFactor, 0.82),
      ("share of applicants under age", settings.underAge, 0.02),
      ("Erlang shape of the gaps", Double(settings.purchase.erlang), 2),
      ("tins a week", settings.tins.perWeek, 2.5),
      ("gamma shape over members", settings.tins.shape, 1.2),
      ("share of tins scanned", settings.tins.scanned, 0.60),
      ("gaps over which tins are opened", settings.tins.openedOver, 1),
      ("share bought in the shop", settings.tins.shop, 0.35),
      ("members", Double(settings.members), 100_000),
    ]
    for (name, value, expected) in table { #expect(value == expected, "\(name)") }
    #expect(settings.purchase.model == .mbgNbd)
    #expect(settings.adoption.model == .bass)
    #expect(settings.season.enabled)
    #expect(settings.season.weekdays == [0.90, 0.90, 0.95, 1.00, 1.15, 1.20, 0.90])
    #expect(settings.season.hours.count == 24)
    #expect(settings.season.hours.firstIndex(of: settings.season.hours.max() ?? 0) == 20)
    #expect(settings.tins.perPurchase > 1, "several tins a purchase")
    for share in [
      settings.mischief.duplicates, settings.mischief.malformed, settings.mischief.guessed,
    ] {
      #expect(share > 0 && share < 0.1)
    }
  }

  @Test func purchaseRatesFollowFromTinsAWeekUnlessGiven() {
    let behaviour = BehaviourModel(PopulationSettings(), seed: 1)
    #expect(behaviour.rateShape == 1.2)
    #expect(abs(behaviour.rateShape / behaviour.rateWeeks * 5 - 2.5) < 1e-12)
    var settings = PopulationSettings()
    settings.purchase.r = 0.243
    settings.purchase.alpha = 4.414
    let given = BehaviourModel(settings, seed: 1)
    #expect(given.rateShape == 0.243)
    // As published, α is of the two steps of a gap.
    #expect(given.rateWeeks == 2 * 4.414)
  }

  @Test func activeMembersBuyTwoAndAHalfTinsAWeekWithGammaShapeOnePointTwo() throws {
    let behaviour = BehaviourModel(PopulationSettings(), seed: 3)
    var perWeek = Moments(around: 2.5)
    for member in 0..<UInt32(50_000) {
      let traits = behaviour.traits(member: member, referred: false)
      perWeek.add(5 / Double(traits.meanGapWeeks))
    }
    // Gamma of mean 2.5 and shape 1.2: variance 6.25/1.2, fourth central moment 3·k·(k + 2)·θ⁴.
    let variance = 6.25 / 1.2
    #expect(perWeek.errors(from: 2.5, variance: variance) < 4)
    #expect(
      perWeek.varianceErrors(from: variance, fourth: 3 * 1.2 * 3.2 * pow(2.5 / 1.2, 4)) < 4)
  }

  @Test func tinsBoughtByActiveMembersFollowTheRenewalFunction() throws {
    var settings = PopulationSettings()
    settings.season.enabled = false
    let watch = try Watch(settings, seed: 5, days: 126)
    let weeks = 18.0
    var tins = Moments(around: 50)
    for member in 0..<UInt32(8_000) {
      tins.add(Double(watch.member(member, weeks: weeks, neverLeaves: true).tins))
    }
    // Erlang-2 gaps with purchase rate λ, counted from a purchase: E N(t) = λt − ¼ + ¼·e^(−4λt),
    // and the mean over λ ~ Gamma(1.2, 2.4 weeks). Each purchase brings 5 tins on average.
    let purchases = 0.5 * weeks - 0.25 + 0.25 * pow(2.4 / (2.4 + 4 * weeks), 1.2)
    // The variance of N is that of λt and at most λt more; that of the tins of one purchase is 4.
    let spread = 1.2 / (2.4 * 2.4) * weeks * weeks + 0.5 * weeks
    #expect(tins.errors(from: 5 * purchases, variance: 25 * spread + 4 * purchases) < 4)
  }

  @Test func mostDefaultMembersStayThroughTheirFirstYearAndSomeLeave() throws {
    let watch = try Watch(PopulationSettings(), seed: 6, days: 364)
    var alive = Moments()
    var atOnce = Moments()
    for member in 0..<UInt32(2_000) {
      let seen = watch.member(member, weeks: 52)
      alive.add(seen.left == .infinity ? 1 : 0)
      atOnce.add(seen.left == 0 ? 1 : 0)
    }
    let share = 0.4 / 16.4
    #expect(atOnce.errors(from: share, variance: share * (1 - share)) < 4)
    #expect(alive.mean > 0.4 && alive.mean < 0.9, "\(alive.mean)")
  }
}
