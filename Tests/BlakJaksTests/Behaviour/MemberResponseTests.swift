// Goal: what members do with what they are offered is bounded, moves one way, and is nothing at
// all where the settings say nothing.
// Method: factors against powers by hand; sign-ups and draws of edited populations, member by member.
import BlakJaks
import EventKernel
import Foundation
import Population
import Quantities
import Testing

@Suite struct MemberResponseTests {
  private func population(_ edit: (inout PopulationSettings) -> Void) -> PopulationSettings {
    var population = PopulationSettings()
    edit(&population)
    return population
  }

  private func rules(_ edit: (inout ProgrammeRules) -> Void) -> ProgrammeRules {
    var rules = ProgrammeRules()
    edit(&rules)
    return rules
  }

  @Test func aFactorIsThePowerOfTheRatioWithinItsBounds() {
    func factor(_ ratio: Double, _ elasticity: Double) -> Double {
      MemberResponse.factor(ratio: ratio, elasticity: elasticity, least: 0.5, most: 2)
    }
    #expect(factor(1, 0.7) == 1)
    #expect(factor(0.81, 0.5) == 0.9)
    #expect(factor(1.44, 0.5) == 1.2)
    #expect(abs(factor(1.01, 0.3) - 1.002989) < 1e-6)
    #expect(factor(0, 0.3) == 0.5 && factor(0.01, 1) == 0.5)
    #expect(factor(50, 1) == 2 && factor(.infinity, 0.1) == 2)
    // Without elasticity nothing moves it, not even the bounds.
    #expect(factor(0, 0) == 1 && factor(.infinity, 0) == 1)
    for elasticity in [0.1, 0.5, 1, 3] {
      let factors = stride(from: 0.0, through: 5, by: 0.01).map { factor($0, elasticity) }
      #expect(zip(factors, factors.dropFirst()).allSatisfy { $0 <= $1 })
      #expect(factors.allSatisfy { (0.5...2).contains($0) })
    }
    // A larger elasticity answers more strongly on both sides of the reference.
    #expect(factor(0.8, 1) < factor(0.8, 0.5) && factor(1.2, 1) > factor(1.2, 0.5))
  }

  @Test func membersWhoDoNotRespondAreWhoTheyWere() {
    let rules = rules { $0.prizes = [] }
    for edit: (inout ResponseSettings) -> Void in [
      { _ in }, { $0.least = 0.1 }, { $0.most = 9 }, { $0.referenceValue = .whole(7) },
      { $0.uplift = 2 }, { $0.lapse = 0.5 },
    ] {
      let population = population { edit(&$0.response) }
      #expect(population.responding(to: rules) == population)
    }
  }

  @Test func theDefaultRulesAreTheReference() {
    let population = population {
      $0.response.purchase = 1
      $0.response.scan = 1
      $0.response.adoption = 1
    }
    let response = MemberResponse(population, ProgrammeRules())
    #expect(response.value == response.referenceValue && response.value > 1)
    #expect(response.purchase == 1 && response.scan == 1 && response.adoption == 1)
    var plain = population.responding(to: ProgrammeRules())
    plain.response = population.response
    #expect(plain == population)
  }

  @Test("Every cut of a reward makes less of purchases and scans, every gain more")
  func directions() {
    let population = population {
      $0.response.purchase = 0.5
      $0.response.scan = 0.2
    }
    let cuts: [(inout ProgrammeRules) -> Void] = [
      { $0.scanReward.base = .whole(0) }, { $0.prizes.removeLast() }, { $0.prizes[0].every = 600 },
      { $0.prizes[1].amount = .whole(900) },
      { $0.scanReward.multiplier.whale = BasisPoints(15_000) },
      { $0.tiers.whale = 60 }, { $0.tiers.vip = 9 }, { $0.tiers.carry = false },
    ]
    let gains: [(inout ProgrammeRules) -> Void] = [
      { $0.scanReward.base = .whole(1) }, { $0.prizes[4].every = 400_000 },
      { $0.chips.enabled = true }, { $0.tiers.highRoller = 10 },
    ]
    for edit in cuts {
      let response = MemberResponse(population, rules(edit))
      #expect(response.purchase < 1 && response.scan < 1 && response.purchase < response.scan)
    }
    for edit in gains {
      let response = MemberResponse(population, rules(edit))
      #expect(response.purchase > 1 && response.scan > 1 && response.purchase > response.scan)
    }
  }

  @Test func aReferenceOfTheirOwnIsWhatMembersCompareWith() {
    let own = MemberResponse(
      population {
        $0.response.purchase = 1
        $0.response.adoption = 1
        $0.response.referenceValue = .whole(2)
        $0.response.referenceGuarantee = .whole(40)
      }, ProgrammeRules())
    #expect(own.referenceValue == 2)
    #expect(abs(own.purchase - own.value / 2) < 1e-8)
    #expect(own.adoption == 1.25)
  }

  @Test func factorsScaleRatesSharesAndSignUpsAndAreAppliedOnce() {
    let population = population {
      $0.purchase.alpha = 4
      $0.wholesale.scanned = 0.2
      $0.response.purchase = 1
      $0.response.scan = 5
      $0.response.adoption = 1
      $0.response.referenceValue = .whole(1)
      $0.adoption.market = 200_000
      $0.adoption.monthly = [10, 0]
    }
    let rules = rules {
      $0.scanReward.base = MicroUSDT(microunits: 1_500_000)
      $0.scanReward.multiplier = PerTier(repeating: BasisPoints(10_000))
      $0.prizes = []
      $0.guarantee.amount = .whole(75)
    }
    let there = population.responding(to: rules)
    #expect(there.tins.perWeek == 3.75)
    #expect(there.purchase.alpha == 4 / 1.5)
    #expect(there.tins.scanned == 1, "2 × 60 %, but no more than all")
    #expect(there.wholesale.scanned == 0.4)
    #expect(there.members == 150_000 && there.adoption.market == 300_000)
    #expect(there.adoption.monthly == [15, 0] && there.adoption.perDay == 150)
    #expect(there.responding(to: rules) == there)
    // Without a guarantee as few sign up as the bound allows.
    let none = population.responding(to: self.rules { $0.guarantee.enabled = false })
    #expect(none.members == 50_000)
  }

  @Test("Members keep their draws: the same purchases come sooner or later")
  func commonRandomNumbers() {
    let slow = population {
      $0.response.purchase = 1
      $0.response.referenceValue = .whole(1_000)
    }.responding(to: ProgrammeRules())
    let (usual, halved) = (
      BehaviourModel(PopulationSettings(), seed: 5), BehaviourModel(slow, seed: 5)
    )
    for member in UInt32(0)..<300 {
      let (a, b) = (
        usual.traits(member: member, referred: false),
        halved.traits(member: member, referred: false)
      )
      #expect(a.dropout == b.dropout)
      #expect(abs(Double(b.meanGapWeeks / a.meanGapWeeks) - 2) < 1e-6)
      for index in UInt32(0)..<4 {
        #expect(
          usual.purchase(member: member, index: index)
            == halved.purchase(member: member, index: index))
        #expect(
          usual.scan(member: member, index: index) == halved.scan(member: member, index: index))
      }
    }
  }

  @Test(
    "Sign-ups of every model are fewer or more by the factor", arguments: AdoptionModel.allCases)
  func adoption(_ model: AdoptionModel) throws {
    let calendar = try ProgrammeCalendar(
      zone: "UTC", firstDate: try #require(CivilDate("2026-01-01")), days: 365)
    func signUps(_ elasticity: Double, _ amount: Int64) -> [Instant] {
      let population = population {
        $0.members = 4_000
        $0.adoption.model = model
        $0.adoption.monthly = [200, 300]
        $0.adoption.perDay = 8
        $0.response.adoption = elasticity
      }.responding(to: rules { $0.guarantee.amount = .whole(amount) })
      let season = SeasonTable(population.season, calendar: calendar)
      return AdoptionCurve.signUps(population, calendar: calendar, season: season, seed: 3)
    }
    let usual = signUps(0, 40)
    #expect(signUps(1, 50) == usual)
    let (fewer, more) = (signUps(1, 40), signUps(1, 60))
    func share(_ signUps: [Instant]) -> Double { Double(signUps.count) / Double(usual.count) }
    #expect(abs(share(fewer) - 0.8) < 0.03)
    #expect(abs(share(more) - 1.2) < 0.03)
    #expect(signUps(0.5, 40).count > fewer.count && signUps(0.5, 40).count < usual.count)
  }

  @Test func aHigherProbabilityLosesEverybodyWhomALowerOneLoses() {
    let models = [0, 0.2, 0.6, 1].map { lapse in
      BehaviourModel(population { $0.response.lapse = lapse }, seed: 8)
    }
    var lost = [Int](repeating: 0, count: models.count)
    for member in UInt32(0)..<5_000 {
      let lapses = models.map { $0.lapses(member: member, quarter: 8_105) }
      for (row, isLost) in lapses.enumerated() where isLost { lost[row] += 1 }
      #expect(zip(lapses, lapses.dropFirst()).allSatisfy { !$0 || $1 })
    }
    #expect(lost[0] == 0 && lost[3] == 5_000)
    // Three standard deviations of binomial counts.
    #expect(abs(lost[1] - 1_000) < 85 && abs(lost[2] - 3_000) < 104)
    let again = (UInt32(0)..<5_000).count {
      models[1].lapses(member: $0, quarter: 8_105) && models[1].lapses(member: $0, quarter: 8_106)
    }
    #expect(abs(again - 200) < 42, "another quarter is another draw")
  }
}
