// Goal: a case that hangs is told from one that is large, or whose machine is slow.
// Method: a watch is told the processor time of a process, second by second; a process of our own ends as
// one that hung.
import Check
import Testing

@Suite struct CaseWatchTests {
  /// The first second at which a case is taken for hung, and how; nil for a day without such a second.
  private func hang(_ used: (Int) -> Double) -> (second: Int, words: String)? {
    var watch = CaseWatch(from: used(0))
    for second in 1...86_400 {
      if let words = watch.look(at: used(second)) { return (second, words) }
    }
    return nil
  }

  @Test("A case ends by what it computes, however long its machine takes", arguments: [1, 30, 90])
  func computing(slowness: Int) throws {
    // Earlier cases of the process took 5,000 s.
    let end = try #require(hang { 5_000 + Double($0) / Double(slowness) })
    #expect(end.second == CaseWatch.computing * slowness + 1)
    #expect(end.words == "no answer within 120 s of processor time, so the process was ended")
  }

  @Test func aCaseThatWaitsForNothingEnds() throws {
    // The first ten seconds it works; afterwards only its watch does.
    let end = try #require(hang { min(Double($0), 10) + 1e-4 * Double($0) })
    #expect(end.second == 10 + CaseWatch.resting)
    #expect(end.words == "no answer, and no work for 120 s, so the process was ended")
  }

  @Test func aProcessThatEndsItselfSaysHowItsCaseHung() throws {
    let answerer = try Answerer(
      """
      sys.stderr.write("Error: of an earlier case\\nno answer, and no work\\n")
      sys.stderr.flush()
      os._exit(114)
      """)
    let answer = try answerer.worker().run(Case(text: "name: x\n", settings: [], seed: 1))
    #expect(answer.verdict == .crashed)
    #expect(answer.broken?.invariant == "process_survives")
    #expect(answer.broken?.facts == "no answer, and no work")
  }
}
