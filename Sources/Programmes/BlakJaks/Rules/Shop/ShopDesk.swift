internal import Quantities
package import RewardModel

/// The shop's open business: members' carts, and orders that are not settled.
package struct ShopDesk: Sendable, Codable {
  /// An order by its member and the member's own number of it.
  package struct OrderKey: Hashable, Comparable, Sendable, Codable {
    var member: UInt32
    var number: UInt32

    /// By member, then by number.
    package static func < (a: OrderKey, b: OrderKey) -> Bool {
      (a.member, a.number) < (b.member, b.number)
    }
  }

  /// An order that is not settled.
  struct OpenOrder: Sendable, Equatable, Codable {
    var status = OrderStatus.processing
    var amounts: OrderAmounts
  }

  /// Carts that hold something.
  @SavedSorted private var carts: [UInt32: Cart] = [:]
  @PackedSorted private var orders: [OrderKey: OpenOrder] = [:]
  /// The greatest number of each member's orders.
  @PackedSorted private var lastOrders: [UInt32: UInt32] = [:]

  /// Empty carts and no orders.
  package init() {}

  /// What a member is about to order.
  package func cart(of member: UInt32) -> Cart { carts[member] ?? Cart() }

  /// The number of a member's next order, from 1 on.
  package func nextOrder(of member: UInt32) -> UInt32 { (lastOrders[member] ?? 0) + 1 }

  /// Changes a member's cart.
  ///
  /// - Throws: What `body` throws; the cart is then as it was.
  mutating func changeCart(
    of member: UInt32, _ body: (inout Cart) throws(CartRefusal) -> Void
  ) throws(CartRefusal) {
    var cart = cart(of: member)
    try body(&cart)
    carts[member] = cart.lines.isEmpty ? nil : cart
  }

  /// Empties a member's cart.
  mutating func emptyCart(of member: UInt32) { carts[member] = nil }

  /// An order that is not settled; nil for any other.
  func order(of member: UInt32, _ number: UInt32) -> OpenOrder? {
    orders[OrderKey(member: member, number: number)]
  }

  /// Enters a new order, or the next state of one; a settled one is forgotten.
  mutating func enter(_ order: OpenOrder, of member: UInt32, _ number: UInt32) {
    orders[OrderKey(member: member, number: number)] = order.status.isFinal ? nil : order
    lastOrders[member] = max(lastOrders[member] ?? 0, number)
  }
}

extension ShopDesk.OrderKey: PackedRow {
  /// Member and number.
  package func pack(_ writer: inout PackedWriter) {
    writer.append(member)
    writer.append(number)
  }
  /// What `pack` wrote.
  package init(packed reader: inout PackedReader) throws {
    self.init(member: try reader.next(), number: try reader.next())
  }
}

extension ShopDesk.OpenOrder: PackedRow {
  func pack(_ writer: inout PackedWriter) {
    status.pack(&writer)
    amounts.pack(&writer)
  }

  init(packed reader: inout PackedReader) throws {
    self.init(
      status: try OrderStatus(packed: &reader), amounts: try OrderAmounts(packed: &reader))
  }
}
