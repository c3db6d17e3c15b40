internal import EventKernel

/// When requests are meant to start, whatever becomes of those before them: an open arrival process.
package struct Arrivals: Sendable {
  /// How the gaps between arrivals are.
  package enum Spacing: String, Sendable, CaseIterable {
    /// All the same.
    case even
    /// Exponential and independent, as of many people who do not know of each other.
    case poisson
  }

  /// Requests a second that can be asked for.
  package static let rates = 1.0...10_000_000.0
  /// Seconds that can be asked for.
  package static let lengths = 0.05...3_600.0
  /// The most requests of one rate.
  package static let limit = 10_000_000

  /// Random streams of arrivals are for this; see `RandomStream`. No model draws from it.
  private static let purpose: UInt32 = 80

  /// Nanoseconds from the beginning, ascending.
  package let starts: [Int64]
  /// Requests a second that were asked for.
  package let rate: Double
  /// For how long they are offered.
  package let seconds: Double

  /// - Parameters:
  ///   - rate: In `rates`.
  ///   - seconds: In `lengths`; `rate` × `seconds` is at most `limit`.
  ///   - seed: Of Poisson arrivals.
  /// - Complexity: O(`rate` × `seconds`).
  package init(_ spacing: Spacing, rate: Double, seconds: Double, seed: UInt64) {
    precondition(Self.rates.contains(rate) && Self.lengths.contains(seconds), "out of range")
    self.rate = rate
    self.seconds = seconds
    let gap = 1e9 / rate
    let end = seconds * 1e9
    var starts: [Int64] = []
    starts.reserveCapacity(Int(rate * seconds * 1.01) + 100)
    switch spacing {
    case .even:
      for place in 0..<Int((rate * seconds).rounded()) { starts.append(Int64(Double(place) * gap)) }
    case .poisson:
      var stream = RandomStream(seed: seed, purpose: Self.purpose, entity: rate.bitPattern)
      var time = stream.exponential(mean: gap)
      while time < end {
        starts.append(Int64(time))
        time += stream.exponential(mean: gap)
      }
    }
    self.starts = starts
  }
}
