internal import Documents
package import RewardModel

/// One point of a sweep.
package struct SweepRow: Sendable {
  /// The settings' values as people read them, one an axis.
  package let values: [String]
  /// The same as numbers, for plots.
  package let places: [Double]
  /// One a figure measured; nil where no replication has it.
  package let estimates: [Estimate?]

  /// One point; `values` and `places` have one entry an axis, `estimates` one a figure.
  package init(values: [String], places: [Double], estimates: [Estimate?]) {
    self.values = values
    self.places = places
    self.estimates = estimates
  }
}

/// Figures over the points of a design.
package struct Sweep: Sendable {
  /// The varied settings' paths.
  package let axes: [String]
  package let rows: [SweepRow]
  package let measured: MeasuredFigures

  /// A sweep whose rows hold the figures measured.
  package init(axes: [String], rows: [SweepRow], measured: MeasuredFigures) {
    self.axes = axes
    self.rows = rows
    self.measured = measured
  }

  /// The heading of a figure by its id.
  package func title(_ id: String) -> String { measured.catalog.figure(id)?.title ?? id }

  /// The unit of a figure by its id.
  package func unit(_ id: String) -> MeasureUnit { measured.catalog.figure(id)?.unit ?? .count }

  /// One row a point and figure: `point`, the varied settings, `figure`, `mean`, `half_width`,
  /// `p5`, `p50`, `p95`, `count`. Settings that are numbers in one unit have it in their heading.
  package var csv: String {
    let columns = axes.indices.map { axis in SettingNumbers(rows.map { $0.values[axis] }) }
    let headings = zip(axes, columns).map { path, column in
      let unit = column.map { $0.isFactor ? "×" : $0.unit } ?? ""
      return unit.isEmpty ? path : "\(path) (\(unit))"
    }
    var text = CSVText.line(
      ["point"] + headings + ["figure", "mean", "half_width", "p5", "p50", "p95", "count"])
    for (place, row) in rows.enumerated() {
      let values = zip(columns, row.values).map { $0?.digits[place] ?? $1 }
      for (name, estimate) in zip(measured.names, row.estimates) {
        guard let estimate else { continue }
        text += CSVText.line(
          [String(place)] + values
            + [name, "\(estimate.mean)", estimate.halfWidth.map { "\($0)" } ?? ""]
            + [0, 2, 4].map { "\(estimate.percentiles[$0])" } + [String(estimate.count)])
      }
    }
    return text
  }
}
