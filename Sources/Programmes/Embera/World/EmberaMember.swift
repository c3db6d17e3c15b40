internal import Population
package import Quantities
package import RewardModel

/// A member at a run's end: a row of `members.csv`.
package struct EmberaMember: Sendable, Equatable {
  /// From 1, in the order of sign-up.
  package var member: Int64
  package var signUp: Instant
  /// Number of the member who brought this one; nil without one.
  package var referrer: Int64?
  package var visits: Int64
  /// That have reached the server, deliveries of subscriptions among them.
  package var orders: Int64
  package var deliveries: Int64
  /// Goods after discounts, before shipping and tax.
  package var revenue: MicroUSDT
  package var tier: EmberaTier
  /// Points awarded, redeemed and expired.
  package var issued: Int64
  package var redeemed: Int64
  package var expired: Int64
  /// When the last order reached the server; nil where none has.
  package var lastOrder: Instant?
  /// When the member left; nil of who has not.
  package var left: Instant?
}

/// What one member paid and did last, kept where somebody asks for the members.
struct MemberLedger: Sendable, BitwiseCopyable {
  /// Micro-USD.
  var revenue: Int64 = 0
  /// `distantPast` before the first order.
  var lastOrder = Instant.distantPast
  /// `distantFuture` of who has not left.
  var left = Instant.distantFuture
}

extension EmberaProgramme {
  package static let memberColumns: [Column<EmberaMember>] = [
    Column("member", \.member), Column("signed_up", \.signUp), Column("referrer", \.referrer),
    .count("visits", \.visits), .count("orders", \.orders), .count("deliveries", \.deliveries),
    Column("revenue", \.revenue), Column("tier", \.tier), .count("issued", \.issued),
    .count("redeemed", \.redeemed), .count("expired", \.expired),
    Column("last_order", \.lastOrder), Column("left", \.left),
  ]
}

extension EmberaWorld {
  /// Hands over the members that have signed up, in the order of their numbers.
  static func list(
    _ cells: UnsafeMutableBufferPointer<Cell>, _ write: (EmberaMember) -> Void
  ) {
    for cell in cells.indices {
      for index in cells[cell].rows.indices where cells[cell].rows[index].hasSignedUp {
        write(cells[cell].member(index))
      }
    }
  }
}

extension Cell {
  /// One member that has signed up.
  fileprivate func member(_ index: Int) -> EmberaMember {
    let row = rows[index]
    let ledger = ledgers[index]
    let number = firstMember + UInt32(index)
    let referrer = row.wasReferred ? shared.model.buying.referrer(of: number) : nil
    return EmberaMember(
      member: Int64(number) + 1, signUp: row.signUp, referrer: referrer.map { Int64($0) + 1 },
      visits: Int64(row.visits), orders: Int64(row.account.orders),
      deliveries: Int64(row.deliveries), revenue: MicroUSDT(microunits: ledger.revenue),
      tier: shared.rules.tiers.tier(earned: row.account.issued), issued: row.account.issued,
      redeemed: row.account.redeemed, expired: row.account.expired,
      lastOrder: ledger.lastOrder == .distantPast ? nil : ledger.lastOrder,
      left: row.hasLeft ? ledger.left : nil)
  }
}
