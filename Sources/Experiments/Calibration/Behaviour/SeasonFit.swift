internal import Foundation
internal import Quantities
internal import RewardModel

/// How purchases follow the clock: weights of the 24 hours of a day and of the 7 weekdays, which a
/// population multiplies with each other.
///
/// A weight is the share of purchases there, by `ClusterRatio.weights`. A growing membership buys more on
/// a Sunday than on the Monday before, so that purchases of weekdays are taken over the mean of the seven
/// days around each (the ratio to a moving average: Macaulay 1931, *The Smoothing of Time Series*); the
/// first and the last three days have none. Weights have the mean 1. Days on which a clock is changed are
/// left out, and for the hours the day on which all members signed up, where there is one: the first
/// purchases of a cohort tell when it was let in.
package struct SeasonFit: Sendable, Equatable {
  /// Purchases with a clock by weekday from Monday, and by local hour.
  package let grid: [[Int]]
  /// 24 weights with their 95 % intervals; empty where too few purchases have a clock.
  package let hours: [EstimatedInterval]
  /// 7 weights from Monday to Sunday with their 95 % intervals; empty where the history is too short.
  package let weekdays: [EstimatedInterval]
  /// Purchases by weekday, those of bare dates included, on days with three more on either side.
  package let weekdayCounts: [Int]
  /// How many such days there were.
  package let weekdayDays: [Int]
  /// What the grid would be if each weekday had the same hours; empty without either.
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
      let first = "after the day on which all members signed up"
      let later = clock.hasFirstDay ? " \(first)" : ""
      let reason =
        timed > 0
        ? "only \(timed) purchase\(timed == 1 ? "" : "s")\(later) \(timed == 1 ? "has" : "have") a clock"
        : !clock.hasFirstDay
          ? "purchases have dates without a clock"
          : clock.hasLaterDays
            ? "purchases \(first) have dates without a clock" : "nobody bought anything \(first)"
      untold.append(reason + ": the hours of the season are left at their default")
    }
    let isLong =
      clock.days.allSatisfy { $0 >= Self.leastWeeks } && clock.levels.allSatisfy { $0 > 0 }
    if !isLong {
      untold.append(
        "the history has fewer than \(Self.leastWeeks) of each weekday with three days on either side: the weekdays of the season "
          + "are left at their default")
    }
    guard isTimed || isLong else { throw Untold(untold.joined(separator: "; ")) }
    let even = [Double](repeating: 1, count: 24)
    let hours = isTimed ? ClusterRatio.weights(clock.hourRatios, per: even) : []
    let weekdays = isLong ? ClusterRatio.weights(clock.weekdayRatios, per: clock.levels) : []
    self.untold = untold
    grid = clock.grid
    weekdayCounts = clock.weekdays
    weekdayDays = clock.days
    (self.hours, self.weekdays) = (hours, weekdays)
    expected =
      isTimed && isLong
      ? clock.grid.map { row in
        hours.map { Double(row.reduce(0, +)) * $0.estimate / 24 }
      } : []
    // Hours and weekdays without a purchase are no parameters that these purchases tell.
    let free =
      max(0, clock.hours.count { $0 > 0 } - 1) + max(0, clock.weekdays.count { $0 > 0 } - 1)
    test =
      expected.isEmpty
      ? nil
      : GoodnessOfFit(
        expected: expected.flatMap(\.self), actual: clock.grid.flatMap(\.self), parameters: free)
  }
}

/// Purchases of each member by hour and weekday, as ratios over members.
private struct PurchaseClock {
  /// Whether purchases with a clock were left out, as all members signed up on their day, the first.
  private(set) var hasFirstDay = false
  /// Whether there were purchases on other days.
  private(set) var hasLaterDays = false
  /// With a clock, by weekday and hour, on days without a change of the clock.
  private(set) var grid = [[Int]](repeating: Array(repeating: 0, count: 24), count: 7)
  private(set) var hours = [Int](repeating: 0, count: 24)
  /// On those of these days that have three more on either side.
  private(set) var weekdays = [Int](repeating: 0, count: 7)
  /// How many of the latter there are.
  private(set) var days = [Int](repeating: 0, count: 7)
  /// Their means of the seven days around each, summed.
  private(set) var levels = [Double](repeating: 0, count: 7)
  private(set) var hourRatios: [ClusterRatio] = []
  private(set) var weekdayRatios: [ClusterRatio] = []

  init(_ observed: ObservedHistory) {
    let calendar = observed.calendar
    let hour = TimeSpan.hours(1).microseconds
    let count = calendar.dayCount
    let isWhole = (0..<count).map { day in
      (calendar.dayStarts[day + 1] - calendar.dayStarts[day]).microseconds == 24 * hour
    }
    let isCohort = observed.order.allSatisfy {
      observed.signUps[Int($0)] < calendar.dayStarts[1]
    }
    var daily = [Int](repeating: 0, count: count)
    var timed: [(member: UInt32, bin: Int)] = []
    var dated: [(member: UInt32, bin: Int)] = []
    for visit in observed.purchases().map(\.visit) {
      let day = visit.day
      daily[day] += 1
      if day > 0 { hasLaterDays = true }
      guard isWhole[day] else { continue }
      let weekday = calendar.dates[day].weekday
      if 3 <= day, day < count - 3 { dated.append((visit.member, weekday)) }
      if visit.isDate { continue }
      if isCohort, day == 0 {
        hasFirstDay = true
        continue
      }
      let place = min(23, Int((visit.time - calendar.dayStarts[day]).microseconds / hour))
      timed.append((visit.member, place))
      hours[place] += 1
      grid[weekday][place] += 1
    }
    for mark in dated { weekdays[mark.bin] += 1 }
    for day in 0..<count where isWhole[day] && 3 <= day && day < count - 3 {
      let weekday = calendar.dates[day].weekday
      days[weekday] += 1
      levels[weekday] += Double(daily[(day - 3)...(day + 3)].reduce(0, +)) / 7
    }
    hourRatios = ClusterRatio.shares(of: timed, bins: 24)
    weekdayRatios = ClusterRatio.shares(of: dated, bins: 7)
  }
}
