// Goal: two processes that were asked for one replication agree where they computed the same, and where only the
// last bits of what the C library helps with differ.
// Method: answers that differ in one thing each.
import RewardModel
import Testing

@testable import Experiments

@Suite struct AnswerAgreementTests {
  private func answer(
    fingerprint: String = "ab12", figures: [Double?] = [1, nil, 0.25], months: Int = 0,
    controls: [Double] = [0.125, -3e7]
  ) -> ReplicationAnswer {
    var sample = RunSample(bounds: HealthBounds(warning: 0.8, critical: 0.9))
    sample.spend = Array(repeating: 1, count: months)
    sample.controls = controls
    return ReplicationAnswer(
      fingerprint: fingerprint, figures: figures, sample: sample, lived: nil)
  }

  @Test func theSameAnswersAgree() {
    #expect(answer().agrees(with: answer()))
    #expect(answer(controls: []).agrees(with: answer(controls: [])))
  }

  @Test func controlVariatesMayDifferInLastBits() {
    let others = [(0.125).nextUp, (-3e7).nextDown]
    #expect(answer().agrees(with: answer(controls: others)))
    #expect(answer(controls: others).agrees(with: answer()))
    #expect(answer(controls: [0]).agrees(with: answer(controls: [0])))
  }

  @Test func controlVariatesThatDifferByMoreDoNotAgree() {
    for other in [[0.125 * (1 + 1e-8), -3e7], [0.125, 3e7], [0.125], [], [.nan, -3e7]] {
      #expect(!answer().agrees(with: answer(controls: other)), "\(other)")
    }
  }

  @Test func whateverElseDiffersDoesNotAgree() {
    #expect(!answer().agrees(with: answer(fingerprint: "ab13")))
    #expect(!answer().agrees(with: answer(figures: [1, nil, (0.25).nextUp])))
    #expect(!answer().agrees(with: answer(figures: [1, 0, 0.25])))
    #expect(!answer().agrees(with: answer(months: 1)))
  }
}
