internal import Foundation
internal import RewardModel
package import Scenario

/// One setting, or several that move together, as an experiment varies it: `path=a,b,c`,
/// `path=lo..hi`, `path=lo..hi:n`, or with factors on what the scenario says,
/// `path=*lo..*hi`.
///
/// A path may hold `[*]` for all entries of a list: `rules.prizes[*].every=*1..*10` stretches the
/// spacing of all prizes alike. Of values that are lists themselves the commas inside are theirs:
/// `path=[a, b],[c, d]` has two.
package struct SettingAxis: Sendable {
  /// What a caller can do with an axis, and so what may be written.
  package struct Forms: OptionSet, Sendable {
    package let rawValue: Int

    /// Any of them.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Values one by one.
    package static let lists = Forms(rawValue: 1)
    /// How many values of a range are tried.
    package static let levels = Forms(rawValue: 2)

    /// What to write.
    fileprivate var advice: String {
      let forms =
        ["path=lo..hi"] + (contains(.levels) ? ["path=lo..hi:n"] : [])
        + (contains(.lists) ? ["path=a,b,c"] : [])
      return "write \(forms.joined(separator: ", ")) or path=*lo..*hi"
    }
  }

  /// Why a text is not an axis, and what to write instead.
  package struct Refusal: Error, Equatable, CustomStringConvertible {
    package let description: String
  }

  /// The values that it takes.
  package enum Values: Sendable, Equatable {
    case list([String])
    case range(low: Double, high: Double, levels: Int, isWhole: Bool)
  }

  package let path: String
  package private(set) var values: Values
  /// Whether numbers are factors on the scenario's own values.
  package let isFactor: Bool
  /// The flag that carries the axis, for messages about its values.
  package var flag = "--vary"
  /// Unit after the numbers, as in `%`.
  let unit: String
  /// Decimals of the finest number that the setting takes, in the unit; nil where every double is
  /// one, or where no scenario has said.
  package private(set) var decimals: Int?

  /// Reads an axis.
  ///
  /// - Parameters:
  ///   - text: As `path=lo..hi`, `path=lo..hi:n`, `path=a,b,c` or `path=*lo..*hi`.
  ///   - levels: Of a range without `:n`.
  ///   - forms: What may be written besides a range.
  /// - Throws: `Refusal`.
  package init(
    _ text: String, levels: Int = 5, forms: Forms = [.lists, .levels]
  ) throws(Refusal) {
    let form = forms.advice
    guard let equals = text.firstIndex(of: "=") else {
      throw Refusal(description: "'\(text)' has no '='; \(form)")
    }
    path = text[..<equals].trimmingCharacters(in: .whitespaces)
    let value = text[text.index(after: equals)...].trimmingCharacters(in: .whitespaces)
    guard !path.isEmpty, !value.isEmpty else {
      throw Refusal(description: "'\(text)' has no path or no values; \(form)")
    }
    guard let dots = value.range(of: "..") else {
      guard forms.contains(.lists) else {
        throw Refusal(description: "\(path) takes a range here, not '\(value)'; \(form)")
      }
      isFactor = false
      unit = ""
      values = .list(SettingAxis.entries(value))
      return
    }
    var last = String(value[dots.upperBound...])
    var count = levels
    if let colon = last.lastIndex(of: ":") {
      guard forms.contains(.levels) else {
        throw Refusal(
          description: "'\(text)' says how many values there are, but here they are chosen on the "
            + "way; leave '\(last[colon...])' out")
      }
      guard let number = Int(last[last.index(after: colon)...]), (2...1_000).contains(number)
      else { throw Refusal(description: "'\(text)' cannot have that number of levels; \(form)") }
      count = number
      last = String(last[..<colon])
    }
    let first = String(value[..<dots.lowerBound])
    isFactor = first.hasPrefix("*") && last.hasPrefix("*")
    let low = SettingAxis.split(first)
    let high = SettingAxis.split(last)
    guard first.hasPrefix("*") == last.hasPrefix("*") else {
      throw Refusal(description: "'\(value)' has a factor at one end only; \(form)")
    }
    guard let from = low.number, let to = high.number, from < to, (to - from).isFinite,
      !last.hasPrefix(".")
    else { throw Refusal(description: "'\(value)' is not a rising range; \(form)") }
    guard SettingGrain.text(from, decimals: nil) != SettingGrain.text(to, decimals: nil) else {
      throw Refusal(
        description: "'\(value)' has ends that no setting tells apart; \(form)")
    }
    guard low.unit.isEmpty || low.unit == high.unit, !isFactor || high.unit.isEmpty else {
      throw Refusal(description: "'\(value)' does not have the same unit at both ends; \(form)")
    }
    unit = high.unit
    values = .range(low: from, high: to, levels: count, isWhole: false)
  }

  /// The axis with the grain of the settings that it names: only whole numbers where these count
  /// things or last whole days, basis points of shares, micro-units of money. How the ends are
  /// written says nothing of it; ends between two values move inward to one.
  ///
  /// - Throws: `Refusal` where the scenario has no such setting, or where the range holds fewer
  ///   than two of its values.
  package func grained(like scenario: Scenario) throws(Refusal) -> Self {
    guard case .range = values else { return self }
    let grains = try paths(scenario).compactMap {
      SettingGrain.decimals(scenario.shape(of: $0.path), unit: unit)
    }
    guard !isFactor, let coarsest = grains.min() else { return self }
    return try grained(decimals: coarsest)
  }

  /// The axis with so many decimals; 0 for whole numbers.
  ///
  /// - Throws: `Refusal` where the range holds fewer than two such numbers.
  package func grained(decimals: Int) throws(Refusal) -> Self {
    guard case .range(let low, let high, let levels, _) = values, !isFactor else { return self }
    let first = SettingGrain.rounded(low, decimals: decimals, .up)
    let last = SettingGrain.rounded(high, decimals: decimals, .down)
    guard first < last else {
      throw Refusal(
        description: "\(path) takes \(decimals == 0 ? "whole numbers" : "\(decimals) decimals"), "
          + "of which \(text(low)) to \(text(high)) holds fewer than two; write a wider range")
    }
    var axis = self
    axis.decimals = decimals
    let steps = (last - first) * SettingGrain.power(decimals) + 1
    axis.values = .range(
      low: first, high: last, levels: steps < Double(levels) ? Int(steps.rounded()) : levels,
      isWhole: decimals == 0 && max(abs(first), abs(last)) <= SettingAxis.wholeLimit)
    return axis
  }

  /// Whole numbers up to here are exact as doubles.
  private static let wholeLimit = 0x1p52

  /// What commas part, but for those within brackets and quotation marks.
  private static func entries(_ text: String) -> [String] {
    var entries = [""]
    var depth = 0
    var quote: Character?
    for character in text {
      if character == ",", depth <= 0, quote == nil {
        entries.append("")
        continue
      }
      entries[entries.count - 1].append(character)
      if quote == nil {
        if "[{".contains(character) { depth += 1 }
        if "]}".contains(character) { depth -= 1 }
        if "\"'".contains(character), entries.last?.trimmingCharacters(in: .whitespaces).count == 1
        {
          quote = character
        }
      } else if character == quote {
        quote = nil
      }
    }
    return entries.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  /// The number that a text begins with, after a star of a factor; nil without one. What is left is its unit.
  package static func split(_ text: String) -> (number: Double?, unit: String) {
    let bare = text.trimmingCharacters(in: .whitespaces).drop { $0 == "*" }
    let digits = bare.prefix { $0.isNumber || ".-_e".contains($0) }
    let unit = bare[digits.endIndex...].trimmingCharacters(in: .whitespaces)
    return (Double(digits.replacing("_", with: "")), unit)
  }

  /// The axis of a design.
  ///
  /// - Throws: `StatisticsError` for levels out of range.
  package func designAxis() throws(StatisticsError) -> DesignAxis {
    switch values {
    case .list(let words): try DesignAxis(name: path, kind: .list(count: words.count))
    case .range(let low, let high, let levels, let isWhole):
      try DesignAxis(
        name: path,
        kind: isWhole
          ? .whole(low: Int(low), high: Int(high), levels: levels)
          : .range(low: low, high: high, levels: levels))
    }
  }

  /// A point of the axis as people read it.
  package func text(_ coordinate: DesignCoordinate) -> String {
    switch coordinate {
    case .choice(let place):
      if case .list(let words) = values { return words[place] }
      return String(place)
    case .number(let value): return text(value)
    case .whole(let value): return text(Double(value))
    }
  }

  /// A number of the axis as people read it.
  package func text(_ value: Double) -> String {
    (isFactor ? "× " : "") + SettingGrain.text(value, decimals: decimals)
      + (unit.isEmpty ? "" : " \(unit)")
  }

  /// What it does to a scenario, for asking at many points.
  ///
  /// - Throws: `Refusal` where the scenario has no such setting.
  package func moves(in scenario: Scenario) throws(Refusal) -> SettingMoves {
    try SettingMoves(self, in: scenario)
  }

  /// What the scenario is overridden with at a point.
  ///
  /// - Throws: `Refusal` where the scenario has no such setting or no number to multiply.
  package func overrides(
    _ coordinate: DesignCoordinate, _ scenario: Scenario
  ) throws(Refusal) -> [SettingOverride] {
    try moves(in: scenario).overrides(coordinate)
  }

  /// What the scenario is overridden with at a number.
  ///
  /// - Throws: `Refusal`.
  package func overrides(
    _ value: Double, _ scenario: Scenario
  ) throws(Refusal) -> [SettingOverride] {
    try moves(in: scenario).overrides(value)
  }

  /// An override of a scenario that has no effect at any value of the axis, with the setting that it
  /// gave a value. Factors leave what a scenario says, and lists and entries that are written as a
  /// whole hold more than what an axis replaces.
  ///
  /// - Parameter scenario: With its overrides, the environment's among them.
  /// - Returns: Nil where all have an effect, or where the scenario takes no value of the axis.
  /// - Complexity: O(values of a list), each a reading of the scenario.
  package func lost(of scenario: Scenario) -> (override: SettingOverride, path: String)? {
    guard !isFactor, !scenario.targets.isEmpty else { return nil }
    let coordinates: [DesignCoordinate] =
      switch values {
      case .list(let words): words.indices.map { .choice($0) }
      case .range(let low, let high, _, _): [.number(low), .number(high)]
      }
    let moved = coordinates.compactMap { coordinate in
      (try? overrides(coordinate, scenario)).flatMap { try? scenario.targets(of: $0) }
    }
    guard !moved.isEmpty else { return nil }
    for (override, paths) in zip(scenario.origin.overrides, scenario.targets) {
      let isLost = paths.allSatisfy { path in
        moved.allSatisfy { $0.contains { SettingAxis.replaces($0, path) } }
      }
      if isLost, let first = paths.first { return (override, first) }
    }
    return nil
  }

  /// Whether what an axis sets leaves nothing of what was set before.
  ///
  /// - Parameters:
  ///   - new: What the axis sets: the same, what holds it, or a setting of a group that was switched
  ///     off.
  ///   - old: What was set before.
  private static func replaces(_ new: String, _ old: String) -> Bool {
    new == old || old.hasPrefix(new + ".") || old.hasPrefix(new + "[")
      || (new.hasPrefix(old + ".") && !old.hasSuffix("]"))
  }

  /// The settings that the path names, with their present values.
  func paths(
    _ scenario: Scenario
  ) throws(Refusal) -> [(path: String, value: SettingValue?)] {
    let rows = scenario.rows(at: path)
    if rows.isEmpty {
      // A path by name, or a wrong one: reading the scenario judges it.
      guard !path.contains("[*]"), !isFactor else {
        throw Refusal(description: "no setting is called \(path); see pitboss scenario show")
      }
      return [(path, nil)]
    }
    return rows.map { ($0.path, $0.value) }
  }
}
