import BlakJaks
// Goal: one member's purchases, driven as the simulator's cells drive them.
// Method: the model's own traits, purchases and leaving; times through the season's table.
import EventKernel
import Population
import Quantities

/// What was seen of one member.
struct Watched {
  /// Weeks since sign-up of the repeat purchases, up to the end of the watch.
  var repeats: [Double] = []
  /// Tins of the repeat purchases.
  var tins = 0
  /// Weeks since sign-up at which the member had left; infinite if not before the end.
  var left = Double.infinity

  func count(until weeks: Double) -> Int { repeats.count { $0 <= weeks } }
}

/// Watches members who all sign up at the first instant.
struct Watch {
  let behaviour: BehaviourModel
  let season: SeasonTable
  let start: Instant

  /// - Parameter days: Longest watch.
  init(_ settings: PopulationSettings, seed: UInt64, days: Int) throws {
    let calendar = try ProgrammeCalendar(
      zone: "UTC", firstDate: CivilDate("2026-01-05")!, days: days)
    behaviour = BehaviourModel(settings, seed: seed)
    season = SeasonTable(settings.season, calendar: calendar)
    start = calendar.start
  }

  func member(_ member: UInt32, weeks: Double, referred: Bool = false, neverLeaves: Bool = false)
    -> Watched
  {
    var watched = Watched()
    let end = start + TimeSpan(microseconds: Int64(weeks * 168 * 3_600_000_000))
    let traits = behaviour.traits(member: member, referred: referred)
    let gapHours = Double(traits.meanGapWeeks) * 168
    let born = season.operationalHours(at: start)
    let lifetime = behaviour.model == .paretoNbd ? Double(traits.dropout) : .infinity
    if lifetime <= weeks { watched.left = lifetime }
    var now = start
    var index: UInt32 = 0
    while true {
      let draw = behaviour.purchase(member: member, index: index)
      if index > 0 {
        watched.repeats.append(Double((now - start).microseconds) / (168 * 3_600_000_000))
        watched.tins += draw.tins
      }
      let hours = season.operationalHours(at: now)
      if !neverLeaves && behaviour.leaves(after: draw, index: index, dropout: traits.dropout) {
        watched.left = watched.repeats.last ?? 0
        return watched
      }
      let next = hours + draw.gap * gapHours
      if next > born + lifetime * 168 { return watched }
      now = max(season.instant(atOperationalHours: next), now + TimeSpan(microseconds: 1))
      guard now < end else { return watched }
      index += 1
    }
  }
}

/// Sums for a mean and a variance.
struct Moments {
  private(set) var count = 0.0
  private var sum = 0.0
  private var squares = 0.0
  private let origin: Double

  /// - Parameter origin: Near the mean, against cancellation.
  init(around origin: Double = 0) { self.origin = origin }

  mutating func add(_ value: Double) {
    count += 1
    sum += value - origin
    squares += (value - origin) * (value - origin)
  }

  var mean: Double { origin + sum / count }
  var variance: Double { (squares - sum * sum / count) / (count - 1) }

  /// How many standard errors the mean lies from `expected`, given the variance of one value.
  func errors(from expected: Double, variance: Double) -> Double {
    distance(mean, expected, variance / count)
  }

  /// How many standard errors the variance lies from `expected`, given the fourth central moment.
  func varianceErrors(from expected: Double, fourth: Double) -> Double {
    distance(variance, expected, (fourth - expected * expected) / count)
  }
}

/// Distance in standard errors; rounding of 1e-12 is forgiven where there is no variance at all.
func distance(_ value: Double, _ expected: Double, _ variance: Double) -> Double {
  abs(value - expected) / max(variance.squareRoot(), 1e-12 * max(abs(expected), 1))
}
