package import EventKernel
internal import Quantities

/// Requests to translate messages into one language, and how many of them a cache answered.
package struct TranslationCount: Sendable, Equatable {
  package var requests = 0
  /// First requests of a message: the translation had to be made.
  package var misses = 0
  /// Requests that the cache answered.
  package var hits: Int { requests - misses }

  /// Counts of one language.
  package init(requests: Int = 0, misses: Int = 0) {
    self.requests = requests
    self.misses = misses
  }
}

/// Draws how often N messages are asked for in one language, and the misses of a cache.
///
/// Each message is asked for a Poisson number of times of mean m; its first request is a miss and
/// the others are hits, as in a cache that holds every translation still asked for. So misses are
/// binomial (N, 1 − exp(−m)). Given that a message was asked for, let its first request come at τ
/// on 0...m in operational time (a truncated exponential); the others are Poisson of mean m − τ.
/// The others of all messages together are therefore Poisson of mean Σ(m − τ).
///
/// Up to 64 missed messages each τ is drawn, and the answer is exact in law. Above, the sum of the
/// τ is normal with its exact mean and variance, cut to 0...m per message.
package struct TranslationDraw: Sendable {
  /// Missed messages up to which each first request is drawn.
  package static let exactUpTo = 64

  /// Mean requests of a message.
  package let mean: Double
  private let asked: Double
  private let meanFirst: Double
  private let varianceFirst: Double

  /// - Parameter mean: Mean requests of a message, 0 to 1,000.
  package init(mean: Double) {
    invariant(mean >= 0 && mean <= 1_000, "mean requests lie from 0 to 1,000")
    self.mean = mean
    asked = -Elementary.expm1(-mean)
    let ratio = mean > 0 ? mean * Elementary.exp(-mean) / asked : 1
    // Below 1e-3 the closed forms cancel; their series are m/2 and m²/12 to relative 1e-3.
    meanFirst = mean < 1e-3 ? mean / 2 : 1 - ratio
    varianceFirst = mean < 1e-3 ? mean * mean / 12 : max(0, 1 - ratio * (mean + ratio))
  }

  /// Draws the requests for `messages` messages.
  ///
  /// - Complexity: O(1), at most 66 draws.
  package func requests(messages: Int, _ stream: inout RandomStream) -> TranslationCount {
    invariant(messages >= 0, "messages are counted from 0")
    let misses = stream.binomial(messages, asked)
    guard misses > 0 else { return TranslationCount() }
    var first = 0.0
    if misses <= Self.exactUpTo {
      for _ in 0..<misses { first -= Elementary.log1p(-asked * stream.uniform()) }
    } else {
      let count = Double(misses)
      first = count * meanFirst + (count * varianceFirst).squareRoot() * stream.normal()
    }
    let rest = min(Double(misses) * mean, max(0, Double(misses) * mean - first))
    return TranslationCount(requests: misses + stream.poisson(mean: min(1e9, rest)), misses: misses)
  }
}
