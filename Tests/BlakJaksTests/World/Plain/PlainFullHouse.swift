import BlakJaks
// What the house of the plain whole world does at a window's end: wholesale, payouts, the
// calendar.
import EventKernel
import Population
import Quantities
import RewardModel

/// One wholesale account.
struct PlainAccount {
  var next: Instant
  var orders: UInt32 = 0
  var tins: Int64 = 0
}

/// The doors to new affiliates.
struct PlainSunset {
  var since: Instant?
  var lastCheck: Instant?
  var streak = 0
}

/// Payouts where nothing takes time but the batches and nothing fails.
struct PlainPayouts {
  struct Promise {
    var type: String
    var amount: Int64
    var count: Int64
    var time: Instant
    var batch: Instant
    /// Promises of one group are one transaction, or several of at most `batchLimit` awards.
    var group: String
  }

  let rules: PayoutRules
  let prizes: [Prize]
  let start: Instant
  var pending: [Promise] = []
  var awarded: (count: Int64, value: Int64) = (0, 0)
  var paid: (count: Int64, value: Int64) = (0, 0)
  var transactions: Int64 = 0
  var transactionsOnChain: Int64 = 0
  /// Paid for trips, from the Reserve account.
  var paidForTrips: Int64 = 0
  private var numbers = 0

  /// When an award of an instant is batched, and so paid.
  func batch(of time: Instant) -> Instant {
    let length = rules.batch.microseconds
    guard length > 0 else { return time }
    return start + rules.batch * ((time - start).microseconds / length + 1)
  }

  init(rules: PayoutRules, prizes: [Prize], start: Instant) {
    self.rules = rules
    self.prizes = prizes
    self.start = start
  }

  mutating func promise(_ type: String, _ amount: Int64, count: Int64 = 1, at time: Instant) {
    awarded = (awarded.count + count, awarded.value + amount)
    let batch = batch(of: time)
    numbers += 1
    let group = rules.batch.microseconds > 0 ? "\(type) \(batch)" : "\(numbers)"
    pending.append(
      Promise(type: type, amount: amount, count: count, time: time, batch: batch, group: group))
  }

  /// Pays all that was batched before an instant.
  mutating func pay(before end: Instant) {
    var groups: [String: (count: Int64, isOnChain: Bool)] = [:]
    for promise in pending where promise.batch < end {
      paid = (paid.count + promise.count, paid.value + promise.amount)
      let prize = prizes.first { $0.name == promise.type }
      let isOnChain = prize.map { $0.kind == .crypto } ?? true
      if prize?.kind == .trip { paidForTrips += promise.amount }
      groups[promise.group] = (
        (groups[promise.group]?.count ?? 0) + promise.count, isOnChain
      )
    }
    for group in groups.values {
      let parts = (group.count + rules.batchLimit - 1) / rules.batchLimit
      transactions += parts
      if group.isOnChain { transactionsOnChain += parts }
    }
    pending.removeAll { $0.batch < end }
  }

  /// Micro-USDT promised and not yet paid, by type.
  func owed(_ types: (String) -> Bool) -> Int64 {
    pending.reduce(0) { types($1.type) ? $0 + $1.amount : $0 }
  }
}

extension PlainFullWorld {
  /// A payment of the program becomes a promise.
  func promise(_ type: String, _ amount: Int64, at time: Instant) {
    if type != "wholesale" { payouts.promise(type, amount, at: time) }
  }

  /// All that happens between a window and the next.
  func endWindow() {
    for (kind, index, amount, time) in told.filter({ $0.kind != "guarantee" })
      + told.filter({ $0.kind == "guarantee" })
    {
      credit(index, kind, amount, at: time)
    }
    told = []
    while let row = trade.indices.filter({ trade[$0].next < window.end })
      .min(by: { (trade[$0].next, $0) < (trade[$1].next, $1) })
    {
      orderWholesale(row)
    }
    let trips = payouts.paidForTrips
    payouts.pay(before: window.end)
    banks.reserve -= payouts.paidForTrips - trips
    for member in members { member.release(paidBefore: window.end) }
    let day = calendar.dayIndex(of: window.start)
    if calendar.dayStarts[day + 1] == window.end { sendHome(at: window.end) }
    if mornings[day] == window.end {
      openMorning(calendar.dates[day], at: window.end)
    }
    guard calendar.dayStarts[day + 1] == window.end else { return }
    closeDay(calendar.dates[day])
    if day + 1 < calendar.dayCount { openDay(calendar.dates[day + 1]) }
  }

  /// Of the tins that accounts ordered on the day that ends, some will be scanned by members.
  private func sendHome(at midnight: Instant) {
    let there = UInt32(members.count { $0.traits != nil })
    for (row, number, tins) in ordered {
      for tin in 0..<wholesaleModel.scanned(account: UInt32(row), order: number, tins: tins) {
        let home = wholesaleModel.tin(
          account: UInt32(row), order: number, number: UInt32(tin), members: there
        ) { !self.members[Int($0)].hasLeft }
        guard let home else { continue }
        let time = midnight + home.pause
        members[Int(home.member)].wholesale.append((time, Float(home.firstOpening)))
        schedule(.delivery, of: Int(home.member), at: time)
      }
    }
    ordered = []
  }

  /// A wholesale tin comes home.
  func receiveWholesale(_ index: Int, at now: Instant) {
    guard let place = members[index].wholesale.firstIndex(where: { $0.time == now }) else { return }
    let opening = Double(members[index].wholesale.remove(at: place).opening)
    count("wholesale_home")
    takeHome(1, index, at: now) { member, traits in
      opening * Double(traits.meanGapWeeks) * 168 / Double(member.pace)
    }
  }

  private func orderWholesale(_ row: Int) {
    let now = trade[row].next
    let tins = wholesaleModel.tins(account: UInt32(row), order: trade[row].orders)
    ordered.append((row, trade[row].orders, tins))
    programme.sell(Int(tins), at: now, profit: rules.economy.wholesaleGrossProfit)
    count("wholesale_tins", tins)
    banks.operating += tins * rules.economy.wholesaleGrossProfit.microunits
    let each = rules.wholesale.compAmount.microunits
    let comps =
      (trade[row].tins + tins) / rules.wholesale.compEvery
      - trade[row].tins / rules.wholesale.compEvery
    for _ in 0..<comps {
      programme.pay("wholesale", each, at: now, cash: false, accrual: false)
    }
    if comps > 0 {
      payouts.promise("wholesale", comps * each, count: comps, at: now)
    }
    trade[row].next = wholesaleModel.nextOrder(
      account: UInt32(row), order: trade[row].orders, placedAt: now)
    trade[row].tins += tins
    trade[row].orders += 1
  }

  private func openMorning(_ today: CivilDate, at five: Instant) {
    if today.weekday == 0, rules.affiliates.weeklyPool { programme.payPool(on: today, at: five) }
    banks.openMorning(share: share(rules.compPool.share), trips: tripsReserved)
    guard rules.sunset.enabled else { return }
    sunset.lastCheck = five
    sunset.streak =
      trailingScans(before: today) >= rules.sunset.threshold ? sunset.streak + 1 : 0
    if sunset.since == nil, sunset.streak >= rules.sunset.checks { sunset.since = five }
  }

  /// Accepted scans of the trailing days that ended with a date's midnight.
  func trailingScans(before date: CivilDate) -> Int64 {
    (1...rules.sunset.days).reduce(0) {
      $0 + Int64(programme.days[date.adding(days: -$1)]?.scans ?? 0)
    }
  }

  private func closeDay(_ date: CivilDate) {
    programme.closeDay(date)
    health.append(projection(of: date, daysOver: date.day))
    enterFigures(of: date)
  }

  /// The first instant of a day: chips turn with the month, and the guard looks at the budget.
  private func openDay(_ date: CivilDate) {
    if date.day == 1, rules.chips.enabled {
      for (index, member) in members.enumerated() where member.traits != nil {
        let turn = member.turnMonth(
          to: date, rules.chips, earnsBonus: !isSuspended(index, on: date.adding(days: -1)))
        count("chips_of_bonus", Int64(turn.bonus))
        count("chips_expired", Int64(turn.expired))
      }
    }
    let isCritical = projection(of: date, daysOver: date.day - 1).status == .critical
    let policy = rules.guardPolicy.policy
    programme.deferring = isCritical && policy == .deferMilestones
    programme.rewardFactor =
      isCritical && policy == .scaleScanReward ? rules.guardPolicy.factor.rawValue : 10_000
  }

  /// The month's end as it is expected after some of its days: spend and budget so far, and for
  /// the seasonal weight of the days left the month's own rates, or at first those of the last.
  private func projection(
    of date: CivilDate, daysOver: Int
  ) -> (basisPoints: Int64?, status: BudgetStatus?) {
    func sums(_ label: String, _ days: Int) -> (spend: Int128, budget: Int128, weight: Int128) {
      var spend: Int64 = 0
      var profit: Int64 = 0
      var weight: Int64 = 0
      for date in calendar.dates where date.monthLabel == label && date.day <= days {
        let day = programme.days[date] ?? PlainSums()
        spend += rules.compPool.recognition == .accrual ? day.accrual : day.cash
        profit += day.profit
        weight += rules.health.weekdayWeights[date.weekday]
      }
      let budget = portion(profit, rules.compPool.share.rawValue, of: 10_000)
      return (Int128(spend), Int128(budget), Int128(weight))
    }
    let first = CivilDate(year: date.year, month: date.month, day: 1)
    let month = sums(date.monthLabel, daysOver)
    let last = sums(first.adding(days: -1).monthLabel, 31)
    var rate = month
    if daysOver < rules.health.settlingDays || month.weight == 0,
      last.weight > 0, last.spend != 0 || last.budget != 0
    {
      rate = last
    }
    var rest: Int128 = 0
    var day = first.adding(days: daysOver)
    while day.month == date.month {
      rest += Int128(rules.health.weekdayWeights[day.weekday])
      day = day.adding(days: 1)
    }
    if rate.weight == 0 { (rate.weight, rest) = (1, 0) }
    let spend = month.spend * rate.weight + rate.spend * rest
    let budget = month.budget * rate.weight + rate.budget * rest
    guard budget > 0 else { return (nil, budget < 0 || spend > 0 ? .critical : nil) }
    let status: BudgetStatus =
      spend * 10_000 < budget * Int128(rules.health.warning.rawValue)
      ? .normal
      : spend * 10_000 <= budget * Int128(rules.health.critical.rawValue) ? .warning : .critical
    // To the nearest basis point, a half upwards.
    return (Int64((2 * 10_000 * spend + budget) / (2 * budget)), status)
  }
}
