internal import EventKernel

/// How many sessions start a second over the time of a load: pieces one after the other, on each of
/// which the rate changes along a straight line.
package struct LoadProfile: Sendable, Equatable {
  /// A stretch of time.
  package struct Piece: Sendable, Equatable {
    package var seconds: Double
    /// Sessions a second at its start and at its end.
    package var from: Double
    package var to: Double

    /// Sessions expected in it.
    package var sessions: Double { seconds * (from + to) / 2 }
  }

  /// The profiles that have a name.
  package enum Shape: String, Sendable, CaseIterable {
    /// The same rate all the time.
    case constant
    /// From a tenth of the rate up to the rate.
    case ramp
    /// The rate, five times the rate for the middle fifth, and the rate again.
    case spike
    /// As constant, for long: what wears out shows.
    case soak
    /// Up to three times the rate at the middle, which is a quarter's last instant, and the rate
    /// after it.
    case quarterTurn = "quarter-turn"
    /// Ten steps, each a quarter above the one before, from the rate on.
    case breakpoint
  }

  package let pieces: [Piece]

  /// - Parameter pieces: One or more, with rates above 0 and of more than 0 seconds.
  package init(_ pieces: [Piece]) {
    precondition(
      !pieces.isEmpty && pieces.allSatisfy { $0.seconds > 0 && $0.from > 0 && $0.to > 0 },
      "a profile offers something at all times")
    self.pieces = pieces
  }

  /// - Parameters:
  ///   - rate: Sessions a second, above 0.
  ///   - seconds: Of the whole, above 0.
  package init(_ shape: Shape, rate: Double, seconds: Double) {
    func piece(_ share: Double, _ from: Double, _ to: Double) -> Piece {
      Piece(seconds: seconds * share, from: rate * from, to: rate * to)
    }
    switch shape {
    case .constant, .soak: self.init([piece(1, 1, 1)])
    case .ramp: self.init([piece(1, 0.1, 1)])
    case .spike: self.init([piece(0.4, 1, 1), piece(0.2, 5, 5), piece(0.4, 1, 1)])
    case .quarterTurn: self.init([piece(0.5, 1, 3), piece(0.5, 1, 1)])
    case .breakpoint:
      self.init(
        (0..<10).map { step in
          let factor = (0..<step).reduce(1) { rate, _ in rate * 1.25 }
          return piece(0.1, factor, factor)
        })
    }
  }

  /// For how long it lasts.
  package var seconds: Double { pieces.reduce(0) { $0 + $1.seconds } }

  /// Sessions expected in all.
  package var sessions: Double { pieces.reduce(0) { $0 + $1.sessions } }

  /// The highest rate.
  package var peak: Double { pieces.reduce(0) { max($0, $1.from, $1.to) } }

  /// Sessions a second at a time; 0 outside.
  package func rate(at time: Double) -> Double {
    var start = 0.0
    for piece in pieces {
      if time >= start, time < start + piece.seconds {
        return piece.from + (piece.to - piece.from) * (time - start) / piece.seconds
      }
      start += piece.seconds
    }
    return 0
  }
}

/// The instants at which sessions start under a profile, one after the other.
///
/// An instant is the inverse of the cumulative rate, at whole numbers for even spacing and at the sums
/// of unit exponentials for a Poisson process (Çinlar 1975, *Introduction to Stochastic Processes*,
/// §4.7), so that no arrival is drawn and thrown away.
package struct ArrivalTimes: Sendable {
  /// As for `Arrivals`; no model draws from it.
  private static let purpose: UInt32 = 81

  private let profile: LoadProfile
  private let spacing: Arrivals.Spacing
  private var stream: RandomStream
  /// Cumulative sessions up to the arrival that comes next.
  private var target = 0.0
  /// The piece that it may lie in, when that begins, and the sessions before it.
  private var place = (piece: 0, start: 0.0, sessions: 0.0)

  /// - Parameter seed: Of Poisson arrivals.
  package init(_ profile: LoadProfile, _ spacing: Arrivals.Spacing, seed: UInt64) {
    self.profile = profile
    self.spacing = spacing
    stream = RandomStream(seed: seed, purpose: Self.purpose, entity: 0)
    if spacing == .poisson { target = stream.exponential(mean: 1) }
  }

  /// Nanoseconds from the beginning to the next start; nil after the last one.
  ///
  /// - Complexity: O(1) on average.
  package mutating func next() -> Int64? {
    while place.piece < profile.pieces.count {
      let piece = profile.pieces[place.piece]
      let rest = target - place.sessions
      if rest < piece.sessions {
        target += spacing == .even ? 1 : stream.exponential(mean: 1)
        return Int64((place.start + Self.time(of: rest, in: piece)) * 1e9)
      }
      place = (place.piece + 1, place.start + piece.seconds, place.sessions + piece.sessions)
    }
    return nil
  }

  /// Solves from·t + slope·t²/2 = sessions for t.
  private static func time(of sessions: Double, in piece: LoadProfile.Piece) -> Double {
    let slope = (piece.to - piece.from) / piece.seconds
    // The form of the root that loses no digits where the slope is small.
    return 2 * sessions
      / (piece.from + max(piece.from * piece.from + 2 * slope * sessions, 0).squareRoot())
  }
}
