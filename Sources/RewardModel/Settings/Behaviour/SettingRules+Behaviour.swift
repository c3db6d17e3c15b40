package import Population
internal import Quantities

/// The rules that bind the settings of generic behavior.
extension SettingRules {
  /// Sign-ups: a market that holds the members, a plan with sign-ups, and no more of them than a
  /// run can have.
  ///
  /// - Parameters:
  ///   - adoption: The values.
  ///   - members: Signed up by the run's end.
  ///   - path: The group that holds `members` and `adoption`.
  ///
  /// - Returns: How many sign up at most, and which setting says so.
  package mutating func checkAdoption(
    _ adoption: AdoptionSettings, members: Int, at path: String
  ) -> (members: Int, path: String) {
    let market = "\(path).adoption.market"
    if let size = adoption.market {
      order(market, above: "\(path).members", size >= members, orEqual: true)
    }
    let model = "\(path).adoption.model"
    let monthly = "\(path).adoption.monthly"
    require(
      adoption.model != .plan || adoption.monthly.contains { $0 > 0 }, of: [model, monthly],
      blame: [
        (monthly, "has no sign-ups; plan needs a list such as [5000, 8000]"),
        (model, "plan needs \(monthly); write it, as in [5000, 8000]"),
      ])
    if let size = adoption.market, adoption.model == .bass {
      let reached = AdoptionCurve.bassShare(
        years: Double(days) / 365, innovation: adoption.innovation,
        imitation: adoption.imitation)
      requireRoom(for: Int(Double(size) * reached), "brings", at: market)
      return (Int(Double(size) * reached), market)
    }
    guard adoption.model == .plan, let last = adoption.monthly.last else {
      return (members, "\(path).members")
    }
    // At most this many months are touched; the last entry holds for all later ones.
    let months = days / 28 + 2
    let count =
      adoption.monthly.prefix(months).reduce(0, +) + max(0, months - adoption.monthly.count) * last
    requireRoom(for: count, "brings up to", at: monthly)
    return (count, monthly)
  }

  /// The most events that a run may be expected to have.
  package static var eventsMaximum: Double { 5e10 }

  /// Requires that the events that purchases bring in a run are not too many to be computed.
  ///
  /// - Parameters:
  ///   - rateShape: Shape of the gamma distribution of purchase rates over members.
  ///   - rateWeeks: Its rate in weeks.
  ///   - members: Signed up by the run's end.
  ///   - events: That one purchase brings on average, itself included.
  ///   - blamed: Paths of the settings that make the rate, the most telling first.
  package mutating func requirePace(
    rateShape: Double, rateWeeks: Double, members: Int, events: Double, blamed: [String]
  ) {
    let each = 1 + rateShape / rateWeeks * Double(days) / 7
    requireCountable(Double(members) * each * events, blamed: blamed)
  }

  /// Requires that events are not too many to be computed.
  ///
  /// - Parameters:
  ///   - expected: How many a run is expected to have.
  ///   - blamed: Paths of the settings that bring them, the most telling first.
  package mutating func requireCountable(_ expected: Double, blamed: [String]) {
    let most = Self.eventsMaximum
    let text = expected < 1e15 ? Int(expected).grouped : "\(expected)"
    let paths = blamed + ["calendar.days"]
    require(
      expected <= most, of: paths,
      blame: paths.map { path in
        (
          path,
          "brings \(text) expected events in \(days) days; keep them at \(Int(most).grouped) or "
            + "less with lower rates, fewer members or fewer days"
        )
      })
  }

  private mutating func requireRoom(for count: Int, _ verb: String, at path: String) {
    let most = AdoptionSettings.membersMaximum
    require(
      count <= most, of: [path, "calendar.days"],
      blame: [
        (
          path,
          "\(verb) \(count.grouped) members in \(days) days; keep them at \(most.grouped) or less"
        )
      ])
  }

  /// A season: weights that are not all zero, and each holiday once.
  ///
  /// - Parameters:
  ///   - season: The values.
  ///   - path: The group of the season.
  package mutating func checkSeason(_ season: SeasonSettings, at path: String) {
    requireWeight("\(path).hours", !season.enabled || season.hours.contains { $0 > 0 })
    requireWeight("\(path).weekdays", !season.enabled || season.weekdays.contains { $0 > 0 })
    let holidays = "\(path).holidays"
    var first: [CivilDate: Int] = [:]
    for (index, holiday) in season.holidays.enumerated() {
      guard let earlier = first[holiday.date] else {
        first[holiday.date] = index
        continue
      }
      require(
        false, of: [holidays],
        blame: [
          (
            "\(holidays)[\(index)].date",
            "\(holiday.date) is the date of \(holidays)[\(earlier)] too; write each date once"
          )
        ])
    }
  }
}
