package import Population
internal import Quantities

/// The rules that bind the settings of generic behavior.
extension SettingRules {
  /// The most members of a run.
  package static var membersMaximum: Int { 20_000_000 }

  /// Sign-ups: a market that holds the members, a plan with sign-ups, and no more of them than a
  /// run can have.
  ///
  /// - Parameters:
  ///   - adoption: The values.
  ///   - members: Signed up by the run's end.
  ///   - path: The group that holds `members` and `adoption`.
  package mutating func checkAdoption(
    _ adoption: AdoptionSettings, members: Int, at path: String
  ) {
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
    }
    guard adoption.model == .plan, let last = adoption.monthly.last else { return }
    // At most this many months are touched; the last entry holds for all later ones.
    let months = days / 28 + 2
    let count =
      adoption.monthly.prefix(months).reduce(0, +) + max(0, months - adoption.monthly.count) * last
    requireRoom(for: count, "brings up to", at: monthly)
  }

  private mutating func requireRoom(for count: Int, _ verb: String, at path: String) {
    let most = Self.membersMaximum
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
