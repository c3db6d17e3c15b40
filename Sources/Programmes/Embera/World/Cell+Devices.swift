internal import EventKernel
internal import Quantities
internal import RewardModel

/// Devices: orders and redemptions local first, what is sent later, sign-ins and looks.
extension Cell {
  /// One visit on a device: a redemption, if any, and an order, both local first.
  mutating func checkOut(
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
  mutating func sync(
    _ row: inout MemberRow, _ device: Int, _ member: UInt32, at now: Instant
  ) throws(MoneyError) {
    tally.syncs += 1
    var waiting = row[device].waiting
    while let next = pool.popFirst(&waiting) {
      let answer = try answer(next.entry, &row, member, at: now)
      guard case .redemption(let offer) = next.entry.content else {
        let lag = (now - next.created).microseconds
        tally.arrived += 1
        tally.lag += Int128(lag)
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
  mutating func answer(
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
  mutating func write(
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

  /// The member's looks at an order under way, and the one at which it has come, as far as the run goes.
  private mutating func look(_ member: UInt32, visit: UInt32, created: Instant) {
    let rules = shared.rules.status
    let eta = rules.eta(created: created)
    var view = StatusView()
    var last = created
    for look in 0...VisitModel.looks {
      var (instant, clock) = (max(eta, last), max(eta, last))
      if look < VisitModel.looks {
        let seen = shared.model.look(member: member, visit: visit, look: look, after: last)
        last = seen.instant
        (instant, clock) = (seen.instant, seen.clock)
      }
      guard instant < shared.calendar.end else { return }
      let before = view.shown
      let now = view.show(created: created, eta: eta, clock: clock, rules: rules)
      tally.looks += 1
      if now.heldBack { tally.heldBack += 1 }
      if now.status < before { tally.statusErrors += 1 }
    }
    if !view.shown.isFinal { tally.statusErrors += 1 }
  }
}
