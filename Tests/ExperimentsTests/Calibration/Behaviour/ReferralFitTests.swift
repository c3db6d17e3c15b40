// Goal: who was brought is a plain share, and who brings others is the share of the model in which some
// have had no luck; intervals hold the truth.
// Method: members of the buying model with known shares; counts by hand; refusals.
import BlakJaks
import Experiments
import Population
import RewardModel
import Testing

@Suite struct ReferralFitTests {
  /// Sign-ups an hour apart, with the referrers that the buying model gives them.
  private func history(
    members: UInt32, affiliates: Double, referred: Double, seed: UInt64
  ) -> MadeHistory {
    var settings = PopulationSettings()
    settings.referral.affiliates = affiliates
    settings.referral.referred = referred
    let behaviour = BehaviourModel(settings, seed: seed)
    var made = MadeHistory()
    for member in 0..<members {
      made.add(.signup, Int(member), hours: Double(member))
      if let other = behaviour.referrer(of: member) {
        made.add(.refer, Int(member), hours: Double(member), other: Int(other))
      }
    }
    return made
  }

  @Test("Intervals hold both shares of 40 histories as often as they say")
  func coverage() throws {
    var (referred, refers) = (0, 0)
    for seed in 0..<40 {
      let made = history(members: 1_500, affiliates: 0.2, referred: 0.35, seed: UInt64(seed))
      let fit = try ReferralFit(made.observed(untilDay: 63))
      #expect(fit.signUps == 1_500)
      if fit.referred.contains(0.35) { referred += 1 }
      if fit.refers.contains(0.2) { refers += 1 }
      // Who has brought somebody is one of those who refer.
      #expect(fit.seen.estimate < fit.refers.estimate)
      #expect(fit.counts.reduce(0, +) == 1_500)
      #expect(abs(fit.expected.reduce(0, +) - 1_500) < 1e-6)
    }
    // 40 trials at .95 are below 34 once in 300 tries.
    #expect(referred >= 34 && refers >= 34, "\(referred) and \(refers) of 40")
  }

  @Test("With many sign-ups the share that has brought somebody is aρ ÷ (a + ρ)")
  func closedForm() throws {
    // A member at the place x of all expects (ρ/a)·ln(1/x) others; the mean over x of having none is
    // 1 ÷ (1 + ρ/a).
    let made = history(members: 20_000, affiliates: 0.1, referred: 0.15, seed: 4)
    let fit = try ReferralFit(made.observed(untilDay: 900))
    #expect(fit.seen.contains(0.1 * 0.15 / 0.25))
    #expect(fit.refers.contains(0.1) && fit.referred.contains(0.15), "\(fit.refers)")
  }

  @Test("Where nearly everybody refers, some hundred referrals tell that it is not a small share")
  func everybody() throws {
    var held = 0
    for seed in 0..<10 {
      let made = history(members: 400, affiliates: 1, referred: 0.35, seed: UInt64(seed))
      let refers = try ReferralFit(made.observed(untilDay: 20)).refers
      let (low, high) = (try #require(refers.low), try #require(refers.high))
      #expect(low <= refers.estimate && refers.estimate <= high && high - low < 0.55, "\(refers)")
      if refers.contains(1) { held += 1 }
    }
    // 10 trials at .95 are below 8 once in 90 tries; in the logarithm of the odds an interval was 0 to 1.
    #expect(held >= 8, "\(held) of 10")
    // More different ones than any share expects.
    var made = MadeHistory()
    for member in 0..<200 {
      made.add(.signup, member, hours: Double(member))
      if !member.isMultiple(of: 2) {
        made.add(.refer, member, hours: Double(member), other: member - 1)
      }
    }
    let refers = try ReferralFit(made.observed(untilDay: 9)).refers
    #expect(refers.estimate == 1 && refers.high == 1)
    #expect(refers.low.map { 0.7 < $0 && $0 < 0.85 } == true, "\(refers)")
  }

  @Test("One referral tells next to nothing of how many refer")
  func single() throws {
    var made = MadeHistory()
    for member in 0..<1_000 { made.add(.signup, member, hours: Double(member)) }
    made.add(.refer, 900, hours: 900, other: 500)
    let refers = try ReferralFit(made.observed(untilDay: 42)).refers
    #expect(refers.high == 1 && refers.low.map { $0 < 0.001 } == true, "\(refers)")
  }

  @Test("Counts by hand: the first referrer counts, and one who came later has no chance")
  func byHand() throws {
    var made = MadeHistory()
    for member in 0..<6 { made.add(.signup, member, hours: Double(member)) }
    made.add(.refer, 1, hours: 1, other: 0)
    made.add(.refer, 2, hours: 2, other: 0)
    made.add(.refer, 2, hours: 3, other: 1)
    made.add(.refer, 3, hours: 9, other: 5)
    let fit = try ReferralFit(made.observed(untilDay: 1))
    #expect(fit.referredCount == 3 && fit.signUps == 6)
    #expect(Array(fit.counts.prefix(3)) == [5, 0, 1])
  }

  @Test("Without a row that says who brought a member it is not told")
  func refused() throws {
    var made = MadeHistory()
    made.add(.signup, 0, hours: 1)
    made.add(.purchase, 1, hours: 2)
    #expect {
      _ = try ReferralFit(made.observed(untilDay: 1))
    } throws: {
      ($0 as? Untold)?.reason.contains("no 'refer' rows") == true
    }
    made.add(.refer, 0, hours: 3, other: 1)
    #expect {
      _ = try ReferralFit(made.observed(untilDay: 1))
    } throws: {
      ($0 as? Untold)?.reason.contains("who came after the member") == true
    }
  }
}
