internal import Foundation
package import RewardModel
package import Scenario

/// Which assumptions carry an answer: a figure with one assumed setting at a time at either end of
/// its range, everything else as the scenario says.
///
/// All ends share the replications' seeds with the scenario itself (common random numbers), so that
/// what differs is the setting's doing. It shows each setting alone; what several do together is
/// for `SensitivityAnalysis`.
package struct AssumptionRanking: Sendable {
  /// Settings that are said to carry the answer.
  package static let carrying = 3

  /// A setting that can be varied.
  package struct Candidate: Sendable {
    package let range: AssumptionRange
    /// What the scenario is overridden with at either end.
    package let ends: [[SettingOverride]]
  }

  /// One setting.
  package struct Row: Sendable {
    /// Its path; `[*]` stands for every entry of a list.
    package let path: String
    /// The ends of its range as people read them, and why they are what they are.
    package let lowEnd: String
    package let highEnd: String
    package let reason: String
    /// The ends as factors on what the scenario says; nil where a distribution gave them.
    package let factors: ClosedRange<Double>?
    /// The figure with the setting at the range's lower and upper end.
    package let low: Double
    package let high: Double

    /// An assumed setting with what it makes of the figure.
    package init(range: AssumptionRange, low: Double, high: Double) {
      path = range.path
      lowEnd = String(format: "× %g", range.low)
      highEnd = String(format: "× %g", range.high)
      reason = range.reason
      factors = range.low...range.high
      self.low = low
      self.high = high
    }

    /// An uncertain setting with what it makes of the figure.
    package init(_ ends: UncertainInputs.Ends, low: Double, high: Double) {
      path = ends.path
      lowEnd = ends.low
      highEnd = ends.high
      reason = "P5 and P95 of \(ends.text)"
      factors = nil
      self.low = low
      self.high = high
    }
  }

  package let figure: FigureDescription
  /// The figure at the scenario's own values.
  package let standard: Double
  /// Replications of each point.
  package let replications: Int
  /// The setting that moves the figure most first.
  package let rows: [Row]
  /// Uncertain settings that are drawn together from a file, which have no lower and upper end.
  package let leftOut: Int

  /// Ranks settings; of equals the one that was named first stays first.
  package init(
    figure: FigureDescription, standard: Double, replications: Int, rows: [Row], leftOut: Int = 0
  ) {
    self.leftOut = leftOut
    self.figure = figure
    self.standard = standard
    self.replications = replications
    let swings = rows.map { Self.swing($0, standard) }
    self.rows = rows.indices.sorted { (-swings[$0], $0) < (-swings[$1], $1) }.map { rows[$0] }
  }

  /// The settings that carry the answer: the first few of those that move the figure at all.
  package var carrying: [Row] {
    Array(rows.filter { Self.swing($0, standard) > 0 }.prefix(Self.carrying))
  }

  /// How far a figure moves over a setting's range.
  private static func swing(_ row: Row, _ standard: Double) -> Double {
    max(row.low, row.high, standard) - min(row.low, row.high, standard)
  }

  /// The settings that can be varied in a scenario: those that it has, that are numbers, and whose
  /// ends can be read. An end out of range is as near to it as the setting's bounds allow, to a hundredth of
  /// what the scenario says, and the candidate's range says so.
  ///
  /// - Parameter reads: Whether the scenario can be read with these settings.
  package static func candidates(
    _ ranges: [AssumptionRange], _ scenario: Scenario, reads: ([SettingOverride]) -> Bool
  ) -> [Candidate] {
    ranges.compactMap { range in
      guard var axis = try? SettingAxis("\(range.path)=*\(range.low)..*\(range.high)") else {
        return nil
      }
      axis.flag = "assumption"
      func overrides(_ factor: Double) -> [SettingOverride]? {
        (try? axis.overrides(factor, scenario)).flatMap { reads($0) ? $0 : nil }
      }
      let factors = [range.low, range.high].map { nearest($0) { overrides($0) != nil } }
      guard let low = overrides(factors[0]), let high = overrides(factors[1]), low != high else {
        return nil
      }
      let own = AssumptionRange(range.path, factors[0], factors[1], range.reason)
      return Candidate(range: own, ends: [low, high])
    }
  }

  /// The factor nearest to one that can be taken, between it and 1.
  private static func nearest(_ end: Double, isTaken: (Double) -> Bool) -> Double {
    if isTaken(end) { return end }
    // In hundredths from 1, of which the first can be taken and the last cannot.
    let sign = end < 1 ? -1 : 1
    func factor(_ steps: Int) -> Double { Double(100 + sign * steps) / 100 }
    var (near, far) = (0, Int((abs(end - 1) * 100).rounded(.up)))
    while far - near > 1 {
      let middle = (near + far) / 2
      if isTaken(factor(middle)) { near = middle } else { far = middle }
    }
    return factor(near)
  }
}
