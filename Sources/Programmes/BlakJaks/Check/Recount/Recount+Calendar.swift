internal import Quantities
internal import RewardModel

extension Recount {
  /// Midnight.
  func turnDay(at time: Instant) throws(RecountFailure) {
    mornings = 0
    try checkWaiting()
    scansByDay.append(books.days[date]?.scans ?? 0)
    if books.first == nil { books.first = date }
    date = date.adding(days: 1)
    if date.day == 1 { noteMonth() }
    if date.weekday == 0 {
      for back in 1...7 { books.endedWeeks += books.days[date.adding(days: -back)]?.profit ?? 0 }
    }
    let health = projection(through: date.adding(days: -1), month: date.monthIndex).status
    isDeferring = health == .critical && rules.guardPolicy.policy == .deferMilestones
    let isScaled = health == .critical && rules.guardPolicy.policy == .scaleScanReward
    if isDeferring || isScaled { note("guard_steps_in") }
    rewardFactor = isScaled ? rules.guardPolicy.factor.rawValue : 10_000
    guard rules.chips.enabled, date.day == 1 else { return }
    for person in members.values { endMonth(person) }
  }

  /// What a month's first day shows of rare cases.
  private func noteMonth() {
    if members.values.contains(where: { $0.affiliateChips[date.monthIndex - 1] != nil }) {
      note("affiliate_chips_expired")
    }
    guard date.month % 3 == 1 else { return }
    quarters += 1
    if quarters > 1 { note("second_quarter_turn") }
  }

  /// No payout waits for money longer than it must, where workers are quick enough to say so.
  private func checkWaiting() throws(RecountFailure) {
    guard reconciled.count == 3, rules.payouts.service <= .seconds(60) else { return }
    for (slot, payout) in payouts.slots where payout.status == .waitingForFunds {
      try expect(
        .waiting, payout.waitsSince >= reconciled[0], [],
        "payout \(slot) waits since \(payout.waitsSince)")
    }
  }

  /// The bonus of a month, and what expires with it.
  private func endMonth(_ person: PlainMember) {
    let last = date.adding(days: -1)
    let quiet = person.chips.count {
      $0.isQuiet && (!$0.isBonus || rules.chips.compounding)
    }
    // Who is banned from the new day on was not at the end of the old one.
    let wasSuspended = isSuspended(person, on: last)
    if !wasSuspended {
      let bonus = quiet / Int(rules.chips.bonusEvery)
      let month = last.adding(days: rules.chips.expiryDays).monthIndex
      for _ in 0..<bonus {
        person.chips.append(
          PlainMember.Chip(expires: month, isBonus: true, isVaulted: true))
      }
      if bonus > 0 { note("bonus_chip") }
      chips.bonus += Int64(bonus)
    }
    if wasSuspended, quiet >= Int(rules.chips.bonusEvery) {
      note(person.isExpelled ? "bonus_of_expelled" : "bonus_of_banned")
    }
    let before = person.chips.count
    person.chips.removeAll { $0.expires == last.monthIndex }
    if person.chips.count < before { note("chip_expired") }
    chips.expired += Int64(before - person.chips.count)
    for place in person.chips.indices where person.chips[place].isVaulted {
      person.chips[place].isQuiet = true
    }
  }

  // MARK: - Budget

  /// Sums of a month's days, from its first to a date of it.
  func month(_ month: Int, through last: CivilDate) -> (
    spend: Int64, budget: Int64, weight: Int64, days: Int, sums: PlainBooks.Day
  ) {
    var sums = PlainBooks.Day()
    var weight: Int64 = 0
    var count = 0
    var day = CivilDate(year: month / 12, month: month % 12 + 1, day: 1)
    while day <= last && day.monthIndex == month {
      // Days before the books began weigh nothing.
      if let first = books.first, day >= first {
        weight += rules.health.weekdayWeights[day.weekday]
        count += 1
      }
      let row = books.days[day] ?? PlainBooks.Day()
      sums.tins += row.tins
      sums.profit += row.profit
      sums.cash += row.cash
      sums.accrual += row.accrual
      sums.scans += row.scans
      day = day.adding(days: 1)
    }
    let spend = rules.compPool.recognition == .accrual ? sums.accrual : sums.cash
    return (
      spend, portion(sums.profit, rules.compPool.share.rawValue, of: 10_000), weight, count, sums
    )
  }

  /// How a month is expected to end, after a date.
  func projection(
    through last: CivilDate, month index: Int
  ) -> (basisPoints: Int64?, status: BudgetStatus?) {
    let now = month(index, through: last)
    let daysOver = last.monthIndex == index ? last.day : 0
    var rest: Int128 = 0
    let first = CivilDate(year: index / 12, month: index % 12 + 1, day: 1)
    var day = daysOver == 0 ? first : last.adding(days: 1)
    while day.monthIndex == index {
      rest += Int128(rules.health.weekdayWeights[day.weekday])
      day = day.adding(days: 1)
    }
    var rate = now
    if daysOver < rules.health.settlingDays || now.weight == 0 {
      let before = month(index - 1, through: first.adding(days: -1))
      let isEmpty = before.spend == 0 && before.budget == 0
      if before.weight > 0, !isEmpty { rate = before }
    }
    if rate.weight == 0 { rest = 0 }
    let weight = Int128(max(rate.weight, 1))
    let spend = Int128(now.spend) * weight + Int128(rate.spend) * rest
    let budget = Int128(now.budget) * weight + Int128(rate.budget) * rest
    guard budget > 0 else { return (nil, status(spend, budget)) }
    // Rounded half up.
    let points = (2 * spend * 10_000 / budget + 1) / 2
    return (Int64(clamping: points), status(spend, budget))
  }

  /// Spend against budget, compared exactly. Without a budget any spend is too much, and a month that gave
  /// back more than it earned has spent its budget before.
  func status(_ spend: Int128, _ budget: Int128) -> BudgetStatus? {
    if budget == 0, spend <= 0 { return nil }
    if budget <= 0 { return .critical }
    if spend * 10_000 < budget * Int128(rules.health.warning.rawValue) { return .normal }
    return spend * 10_000 <= budget * Int128(rules.health.critical.rawValue) ? .warning : .critical
  }

  // MARK: - Mornings

  /// 05:00: the weekly pool on Mondays, the sunset's check, the sweep.
  func openMorning(at time: Instant, _ answer: ProgrammeAnswer) throws(RecountFailure) {
    mornings += 1
    if date.weekday == 0, rules.affiliates.weeklyPool { sharePool(at: time) }
    if rules.sunset.enabled {
      let trailing = scansByDay.suffix(rules.sunset.days).reduce(0, +)
      sunsetStreak = trailing >= rules.sunset.threshold ? sunsetStreak + 1 : 0
      if sunsetSince == nil, sunsetStreak >= rules.sunset.checks {
        note("sunset")
        sunsetSince = time
      }
    }
    let transfers = sweep()
    guard case .transfers(let given) = answer else {
      throw RecountFailure(law: .treasuries, facts: "a morning led to \(answer)", members: [])
    }
    try expect(
      .treasuries, given == transfers, [],
      "the morning moves \(given.map(\.amount)), not \(transfers.map(\.amount))")
  }

  private func sharePool(at time: Instant) {
    let earned =
      portion(books.endedWeeks, rules.compPool.affiliateShare.rawValue, of: 10_000)
      + books.poolCarry - books.poolDebt
    books.endedWeeks = 0
    let pool = max(earned, 0)
    books.poolDebt = max(-earned, 0)
    if earned < 0 { note("pool_in_debt") }
    var held: [(member: UInt32, chips: Int64)] = []
    for number in affiliates {
      guard let person = members[number], !isSuspended(person) else { continue }
      let chips = affiliateChips(person)
      if chips > 0 { held.append((number, chips)) }
    }
    let all = held.reduce(0) { $0 + $1.chips }
    var (paid, holders) = (Int64(0), Int64(0))
    for (member, chips) in held {
      let share = portion(pool, chips, of: all)
      guard share > 0 else { continue }
      note("pool_share")
      promise(.pool, share, to: member, at: time)
      paid += share
      holders += 1
    }
    books.poolCarry = pool - paid
    books.pools.append(
      ProgrammeBooks.Pool(
        time: time, pool: MicroUSDT(microunits: pool), chips: all, holders: holders,
        paid: MicroUSDT(microunits: paid), carry: MicroUSDT(microunits: books.poolCarry)))
  }

  /// Chips of referred scans that have not expired.
  func affiliateChips(_ person: PlainMember) -> Int64 {
    person.affiliateChips.reduce(0) { $1.key >= date.monthIndex ? $0 + $1.value : $0 }
  }
}
