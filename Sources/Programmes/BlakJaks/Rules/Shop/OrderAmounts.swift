package import Quantities
package import RewardModel

/// What an order posts when it is placed, and, reversed, when it is cancelled or refunded.
///
/// The cost of sending it is not part of these: it arises when the order ships, and a refund does
/// not bring it back.
package struct OrderAmounts: Sendable, Equatable, BitwiseCopyable, Codable {
  /// Tins sold.
  package let tins: Int64
  /// What the member paid for goods, shipping and tax.
  package let subtotal: MicroUSDT
  package let shipping: MicroUSDT
  package let tax: MicroUSDT
  package let total: MicroUSDT
  /// Gross profit of the tins, as it accrued to the pools.
  package let grossProfit: MicroUSDT

  /// The amounts of a new order.
  ///
  /// - Parameters:
  ///   - tins: 1 or more.
  ///   - grossProfit: Of one tin.
  /// - Throws: `MoneyError.overflow` when the gross profit leaves 64 bits.
  package init(
    tins: Int64, totals: OrderTotals, grossProfit: MicroUSDT
  ) throws(MoneyError) {
    self.tins = tins
    subtotal = totals.subtotal
    shipping = totals.shipping
    tax = totals.tax
    total = totals.total
    self.grossProfit = try grossProfit.multiplied(by: tins)
  }

  private init(reversing order: OrderAmounts) {
    func reversed(_ amount: MicroUSDT) -> MicroUSDT { MicroUSDT(microunits: -amount.microunits) }
    tins = -order.tins
    subtotal = reversed(order.subtotal)
    shipping = reversed(order.shipping)
    tax = reversed(order.tax)
    total = reversed(order.total)
    grossProfit = reversed(order.grossProfit)
  }

  /// Exactly these amounts the other way round: a refund or cancellation of the whole order.
  ///
  /// Posted after the order it leaves every account, pool and count as if there had been none.
  package var refund: OrderAmounts { OrderAmounts(reversing: self) }
}

extension OrderAmounts: PackedRow {
  /// The amounts in order.
  package func pack(_ writer: inout PackedWriter) {
    writer.append(tins)
    for amount in [subtotal, shipping, tax, total, grossProfit] { writer.append(amount.microunits) }
  }
  /// What `pack` wrote.
  package init(packed reader: inout PackedReader) throws {
    tins = try reader.next()
    subtotal = MicroUSDT(microunits: try reader.next())
    shipping = MicroUSDT(microunits: try reader.next())
    tax = MicroUSDT(microunits: try reader.next())
    total = MicroUSDT(microunits: try reader.next())
    grossProfit = MicroUSDT(microunits: try reader.next())
  }
}
