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
}
