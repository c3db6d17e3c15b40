internal import Quantities

/// The last steps of a member, kept where somebody asks for the members.
struct MemberSteps: Sendable, BitwiseCopyable {
  /// Purchases made, in the shop or retail.
  var purchases: Int64 = 0
  /// The last of them; `distantPast` of who has made none.
  var lastPurchase = Instant.distantPast
  /// When the member left; `distantFuture` of who has not.
  var left = Instant.distantFuture
  /// Tins of canceled and refunded orders.
  var takenBack: Int64 = 0

  /// Counts a purchase.
  mutating func countPurchase(_ now: Instant) {
    purchases += 1
    lastPurchase = now
  }
}
