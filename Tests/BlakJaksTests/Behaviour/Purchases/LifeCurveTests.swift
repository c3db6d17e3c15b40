import BlakJaks
// Goal: the share of work that is expected done is that of members who really live through the run.
// Method: every member of a few thousand is simulated event by event through the season's clock;
// shares of those events by day against the curve.
import EventKernel
import Foundation
import Population
import Quantities
import Testing

@Suite struct LifeCurveTests {
  /// A run's parts.
  private struct Run {
    let calendar: ProgrammeCalendar
    let season: SeasonTable
    let behaviour: BehaviourModel
    let signUps: [Instant]

    init(
      days: Int = 365, members: Int = 3_000, seed: UInt64 = 5,
      _ edit: (inout PopulationSettings) -> Void
    ) throws {
      var settings = PopulationSettings()
      settings.members = members
      edit(&settings)
      calendar = try ProgrammeCalendar(
        zone: "America/New_York", firstDate: CivilDate(year: 2026, month: 1, day: 1), days: days)
      season = SeasonTable(settings.season, calendar: calendar)
      behaviour = BehaviourModel(settings, seed: seed)
      signUps = AdoptionCurve.signUps(
        settings, calendar: calendar, season: season, seed: seed)
    }

    var curve: LifeCurve {
      LifeCurve(behaviour: behaviour, season: season, calendar: calendar, signUps: signUps)
    }

    /// Purchases and scans before each day's start and before the end.
    func events() -> [Double] {
      var counts = [Double](repeating: 0, count: calendar.dayCount + 1)
      for (member, signUp) in signUps.enumerated() {
        live(UInt32(member), from: signUp) { counts[calendar.dayIndex(of: $0) + 1] += 1 }
      }
      var sum = 0.0
      return counts.map {
        sum += $0
        return sum
      }
    }

    private func live(_ member: UInt32, from signUp: Instant, event: (Instant) -> Void) {
      let traits = behaviour.traits(
        member: member, referred: behaviour.referrer(of: member) != nil)
      let gapHours = Double(traits.meanGapWeeks) * 168
      let born = season.operationalHours(at: signUp)
      var (nextPurchase, nextScan) = (signUp, Instant.distantFuture)
      var (purchases, scans): (UInt32, UInt32) = (0, 0)
      var (held, pace) = (0, 0)
      while min(nextPurchase, nextScan) < calendar.end {
        let now = min(nextPurchase, nextScan)
        event(now)
        let hours = season.operationalHours(at: now)
        func later(_ hours: Double) -> Instant {
          max(season.instant(atOperationalHours: hours), now + TimeSpan(microseconds: 1))
        }
        if nextPurchase == now {
          let draw = behaviour.purchase(member: member, index: purchases)
          if draw.scanned > 0 {
            held += draw.scanned
            pace = held
            if nextScan == .distantFuture {
              nextScan = later(hours + draw.firstOpening * gapHours / Double(pace))
            }
          }
          var next = hours + draw.gap * gapHours
          if behaviour.leaves(after: draw, index: purchases, dropout: traits.dropout) {
            next = .infinity
          }
          if behaviour.model == .paretoNbd, next > born + Double(traits.dropout) * 168 {
            next = .infinity
          }
          purchases += 1
          nextPurchase = later(next)
        } else {
          let draw = behaviour.scan(member: member, index: scans)
          scans += 1
          held -= 1
          nextScan =
            held > 0 ? later(hours + draw.gap * gapHours / Double(pace)) : .distantFuture
        }
      }
    }
  }

  static let scenarios: [(String, @Sendable (inout PopulationSettings) -> Void)] = [
    ("bass", { _ in }),
    ("cohort", { $0.adoption.model = .cohort }),
    (
      "rate",
      {
        $0.adoption.model = .rate
        $0.adoption.perDay = 8
      }
    ),
    (
      "plan without a season",
      {
        $0.adoption.model = .plan
        $0.adoption.monthly = [900, 0, 200]
        $0.season.enabled = false
      }
    ),
    (
      "pareto",
      {
        $0.purchase.model = .paretoNbd
        $0.adoption.model = .cohort
      }
    ),
  ]

  @Test("The curve is that of members who live through the run", arguments: scenarios.indices)
  func actual(row: Int) throws {
    let (name, edit) = LifeCurveTests.scenarios[row]
    let run = try Run(edit)
    let events = run.events()
    let curve = run.curve
    let total = try #require(events.last)
    #expect(total > 20_000, "\(name)")
    #expect(abs(curve.events / total - 1) < 0.12, "\(name): \(curve.events) of \(total)")
    for day in 1..<run.calendar.dayCount {
      let share = events[day] / total
      let expected = curve.share(doneAt: run.calendar.dayStarts[day])
      #expect(abs(share - expected) < 0.03, "\(name), day \(day): \(expected), really \(share)")
    }
  }

  @Test func theShareGrowsFromNothingToAll() throws {
    let run = try Run(days: 40, members: 500) { _ in }
    let curve = run.curve
    #expect(curve.share(doneAt: run.calendar.start) == 0)
    #expect(curve.share(doneAt: run.calendar.start - .days(3)) == 0)
    #expect(curve.share(doneAt: run.calendar.end) == 1)
    #expect(curve.share(doneAt: .distantFuture) == 1)
    var last = 0.0
    var now = run.calendar.start
    while now < run.calendar.end {
      let share = curve.share(doneAt: now)
      #expect(share >= last && share <= 1)
      last = share
      now = now + .minutes(47)
    }
    #expect(last > 0.99)
  }

  @Test func equalInputGivesTheEqualCurve() throws {
    let first = try Run(days: 30, members: 200) { _ in }
    let second = try Run(days: 30, members: 200) { _ in }
    for day in first.calendar.dayStarts {
      #expect(first.curve.share(doneAt: day) == second.curve.share(doneAt: day))
    }
  }

  @Test func withoutSignUpsTheClockCounts() throws {
    let run = try Run(days: 10) {
      $0.season.enabled = false
      $0.adoption.model = .rate
      $0.adoption.perDay = 1e-12
    }
    #expect(run.signUps.isEmpty)
    let middle = run.calendar.dayStarts[5]
    #expect(abs(run.curve.share(doneAt: middle) - 0.5) < 1e-12)
    #expect(run.curve.events == 0)
  }

  @Test func membersWithExtremeRatesDoNotHoldItUp() throws {
    let run = try Run(days: 3_000, members: 300) {
      $0.tins.perWeek = 1_000
      $0.tins.perPurchase = 1
      $0.adoption.model = .cohort
    }
    let curve = run.curve
    #expect(curve.events > 0)
    #expect(curve.share(doneAt: run.calendar.end) == 1)
  }
}
