package import Quantities
package import RewardModel

/// A member at a run's end: a row of `members.csv`.
package struct BlakJaksMember: Sendable, Equatable {
  /// Where a tin is bought.
  package enum Channel: String, CaseIterable, FieldChoice {
    case shop, retail
  }

  /// From 1, in the order of sign-up.
  package var member: Int64
  package var signUp: Instant
  /// To which the member turned first.
  package var channel: Channel
  /// Number of the member who brought this one; nil without one.
  package var referrer: Int64?
  package var purchases: Int64
  /// Bought in the shop or retail, canceled and refunded ones included.
  package var tins: Int64
  /// Accepted ones.
  package var scans: Int64
  package var tier: Tier
  /// The permanent floor.
  package var floor: Tier
  /// Scan rewards, guarantees, redeemed chips and won prizes, trips included.
  package var comps: MicroUSDT
  /// Of the tins that were not given back.
  package var grossProfit: MicroUSDT
  /// Nil of who has bought nothing, the shop having lost what there was to buy.
  package var lastPurchase: Instant?
  /// When the member left; nil of who has not.
  package var left: Instant?
}

extension BlakJaksProgramme {
  package static let memberColumns: [Column<BlakJaksMember>] = [
    Column("member", \.member), Column("signed_up", \.signUp), Column("channel", \.channel),
    Column("referrer", \.referrer), .count("purchases", \.purchases), .count("tins", \.tins),
    .count("scans", \.scans), Column("tier", \.tier), Column("floor", \.floor),
    Column("comps", \.comps), Column("gross_profit", \.grossProfit),
    Column("last_purchase", \.lastPurchase), Column("left", \.left),
  ]
}

extension World {
  /// Hands over the members that have signed up, in the order of their numbers.
  static func list(
    _ cells: UnsafeMutableBufferPointer<Cell>, affiliates: [UInt32],
    _ write: (BlakJaksMember) -> Void
  ) {
    for cell in cells.indices {
      let rows = cells[cell].rows
      for index in rows.indices where rows[index].account.hasSignedUp {
        write(cells[cell].member(index, affiliates: affiliates))
      }
    }
  }
}

extension Cell {
  /// All that a member was given, in micro-USDT.
  func comps(of index: Int) -> Int64 {
    rows[index].account.comps.microunits &+ beside[UInt16(index), default: 0]
  }

  /// Whether a member's first purchase begins in the shop, as `purchase` has it.
  private func turnsToShopFirst(_ member: UInt32) -> Bool {
    shared.behaviour.purchase(member: member, index: 0).inShop
      || shared.hasShop && shared.shop.isDrawnFromRetail(member: member, need: 0)
  }

  /// One member that has signed up.
  fileprivate func member(_ index: Int, affiliates: [UInt32]) -> BlakJaksMember {
    let row = rows[index]
    let standing = row.account.standing
    let number = firstMember + UInt32(index)
    let tins = Int64(tinsBought[index])
    let kept = tins - steps[index].takenBack
    let isReferred = row.account.isReferred
    return BlakJaksMember(
      member: Int64(number) + 1, signUp: row.signUp,
      channel: turnsToShopFirst(number) ? .shop : .retail,
      referrer: isReferred ? Int64(affiliates[Int(row.account.affiliate)]) + 1 : nil,
      purchases: steps[index].purchases, tins: tins,
      scans: Int64(standing.lifetimeScans), tier: standing.tier, floor: standing.floor,
      comps: MicroUSDT(microunits: comps(of: index)),
      // Sales of all members together have not left 64 bits.
      grossProfit: MicroUSDT(microunits: kept &* shared.grossProfit.microunits),
      lastPurchase: steps[index].purchases > 0 ? steps[index].lastPurchase : nil,
      left: row.hasLeft ? steps[index].left : nil)
  }
}
