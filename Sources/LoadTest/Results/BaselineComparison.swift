internal import EventKernel

/// Whether a load went differently from one before.
///
/// Seconds are paired by their place in the run and cut into windows; the interval is Student's of the
/// mean of the windows' differences, so that a trend within both runs does not count.
package struct BaselineComparison: Sendable, Equatable {
  /// One figure of both.
  package struct Row: Sendable, Equatable {
    package var name: String
    /// Means of the windows.
    package var before: Double
    package var after: Double
    /// Mean difference, and half of its 95 % interval; nil with fewer than two windows.
    package var difference: Double
    package var halfWidth: Double?

    /// Whether the interval leaves no change out.
    package var isReal: Bool { halfWidth.map { abs(difference) > $0 } ?? false }
  }

  /// How many windows were paired.
  package let windows: Int
  package let rows: [Row]

  /// - Parameters:
  ///   - before: The seconds of the run before, from the beginning on.
  ///   - after: Those of this one.
  package init(before: [LoadSecond], after: [LoadSecond]) {
    // The first seconds fill caches and make connections.
    let count = min(before.count, after.count)
    let start = count > 10 ? 2 : 0
    let length = max((count - start) / 20, 1)
    let windows = max((count - start) / length, 0)
    self.windows = windows
    func means(_ seconds: [LoadSecond], _ value: (LoadSecond) -> Double) -> [Double] {
      (0..<windows).map { window in
        let part = seconds[(start + window * length)..<(start + (window + 1) * length)]
        return part.reduce(0) { $0 + value($1) } / Double(length)
      }
    }
    let figures: [(String, (LoadSecond) -> Double)] = [
      ("answers a second", { Double($0.done + $0.refused) }),
      ("p50, ms", { Double($0.median) / 1e6 }), ("p99, ms", { Double($0.p99) / 1e6 }),
      ("errors a second", { Double($0.errors) }),
    ]
    rows = figures.map { name, value in
      let (first, second) = (means(before, value), means(after, value))
      var tally = Tally()
      for (a, b) in zip(first, second) { try? tally.add(b - a) }
      func mean(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
      }
      return Row(
        name: name, before: mean(first), after: mean(second), difference: tally.mean ?? 0,
        halfWidth: try? tally.interval().halfWidth)
    }
  }
}
