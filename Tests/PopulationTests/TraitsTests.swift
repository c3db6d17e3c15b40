// Goal: what members are like does not depend on whether they are drawn one by one or side by side.
// Method: both, for all models, shapes below and above 1, with and without referrals.
import Population
import Testing

@Suite struct TraitsTests {
  @Test("Members drawn side by side are the same members", arguments: PurchaseModel.allCases)
  func sideBySide(model: PurchaseModel) {
    for (shape, a, b) in [
      (0.3, 0.4, 9), (1.7, 0.4, 0.7), (1.7, 2, 3), (1, 5, 0.01), (0.02, 1e-3, 1e-3),
    ] as [(Double, Double, Double)] {
      var settings = PurchaseSettings()
      settings.model = model
      (settings.a, settings.b) = (a, b)
      var referral = ReferralSettings()
      referral.dropoutFactor = 0.5
      let buying = BuyingModel(
        settings, rateShape: shape, rateWeeks: 3, referral: referral, seed: 17)
      for count in [0, 1, 63, 64, 65, 300] {
        let members = UInt32(1_000)..<UInt32(1_000 + count)
        var seen: [MemberTraits] = []
        buying.traits(
          members: members, referred: { $0 % 3 == 0 },
          { place, traits in
            #expect(place == seen.count)
            seen.append(traits)
          })
        let expected = members.map {
          buying.traits(member: $0, referred: ($0 - 1_000) % 3 == 0)
        }
        #expect(seen == expected)
      }
    }
  }
}
