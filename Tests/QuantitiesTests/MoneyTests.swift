// Goal: money is exact, refuses to wrap, and rounds down with the remainder at the payer.
// Method: hand-computed cases at the edges of 64 bits, and the portion against 128-bit arithmetic.
import Quantities
import Testing

@Suite struct MoneyTests {
  @Test func sumsThatLeaveTheRangeAreRefused() {
    let most = MicroUSDT(microunits: .max)
    #expect(throws: MoneyError.self) { try most.adding(MicroUSDT(microunits: 1)) }
    #expect(throws: MoneyError.self) {
      try MicroUSDT(microunits: .min).subtracting(MicroUSDT(microunits: 1))
    }
    #expect(throws: MoneyError.self) { try most.multiplied(by: 2) }
    #expect(throws: MoneyError.self) { try most.portion(3, of: 2) }
  }

  @Test func sharesMultiplyFirstAndRoundDown() throws {
    #expect(try MicroUSDT(microunits: 200_000).share(BasisPoints(12_500)).microunits == 250_000)
    #expect(try MicroUSDT(microunits: 999).share(BasisPoints(2_100)).microunits == 209)
    #expect(try MicroUSDT(microunits: -999).share(BasisPoints(2_100)).microunits == -210)
    let most = MicroUSDT(microunits: .max)
    #expect(try most.portion(.max, of: .max) == most)
  }

  @Test(
    "Money is written with grouped digits",
    arguments: [
      (0, "0.00", "0.00"), (1_234_500_000, "1,234.50", "1,234.50"), (-1, "-0.000001", "0.00"),
      (999_999, "0.999999", "1.00"),
      (Int64.min, "-9,223,372,036,854.775808", "-9,223,372,036,854.78"),
    ] as [(Int64, String, String)])
  func text(micro: Int64, exact: String, cents: String) {
    #expect(MicroUSDT(microunits: micro).description == exact)
    #expect(MicroUSDT(microunits: micro).cents == cents)
  }
}
