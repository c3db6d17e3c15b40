internal import Quantities
internal import RewardModel
internal import Scenario

/// Keeps a market and a plan of the scenario's own as small as the worlds that are drawn: they take the
/// place of `population.members`, which alone is bounded otherwise.
struct CrowdBounds {
  private static let members = "population.members"
  private static let market = "population.adoption.market"
  private static let plan = "population.adoption.monthly"

  private let scenario: Scenario
  private let marketMost: Int

  init(_ scenario: Scenario, _ bounds: CaseBounds) {
    self.scenario = scenario
    marketMost = Int(bounds.caps[Self.market]?.upperBound ?? 1_000) * scenario.check.size
  }

  /// What has to be set after everything else that is drawn; nothing where the scenario's own is small.
  ///
  /// - Parameters:
  ///   - drawn: What is set before; the last of a path counts.
  ///   - start: The first day of the world.
  func pairs(after drawn: [CaseDraws.Pair], from start: CivilDate) -> [CaseDraws.Pair] {
    func last(_ path: String) -> String? { drawn.last { $0.path == path }?.value }
    guard let members = last(Self.members).flatMap({ Int($0) }),
      let days = last("calendar.days").flatMap({ Int($0) })
    else { return [] }
    var pairs: [CaseDraws.Pair] = []
    let wanted = last(Self.market)
    if case .integer(let own)? = value(Self.market), own > Int128(marketMost), wanted != "null" {
      // A market has to hold the members; one that did not would be left out.
      let size = max(members, wanted.flatMap { Int($0) } ?? marketMost)
      pairs.append((Self.market, "\(size)"))
    }
    if case .list(let months)? = value(Self.plan) {
      let plan = months.map { if case .integer(let count) = $0 { Int(count) } else { 0 } }
      let signUps = Self.signUps(plan, from: start, days: days)
      if signUps > Double(members) {
        let scale = Double(members) / signUps
        let fewer = plan.map { $0 == 0 ? 0 : max(1, Int(Double($0) * scale)) }
        pairs.append((Self.plan, "[\(fewer.map { "\($0)" }.joined(separator: ", "))]"))
      }
    }
    return pairs
  }

  private func value(_ path: String) -> SettingValue? {
    scenario.settings.first { $0.path == path }?.value
  }

  /// The sign-ups of a plan in a run: those of the months that it touches, of the last one by days.
  private static func signUps(_ plan: [Int], from start: CivilDate, days: Int) -> Double {
    guard let last = plan.last else { return 0 }
    var (date, left, month, sum) = (start, days, 0, 0.0)
    while left > 0 {
      let length = date.daysToMonthEnd
      let count = month < plan.count ? plan[month] : last
      sum += Double(count) * Double(min(left, length)) / Double(length)
      left -= length
      date = date.adding(days: length)
      month += 1
    }
    return sum
  }
}
