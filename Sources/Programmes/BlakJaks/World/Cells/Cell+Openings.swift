internal import EventKernel
internal import Population
internal import Quantities

// The stages of tins that are opened and scanned, many at a time. Each of them is what `scan` does for
// one tin: the same draws, the same desk, the same rules.
extension Cell {
  /// Lets the members of a batch who open a tin first do so.
  mutating func openTins(
    _ batch: inout MemberBatch, _ extras: UnsafeMutablePointer<MemberExtras>?,
    _ shared: CellRules
  ) {
    let openings = batch.openings
    let count = openings.count
    let drawn = MemberBatch.padded(count)
    MemberBatch.pad(openings.members, from: count)
    MemberBatch.pad(openings.counters, from: count)
    RandomStream.blocks(
      seed: shared.behaviour.seed, purpose: RandomPurpose.scan.rawValue,
      entities: UnsafeBufferPointer(start: openings.members, count: drawn),
      counters: UnsafeBufferPointer(start: openings.counters, count: drawn),
      into: UnsafeMutableBufferPointer(start: openings.words, count: 4 * drawn))
    desk.scanFresh(
      count, codes: UnsafeMutableBufferPointer(start: openings.codes, count: drawn),
      serials: UnsafeMutableBufferPointer(start: openings.numbers, count: drawn))
    tally.outcomes[.accepted] += Int64(count)
    tally.events += Int64(count)
    shared.season.operationalHours(
      of: UnsafeBufferPointer(start: openings.instants, count: count), from: window.start,
      until: window.end, into: openings.hours)
    accept(openings)
    finishTins(openings, shared.behaviour)
    emit(openings)
    if let extras { credit(openings, extras, shared) }
    planOpenings(&batch, extras, shared.season)
  }

  /// The members' half of the scans.
  private mutating func accept(_ openings: MemberBatch.Openings) {
    let (base, tierRules, rewards) = (firstRow, tierRules, broadcast.rewards)
    var overflow = tally.overflow
    var credits = 0
    // By tier: a scan's reward, read from memory and not chosen, and scans that do not change the tier.
    let tiers = Tier.allCases.count
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: 2 * tiers) { table in
      guard let amounts = table.baseAddress else { return }
      let steady = amounts + tiers
      for tier in Tier.allCases {
        amounts[Int(tier.rawValue)] = rewards.amount[tier].microunits
        steady[Int(tier.rawValue)] = 0
      }
      for place in 0..<openings.count {
        let row = base + openings.index(place)
        let before = row.pointee.account.standing
        let effect = row.pointee.account.acceptScan(
          tierRules, { MicroUSDT(microunits: amounts[Int($0.rawValue)]) }, &overflow)
        openings.marks[place] = ScanMark(
          tier: effect.tier, affiliate: row.pointee.account.affiliate)
        openings.credits[credits] = row.pointee.account.affiliate
        credits &+= row.pointee.account.isReferred ? 1 : 0
        let isSteady = effect.tier == before.tier
        steady[Int(effect.tier.rawValue)] &+= isSteady ? 1 : 0
        if !isSteady { riseInTier(openings, place, before) }
      }
      for tier in Tier.allCases {
        let count = steady[Int(tier.rawValue)]
        census.count(scans: count, of: tier)
        countScans(count, tier, rewards.amount[tier])
      }
    }
    tally.overflow.merge(overflow)
    harvest.credits.append(contentsOf: UnsafeBufferPointer(start: openings.credits, count: credits))
  }

  /// When the next tins are opened, and what members submit besides.
  private mutating func finishTins(
    _ openings: MemberBatch.Openings, _ behaviour: BehaviourModel
  ) {
    let base = firstRow
    let (first, second) = (openings.words, openings.words + openings.stride)
    let (third, fourth) = (second + openings.stride, second + 2 * openings.stride)
    let (usual, part) = (behaviour.usualScans, behaviour.openingPart)
    for place in 0..<openings.count {
      let row = base + openings.index(place)
      openings.hours[place] = row.pointee.course.openingHours(
        afterGap: BehaviourModel.openingGap(first[place], over: part), at: openings.hours[place])
      if usual.covers(second[place], third[place], fourth[place]) { continue }
      let draw = behaviour.scan(first[place], second[place], third[place], fourth[place])
      misbehave(openings, place, draw)
    }
    guard behaviour.sharesTins else { return }
    for place in 0..<openings.count {
      passOn(
        TinCode(bits: openings.codes[place]), openings.members[place], openings.counters[place],
        Instant(microseconds: openings.instants[place]))
    }
  }

  private mutating func countScans(_ count: Int64, _ tier: Tier, _ reward: MicroUSDT) {
    tally.scans[tier] += count
    // What wraps here has left 64 bits in the sums of the minutes, too.
    tally.comps[tier] &+= count &* reward.microunits
  }

  @inline(never)
  private mutating func riseInTier(
    _ openings: MemberBatch.Openings, _ place: Int, _ before: MemberStanding
  ) {
    let row = rows[openings.index(place)]
    let tier = row.account.standing.tier
    move(from: before, to: row.account.standing, hasLeft: row.hasLeft)
    countScans(1, tier, broadcast.rewards.amount[tier])
    guard tier > before.tier else { return }
    tell(
      MemberHappening(
        time: Instant(microseconds: openings.instants[place]), member: openings.members[place],
        tier: tier))
  }

  /// Submits codes that earn nothing.
  @inline(never)
  private mutating func misbehave(
    _ openings: MemberBatch.Openings, _ place: Int, _ draw: ScanDraw
  ) {
    let account = rows[openings.index(place)].account
    let (member, now) = (openings.members[place], Instant(microseconds: openings.instants[place]))
    submitMore(
      TinCode(bits: openings.codes[place]), draw, account, member, openings.counters[place], now)
  }

  /// Hands the scans over to the house.
  private mutating func emit(_ openings: MemberBatch.Openings) {
    for place in 0..<openings.count {
      openings.scans[place] = AcceptedScan(
        time: Instant(microseconds: openings.instants[place]), member: openings.members[place],
        mark: openings.marks[place])
    }
    harvest.emissions.append(
      contentsOf: UnsafeBufferPointer(start: openings.scans, count: openings.count))
  }

  /// What scans bring besides: rewards in wallets, chips.
  private mutating func credit(
    _ openings: MemberBatch.Openings, _ extras: UnsafeMutablePointer<MemberExtras>,
    _ shared: CellRules
  ) {
    // Apart, as the cell may not be changed while its own are lent.
    let amounts = broadcast.rewards.amount
    amounts.withValues { amounts in
      for place in 0..<openings.count {
        let own = extras + openings.index(place)
        earn(
          &own.pointee, openings.marks[place].value(in: amounts), openings.members[place],
          Instant(microseconds: openings.instants[place]), shared)
      }
    }
  }

  /// Finds the instants of the next openings and tells them to the members.
  private mutating func planOpenings(
    _ batch: inout MemberBatch, _ extras: UnsafeMutablePointer<MemberExtras>?,
    _ season: SeasonTable
  ) {
    let openings = batch.openings
    let next = UnsafeMutableRawPointer(openings.numbers)
      .bindMemory(to: Int64.self, capacity: openings.count)
    season.instants(
      of: UnsafeBufferPointer(start: openings.hours, count: openings.count),
      after: openings.instants, into: next)
    let base = firstRow
    let ahead = Ahead(self, extras)
    for place in 0..<openings.count {
      let index = openings.index(place)
      base[index].course.open(at: Instant(microseconds: next[place]))
      batch.set(openings.position(place), hasMore: ahead.look(base + index, index))
    }
  }

  /// Sees when a member is due next, after a stage.
  struct Ahead {
    private let due: DueSlots.Writer
    private let guarantee: GuaranteeClock
    private let end: Instant
    private let extras: UnsafeMutablePointer<MemberExtras>?

    init(_ cell: borrowing Cell, _ extras: UnsafeMutablePointer<MemberExtras>?) {
      (due, end) = (cell.due.writer, cell.window.end)
      guarantee = GuaranteeClock(cell.guarantee)
      self.extras = extras
    }

    /// - Returns: Whether something else is due in the window.
    @inline(__always)
    func look(_ row: UnsafeMutablePointer<MemberRow>, _ index: Int) -> Bool {
      var next = guarantee.nextEvent(row)
      if let extras { next = min(next, extras[index].nextEvent) }
      // Set in any case: who is due once more tells it again.
      due.set(index, at: next)
      return next < end
    }
  }
}
