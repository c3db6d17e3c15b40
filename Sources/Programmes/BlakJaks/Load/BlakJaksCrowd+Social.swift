internal import EventKernel
internal import HeapModule
internal import Population
internal import Quantities

/// What members write and watch: the social model counts it, and says nothing of who does it.
extension BlakJaksCrowd {
  /// Draws the messages of an hour, and who writes them.
  mutating func drawHour() {
    let end = hour.start + .hours(1)
    let operational =
      season.operationalHours(at: min(end, calendar.end)) - season.operationalHours(at: hour.start)
    let drawn = social?.window(
      SocialInput(
        index: hour.index, start: hour.start, end: end, rateFactor: max(operational, 0),
        living: living, wins: 0))
    var stream = RandomStream(
      seed: behaviour.seed, purpose: RandomPurpose.crowd.rawValue, entity: hour.index)
    if let drawn, !rows.isEmpty {
      for (row, count) in drawn.messagesByChannel.enumerated() where !channels[row].isReadOnly {
        for _ in 0..<count { write(row, atLeast: channels[row].requiredTier, &stream) }
      }
      for row in channels.indices where channels[row].requiredTier > .standard {
        for _ in 0..<drawn.refusedTierLocked { write(row, atLeast: .standard, &stream) }
        break
      }
    }
    if let drawn, let opening = drawn.streamStarted { planStream(opening, drawn, until: end) }
    hour = (end, hour.index + 1)
  }

  /// The program begins and ends a stream. The model counts who watches: as many different members as
  /// it says come, at the rate at which its audience gathers, whoever they are.
  private mutating func planStream(
    _ opening: Instant, _ drawn: SocialWindow, until hourEnd: Instant
  ) {
    guard var ahead = social else { return }
    var report = drawn.streamEnded
    var (next, index) = (hourEnd, hour.index + 1)
    while report == nil {
      report =
        ahead.window(
          SocialInput(
            index: index, start: next, end: next + .hours(1), rateFactor: 0, living: living, wins: 0
          )
        ).streamEnded
      (next, index) = (next + .hours(1), index + 1)
    }
    guard let report else { return }
    events.insert(Event(time: opening, member: 0, kind: .startStream))
    events.insert(Event(time: opening + streams.length, member: 0, kind: .endStream))
    var stream = RandomStream(
      seed: behaviour.seed, purpose: RandomPurpose.crowd.rawValue, entity: 3 << 62 | hour.index)
    var watching: Set<UInt32> = []
    for _ in 0..<report.uniqueViewers {
      let seconds = viewers.arrival(share: stream.uniform()) * 3_600
      for _ in 0..<64 {
        let member = UInt32(stream.uniformIndex(below: UInt64(rows.count)))
        guard !rows[Int(member)].course.hasLeft, watching.insert(member).inserted else { continue }
        let time = opening + TimeSpan(microseconds: Int64(seconds * 1e6))
        events.insert(Event(time: time, member: member, kind: .watch))
        break
      }
    }
  }

  private mutating func write(
    _ channel: Int, atLeast tier: Tier, _ stream: inout RandomStream
  ) {
    let time =
      hour.start + TimeSpan(microseconds: Int64(stream.uniformIndex(below: 3_600_000_000)))
    // Those who have left, or whose tier is too low, do not write: another one does.
    for _ in 0..<64 {
      let member = Int(stream.uniformIndex(below: UInt64(rows.count)))
      guard !rows[member].course.hasLeft, rows[member].tier >= tier else { continue }
      events.insert(
        Event(time: time, member: UInt32(member), kind: .write, place: UInt32(channel)))
      return
    }
  }
}
