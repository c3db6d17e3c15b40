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
  /// utilized. The margin of a comparison is the figure's distance from its bound; a run without
  /// the figure is as far on the other side as the bound is from 0, at least 1.
  ///
  /// - Returns: Nil where `value` is.
  package func sample(
    _ replication: Replication, _ measured: MeasuredFigures
  ) -> ConditionSample? {
    guard let value = value(replication, measured) else { return nil }
    switch measure {
    case .mean: return ConditionSample(value: value, margin: 0)
    case .probability(.figure(let name, let sign, let bound)):
      let figure = measured.row(of: name).flatMap { replication.figures[$0] }
      let margin = figure.map { sign.wantsLess ? bound - $0 : $0 - bound }
      return ConditionSample(value: value, margin: margin ?? -max(1, abs(bound)))
    case .probability(.status(let status, let month)):
      var highest = 0.0
      for row in replication.months where month == nil || row.label == month {
        highest = max(highest, row.utilisation ?? 0)
      }
      // The bounds may be among the settings that vary.
      return ConditionSample(value: value, margin: highest - replication.bounds.bound(of: status))
    }
  }
}
