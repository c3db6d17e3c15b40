internal import EventKernel

/// Points of which each coordinate takes each of `count` equal strata exactly once.
///
/// Source: McKay, Beckman and Conover 1979, doi:10.2307/1268522. Of a few random hypercubes the one
/// whose nearest two points are farthest apart is kept: Johnson, Moore and Ylvisaker 1990,
/// doi:10.1016/0378-3758(90)90122-B
package enum LatinHypercube {
  /// Above so many points only one hypercube is made, since distances cost the square.
  package static let maximinPointsMaximum = 1_000

  /// - Parameters:
  ///   - count: From 2 to 100,000.
  ///   - dimensions: From 1 to 1,000.
  ///   - seed: Names the hypercube.
  ///   - tries: Hypercubes to choose from, from 1 to 1,000.
  /// - Returns: One row a point, coordinates strictly between 0 and 1.
  /// - Throws: `StatisticsError.count`.
  /// - Complexity: O(tries × count² × dimensions).
  package static func points(
    count: Int, dimensions: Int, seed: UInt64, tries: Int = 20
  ) throws(StatisticsError) -> [[Double]] {
    guard (2...100_000).contains(count) else {
      throw .count(name: "points", count: count, allowed: 2...100_000)
    }
    guard (1...1_000).contains(dimensions) else {
      throw .count(name: "dimensions", count: dimensions, allowed: 1...1_000)
    }
    guard (1...1_000).contains(tries) else {
      throw .count(name: "tries", count: tries, allowed: 1...1_000)
    }
    var best = draw(count: count, dimensions: dimensions, seed: seed, attempt: 0)
    guard count <= maximinPointsMaximum, tries > 1 else { return best }
    var bestDistance = squaredDistance(best, above: 0)
    for attempt in 1..<tries {
      let other = draw(count: count, dimensions: dimensions, seed: seed, attempt: attempt)
      let distance = squaredDistance(other, above: bestDistance)
      if distance > bestDistance {
        best = other
        bestDistance = distance
      }
    }
    return best
  }

  private static func draw(
    count: Int, dimensions: Int, seed: UInt64, attempt: Int
  ) -> [[Double]] {
    var stream = RandomStream(
      seed: seed, purpose: ExperimentPurpose.latinHypercube.rawValue, entity: UInt64(attempt))
    var rows = [[Double]](repeating: [Double](repeating: 0, count: dimensions), count: count)
    var strata = Array(0..<count)
    for dimension in 0..<dimensions {
      for last in stride(from: count - 1, to: 0, by: -1) {
        strata.swapAt(last, Int(stream.uniformIndex(below: UInt64(last + 1))))
      }
      for row in 0..<count {
        let share = (Double(strata[row]) + stream.uniform()) / Double(count)
        rows[row][dimension] = min(share, 1.0.nextDown)
      }
    }
    return rows
  }

  /// The squared distance of the nearest two points; stops early, with any value not above
  /// `bound`, once it cannot exceed it.
  static func squaredDistance(_ points: [[Double]], above bound: Double) -> Double {
    var nearest = Double.infinity
    for first in points.indices {
      for second in points.index(after: first)..<points.endIndex {
        var sum = 0.0
        for (a, b) in zip(points[first], points[second]) { sum += (a - b) * (a - b) }
        nearest = min(nearest, sum)
        if nearest <= bound { return nearest }
      }
    }
    return nearest
  }
}
