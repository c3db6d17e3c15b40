internal import Quantities
internal import RewardModel

/// The awards of a run by prize and local day, and by prize and month.
struct AwardDays {
  /// The awards of one prize on one day.
  struct Mark {
    var date: CivilDate
    var count: Int
    /// The first of them.
    var first: BlakJaksRecord.AwardRow

    /// What they were, in words.
    var words: String {
      count > 1
        ? "\(count.grouped) × \(first.prize)"
        : "\(first.prize), scan \(first.wonScan.grouped), member \(first.member)"
    }
  }

  private var marks: [String: [Mark]] = [:]

  /// Nil when the zone is not known here.
  ///
  /// - Complexity: O(awards), with one look at the calendar a day.
  init?(_ record: BlakJaksRecord) {
    guard let parser = try? InstantParser(zone: record.zone) else { return nil }
    var date = CivilDate(dayNumber: 0)
    var midnight = Instant.distantFuture
    var nextMidnight = Instant.distantPast
    for award in record.awards {
      if award.time < midnight || award.time >= nextMidnight {
        date = parser.localDate(of: award.time)
        midnight = parser.midnight(of: date)
        nextMidnight = parser.midnight(of: date.adding(days: 1))
      }
      if let last = marks[award.prize]?.indices.last, marks[award.prize]?[last].date == date {
        marks[award.prize]?[last].count += 1
      } else {
        marks[award.prize, default: []].append(Mark(date: date, count: 1, first: award))
      }
    }
  }

  /// The days with awards of a prize, in order.
  func marks(of prize: String) -> [Mark] { marks[prize] ?? [] }

  /// Awards of a prize in a month `YYYY-MM`.
  func count(of prize: String, in month: String) -> Int {
    marks(of: prize).reduce(0) { $0 + ($1.date.monthLabel == month ? $1.count : 0) }
  }
}
