internal import Foundation
internal import Quantities
internal import RewardModel

/// How purchases follow the clock: weights of the 24 hours of a day and of the 7 weekdays, which a
/// population multiplies with each other.
///
/// A weight is the share of purchases there, half a purchase added to each so that no hour is
/// impossible (Jeffreys 1946, doi:10.1098/rspa.1946.0056), for weekdays per day that there was.
/// Weights have the mean 1. Days on which a clock is changed are left out.
package struct SeasonFit: Sendable, Equatable {
  /// Purchases with a clock by weekday from Monday, and by local hour.
  package let grid: [[Int]]
  /// 24 weights with their 95 % intervals; empty where too few purchases have a clock.
  package let hours: [EstimatedInterval]
  /// 7 weights from Monday to Sunday with their 95 % intervals; empty where the history is too short.
  package let weekdays: [EstimatedInterval]
  /// Purchases by weekday, those of bare dates included.
  package let weekdayCounts: [Int]
  /// How many days of each weekday there were.
  package let weekdayDays: [Int]
  /// What the product of hours and weekdays expects of the grid; empty without either.
  package let expected: [[Double]]
  /// Of `expected` against the grid; nil without either.
  package let test: GoodnessOfFit?
  /// Why a part is left at its default; one sentence without a full stop each.
  package let untold: [String]

  /// The least number of purchases with a clock.
  package static let leastPurchases = 100
  /// The least number of days of each weekday.
  package static let leastWeeks = 2

  /// - Throws: `Untold` where neither part can be told.
  /// - Complexity: O(rows · log rows).
  package init(_ observed: ObservedHistory) throws(Untold) {
    let clock = PurchaseClock(observed)
    var untold: [String] = []
    let timed = clock.hours.reduce(0, +)
    let isTimed = timed >= Self.leastPurchases
    if !isTimed {
      untold.append(
        timed == 0
          ? "purchases have dates without a clock: the hours of the season are left at their default"
          : "only \(timed) purchases have a clock: the hours of the season are left at their default"
      )
    }
    let isLong = clock.days.allSatisfy { $0 >= Self.leastWeeks }
    if !isLong {
      untold.append(
        "the history has fewer than \(Self.leastWeeks) of each weekday: the weekdays of the season "
          + "are left at their default")
    }
    guard isTimed || isLong else { throw Untold(untold.joined(separator: "; ")) }
    let hours = isTimed ? Self.weights(clock.hourRatios, per: Array(repeating: 1, count: 24)) : []
    let weekdays = isLong ? Self.weights(clock.weekdayRatios, per: clock.days.map(Double.init)) : []
    self.untold = untold
    grid = clock.grid
    weekdayCounts = clock.weekdays
    weekdayDays = clock.days
    (self.hours, self.weekdays) = (hours, weekdays)
    expected = isTimed && isLong ? Self.product(hours, weekdays, clock) : []
    // Hours and weekdays without a purchase are no parameters that these purchases tell.
    let free =
      max(0, clock.hours.count { $0 > 0 } - 1) + max(0, clock.weekdays.count { $0 > 0 } - 1)
    test =
      expected.isEmpty
      ? nil
      : GoodnessOfFit(
        expected: expected.flatMap(\.self), actual: clock.grid.flatMap(\.self), parameters: free)
  }

  /// Purchases of the product of hours and weekdays.
  private static func product(
    _ hours: [EstimatedInterval], _ weekdays: [EstimatedInterval], _ clock: PurchaseClock
  ) -> [[Double]] {
    let total = Double(clock.hours.reduce(0, +))
    let days = (0..<7).map { weekdays[$0].estimate * Double(clock.days[$0]) }
    let sum = days.reduce(0, +)
    return days.map { day in hours.map { total * $0.estimate / 24 * day / sum } }
  }

  /// Weights with the mean 1 out of shares.
  private static func weights(
    _ shares: [ClusterRatio], per exposure: [Double]
  ) -> [EstimatedInterval] {
    let total = shares[0].below
    let count = Double(shares.count)
    let rates = zip(shares, exposure).map { share, days in
      (share.above + 0.5) / (total + count / 2) / days
    }
    let mean = rates.reduce(0, +) / count
    return zip(shares, exposure).enumerated().map { place, pair in
      let interval = pair.0.share()
      let scale = 1 / pair.1 / mean
      return EstimatedInterval(
        estimate: rates[place] / mean, low: interval?.low.map { $0 * scale },
        high: interval?.high.map { $0 * scale }, level: 0.95, count: shares[place].members)
    }
  }
}

/// Purchases of each member by hour and weekday, as ratios over members.
private struct PurchaseClock {
  /// With a clock, by weekday and hour.
  private(set) var grid = [[Int]](repeating: Array(repeating: 0, count: 24), count: 7)
  private(set) var hours = [Int](repeating: 0, count: 24)
  private(set) var weekdays = [Int](repeating: 0, count: 7)
  /// Days of each weekday.
  private(set) var days = [Int](repeating: 0, count: 7)
  private(set) var hourRatios: [ClusterRatio] = []
  private(set) var weekdayRatios: [ClusterRatio] = []

  init(_ observed: ObservedHistory) {
    let calendar = observed.calendar
    let hour = TimeSpan.hours(1).microseconds
    let isWhole = (0..<calendar.dayCount).map { day in
      (calendar.dayStarts[day + 1] - calendar.dayStarts[day]).microseconds == 24 * hour
    }
    for day in 0..<calendar.dayCount where isWhole[day] { days[calendar.dates[day].weekday] += 1 }
    let isPurchase = observed.history.form.events.map(\.isPurchase)
    /// Of each purchase: member, weekday, and hour or 24 for a bare date.
    var marks: [(member: UInt32, weekday: UInt8, hour: UInt8)] = []
    observed.eachRow { row, day in
      guard isPurchase[Int(row.kind)], isWhole[day] else { return }
      let weekday = calendar.dates[day].weekday
      let isDate = observed.isDate(row, day: day)
      let place = Int((row.instant - calendar.dayStarts[day]).microseconds / hour)
      marks.append((row.member, UInt8(weekday), UInt8(isDate ? 24 : min(place, 23))))
    }
    for mark in marks {
      weekdays[Int(mark.weekday)] += 1
      guard mark.hour < 24 else { continue }
      hours[Int(mark.hour)] += 1
      grid[Int(mark.weekday)][Int(mark.hour)] += 1
    }
    let timed = marks.filter { $0.hour < 24 }
    hourRatios = ClusterRatio.shares(of: timed.map { ($0.member, Int($0.hour)) }, bins: 24)
    weekdayRatios = ClusterRatio.shares(of: marks.map { ($0.member, Int($0.weekday)) }, bins: 7)
  }
}
