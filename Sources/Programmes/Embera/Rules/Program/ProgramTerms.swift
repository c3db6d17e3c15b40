package import Quantities
internal import RewardModel

/// The rules as they apply to one order or redemption: what no member can change.
package struct ProgramTerms: Sendable {
  package let rules: EmberaRules
  /// Number of the current month: 12 × year + month − 1.
  package var month: Int32
  /// Share of points expected to be redeemed, as the last month end saw it.
  package var share: BasisPoints
  /// Stand-alone selling price of all offers together, and the points that they cost.
  package let offerPrice: Int64
  package let offerPoints: Int64
  private let taxes: [Int64]

  /// Terms under rules with 1...8 offers.
  package init(_ rules: EmberaRules, month: Int32, share: BasisPoints) {
    self.rules = rules
    self.month = month
    self.share = share
    offerPrice = rules.offers.reduce(0) { $0 + $1.price.microunits }
    offerPoints = rules.offers.reduce(0) { $0 + $1.points }
    taxes = rules.states.map(\.tax.thousandths)
  }

  /// Sales tax in thousandths of a percent; zero without states.
  package func tax(in state: UInt8) -> Int64 { taxes.isEmpty ? 0 : taxes[Int(state)] }

  /// Points of an order: subtotal in dollars × points a dollar × the tier's multiplier, rounded
  /// down once.
  ///
  /// - Throws: `MoneyError.overflow`.
  package func points(
    for subtotal: MicroUSDT, tier: EmberaTier
  ) throws(MoneyError) -> Int64 {
    let exact =
      Int128(subtotal.microunits) * Int128(rules.pointsPerDollar)
      * Int128(rules.tiers.multipliers[tier.rawValue]) / 10_000_000_000
    guard let points = Int64(exactly: exact) else {
      throw .overflow("points of \(subtotal) USD")
    }
    return points
  }

  /// The part of an order's price that its points are worth (IFRS 15, B39–B43): the price is
  /// allotted to goods and points in the ratio of their stand-alone selling prices, the points'
  /// weighted by the share expected to be redeemed. Each step is rounded down.
  ///
  /// - Returns: 0 ... `subtotal`.
  /// - Throws: `MoneyError.overflow` where a product leaves 128 bits.
  package func deferral(
    of subtotal: MicroUSDT, points: Int64
  ) throws(MoneyError) -> MicroUSDT {
    let (weighted, isTooMuch) = (Int128(points) * Int128(offerPrice))
      .multipliedReportingOverflow(by: Int128(share.rawValue))
    let worth = weighted / (Int128(offerPoints) * 10_000)
    let price = Int128(subtotal.microunits)
    let (product, isTooLarge) = price.multipliedReportingOverflow(by: worth)
    guard !isTooMuch, !isTooLarge else {
      throw .overflow("the part of \(subtotal) USD allotted to \(points) points")
    }
    guard worth > 0, price > 0 else { return .zero }
    return MicroUSDT(microunits: Int64(product / (price + worth)))
  }
}
