internal import CKernel
internal import EventKernel
internal import Population
internal import Quantities
internal import Rulebook

/// What the house tells the cells at a window's start.
struct CellBroadcast: Sendable {
  /// The scan reward by tier, after what the guard leaves of it.
  var rewards: ScanRewardTable
  /// Whether a calendar quarter begins with the window.
  var turnsQuarter: Bool
}

/// What all cells of a run share and nobody changes.
final class CellRules: Sendable {
  let rules: ProgrammeRules
  let behaviour: BehaviourModel
  let season: SeasonTable
  let codes: CodeBook
  let origin: Instant
  let slotMicros: Int64
  static let minuteMicros: Int64 = 60_000_000

  init(
    rules: ProgrammeRules, behaviour: BehaviourModel, season: SeasonTable, codes: CodeBook,
    origin: Instant, slot: Span
  ) {
    self.rules = rules
    self.behaviour = behaviour
    self.season = season
    self.codes = codes
    self.origin = origin
    slotMicros = slot.microseconds
  }

  /// The number of the slot, of one window's length, that contains an instant of the run.
  @inline(__always)
  func slot(of instant: Instant) -> Int64 {
    (instant.microseconds - origin.microseconds) / slotMicros
  }
}

/// A few thousand members, run member by member through each window.
///
/// Who has anything to do in a window is found by comparing one 16-bit slot number a member,
/// sixteen at a time: 8 KB for 4,096 members, read in order, instead of a queue entry pushed and
/// popped for each event. The rows of those members are then prefetched some places ahead.
struct Cell: WindowedCell {
  /// Members of a full cell.
  static let capacity = 4_096
  private static let prefetchDistance = 8
  private static let far = UInt16.max

  /// Number of the first member.
  let firstMember: UInt32
  private let shared: CellRules
  private let tierRules: TierRules
  private let guarantee: GuaranteeRules
  private let region: MemberRegion
  /// Address of the first row in the region, which this cell keeps alive.
  private let rowsAddress: UInt
  private let memberCount: Int
  private var due: [UInt16]
  private var dueBase: Int64 = 0
  private let firstSignUp: Instant
  private var active: [UInt16]
  private var desk: ScanDesk
  /// Accepted scans of the last window, by member.
  private(set) var emissions: [Emission] = []
  /// Affiliate rows of the last window's scans by referred members.
  private(set) var credits: [UInt32] = []
  /// What was counted in the last window.
  private(set) var tally = CellTally()
  /// The last window's scans, minute by minute.
  private(set) var minutes: [ScanMinute]
  /// Members signed up, by effective tier.
  private(set) var tiers = PerTier<Int64>(repeating: 0)
  /// Accepted scans this quarter, by their member's effective tier.
  private(set) var weights = PerTier<Int64>(repeating: 0)

  /// - Parameters:
  ///   - signUps: The instants of the members' sign-ups, at most `capacity`.
  ///   - affiliates: Rows of their affiliates, or `MemberRow.noAffiliate`.
  init(
    index: Int, firstMember: UInt32, signUps: ArraySlice<Instant>, affiliates: ArraySlice<UInt32>,
    shared: CellRules, region: MemberRegion
  ) {
    self.firstMember = firstMember
    self.shared = shared
    firstSignUp = signUps.first ?? .distantFuture
    tierRules = shared.rules.tiers
    guarantee = shared.rules.guarantee
    self.region = region
    rowsAddress = region.address(of: Int(firstMember))
    memberCount = signUps.count
    let padded = (memberCount + 15) / 16 * 16
    due = Array(repeating: Cell.far, count: padded)
    active = Array(repeating: 0, count: padded)
    minutes = Array(
      repeating: ScanMinute(), count: Int((shared.slotMicros - 1) / CellRules.minuteMicros) + 1)
    // 2³⁶ serial numbers a cell are more than anybody can scan.
    desk = ScanDesk(codes: shared.codes, first: UInt64(index) << 36)
    for (index, (signUp, affiliate)) in zip(signUps, affiliates).enumerated() {
      rows[index].signUp = signUp
      rows[index].nextPurchase = signUp
      rows[index].affiliate = affiliate
    }
    rebase(at: 0)
  }

  /// The cell's members, in order.
  var rows: UnsafeMutableBufferPointer<MemberRow> {
    UnsafeMutableBufferPointer(
      start: UnsafeMutablePointer(bitPattern: rowsAddress), count: memberCount)
  }

  mutating func run(_ window: Window, _ broadcast: CellBroadcast) {
    emissions.removeAll(keepingCapacity: true)
    credits.removeAll(keepingCapacity: true)
    if tally.events > 0 {
      for minute in minutes.indices { minutes[minute] = ScanMinute() }
    }
    tally = CellTally()
    if broadcast.turnsQuarter { turnQuarter() }
    // Members are numbered by sign-up, so a cell sleeps until its first member comes.
    guard window.end > firstSignUp else { return }
    let slots = (shared.slot(of: window.start), shared.slot(of: window.end - Span(microseconds: 1)))
    if slots.1 - dueBase >= 60_000 { rebase(at: slots.0) }
    let count = collectActive(
      UInt16(truncatingIfNeeded: slots.0 - dueBase), UInt16(truncatingIfNeeded: slots.1 - dueBase))
    // Taken out for the loop, so that the compiler sees that nothing else reaches them.
    var active: [UInt16] = []
    swap(&active, &self.active)
    if let base = rows.baseAddress {
      for place in 0..<min(count, Cell.prefetchDistance) { ck_prefetch(base + Int(active[place])) }
      for place in 0..<count {
        if place + Cell.prefetchDistance < count {
          ck_prefetch(base + Int(active[place + Cell.prefetchDistance]))
        }
        let index = Int(active[place])
        let next = advance(&base[index], firstMember + UInt32(index), window, broadcast)
        due[index] = slotNumber(of: next)
      }
    }
    swap(&active, &self.active)
  }

  /// Raises a member's permanent floor.
  mutating func raiseFloor(of index: Int, to floor: Tier) {
    change(index) { $0.standing.raiseFloor(to: floor) }
  }

  /// Credits a comp that the house awarded.
  ///
  /// - Throws: `MoneyError.overflow`.
  mutating func credit(_ amount: MicroUSDT, to index: Int) throws(MoneyError) {
    rows[index].comps = try rows[index].comps.adding(amount)
  }

  /// Adds the members' standings up anew, for checks: by tier, and scans this quarter by tier.
  func recount() -> (tiers: PerTier<Int64>, weights: PerTier<Int64>) {
    var answer = (tiers: PerTier<Int64>(repeating: 0), weights: PerTier<Int64>(repeating: 0))
    for row in rows where row.hasSignedUp {
      answer.tiers[row.standing.tier] += 1
      answer.weights[row.standing.tier] += Int64(row.standing.quarterScans)
    }
    return answer
  }

  /// Tins claimed at this cell's desk.
  var claimed: Int64 { desk.claimed }

  // MARK: - Within a window

  private mutating func collectActive(_ first: UInt16, _ second: UInt16) -> Int {
    var count = 0
    due.withUnsafeBufferPointer { due in
      active.withUnsafeMutableBufferPointer { active in
        guard let lanes = due.baseAddress else { return }
        var block = 0
        while block < due.count {
          var mask = ck_equal_mask16(lanes + block, first)
          if second != first { mask |= ck_equal_mask16(lanes + block, second) }
          while mask != 0 {
            active[count] = UInt16(truncatingIfNeeded: block + mask.trailingZeroBitCount)
            count += 1
            mask &= mask &- 1
          }
          block += 16
        }
      }
    }
    return count
  }

  /// Runs one member's events in the window and returns the instant of the next one behind it.
  @inline(__always)
  private mutating func advance(
    _ row: inout MemberRow, _ member: UInt32, _ window: Window, _ broadcast: CellBroadcast
  ) -> Instant {
    while true {
      let next = row.nextEvent(guarantee)
      guard next < window.end else { return next }
      tally.events += 1
      if row.guaranteePending, guarantee.due(signedUp: row.signUp) == next {
        settleGuarantee(&row)
      } else if row.nextPurchase == next {
        purchase(&row, member, next)
      } else {
        scan(&row, member, next, window, broadcast)
      }
    }
  }

  private mutating func settleGuarantee(_ row: inout MemberRow) {
    row.settleGuarantee()
    let topUp = guarantee.topUp(scans: row.standing.lifetimeScans, comps: row.comps)
    guard topUp > .zero else { return }
    tally.guaranteeCount += 1
    let overflow = CellTally.add(topUp.microunits, to: &tally.guarantees)
    let own = CellTally.add(topUp.microunits, to: &row.comps.microunits)
    tally.overflowed = tally.overflowed || overflow || own
  }

  private mutating func signUp(_ row: inout MemberRow, _ member: UInt32) {
    let traits = shared.behaviour.traits(
      member: member, referred: row.affiliate != MemberRow.noAffiliate)
    row.meanGapWeeks = traits.meanGapWeeks
    row.dropout = traits.dropout
    row.enrol(guarantee: guarantee.enabled)
    tiers[row.standing.tier] += 1
    tally.signUps += 1
    tally.refusedUnderAge += shared.behaviour.refusedBefore(member)
  }

  private mutating func purchase(_ row: inout MemberRow, _ member: UInt32, _ now: Instant) {
    if !row.hasSignedUp { signUp(&row, member) }
    let draw = shared.behaviour.purchase(member: member, index: row.purchases)
    tally.purchases += 1
    tally.tinsSold += Int64(draw.tins)
    if draw.inShop { tally.tinsSoldInShop += Int64(draw.tins) }
    let hours = shared.season.operationalHours(at: now)
    let gapHours = Double(row.meanGapWeeks) * 168
    if draw.scanned > 0 {
      row.tinsHeld = UInt16(clamping: Int(row.tinsHeld) + draw.scanned)
      row.pace = row.tinsHeld
      if row.nextScan == .distantFuture {
        let wait = draw.firstOpening * gapHours / Double(row.pace)
        row.nextScan = later(hours + wait, than: now)
      }
    }
    let leaves = shared.behaviour.leaves(after: draw, index: row.purchases, dropout: row.dropout)
    row.purchases += 1
    var next = hours + draw.gap * gapHours
    if leaves { next = .infinity }
    if shared.behaviour.model == .paretoNbd {
      let lifeEnds =
        shared.season.operationalHours(at: row.signUp) + Double(row.dropout) * 168
      if next > lifeEnds { next = .infinity }
    }
    row.nextPurchase = later(next, than: now)
  }

  private mutating func scan(
    _ row: inout MemberRow, _ member: UInt32, _ now: Instant, _ window: Window,
    _ broadcast: CellBroadcast
  ) {
    let index = row.standing.lifetimeScans
    let draw = shared.behaviour.scan(member: member, index: index)
    let code = desk.printTin()
    let outcome = desk.submit(code, eligible: row.hasSignedUp)
    invariant(outcome == .accepted, "a fresh tin of a member was refused")
    tally.count(outcome)
    let before = row.standing
    let tier = row.standing.countScan(tierRules)
    move(from: before, to: row.standing)
    let reward = broadcast.rewards.amount[tier]
    let minute = Int((now - window.start).microseconds / CellRules.minuteMicros)
    minutes[minute].scans += 1
    minutes[minute].rewarded += reward > .zero ? 1 : 0
    let overflow = CellTally.add(reward.microunits, to: &minutes[minute].rewards)
    let own = CellTally.add(reward.microunits, to: &row.comps.microunits)
    tally.overflowed = tally.overflowed || overflow || own
    tally.scans[tier] += 1
    emissions.append(Emission(time: now, member: member, tier: tier))
    if row.affiliate != MemberRow.noAffiliate { credits.append(row.affiliate) }
    for _ in 0..<draw.duplicates { tally.count(desk.submit(code, eligible: true)) }
    if draw.malformed + draw.guesses > 0 { mischief(draw, member, index, code) }
    row.tinsHeld -= 1
    guard row.tinsHeld > 0 else {
      row.nextScan = .distantFuture
      return
    }
    let hours = shared.season.operationalHours(at: now)
    let spacing = Double(row.meanGapWeeks) * 168 / Double(row.pace)
    row.nextScan = later(hours + draw.gap * spacing, than: now)
  }

  @inline(never)
  private mutating func mischief(
    _ draw: ScanDraw, _ member: UInt32, _ index: UInt32, _ code: TinCode
  ) {
    var stream = shared.behaviour.guessing(member: member, index: index)
    for _ in 0..<draw.malformed {
      // A symbol too few, or one that no code has.
      let text = code.text
      let broken =
        stream.nextUInt32() & 1 == 0
        ? String(text.dropLast()) : text.replacing("-", with: "0", maxReplacements: 1)
      tally.count(desk.submit(TinCode(broken), eligible: true))
    }
    for _ in 0..<draw.guesses {
      tally.count(desk.submit(TinCode(bits: stream.nextUInt64() >> 4), eligible: true))
    }
  }

  /// The instant of an operational time, but at least a microsecond after `now`.
  @inline(__always)
  private func later(_ hours: Double, than now: Instant) -> Instant {
    max(
      shared.season.instant(atOperationalHours: hours), now + Span(microseconds: 1))
  }

  // MARK: - Bookkeeping

  @inline(__always)
  private mutating func move(from before: MemberStanding, to after: MemberStanding) {
    if before.tier == after.tier {
      weights[after.tier] += Int64(after.quarterScans) - Int64(before.quarterScans)
    } else {
      weights[before.tier] -= Int64(before.quarterScans)
      weights[after.tier] += Int64(after.quarterScans)
      tiers[before.tier] -= 1
      tiers[after.tier] += 1
    }
  }

  private mutating func change(_ index: Int, _ body: (inout MemberRow) -> Void) {
    let before = rows[index].standing
    body(&rows[index])
    if rows[index].hasSignedUp { move(from: before, to: rows[index].standing) }
  }

  private mutating func turnQuarter() {
    tiers = PerTier(repeating: 0)
    weights = PerTier(repeating: 0)
    for index in rows.indices where rows[index].hasSignedUp {
      rows[index].standing.turnQuarter(tierRules)
      tiers[rows[index].standing.tier] += 1
    }
  }

  @inline(__always)
  private func slotNumber(of instant: Instant) -> UInt16 {
    guard instant != .distantFuture else { return Cell.far }
    let number = shared.slot(of: instant) - dueBase
    return number < Int64(Cell.far) ? UInt16(truncatingIfNeeded: number) : Cell.far
  }

  private mutating func rebase(at slot: Int64) {
    dueBase = slot
    for index in rows.indices {
      due[index] = slotNumber(of: rows[index].nextEvent(guarantee))
    }
  }
}
