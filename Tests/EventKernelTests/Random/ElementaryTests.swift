// Goal: our own logarithms and powers are as good as they say, so that a run can do without the C library's.
// Method: numbers of all magnitudes against the C library's functions of 80-bit numbers, which are right to
// more digits than a double has; published digits; the numbers at which a function ends.
import CKernel
import EventKernel
import Foundation
import Testing

@Suite struct ElementaryTests {
  /// Numbers of all magnitudes, at and around those where a step of the work changes.
  private let numbers: [Double] = {
    let around: [Double] = [
      1, 2, 0.5, 2.0.squareRoot(), 0.5.squareRoot(), 0.35, log(2), 1.5 * log(2), 1e-300, 1e300,
      .leastNormalMagnitude, .greatestFiniteMagnitude, 1e-17, 0x1p-53, 0x1p52,
    ]
    var numbers = around.flatMap { [$0.nextDown, $0, $0.nextUp] }.filter { $0.isNormal }
    var stream = RandomStream(seed: 5, purpose: 1, entity: 3)
    for _ in 0..<20_000 {
      numbers.append(1 + (stream.uniform() - 0.5) * pow(2, -50 * stream.uniform()))
      numbers.append(pow(2, 2_000 * stream.uniform() - 1_000))
      numbers.append(20 * stream.uniform())
    }
    return numbers
  }()

  #if arch(x86_64)
    private typealias Exact = Float80
  #else
    private typealias Exact = Double
  #endif

  /// How many units in the last place a number is away from the exact one.
  private func units(_ ours: Double, _ exact: Exact) -> Double {
    let nearest = Double(exact)
    guard nearest.isFinite, ours.isFinite else { return ours == nearest ? 0 : .infinity }
    return Double(abs(Exact(ours) - exact) / Exact(nearest.ulp))
  }

  /// What the C library's function of a double may be wrong itself, where there is no better one.
  private let own = MemoryLayout<Exact>.size > 8 ? 0.0 : 1.0

  /// The number of some for which a function is furthest from the exact one, and by how many units.
  private func worst(
    of numbers: [Double], _ ours: (Double) -> Double, _ exact: (Exact) -> Exact
  ) -> (number: Double, units: Double) {
    var worst = (number: 0.0, units: 0.0)
    for number in numbers {
      let away = units(ours(number), exact(Exact(number)))
      if away > worst.units { worst = (number, away) }
    }
    return worst
  }

  private var bothSigns: [Double] { numbers + numbers.map { -$0 } }

  @Test func aLogarithmIsWithinOneUnit() {
    let worst = worst(of: numbers, Elementary.log, { log($0) })
    #expect(worst.units <= 1 + own, "log \(worst.number)")
  }

  @Test func aLogarithmOfOneAndALittleIsWithinTwoUnits() {
    let worst = worst(of: bothSigns.filter { $0 > -1 }, Elementary.log1p, { log1p($0) })
    #expect(worst.units <= 2 + own, "log1p \(worst.number)")
  }

  @Test func anExponentialIsWithinOneUnit() {
    let worst = worst(of: bothSigns, Elementary.exp, { exp($0) })
    #expect(worst.units <= 1 + own, "exp \(worst.number)")
  }

  @Test func anExponentialLessOneIsWithinThreeUnits() {
    let worst = worst(of: bothSigns, Elementary.expm1, { expm1($0) })
    #expect(worst.units <= 3 + own, "expm1 \(worst.number)")
  }

  @Test func manyExponentialsHaveTheBitsOfOneByOne() {
    let powers = numbers + numbers.map { -$0 } + [0, .infinity, -.infinity]
    for count in [0, 1, 7, 8, 63, powers.count] {
      var results = [Double](repeating: .nan, count: count)
      ck_exps(&results, powers, count)
      #expect(results.map(\.bitPattern) == powers.prefix(count).map { ck_exp($0).bitPattern })
    }
  }

  @Test func aPowerIsAsGoodAsItSays() {
    let drawn = zip(numbers, numbers.reversed()).prefix(3_000).map { base, place in
      (base, (place.significand - 1.5) * 20)
    }
    // The worst of many millions.
    for (base, exponent) in drawn + [(0x1.5c59f32465adap+1, 0x1.04699f4843f04p+4)] {
      let (ours, exact) = (Elementary.power(base, exponent), pow(Exact(base), Exact(exponent)))
      guard Double(exact).isNormal else { continue }
      let most = 0x1p-52 * (1 + 1.5 * abs(exponent * log(base)))
      #expect(
        Double(abs(Exact(ours) - exact) / exact) <= most,
        "\(base) to the power \(exponent) is not \(ours)")
    }
  }

  @Test func exactPowersAreExact() {
    for base in [0, 0.3, 1, 7, 1e300] {
      #expect(Elementary.power(base, 0) == 1)
      #expect(Elementary.power(base, 1) == base)
      #expect(Elementary.power(1, base) == 1)
    }
    #expect(Elementary.power(0, 2.5) == 0)
    #expect(Elementary.power(0, -0.5) == .infinity)
  }

  @Test func publishedDigitsComeOut() {
    // Abramowitz and Stegun 1964, tables 4.2 and 4.4, and pages 2 and 3.
    #expect(Elementary.log(2) == 0.693147180559945309417)
    #expect(Elementary.log(10) == 2.302585092994045684018)
    #expect(abs(Elementary.exp(1) - 2.718281828459045235360) <= 2.0.ulp)
    #expect(abs(Elementary.exp(10) - 22026.465794806716517) <= 22026.0.ulp)
    #expect(abs(Elementary.exp(-10) - 4.539992976248485154e-5) <= 4.5e-5.ulp)
    #expect(abs(Elementary.log1p(1e-10) - 9.9999999995e-11) <= 1e-10.ulp)
    #expect(abs(Elementary.expm1(1e-10) - 1.00000000005e-10) <= 1e-10.ulp)
  }

  @Test func functionsEndWhereNumbersDo() {
    #expect(Elementary.log(0) == -.infinity)
    #expect(Elementary.log(.infinity) == .infinity)
    #expect(Elementary.log(-1).isNaN)
    #expect(Elementary.log(.nan).isNaN)
    #expect(abs(Elementary.log(.leastNonzeroMagnitude) - -744.4400719213812) <= 2 * 744.0.ulp)
    #expect(Elementary.log1p(-1) == -.infinity)
    #expect(Elementary.log1p(-2).isNaN)
    #expect(Elementary.log1p(.infinity) == .infinity)
    #expect(Elementary.log1p(0) == 0)
    #expect(Elementary.exp(0) == 1)
    #expect(Elementary.exp(-.infinity) == 0)
    #expect(Elementary.exp(.infinity) == .infinity)
    #expect(Elementary.exp(.nan).isNaN)
    #expect(Elementary.exp(709.782712893384) < .infinity)
    #expect(Elementary.exp(709.7827128933841) == .infinity)
    #expect(Elementary.exp(-745.1332191019411) == .leastNonzeroMagnitude)
    #expect(Elementary.exp(-745.14) == 0)
    #expect(Elementary.expm1(-.infinity) == -1)
    #expect(Elementary.expm1(0) == 0)
    #expect(Elementary.expm1(.nan).isNaN)
  }
}
