package import Quantities

/// When the programme closes its doors to new affiliates.
package struct SunsetRules: Sendable, Equatable, Codable {
  /// Whether the engine checks at all.
  package var enabled = true
  /// Accepted scans of the trailing days from which a check counts, 1 or more.
  package var threshold: Int64 = 10_000_000
  /// Trailing local days, 1 or more.
  package var days = 90
  /// Checks running at or above the threshold that make it active, 1 or more.
  package var checks = 3

  /// The defaults.
  package init() {}
}

/// The sunset engine: watches the trailing accepted scans, and once active stays so.
///
/// While it is active there are no new affiliates and no new referral links; what was earned stays.
package struct SunsetEngine: Sendable, Codable {
  package let rules: SunsetRules
  /// When the engine last checked.
  package private(set) var lastCheck: Instant?
  /// The check that made it active.
  package private(set) var activeSince: Instant?
  /// Accepted scans of the trailing local days that ended with the last midnight.
  package private(set) var trailing: Int64 = 0
  /// Checks running at or above the threshold, up to the last one.
  package private(set) var streak = 0
  /// One row per trailing day, the oldest at `place`.
  private var daily: [Int64]
  private var place = 0

  /// An engine that has seen no day and made no check.
  package init(rules: SunsetRules) {
    self.rules = rules
    daily = Array(repeating: 0, count: rules.days)
  }

  /// Whether the doors are closed.
  package var isActive: Bool { activeSince != nil }

  /// Whether the next check makes the engine active, as far as is known before midnight: a check only looks at days
  /// that have ended.
  package var closesAtNextCheck: Bool {
    rules.enabled && !isActive && trailing >= rules.threshold && streak + 1 >= rules.checks
  }

  /// Ends a local day; the day that falls out of the trailing ones is forgotten.
  ///
  /// - Parameter accepted: Its accepted scans, 0 or more.
  /// - Complexity: O(1).
  package mutating func closeDay(accepted: Int64) {
    invariant(accepted >= 0, "a day of \(accepted) accepted scans")
    trailing += accepted - daily[place]
    daily[place] = accepted
    place = place + 1 == daily.count ? 0 : place + 1
  }

  /// The daily check at 05:00.
  ///
  /// - Returns: Whether this check made the engine active. A disabled engine checks nothing.
  @discardableResult
  package mutating func check(at instant: Instant) -> Bool {
    guard rules.enabled else { return false }
    let closes = closesAtNextCheck
    lastCheck = instant
    streak = trailing >= rules.threshold ? streak + 1 : 0
    if closes { activeSince = instant }
    return closes
  }
}
