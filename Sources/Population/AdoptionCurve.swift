internal import EventKernel
package import Quantities

/// When members sign up.
package enum AdoptionCurve {
  /// Share of a Bass market that has adopted `years` after the launch.
  ///
  /// Source: Bass 1969, doi:10.1287/mnsc.15.5.215.
  package static func bassShare(years: Double, innovation: Double, imitation: Double) -> Double {
    let decay = Elementary.exp(-(innovation + imitation) * years)
    return (1 - decay) / (1 + imitation / innovation * decay)
  }

  /// The time in years at which a share of a Bass market has adopted; the inverse of `bassShare`.
  package static func bassYears(share: Double, innovation: Double, imitation: Double) -> Double {
    -Elementary.log((1 - share) / (1 + share * imitation / innovation)) / (innovation + imitation)
  }

  /// The instants of all sign-ups, ascending: member number = place in the array.
  ///
  /// Bass, plan: the k-th of n sign-ups falls at a random place of the k-th of n equal parts of
  /// the curve, so their number is exact (of a market and of a plan's last month, where the run's end
  /// cuts it, to within one). Rate: a Poisson process, cut at `members`. All but a
  /// cohort follow the season within the curve.
  ///
  /// - Complexity: O(members) time and memory.
  package static func signUps(
    _ adoption: AdoptionSettings, members: Int, calendar: ProgrammeCalendar, season: SeasonTable,
    seed: UInt64
  ) -> [Instant] {
    func stream(_ part: UInt64) -> RandomStream {
      RandomStream(seed: seed, purpose: RandomPurpose.adoption.rawValue, entity: part)
    }
    switch adoption.model {
    case .cohort:
      return Array(repeating: calendar.start, count: members)
    case .rate:
      return poisson(
        perDay: adoption.perDay, atMost: members, season: season,
        stream: stream(0))
    case .bass:
      return bass(adoption, members: members, calendar: calendar, season: season, stream: stream(0))
    case .plan:
      return plan(adoption.monthly, calendar: calendar, season: season, stream: stream(0))
    }
  }

  private static func poisson(
    perDay: Double, atMost bound: Int, season: SeasonTable, stream: RandomStream
  ) -> [Instant] {
    var stream = stream
    var hours = 0.0
    var instants: [Instant] = []
    while true {
      hours += stream.exponential(mean: 24 / perDay)
      let instant = season.instant(atOperationalHours: hours)
      guard instant != .distantFuture, instants.count < bound else { return instants }
      instants.append(instant)
    }
  }

  private static func bass(
    _ adoption: AdoptionSettings, members: Int, calendar: ProgrammeCalendar, season: SeasonTable,
    stream: RandomStream
  ) -> [Instant] {
    if let market = adoption.market {
      return bass(adoption, market: market, season: season, stream: stream)
    }
    var stream = stream
    let years = Double(calendar.dayCount) / 365
    let reached = bassShare(
      years: years, innovation: adoption.innovation, imitation: adoption.imitation)
    return (0..<members).map { place in
      let share = reached * (Double(place) + stream.uniform()) / Double(members)
      let at = bassYears(
        share: share, innovation: adoption.innovation, imitation: adoption.imitation)
      return season.clamped(fraction: at / years)
    }
  }

  /// The sign-ups of a market that come before the run's end, which moves none of them: the k-th
  /// falls at a random place of the k-th part of the curve, one part a member of the market.
  private static func bass(
    _ adoption: AdoptionSettings, market: Int, season: SeasonTable, stream: RandomStream
  ) -> [Instant] {
    var stream = stream
    var instants: [Instant] = []
    while instants.count < market {
      let share = (Double(instants.count) + stream.uniform()) / Double(market)
      let years = bassYears(
        share: share, innovation: adoption.innovation, imitation: adoption.imitation)
      let instant = season.instant(atOperationalHours: years * 8_760)
      guard instant != .distantFuture else { break }
      instants.append(instant)
    }
    return instants
  }

  /// A month's sign-ups come in the days from the run's first on. Of a month that the run's end cuts
  /// those come whose days the run has.
  private static func plan(
    _ monthly: [Int], calendar: ProgrammeCalendar, season: SeasonTable, stream: RandomStream
  ) -> [Instant] {
    var stream = stream
    var instants: [Instant] = []
    var month = 0
    var day = 0
    while day < calendar.dayCount {
      var next = day + 1
      while next < calendar.dayCount && !calendar.startsMonth(next) { next += 1 }
      let from = season.operationalHours(at: calendar.dayStarts[day])
      let to =
        next < calendar.dayCount
        ? season.operationalHours(at: calendar.dayStarts[next]) : season.totalHours
      let count = monthly[min(month, monthly.count - 1)]
      let whole = Double(calendar.dates[day].daysToMonthEnd) / Double(next - day)
      for place in 0..<count {
        let share = (Double(place) + stream.uniform()) / Double(count) * whole
        guard share < 1 else { break }
        instants.append(season.clamped(hours: from + share * (to - from)))
      }
      month += 1
      day = next
    }
    return instants
  }
}

extension SeasonTable {
  /// The instant at a fraction of the run's operational time, kept within the run.
  func clamped(fraction: Double) -> Instant { clamped(hours: fraction * totalHours) }

  /// The instant at an operational time, kept within the run.
  func clamped(hours: Double) -> Instant {
    let last = totalHours * (1 - 1e-9)
    return instant(atOperationalHours: min(max(hours, 0), last))
  }
}
