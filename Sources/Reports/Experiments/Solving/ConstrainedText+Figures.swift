internal import Experiments
internal import Foundation
internal import RewardModel
internal import Scenario

extension ConstrainedText {
  /// A verdict as people read it.
  static func words(_ verdict: SearchVerdict) -> String {
    switch verdict {
    case .shown: "shown to hold"
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
    guard condition.isPercentile,
      case .probability(.figure(_, let sign, let bound)) = condition.measure
    else { return condition.text }
    let beyond = sign == .moreOrEqual ? "at or above" : "above"
    let side = condition.comparison.wantsLess ? "at most" : "at least"
    return "\(condition.text): share of runs \(beyond) \(plain(bound)), \(side) "
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
    guard let unit = condition.isProbability ? MeasureUnit.share : condition.figure?.unit else {
      return "\(value)"
    }
    return FigureText.value(
      value, unit, against: condition.comparison, condition.bound)
  }
}
