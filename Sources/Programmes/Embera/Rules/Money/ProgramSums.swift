package import Quantities

/// What orders, redemptions and expiries add up to: amounts in micro-USD, points, counts.
///
/// Sums of parts may be added in any order.
package struct ProgramSums: Sendable, Equatable, Codable, BitwiseCopyable {
  package var signUps: Int64 = 0
  /// Orders, deliveries of subscriptions among them.
  package var orders: Int64 = 0
  package var deliveries: Int64 = 0
  package var list: Int64 = 0
  package var discount: Int64 = 0
  package var shipping: Int64 = 0
  package var tax: Int64 = 0
  /// What the goods cost the roastery.
  package var cost: Int64 = 0
  /// The part of revenue that was allotted to points.
  package var deferred: Int64 = 0
  package var issued: Int64 = 0
  package var redeemed: Int64 = 0
  package var expired: Int64 = 0
  /// Redemptions by offer.
  package var redemptions = SIMD8<Int64>()
  /// Redemptions that the server refused because the balance was short.
  package var refused: Int64 = 0
  /// Entries that came once more under a number that had been answered.
  package var repeated: Int64 = 0

  /// Goods after discounts, before shipping and tax.
  package var revenue: Int64 { list - discount }

  /// Points that members hold.
  package var outstanding: Int64 { issued - redeemed - expired }

  /// Adds other sums.
  ///
  /// - Throws: `MoneyError.overflow`; the sums are then of no use.
  package mutating func add(_ other: ProgramSums) throws(MoneyError) {
    let amounts: [WritableKeyPath<ProgramSums, Int64>] = [
      \.list, \.discount, \.shipping, \.tax, \.cost, \.deferred, \.issued, \.redeemed, \.expired,
    ]
    for path in amounts { try ProgramSums.add(other[keyPath: path], to: &self[keyPath: path]) }
    signUps += other.signUps
    orders += other.orders
    deliveries += other.deliveries
    redemptions &+= other.redemptions
    refused += other.refused
    repeated += other.repeated
  }

  /// What was added since an earlier state of the same sums.
  package func since(_ earlier: ProgramSums) -> ProgramSums {
    var part = self
    part.signUps -= earlier.signUps
    part.orders -= earlier.orders
    part.deliveries -= earlier.deliveries
    part.list -= earlier.list
    part.discount -= earlier.discount
    part.shipping -= earlier.shipping
    part.tax -= earlier.tax
    part.cost -= earlier.cost
    part.deferred -= earlier.deferred
    part.issued -= earlier.issued
    part.redeemed -= earlier.redeemed
    part.expired -= earlier.expired
    part.redemptions &-= earlier.redemptions
    part.refused -= earlier.refused
    part.repeated -= earlier.repeated
    return part
  }

  /// Adds to one sum.
  ///
  /// - Throws: `MoneyError.overflow`; the sum is then unchanged.
  package static func add(_ amount: Int64, to sum: inout Int64) throws(MoneyError) {
    sum = try MicroUSDT(microunits: sum).adding(MicroUSDT(microunits: amount)).microunits
  }
}
