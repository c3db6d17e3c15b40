/// Points at which an experiment evaluates a model, in order.
package struct Design: Equatable, Sendable {
  /// Most points of a grid.
  package static let gridPointsMaximum = 100_000

  /// What is varied.
  package let axes: [DesignAxis]
  /// One row a point, one coordinate an axis.
  package let points: [[DesignCoordinate]]

  /// Every combination of the axes' grid values, the last axis fastest.
  ///
  /// - Throws: `StatisticsError.count` without an axis or above 100,000 points; `.duplicateAxis`.
  /// - Complexity: O(points × axes).
  package static func grid(_ axes: [DesignAxis]) throws(StatisticsError) -> Self {
    try check(axes)
    let levels = axes.map(\.gridCoordinates)
    var count = 1
    for level in levels {
      count = count.multipliedReportingOverflow(by: level.count).partialValue
      guard (1...gridPointsMaximum).contains(count) else {
        throw .count(name: "points", count: count, allowed: 1...gridPointsMaximum)
      }
    }
    let points = (0..<count).map { index in
      var rest = index
      var point: [DesignCoordinate] = []
      for level in levels.reversed() {
        point.append(level[rest % level.count])
        rest /= level.count
      }
      return Array(point.reversed())
    }
    return Self(axes: axes, points: points)
  }

  /// A random, spread-out Latin hypercube: see `LatinHypercube`.
  ///
  /// - Throws: `StatisticsError.count`, `.duplicateAxis`.
  package static func latinHypercube(
    _ axes: [DesignAxis], count: Int, seed: UInt64, tries: Int = 20
  ) throws(StatisticsError) -> Self {
    try Self(
      axes: axes,
      shares: try LatinHypercube.points(
        count: count, dimensions: axes.count, seed: seed, tries: tries))
  }

  /// The first points of Sobol's sequence, at most 40 axes: see `SobolSequence`.
  ///
  /// - Throws: `StatisticsError.count`, `.duplicateAxis`.
  package static func sobol(
    _ axes: [DesignAxis], count: Int, shift: UInt64? = nil
  ) throws(StatisticsError) -> Self {
    try Self(
      axes: axes,
      shares: try SobolSequence.points(count: count, dimensions: axes.count, shift: shift))
  }

  /// Points given as shares of the axes, such as those of `MorrisScreening` or `SobolIndices`.
  ///
  /// - Parameters:
  ///   - axes: Each once.
  ///   - shares: One row a point, one share from 0 to 1 an axis.
  /// - Throws: `StatisticsError.lengths` for a row of another length; `.count`, `.duplicateAxis`.
  package init(axes: [DesignAxis], shares: [[Double]]) throws(StatisticsError) {
    try Self.check(axes)
    for row in shares where row.count != axes.count {
      throw .lengths(name: "shares", count: row.count, needed: axes.count)
    }
    self.init(
      axes: axes,
      points: shares.map { row in zip(axes, row).map { $0.coordinate(at: $1) } })
  }

  /// Each point once, where it came first: those that are written alike are one point, such as shares of
  /// an axis of two words.
  ///
  /// - Complexity: O(points × axes).
  package func distinct(_ text: ([DesignCoordinate]) -> [String]) -> Self {
    var seen: Set<[String]> = []
    return Self(axes: axes, points: points.filter { seen.insert(text($0)).inserted })
  }

  private init(axes: [DesignAxis], points: [[DesignCoordinate]]) {
    self.axes = axes
    self.points = points
  }

  private static func check(_ axes: [DesignAxis]) throws(StatisticsError) {
    guard !axes.isEmpty else { throw .count(name: "axes", count: 0, allowed: 1...1_000) }
    for (index, axis) in axes.enumerated()
    where axes[..<index].contains(where: { $0.name == axis.name }) {
      throw .duplicateAxis(axis.name)
    }
  }
}
