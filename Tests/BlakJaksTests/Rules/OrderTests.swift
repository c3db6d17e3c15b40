import BlakJaks
// Goal: an order takes no step that it may not take, is named once, and is undone to the last unit.
// Method: every pair of statuses against the list of the four legal ones; round trips of numbers;
// sums of an order and its refund.
import Quantities
import RewardModel
import Testing

@Suite struct OrderTests {
  private static let legal: [(OrderStatus, OrderStatus)] = [
    (.processing, .shipped), (.shipped, .delivered), (.processing, .cancelled),
    (.delivered, .refunded),
  ]

  @Test(
    "An order moves on from Processing to Shipped to Delivered and leaves it in two places only",
    arguments: OrderStatus.allCases, OrderStatus.allCases)
  func steps(from: OrderStatus, to: OrderStatus) {
    var status = from
    if OrderTests.legal.contains(where: { $0 == from && $1 == to }) {
      #expect(from.allows(to))
      #expect(throws: Never.self) { try status.advance(to: to) }
      #expect(status == to)
    } else {
      #expect(!from.allows(to))
      #expect(throws: OrderRefusal.notAllowed(from: from, to: to)) { try status.advance(to: to) }
      #expect(status == from)
    }
  }

  @Test func nothingFollowsACancellationOrARefund() {
    #expect(OrderStatus.allCases.filter(\.isFinal) == [.cancelled, .refunded])
    #expect(
      OrderStatus.allCases.map(\.name)
        == ["Processing", "Shipped", "Delivered", "Cancelled", "Refunded"])
  }

  @Test(
    "An order number reads back",
    arguments: [
      (123, 4, "BO-0000123-0004"), (1, 1, "BO-0000001-0001"),
      (20_000_000, 10_000, "BO-20000000-10000"), (9_999_999, 9_999, "BO-9999999-9999"),
      (.max, .max, "BO-4294967295-4294967295"),
    ] as [(UInt32, UInt32, String)])
  func numbers(member: UInt32, order: UInt32, text: String) throws {
    let number = try #require(OrderNumber(member: member, order: order))
    #expect(number.description == text)
    #expect(OrderNumber(text) == number)
  }

  @Test(
    "A text that is no order number is refused",
    arguments: [
      "", "BO", "BO-0000123", "BO-0000123-0004-", "bo-0000123-0004", "BO-000123-0004",
      "BO-00000123-0004", "BO-0000123-004", "BO-0000123-00004", "BO-0000000-0001",
      "BO-0000001-0000", "BO-00001a3-0004", "BO--000123-0004", "BO-+000123-0004",
      " BO-0000123-0004", "BO-0000123-0004 ", "BO-4294967296-0001", "BO-0000123-4294967296",
      "BO-99999999999-0001", "BO-000012٣-0004", "BJ-0000123-0004",
    ])
  func badNumbers(text: String) { #expect(OrderNumber(text) == nil) }

  @Test func nobodyAndNoOrderHaveNoNumber() {
    #expect(OrderNumber(member: 0, order: 1) == nil)
    #expect(OrderNumber(member: 1, order: 0) == nil)
  }

  @Test("A refund is the order's own amounts reversed", arguments: [1, 7, 10, 999] as [Int64])
  func refund(tins: Int64) throws {
    let totals = try ShopRules().totals(
      tins: tins, price: MicroUSDT(microunits: 4_990_001), tax: TaxRate(6_875))
    let order = try OrderAmounts(
      tins: tins, totals: totals, grossProfit: MicroUSDT(microunits: 2_000_003))
    #expect(order.total == totals.total)
    #expect(order.grossProfit.microunits == tins * 2_000_003)
    let refund = order.refund
    #expect(order.tins + refund.tins == 0)
    for part: KeyPath<OrderAmounts, MicroUSDT> in [
      \.subtotal, \.shipping, \.tax, \.total, \.grossProfit,
    ] {
      #expect(try order[keyPath: part].adding(refund[keyPath: part]) == .zero)
    }
    #expect(refund.subtotal < .zero)
    #expect(refund.refund == order)
  }
}
