internal import EventKernel
package import RewardModel
package import Scenario

/// Two scenarios compared figure by figure, each replication with the same random numbers.
package struct ScenarioComparison: Sendable {
  /// One figure.
  package struct Row: Sendable {
    package var figure: FigureDescription
    /// The figure's id.
    package var name: String { figure.id }
    package var pair: PairedComparison
    /// Half-width of the difference's interval, widened for the number of figures.
    package var halfWidth: Double
    package var verdict: ComparisonVerdict
  }

  /// A figure that fewer than two pairs have on both sides, such as a share of a budget of 0.
  package struct Absence: Sendable {
    package var figure: FigureDescription
    /// Replications that have it, of the one scenario and of the other: where they are all of one
    /// and none of the other, this is what the change does.
    package var first: Int
    package var second: Int
  }

  /// A setting that differs.
  package struct Difference: Sendable {
    package var path: String
    package var first: String
    package var second: String
  }

  package let pairs: Int
  package let rows: [Row]
  package let absent: [Absence]
  package let settings: [Difference]

  /// - Parameters:
  ///   - first: Replications of the scenario that is compared with.
  ///   - second: Replications of the other, with the same seeds in the same order.
  ///   - measured: The figures of both.
  ///   - settings: In which the two differ.
  /// - Throws: `StatisticsError` with fewer than two pairs.
  package init(
    _ first: [Replication], _ second: [Replication], measured: MeasuredFigures,
    settings: [Difference]
  ) throws(StatisticsError) {
    pairs = first.count
    self.settings = settings
    var named: [(figure: FigureDescription, pair: PairedComparison)] = []
    var absent: [Absence] = []
    for (row, figure) in measured.figures.enumerated() {
      var baseline: [Double] = []
      var variant: [Double] = []
      for (a, b) in zip(first, second) {
        guard let x = a.figures[row], let y = b.figures[row] else { continue }
        baseline.append(x)
        variant.append(y)
      }
      guard baseline.count > 1 else {
        absent.append(
          Absence(
            figure: figure, first: first.count { $0.figures[row] != nil },
            second: second.count { $0.figures[row] != nil }))
        continue
      }
      named.append((figure, try PairedComparison(baseline: baseline, variant: variant)))
    }
    self.absent = absent
    let family = try ComparisonFamily(named.map(\.pair))
    rows = named.indices.map { place in
      Row(
        figure: named[place].figure, pair: named[place].pair,
        halfWidth: family.intervals[place].halfWidth,
        verdict: family.verdicts[place])
    }
  }

  /// The settings in which two scenarios differ, besides names and seeds: both sides of a
  /// comparison take the first one's seed. What is drawn is told by its distribution.
  package static func differences(_ a: Scenario, _ b: Scenario) -> [Difference] {
    let (first, second) = (told(a), told(b))
    let other = Dictionary(second, uniquingKeysWith: { _, last in last })
    var rows: [Difference] = []
    var seen = Set<String>()
    for (path, text) in first {
      seen.insert(path)
      let value = other[path] ?? "–"
      if value != text, !["name", "description", "seed"].contains(path) {
        rows.append(Difference(path: path, first: text, second: value))
      }
    }
    for (path, text) in second where !seen.contains(path) {
      rows.append(Difference(path: path, first: "–", second: text))
    }
    return rows
  }

  /// Each setting with its value, or with what it is drawn from.
  private static func told(_ scenario: Scenario) -> [(path: String, text: String)] {
    var laws: [String: UncertainSetting] = [:]
    for entry in scenario.uncertain {
      for target in scenario.open(entry).flatMap(\.targets) { laws[target.path] = entry }
    }
    return scenario.settings.map { setting in
      guard let entry = laws[setting.path] else { return (setting.path, setting.valueText) }
      // A factor is on the scenario's own value.
      let text = entry.isFactor ? "\(setting.valueText) \(entry.lawText)" : entry.lawText
      return (setting.path, text)
    }
  }
}
