import BlakJaks
// Goal: every quantity that a purchase, a scan or a member draws has the distribution its setting
// names.
// Method: sample means and variances within 4 standard errors of known variance; fixed seeds;
// the ends of each setting's range besides the defaults.
import EventKernel
import Foundation
import Population
import Testing

@Suite struct PurchaseDrawTests {
  private func model(seed: UInt64 = 1, _ edit: (inout PopulationSettings) -> Void = { _ in })
    -> BehaviourModel
  {
    var settings = PopulationSettings()
    edit(&settings)
    return BehaviourModel(settings, seed: seed)
  }

  @Test(
    "Tins a purchase are one and a Poisson number more",
    arguments: [1, 1.000_001, 2.5, 5, 12, 300, 800, 1_000] as [Double])
  func tins(mean: Double) {
    let model = model { $0.tins.perPurchase = mean }
    let more = mean - 1
    var seen = Moments(around: mean)
    var least = Int.max
    for member in 0..<UInt32(20_000) {
      let tins = model.purchase(member: member, index: member % 5).tins
      seen.add(Double(tins))
      least = min(least, tins)
    }
    #expect(least >= 1)
    #expect(seen.errors(from: mean, variance: more) < 4)
    // Fourth central moment of a Poisson number: m + 3·m².
    #expect(seen.varianceErrors(from: more, fourth: more + 3 * more * more) < 4)
  }

  @Test func tinCountsHaveThePoissonFrequencies() {
    let model = model()
    let count = 60_000
    var seen = [Int](repeating: 0, count: 64)
    for member in 0..<UInt32(count) { seen[model.purchase(member: member, index: 2).tins] += 1 }
    var probability = Foundation.exp(-4.0)
    for tins in 1...14 {
      let expected = probability * Double(count)
      #expect(
        distance(Double(seen[tins]), expected, expected * (1 - probability)) < 4, "\(tins) tins")
      probability *= 4 / Double(tins)
    }
  }

  @Test(
    "Each tin is scanned with the given probability, whatever the others",
    arguments: [
      (5, 0), (5, 0.05), (5, 0.6), (5, 1), (40, 0.6), (60, 0.999_999), (5, 1 - 0x1p-53),
      (400, 0.99), (5, 1e-300),
    ] as [(Double, Double)])
  func scanned(perPurchase: Double, share: Double) {
    let model = model {
      $0.tins.perPurchase = perPurchase
      $0.tins.scanned = share
    }
    var bought = 0.0
    var scanned = 0.0
    var spread = 0.0
    var fourths = 0.0
    for member in 0..<UInt32(20_000) {
      let draw = model.purchase(member: member, index: 1)
      #expect((0...draw.tins).contains(draw.scanned))
      let tins = Double(draw.tins)
      bought += tins
      scanned += Double(draw.scanned)
      // Given the tins, the squared deviation has mean v and known variance.
      let v = tins * share * (1 - share)
      spread += pow(Double(draw.scanned) - tins * share, 2) - v
      fourths += v * (1 + (3 * tins - 6) * share * (1 - share)) - v * v
    }
    #expect(distance(scanned, bought * share, bought * share * (1 - share)) < 4)
    #expect(distance(spread, 0, max(fourths, 1e-6)) < 4)
  }

  @Test("Purchases are made in the shop at their share", arguments: [0, 0.35, 0.9, 1] as [Double])
  func shop(share: Double) {
    let model = model { $0.tins.shop = share }
    var seen = Moments()
    for member in 0..<UInt32(40_000) {
      seen.add(model.purchase(member: member, index: 3).inShop ? 1 : 0)
    }
    #expect(seen.errors(from: share, variance: share * (1 - share)) < 4)
  }

  @Test("Erlang-k gaps have mean 1 and variance 1/k", arguments: [1, 2, 3, 4, 5, 6, 7, 8, 30, 100])
  func gaps(shape: Int) {
    let model = model { $0.purchase.erlang = shape }
    let k = Double(shape)
    var seen = Moments(around: 1)
    for member in 0..<UInt32(30_000) {
      seen.add(model.purchase(member: member, index: member % 3).gap)
    }
    #expect(seen.errors(from: 1, variance: 1 / k) < 4)
    #expect(seen.varianceErrors(from: 1 / k, fourth: 3 * (k + 2) / (k * k * k)) < 4)
  }

  @Test("What one purchase draws is mutually independent", arguments: [2, 7, 30])
  func independence(shape: Int) {
    let model = model { $0.purchase.erlang = shape }
    let count = 20_000
    // Each column with mean 0 and variance 1; the last two are the next purchase of the member.
    let sigma = (1 / Double(shape)).squareRoot()
    let columns = (0..<UInt32(count)).map { member -> [Double] in
      let draw = model.purchase(member: member, index: 0)
      let next = model.purchase(member: member, index: 1)
      return [
        (draw.gap - 1) / sigma, (draw.dropout - 0.5) * 12.0.squareRoot(),
        (Double(draw.tins) - 5) / 2, (draw.firstOpening - 0.5) * 12.0.squareRoot(),
        ((draw.inShop ? 1 : 0) - 0.35) / (0.35 * 0.65).squareRoot(),
        (Double(draw.scanned) - 0.6 * Double(draw.tins)) / (5 * 0.24).squareRoot(),
        (next.gap - 1) / sigma, (Double(next.tins) - 5) / 2,
      ]
    }
    for first in 0..<8 {
      for second in 0..<first {
        let sum = columns.reduce(0) { $0 + $1[first] * $1[second] }
        // Scanned beside bought tins: the variance of the product is still 1.2 at most.
        #expect(distance(sum, 0, 1.2 * Double(count)) < 4, "columns \(first) and \(second)")
      }
    }
  }

  @Test func uniformDrawsAreUniformAndTheOpeningGapLiesAroundOne() {
    let model = model()
    var dropout = Moments()
    var opening = Moments()
    var gap = Moments()
    for member in 0..<UInt32(30_000) {
      let draw = model.purchase(member: member, index: 1)
      dropout.add(draw.dropout)
      opening.add(draw.firstOpening)
      let scan = model.scan(member: member, index: 4)
      #expect(scan.gap >= 0.5 && scan.gap < 1.5)
      gap.add(scan.gap - 0.5)
    }
    for seen in [dropout, opening, gap] {
      #expect(seen.errors(from: 0.5, variance: 1.0 / 12) < 4)
      #expect(seen.varianceErrors(from: 1.0 / 12, fourth: 1.0 / 80) < 4)
    }
  }

  @Test(
    "Mischief comes at its rate per scan: the whole part always, one more by the fraction",
    arguments: [0, 0.002, 0.02, 0.5, 1, 2.75, 100] as [Double])
  func mischief(rate: Double) {
    let model = model {
      $0.mischief.duplicates = rate
      $0.mischief.malformed = rate / 2
      $0.mischief.guessed = rate / 4
    }
    var seen = [Moments(), Moments(around: rate / 2), Moments(around: rate / 4)]
    for member in 0..<UInt32(30_000) {
      let draw = model.scan(member: member, index: member % 11)
      seen[0].add(Double(draw.duplicates))
      seen[1].add(Double(draw.malformed))
      seen[2].add(Double(draw.guesses))
    }
    for (place, seen) in seen.enumerated() {
      let rate = rate / Double(1 << place)
      let fraction = rate - rate.rounded(.down)
      #expect(seen.errors(from: rate, variance: fraction * (1 - fraction)) < 4, "\(place)")
    }
  }

  @Test func affiliatesHaveTheirShare() {
    for share in [0, 0.1, 1] {
      let model = model { $0.referral.affiliates = share }
      var seen = Moments()
      for member in 0..<UInt32(40_000) { seen.add(model.isAffiliate(member) ? 1 : 0) }
      #expect(seen.errors(from: share, variance: share * (1 - share)) < 4)
    }
  }

  @Test func referrersAreEarlierAffiliatesAndReferredMembersHaveTheirShare() throws {
    // The last is how many earlier members are drawn before the search is given up.
    let cases = [(0.02, 0.15, 320.0), (0.1, 0.15, 64), (0.5, 1.0, 64), (1.0, 0.3, 64)]
    for (affiliates, referred, draws) in cases {
      let model = model(seed: 9) {
        $0.referral.affiliates = affiliates
        $0.referral.referred = referred
      }
      var earlier = 0.0
      var count = 0.0
      var expected = 0.0
      var variance = 0.0
      var wrong = 0
      var place = Moments()
      for member in 0..<UInt32(12_000) {
        if let referrer = model.referrer(of: member) {
          count += 1
          wrong += referrer < member && model.isAffiliate(referrer) ? 0 : 1
          if member > 2_000 { place.add(Double(referrer) / Double(member)) }
        }
        let found = member > 0 ? 1 - pow(1 - earlier / Double(member), draws) : 0
        expected += referred * found
        variance += referred * found * (1 - referred * found)
        if model.isAffiliate(member) { earlier += 1 }
      }
      #expect(distance(count, expected, variance) < 4, "\(count) \(expected)")
      #expect(wrong == 0, "referrers who are no earlier affiliates")
      // Anybody earlier may be the one: uniform, but for which members happen to be affiliates.
      guard affiliates >= 0.1 else { continue }
      #expect(abs(place.mean - 0.5) < 4 * (1.0 / 12 / place.count).squareRoot() + 0.01)
    }
  }

  @Test func nobodyIsReferredWithoutAffiliatesOrReferrals() {
    let models = [
      model { $0.referral.affiliates = 0 }, model { $0.referral.referred = 0 },
    ]
    for model in models {
      #expect((0..<UInt32(500)).allSatisfy { model.referrer(of: $0) == nil })
    }
    let all = model {
      $0.referral.affiliates = 1
      $0.referral.referred = 1
    }
    #expect(all.referrer(of: 0) == nil, "the first member has nobody before")
    let hardlyAny = model {
      $0.referral.affiliates = 1e-300
      $0.referral.referred = 1
    }
    #expect(hardlyAny.referrer(of: 1) == nil, "the search for an affiliate ends")
    #expect((1..<UInt32(500)).allSatisfy { all.referrer(of: $0) != nil })
  }

  @Test func referredMembersLeaveEighteenPerCentLessOften() throws {
    for law in [BuyTillYouDie.bg, .mbg] {
      var left = Moments()
      let model = BehaviourModel(law.settings, seed: 4)
      for member in 0..<UInt32(30_000) {
        let alone = model.traits(member: member, referred: false)
        let friend = model.traits(member: member, referred: true)
        #expect(abs(friend.dropout - alone.dropout * 0.82) <= alone.dropout * 1e-6)
        #expect(friend.meanGapWeeks == alone.meanGapWeeks)
        let draw = model.purchase(member: member, index: 1)
        left.add(model.leaves(after: draw, index: 1, dropout: friend.dropout) ? 1 : 0)
      }
      let share = 0.82 * law.first / (law.first + law.second)
      #expect(left.errors(from: share, variance: share * (1 - share)) < 4)
    }
    // An exponential lifetime at 0.82 of the rate: the share alive has β / 0.82 for β.
    let watch = try Watch(BuyTillYouDie.pareto.settings, seed: 4, days: 273)
    var stretched = BuyTillYouDie.pareto
    stretched.second /= 0.82
    let share = stretched.alive(39)
    var alive = Moments()
    for member in 0..<UInt32(30_000) {
      let alone = watch.behaviour.traits(member: member, referred: false)
      let friend = watch.behaviour.traits(member: member, referred: true)
      #expect(abs(friend.dropout - alone.dropout / 0.82) <= alone.dropout * 1e-6)
      alive.add(friend.dropout > 39 ? 1 : 0)
    }
    #expect(alive.errors(from: share, variance: share * (1 - share)) < 4)
  }

  @Test func onlyMBGLetsMembersLeaveAtSignUpAndParetoNeverAtAPurchase() {
    for law in [BuyTillYouDie.bg, .mbg, .pareto] {
      let model = BehaviourModel(law.settings, seed: 4)
      var draw = model.purchase(member: 0, index: 0)
      draw.dropout = 0.3
      #expect(model.leaves(after: draw, index: 0, dropout: 1) == (law.model == .mbgNbd))
      #expect(model.leaves(after: draw, index: 1, dropout: 1) == (law.model != .paretoNbd))
      #expect(!model.leaves(after: draw, index: 1, dropout: 0.2))
    }
  }

  @Test(
    "Purchase rates are Gamma and dropout probabilities Beta over members",
    arguments: [BuyTillYouDie.bg, .mbg] + BuyTillYouDie.others)
  func traits(law: BuyTillYouDie) {
    let model = BehaviourModel(law.settings, seed: 21)
    var rates = Moments(around: law.r / law.alpha)
    var dropouts = Moments()
    var lifetimes = Moments()
    for member in 0..<UInt32(20_000) {
      let traits = model.traits(member: member, referred: false)
      rates.add(1 / Double(traits.meanGapWeeks))
      dropouts.add(Double(traits.dropout))
      lifetimes.add(Double(traits.dropout) > law.second ? 1 : 0)
    }
    let variance = law.r / (law.alpha * law.alpha)
    #expect(rates.errors(from: law.r / law.alpha, variance: variance) < 4)
    // Fourth central moment of Gamma(r, α): 3·r·(r + 2) / α⁴.
    let fourth = 3 * law.r * (law.r + 2) / pow(law.alpha, 4)
    #expect(rates.varianceErrors(from: variance, fourth: fourth) < 4)
    if law.model == .paretoNbd {
      let share = law.alive(law.second)
      #expect(lifetimes.errors(from: share, variance: share * (1 - share)) < 4)
    } else {
      let sum = law.first + law.second
      let variance = law.first * law.second / (sum * sum * (sum + 1))
      #expect(dropouts.errors(from: law.first / sum, variance: variance) < 4)
    }
  }

  @Test(
    "Applicants refused at the age gate are geometric", arguments: [0, 0.02, 0.5, 0.9] as [Double])
  func ageGate(share: Double) {
    let model = model { $0.underAge = share }
    var seen = Moments()
    for member in 0..<UInt32(50_000) { seen.add(Double(model.refusedBefore(member))) }
    // Refused for each one let in: q / (1 − q); of all applicants that is the share q.
    #expect(seen.errors(from: share / (1 - share), variance: share / pow(1 - share, 2)) < 4)
  }

  @Test func anAgeGateThatRefusesEverybodyStaysFinite() {
    let model = model { $0.underAge = 1 }
    for member in 0..<UInt32(100) { #expect(model.refusedBefore(member) >= 0) }
  }

  @Test func codesAreGuessedFromAStreamOfTheirOwnForEachScan() {
    let model = model()
    var seen: Set<UInt64> = []
    for member in 0..<UInt32(20) {
      for index in 0..<UInt32(20) {
        var stream = model.guessing(member: member, index: index)
        var again = model.guessing(member: member, index: index)
        for _ in 0..<100 {
          let word = stream.nextUInt64()
          #expect(word == again.nextUInt64())
          seen.insert(word)
        }
      }
    }
    #expect(seen.count == 20 * 20 * 100)
  }
}
