internal import EventKernel
internal import Population
package import Quantities

/// A live stream that has ended, or what it came to so far.
package struct StreamReport: Sendable, Equatable {
  package var started: Instant
  /// When it ended; of one that is still on, when it is to end.
  package var ended: Instant
  /// Viewers at the peak.
  package var peakViewers: Int
  /// Different viewers, at least the peak.
  package var uniqueViewers: Int
  /// Expected viewer-hours, given the peak.
  package var viewerHours: Double
  /// Messages that its viewers started; answers to them not counted.
  package var messages: Int
}

/// What one window saw of live streams.
struct StreamWindow: Equatable {
  /// The start of a stream that began in the window.
  var started: Instant?
  /// A stream that ended by the window's end.
  var ended: StreamReport?
  /// Viewers at the window's end.
  var viewersNow = 0
  /// Messages that viewers started in the window.
  var messages = 0
}

/// Live streams: who watches and how much they write. At most one is live at a time.
struct StreamModel: Sendable {
  /// A stream that is under way.
  struct Live: Codable {
    var start: Instant
    var end: Instant
    var audience: Int
    var peak: Int
    var messages = 0
  }

  private let settings: StreamSettings
  private let schedule: StreamSchedule
  private let curve: ViewerCurve
  private let seed: UInt64
  var live: Live?

  init(_ settings: StreamSettings, calendar: ProgrammeCalendar, seed: UInt64) {
    self.settings = settings
    self.seed = seed
    schedule = StreamSchedule(settings, calendar: calendar)
    curve = ViewerCurve(settings)
  }

  /// Moves to the end of the window.
  ///
  /// A stream starts when its start is in the window (its end excluded), and ends when its end
  /// is at or before the window's end. While one is live no other starts.
  ///
  /// - Parameter living: Living members, of whom a share gathers at a start.
  mutating func window(index: UInt64, start: Instant, end: Instant, living: Int) -> StreamWindow {
    var stream = RandomStream(
      seed: seed, purpose: RandomPurpose.stream.rawValue, entity: index)
    var result = StreamWindow()
    if live == nil, let opening = schedule.firstStart(from: start, before: end) {
      let peak = stream.poisson(mean: settings.viewersShare * Double(living))
      live = Live(
        start: opening, end: opening + settings.length, audience: living, peak: min(peak, living))
      result.started = opening
    }
    guard var now = live else { return result }
    let from = hours(max(start, now.start), since: now.start)
    let to = hours(min(end, now.end), since: now.start)
    let viewed = curve.viewerHours(toHours: to) - curve.viewerHours(toHours: from)
    let written = Double(now.peak) * max(0, viewed) * settings.chatBoost
    result.messages = stream.poisson(mean: min(1e9, written))
    now.messages += result.messages
    if now.end <= end {
      result.ended = report(now, &stream)
      live = nil
    } else {
      let share = curve.share(atHours: hours(end, since: now.start))
      result.viewersNow = stream.binomial(now.peak, min(1, share))
      live = now
    }
    return result
  }

  private func report(_ live: Live, _ stream: inout RandomStream) -> StreamReport {
    let others = stream.poisson(mean: min(1e9, Double(live.peak) * (curve.reach - 1)))
    return StreamReport(
      started: live.start, ended: live.end, peakViewers: live.peak,
      uniqueViewers: min(live.audience, live.peak + others),
      viewerHours: Double(live.peak) * curve.viewerHours(toHours: curve.lengthHours),
      messages: live.messages)
  }

  /// The stream that is still on after the last window, as far as it came; nil where none is.
  ///
  /// Viewers are those that its peak lets expect so far: nothing is drawn.
  ///
  /// - Parameter end: Of the last window.
  func openReport(at end: Instant) -> StreamReport? {
    guard let live else { return nil }
    let elapsed = hours(end, since: live.start)
    func viewers(_ share: Double) -> Int { Int(Double(live.peak) * share) }
    return StreamReport(
      started: live.start, ended: live.end,
      peakViewers: viewers(curve.highestShare(byHours: elapsed)),
      uniqueViewers: min(live.audience, viewers(curve.reach(byHours: elapsed))),
      viewerHours: Double(live.peak) * curve.viewerHours(toHours: elapsed),
      messages: live.messages)
  }

  private func hours(_ instant: Instant, since start: Instant) -> Double {
    (instant - start).inSeconds / 3_600
  }
}
