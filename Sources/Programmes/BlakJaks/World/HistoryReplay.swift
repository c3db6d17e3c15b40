package import Quantities
package import RewardModel

/// The real rulebook over what really happened, row by row.
///
/// Nothing is random here but prize draws. Rows are processed in the order (instant, row number);
/// what the rules bind to an instant runs before the rows of that instant.
package struct HistoryReplay {
  /// One member of the history.
  private struct Member: Sendable {
    var standing = MemberStanding()
    var comps = MicroUSDT.zero
    /// Row of the affiliate who referred the member.
    var affiliate: Int?
    /// Own row in the affiliate table, once somebody was referred.
    var affiliateRow: Int?
    var floor: Tier { standing.floor }
    /// Gold chips: a history tells of no vaulting and no redemption, so all are held.
    var vault = ChipVault()
    var hasSignedUp = false
  }

  private let input: WorldInput
  private let history: History
  private var programme: LiveProgramme
  private var chronicle = Chronicle()
  private var members: [Member]
  private var affiliates: [Int] = []
  private var tiers = PerTier<Int64>(repeating: 0)
  /// Accepted scans this quarter, by their member's effective tier.
  private var weights = PerTier<Int64>(repeating: 0)
  /// Members in the order of sign-up, with the instant at which the guarantee is looked at.
  private var guarantees: [(due: Instant, member: Int)] = []
  private var nextGuarantee = 0
  /// Row of the day whose morning was the last.
  private var lastMorning = -1
  private let pipeline: PayoutPipeline
  private var events: Int64 = 0
  private var chips = ChipTotals()
  /// The lot of chips from scans of the current day.
  private var chipLot: ChipLot

  /// - Parameters:
  ///   - input: Its calendar covers the history, from `calendar(for:zone:)`.
  ///   - history: At least one row.
  /// - Throws: `MoneyError.overflow` when a reward of the rules leaves 64 bits.
  package init(_ input: WorldInput, history: History) throws(MoneyError) {
    self.input = input
    self.history = history
    programme = try LiveProgramme(rules: input.rules, calendar: input.calendar)
    members = Array(repeating: Member(), count: history.members.count)
    chipLot = input.rules.chips.lot(ofChipFrom: input.calendar.dates[0])
    pipeline = PayoutPipeline(
      rules: input.rules.payouts, faults: input.faults, outages: input.outages,
      seed: input.seed, start: input.calendar.start)
  }

  /// The calendar of a replay: from the first row's local midnight to just after the last row.
  ///
  /// - Throws: `CalendarError.unknownZone`.
  package static func calendar(
    for history: History, zone: String
  ) throws(CalendarError) -> ProgrammeCalendar {
    try ProgrammeCalendar(
      zone: zone, covering: history.rows[0].instant,
      through: history.rows[history.rows.count - 1].instant)
  }

  /// Replays to the end, or until somebody asks to stop.
  ///
  /// - Parameter proceed: Asked now and then; false ends the replay there, marked interrupted.
  /// - Throws: `ReplayError` with the row at which money left its range.
  package mutating func run(
    proceed: (RunProgress) -> Bool = { _ in true }
  ) throws(ReplayError) -> BlakJaksRecord {
    let calendar = input.calendar
    var end = calendar.end
    var asked = 0
    for (place, row) in history.rows.enumerated() {
      do throws(MoneyError) {
        try advance(to: row.instant)
        try pipeline.advance(to: row.instant, &programme.books)
        try process(row)
      } catch {
        throw ReplayError(line: row.line, cause: error)
      }
      asked += Int(row.tins)
      guard asked >= 1_024 else { continue }
      asked = 0
      let progress = RunProgress(
        simulated: row.instant, start: calendar.start, end: calendar.end,
        done: Double(place + 1) / Double(history.rows.count), events: events,
        acceptedScans: programme.books.scans)
      if !proceed(progress) && place + 1 < history.rows.count {
        end = row.instant + TimeSpan(microseconds: 1)
        break
      }
    }
    do throws(MoneyError) {
      return try close(at: end)
    } catch {
      throw ReplayError(line: history.rows[history.rows.count - 1].line, cause: error)
    }
  }

  // MARK: - What the calendar brings

  /// Runs everything that is bound to instants up to and including `instant`.
  private mutating func advance(to instant: Instant) throws(MoneyError) {
    let calendar = input.calendar
    while true {
      let today = programme.books.today
      let midnight = calendar.dayStarts[today + 1]
      let five = calendar.fiveOClocks[today]
      let morning = lastMorning != today ? five : .distantFuture
      let guarantee =
        nextGuarantee < guarantees.count ? guarantees[nextGuarantee].due : .distantFuture
      let next = min(midnight, morning, guarantee)
      guard next <= instant, next != .distantFuture else { return }
      events += 1
      try pipeline.advance(to: next, &programme.books)
      if next == midnight {
        closeDay(isLast: false)
        try programme.turnDay()
        turnChips(from: calendar.dates[today], to: calendar.dates[programme.books.today])
        if calendar.startsQuarter(programme.books.today) { turnQuarter() }
      } else if next == morning {
        lastMorning = today
        try programme.openMorning(at: five)
        try pipeline.retryFunds(&programme.books)
      } else {
        try settleGuarantee()
      }
    }
  }

  /// Expires the chips of a month that is over, and finds the lot of the new day.
  private mutating func turnChips(from yesterday: CivilDate, to today: CivilDate) {
    let rules = input.rules.chips
    guard rules.enabled else { return }
    chipLot = rules.lot(ofChipFrom: today)
    let ended = ChipLot(monthOf: yesterday)
    guard ended != ChipLot(monthOf: today) else { return }
    for member in members.indices where members[member].hasSignedUp {
      chips.turn(
        members[member].vault.turnMonth(
          rules, ending: ended, bonusLot: rules.bonusLot(ending: ended)))
    }
  }

  private mutating func closeDay(isLast: Bool) {
    let today = programme.books.today
    chronicle.dashboard.enter(programme, pipeline)
    if input.rules.chips.enabled {
      chronicle.dashboard.enter(chips, input.rules.chips)
    }
    chronicle.closeDay(input.calendar.dates[today], tiers: tiers, isLast: isLast)
    pipeline.closeDay()
  }

  private mutating func settleGuarantee() throws(MoneyError) {
    let (due, member) = guarantees[nextGuarantee]
    nextGuarantee += 1
    let topUp = input.rules.guarantee.topUp(
      scans: members[member].standing.lifetimeScans, comps: members[member].comps)
    guard topUp > .zero else { return }
    try programme.books.payGuarantees(count: 1, total: topUp, at: due)
    members[member].comps = try members[member].comps.adding(topUp)
  }

  private mutating func turnQuarter() {
    tiers = PerTier(repeating: 0)
    weights = PerTier(repeating: 0)
    for index in members.indices where members[index].hasSignedUp {
      members[index].standing.turnQuarter(input.rules.tiers)
      tiers[members[index].standing.tier] += 1
    }
  }

  // MARK: - Rows

  private mutating func process(_ row: HistoryRow) throws(MoneyError) {
    events += 1
    let member = Int(row.member)
    signUp(member, at: row.instant)
    switch row.event {
    case .signup: break
    case .purchase:
      chronicle.today.purchases += 1
      try programme.books.sell(tins: Int64(row.tins))
    case .scan:
      for _ in 0..<row.tins { try scan(member, at: row.instant) }
    case .refer:
      let affiliate = Int(row.other)
      signUp(affiliate, at: row.instant)
      // While the sunset engine is active there are no new referral links.
      if !programme.sunset.isActive { members[member].affiliate = affiliateRow(of: affiliate) }
    }
  }

  private mutating func signUp(_ member: Int, at instant: Instant) {
    guard !members[member].hasSignedUp else { return }
    members[member].hasSignedUp = true
    chronicle.today.signUps += 1
    tiers[members[member].standing.tier] += 1
    let guarantee = input.rules.guarantee
    if guarantee.enabled {
      guarantees.append((due: guarantee.due(signedUp: instant), member: member))
    }
  }

  private mutating func affiliateRow(of member: Int) -> Int {
    if let row = members[member].affiliateRow { return row }
    let row = programme.books.affiliates.add()
    members[member].affiliateRow = row
    affiliates.append(member)
    return row
  }

  private mutating func scan(_ member: Int, at instant: Instant) throws(MoneyError) {
    chronicle.today.submitted += 1
    let before = members[member].standing
    let tier = members[member].standing.countScan(input.rules.tiers)
    move(from: before, to: members[member].standing)
    try programme.books.count(scans: 1)
    let reward = programme.rewards.amount[tier]
    try programme.books.payScanRewards(count: 1, total: reward, at: instant)
    members[member].comps = try members[member].comps.adding(reward)
    if input.rules.chips.enabled {
      let count = input.rules.chips.perScan
      guard members[member].vault.earn(count, lot: chipLot) else {
        throw .overflow("the gold chips of one member and month")
      }
      chips.earn(Int64(count))
    }
    var awards: [MilestoneAward] = []
    programme.board.accept(scan: programme.books.scans, tier: tier, awards: &awards)
    for award in awards { try pay(award, to: member, at: instant) }
    if programme.board.hasDrawsWaiting { try draw(at: instant) }
    guard let affiliate = members[member].affiliate else { return }
    let scans = programme.books.affiliates.credit(affiliate, lot: programme.books.chipLot)
    if let floor = AffiliateTable.floorReached(
      referredScans: scans, tiers: input.rules.tiers)
    {
      let owner = affiliates[affiliate]
      let before = members[owner].standing
      members[owner].standing.raiseFloor(to: floor)
      move(from: before, to: members[owner].standing)
    }
  }

  private mutating func move(from before: MemberStanding, to after: MemberStanding) {
    weights[before.tier] -= Int64(before.quarterScans)
    weights[after.tier] += Int64(after.quarterScans)
    tiers[before.tier] -= 1
    tiers[after.tier] += 1
  }

  private mutating func pay(
    _ award: MilestoneAward, to member: Int, at instant: Instant
  ) throws(MoneyError) {
    let (comp, _) = try programme.pay(
      award, referred: members[member].affiliate != nil, at: instant)
    members[member].comps = try members[member].comps.adding(comp)
    chronicle.enter(
      award, prize: input.rules.prizes[award.prize], time: instant,
      member: history.members[member])
  }

  private mutating func draw(at instant: Instant) throws(MoneyError) {
    var drawn: [(MilestoneAward, Int)] = []
    let members = members
    let weights = weights
    let seed = input.seed
    programme.board.draw(
      pick: { prize, dueScan in
        func weight(_ member: Member) -> Int64 {
          member.hasSignedUp && member.standing.tier >= prize.requiredTier
            ? Int64(member.standing.quarterScans) : 0
        }
        let total = Tier.allCases.reduce(Int64(0)) {
          $1 >= prize.requiredTier ? $0 + weights[$1] : $0
        }
        guard total > 0 else { return nil }
        var left = Int64(
          prizeDraw(seed: seed, prize: prize.name, dueScan: dueScan, below: UInt64(total)))
        return members.firstIndex { member in
          left -= weight(member)
          return left < 0
        }
      }, awards: &drawn)
    for (award, member) in drawn { try pay(award, to: member, at: instant) }
  }

  // MARK: - The end

  private mutating func close(at end: Instant) throws(MoneyError) -> BlakJaksRecord {
    try pipeline.advance(to: end, &programme.books)
    closeDay(isLast: true)
    try programme.books.close()
    invariant(programme.books.ledger.isBalanced, "the ledger does not balance")
    var record = try chronicle.record(
      books: programme.books, board: programme.board, seed: input.seed)
    record.scenario = input.scenario
    record.scenarioDescription = input.scenarioDescription
    record.source = .history
    record.seed = input.seed
    record.settings = input.settings
    record.end = end
    record.interrupted = end < input.calendar.end
    record.events = events + pipeline.events
    record.outcomes = ScanOutcome.allCases.map {
      BlakJaksRecord.NamedCount(name: $0.key, count: $0 == .accepted ? record.acceptedScans : 0)
    }
    for member in members where member.hasSignedUp {
      record.affiliates.floors[member.floor] += 1
      if member.affiliate != nil { record.affiliates.referred += 1 }
    }
    record.affiliates.active = Int64(Set(members.compactMap(\.affiliate)).count)
    return record
  }
}

/// Money left its range while a history was replayed.
package struct ReplayError: Error, Sendable {
  /// Line of the history file.
  package var line: UInt32
  package var cause: MoneyError
}
