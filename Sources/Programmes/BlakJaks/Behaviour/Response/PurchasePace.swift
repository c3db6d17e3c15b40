internal import EventKernel
internal import Population
internal import Quantities

/// How a member who won buys more often for a while.
package struct PurchaseUplift: Sendable, Equatable {
  /// On the purchase rate, 1 or more.
  package let factor: Double
  /// Operational hours that it lasts.
  package let hours: Double

  /// The uplift of some settings; nil where there is none.
  package init?(_ settings: ResponseSettings) {
    guard settings.uplift != 0 else { return nil }
    factor = 1 + settings.uplift
    hours = settings.upliftLasts.inSeconds / 3_600
  }
}

/// How far one member has come towards the next purchase: 24 bytes, kept only where wins matter.
///
/// The gap to the next purchase is drawn in time at the member's usual rate. While an uplift lasts
/// that time passes `factor` times as fast, the time change of a Poisson process whose rate is
/// (1 + u) times the usual one for a while (Taylor and Neslin 2005,
/// doi:10.1016/j.jretai.2004.11.004: purchases above the baseline after a reward). A further win
/// extends the uplift and does not add to it. All times are operational hours.
package struct PurchasePace: Sendable, BitwiseCopyable {
  /// When `left` was last worked out.
  private var since = 0.0
  /// Time at the usual rate that is left until the next purchase.
  private var left = 0.0
  /// When the uplift ends.
  private var ends = -Double.infinity

  /// Nobody has begun a gap.
  package init() {}

  /// Begins a gap.
  ///
  /// - Parameters:
  ///   - gap: Its length at the member's usual rate.
  ///   - hours: When it begins.
  ///   - uplift: Of the run.
  /// - Returns: When it ends.
  package mutating func begin(_ gap: Double, at hours: Double, _ uplift: PurchaseUplift) -> Double {
    (since, left) = (hours, gap)
    return end(uplift)
  }

  /// The member won: the uplift begins, or begins again.
  ///
  /// - Parameters:
  ///   - hours: When it begins, not before the gap.
  ///   - uplift: Of the run.
  /// - Returns: When the gap ends now, never later than without.
  package mutating func win(at hours: Double, _ uplift: PurchaseUplift) -> Double {
    let quick = max(0, min(hours, ends) - since)
    left = max(0, left - quick * uplift.factor - (hours - since - quick))
    since = hours
    ends = hours + uplift.hours
    return end(uplift)
  }

  private func end(_ uplift: PurchaseUplift) -> Double {
    let room = ends - since
    guard room > 0 else { return since + left }
    let quick = left / uplift.factor
    return quick <= room ? since + quick : ends + (left - room * uplift.factor)
  }
}

extension BehaviourModel {
  /// Whether a member whose tier fell stops buying. A higher probability keeps everybody who stops
  /// at a lower one. That members who lose a status become less loyal: Wagner, Hennig-Thurau and
  /// Rudolph 2009, doi:10.1509/jmkg.73.3.69.
  ///
  /// - Parameters:
  ///   - member: Whose tier fell.
  ///   - quarter: Number of the quarter that begins, the same in runs of any start.
  package func lapses(member: UInt32, quarter: UInt32) -> Bool {
    guard settings.response.lapse > 0 else { return false }
    var stream = stream(.lapse, member, quarter)
    return stream.uniform() < settings.response.lapse
  }
}
