internal import EventKernel
internal import Foundation
internal import Population
internal import Quantities
internal import RewardModel
internal import Scenario

/// What a campaign draws for a seed: a small world, when it takes place, what goes wrong, and, where
/// it varies, settings out of the ranges that they declare.
struct CaseDraws {
  /// A setting and its value.
  typealias Pair = (path: String, value: String)

  private let scenario: Scenario
  private let bounds: CaseBounds
  private let kinds: [FaultKind]
  private let seed: UInt64
  private var stream: RandomStream

  init(_ scenario: Scenario, _ programme: any CheckedProgramme.Type, seed: UInt64) {
    self.scenario = scenario
    bounds = programme.caseBounds
    kinds = CheckedKinds.faults(programme)
    self.seed = seed
    stream = RandomStream(
      seed: seed, purpose: RandomPurpose.fault.rawValue, entity: .max)
  }

  /// Everything that is set for the seed, in the order in which it overrides the scenario.
  mutating func pairs(varies: Bool) -> [Pair] {
    var pairs: [Pair] = [("check.as_written", "true"), ("seed", "\(seed)")]
    var days = scenario.calendar.days
    for (path, least, most) in bounds.small {
      var drawn = least + Int(stream.uniformIndex(below: UInt64(most - least + 1)))
      if path == "population.members" { drawn *= scenario.check.size }
      let own = number(path) ?? drawn
      pairs.append((path, "\(min(own, drawn))"))
      if path == "calendar.days" { days = min(own, drawn) }
    }
    let start = start()
    pairs.append(("calendar.start", "\(start)"))
    if varies { pairs += varied() }
    let place = CasePlace(
      start: start, days: days, seed: stream.nextUInt64(), texts: Self.texts(of: scenario))
    var rates: [String] = []
    for kind in kinds {
      let isOn = stream.uniform() < kind.chance
      let rate = kind.most * stream.uniform()
      guard isOn else { continue }
      if let settings = kind.settings {
        pairs += settings(rate, place)
      } else {
        rates.append("\"\(kind.id) \((rate * 1e6).rounded() / 1e6)\"")
      }
    }
    pairs.append(("check.faults", "[\(rates.joined(separator: ", "))]"))
    // Places are those of the case that a scenario was written for.
    if scenario.check.places != nil { pairs.append(("check.kept", "null")) }
    return pairs + CrowdBounds(scenario, bounds).pairs(after: pairs, from: start)
  }

  private func number(_ path: String) -> Int? {
    guard case .integer(let value)? = scenario.settings.first(where: { $0.path == path })?.value
    else { return nil }
    return Int(value)
  }

  /// Texts in the scenario's lists of records; see `CasePlace`.
  static func texts(of scenario: Scenario) -> [String: [String]] {
    var texts: [String: [String]] = [:]
    for setting in scenario.settings {
      guard case .text(let text) = setting.value, let open = setting.path.firstIndex(of: "["),
        let close = setting.path.lastIndex(of: "]")
      else { continue }
      let key = setting.path[..<open] + setting.path[close...].dropFirst()
      texts[String(key), default: []].append(text)
    }
    return texts
  }

  /// The first day: as the scenario says, anywhere, or a little before a month, a quarter or the
  /// clocks turn.
  private mutating func start() -> CivilDate {
    let own = scenario.calendar.start
    let days = Int(stream.uniformIndex(below: 12)) + 1
    let year = own.year + Int(stream.uniformIndex(below: 2))
    let kind = stream.uniformIndex(below: 6)
    let month = Int(stream.uniformIndex(below: 12)) + 1
    switch kind {
    case 0: return own
    case 1: return own.adding(days: Int(stream.uniformIndex(below: 700)))
    case 2: return CivilDate(year: year, month: month, day: 1).adding(days: -days)
    case 3: return CivilDate(year: year, month: (month - 1) / 3 * 3 + 1, day: 1).adding(days: -days)
    case 4: return CivilDate(year: year, month: 3, day: 14).adding(days: -days)
    default: return CivilDate(year: year, month: 11, day: 7).adding(days: -days)
    }
  }

  // MARK: - Settings

  /// Settings out of their ranges: few of them, or many.
  private mutating func varied() -> [Pair] {
    let share = [0.02, 0.05, 0.1, 0.2, 0.4][Int(stream.uniformIndex(below: 5))]
    let grouped = Set(bounds.rising.joined()).union(bounds.shares)
    var pairs: [Pair] = []
    for row in scenario.descriptions {
      let isOften = bounds.often.contains(row.path)
      let isDrawn = stream.uniform() < (isOften ? 0.4 : share)
      let isFrame =
        !row.path.contains(".") || row.path.hasPrefix("check.")
        || row.path.hasPrefix("calendar.") && row.path != "calendar.window"
          && row.path != "calendar.zone"
      guard isDrawn, !isFrame, !grouped.contains(row.path), !bounds.never.contains(row.path),
        !bounds.small.contains(where: { $0.path == row.path }),
        let value = value(row.shape, row.path, row.standard)
      else { continue }
      pairs.append((row.path, value))
    }
    for group in bounds.rising where stream.uniform() < share { pairs += rising(group) }
    if stream.uniform() < share { pairs += shares() }
    return pairs
  }

  /// Values of settings each of which is above the one before.
  private mutating func rising(_ paths: [String]) -> [Pair] {
    var least = 0
    let isShare = paths.contains { path in
      guard let row = scenario.descriptions.first(where: { $0.path == path }) else { return false }
      if case .integer = row.shape { return false }
      return true
    }
    return paths.map { path in
      least += 1 + Int(stream.uniformIndex(below: 30))
      return (path, isShare ? "\(least) %" : "\(least)")
    }
  }

  /// Shares whose sum is at most one.
  private mutating func shares() -> [Pair] {
    let drawn = bounds.shares.map { _ in stream.uniform() }
    let total = max(drawn.reduce(0, +), 1)
    return zip(bounds.shares, drawn).map { ($0, "\(Int($1 / total * 10_000)) %".percent) }
  }

  /// A value of a shape, as it is written; nil for shapes that are not drawn.
  private mutating func value(
    _ shape: SettingShape, _ path: String, _ usual: SettingValue
  ) -> String? {
    switch shape {
    case .integer(let range):
      let (low, high) = capped(path, Double(range.lowerBound), Double(range.upperBound))
      var own: Double?
      if case .integer(let value) = usual { own = Double(value) }
      return "\(Int(near(own, low, high).rounded()))"
    case .decimal(let range):
      let (low, high) = capped(path, range.lower, range.upper)
      var own: Double?
      if case .decimal(let value) = usual { own = value }
      let value = near(own, low, high)
      let least = range.lowerIncluded ? value : max(value, low + min(1e-3, high / 1e3))
      return String(format: "%.6g", least)
    case .money(let range, _):
      var own: Double?
      if case .money(let value) = usual { own = Double(value.microunits) }
      let cap = bounds.caps[path].map { $0.upperBound * 1e6 } ?? 1e15
      let micro = near(own, Double(range.lowerBound), min(Double(range.upperBound), cap))
      return SettingValue.money(MicroUSDT(microunits: Int64(micro))).text
    case .share(let most): return part(Double(most) / 10_000, path, digits: 4)
    case .fraction(let most): return part(most, path, digits: 6)
    case .rate(let most): return part(Double(most) / 100_000, path, digits: 5)
    case .multiplier(let most): return part(Double(most) / 10_000, path, digits: 4)
    case .duration(let range, let step):
      var own: Double?
      if case .duration(let value) = usual { own = Double(value.microseconds) }
      let (low, high) = capped(
        path, Double(range.lowerBound.microseconds), Double(range.upperBound.microseconds))
      let steps = Int64(near(own, low, high)) / step.microseconds
      let value = max(steps * step.microseconds, range.lowerBound.microseconds)
      return SettingValue.duration(TimeSpan(microseconds: value)).text
    case .flag: return stream.nextUInt32() & 1 == 0 ? "true" : "false"
    case .choice(let words): return words[Int(stream.uniformIndex(below: UInt64(words.count)))]
    case .zone:
      let zones = [
        "UTC", "America/New_York", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe",
        "America/Sao_Paulo",
      ]
      return zones[Int(stream.uniformIndex(below: UInt64(zones.count)))]
    case .optional(let inner):
      return stream.uniform() < 0.15 ? "null" : value(inner, path, usual)
    case .date, .text, .form, .list, .records, .offSwitch: return nil
    }
  }

  private mutating func part(_ most: Double, _ path: String, digits: Int) -> String {
    let (low, high) = capped(path, 0, most)
    return String(format: "%.\(digits)f", between(low, high))
  }

  private func capped(_ path: String, _ low: Double, _ high: Double) -> (Double, Double) {
    guard let cap = bounds.caps[path] else { return (low, high) }
    return (max(low, cap.lowerBound), min(high, cap.upperBound))
  }

  /// About the usual value, or anywhere.
  private mutating func near(_ usual: Double?, _ low: Double, _ high: Double) -> Double {
    let isNear = stream.uniform() < 0.5
    let factor = Elementary.power(10, 2 * stream.uniform() - 1)
    guard isNear, let usual, usual != 0 else { return between(low, high) }
    return min(max(usual * factor, low), high)
  }

  /// An end, evenly in size, or evenly.
  private mutating func between(_ low: Double, _ high: Double) -> Double {
    let kind = stream.uniformIndex(below: 8)
    let place = stream.uniform()
    if kind == 0 || low >= high { return low }
    if kind == 1 { return high }
    guard kind < 6, high > 0 else { return low + place * (high - low) }
    let floor = max(low, high * 1e-9, 1e-6)
    return Elementary.exp(
      Elementary.log(floor) + place * (Elementary.log(max(high, floor)) - Elementary.log(floor)))
  }
}

extension String {
  /// Basis points before the sign as percent with two decimals.
  fileprivate var percent: String {
    guard let points = Int(dropLast(2)) else { return self }
    return String(format: "%d.%02d %%", points / 100, points % 100)
  }
}
