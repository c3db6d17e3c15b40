// Goal: before each member as many were refused at the gate as the share of refusals says.
// Method: the geometric number of a uniform draw, worked out for each member by the C library; its mean.
import EventKernel
import Foundation
import Population
import Testing

@Suite struct RefusalTests {
  private let buying = BuyingModel(
    PurchaseSettings(), rateShape: 1, rateWeeks: 1, referral: ReferralSettings(), seed: 23)

  @Test("A member comes after as many as the draw says", arguments: [1e-12, 0.05, 0.5, 0.93])
  func geometric(share: Double) {
    let count = 20_000
    var all: Int64 = 0
    for member in 0..<UInt32(count) {
      var stream = buying.stream(.ageGate, member)
      let refused = buying.refusedBefore(member, share: share)
      // The least number whose probability to be exceeded is below the draw.
      let exact = log(stream.uniform()) / log(share)
      #expect(Double(refused) <= exact && exact < Double(refused + 1), "member \(member)")
      all += refused
    }
    // Mean p / (1 - p), variance p / (1 - p)^2.
    let mean = share / (1 - share)
    let error = (share / Double(count)).squareRoot() / (1 - share)
    #expect(abs(Double(all) / Double(count) - mean) < 4 * error + 1e-9)
  }

  @Test func whereNobodyOrEverybodyIsRefusedTheNumberIsFinite() {
    for member in 0..<UInt32(1_000) {
      #expect(buying.refusedBefore(member, share: 0) == 0)
      #expect(buying.refusedBefore(member, share: 1) >= 0)
    }
  }
}
