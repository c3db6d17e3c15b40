internal import EventKernel
internal import Population
internal import Quantities
internal import RewardModel

/// The coordinator of a world: global scan numbers, milestones, money, affiliates, the calendar.
struct House: WindowedHouse {
  private let draws: SeededDraws
  /// The run's calendar.
  let calendar: ProgrammeCalendar
  /// The programme's morning of each day.
  private let mornings: [Instant]
  /// The run's local months: the first day of each, and the key of those who signed up in it.
  let cohorts: [(day: Int, key: String)]
  private let season: SeasonTable
  private let states: StateTable
  /// The member behind each row of the affiliate table.
  let affiliateMembers: [UInt32]
  /// How members are split into cells.
  let cellSize: CellSize
  var programme: LiveProgramme
  var chronicle = Chronicle()
  var total = CellTally(hasExtras: true)
  /// Whether members pass codes on.
  let sharesTins: Bool
  /// Whether members have wallets.
  let hasWallets: Bool
  /// Whether members have what `MemberExtras` holds: see `ProgrammeRules.hasExtras`.
  private let hasExtras: Bool
  /// Events of the house itself: days turned, mornings, wholesale orders.
  var events: Int64 = 0
  let pipeline: PayoutPipeline
  /// Up to which payouts are still to be run; nil where none are.
  private var payoutsUntil: Instant?
  var partners: WholesaleTrade
  var rings: BotRings
  var social: SocialDesk?
  private var minutes: [ScanMinute] = []
  var velocity: ScanVelocity
  /// Memory for the scans that are put in order.
  private var scans: [AcceptedScan] = []
  /// When milestone comps were won since midnight.
  var wins: [Instant] = []
  /// Who won them; nil where that does not matter to how they buy.
  var winners: [UInt32]?
  /// Hours of the social side so far.
  var socialHours: UInt64 = 0
  /// Whether each affiliate has a referred member who signed up.
  var isActive: [Bool]
  var activeAffiliates: Int64 = 0
  var referredMembers: Int64 = 0
  /// Milestone comps, trips included, and guarantees by the receiver's tier, in micro-USDT.
  var compsByTier = PerTier<Int64>(repeating: 0)
  /// Members by permanent floor above Standard.
  var floors = PerTier<Int64>(repeating: 0)
  /// Where the run's requests are written, if anywhere.
  var journal: WorldJournal? {
    didSet {
      pipeline.isRecording = journal != nil
      rings.isRecording = journal != nil
    }
  }
  /// Where what members did is written, if anywhere.
  var history: ((HistoryRow) -> Void)?
  /// Checks the laws after every window.
  var audit: Audit
  var next: CellBroadcast

  /// - Parameters:
  ///   - affiliateMembers: The member behind each affiliate, in the order of first referral.
  ///   - signUps: The instants of all sign-ups, ascending.
  ///   - cellSize: Nil for what suits their number.
  /// - Throws: `MoneyError.overflow` when a scan reward leaves 64 bits.
  init(
    _ input: WorldInput, affiliateMembers: [UInt32], signUps: [Instant],
    cellSize: CellSize? = nil, season: SeasonTable, states: StateTable
  ) throws(MoneyError) {
    draws = SeededDraws(seed: input.seed)
    calendar = input.calendar
    mornings = ProgrammeRules.mornings(input.calendar)
    let calendar = input.calendar
    cohorts = (0..<calendar.dayCount).filter { $0 == 0 || calendar.startsMonth($0) }
      .map { ($0, "cohort.\(calendar.dates[$0].monthLabel)") }
    self.affiliateMembers = affiliateMembers
    self.cellSize =
      cellSize
      ?? CellSize(
        members: signUps.count, hasRings: !input.population.mischief.rings.isEmpty)
    self.season = season
    self.states = states
    programme = try LiveProgramme(
      rules: input.rules, firstDate: input.calendar.dates[0])
    pipeline = PayoutPipeline(
      rules: input.rules, faults: input.faults, outages: input.outages,
      seed: input.seed, start: input.calendar.start)
    velocity = ScanVelocity(input.rules.scanning, seed: input.seed)
    partners = WholesaleTrade(input, signUps: signUps)
    rings = BotRings(input)
    social = SocialDesk(input)
    isActive = Array(repeating: false, count: affiliateMembers.count)
    if PurchaseUplift(input.population.response) != nil { winners = [] }
    hasWallets = input.population.wallet.enabled
    hasExtras = input.rules.hasExtras(wallets: hasWallets)
    if hasWallets {
      programme.books.desk.tracedMembers = UInt32(input.population.wallet.traced)
    }
    audit = Audit(input)
    sharesTins = input.population.mischief.shared > 0
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

  mutating func conclude(
    _ window: Window, cells: UnsafeMutableBufferPointer<Cell>
  ) throws {
    next.turnsQuarter = false
    next.endedMonth = nil
    next.bansChanged = false
    var sums = gather(window, cells)
    journal?.add(cells)
    if let history { HistoryNotes.write(cells.indices.map { cells[$0].history.rows }, history) }
    if window.end == calendar.dayStarts[programme.books.today + 1] {
      endDay(window, cells, &sums)
    }
    guard !sums.overflow.happened else {
      throw MoneyError.overflow("the money of one window")
    }
    guard !sums.chipsOverflowed else { throw RunLimit.chipsOfOneMonth }
    chronicle.today.submitted += sums.outcomes.total
    total.add(sums)
    try book(sums, cells)
    let won = sums.outcomes[.accepted] > 0 ? try conclude(sums, window, cells) : []
    if sums.looks > 0 { try settleGuarantees(after: won, window, cells) }
    events += try partners.trade(window, &programme, &chronicle.dashboard.feed, journal)
    payoutsUntil = window.end
    if !mayPayLater(window) {
      try catchUp()
      journal?.add(pipeline)
      var directory = directory(cells)
      programme.releaseCredits(&directory)
    }
    if window.end == calendar.dayStarts[programme.books.today + 1] {
      partners.sendHome(
        at: window.end, signedUp: UInt32(total.signUps), size: cellSize, cells)
      hostSocial(cells)
    }
    try turnCalendar(window, cells)
    next.isSunset = programme.sunset.isActive
    next.rewards = programme.rewards
    guard audit.isThorough else { return try audit.checkLaws(of: &programme, at: window.end) }
    var audit = audit
    try audit.check(cells, self, at: window.end)
    self.audit = audit
  }

  /// Whether nobody sees before the next window's end what becomes of payouts in this one: neither
  /// a wallet, nor the morning or the day's end, nor whoever follows each step.
  private func mayPayLater(_ window: Window) -> Bool {
    let today = programme.books.today
    return !hasWallets && journal == nil && !audit.isThorough && window.end != mornings[today]
      && window.end != calendar.dayStarts[today + 1]
  }

  mutating func catchUp() throws {
    guard let end = payoutsUntil else { return }
    payoutsUntil = nil
    try pipeline.advance(to: end, &programme.books)
  }

  /// Books what the cells counted.
  private mutating func book(
    _ sums: CellTally, _ cells: UnsafeMutableBufferPointer<Cell>
  ) throws(MoneyError) {
    // Apart, as what is sold is there at once and what is given back waits for the morning.
    let shop = sums.shop
    try programme.books.sell(tins: sums.tinsSold + shop.tins + shop.tinsBack)
    try programme.books.sell(tins: -shop.tinsBack)
    let carrier = programme.books.rules.shop.carrierCost
    let (shippingBack, taxBack) = (
      MicroUSDT(microunits: shop.shippingBack), MicroUSDT(microunits: shop.taxBack)
    )
    try programme.books.bookShop(
      shipping: try MicroUSDT(microunits: shop.shipping).adding(shippingBack),
      tax: try MicroUSDT(microunits: shop.tax).adding(taxBack),
      carriage: try carrier.multiplied(by: shop.shipped))
    try programme.books.bookShop(
      shipping: try MicroUSDT.zero.subtracting(shippingBack),
      tax: try MicroUSDT.zero.subtracting(taxBack), carriage: .zero)
    guard sums.redemptions > 0 else { return }
    let redemptions = cells.indices.filter { cells[$0].tally.redemptions > 0 }
      .flatMap { cells[$0].redemptions }
      .sorted { ($0.time, $0.member) < ($1.time, $1.member) }
    for redemption in redemptions {
      try programme.books.pay(
        .chipRedemption, total: redemption.worth, at: redemption.time, to: redemption.member)
    }
  }

  /// Tops up the members whose guarantees were looked at, in the order of the looks.
  private mutating func settleGuarantees(
    after won: [Win], _ window: Window, _ cells: UnsafeMutableBufferPointer<Cell>
  ) throws(MoneyError) {
    let looks = cells.indices.filter { cells[$0].tally.looks > 0 }.flatMap { cells[$0].looks }
      .sorted { ($0.time, $0.member) < ($1.time, $1.member) }
    var directory = directory(cells)
    let topUps = try programme.conclude(looks, after: won, &directory)
    for (look, topUp) in zip(looks, topUps) {
      compsByTier[look.tier] = try MicroUSDT(microunits: compsByTier[look.tier])
        .adding(topUp).microunits
    }
  }

  // MARK: - Scans

  private mutating func gather(
    _ window: Window, _ cells: UnsafeMutableBufferPointer<Cell>
  ) -> CellTally {
    var sums = CellTally(hasExtras: hasExtras)
    for minute in minutes.indices { minutes[minute] = ScanMinute() }
    collectNotes(cells)
    for index in cells.indices where cells[index].tally.events > 0 {
      sums.add(cells[index].tally)
      add(cells[index].minutes, &sums.overflow)
      if cells[index].tally.happenings > 0 {
        for happening in cells[index].happenings { chronicle.dashboard.feed.tell(happening) }
      }
      guard cells[index].tally.signUps > 0 else { continue }
      for row in cells[index].referrals {
        referredMembers += 1
        guard !isActive[Int(row)] else { continue }
        isActive[Int(row)] = true
        activeAffiliates += 1
      }
    }
    chronicle.today.signUps += sums.signUps
    chronicle.today.purchases += sums.purchases
    velocity.enter(minutes, window, calendar, hours: &chronicle.dashboard.hours)
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
        chronicle.dashboard.feed.tell(
          note.time, "order", "\(note.number) \(note.status.key), \(tins)")
      }
      cells[index].orderNotes.removeAll(keepingCapacity: true)
    }
  }

  /// Adds a cell's minutes.
  private mutating func add(
    _ cell: UnsafeMutableBufferPointer<ScanMinute>, _ overflow: inout Overflow
  ) {
    while minutes.count < cell.count { minutes.append(ScanMinute()) }
    minutes.withUnsafeMutableBufferPointer { sums in
      for row in cell.indices where cell[row].scans > 0 {
        sums[row].scans += cell[row].scans
        sums[row].rewarded += cell[row].rewarded
        overflow.add(cell[row].rewards, to: &sums[row].rewards)
        sums[row].offsets += cell[row].offsets
      }
    }
  }

  /// Lets the rules conclude the window's accepted scans.
  private mutating func conclude(
    _ sums: CellTally, _ window: Window, _ cells: UnsafeMutableBufferPointer<Cell>
  ) throws(MoneyError) -> [Win] {
    var lent: [AcceptedScan] = []
    swap(&lent, &scans)
    let runs = RewardRuns(
      next.rewards, programme.books.desk, programme.books.rules.payouts, origin: calendar.start,
      from: window.start, keepsReceivers: hasWallets)
    var batch = WindowScans(
      window, cells: cells, accepted: sums.scans, minutes: minutes, runs: runs, scans: lent)
    lent = []
    var directory = directory(cells)
    var won: [Win] = []
    try programme.conclude(&batch, &directory, draws: draws, wins: &won)
    swap(&batch.scans, &scans)
    try chronicle.dashboard.feed.tell(won, programme) { String($0 + 1) }
    for win in won {
      wins.append(win.time)
      winners?.append(win.member)
      let prize = programme.board.prizes[win.award.prize]
      compsByTier[win.tier] += prize.amount.microunits
      if prize.kind == .trip { directory.noteTrip(prize.amount, to: win.member) }
      chronicle.enter(
        win.award, prize: prize, time: win.time, member: String(win.member + 1))
    }
    return won
  }

  private func directory(
    _ cells: UnsafeMutableBufferPointer<Cell>
  ) -> CellDirectory {
    CellDirectory(
      cells: cells, size: cellSize, owners: affiliateMembers, floors: floors,
      keepsReceivers: hasExtras)
  }

  // MARK: - Social

  /// The social side of the day that ends, hour by hour, among the members at its end.
  private mutating func hostSocial(_ cells: UnsafeMutableBufferPointer<Cell>) {
    defer { wins.removeAll(keepingCapacity: true) }
    guard social != nil else { return }
    var living = SIMD4<Int>()
    for cell in cells.indices {
      for tier in Tier.allCases { living[Int(tier.rawValue)] += Int(cells[cell].living[tier]) }
    }
    let today = programme.books.today
    var start = calendar.dayStarts[today]
    while start < calendar.dayStarts[today + 1] {
      let end = min(start + .hours(1), calendar.dayStarts[today + 1])
      let hours = Double((end - start).microseconds) / 3.6e9
      let operational = season.operationalHours(at: end) - season.operationalHours(at: start)
      social?.host(
        SocialInput(
          index: socialHours, start: start, end: end, rateFactor: operational / hours,
          living: living, wins: wins.count { $0 >= start && $0 < end }), &chronicle)
      socialHours += 1
      start = end
    }
    let size = min(social?.sampleSize ?? 0, Int(total.signUps))
    let sample = (0..<UInt32(size)).compactMap { member -> SocialSample.Member? in
      let (cell, index) = cellSize.place(of: member)
      let row = cells[cell].rows[index]
      return row.hasLeft
        ? nil : SocialSample.Member(number: member, tier: row.account.standing.tier)
    }
    social?.hostSample(day: today, until: calendar.dayStarts[today + 1], living: living, sample)
  }

  /// What happens once a local day, before it is closed: bots submit.
  private mutating func endDay(
    _ window: Window, _ cells: UnsafeMutableBufferPointer<Cell>, _ sums: inout CellTally
  ) {
    let today = programme.books.today
    sums.outcomes.add(rings.submit(day: today, cells))
    for code in rings.submissions {
      journal?.add(
        window.end - TimeSpan(microseconds: 1), .scan(member: nil, code: code.text))
    }
  }

  // MARK: - The calendar

  private mutating func turnCalendar(
    _ window: Window, _ cells: UnsafeMutableBufferPointer<Cell>
  ) throws(MoneyError) {
    let today = programme.books.today
    if mornings[today] == window.end {
      try openMorning(at: window.end, window, cells)
    }
    guard window.end == calendar.dayStarts[today + 1], today + 1 < calendar.dayCount else { return }
    closeDay(cells, isLast: false)
    journal?.add(window.end, .turnDay)
    var directory = directory(cells)
    for reached in programme.floorsReached {
      let owner = affiliateMembers[Int(reached.affiliate)]
      chronicle.dashboard.feed.tell(
        window.end, .affiliate, "member \(owner + 1) is \(reached.floor.name) for life")
    }
    try programme.turnDay(&directory)
    floors = directory.floors
    for winner in winners ?? [] { directory.cheer(winner, at: window.end) }
    winners?.removeAll(keepingCapacity: true)
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
    var directory = directory(cells)
    let wasActive = programme.sunset.isActive
    journal?.add(five, .openMorning)
    let transfers = try programme.openMorning(at: five, &directory)
    try pipeline.chain.carryOut(transfers)
    try pipeline.chain.settle(through: five)
    let readings = pipeline.chain.readings
    journal?.add(five, .reconcile(chain: readings))
    try programme.books.reconcile(at: five, chain: readings)
    if programme.sunset.isActive && !wasActive {
      chronicle.dashboard.feed.tell(five, "sunset", "the sunset engine turned active")
    }
    try pipeline.retryFunds(&programme.books)
    journal?.add(pipeline)
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
      for tier in Tier.allCases { tiers[tier] += cells[index].census.members[tier] }
    }
    chronicle.dashboard.enter(programme, pipeline)
    velocity.closeDay(
      submitted: chronicle.today.submitted, hours: chronicle.dashboard.hours,
      into: &chronicle.dashboard.table)
    enterMembers(cells)
    pipeline.closeDay()
    chronicle.closeDay(
      calendar.dates[programme.books.today], tiers: tiers, isLast: isLast)
  }

  /// Closes the run with the current day, complete or not.
  mutating func close(_ cells: UnsafeMutableBufferPointer<Cell>) throws(MoneyError) {
    collectNotes(cells)
    closeDay(cells, isLast: true)
    try programme.books.close()
  }
}
