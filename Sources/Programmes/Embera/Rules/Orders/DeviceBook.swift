package import Quantities

/// What a device knows of its member's account.
package struct AccountCopy: Sendable, Equatable, Codable, BitwiseCopyable {
  package var orders: UInt32 = 0
  package var issued: Int64 = 0
  package var redeemed: Int64 = 0
  package var expired: Int64 = 0

  /// A copy of an account without orders.
  package init() {}

  /// A copy of an account as it is.
  package init(_ account: MemberAccount) {
    orders = account.orders
    issued = account.issued
    redeemed = account.redeemed
    expired = account.expired
  }

  /// Points that can be redeemed.
  package var balance: Int64 { issued - redeemed - expired }
}

/// The account on one device: a copy of the server's, and what waits to be sent.
package struct DeviceBook: Sendable, Equatable, Codable, BitwiseCopyable {
  /// As the server last reported it.
  package private(set) var copy = AccountCopy()
  /// Points of orders that wait.
  package private(set) var expected: Int64 = 0
  /// Points of redemptions that wait.
  package private(set) var reserved: Int64 = 0
  /// Number of the last entry of the device's log.
  package private(set) var lastNumber: UInt32 = 0

  /// What the device shows, and lets its member redeem.
  package var balance: Int64 { copy.balance + expected - reserved }

  /// The number of the next entry of the device's log.
  package mutating func nextNumber() -> UInt32 {
    lastNumber += 1
    return lastNumber
  }

  /// Counts the points that an order will bring, by the tier that the device shows.
  ///
  /// - Throws: `MoneyError.overflow`.
  package mutating func expect(
    _ subtotal: MicroUSDT, _ terms: ProgramTerms
  ) throws(MoneyError) {
    let tier = terms.rules.tiers.tier(earned: copy.issued + expected)
    try ProgramSums.add(try terms.points(for: subtotal, tier: tier), to: &expected)
  }

  /// Sets the points of a redemption aside.
  ///
  /// - Returns: False, with nothing changed, when the device shows too few.
  package mutating func reserve(_ points: Int64) -> Bool {
    guard balance >= points else { return false }
    reserved += points
    return true
  }

  /// Reads the server's account, after everything that waited was answered: what was set aside for
  /// a refused redemption is given back.
  package mutating func read(_ account: MemberAccount) {
    copy = AccountCopy(account)
    expected = 0
    reserved = 0
  }
}
