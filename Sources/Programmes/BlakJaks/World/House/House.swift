internal import EventKernel
internal import Population
internal import Quantities
internal import RewardModel

/// The coordinator of a world: global scan numbers, milestones, money, affiliates, the calendar.
struct House: WindowedHouse {
  let draws: SeededDraws
  /// The run's calendar.
  let calendar: ProgrammeCalendar
  /// The programme's morning of each day.
  let mornings: [Instant]
  /// The run's local months: the first day of each, and the key of those who signed up in it.
  let cohorts: [(day: Int, key: String)]
  let season: SeasonTable
  let states: StateTable
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
  let hasExtras: Bool
  /// Whether a prize is drawn among members as they stand at a scan.
  private let hasDraws: Bool
  /// Whether members may be suspended.
  private let hasBans: Bool
  /// Events of the house itself: days turned, mornings, wholesale orders.
  var events: Int64 = 0
  let pipeline: PayoutPipeline
  /// Up to which payouts are still to be run; nil where none are.
  private var payoutsUntil: Instant?
  /// What the cells handed over after the last window, until it is concluded; one for each cell.
  var harvests: [CellHarvest] = []
  /// Where the cells put that while they go on with the next window.
  var outboxes: [CellOutbox] = []
  /// A window that was handed over and is concluded beside the next one's cells; nil where none is.
  private var unconcluded: WindowYield?
  /// How many windows were.
  private(set) var concludedLate: Int64 = 0
  /// What came of it for the members of each cell, until they are told.
  var notes: [[MemberNote]] = []
  /// The end of the last window of which that came; nil where nothing did.
  private var notedAt: Instant?
  /// What was won in windows of which the cells were told nothing before the next one to conclude.
  var lateWins: [Win] = []
  /// Whether they have been told of all of that meanwhile.
  private var lateWinsAreTold = false
  var partners: WholesaleTrade
  var rings: BotRings
  var social: SocialDesk?
  /// The scans of the window that is concluded.
  var byMinute = ScansByMinute()
  var velocity: ScanVelocity
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
    chronicle.dashboard.table.reserve(days: calendar.dayCount)
    partners = WholesaleTrade(input, signUps: signUps)
    rings = BotRings(input)
    social = SocialDesk(input)
    isActive = Array(repeating: false, count: affiliateMembers.count)
    if PurchaseUplift(input.population.response) != nil { winners = [] }
    hasWallets = input.population.wallet.enabled
    hasExtras = input.rules.hasExtras(wallets: hasWallets)
    hasDraws = input.rules.prizes.contains { $0.allocation == .draw }
    hasBans = !input.rules.bans.isEmpty
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

  /// Events so far, of any kind.
  var allEvents: Int64 { total.events + events + pipelineEvents }

  var broadcast: CellBroadcast { next }

  /// Members are numbered by sign-up, which takes as long as dozens of scans.
  var longestCell: Int { Int(total.signUps) / cellSize.capacity }

  mutating func conclude(
    _ window: Window, cells: UnsafeMutableBufferPointer<Cell>
  ) throws {
    next = Self.following(next)
    try settle(cells)
    var yield = WindowYield(window: window, sums: takeHarvest(cells))
    collectNotes(cells)
    if mayConcludeLater(window) {
      total.add(yield.sums)
      unconcluded = yield
      next.holdsBack = hasExtras
      return
    }
    try enterHarvest(&yield)
    journal?.add(cells)
    if let history { HistoryNotes.write(cells.indices.map { cells[$0].history.rows }, history) }
    if isMidnight(window.end) {
      endDay(window, cells, &yield.sums)
    }
    total.add(yield.sums)
    try checkSums(yield)
    try book(yield.sums)
    if yield.sums.redemptions > 0 { try payRedemptions() }
    var members = directory(cells)
    _ = try conclude(yield, &members)
    lateWins = []
    payoutsUntil = window.end
    if !mayPayLater(window) {
      try catchUp()
      journal?.add(pipeline)
      var directory = directory(cells)
      programme.releaseCredits(&directory)
    }
    if isMidnight(window.end) {
      partners.sendHome(
        at: window.end, signedUp: UInt32(total.signUps), size: cellSize, cells)
      hostSocial(cells)
    }
    try turnCalendar(window, cells)
    next.isSunset = programme.sunset.isActive
    next.rewards = programme.rewards
    guard audit.isThorough else { return try audit.checkLaws(of: &programme, at: window.end) }
    // Nothing comes of a window without events, of which short ones are the most.
    guard audit.checkedEvents != allEvents else { return }
    var audit = audit
    try audit.check(cells, self, at: window.end)
    self.audit = audit
  }

  /// Whether nobody sees before the next window's end what becomes of payouts in this one: neither
  /// a wallet, nor the morning or the day's end, nor whoever follows each step.
  private func mayPayLater(_ window: Window) -> Bool {
    !hasWallets && journal == nil && !audit.isThorough && !isMorning(window.end)
      && !isMidnight(window.end)
  }

  /// Nothing has changed since the window before.
  static func following(_ broadcast: CellBroadcast) -> CellBroadcast {
    var following = broadcast
    following.turnsQuarter = false
    following.endedMonth = nil
    following.bansChanged = false
    following.holdsBack = false
    return following
  }

  func letsCellsGoOn(after window: Window) -> Bool { isPatient && mayConcludeLater(window) }

  mutating func conclude(_ window: Window, handedTo place: Int) throws {
    var sums = CellTally(hasExtras: hasExtras)
    for index in outboxes.indices {
      outboxes[index].take(from: place, into: &sums, &harvests[index])
    }
    total.add(sums)
    unconcluded = WindowYield(window: window, sums: sums)
    try catchUp()
  }

  /// Whether a window's end is today's morning.
  func isMorning(_ end: Instant) -> Bool { end == mornings[programme.books.today] }

  /// Whether a window's end is that of today.
  func isMidnight(_ end: Instant) -> Bool {
    end == calendar.dayStarts[programme.books.today + 1]
  }

  /// Whether a window is concluded beside the cells of the next one: those who see there what became of
  /// it wait for it, and no rule asks for members as they stood at one of its scans.
  ///
  /// A day ends alone, and so does the morning that closes the doors to affiliates, of which whoever signs up
  /// learns at once.
  private func mayConcludeLater(_ window: Window) -> Bool {
    !hasDraws && !hasBans && isUnfollowed && !isMidnight(window.end)
      && !(isMorning(window.end) && programme.sunset.closesAtNextCheck)
  }

  /// Whether no member and nobody who looks on learns anything at a window's end that is no calendar
  /// boundary.
  var isPatient: Bool { !hasExtras && !hasDraws && isUnfollowed }

  /// Whether nobody follows each window.
  private var isUnfollowed: Bool { journal == nil && history == nil && !audit.isThorough }

  var isAwaited: Bool { next.holdsBack }

  mutating func catchUp() throws {
    try concludeLater()
    try payOut()
  }

  /// Runs the payouts that are still to be run.
  private mutating func payOut() throws {
    guard let end = payoutsUntil else { return }
    payoutsUntil = nil
    try pipeline.advance(to: end, &programme.books)
  }

  /// Concludes a window that was left for later.
  private mutating func concludeLater() throws {
    guard var yield = unconcluded else { return }
    unconcluded = nil
    concludedLate += 1
    try enterHarvest(&yield)
    try checkSums(yield)
    try book(yield.sums)
    if yield.sums.redemptions > 0 { try payRedemptions() }
    // Lent as they are, not copied.
    var lent: [[MemberNote]] = []
    swap(&lent, &notes)
    var members = LateDirectory(
      owners: affiliateMembers, size: cellSize, keepsReceivers: hasExtras, notes: lent)
    lent = []
    let won = try conclude(yield, &members)
    payoutsUntil = yield.window.end
    let isMorning = isMorning(yield.window.end)
    if hasExtras || isMorning { try payOut() }
    if hasExtras { programme.releaseCredits(&members) }
    if isMorning { try openMorning(at: yield.window.end, &members) }
    if !hasExtras {
      // Else whoever looks at a guarantee is told before.
      lateWins = (lateWinsAreTold ? [] : lateWins) + won
      lateWinsAreTold = false
    }
    swap(&members.notes, &notes)
    notedAt = yield.window.end
    try audit.checkLaws(of: &programme, at: yield.window.end)
  }

  mutating func tell(_ cells: UnsafeMutableBufferPointer<Cell>) {
    notedAt = nil
    for cell in cells.indices where !notes[cell].isEmpty { swap(&cells[cell].news, &notes[cell]) }
  }

  /// Tells the members what came of a window that was concluded later, where cells have not heard it: after
  /// the last window of a call, and where nobody waits.
  ///
  /// - Throws: `MoneyError.overflow`.
  private mutating func settle(
    _ cells: UnsafeMutableBufferPointer<Cell>
  ) throws(MoneyError) {
    lateWinsAreTold = true
    guard let end = notedAt else { return }
    tell(cells)
    for cell in cells.indices where !cells[cell].news.isEmpty {
      cells[cell].hear(toldAt: end)
      guard !cells[cell].tally.overflow.happened else {
        throw .overflow("the money of one member")
      }
    }
  }

  /// Leaves nothing for later, after the last window of a call.
  ///
  /// - Throws: `MoneyError.overflow`.
  mutating func rest(_ cells: UnsafeMutableBufferPointer<Cell>) throws(MoneyError) {
    try settle(cells)
    lateWins = []
    next.holdsBack = false
  }

  /// Books what the cells counted.
  private mutating func book(_ sums: CellTally) throws(MoneyError) {
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
  }

  private mutating func payRedemptions() throws(MoneyError) {
    let redemptions = harvests.filter { !$0.redemptions.isEmpty }.flatMap(\.redemptions)
      .sorted { ($0.time, $0.member) < ($1.time, $1.member) }
    for redemption in redemptions {
      try programme.books.pay(
        .chipRedemption, total: redemption.worth, at: redemption.time, to: redemption.member)
    }
  }

  /// Takes over what traced members did, and what the house awarded them last.
  mutating func collectNotes(_ cells: UnsafeMutableBufferPointer<Cell>) {
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

  func directory(
    _ cells: UnsafeMutableBufferPointer<Cell>
  ) -> CellDirectory {
    CellDirectory(
      cells: cells, size: cellSize, owners: affiliateMembers, floors: floors,
      keepsReceivers: hasExtras)
  }
}
