internal import EventKernel
internal import Population
internal import Quantities
internal import RewardModel

/// A few thousand members with their devices, run member by member through each window.
struct Cell: WindowedCell {
  /// Members of a full cell.
  static let capacity = 4_096

  /// Number of the first member.
  let firstMember: UInt32
  let shared: CellRules
  var rows: [MemberRow]
  /// Each member's next event, side by side so that those with one are found quickly.
  var due: [Instant]
  private let firstSignUp: Instant
  var terms: ProgramTerms
  /// What waits on the members' devices.
  var pool = WaitingPool()
  /// When the orders under way were placed, in no order.
  var live: [Instant] = []
  /// Members signed up, by tier.
  var tiers = SIMD4<Int64>()
  /// Members whose subscription runs.
  var subscribers: Int64 = 0
  /// What was added in the last window.
  var sums = ProgramSums()
  var tally = EmberaTally()
  /// Orders placed on devices since the run's start, by weekday and local hour.
  var hours = [Int64](repeating: 0, count: 168)
  var vintages = PointVintages()
  /// How long orders waited on devices, in seconds.
  var lags: QuantileSketch
  /// The last window's requests, by member.
  var journal: [JournalEntry] = []
  /// The last window's orders, for a history of the run.
  private(set) var history: HistoryNotes
  /// What each member bought last; empty unless somebody asks for the members.
  var ledgers: [MemberLedger]
  /// Whether an amount left its range.
  var overflow: MoneyError?

  /// - Parameters:
  ///   - signUps: At most `capacity`, ascending.
  ///   - referred: Whether each of them was referred.
  init(
    firstMember: UInt32, signUps: ArraySlice<Instant>, referred: ArraySlice<Bool>,
    shared: CellRules, terms: ProgramTerms, lags: QuantileSketch, history: HistoryNotes,
    keepsMembers: Bool
  ) {
    self.firstMember = firstMember
    self.shared = shared
    self.terms = terms
    self.lags = lags
    self.history = history
    ledgers = Array(repeating: MemberLedger(), count: keepsMembers ? signUps.count : 0)
    firstSignUp = signUps.first ?? .distantFuture
    due = Array(signUps)
    rows = zip(signUps, referred).map { signUp, referred in
      var row = MemberRow()
      row.signUp = signUp
      row.nextVisit = signUp
      row.wasReferred = referred
      return row
    }
  }

  mutating func run(_ window: Window, _ broadcast: CellBroadcast) {
    sums = ProgramSums()
    tally = EmberaTally()
    journal.removeAll(keepingCapacity: true)
    history.removeAll()
    guard window.end > firstSignUp else { return }
    terms.month = broadcast.month
    terms.share = broadcast.share
    for index in due.indices where due[index] < window.end {
      var row = rows[index]
      let member = firstMember + UInt32(index)
      do {
        try advance(&row, member, until: window.end)
      } catch { overflow = error }
      rows[index] = row
      due[index] = row.due
    }
    endLiveStatuses(at: window.end)
  }

  /// Lets points expire with a month that has ended.
  mutating func expire(after month: Int32) -> ProgramSums {
    var sums = ProgramSums()
    for index in rows.indices {
      _ = rows[index].account.expire(after: month, shared.rules, &sums)
    }
    return sums
  }

  /// Closes a whole month.
  ///
  /// - Returns: The members' points that are old enough to judge breakage by.
  mutating func closeMonth() -> SeenPoints {
    vintages.close(rows.lazy.map(\.account), horizon: shared.rules.liability.months)
  }

  /// Members who have not left, by the month of their sign-up: the run's first month first.
  ///
  /// - Complexity: O(members).
  func living(months: Int) -> [Int64] {
    var counts = [Int64](repeating: 0, count: months)
    let calendar = shared.calendar
    let first = calendar.dates[0].monthNumber
    for row in rows where row.hasSignedUp && !row.hasLeft {
      let date = calendar.dates[calendar.dayIndex(of: row.signUp)]
      counts[Int(date.monthNumber - first)] += 1
    }
    return counts
  }

  /// Ends the live status of orders whose ETA has come.
  private mutating func endLiveStatuses(at end: Instant) {
    let rules = shared.rules.status
    let before = live.count
    live.removeAll { rules.eta(created: $0) <= end }
    tally.delivered += Int64(before - live.count)
  }

  /// Runs one member's events up to an instant.
  ///
  /// At one instant a device sends what waits before a subscription delivers, and that before the
  /// member comes.
  private mutating func advance(
    _ row: inout MemberRow, _ member: UInt32, until end: Instant
  ) throws(MoneyError) {
    while true {
      let next = row.due
      guard next < end else { return }
      tally.events += 1
      if row.first.sync == next {
        try sync(&row, 0, member, at: next)
      } else if row.second.sync == next {
        try sync(&row, 1, member, at: next)
      } else if row.nextDelivery == next {
        try deliver(&row, member, at: next)
      } else {
        try visit(&row, member, at: next)
      }
    }
  }

  // MARK: - Coming and going

  private mutating func signUp(_ row: inout MemberRow, _ member: UInt32) {
    let traits = shared.model.buying.traits(member: member, referred: row.wasReferred)
    let kind = shared.model.kind(of: member)
    row.meanGapWeeks = traits.meanGapWeeks
    row.dropout = traits.dropout
    row.hasSecondDevice = kind.hasSecondDevice
    row.intervalWeeks = UInt8(kind.intervalWeeks)
    row.account = MemberAccount(state: kind.state)
    row.hasSignedUp = true
    tiers[EmberaTier.ember.rawValue] += 1
    sums.signUps += 1
    write(.signUp(state: kind.state), member, at: row.signUp)
  }

  private mutating func visit(
    _ row: inout MemberRow, _ member: UInt32, at now: Instant
  ) throws(MoneyError) {
    if !row.hasSignedUp { signUp(&row, member) }
    if row.leavesNext { return leave(&row, member, at: now) }
    let draw = shared.model.visit(member: member, index: row.visits)
    tally.visits += 1
    let device = draw.usesSecond && row.hasSecondDevice ? 1 : 0
    try checkOut(&row, device, draw, member, at: now)
    let hours = shared.season.operationalHours(at: now)
    let buying = shared.model.buying
    var next = hours + draw.buying.gap * Double(row.meanGapWeeks) * 168
    let index = row.visits
    row.visits += 1
    if buying.leaves(after: draw.buying.dropout, index: index, dropout: row.dropout) {
      return leave(&row, member, at: now)
    }
    if buying.model == .paretoNbd {
      // Who leaves by the clock is a member to the end of the lifetime.
      let lifeEnds =
        shared.season.operationalHours(at: row.signUp) + Double(row.dropout) * 168
      if next > lifeEnds {
        next = lifeEnds
        row.leavesNext = true
      }
    }
    row.nextVisit = max(
      shared.season.instant(atOperationalHours: next), now + TimeSpan(microseconds: 1))
  }

  private mutating func leave(_ row: inout MemberRow, _ member: UInt32, at now: Instant) {
    row.hasLeft = true
    if !ledgers.isEmpty { ledgers[Int(member - firstMember)].left = now }
    row.nextVisit = .distantFuture
    tally.left += 1
    endSubscription(&row)
  }

  private mutating func endSubscription(_ row: inout MemberRow) {
    guard row.nextDelivery != .distantFuture else { return }
    row.nextDelivery = .distantFuture
    subscribers -= 1
    tally.stopped += 1
  }

  private mutating func deliver(
    _ row: inout MemberRow, _ member: UInt32, at now: Instant
  ) throws(MoneyError) {
    let entry = LogEntry(
      channel: .subscription, number: row.deliveries + 1, content: .order(row.subscription))
    _ = try answer(entry, &row, member, at: now)
    live.append(now)
    row.nextDelivery = now + .weeks(Int64(row.intervalWeeks))
    if shared.model.stops(member: member, delivery: row.deliveries) { endSubscription(&row) }
    row.deliveries += 1
  }
}

// MARK: - Devices

extension Cell {
  /// One visit on a device: a redemption, if any, and an order, both local first.
  fileprivate mutating func checkOut(
    _ row: inout MemberRow, _ device: Int, _ draw: VisitDraw, _ member: UInt32, at now: Instant
  ) throws(MoneyError) {
    let isOnline = connect(&row[device], device, member, at: now)
    if isOnline {
      signIn(&row[device], device, member, at: now)
      row[device].book.read(row.account)
    }
    let outcome = draw.payment.rawValue
    if isOnline { tally.online[outcome] += 1 } else { tally.offline[outcome] += 1 }
    let steps = Checkout.steps(draw.payment, isOnline: isOnline)
    guard steps.contains(.order) else { return }
    let sends = steps.contains(.sent)
    if let offer = shared.model.offer(draw, balance: row[device].book.balance) {
      try redeem(offer, &row, device, member, sends: sends, at: now)
    }
    var bags = draw.bags
    let begins = row.intervalWeeks > 0 && row.subscription.count == 0
    if begins {
      bags = bags.asSubscription
      row.subscription = bags
      row.nextDelivery = now + .weeks(Int64(row.intervalWeeks))
      subscribers += 1
      tally.subscribed += 1
    }
    let entry = log(.order(bags), &row[device], device)
    if sends {
      tally.placedOnline += 1
      _ = try answer(entry, &row, member, at: now)
      if draw.losesAnswer { try resend(entry, &row, member, at: now) }
      row[device].book.read(row.account)
    } else {
      tally.placedOffline += 1
      let tax = terms.tax(in: row.account.state)
      let amounts = try shared.rules.orders.amounts(bags, taxThousandths: tax)
      try row[device].book.expect(amounts.subtotal, terms)
      pool.append(WaitingEntry(entry, created: now), to: &row[device].waiting)
    }
    live.append(now)
    hours[shared.calendar.weekHour(of: now)] += 1
    look(member, visit: row.visits, created: now)
  }

  private mutating func redeem(
    _ offer: Int, _ row: inout MemberRow, _ device: Int, _ member: UInt32, sends: Bool,
    at now: Instant
  ) throws(MoneyError) {
    let entry = log(.redemption(UInt8(offer)), &row[device], device)
    if sends {
      _ = try answer(entry, &row, member, at: now)
      row[device].book.read(row.account)
    } else {
      let holds = row[device].book.reserve(shared.rules.offers[offer].points)
      invariant(holds, "a device offered what its balance does not cover")
      tally.reserved += 1
      pool.append(WaitingEntry(entry, created: now), to: &row[device].waiting)
    }
  }

  /// The next entry of a device's log.
  private func log(
    _ content: EntryContent, _ device: inout DeviceRow, _ index: Int
  ) -> LogEntry {
    LogEntry(
      channel: EntryChannel.devices[index], number: device.book.nextNumber(),
      content: content)
  }

  /// Whether a device is online; if it is not, when it will be back is drawn.
  private func connect(
    _ device: inout DeviceRow, _ index: Int, _ member: UInt32, at now: Instant
  ) -> Bool {
    guard device.known <= now else { return false }
    let known = shared.model.connection(
      member: member, device: index, index: device.questions, known: device.known, now: now)
    device.questions += 1
    device.known = known
    return known == now
  }

  /// Sends what waits on a device that is back, in its own order, and reads the account.
  fileprivate mutating func sync(
    _ row: inout MemberRow, _ device: Int, _ member: UInt32, at now: Instant
  ) throws(MoneyError) {
    tally.syncs += 1
    var waiting = row[device].waiting
    while let next = pool.popFirst(&waiting) {
      let answer = try answer(next.entry, &row, member, at: now)
      guard case .redemption(let offer) = next.entry.content else {
        let lag = (now - next.created).microseconds
        tally.arrived += 1
        tally.lag += lag
        tally.longestLag = max(tally.longestLag, lag)
        try? lags.add(Double(lag) / 1e6)
        continue
      }
      if case .redeemed = answer {
        tally.confirmed += 1
      } else {
        tally.conflicts += 1
        tally.pointsReturned += shared.rules.offers[Int(offer)].points
      }
    }
    row[device].waiting = waiting
    row[device].book.read(row.account)
  }

  /// Sends an entry whose answer was lost once more.
  private mutating func resend(
    _ entry: LogEntry, _ row: inout MemberRow, _ member: UInt32, at now: Instant
  ) throws(MoneyError) {
    tally.resent += 1
    let second = try answer(entry, &row, member, at: now)
    invariant(second == .repeated, "an entry was answered twice")
  }

  /// The server's answer to an entry.
  fileprivate mutating func answer(
    _ entry: LogEntry, _ row: inout MemberRow, _ member: UInt32, at now: Instant
  ) throws(MoneyError) -> EntryAnswer {
    let tierRules = shared.rules.tiers
    let before = tierRules.tier(earned: row.account.issued)
    let answer = try row.account.answer(entry, terms, &sums)
    let after = tierRules.tier(earned: row.account.issued)
    if after != before {
      tiers[before.rawValue] -= 1
      tiers[after.rawValue] += 1
      let seconds = (now - row.signUp).microseconds / 1_000_000
      for tier in [EmberaTier.aura, .halo] where before < tier && tier <= after {
        tally.reached[tier.rawValue - 1] += 1
        tally.secondsToReach[tier.rawValue - 1] += seconds
      }
    }
    if case .ordered(let amounts, _, _) = answer { note(amounts, member, at: now) }
    guard shared.journals else { return answer }
    switch entry.content {
    case .order(let bags):
      write(
        .order(
          member: member, channel: entry.channel, number: entry.number, contents: .bags(bags)),
        member, at: now)
    case .amount(let amount):
      write(
        .order(
          member: member, channel: entry.channel, number: entry.number, contents: .amount(amount)),
        member, at: now)
    case .redemption(let offer):
      write(
        .redeem(
          member: member, channel: entry.channel, number: entry.number,
          offer: shared.rules.offers[Int(offer)].id), member, at: now)
    }
    return answer
  }

  /// Notes an order down for the history and the list of members.
  private mutating func note(_ amounts: OrderAmounts, _ member: UInt32, at now: Instant) {
    // A history has no row for what is given away.
    if history.isOn, amounts.subtotal > .zero {
      history.add(now, member, kind: 0, amount: amounts.subtotal.microunits)
    }
    guard !ledgers.isEmpty else { return }
    // Revenue of all members together has not left 64 bits.
    ledgers[Int(member - firstMember)].revenue &+= amounts.subtotal.microunits
    ledgers[Int(member - firstMember)].lastOrder = now
  }

  /// Writes a request into the journal, where one is kept.
  fileprivate mutating func write(
    _ request: EmberaRequest, _ member: UInt32, at now: Instant
  ) {
    guard shared.journals else { return }
    journal.append(JournalEntry(instant: now, member: member, request: request))
  }

  /// Signs in on a device whose session has ended: up to three attempts, and after three refusals
  /// none for an hour.
  private mutating func signIn(
    _ device: inout DeviceRow, _ index: Int, _ member: UInt32, at now: Instant
  ) {
    guard !device.credential.isSignedIn(at: now), now >= device.nextCeremony else { return }
    if device.credential.resetIfExpired(at: now) { tally.resets += 1 }
    let rules = shared.rules.passkeys
    var clock = now
    for _ in 0..<3 {
      let attempt = shared.model.attempt(member: member, device: index, index: device.attempts)
      device.attempts += 1
      tally.ceremonies += 1
      var challenge = PasskeyChallenge(issued: clock)
      switch attempt {
      case .proper, .copied: clock = clock + .seconds(5)
      case .late: clock = clock + rules.challenge
      case .replayed: challenge.isUsed = true
      }
      let channel = EntryChannel.devices[index]
      if attempt != .replayed {
        write(.challenge(member: member, channel: channel), member, at: challenge.issued)
      }
      let counter = device.credential.counter + (attempt == .copied ? 0 : 1)
      write(.signIn(member: member, channel: channel, counter: counter), member, at: clock)
      do {
        try device.credential.signIn(&challenge, counter: counter, at: clock, rules: rules)
        return
      } catch {
        tally.refusals[error.rawValue] += 1
      }
    }
    device.nextCeremony = clock + .hours(1)
  }

  /// The member's looks at an order under way, and the one at which it has come.
  private mutating func look(_ member: UInt32, visit: UInt32, created: Instant) {
    let rules = shared.rules.status
    let eta = rules.eta(created: created)
    var view = StatusView()
    var last = created
    for look in 0...VisitModel.looks {
      var clock = max(eta, last)
      if look < VisitModel.looks {
        let seen = shared.model.look(member: member, visit: visit, look: look, after: last)
        last = seen.instant
        clock = seen.clock
      }
      let before = view.shown
      let now = view.show(created: created, eta: eta, clock: clock, rules: rules)
      tally.looks += 1
      if now.heldBack { tally.heldBack += 1 }
      if now.status < before { tally.statusErrors += 1 }
    }
    if !view.shown.isFinal { tally.statusErrors += 1 }
  }
}
