internal import RewardModel
package import Scenario

/// What an axis does to one scenario: the settings that its path names, looked up once, for
/// experiments that ask at many points.
package struct SettingMoves: Sendable {
  private struct Target: Sendable {
    let path: String
    /// Its present value; nil where the path is not that of a setting as it is listed.
    let value: SettingValue?
    /// Decimals of the finest number that it takes.
    let decimals: Int?
  }

  private let axis: SettingAxis
  private let targets: [Target]

  /// Looks up the settings of an axis.
  ///
  /// - Throws: `Refusal` where the scenario has no such setting.
  /// - Complexity: O(settings of the scenario).
  init(_ axis: SettingAxis, in scenario: Scenario) throws(SettingAxis.Refusal) {
    self.axis = axis
    targets = try axis.paths(scenario).map { path, value in
      Target(
        path: path, value: value,
        decimals: SettingGrain.decimals(scenario.shape(of: path), unit: axis.unit))
    }
  }

  /// What the scenario is overridden with at a point.
  ///
  /// - Throws: `Refusal` where a setting is no number to multiply.
  /// - Complexity: O(settings that the path names).
  package func overrides(
    _ coordinate: DesignCoordinate
  ) throws(SettingAxis.Refusal) -> [SettingOverride] {
    switch coordinate {
    case .choice(let place):
      guard case .list(let words) = axis.values else { return [] }
      return targets.map {
        SettingOverride(path: $0.path, value: words[place], source: axis.flag)
      }
    case .number(let value): return try overrides(value)
    case .whole(let value): return try overrides(Double(value))
    }
  }

  /// What the scenario is overridden with at a number.
  ///
  /// - Throws: `Refusal` where a setting is no number to multiply.
  package func overrides(_ value: Double) throws(SettingAxis.Refusal) -> [SettingOverride] {
    var all: [SettingOverride] = []
    for target in targets {
      let text: String
      if !axis.isFactor {
        text = SettingGrain.text(value, decimals: target.decimals) + axis.unit
      } else if let present = target.value, let product = SettingGrain.text(present, times: value) {
        text = product
      } else {
        throw SettingAxis.Refusal(
          description: "\(target.path) is '\(target.value?.text ?? "")', which cannot be "
            + "multiplied by a factor")
      }
      all.append(SettingOverride(path: target.path, value: text, source: axis.flag))
    }
    return all
  }

  /// Where the settings really are at a coordinate between their values at both ends, from 0 to 1:
  /// what a factor makes of a small whole number is not where the factor is. The mean of settings
  /// that move together.
  ///
  /// - Throws: `Refusal` where a setting is no number to multiply.
  func placeTaken(_ coordinate: DesignCoordinate) throws(SettingAxis.Refusal) -> Double {
    guard case .range(let low, let high, _, _) = axis.values else { return coordinate.plotted }
    let texts = [try overrides(low), try overrides(coordinate), try overrides(high)]
    let places = texts[0].indices.compactMap { row -> Double? in
      let numbers = texts.compactMap { SettingAxis.split($0[row].value).number }
      guard numbers.count == 3, numbers[0] != numbers[2] else { return nil }
      return (numbers[1] - numbers[0]) / (numbers[2] - numbers[0])
    }
    return places.isEmpty ? 0 : places.reduce(0, +) / Double(places.count)
  }
}
