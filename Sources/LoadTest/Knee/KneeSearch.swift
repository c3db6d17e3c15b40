internal import Foundation

/// Finds the highest rate at which a service meets conditions: geometric growth, bisection, and a
/// longer window that confirms it.
///
/// A service remembers overload for a while, so the search goes up first and narrows from there; what
/// it says is confirmed, or it goes down until it is.
package struct KneeSearch: Sendable {
  /// What one rate has shown.
  package struct Point: Sendable {
    /// Why it was measured.
    package enum Phase: String, Sendable {
      case growth, bisection, confirmation
    }

    package var phase: Phase
    /// Sessions a second that were offered.
    package var rate: Double
    package var seconds: Double
    package var measures: LoadMeasures
    /// What the service's writer did meanwhile; nil where it does not say.
    package var work: WriterWork?
    /// Whether the conditions were met.
    package var isMet: Bool
    /// Whether the generator offered the rate.
    package var isOffered: Bool
    /// That the service fell silent in it and stayed so; nil where answers came to the end, however
    /// many requests had none: too high a rate is to be tried.
    package let silence: LoadSilence?

    /// One rate; see the properties.
    package init(
      phase: Phase, rate: Double, seconds: Double, measures: LoadMeasures, work: WriterWork?,
      isMet: Bool
    ) {
      self.phase = phase
      self.rate = rate
      self.seconds = seconds
      self.measures = measures
      self.work = work
      self.isMet = isMet
      isOffered = measures.wasOffered
      silence = LoadSilence(measures, of: seconds).flatMap { $0.since == nil ? nil : $0 }
    }

    /// Whether it was offered and answered: something of the service was measured.
    package var tellsAnswers: Bool {
      isOffered && silence == nil && measures.total.answered > 0
    }

    /// Answers a second, while sessions were to start.
    package var throughput: Double { measures.answersPerSecond(measures.total, of: seconds) }
  }

  /// How the search ended.
  package enum End: String, Sendable {
    /// Between a rate that meets the conditions and one that does not.
    case found
    /// Not even the first rate meets them, or a longer window of one a quarter as high.
    case belowFirst = "below_first"
    /// The highest rate that may be tried meets them.
    case aboveLast = "above_last"
    /// The generator could offer no more; the knee, where one was confirmed, lies above.
    case generatorLimit = "generator_limit"
    case interrupted
    /// A rate could not be prepared: the service did not answer, or members have no more to do.
    case notPrepared = "not_prepared"
    /// The service fell silent at a rate and stayed so.
    case silent
  }

  /// Each rate is so many times the one before, while it grows.
  package var growth = 2.0
  /// Bisection ends when the rates are so close.
  package var ratio = 1.1
  /// A confirmation lasts so many windows.
  package var confirmation = 3.0
  /// Each failed confirmation lowers the rate by this factor.
  package var retreat = 0.9
  /// The highest rate that is tried.
  package var limit = 1_000_000.0

  package private(set) var points: [Point] = []
  package private(set) var end = End.interrupted
  /// Why a rate could not be prepared, or how the service fell silent.
  package private(set) var failure: String?
  /// The knee in sessions a second; nil where none was found.
  package private(set) var knee: Double?

  /// A search with the defaults.
  package init() {}

  /// Measures until the knee is known.
  ///
  /// - Parameters:
  ///   - first: The first rate, above 0.
  ///   - seconds: Of a window.
  ///   - measure: Offers a rate for so long; nil ends the search, and so do a
  ///     `LoadSetup.Failure` and a silence, after which what was measured is kept.
  /// - Throws: What else `measure` throws.
  package mutating func run(
    from first: Double, seconds: Double,
    measure: (Point.Phase, Double, Double) throws -> Point?
  ) rethrows {
    var early: (end: End, why: String, last: Point?)?
    try search(from: first, seconds: seconds) { phase, rate, seconds in
      do {
        let point = try measure(phase, rate, seconds)
        guard let silence = point?.silence else { return point }
        early = (.silent, silence.words, point)
      } catch let error as LoadSetup.Failure {
        early = (.notPrepared, error.description, nil)
      }
      return nil
    }
    guard let early else { return }
    if let last = early.last { points.append(last) }
    (end, failure, knee) = (early.end, early.why, nil)
  }

  private mutating func search(
    from first: Double, seconds: Double,
    measure: (Point.Phase, Double, Double) throws -> Point?
  ) rethrows {
    var good: Double?
    var bad: Double?
    var rate = first
    while bad == nil {
      guard let point = try measure(.growth, rate, seconds) else { return }
      points.append(point)
      guard point.isOffered else {
        end = .generatorLimit
        if good == nil { return }
        bad = rate
        break
      }
      if point.isMet {
        good = rate
        guard rate < limit else {
          end = .aboveLast
          knee = rate
          return
        }
        rate = min(rate * growth, limit)
      } else {
        bad = rate
      }
    }
    guard var low = good, var high = bad else {
      end = .belowFirst
      return
    }
    // Whether nothing above was offered and missed.
    var wasLimit = end == .generatorLimit
    while high / low > ratio {
      let middle = (low * high).squareRoot()
      guard let point = try measure(.bisection, middle, seconds) else {
        end = .interrupted
        return
      }
      points.append(point)
      if point.isMet, point.isOffered {
        low = middle
      } else {
        high = middle
        wasLimit = !point.isOffered
      }
    }
    while low >= first / 4 {
      guard let point = try measure(.confirmation, low, seconds * confirmation) else {
        end = .interrupted
        return
      }
      points.append(point)
      if point.isMet, point.isOffered {
        knee = low
        end = wasLimit ? .generatorLimit : .found
        return
      }
      // What was offered and missed is a limit of the service; what was not offered says nothing of it.
      wasLimit = !point.isOffered
      low *= retreat
    }
    end = wasLimit ? .generatorLimit : .belowFirst
  }
}
