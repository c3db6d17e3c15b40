internal import RewardModel
package import Scenario

extension SettingAxis {
  /// Its values from the first to the last, as people read them.
  package var rangeText: String {
    switch values {
    case .list(let words): words.joined(separator: ", ")
    case .range(let low, let high, _, _): "\(text(low)) to \(text(high))"
    }
  }

  /// What the scenario says of its settings, as people read it: for a factor × 1; of several that
  /// differ the first and the last; `–` where the scenario does not show it.
  package func presentText(_ scenario: Scenario) -> String {
    if isFactor { return text(1) }
    let values = ((try? paths(scenario)) ?? []).compactMap { $0.value?.text }
    guard let first = values.first, let last = values.last else { return "–" }
    return values.allSatisfy { $0 == first } ? first : "\(first) … \(last)"
  }

  /// Where the settings really are at a coordinate between their values at both ends, from 0 to 1:
  /// what a factor makes of a small whole number is not where the factor is. The mean of settings
  /// that move together.
  ///
  /// - Throws: `Refusal` where the scenario has no such setting or no number to multiply.
  func placeTaken(
    _ coordinate: DesignCoordinate, _ scenario: Scenario
  ) throws(Refusal) -> Double {
    guard case .range(let low, let high, _, _) = values else { return coordinate.plotted }
    let texts = [
      try overrides(low, scenario), try overrides(coordinate, scenario),
      try overrides(high, scenario),
    ]
    let places = texts[0].indices.compactMap { row -> Double? in
      let numbers = texts.compactMap { SettingAxis.split($0[row].value).number }
      guard numbers.count == 3, numbers[0] != numbers[2] else { return nil }
      return (numbers[1] - numbers[0]) / (numbers[2] - numbers[0])
    }
    return places.isEmpty ? 0 : places.reduce(0, +) / Double(places.count)
  }
}
