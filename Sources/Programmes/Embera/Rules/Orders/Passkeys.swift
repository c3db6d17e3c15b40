package import Quantities

/// How long challenges and sessions live.
package struct PasskeyRules: Sendable, Equatable, Codable {
  package var challenge = TimeSpan.minutes(5)
  package var session = TimeSpan.days(30)

  /// The defaults.
  package init() {}
}

/// A challenge of the server: used once, and only while it lives.
package struct PasskeyChallenge: Sendable, Equatable, Codable, BitwiseCopyable {
  package var issued: Instant
  package var isUsed = false

  /// A fresh challenge.
  package init(issued: Instant) { self.issued = issued }
}

/// Why a ceremony was refused.
package enum PasskeyRefusal: Int, CaseIterable, Error, Codable, Sendable {
  /// The challenge is older than it may be.
  case expired
  /// The challenge was used before, or never issued.
  case used
  /// The credential's counter did not rise: it may have been copied.
  case counter

  /// The refusal's id in files.
  package var key: String {
    switch self {
    case .expired: "expired_challenge"
    case .used: "used_challenge"
    case .counter: "stale_counter"
    }
  }
}

/// What the server knows of one device's passkey and session.
package struct PasskeyCredential: Sendable, Equatable, Codable, BitwiseCopyable {
  /// The counter of the last ceremony; 0 before the first.
  package private(set) var counter: UInt32 = 0
  /// End of the session; nobody is signed in from then on.
  package private(set) var sessionEnds = Instant.distantPast
  /// How often an expired session was reset.
  package private(set) var resets: UInt32 = 0

  /// A credential that was never used.
  package init() {}

  /// Whether somebody is signed in.
  package func isSignedIn(at now: Instant) -> Bool { now < sessionEnds }

  /// Resets a session that has expired.
  ///
  /// - Returns: Whether there was one.
  package mutating func resetIfExpired(at now: Instant) -> Bool {
    guard sessionEnds != .distantPast, now >= sessionEnds else { return false }
    sessionEnds = .distantPast
    resets += 1
    return true
  }

  /// Answers a ceremony.
  ///
  /// A challenge is used up by its first answer, whatever came of it.
  ///
  /// - Parameters:
  ///   - challenge: The device's last one.
  ///   - counter: Of the authenticator, with this answer.
  ///   - now: When the answer arrives.
  ///   - rules: How long a session lasts.
  /// - Throws: `PasskeyRefusal`; the session is then unchanged.
  package mutating func signIn(
    _ challenge: inout PasskeyChallenge, counter: UInt32, at now: Instant, rules: PasskeyRules
  ) throws(PasskeyRefusal) {
    guard !challenge.isUsed else { throw .used }
    challenge.isUsed = true
    guard now < challenge.issued + rules.challenge else { throw .expired }
    guard counter > self.counter else { throw .counter }
    self.counter = counter
    sessionEnds = now + rules.session
  }
}
