internal import EventKernel
package import Population
package import Quantities
internal import RewardModel
internal import Synchronization

/// How much of a run's work is done at a simulated instant: expected purchases and scans so far
/// over those of the whole run.
///
/// A few hundred members of the run live through it in operational time, as if each had signed up
/// at its start; what they did by hours since sign-up, laid over the sign-ups by day, is the work
/// to expect, with the scans of wholesale tins. It is an expectation for progress and planning:
/// nothing of the run depends on it. It is worked out when somebody first asks, as most runs of an
/// experiment show no progress of their own.
package final class LifeCurve: ExpectedWork {
  /// Most members that are looked at.
  private static let membersMaximum = 1_000
  /// No further member is looked at after so many events; one member has at most as many.
  private static let eventsMaximum = 300_000

  private let behaviour: BehaviourModel
  private let season: SeasonTable
  private let calendar: ProgrammeCalendar
  private let members: Int
  private let cohorts: [Cohort]
  private let wholesaleScans: [Double]
  /// Operational hours at each day's start, and at the end.
  private let hours: [Double]
  private let known = Mutex<Work?>(nil)

  /// What is expected of the whole run.
  private struct Work: Sendable {
    /// The share done at each of `hours`.
    var shares: [Double]
    /// Purchases and scans.
    var events: Double
  }

  /// - Parameters:
  ///   - behaviour: The run's own.
  ///   - season: The run's own.
  ///   - calendar: The run's own.
  ///   - signUps: Ascending, within the calendar.
  ///   - wholesaleScans: Of wholesale tins by each day's start and by the end; none by default.
  /// - Complexity: O(signUps).
  package init(
    behaviour: BehaviourModel, season: SeasonTable, calendar: ProgrammeCalendar,
    signUps: [Instant], wholesaleScans: [Double] = []
  ) {
    self.behaviour = behaviour
    self.season = season
    self.calendar = calendar
    self.wholesaleScans = wholesaleScans
    members = signUps.count
    cohorts = LifeCurve.cohorts(signUps, season: season, calendar: calendar)
    hours =
      calendar.dayStarts[..<calendar.dayCount].map {
        season.operationalHours(at: max($0, calendar.start))
      } + [season.totalHours]
  }

  private var work: Work {
    known.withLock { known in
      let work = known ?? workedOut()
      known = work
      return work
    }
  }

  /// Expected purchases and scans of the whole run.
  ///
  /// - Complexity: See `share(doneAt:)`.
  package var events: Double { work.events }

  private func workedOut() -> Work {
    let life = LifeCurve.life(behaviour, members: members, hours: season.totalHours)
    let done = hours.enumerated().map { row, now in
      var sum = wholesaleScans.isEmpty ? 0 : wholesaleScans[row]
      for cohort in cohorts {
        guard cohort.hours < now else { break }
        sum += cohort.members * LifeCurve.value(of: life, at: now - cohort.hours)
      }
      return sum
    }
    // Without any work, the share of elapsed time is used.
    let events = done.last ?? 0
    let whole = events > 0 ? done : hours
    let total = whole.last ?? 1
    return Work(shares: whole.map { total > 0 ? $0 / total : 1 }, events: events)
  }

  /// The share of the run's work that is done at an instant: never less than at an earlier one, 0
  /// up to the run's start and 1 from its end on. Linear in operational time within a day.
  ///
  /// - Complexity: O(1), but for the first call: O(days² + sampled events), some milliseconds for a
  ///   year and 80 ms for ten years.
  package func share(doneAt instant: Instant) -> Double {
    guard instant > calendar.start else { return 0 }
    guard instant < calendar.end else { return 1 }
    let shares = work.shares
    let day = calendar.dayIndex(of: instant)
    let span = hours[day + 1] - hours[day]
    guard span > 0 else { return shares[day] }
    let part = (season.operationalHours(at: instant) - hours[day]) / span
    return min(1, shares[day] + (shares[day + 1] - shares[day]) * min(max(part, 0), 1))
  }

  /// Members who sign up on one day, and their mean operational time.
  private struct Cohort: Sendable {
    var hours: Double
    var members: Double
  }

  private static func cohorts(
    _ signUps: [Instant], season: SeasonTable, calendar: ProgrammeCalendar
  ) -> [Cohort] {
    var cohorts: [Cohort] = []
    var next = 0
    for day in 0..<calendar.dayCount where next < signUps.count {
      let end = day + 1 < calendar.dayCount ? calendar.dayStarts[day + 1] : .distantFuture
      var sum = 0.0
      let first = next
      while next < signUps.count, signUps[next] < end {
        sum += season.operationalHours(at: signUps[next])
        next += 1
      }
      let count = Double(next - first)
      if count > 0 { cohorts.append(Cohort(hours: sum / count, members: count)) }
    }
    return cohorts
  }

  /// A member's expected events by whole operational hours since sign-up, cumulative: row 0 is
  /// the first purchase.
  private static func life(_ behaviour: BehaviourModel, members: Int, hours: Double) -> [Double] {
    var counts = [Double](repeating: 0, count: Int(hours.rounded(.up)) + 1)
    var seen = 0.0
    var events = 0
    // The first members represent all: what a member draws depends on no other.
    for member in 0..<UInt32(min(members, membersMaximum)) where events < eventsMaximum {
      let before = events
      live(member, behaviour, until: hours) { time in
        counts[Int(time.rounded(.up))] += 1
        events += 1
        return events - before < eventsMaximum
      }
      seen += 1
    }
    var sum = 0.0
    return counts.map {
      sum += $0 / max(seen, 1)
      return sum
    }
  }

  /// Calls `event` with the operational hours since sign-up of a member's purchases and scans
  /// before `end`, in no particular order, until it answers false.
  private static func live(
    _ member: UInt32, _ behaviour: BehaviourModel, until end: Double, event: (Double) -> Bool
  ) {
    let traits = behaviour.traits(member: member, referred: behaviour.referrer(of: member) != nil)
    let gapHours = Double(traits.meanGapWeeks) * 168
    let lifeEnds =
      behaviour.model == .paretoNbd ? Double(traits.dropout) * 168 : .infinity
    var now = 0.0
    var purchase: UInt32 = 0
    var scans: UInt32 = 0
    var held = 0
    var pace = 1
    var nextScan = Double.infinity
    while true {
      // The scans before this purchase.
      while nextScan < now {
        guard event(nextScan) else { return }
        let draw = behaviour.scan(member: member, index: scans)
        scans += 1
        held -= 1
        nextScan = held > 0 ? nextScan + draw.gap * gapHours / Double(pace) : .infinity
      }
      guard now < end else { return }
      guard event(now) else { return }
      let draw = behaviour.purchase(member: member, index: purchase)
      if draw.scanned > 0 {
        held += draw.scanned
        pace = held
        if nextScan == .infinity { nextScan = now + draw.firstOpening * gapHours / Double(pace) }
      }
      let leaves = behaviour.leaves(after: draw, index: purchase, dropout: traits.dropout)
      purchase += 1
      let next = now + draw.gap * gapHours
      // After the last purchase only scans are left, up to the end.
      now = leaves || next > lifeEnds ? end : min(next, end)
    }
  }

  /// A cumulative table by whole hours, linear between them.
  private static func value(of table: [Double], at hours: Double) -> Double {
    let row = min(Int(hours), table.count - 1)
    let next = min(row + 1, table.count - 1)
    return table[row] + (table[next] - table[row]) * (hours - Double(row))
  }
}
