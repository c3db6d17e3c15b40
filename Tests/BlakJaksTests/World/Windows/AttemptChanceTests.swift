// Goal: chances of attempts that are drawn together are those of each attempt's own stream.
// Method: both, attempt by attempt, in order and not, to beyond the numbers that are drawn side by side.
import EventKernel
import Population
import Testing

@testable import BlakJaks

@Suite struct AttemptChanceTests {
  @Test(
    "An attempt's chances are those of its stream", arguments: [0, 9, UInt64.max], [true, false])
  func sameAsAlone(seed: UInt64, losesAnswers: Bool) {
    var chances = AttemptChances(seed: seed, losesAnswers: losesAnswers)
    let beyond = UInt64(UInt32.max)
    // In order, with some left out, back to one of before, and where 32 bits are no longer enough.
    let attempts =
      Array(1...200) + [260, 261, 700, 1, 2] + Array((beyond - 130)...(beyond + 130)) + [1 << 40]
    for attempt in attempts {
      var stream = RandomStream(
        seed: seed, purpose: RandomPurpose.payout.rawValue, entity: attempt)
      var same = stream
      #expect(chances.service(of: attempt) == same.standardExponential(), "attempt \(attempt)")
      let conclusion = chances.conclusion(of: attempt)
      #expect(conclusion.failure == stream.uniform(), "attempt \(attempt)")
      #expect(conclusion.confirmation == stream.standardExponential(), "attempt \(attempt)")
      // Never below a probability where none is lost.
      #expect(
        conclusion.loss == (losesAnswers ? stream.uniform() : 1), "attempt \(attempt)")
    }
  }
}
