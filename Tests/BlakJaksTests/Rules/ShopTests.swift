import BlakJaks
// Goal: the shop sells the brief's products at the brief's shipping, and taxes goods by state.
// Method: the brief's figures written out; amounts one micro-unit either side of each bound; carts
// against a plain count of tins under random operations.
import Quantities
import RewardModel
import Testing

@Suite struct ShopTests {
  private func usdt(_ microunits: Int64) -> MicroUSDT { MicroUSDT(microunits: microunits) }

  @Test func fiveFlavoursInFourStrengthsAreTwentyProducts() {
    let names = Catalogue.products.map(\.name)
    #expect(names.count == 20)
    #expect(Set(names).count == 20)
    #expect(Set(Catalogue.products.map(\.sku)).count == 20)
    #expect(
      names.prefix(5)
        == [
          "Spearmint 3 mg", "Spearmint 6 mg", "Spearmint 9 mg", "Spearmint 12 mg",
          "Wintergreen 3 mg",
        ])
    #expect(names.suffix(1) == ["Mint Ice 12 mg"])
    #expect(
      Flavour.allCases.map(\.name)
        == ["Spearmint", "Wintergreen", "Bubblegum", "Bluerazz Ice", "Mint Ice"])
  }

  @Test func aProductIsFoundByNumberFlavourAndStockKeepingUnit() throws {
    for product in Catalogue.products {
      #expect(Product(index: Int(product.index)) == product)
      #expect(Product(product.flavour, milligrams: product.milligrams) == product)
      #expect(Product(sku: product.sku) == product)
    }
    #expect(try #require(Product(.bluerazzIce, milligrams: 9)).sku == "BJ-BRZ-09")
    #expect(Product(index: 20) == nil)
    #expect(Product(index: -1) == nil)
    #expect(Product(.spearmint, milligrams: 4) == nil)
    #expect(Product(sku: "bj-brz-09") == nil)
    #expect(Product(sku: "") == nil)
  }

  @Test func theProductsShareSerialNumbersEvenlyAndNeighboursDiffer() {
    let count = 200_000
    var seen = [Int](repeating: 0, count: 20)
    var repeats = 0
    var last: Product?
    // Serial numbers of the second cell's print run.
    for serial in UInt64(1) << 36..<UInt64(1) << 36 + UInt64(count) {
      let product = Catalogue.product(ofSerial: serial)
      seen[Int(product.index)] += 1
      if product == last { repeats += 1 }
      last = product
      #expect(product == Catalogue.product(ofSerial: serial))
    }
    let expected = Double(count) / 20
    let chiSquare = seen.reduce(0.0) {
      $0 + (Double($1) - expected) * (Double($1) - expected) / expected
    }
    // 99.99 % quantile of chi-square with 19 degrees of freedom: 50.8.
    #expect(chiSquare < 50.8)
    #expect(abs(Double(repeats) - expected) < 4 * (expected * 0.95).squareRoot())
  }

  @Test(
    "Shipping is 2.99 and free from 50.00 of goods on",
    arguments: [
      (1, 5_000_000, 2_990_000), (9, 5_000_000, 2_990_000), (10, 5_000_000, 0),
      (11, 5_000_000, 0), (1, 49_999_999, 2_990_000), (1, 50_000_000, 0), (0, 5_000_000, 0),
    ] as [(Int64, Int64, Int64)])
  func shipping(tins: Int64, price: Int64, shipping: Int64) throws {
    let totals = try ShopRules().totals(tins: tins, price: usdt(price), tax: .zero)
    #expect(totals.subtotal == usdt(tins * price))
    #expect(totals.shipping == usdt(shipping))
    #expect(totals.tax == .zero)
    #expect(totals.total == usdt(tins * price + shipping))
  }

  @Test(
    "Tax is on the goods, not on shipping, and rounded down to a micro-unit",
    arguments: [
      // Three tins at 5.00 in Minnesota: 15 × 6.875 % = 1.03125.
      (3, 5_000_000, 6_875, 1_031_250), (1, 1, 99_999, 0), (1, 1, 100_000, 1),
      (1, 33_333_333, 7_250, 2_416_666), (7, 0, 7_250, 0), (1, 5_000_000, 0, 0),
    ] as [(Int64, Int64, Int64, Int64)])
  func tax(tins: Int64, price: Int64, thousandths: Int64, tax: Int64) throws {
    let totals = try ShopRules().totals(
      tins: tins, price: usdt(price), tax: TaxRate(thousandths))
    #expect(totals.tax == usdt(tax))
    #expect(
      totals.total.microunits
        == totals.subtotal.microunits + totals.shipping.microunits + totals.tax.microunits)
  }

  @Test func anOrderBeyondTheRangeOfMoneyIsRefused() {
    #expect(throws: MoneyError.self) {
      try ShopRules().totals(tins: 2, price: MicroUSDT(microunits: .max), tax: .zero)
    }
    #expect(throws: MoneyError.self) {
      try ShopRules().totals(tins: 1, price: MicroUSDT(microunits: .max), tax: TaxRate(1))
    }
  }

  // MARK: - Carts

  @Test func aCartAddsChangesAndRemovesItsLines() throws {
    var cart = Cart()
    let mint = try #require(Product(.mintIce, milligrams: 6))
    try cart.add(sku: "BJ-SPM-03")
    try cart.add(mint, tins: 2)
    try cart.add(sku: "BJ-SPM-03", tins: 4)
    #expect(cart.lines.map(\.tins) == [5, 2])
    #expect(cart.lines.map(\.product.name) == ["Spearmint 3 mg", "Mint Ice 6 mg"])
    try cart.update(mint, tins: 6)
    #expect(cart.tins == 11)
    let totals = try cart.totals(ShopRules(), price: .whole(5), tax: TaxRate(4_000))
    #expect(totals.subtotal == .whole(55))
    #expect(totals.shipping == .zero)
    #expect(totals.total == usdt(57_200_000))
    try cart.remove(mint)
    #expect(cart.tins == 5)
    #expect(try cart.totals(ShopRules(), price: .whole(5), tax: .zero).total == usdt(27_990_000))
  }

  @Test func aCartThatRefusesIsAsItWas() throws {
    let mint = try #require(Product(.mintIce, milligrams: 6))
    let other = try #require(Product(index: 0))
    var cart = Cart()
    try cart.add(mint, tins: 990)
    let before = cart
    #expect(throws: CartRefusal.unknownProduct("BJ-XXX-01")) { try cart.add(sku: "BJ-XXX-01") }
    #expect(throws: CartRefusal.noTins(0)) { try cart.add(mint, tins: 0) }
    #expect(throws: CartRefusal.noTins(-3)) { try cart.add(other, tins: -3) }
    #expect(throws: CartRefusal.tooManyTins(1_000)) { try cart.add(other, tins: 10) }
    #expect(throws: CartRefusal.tooManyTins(.max)) { try cart.add(mint, tins: .max) }
    #expect(throws: CartRefusal.noTins(0)) { try cart.update(mint, tins: 0) }
    #expect(throws: CartRefusal.tooManyTins(1_000)) { try cart.update(mint, tins: 1_000) }
    #expect(throws: CartRefusal.notInCart(other)) { try cart.update(other, tins: 1) }
    #expect(throws: CartRefusal.notInCart(other)) { try cart.remove(other) }
    #expect(cart == before)
    try cart.add(other, tins: 9)
    try cart.update(mint, tins: 990)
    #expect(cart.tins == 999)
  }

  @Test("A cart counts as a plain tally does", arguments: UInt64(0)..<8)
  func tally(seed: UInt64) throws {
    var state = seed
    func draw(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var cart = Cart()
    var tally = [Int](repeating: 0, count: 20)
    var refusals = 0
    for _ in 0..<2_000 {
      let product = try #require(Product(index: draw(20)))
      let row = Int(product.index)
      let tins = draw(150) - 5
      do {
        switch draw(3) {
        case 0:
          try cart.add(product, tins: tins)
          tally[row] += tins
        case 1:
          try cart.update(product, tins: tins)
          tally[row] = tins
        default:
          try cart.remove(product)
          tally[row] = 0
        }
      } catch { refusals += 1 }
      #expect(cart.tins == tally.reduce(0, +))
      #expect(cart.tins <= Cart.tinsMaximum)
      #expect(cart.lines.count == tally.count { $0 > 0 })
      #expect(cart.lines.allSatisfy { $0.tins == tally[Int($0.product.index)] })
    }
    #expect(refusals > 100)
  }
}
