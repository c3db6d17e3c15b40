/// What devices did: counts, and lags in microseconds.
struct EmberaTally: Sendable, Equatable, BitwiseCopyable, Codable {
  /// Events of the kernel.
  var events: Int64 = 0
  var visits: Int64 = 0
  /// Checkouts by `PaymentOutcome`, with and without a network.
  var online = SIMD4<Int64>()
  var offline = SIMD4<Int64>()
  /// Orders placed on devices, with and without a network.
  var placedOnline: Int64 = 0
  var placedOffline: Int64 = 0
  /// Orders that waited and have reached the server.
  var arrived: Int64 = 0
  /// Redemptions begun without a network.
  var reserved: Int64 = 0
  /// Those of them that the server confirmed, and that it refused: points are given back.
  var confirmed: Int64 = 0
  var conflicts: Int64 = 0
  /// Points given back.
  var pointsReturned: Int64 = 0
  /// Times that a device sent what waited.
  var syncs: Int64 = 0
  /// Sum of the microseconds that orders waited, which are more than 64 bits hold where many wait for
  /// months, and the longest.
  var lag: Int128 = 0
  var longestLag: Int64 = 0
  /// Entries sent once more because the answer was lost.
  var resent: Int64 = 0
  /// Looks at an order under way, and those at which the clock alone would have shown an earlier
  /// status than before.
  var looks: Int64 = 0
  var heldBack: Int64 = 0
  /// Looks that showed an earlier status, and live statuses that did not end. Never any.
  var statusErrors: Int64 = 0
  /// Orders whose live status has ended.
  var delivered: Int64 = 0
  /// Attempts to sign in, by refusal; successes; sessions reset.
  var ceremonies: Int64 = 0
  var refusals = SIMD4<Int64>()
  var resets: Int64 = 0
  var subscribed: Int64 = 0
  var stopped: Int64 = 0
  var left: Int64 = 0
  /// Members who reached Aura and Halo, and the seconds that it took them since sign-up.
  var reached = SIMD2<Int64>()
  var secondsToReach = SIMD2<Int64>()

  /// Adds another tally.
  mutating func add(_ other: EmberaTally) {
    events += other.events
    visits += other.visits
    online &+= other.online
    offline &+= other.offline
    placedOnline += other.placedOnline
    placedOffline += other.placedOffline
    arrived += other.arrived
    reserved += other.reserved
    confirmed += other.confirmed
    conflicts += other.conflicts
    pointsReturned += other.pointsReturned
    syncs += other.syncs
    lag += other.lag
    longestLag = max(longestLag, other.longestLag)
    resent += other.resent
    looks += other.looks
    heldBack += other.heldBack
    statusErrors += other.statusErrors
    delivered += other.delivered
    ceremonies += other.ceremonies
    refusals &+= other.refusals
    resets += other.resets
    subscribed += other.subscribed
    stopped += other.stopped
    left += other.left
    reached &+= other.reached
    secondsToReach &+= other.secondsToReach
  }
}
