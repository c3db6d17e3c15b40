internal import RewardModel
internal import Scenario

extension Objective {
  /// The condition as a search over several settings sees it.
  package var searchCondition: SearchCondition {
    SearchCondition(
      figure: isProbability ? .probability : .mean, comparison: comparison, bound: bound)
  }

  /// One replication's value and how far an event is from the other side.
  ///
  /// A month closes Critical when its utilization exceeds the critical bound, and Warning from the
  /// warning bound on; projections play no part. So the margin of a status is the utilization of
  /// the month, or the highest of all, less the bound; a month without a budget counts as not
  /// utilized, or where it spent as `far` over the bound. The margin of a comparison is the figure's
  /// distance from its bound; a run without the figure is `far` on the other side, and one whose
  /// figure is infinite as far on its own.
  ///
  /// - Returns: Nil where `value` is.
  package func sample(
    _ replication: Replication, _ measured: MeasuredFigures
  ) -> ConditionSample? {
    guard let value = value(replication, measured) else { return nil }
    switch measure {
    case .mean: return ConditionSample(value: value, margin: 0)
    case .probability(.figure(_, let sign, let bound)):
      let far = Self.far(from: bound)
      let margin = figure.flatMap { replication.compared($0, measured) }.map { figure in
        let above = figure.isFinite ? figure - bound : far
        return sign.wantsLess ? -above : above
      }
      return ConditionSample(value: value, margin: margin ?? -far)
    case .probability(.status(let status, let month)):
      // The bounds may be among the settings that vary.
      let bound = replication.bounds.bound(of: status)
      var highest = 0.0
      for row in replication.months where month == nil || row.label == month {
        let beyond = row.isOverWithoutBudget ? bound + Self.far(from: bound) : 0
        highest = max(highest, row.utilisation ?? beyond)
      }
      return ConditionSample(value: value, margin: highest - bound)
    }
  }

  /// The distance from a bound of what has none.
  private static func far(from bound: Double) -> Double { max(1, abs(bound)) }
}
