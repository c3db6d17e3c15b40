internal import Experiments
internal import Foundation
internal import RewardModel
internal import Scenario

extension ConstrainedText {
  /// A verdict as people read it.
  static func words(_ verdict: SearchVerdict) -> String {
    switch verdict {
    case .shown: "shown"
    case .byEstimate: "holds by estimate"
    case .doesNotHold: "does not hold"
    }
  }

  /// Green only where the interval says so.
  static func style(_ verdict: SearchVerdict) -> TextStyle {
    switch verdict {
    case .shown: .good
    case .byEstimate: .plain
    case .doesNotHold: .caution
    }
  }

  /// What the figures of a condition are called: a condition on a percentile is judged by the
  /// share of runs beyond its bound, and its figures are such shares.
  static func conditionTitle(_ condition: Objective) -> String {
    guard condition.text.hasPrefix("p"),
      case .probability(.figure(_, _, let bound)) = condition.measure
    else { return condition.text }
    let side = condition.comparison.wantsLess ? "at most" : "at least"
    return "\(condition.text): share of runs above \(plain(bound)), \(side) "
      + FigureText.percent(condition.bound)
  }

  /// A number without zeros in excess.
  private static func plain(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15
      ? String(format: "%.0f", value) : String(format: "%.10g", value)
  }

  /// A condition's figure as people read it, with as many more digits as show on which side of
  /// the bound it is.
  static func value(_ value: Double, _ condition: Objective) -> String {
    var scale = 1.0
    var text = "\(value)"
    if condition.isProbability {
      text = FigureText.percent(value)
      scale = 100
    } else if let unit = condition.figure?.unit {
      text = FigureText.value(value, unit)
      if unit == .share { scale = 100 }
    }
    let digits = text.prefix { $0.isNumber || ",.-".contains($0) }
    let holds = condition.comparison.holds(value, condition.bound)
    func isFaithful(_ digits: String) -> Bool {
      guard let seen = Double(digits.replacing(",", with: "")) else { return true }
      return condition.comparison.holds(seen, condition.bound * scale) == holds
    }
    if isFaithful(String(digits)) { return text }
    let unit = text.dropFirst(digits.count)
    let decimals = digits.split(separator: ".").dropFirst().first?.count ?? 0
    for more in 1...9 {
      let longer = String(format: "%.\(decimals + more)f", value * scale)
      if isFaithful(longer) { return longer + unit }
    }
    return text
  }
}
