internal import RewardModel

/// A member's session that is under way.
struct LoadSlot<Session: LoadSession> {
  enum Phase: Equatable {
    case thinking, asking
    case backingOff(after: LoadErrorKind)
  }

  var session: Session
  var phase = Phase.asking
  var step: LoadStep
  /// Attempts so far.
  var attempts = 0
  /// Whether this attempt was sent again, as the service had closed the connection.
  var isResent = false
  /// Number of the request, part of its key.
  var serial: UInt32 = 0
  /// When the request was meant to start, whatever attempts it takes, and when the last one did:
  /// nanoseconds of the wall clock.
  var intended: Int64 = 0
  var started: Int64 = 0
}

/// When a session goes on, in nanoseconds of the wall clock.
struct LoadAlarm: Comparable {
  var time: Int64
  var slot: UInt32

  static func < (a: LoadAlarm, b: LoadAlarm) -> Bool { (a.time, a.slot) < (b.time, b.slot) }
}
