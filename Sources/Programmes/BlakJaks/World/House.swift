internal import EventKernel
internal import Population
internal import Quantities

/// The coordinator of a world: global scan numbers, milestones, money, affiliates, the calendar.
struct House: WindowedHouse {
  private let drawSeed: UInt64
  private let season: SeasonTable
  private let shop: ShopBehaviour?
  /// Visits to the shop that only browsed.
  private(set) var browsing: Int64 = 0
  private let states: StateTable
  /// The member behind each row of the affiliate table.
  let affiliateMembers: [UInt32]
  var programme: LiveProgramme
  var chronicle = Chronicle()
  private(set) var total = CellTally()
  /// Whether members have wallets.
  let hasWallets: Bool
  /// Events of the house itself: days turned, mornings, wholesale orders.
  var events: Int64 = 0
  let pipeline: PayoutPipeline
  var partners: WholesaleTrade
  var rings: BotRings
  var social: SocialDesk?
  private var minutes: [ScanMinute] = []
  private var velocity = ScanVelocity()
  private var order = WindowOrder()
  /// Milestone comps of the last window.
  private var wins = 0
  private var settled: SettledWindows
  /// Whether each affiliate has a referred member who signed up.
  private var isActive: [Bool]
  private(set) var activeAffiliates: Int64 = 0
  private(set) var referredMembers: Int64 = 0
  /// Milestone comps by the winner's tier, trips included, in micro-USDT.
  private(set) var awardsByTier = PerTier<Int64>(repeating: 0)
  /// Members by permanent floor above Standard.
  private(set) var floors = PerTier<Int64>(repeating: 0)
  /// Checks every law after every window, where somebody asks for it.
  var audit: Audit?
  private var next: CellBroadcast

  /// - Parameters:
  ///   - affiliateMembers: The member behind each affiliate, in the order of first referral.
  /// - Throws: `MoneyError.overflow` when a scan reward leaves 64 bits.
  init(
    _ input: WorldInput, affiliateMembers: [UInt32], season: SeasonTable, states: StateTable
  ) throws(MoneyError) {
    drawSeed = input.seed
    self.affiliateMembers = affiliateMembers
    self.season = season
    self.states = states
    shop =
      input.rules.shop.enabled
      ? ShopBehaviour(input.population.shop, stateWeights: states.weights, seed: input.seed) : nil
    programme = try LiveProgramme(rules: input.rules, calendar: input.calendar)
    pipeline = PayoutPipeline(
      rules: input.rules.payouts, faults: input.faults, outages: input.outages,
      seed: input.seed, start: input.calendar.start)
    partners = WholesaleTrade(input)
    rings = BotRings(input)
    social = SocialDesk(input)
    settled = SettledWindows()
    isActive = Array(repeating: false, count: affiliateMembers.count)
    hasWallets = input.population.wallet.enabled
    let first = input.calendar.dates[0]
    next = CellBroadcast(
      rewards: programme.rewards, chipLot: input.rules.chips.lot(ofChipFrom: first),
      oldestLot: ChipLot(monthOf: first))
    _ = programme.books.affiliates.add(rows: affiliateMembers.count)
    next.bans = bans(on: first)
  }

  /// Events of the payout pipeline.
  var pipelineEvents: Int64 { pipeline.events }

  var broadcast: CellBroadcast { next }

  /// The last window whose awards are all settled.
  var settledWindow: Int32 { settled.last }

  mutating func conclude(
    _ window: Window, cells: UnsafeMutableBufferPointer<Cell>
  ) throws {
    next.turnsQuarter = false
    next.endedMonth = nil
    next.bansChanged = false
    wins = 0
    var sums = gather(window, cells)
    sums.count(rings.submit(window, cells))
    guard !sums.overflowed else {
      throw MoneyError.overflow("the money of one window")
    }
    guard !sums.chipsOverflowed else { throw RunLimit.chipsOfOneMonth }
    chronicle.today.submitted += sums.submitted
    total.add(sums)
    if let shop { browsing += shop.browsing(carts: sums.shop.carts, window: window.index) }
    try book(sums, window)
    if sums.outcomes.0 > 0 {
      try allotMilestones(window, cells, accepted: sums.scans)
      creditAffiliates(cells)
    }
    events += try partners.trade(window, &programme)
    try pipeline.advance(to: window.end, &programme.books)
    if social != nil { hostSocial(window, cells) }
    try turnCalendar(window, cells)
    // What the house credited itself has left its range where a cell says so now.
    for index in cells.indices where cells[index].tally.overflowed {
      throw MoneyError.overflow("the credits of one wallet")
    }
    settled.close(window, earliestPending: programme.books.desk.earliestPending)
    next.settledWindow = settled.last
    next.isSunset = programme.sunset.isActive
    next.rewards = programme.rewards
    if var audit {
      try audit.check(cells, self, at: window.end)
      self.audit = audit
    }
  }

  /// Books what the cells counted.
  private mutating func book(_ sums: CellTally, _ window: Window) throws(MoneyError) {
    let last = window.end - TimeSpan(microseconds: 1)
    try programme.books.sell(tins: sums.tinsSold + sums.shop.tins)
    let carrier = programme.books.rules.shop.carrierCost
    try programme.books.bookShop(
      shipping: MicroUSDT(microunits: sums.shop.shipping),
      tax: MicroUSDT(microunits: sums.shop.tax),
      carriage: try carrier.multiplied(by: sums.shop.shipped))
    try programme.books.count(scans: sums.outcomes.0)
    try payScanRewards(window)
    try programme.books.payGuarantees(
      count: sums.guaranteeCount, total: MicroUSDT(microunits: sums.guarantees), at: last)
    try programme.books.payRedemptions(
      count: sums.wallet.redemptions, total: MicroUSDT(microunits: sums.wallet.redeemed),
      at: last)
  }

  // MARK: - Scans

  private mutating func gather(
    _ window: Window, _ cells: UnsafeMutableBufferPointer<Cell>
  ) -> CellTally {
    var sums = CellTally()
    for minute in minutes.indices { minutes[minute] = ScanMinute() }
    collectNotes(cells)
    for index in cells.indices where cells[index].tally.events > 0 {
      sums.add(cells[index].tally)
      sums.overflowed = add(cells[index].minutes) || sums.overflowed
      for row in cells[index].referrals {
        referredMembers += 1
        guard !isActive[Int(row)] else { continue }
        isActive[Int(row)] = true
        activeAffiliates += 1
      }
    }
    chronicle.today.signUps += sums.signUps
    chronicle.today.purchases += sums.purchases
    velocity.enter(minutes, window, programme.books.calendar, hours: &chronicle.dashboard.hours)
    return sums
  }

  /// Takes over what traced members did, and what the house awarded them last.
  private mutating func collectNotes(_ cells: UnsafeMutableBufferPointer<Cell>) {
    for index in cells.indices where !cells[index].notes.isEmpty {
      chronicle.notes += cells[index].notes
      cells[index].notes.removeAll(keepingCapacity: true)
    }
    for index in cells.indices where !cells[index].orderNotes.isEmpty {
      for note in cells[index].orderNotes {
        let tins = note.tins == 1 ? "1 tin" : "\(note.tins) tins"
        chronicle.dashboard.tell(note.time, "order", "\(note.number) \(note.status.key), \(tins)")
      }
      cells[index].orderNotes.removeAll(keepingCapacity: true)
    }
  }

  /// Adds a cell's minutes; true when a sum of money left 64 bits.
  private mutating func add(_ cell: [ScanMinute]) -> Bool {
    while minutes.count < cell.count { minutes.append(ScanMinute()) }
    var overflowed = false
    for row in cell.indices {
      minutes[row].scans += cell[row].scans
      minutes[row].rewarded += cell[row].rewarded
      overflowed =
        CellTally.add(cell[row].rewards, to: &minutes[row].rewards) || overflowed
    }
    return overflowed
  }

  /// Pays the window's scan rewards, together where they are batched together.
  private mutating func payScanRewards(_ window: Window) throws(MoneyError) {
    let start = programme.books.calendar.start
    let rules = programme.books.rules.payouts
    var row = 0
    while row < minutes.count {
      let time = window.start + .minutes(Int64(row))
      let batch = rules.batchEnd(after: time, from: start)
      var count: Int64 = 0
      var total = MicroUSDT.zero
      repeat {
        count += Int64(minutes[row].rewarded)
        total = try total.adding(MicroUSDT(microunits: minutes[row].rewards))
        row += 1
      } while row < minutes.count
        && rules.batchEnd(after: window.start + .minutes(Int64(row)), from: start) == batch
      try programme.books.payScanRewards(count: count, total: total, at: time)
    }
  }

  /// Walks the window's scans in the total order, stopping only where the board could change.
  private mutating func allotMilestones(
    _ window: Window, _ cells: UnsafeMutableBufferPointer<Cell>, accepted: PerTier<Int64>
  ) throws(MoneyError) {
    let first = programme.board.scans + 1
    let last = programme.board.scans + accepted.all.reduce(0, +)
    let highest = Tier.allCases.last { accepted[$0] > 0 } ?? .standard
    var loaded = false
    var awards: [MilestoneAward] = []
    while programme.board.scans < last {
      let waiting = programme.board.lowestWaitingTier
      let mayTake = waiting.map { $0 <= highest } ?? false
      if !mayTake {
        let stop = min(programme.board.nextDue, last + 1) - 1
        if stop > programme.board.scans { programme.board.skip(through: stop) }
        if programme.board.scans == last { break }
      }
      if !loaded {
        order.load(window, cells: cells)
        loaded = true
      }
      let scan = programme.board.scans + 1
      let emission = order[Int(scan - first)]
      programme.board.accept(scan: scan, tier: emission.tier, awards: &awards)
      for award in awards {
        try pay(award, to: emission.member, at: emission.time, window, cells)
      }
      awards.removeAll(keepingCapacity: true)
    }
    if programme.board.hasDrawsWaiting { try draw(window, cells) }
  }

  private mutating func pay(
    _ award: MilestoneAward, to member: UInt32, at time: Instant, _ window: Window,
    _ cells: UnsafeMutableBufferPointer<Cell>
  ) throws(MoneyError) {
    let (cell, index) = Int(member).quotientAndRemainder(dividingBy: Cell.capacity)
    let affiliate = cells[cell].rows[index].affiliate
    let prize = programme.board.prizes[award.prize]
    let (comp, match) = try programme.pay(
      award, referred: affiliate != MemberRow.noAffiliate && !isSuspended(affiliate, cells),
      at: time)
    try cells[cell].credit(comp, to: index)
    if prize.kind == .crypto {
      cells[cell].award(prize.amount, .comp, to: index, at: time, window.index)
    }
    if match > .zero {
      let (owner, place) = Int(affiliateMembers[Int(affiliate)]).quotientAndRemainder(
        dividingBy: Cell.capacity)
      cells[owner].award(match, .match, to: place, at: time, window.index)
    }
    wins += 1
    awardsByTier[cells[cell].rows[index].standing.tier] += prize.amount.microunits
    chronicle.enter(award, prize: prize, time: time, member: String(member + 1))
  }

  /// Whether an affiliate lives where rewards are banned, and so earns no match.
  private func isSuspended(_ row: UInt32, _ cells: UnsafeMutableBufferPointer<Cell>) -> Bool {
    let (cell, index) = Int(affiliateMembers[Int(row)]).quotientAndRemainder(
      dividingBy: Cell.capacity)
    return cells[cell].rows[index].isSuspended
  }

  /// Draws at the window's end, among members as they stand there.
  private mutating func draw(
    _ window: Window, _ cells: UnsafeMutableBufferPointer<Cell>
  ) throws(MoneyError) {
    var drawn: [(MilestoneAward, UInt32)] = []
    let seed = drawSeed
    programme.board.draw(
      pick: { prize, dueScan in
        Self.pick(atLeast: prize.requiredTier, cells) { total in
          prizeDraw(seed: seed, prize: prize.name, dueScan: dueScan, below: total)
        }
      }, awards: &drawn)
    let last = window.end - TimeSpan(microseconds: 1)
    for (award, member) in drawn { try pay(award, to: member, at: last, window, cells) }
  }

  /// The member at a random place of all accepted scans this quarter by eligible members.
  private static func pick(
    atLeast tier: Tier, _ cells: UnsafeMutableBufferPointer<Cell>, place: (UInt64) -> UInt64
  ) -> UInt32? {
    func weight(_ cell: Int) -> Int64 {
      Tier.allCases.reduce(0) { $1 >= tier ? $0 + cells[cell].weights[$1] : $0 }
    }
    let total = cells.indices.reduce(Int64(0)) { $0 + weight($1) }
    guard total > 0 else { return nil }
    var left = Int64(place(UInt64(total)))
    for cell in cells.indices {
      let here = weight(cell)
      if left >= here {
        left -= here
        continue
      }
      for (index, row) in cells[cell].rows.enumerated()
      where row.hasSignedUp && !row.isSuspended && row.standing.tier >= tier {
        left -= Int64(row.standing.quarterScans)
        if left < 0 { return cells[cell].firstMember + UInt32(index) }
      }
    }
    return nil
  }

  private mutating func creditAffiliates(_ cells: UnsafeMutableBufferPointer<Cell>) {
    let lot = programme.books.chipLot
    let tiers = programme.books.rules.tiers
    let owners = affiliateMembers
    var reached: [(row: Int, floor: Tier)] = []
    for cell in cells.indices where !cells[cell].credits.isEmpty {
      programme.books.affiliates.credit(cells[cell].credits, lot: lot) { row, scans in
        if let floor = AffiliateTable.floorReached(referredScans: scans, tiers: tiers) {
          reached.append((row, floor))
        }
      }
    }
    for (row, floor) in reached {
      let (owner, index) = Int(owners[row]).quotientAndRemainder(dividingBy: Cell.capacity)
      let before = cells[owner].rows[index].standing.floor
      cells[owner].raiseFloor(of: index, to: floor)
      floors[before] -= 1
      floors[max(before, floor)] += 1
    }
  }

  // MARK: - Social

  private mutating func hostSocial(_ window: Window, _ cells: UnsafeMutableBufferPointer<Cell>) {
    var living = SIMD4<Int>()
    for cell in cells.indices {
      for tier in Tier.allCases { living[Int(tier.rawValue)] += Int(cells[cell].living[tier]) }
    }
    let hours = Double((window.end - window.start).microseconds) / 3.6e9
    let last = window.end - TimeSpan(microseconds: 1)
    let operational = season.operationalHours(at: last) - season.operationalHours(at: window.start)
    social?.host(
      SocialInput(
        index: UInt64(window.index), start: window.start, end: window.end,
        rateFactor: operational / hours, living: living, wins: wins), &chronicle)
  }

  // MARK: - The calendar

  private mutating func turnCalendar(
    _ window: Window, _ cells: UnsafeMutableBufferPointer<Cell>
  ) throws(MoneyError) {
    let calendar = programme.books.calendar
    let today = programme.books.today
    if calendar.fiveOClocks[today] == window.end {
      try openMorning(at: window.end, window, cells)
    }
    guard window.end == calendar.dayStarts[today + 1], today + 1 < calendar.dayCount else { return }
    closeDay(cells, isLast: false)
    try programme.turnDay()
    events += 1
    let date = calendar.dates[programme.books.today]
    next.turnsQuarter = calendar.startsQuarter(programme.books.today)
    next.chipLot = programme.books.rules.chips.lot(ofChipFrom: date)
    let month = ChipLot(monthOf: date)
    if month != next.oldestLot { next.endedMonth = next.oldestLot }
    next.oldestLot = month
    let bans = bans(on: date)
    next.bansChanged = bans != next.bans
    next.bans = bans
  }

  private mutating func openMorning(
    at five: Instant, _ window: Window, _ cells: UnsafeMutableBufferPointer<Cell>
  ) throws(MoneyError) {
    let owners = affiliateMembers
    let wasActive = programme.sunset.isActive
    try programme.openMorning(at: five) { row, share in
      let (cell, index) = Int(owners[row]).quotientAndRemainder(dividingBy: Cell.capacity)
      cells[cell].award(share, .pool, to: index, at: five, window.index + 1)
    }
    if programme.sunset.isActive && !wasActive {
      chronicle.dashboard.tell(five, "sunset", "the sunset engine turned active")
    }
    try pipeline.retryFunds(&programme.books)
    events += 1
  }

  private func bans(on date: CivilDate) -> StateFlags {
    var flags = StateFlags()
    for state in 0..<states.count where states.bansRewards(in: UInt8(state), on: date) {
      flags[UInt8(state)] = true
    }
    return flags
  }

  private mutating func closeDay(_ cells: UnsafeMutableBufferPointer<Cell>, isLast: Bool) {
    var tiers = PerTier<Int64>(repeating: 0)
    for index in cells.indices {
      for tier in Tier.allCases { tiers[tier] += cells[index].tiers[tier] }
    }
    chronicle.dashboard.enter(programme, pipeline)
    enterScans()
    enterMembers(cells)
    pipeline.closeDay()
    chronicle.closeDay(
      programme.books.calendar.dates[programme.books.today], tiers: tiers, isLast: isLast)
  }

  private mutating func enterScans() {
    let hour = velocity.lastHour
    chronicle.dashboard.table.set("day.scans.peak_per_minute", .count, velocity.peak)
    chronicle.dashboard.table.set("scans.per_minute_now", .count, velocity.perMinute)
    chronicle.dashboard.table.set("scans.last_hour", .count, hour)
    chronicle.dashboard.table.set("day.scans.submitted", .count, chronicle.today.submitted)
    velocity.closeDay()
    enterProcessing(hour)
  }

  /// What processing a scan takes at the last hour's rate, by the closed form of M/M/c; nothing
  /// where the workers cannot keep up.
  private mutating func enterProcessing(_ scansInHour: Int64) {
    let rules = programme.books.rules.scanning
    let queue = try? ErlangQueue(
      arrivalRate: Double(scansInHour) / 3_600, serviceRate: 1 / rules.service.inSeconds,
      servers: rules.workers)
    let high = queue.flatMap { try? $0.sojournQuantile(0.95) }
    chronicle.dashboard.table.set(
      "scans.processing_mean", .micros, queue.map { Int64($0.meanSojourn * 1e6) })
    chronicle.dashboard.table.set("scans.processing_p95", .micros, high.map { Int64($0 * 1e6) })
    chronicle.dashboard.table.set("scans.workers", .count, Int64(rules.workers))
  }

  /// Closes the run with the current day, complete or not.
  mutating func close(_ cells: UnsafeMutableBufferPointer<Cell>) throws(MoneyError) {
    collectNotes(cells)
    closeDay(cells, isLast: true)
    try programme.books.close()
  }
}

/// The random place of a prize draw: a pure function of (seed, prize, due number).
///
/// - Parameter total: More than 0.
/// - Returns: Uniform in 0 ..< total.
func prizeDraw(seed: UInt64, prize: String, dueScan: Int64, below total: UInt64) -> UInt64 {
  // FNV-1a keeps prizes apart by name; Philox does the rest.
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in prize.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  var stream = RandomStream(
    seed: seed, purpose: RandomPurpose.draw.rawValue,
    entity: hash ^ UInt64(bitPattern: dueScan) &* 0x9E37_79B9_7F4A_7C15)
  return stream.uniformIndex(below: total)
}
