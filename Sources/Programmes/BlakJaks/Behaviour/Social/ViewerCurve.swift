internal import EventKernel
internal import Quantities

/// The audience of a live stream over its length, as a share of the peak.
///
/// It gathers evenly over the ramp, then decays exponentially; before the start and from the end
/// on it is 0.
package struct ViewerCurve: Sendable {
  /// Hours that the stream lasts.
  package let lengthHours: Double
  private let rampHours: Double
  private let decayPerHour: Double
  private let stayHours: Double

  /// - Parameter settings: Length, half-life and stay above 0; a ramp beyond the length is cut.
  package init(_ settings: StreamSettings) {
    invariant(settings.length > .seconds(0), "a stream takes time")
    invariant(settings.halfLife > .seconds(0), "an audience has a half-life above 0")
    invariant(settings.stay > .seconds(0), "a viewer stays for more than nothing")
    lengthHours = settings.length.inSeconds / 3_600
    rampHours = min(settings.ramp.inSeconds / 3_600, lengthHours)
    decayPerHour = Elementary.log(2) * 3_600 / settings.halfLife.inSeconds
    stayHours = settings.stay.inSeconds / 3_600
  }

  /// Share of the peak that watches `hours` after the start.
  package func share(atHours hours: Double) -> Double {
    guard hours >= 0 && hours < lengthHours else { return 0 }
    return hours < rampHours
      ? hours / rampHours : Elementary.exp(-decayPerHour * (hours - rampHours))
  }

  /// The highest share of the peak that has watched by `hours` after the start.
  func highestShare(byHours hours: Double) -> Double {
    hours < rampHours ? max(0, hours / rampHours) : 1
  }

  /// Viewer-hours a viewer at the peak from the start to `hours` after it.
  package func viewerHours(toHours hours: Double) -> Double {
    let hours = min(max(hours, 0), lengthHours)
    guard hours > rampHours else { return rampHours > 0 ? hours * hours / (2 * rampHours) : 0 }
    return rampHours / 2 - Elementary.expm1(-decayPerHour * (hours - rampHours)) / decayPerHour
  }

  /// Hours after the start at which a share of all viewers have come.
  ///
  /// - Parameter share: 0...1.
  func arrival(share: Double) -> Double {
    var (low, high) = (0.0, lastArrivalHours)
    let wanted = share * come(byHours: high)
    // Half a microsecond of the longest stream.
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if come(byHours: middle) < wanted { low = middle } else { high = middle }
    }
    return high
  }

  /// Different viewers a viewer at the peak, at least 1.
  package var reach: Double { max(1, come(byHours: lastArrivalHours)) }

  /// Different viewers a viewer at the peak who have come by `hours` after the start; at least
  /// `highestShare`.
  func reach(byHours hours: Double) -> Double {
    max(highestShare(byHours: hours), come(byHours: min(max(0, hours), lastArrivalHours)))
  }

  /// Different viewers a viewer at the peak who have come by some hours after the start.
  ///
  /// Viewers come at rate a(t) and each stays for a mean time s, so v′ = a − v ÷ s. By t hours
  /// ∫a = v(t) + ∫v ÷ s have come.
  ///
  /// - Parameter hours: 0...`lastArrivalHours`.
  private func come(byHours hours: Double) -> Double {
    let watching =
      hours < rampHours ? hours / rampHours : Elementary.exp(-decayPerHour * (hours - rampHours))
    return watching + viewerHours(toHours: hours) / stayHours
  }

  /// Hours after the start from which on nobody comes: those of the peak where viewers leave faster
  /// than their stay explains, and else those of the end.
  private var lastArrivalHours: Double {
    decayPerHour * stayHours < 1 ? lengthHours : rampHours
  }
}
