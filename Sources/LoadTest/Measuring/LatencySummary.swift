/// Percentiles of durations, in nanoseconds.
package struct LatencySummary: Sendable, Equatable {
  /// How many durations there were, 1 or more.
  package var count: Int
  package var median: Int64
  package var p90: Int64
  package var p99: Int64
  package var p999: Int64
  package var greatest: Int64
}
