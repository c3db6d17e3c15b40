internal import EventKernel
internal import HeapModule
internal import Quantities

/// A code that somebody submits after the member whose tin it was.
struct PassedCode: Comparable, Sendable {
  var time: Instant
  var code: UInt64
  var member: UInt32

  static func < (a: PassedCode, b: PassedCode) -> Bool {
    (a.time, a.member, a.code) < (b.time, b.member, b.code)
  }
}

extension Cell {
  /// A member passes the code of a tin on that is claimed by now.
  mutating func passOn(_ code: TinCode, _ member: UInt32, _ index: UInt32, _ now: Instant) {
    for other in shared.behaviour.sharing(member: member, index: index) {
      passed.insert(PassedCode(time: now + other.delay, code: code.bits, member: other.member))
    }
  }

  /// Others submit the codes that were passed on to them. The desk is this cell's, whose tins they
  /// are; each is claimed, so that nothing about who submits it matters.
  mutating func submitPassedCodes() {
    while let next = passed.min, next.time < window.end {
      passed.removeMin()
      tally.events += 1
      tally.passedCodes += 1
      let code = TinCode(bits: next.code)
      if journal.isOn {
        journal.add(next.time, next.member, .scan(member: next.member, code: code.text))
      }
      let outcome = desk.submit(code, eligible: true)
      invariant(outcome == .alreadyScanned, "a code that was passed on was not claimed")
      tally.outcomes[outcome] += 1
    }
  }

  /// Codes that a member submits besides those of own tins: mistyped ones and guesses.
  @inline(never)
  mutating func mischief(
    _ draw: ScanDraw, _ account: MemberAccount, _ member: UInt32, _ index: UInt32,
    _ code: TinCode, _ now: Instant
  ) {
    var stream = shared.behaviour.guessing(member: member, index: index)
    for _ in 0..<draw.malformed {
      let broken = shared.behaviour.mistyped(code, &stream)
      if journal.isOn { journal.add(now, member, .scan(member: member, code: broken.text)) }
      tally.outcomes[desk.submit(TinCode(broken), eligible: account.isEligible)] += 1
    }
    for _ in 0..<draw.guesses {
      // Judged against this cell's tins: another cell's is hit once in millions of runs.
      _ = submit(shared.behaviour.guess(&stream), account, member, now)
    }
  }
}
