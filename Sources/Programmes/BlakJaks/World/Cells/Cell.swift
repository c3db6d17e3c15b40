internal import CKernel
internal import EventKernel
internal import HeapModule
internal import Population
internal import Quantities
internal import RewardModel

/// A few thousand members, run member by member through each window.
///
/// Who has anything to do in a window is found by comparing one 16-bit slot number a member,
/// many at a time: 8 KB for 4,096 members, read in order, instead of a queue entry pushed and
/// popped for each event. The rows of those members are then prefetched some places ahead, and what
/// they do first is drawn and adjudicated in batches.
struct Cell: WindowedCell {
  /// 2³⁶ serial numbers a cell are more than anybody can scan.
  static let serialBits: UInt64 = 36

  /// Number of the first member.
  let firstMember: UInt32
  let shared: CellRules
  /// The window in which the members act, and what the house told before it.
  private(set) var window: Window
  private(set) var broadcast: CellBroadcast
  let tierRules: TierRules
  let guarantee: GuaranteeRules
  private let rowShare: MemberShare<MemberRow>
  private let extrasShare: MemberShare<MemberExtras>?
  private let tinShare: MemberShare<UInt32>
  /// When each member is due next.
  private(set) var due: DueSlots
  /// Whether anybody has signed up by the window's end, and how many of `active` are due in it.
  private(set) var isAwake = false
  private(set) var dueCount = 0
  private let firstSignUp: Instant
  var active: [UInt16]
  /// Of the members who are due in the window, those who wait for the house.
  var held: HeldMembers
  /// What the house tells the members of the window before.
  var news: [MemberNote] = []
  var desk: ScanDesk
  /// What the house is to see of the last window; empty again as soon as it has it.
  var harvest = CellHarvest()
  /// Where it is put while the cell goes on with the next window.
  let outbox = CellOutbox()
  /// Tins of shop and wholesale on their way to members who will scan some of them.
  /// By the member's place in the cell.
  var deliveries: MemberLists<Delivery>
  /// Purchases not made in the shop yet, for which members come back.
  var returns: MemberLists<ShopReturn>
  /// Codes passed on that others have not submitted yet.
  var passed = Heap<PassedCode>()
  /// What was counted in the last window.
  var tally: CellTally
  /// Orders of the shop that are under way.
  var orders: SlotCalendar<OpenOrder>
  /// Serves one order after another, so that no list is made for each.
  var cart = Cart()
  /// Tins ordered in the shop by product.
  var productTins = [Int64](repeating: 0, count: Catalogue.count)
  /// Living members by the month of their sign-up, one row a local month of the run.
  var cohorts: [Int64]
  /// Gold chips of the cell's members.
  var chips = ChipTotals()
  /// Micro-USDT in the wallets of the cell's members, available and pending, and what of it is
  /// pending.
  var walletTotal: Int64 = 0
  var walletPending: Int64 = 0
  /// Members who have not left, by effective tier.
  var living = PerTier<Int64>(repeating: 0)
  /// Redeemed chips and trips by the member's place in the cell, in micro-USDT: what no account
  /// counts as comps.
  var beside: [UInt16: Int64] = [:]
  /// Members signed up by tier, and their weights in a draw.
  var census = TierCensus()
  /// Steps of traced members' orders that the house has not read yet.
  var orderNotes: [OrderNote] = []
  /// What the members asked of the programme, for the journal of the run.
  var journal: CellJournal
  /// What the members did in the last window, for a history of the run.
  var history: HistoryNotes
  /// The last steps of each member; empty unless somebody asks for the members.
  var steps: [MemberSteps]
  /// Its number among the cells, which is that of its print run.
  let index: UInt32
  /// How far each member has come towards the next purchase; empty where wins do not matter.
  var paces: [PurchasePace]
  /// Transactions of traced members that the house has not read yet.
  var notes: [TransactionNote] = []
  /// - Parameters:
  ///   - signUps: The instants of the members' sign-ups, at most `CellSize.capacity`.
  ///   - affiliates: Rows of their affiliates, or `MemberRow.noAffiliate`.
  ///   - broadcast: What the house tells before the first window.
  init(
    index: Int, firstMember: UInt32, signUps: ArraySlice<Instant>, affiliates: ArraySlice<UInt32>,
    shared: CellRules, memory: MemberMemory, journal: CellJournal, history: HistoryNotes,
    keepsMembers: Bool, broadcast: CellBroadcast
  ) {
    window = Window(index: -1, start: .distantPast, end: .distantPast)
    self.broadcast = broadcast
    self.index = UInt32(index)
    self.journal = journal
    self.history = history
    steps = Array(repeating: MemberSteps(), count: keepsMembers ? signUps.count : 0)
    paces = Array(repeating: PurchasePace(), count: shared.uplift == nil ? 0 : signUps.count)
    self.firstMember = firstMember
    self.shared = shared
    tally = CellTally(hasExtras: shared.hasExtras)
    firstSignUp = signUps.first ?? .distantFuture
    tierRules = shared.rules.tiers
    guarantee = shared.rules.guarantee
    rowShare = memory.rows.share(signUps.count)
    tinShare = memory.tins.share(signUps.count)
    extrasShare = memory.extras?.share(signUps.count)
    due = DueSlots(memory, members: signUps.count, clock: shared.clock)
    // With so many more at the end that loops may look ahead.
    active = Array(repeating: 0, count: due.room + MemberBatch.rowsNear)
    held = HeldMembers(
      room: memory.extras == nil ? 0 : active.count,
      traced: shared.wallet.traced - Int(firstMember))
    orders = SlotCalendar(clock: shared.clock)
    deliveries = MemberLists(members: memory.extras == nil ? 0 : signUps.count)
    returns = MemberLists(members: memory.extras == nil ? 0 : signUps.count)
    cohorts = Array(repeating: 0, count: shared.monthStarts.count)
    desk = ScanDesk(codes: shared.codes, first: UInt64(index) << Cell.serialBits)
    for (index, (signUp, affiliate)) in zip(signUps, affiliates).enumerated() {
      rows[index].signUp = signUp
      rows[index].course = MemberCourse(signUp: signUp)
      rows[index].account.affiliate = affiliate
    }
    rebase(at: 0)
  }

  /// Draws what the members are like, before the first window.
  func drawTraits() {
    let members = firstMember..<firstMember + UInt32(rows.count)
    shared.behaviour.buying.traits(
      members: members, referred: { rows[$0].account.isReferred },
      { index, traits in rows[index].course.begin(traits) })
  }

  /// The cell's members, in order.
  var rows: UnsafeMutableBufferPointer<MemberRow> { rowShare.rows }

  /// Where they begin, for loops that look at many of them.
  var firstRow: UnsafeMutablePointer<MemberRow> { rowShare.first }

  /// Where `tinsBought` begins.
  var firstTins: UnsafeMutablePointer<UInt32> { tinShare.first }

  /// Tins that each member bought, in the shop or retail.
  var tinsBought: UnsafeMutableBufferPointer<UInt32> { tinShare.rows }

  /// What members have besides their rows; empty where a scenario does not ask for it.
  var extras: UnsafeMutableBufferPointer<MemberExtras> {
    extrasShare?.rows ?? UnsafeMutableBufferPointer(start: nil, count: 0)
  }

  /// Turns the calendar and finds who is due, whose rows are asked for.
  mutating func prepare(_ window: Window, _ broadcast: CellBroadcast) {
    self.window = window
    self.broadcast = broadcast
    if tally.events > 0 { clear() }
    if broadcast.turnsQuarter { turnQuarter() }
    if shared.hasExtras { beginWindow() }
    // Members are numbered by sign-up, so a cell sleeps until its first member comes.
    isAwake = window.end > firstSignUp
    dueCount = isAwake ? collectActive() : 0
    guard let extras = extras.baseAddress else { return }
    orders.ask(at: window.start)
    for place in active[..<min(dueCount, MemberBatch.rowsAhead)] {
      MemberExtras.ask(for: extras + Int(place))
    }
  }

  mutating func handOver(to place: Int) {
    guard hasNews else { return }
    outbox.put(&tally, &harvest, at: place)
  }

  /// Whether there is anything for the house to see of the last window.
  ///
  /// A cell in which nothing happened may have been told of more money than there can be.
  var hasNews: Bool { tally.events > 0 || tally.overflow.happened }

  /// Forgets what the house has read of the last window beside the harvest.
  private mutating func clear() {
    if journal.isOn { journal.removeAll() }
    if history.isOn { history.removeAll() }
    tally = CellTally(hasExtras: shared.hasExtras)
  }

  /// Tins claimed at this cell's desk.
  var claimed: Int64 { desk.claimed }

  /// Tins printed at this cell's desk.
  var printed: UInt64 { desk.printed }

  /// See `ScanDesk.claimedTin(from:)`.
  func claimedTin(from tin: UInt64) -> UInt64? { desk.claimedTin(from: tin) }

  /// Adjudicates a code that somebody submits who is no member.
  mutating func submitForeign(_ code: TinCode) -> ScanOutcome {
    desk.submit(code, eligible: false)
  }

  // MARK: - Within a window

  /// Finds who is due in the window.
  private mutating func collectActive() -> Int {
    let first = shared.clock.slot(of: window.start)
    let last = shared.clock.slot(of: window.end - TimeSpan(microseconds: 1))
    if last - due.base > DueSlots.reach { rebase(at: first) }
    let (due, lines) = (due, rowShare.first)
    return active.withUnsafeMutableBufferPointer { active in
      guard let places = active.baseAddress else { return 0 }
      return due.take(
        from: first, through: last, into: places, lines: lines, most: MemberBatch.rowsAhead)
    }
  }

  /// Runs one member's events in the window and returns the instant of the next one.
  ///
  /// - Parameter events: How many it runs at most.
  @inline(__always)
  mutating func advance(
    _ row: inout MemberRow, _ extras: UnsafeMutablePointer<MemberExtras>?, _ member: UInt32,
    events: Int, _ shared: CellRules
  ) -> Instant {
    var left = events
    while true {
      let next = row.nextEvent(guarantee)
      guard left > 0 else { return min(next, extras?.pointee.nextEvent ?? .distantFuture) }
      left &-= 1
      if let extras, extras.pointee.nextEvent <= next, extras.pointee.nextEvent < .distantFuture {
        let own = extras.pointee.nextEvent
        guard own < window.end else { return own }
        if extras.pointee.nextDelivery == own {
          tally.events += 1
          receive(&row, &extras.pointee, member, own, shared)
          continue
        }
        if extras.pointee.nextReturn == own {
          tally.events += 1
          comeBack(&row, &extras.pointee, member, own, shared)
          continue
        }
        if own < next {
          tally.events += 1
          visit(&row, &extras.pointee, member, own, shared)
          continue
        }
      }
      guard next < window.end else { return next }
      tally.events += 1
      if row.account.guaranteePending, guarantee.due(signedUp: row.signUp) == next {
        lookAtGuarantee(&row, member, next)
      } else if row.course.nextPurchase == next {
        let draw = shared.behaviour.purchase(member: member, index: row.course.purchases)
        let plan = purchase(draw, &row, extras, member, next, shared)
        if let hours = plan.opening { row.course.open(at: shared.season.later(hours, than: next)) }
        if let hours = plan.purchase { row.course.buy(at: shared.season.later(hours, than: next)) }
      } else {
        let hours = scan(&row, extras, member, next, shared)
        row.course.open(at: shared.season.later(hours, than: next))
      }
    }
  }

  private mutating func lookAtGuarantee(
    _ row: inout MemberRow, _ member: UInt32, _ now: Instant
  ) {
    if journal.isOn { journal.add(now, member, .settleGuarantee(member: member)) }
    let look = row.account.lookAtGuarantee(member, at: now)
    // Comps that the house has not told yet, where nobody waits for it, can only make less of it; those below
    // zero have left their range, which ends the run.
    if look.comps >= .zero, look.topUp(guarantee, comps: look.comps) > .zero {
      harvest.looks.append(look)
      tally.looks += 1
    }
  }

  private mutating func signUp(
    _ row: inout MemberRow, _ extras: UnsafeMutablePointer<MemberExtras>?, _ member: UInt32,
    _ shared: CellRules
  ) {
    let wasReferred = row.account.isReferred
    row.account.enroll(guarantee: guarantee.enabled, sunset: broadcast.isSunset)
    // What `drawTraits` drew was of somebody who is referred.
    if row.account.isReferred != wasReferred {
      row.course.begin(
        shared.behaviour.traits(member: member, referred: row.account.isReferred))
    }
    census.add(row.account)
    living[row.account.standing.tier] += 1
    cohorts[shared.month(of: row.signUp)] += 1
    if row.account.isReferred { harvest.referrals.append(row.account.affiliate) }
    tally.signUps += 1
    tell(MemberHappening(time: row.signUp, member: member, tier: nil))
    tally.refusedUnderAge += shared.behaviour.refusedBefore(member)
    if let extras { beginExtras(&extras.pointee, &row, member, shared) }
    if history.isOn { noteSignUp(row, member) }
    guard journal.isOn else { return }
    let state = extras.map(\.pointee.state)
    journal.add(row.signUp, member, .signUp(member: member, state: state))
    guard row.account.isReferred else { return }
    let affiliate = journal.owners[Int(row.account.affiliate)]
    journal.add(row.signUp, member, .refer(member: member, affiliate: affiliate))
  }

  mutating func tell(_ happening: MemberHappening) {
    harvest.happenings.append(happening)
    tally.happenings += 1
  }

  private mutating func noteSignUp(_ row: MemberRow, _ member: UInt32) {
    let kinds = (BlakJaksEvent.signup.rawValue, BlakJaksEvent.refer.rawValue)
    history.add(row.signUp, member, kind: kinds.0, amount: 1)
    guard row.account.isReferred else { return }
    let affiliate = journal.owners[Int(row.account.affiliate)]
    history.add(row.signUp, member, kind: kinds.1, amount: 1, other: affiliate)
  }

  /// A purchase and what follows.
  ///
  /// - Returns: Operational hours of what it plans, which the course is to be told: the first opening
  ///   and the next purchase, nil where nothing changes.
  @inline(__always)
  mutating func purchase(
    _ draw: PurchaseDraw, _ row: inout MemberRow, _ extras: UnsafeMutablePointer<MemberExtras>?,
    _ member: UInt32, _ now: Instant, _ shared: CellRules
  ) -> (opening: Double?, purchase: Double?) {
    if !row.account.hasSignedUp { signUp(&row, extras, member, shared) }
    if row.course.leavesNext {
      leave(&row, member, now)
      return (nil, nil)
    }
    tally.neededTins += Int64(draw.tins)
    let hours = shared.season.operationalHours(at: now)
    let need = row.course.purchases
    let opening: Double?
    if shared.hasShop, let extras,
      draw.inShop || shared.shop.isDrawnFromRetail(member: member, need: need)
    {
      opening = shop(draw, need, 0, &row, &extras.pointee, member, now, shared)
    } else {
      opening = buyInRetail(draw, &row, member, now, hours: hours)
      if draw.inShop { tally.tinsSoldInShop += Int64(draw.tins) }
    }
    guard let gap = row.course.gap(after: draw, shared.behaviour) else {
      leave(&row, member, now)
      return (opening, nil)
    }
    let next =
      shared.uplift.map { paces[Int(member - firstMember)].begin(gap, at: hours, $0) } ?? hours
      + gap
    let hoursOfNext = row.course.purchaseHours(
      next, signUp: row.signUp, shared.behaviour, shared.season)
    return (opening, hoursOfNext)
  }

  mutating func leave(_ row: inout MemberRow, _ member: UInt32, _ now: Instant) {
    row.course.leave()
    if !steps.isEmpty { steps[Int(member - firstMember)].left = now }
    living[row.account.standing.tier] -= 1
    cohorts[shared.month(of: row.signUp)] -= 1
  }

  // MARK: - Bookkeeping

  @inline(__always)
  mutating func move(
    from before: MemberStanding, to after: MemberStanding, hasLeft: Bool
  ) {
    census.move(from: before, to: after)
    guard before.tier != after.tier, !hasLeft else { return }
    living[before.tier] -= 1
    living[after.tier] += 1
  }

  /// Sees when a member is due next, after something came between windows.
  mutating func plan(_ index: Int) {
    // In two steps: in one, the cell would be copied before it is changed.
    let next = nextEvent(index)
    due.writer.set(index, at: next)
  }

  /// A member's next event of any kind.
  func nextEvent(_ index: Int) -> Instant {
    let next = rows[index].nextEvent(guarantee)
    return extrasShare == nil ? next : min(next, extras[index].nextEvent)
  }

  /// Finds each member's next slot again, numbered from one that is not after the next event.
  mutating func rebase(at slot: Int64) {
    due.begin(at: slot)
    let writer = due.writer
    for index in rows.indices { writer.set(index, at: nextEvent(index)) }
  }
}
