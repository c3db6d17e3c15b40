/// The number of an order as members see it: `BO-0000123-0004`, the fourth order of member 123.
package struct OrderNumber: Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
  /// Member's sequence number in order of sign-up, 1 or more.
  package let member: UInt32
  /// Which of the member's orders, 1 or more.
  package let order: UInt32

  /// - Parameters:
  ///   - member: Sequence number as in the member's id; nil below 1.
  ///   - order: Counted from 1; nil below 1.
  package init?(member: UInt32, order: UInt32) {
    guard member >= 1, order >= 1 else { return nil }
    self.member = member
    self.order = order
  }

  /// Reads an order number, exactly as `description` writes it; nil for anything else.
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].elementsEqual("BO".utf8),
      let member = OrderNumber.number(parts[1], digits: 7),
      let order = OrderNumber.number(parts[2], digits: 4)
    else { return nil }
    self.init(member: member, order: order)
  }

  /// A number of at least so many digits, with leading zeros only where they fill up to that.
  private static func number(_ text: Substring.UTF8View, digits: Int) -> UInt32? {
    guard text.count >= digits, text.count <= 10,
      text.count == digits || text.first != UInt8(ascii: "0")
    else { return nil }
    var value: UInt64 = 0
    for byte in text {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      value = value * 10 + UInt64(byte - UInt8(ascii: "0"))
    }
    return UInt32(exactly: value)
  }

  /// `BO-`, the member in at least seven digits, `-`, the order in at least four.
  package var description: String {
    func padded(_ value: UInt32, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "BO-\(padded(member, 7))-\(padded(order, 4))"
  }
}
