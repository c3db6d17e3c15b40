// Goal: a line of promises hands over what was put into it, whoever takes it and however long it waits.
// Method: random runs, with lists of receivers and without, beside a plain list of all of them.
import EventKernel
import Quantities
import RewardModel
import Testing

@testable import BlakJaks

@Suite struct PromiseLineTests {
  private let start = Instant(microseconds: 1_767_243_600_000_000)

  /// A run of one award, of several whose receivers are known, or of several of nobody.
  private func run(_ number: Int64, _ stream: inout RandomStream) throws -> AwardRun {
    let time = start + .seconds(number)
    var run = AwardRun(Award(to: UInt32(number), MicroUSDT(microunits: number), at: time))
    let kind = stream.uniformIndex(below: 3)
    guard kind > 0 else { return run }
    for _ in 0...Int(stream.uniformIndex(below: 40)) {
      let award = Award(
        to: UInt32(stream.uniformIndex(below: 1_000)), MicroUSDT(microunits: 3), at: time)
      try run.append(award, keepsReceiver: true)
    }
    return kind == 1 ? run : AwardRun(count: run.count, amount: run.amount, at: time)
  }

  private func waiting(_ run: AwardRun, _ number: Int64) -> PromiseLine.Waiting {
    PromiseLine.Waiting(
      number: number, time: run.time, sequence: number, count: run.count, amount: run.amount,
      start: run.time, offsets: run.offsets, receiver: run.receiver, receivers: run.receivers)
  }

  @Test("What is taken is what was put in, in its order", arguments: UInt64(1)...4)
  func taken(seed: UInt64) throws {
    var stream = RandomStream(seed: seed, purpose: 905, entity: 0)
    var (line, plain) = (PromiseLine(), [AwardRun]())
    var (number, whole, cut, longest) = (Int64(0), 0, 0, 0)
    for _ in 0..<60 {
      for _ in 0..<stream.uniformIndex(below: 300) {
        let run = try run(number, &stream)
        line.append(waiting(run, number))
        if run.receivers == .several { line.list(run.several) }
        plain.append(run)
        number += 1
      }
      let copy = (line, plain)
      // Now and then all of them.
      let most = stream.uniform() < 0.2 ? plain.count : Int(stream.uniform() * Double(plain.count))
      var taken = 0
      line.take { waiting, list in
        guard taken < most else { return false }
        #expect(AwardRun(waiting, list ?? []) == plain[taken])
        taken += 1
        return true
      }
      #expect(taken == most)
      plain.removeFirst(taken)
      longest = max(longest, taken)
      if let first = plain.first, stream.uniform() < 0.5 {
        #expect(line.popFirst() == first)
        plain.removeFirst()
        cut += 1
      }
      whole += plain.isEmpty ? 1 : 0
      #expect(line.count == plain.count)
      try check(line, plain)
      try check(copy.0, copy.1)
    }
    #expect(whole > 0 && cut > 0 && longest > 300, "sometimes: all, one, and many are taken")
  }

  /// A line holds these runs, visited from any place on.
  private func check(_ line: PromiseLine, _ plain: [AwardRun]) throws {
    for start in [0, plain.count / 2, plain.count] {
      var visited: [AwardRun] = []
      line.visit(from: start) { _, run in visited.append(run) }
      #expect(visited == Array(plain[start...]))
    }
  }

  @Test("A run that was saved with another number of awards than it counts is refused")
  func miscounted() throws {
    let award = Award(to: 1, MicroUSDT(microunits: 3), at: start)
    var run = AwardRun(award)
    try run.append(award, keepsReceiver: true)
    var writer = PackedWriter()
    run.pack(&writer, after: start)
    var whole = PackedReader(writer.bytes)
    #expect(try AwardRun(packed: &whole, after: start) == run)
    var three = AwardRun(count: 3, amount: run.amount, at: start)
    three.list(run.several)
    var other = PackedWriter()
    three.pack(&other, after: start)
    #expect(throws: PackedError.self) {
      var reader = PackedReader(other.bytes)
      _ = try AwardRun(packed: &reader, after: start)
    }
  }
}
