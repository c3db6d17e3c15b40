package import Quantities
package import RewardModel

/// When sessions start, and which.
package struct LoadOffer<Crowd: LoadCrowd>: Sendable {
  /// How their instants are chosen.
  package enum Timing: Sendable {
    /// At given rates, one after the other as they come in simulated time.
    case rate(LoadProfile, Arrivals.Spacing, seed: UInt64)
    /// As in simulated time, so many times as fast, for so many seconds of the wall.
    case compressed(factor: Double, seconds: Double)
  }

  private var crowd: Crowd
  private var timing: Timing
  private let journeys: Set<Int>
  private var arrivals: ArrivalTimes?
  private var start: Instant
  /// The session that comes next, taken out to see when it is.
  private var next: Crowd.Session?
  /// Whether the members had nothing more to do before the offer's end.
  package private(set) var ranOut = false

  /// - Parameters:
  ///   - start: In simulated time; what comes before it has happened already.
  ///   - journeys: Indexes into `Crowd.journeys`; others do not take place.
  /// - Complexity: O(what happens before `start`).
  package init(_ crowd: Crowd, from start: Instant, _ journeys: Set<Int>, _ timing: Timing) {
    self.crowd = crowd
    self.start = start
    self.timing = timing
    self.journeys = journeys
    if case .rate(let profile, let spacing, let seed) = timing {
      arrivals = ArrivalTimes(profile, spacing, seed: seed)
    }
    while let session = self.crowd.next() {
      next = session
      if session.time >= start, journeys.contains(session.journey) { break }
      next = nil
    }
  }

  /// The same members, who go on at once in another way.
  package func continuing(_ timing: Timing) -> LoadOffer {
    var offer = self
    offer.timing = timing
    offer.start = next?.time ?? start
    offer.arrivals = nil
    offer.ranOut = false
    if case .rate(let profile, let spacing, let seed) = timing {
      offer.arrivals = ArrivalTimes(profile, spacing, seed: seed)
    }
    return offer
  }

  /// For how long sessions start, in seconds.
  package var seconds: Double {
    switch timing {
    case .rate(let profile, _, _): profile.seconds
    case .compressed(_, let seconds): seconds
    }
  }

  /// The next session with the nanoseconds from the beginning to its start; nil at the end.
  package mutating func take() -> (start: Int64, session: Crowd.Session)? {
    guard let session = next else {
      if case .compressed = timing { ranOut = true }
      if arrivals?.next() != nil { ranOut = true }
      return nil
    }
    let instant: Int64
    switch timing {
    case .rate:
      guard let start = arrivals?.next() else { return nil }
      instant = start
    case .compressed(let factor, let seconds):
      let time = Double((session.time - start).microseconds) * 1e3 / factor
      guard time < seconds * 1e9 else { return nil }
      instant = Int64(time)
    }
    next = nil
    while let session = crowd.next() {
      guard journeys.contains(session.journey) else { continue }
      next = session
      break
    }
    return (instant, session)
  }

  /// See `LoadCrowd.step`.
  package mutating func step(
    _ session: inout Crowd.Session, after answer: LoadAnswer?, _ supply: inout LoadSupplies
  ) -> LoadStep? {
    crowd.step(&session, after: answer, &supply)
  }
}

/// What a load would offer, worked out without sending anything.
package struct LoadForecast: Sendable {
  /// Sessions by journey.
  package private(set) var sessions: [Int]
  /// Requests by step, where every answer is well.
  package private(set) var requests: [Int]
  /// Members who act, or whom others name, and who have not joined before in this load; in the
  /// order in which they are first needed.
  package private(set) var members: [UInt32] = []
  /// How many members join.
  package private(set) var joins = 0
  /// Codes that are used up.
  package private(set) var codes = 0
  /// Of the last session; nil without any.
  package private(set) var end: Instant?
  package private(set) var seconds: Double
  /// Whether the members had nothing more to do before its end.
  package let ranOut: Bool

  /// Goes through an offer.
  ///
  /// - Parameters:
  ///   - limit: The most sessions that are looked at.
  /// - Complexity: O(sessions).
  package init<Crowd: LoadCrowd>(_ offer: LoadOffer<Crowd>, limit: Int = .max) {
    var offer = offer
    var supply = LoadSupplies()
    // Those who join are there from then on.
    var seen: Set<UInt32> = []
    seconds = offer.seconds
    sessions = Array(repeating: 0, count: Crowd.journeys.count)
    requests = Array(repeating: 0, count: Crowd.steps.count)
    var total = 0
    while total < limit, var (_, session) = offer.take() {
      total += 1
      sessions[session.journey] += 1
      end = session.time
      let isJoin = session.journey == Crowd.joining?.journey
      let isNew = session.needsAccount && seen.insert(session.member).inserted
      if isJoin { joins += 1 } else if isNew { members.append(session.member) }
      var answer: LoadAnswer?
      while let step = offer.step(&session, after: answer, &supply) {
        requests[step.shape] += 1
        answer = LoadAnswer(.done, Crowd.steps[step.shape].takes.map { _ in nil })
      }
    }
    for member in supply.unnamed where seen.insert(member).inserted { members.append(member) }
    codes = supply.used
    ranOut = offer.ranOut
  }

  /// Says that there are too few sessions, and what would do.
  package var shortage: String {
    "the scenario's members have only \(sessions.reduce(0, +)) sessions for this load; give it more "
      + "members (--set population.members=N), more days, or an earlier --from"
  }
}
