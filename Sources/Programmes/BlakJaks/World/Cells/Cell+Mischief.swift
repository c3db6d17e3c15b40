internal import EventKernel
internal import Quantities

extension Cell {
  /// Codes that a member submits besides those of own tins: mistyped ones and guesses.
  @inline(never)
  mutating func mischief(
    _ draw: ScanDraw, _ account: MemberAccount, _ member: UInt32, _ index: UInt32,
    _ code: TinCode, _ now: Instant
  ) {
    var stream = shared.behaviour.guessing(member: member, index: index)
    for _ in 0..<draw.malformed {
      // A symbol too few, or one that no code has.
      let text = code.text
      let broken =
        stream.nextUInt32() & 1 == 0
        ? String(text.dropLast()) : text.replacing("-", with: "0", maxReplacements: 1)
      if journal.isOn { journal.add(now, member, .scan(member: member, code: broken)) }
      tally.outcomes[desk.submit(TinCode(broken), eligible: account.isEligible)] += 1
    }
    for _ in 0..<draw.guesses {
      // Judged against this cell's tins: another cell's is hit once in millions of runs.
      _ = submit(TinCode(bits: stream.nextUInt64() >> 4), account, member, now)
    }
  }
}
