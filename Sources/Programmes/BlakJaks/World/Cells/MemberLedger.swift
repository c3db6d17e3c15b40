/// What one member bought and was given, for figures by the tier that members end in.
struct MemberLedger: Sendable, BitwiseCopyable {
  /// Scan rewards, guarantees, redeemed chips and won prizes, in micro-USDT.
  var comps: Int64 = 0
  /// Tins bought, in the shop or retail.
  var tins: Int64 = 0
}
