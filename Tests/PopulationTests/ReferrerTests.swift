// Goal: who referred whom does not depend on whether it is drawn one by one or side by side.
// Method: both, for many and few affiliates, so that searches end at once, go on and are given up.
import Population
import Testing

@Suite struct ReferrerTests {
  private func model(affiliates: Double, referred: Double) -> BuyingModel {
    var referral = ReferralSettings()
    referral.affiliates = affiliates
    referral.referred = referred
    return BuyingModel(
      PurchaseSettings(), rateShape: 1, rateWeeks: 3, referral: referral, seed: 23)
  }

  @Test(
    "Referrers found side by side are the same", arguments: [0, 0.002, 0.1, 1], [0, 0.15, 1])
  func sideBySide(affiliates: Double, referred: Double) {
    let buying = model(affiliates: affiliates, referred: referred)
    let all = 3_000
    let known = buying.affiliates(all)
    for member in 0..<UInt32(all) {
      #expect(known.contains(member) == buying.isAffiliate(member))
    }
    var (found, nobody) = (0, 0)
    for members in [0..<0, 0..<1, 0..<64, 64..<129, 700..<701, 1_000..<3_000] {
      var next = UInt32(members.lowerBound)
      buying.referrers(
        of: UInt32(members.lowerBound)..<UInt32(members.upperBound), among: known
      ) { member, referrer in
        #expect(member == next)
        #expect(referrer == buying.referrer(of: member), "of \(member)")
        next += 1
        if referrer == nil { nobody += 1 } else { found += 1 }
      }
      #expect(next == UInt32(members.upperBound))
    }
    #expect((found > 0) == (affiliates > 0 && referred > 0), "sometimes: a referrer is found")
    #expect(nobody > 0, "sometimes: somebody came alone")
  }
}
