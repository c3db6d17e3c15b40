internal import Quantities

/// One device of a member.
struct DeviceRow: Sendable, BitwiseCopyable {
  /// When the device was online last, or, if that is to come, when it will be back.
  var known = Instant.distantPast
  var book = DeviceBook()
  var credential = PasskeyCredential()
  /// Before this nobody tries to sign in on the device.
  var nextCeremony = Instant.distantPast
  /// Questions about the connection so far, and attempts to sign in.
  var questions: UInt32 = 0
  var attempts: UInt32 = 0
  /// Entries that wait to be sent, in the device's own order.
  var waiting = WaitingQueue()

  /// When the device sends what waits; `distantFuture` when nothing does.
  var sync: Instant { waiting.isEmpty ? .distantFuture : known }
}

/// One member of a cell.
struct MemberRow: Sendable, BitwiseCopyable {
  var signUp = Instant.distantFuture
  /// The next visit; the first is at sign-up. Where `leavesNext`, the instant of leaving;
  /// `distantFuture` after it.
  var nextVisit = Instant.distantFuture
  /// The next delivery of a subscription.
  var nextDelivery = Instant.distantFuture
  /// See `MemberTraits`.
  var meanGapWeeks: Float = 0
  var dropout: Float = 0
  /// Visits so far, the index of the next one's draws.
  var visits: UInt32 = 0
  var deliveries: UInt32 = 0
  /// The server's account.
  var account = MemberAccount()
  var first = DeviceRow()
  var second = DeviceRow()
  /// Bags of each delivery.
  var subscription = BagCounts()
  /// Weeks between deliveries of a member who subscribes at the first order; 0 of others.
  var intervalWeeks: UInt8 = 0
  var hasSecondDevice = false
  var wasReferred = false
  var hasSignedUp = false
  /// Whether the member leaves at `nextVisit` without coming.
  var leavesNext = false
  var hasLeft = false

  /// The member's next event of any kind.
  var due: Instant {
    min(min(nextVisit, nextDelivery), min(first.sync, second.sync))
  }

  /// A device of the member: 0 or 1.
  subscript(device: Int) -> DeviceRow {
    get { device == 0 ? first : second }
    set { if device == 0 { first = newValue } else { second = newValue } }
  }
}
