internal import Population
internal import Quantities
internal import RewardModel

// Tins that are opened and scanned one at a time, as far as `Cell+Openings` does not take them together.
extension Cell {
  /// A tin is opened and scanned.
  ///
  /// - Returns: See `MemberCourse.openingHours(after:at:)`.
  mutating func scan(
    _ row: inout MemberRow, _ extras: UnsafeMutablePointer<MemberExtras>?, _ member: UInt32,
    _ now: Instant, _ shared: CellRules
  ) -> Double {
    let index = row.account.standing.lifetimeScans &+ UInt32(extras?.pointee.refusedScans ?? 0)
    let draw = shared.behaviour.scan(member: member, index: index)
    let code = desk.printTin()
    if journal.isOn { journal.add(now, member, .printTins(run: self.index, through: desk.printed)) }
    let outcome = submit(code, row.account, member, now)
    let hours = shared.season.operationalHours(at: now)
    return finish(draw, code, outcome, &row, extras, member, now, shared, hours: hours)
  }

  /// All that follows when the code of a member's own tin has been answered.
  ///
  /// - Returns: See `MemberCourse.openingHours(after:at:)`.
  @inline(__always)
  mutating func finish(
    _ draw: ScanDraw, _ code: TinCode, _ outcome: ScanOutcome, _ row: inout MemberRow,
    _ extras: UnsafeMutablePointer<MemberExtras>?, _ member: UInt32, _ now: Instant,
    _ shared: CellRules, hours: Double
  ) -> Double {
    // Tins opened before this one.
    let index = row.account.standing.lifetimeScans &+ UInt32(extras?.pointee.refusedScans ?? 0)
    if outcome == .accepted {
      reward(&row, extras, member, now, shared)
      if shared.behaviour.sharesTins { passOn(code, member, index, now) }
    } else {
      invariant(row.account.isSuspended, "a fresh tin of a member was refused")
      extras?.pointee.refusedScans &+= 1
    }
    submitMore(code, draw, row.account, member, index, now)
    return row.course.openingHours(after: draw, at: hours)
  }

  /// All that an accepted scan brings, up to what the house adds at the window's end.
  @inline(__always)
  private mutating func reward(
    _ row: inout MemberRow, _ extras: UnsafeMutablePointer<MemberExtras>?, _ member: UInt32,
    _ now: Instant, _ shared: CellRules
  ) {
    let before = row.account.standing
    let effect = row.account.acceptScan(tierRules, broadcast.rewards, &tally.overflow)
    move(from: before, to: row.account.standing, hasLeft: row.hasLeft)
    if effect.tier > before.tier {
      tell(MemberHappening(time: now, member: member, tier: effect.tier))
    }
    let reward = effect.reward.microunits
    tally.scans[effect.tier] += 1
    // What wraps here has left 64 bits in the sums above, too.
    tally.comps[effect.tier] &+= reward
    harvest.emissions.append(
      AcceptedScan(
        time: now, member: member,
        mark: ScanMark(tier: effect.tier, affiliate: row.account.affiliate)))
    if history.isOn {
      history.add(now, member, kind: BlakJaksEvent.scan.rawValue, amount: 1)
    }
    if row.account.isReferred { harvest.credits.append(row.account.affiliate) }
    if let extras { earn(&extras.pointee, effect.reward, member, now, shared) }
  }

  /// What an accepted scan brings besides: its reward in the wallet, chips.
  @inline(__always)
  mutating func earn(
    _ extras: inout MemberExtras, _ reward: MicroUSDT, _ member: UInt32, _ now: Instant,
    _ shared: CellRules
  ) {
    creditWallet(&extras, reward, .scanReward, member, now, shared)
    guard shared.hasChips else { return }
    if !extras.purse.earnChips(shared.rules.chips, lot: broadcast.chipLot, &chips) {
      tally.chipsOverflowed = true
    }
  }

  /// Submits codes that earn nothing, after that of a tin: it again, others.
  mutating func submitMore(
    _ code: TinCode, _ draw: ScanDraw, _ account: MemberAccount, _ member: UInt32, _ index: UInt32,
    _ now: Instant
  ) {
    for _ in 0..<draw.duplicates { _ = submit(code, account, member, now) }
    if draw.malformed + draw.guesses > 0 { mischief(draw, account, member, index, code, now) }
  }

  /// Submits a code of a member.
  @inline(__always)
  mutating func submit(
    _ code: TinCode, _ account: MemberAccount, _ member: UInt32, _ now: Instant
  ) -> ScanOutcome {
    if journal.isOn { journal.add(now, member, .scan(member: member, code: code.text)) }
    let outcome = desk.submit(code, eligible: account.isEligible)
    tally.outcomes[outcome] += 1
    return outcome
  }
}
