// Goal: a mean number of days to a use gives the span that leads to it, with the interval that its error
// leaves.
// Method: simulations by formulas whose inverse is known.
import Foundation
import RewardModel
import Testing

@testable import Experiments

@Suite struct UseSpanTests {
  /// Two members with the mean, who are both a part of it away from it.
  private func wait(_ days: Double, off part: Double = 0) -> ClusterRatio {
    var ratio = ClusterRatio()
    for sign in [-1.0, 1] { ratio.add(10 * days * (1 + sign * part), of: 10) }
    return ratio
  }

  /// The span after a search, and the simulations that it took.
  private func found(
    _ days: Double, _ simulated: (Double) -> Double
  ) throws -> (span: UseSpan, rounds: Int) {
    var span = UseSpan(wait(days))
    #expect(span.estimate == nil && span.law == nil && span.days == days)
    for round in 1...12 {
      let value = span.estimate?.estimate ?? 1
      if !span.move(after: wait(simulated(value))) { return (span, round) }
    }
    throw TooLong()
  }

  private struct TooLong: Error {}

  @Test("A mean in proportion is found in two simulations", arguments: [0.2, 3, 20])
  func proportional(days: Double) throws {
    let (span, rounds) = try found(days) { 4 * $0 }
    #expect(rounds == 2)
    #expect(abs(try #require(span.estimate).estimate - days / 4) < 1e-12)
  }

  @Test("A mean that saturates is found to a hundredth", arguments: [0.05, 0.4, 1, 1.6])
  func saturating(days: Double) throws {
    let (span, rounds) = try found(days) { 2 * $0 / ($0 + 1) * 1.2 }
    #expect(rounds <= 9, "\(rounds)")
    let value = try #require(span.estimate).estimate
    #expect(abs(log(2.4 * value / (value + 1) / days)) < 0.011, "\(value)")
  }

  @Test("Less than an hour is at once, without an interval")
  func atOnce() throws {
    let (span, rounds) = try found(0.9 / 24) { 4 * $0 }
    #expect(rounds == 2 && span.estimate?.estimate == 0)
    #expect(span.estimate?.low == nil && span.estimate?.high == nil && span.law == nil)
    let (none, _) = try found(0) { 4 * $0 }
    #expect(none.estimate?.estimate == 0)
  }

  @Test("A mean that no span leads to ends the search at the longest")
  func outOfReach() throws {
    let (span, _) = try found(50) { min($0, 2) }
    #expect(span.estimate?.estimate == UseSpan.most)
    // Nothing was used by simulated members: nothing to go by.
    let (still, rounds) = try found(3) { _ in 0 }
    #expect(rounds == 1 && still.estimate?.estimate == 1)
  }

  @Test("The interval is that of both means")
  func interval() throws {
    var span = UseSpan(wait(2, off: 0.06))
    let moved = span.move(after: wait(2, off: 0.08))
    #expect(!moved)
    let estimate = try #require(span.estimate)
    // Two members so far off have a standard error of that part: 0.06 and 0.08 make 0.1.
    let reach = exp(1.959_963_985 * 0.1)
    #expect(estimate.estimate == 1)
    #expect(abs(try #require(estimate.low) - 1 / reach) < 1e-9)
    #expect(abs(try #require(estimate.high) - reach) < 1e-9)
    #expect(span.law == "lognormal(1, 0.1)")
  }
}
