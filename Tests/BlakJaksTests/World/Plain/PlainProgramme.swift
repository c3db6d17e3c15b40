// The rules of BlakJaks written a second time, the slow and obvious way: lists and dictionaries,
// every quantity recomputed from its definition, nothing shared with the rulebook but the numbers
// of the scenario. It judges both the world and the replay of histories.
import BlakJaks
import Population
import Quantities

final class PlainMember {
  var signUp: Instant?
  var scans: [String: Int] = [:]  // accepted, by quarter label
  var lifetime = 0
  var comps: Int64 = 0
  /// Tins bought, and trips won, which are no comps of the guarantee.
  var tins: Int64 = 0
  var trips: Int64 = 0
  var affiliate: Int?
  var referredScans = 0
  /// Permanent floors with the dates on which they were reached: they count from the next on.
  var floors: [(date: CivilDate, floor: Tier)] = []
  var guaranteeSettled = false

  func floor(on date: CivilDate) -> Tier {
    floors.filter { $0.date < date }.map(\.floor).max() ?? .standard
  }
}

struct PlainSums: Equatable {
  var tins = 0
  var scans = 0
  var profit: Int64 = 0
  var cash: Int64 = 0
  var accrual: Int64 = 0
}

struct PlainPool: Equatable {
  var time: Instant
  var pool: Int64
  var chips: Int64
  var holders: Int64
  var paid: Int64
  var carry: Int64
}

final class PlainProgramme {
  let rules: ProgrammeRules
  let calendar: ProgrammeCalendar
  var members: [PlainMember]
  var scans = 0
  var waiting: [[Int]]
  var awards: [String] = []
  var days: [CivilDate: PlainSums] = [:]
  var payouts: [String: (count: Int, total: Int64)] = [:]
  var chips: [(owner: Int, expires: CivilDate)] = []
  var carry: Int64 = 0
  /// What weeks of negative gross profit still take from the pools to come.
  var debt: Int64 = 0
  var tiersByDay: [CivilDate: [Int]] = [:]
  var signUpsByDay: [CivilDate: Int] = [:]
  var pools: [PlainPool] = []
  /// What the guard leaves of a scan reward, in basis points.
  var rewardFactor: Int64 = 10_000
  /// Whether due prizes wait (guard policy).
  var deferring = false
  /// Told of every payment: type, amount, instant.
  var onPay: (String, Int64, Instant) -> Void = { _, _, _ in }
  /// Told of all that comes into a member's wallet, when the member learns of it: kind, member,
  /// amount, instant.
  var onCredit: (String, Int, Int64, Instant) -> Void = { _, _, _, _ in }
  /// Whether an affiliate lives where rewards are banned, and so earns no match and no pool share.
  var isBarred: (Int, Instant) -> Bool = { _, _ in false }

  init(rules: ProgrammeRules, calendar: ProgrammeCalendar, members: Int) {
    self.rules = rules
    self.calendar = calendar
    self.members = (0..<members).map { _ in PlainMember() }
    waiting = rules.prizes.map { _ in [] }
  }

  func date(_ instant: Instant) -> CivilDate { calendar.dates[calendar.dayIndex(of: instant)] }

  func tier(_ member: PlainMember, on date: CivilDate) -> Tier {
    func earned(_ label: String) -> Tier {
      let count = member.scans[label] ?? 0
      if count >= Int(rules.tiers.whale) { return .whale }
      if count >= Int(rules.tiers.highRoller) { return .highRoller }
      return count >= Int(rules.tiers.vip) ? .vip : .standard
    }
    let first = CivilDate(year: date.year, month: (date.quarter - 1) * 3 + 1, day: 1)
    let previous = first.adding(days: -1).quarterLabel
    let carried = rules.tiers.carry ? earned(previous) : .standard
    return max(earned(date.quarterLabel), carried, member.floor(on: date))
  }

  func signUp(_ member: Int, at instant: Instant) {
    guard members[member].signUp == nil else { return }
    members[member].signUp = instant
    signUpsByDay[date(instant), default: 0] += 1
  }

  /// Tins sold, or, below zero, taken back.
  func sell(_ tins: Int, at instant: Instant, profit: MicroUSDT? = nil) {
    days[date(instant), default: PlainSums()].tins += tins
    days[date(instant), default: PlainSums()].profit +=
      Int64(tins) * (profit ?? rules.economy.grossProfit).microunits
  }

  func pay(_ type: String, _ amount: Int64, at instant: Instant, cash: Bool, accrual: Bool) {
    guard amount > 0 else { return }
    let old = payouts[type] ?? (0, 0)
    payouts[type] = (old.count + 1, old.total + amount)
    onPay(type, amount, instant)
    if cash { days[date(instant), default: PlainSums()].cash += amount }
    if accrual { days[date(instant), default: PlainSums()].accrual += amount }
  }

  /// One accepted scan.
  func scan(_ index: Int, at instant: Instant) {
    let member = members[index]
    let today = date(instant)
    scans += 1
    member.scans[today.quarterLabel, default: 0] += 1
    member.lifetime += 1
    let tier = tier(member, on: today)
    days[today, default: PlainSums()].scans += 1
    let multiplier = rules.scanReward.multiplier[tier].rawValue
    let reward =
      rules.scanReward.base.microunits * multiplier / 10_000 * rewardFactor / 10_000
    member.comps += reward
    pay("scan_reward", reward, at: instant, cash: true, accrual: true)
    onCredit("scan_reward", index, reward, instant)
    for prize in rules.prizes where prize.kind == .trip {
      func reserve(_ n: Int) -> Int64 { prize.amount.microunits * Int64(n) / prize.every }
      days[today, default: PlainSums()].accrual += reserve(scans) - reserve(scans - 1)
    }
    for (row, prize) in rules.prizes.enumerated() {
      if scans % Int(prize.every) == 0 { waiting[row].append(scans) }
      guard let due = waiting[row].first, tier >= prize.requiredTier, !deferring else { continue }
      waiting[row].removeFirst()
      win(prize, due: due, index, at: instant)
    }
    guard let owner = member.affiliate else { return }
    let expiry = today.adding(days: rules.affiliates.chipDays)
    let next = CivilDate(year: expiry.year, month: expiry.month, day: 1).adding(days: 31)
    for _ in 0..<rules.affiliates.chipsPerScan {
      chips.append((owner, CivilDate(year: next.year, month: next.month, day: 1)))
    }
    let affiliate = members[owner]
    affiliate.referredScans += 1
    let count = affiliate.referredScans
    let floor: Tier =
      count >= Int(rules.tiers.floorWhale)
      ? .whale
      : count >= Int(rules.tiers.floorHighRoller)
        ? .highRoller : count >= Int(rules.tiers.floorVip) ? .vip : .standard
    if floor > affiliate.floors.last?.floor ?? .standard {
      affiliate.floors.append((today, floor))
    }
  }

  private func win(_ prize: Prize, due: Int, _ index: Int, at instant: Instant) {
    let member = members[index]
    awards.append("\(prize.name),\(due),\(scans),\(instant),\(index)")
    let amount = prize.amount.microunits
    pay(prize.name, amount, at: instant, cash: true, accrual: prize.kind != .trip)
    if prize.kind != .trip { member.comps += amount } else { member.trips += amount }
    guard prize.kind == .crypto else { return }
    onCredit("comp", index, amount, instant)
    guard let owner = member.affiliate, !isBarred(owner, instant) else { return }
    let match = amount * rules.affiliates.match.rawValue / 10_000
    pay("match", match, at: instant, cash: true, accrual: true)
    onCredit("match", owner, match, instant)
  }

  func settleGuarantee(_ index: Int, at instant: Instant) {
    let member = members[index]
    member.guaranteeSettled = true
    let missing = rules.guarantee.amount.microunits - member.comps
    guard member.lifetime >= Int(rules.guarantee.minimumScans), missing > 0 else { return }
    // A ban that began before the sign-up, and still stands.
    if let signUp = member.signUp, isBarred(index, signUp), isBarred(index, instant) { return }
    member.comps += missing
    pay("guarantee", missing, at: instant, cash: true, accrual: true)
    onCredit("guarantee", index, missing, instant)
  }

  /// Monday 05:00: the pool of the seven local days before.
  func payPool(on monday: CivilDate, at instant: Instant) {
    var profit: Int64 = 0
    for back in 1...7 { profit += days[monday.adding(days: -back)]?.profit ?? 0 }
    let earned = portion(profit, rules.compPool.affiliateShare.rawValue, of: 10_000)
    let pool = max(earned + carry - debt, 0)
    debt = max(debt - earned - carry, 0)
    var held: [Int: Int64] = [:]
    for chip in chips where chip.expires > monday && !isBarred(chip.owner, instant) {
      held[chip.owner, default: 0] += 1
    }
    let all = held.values.reduce(0, +)
    var row = PlainPool(time: instant, pool: pool, chips: all, holders: 0, paid: 0, carry: pool)
    for owner in members.indices {
      guard let count = held[owner] else { continue }
      let share = portion(pool, count, of: all)
      guard share > 0 else { continue }
      pay("pool", share, at: instant, cash: false, accrual: false)
      onCredit("pool", owner, share, instant)
      row.holders += 1
      row.paid += share
      row.carry -= share
    }
    carry = row.carry
    pools.append(row)
  }

  /// Midnight behind a local day.
  func closeDay(_ date: CivilDate) {
    var counts = [0, 0, 0, 0]
    for member in members where member.signUp != nil {
      counts[Int(tier(member, on: date).rawValue)] += 1
    }
    tiersByDay[date] = counts
  }
}

/// A part of an amount, multiplied first and then rounded down, below zero too.
func portion(_ amount: Int64, _ numerator: Int64, of denominator: Int64) -> Int64 {
  let product = Int128(amount) * Int128(numerator)
  let quotient = product / Int128(denominator)
  return Int64(product % Int128(denominator) < 0 ? quotient - 1 : quotient)
}
