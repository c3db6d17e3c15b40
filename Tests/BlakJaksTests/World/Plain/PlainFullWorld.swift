import BlakJaks
// The whole world a second time, the slow and obvious way: one event after another in the order
// (instant, member), members and orders as objects, chips and transactions one by one. Only the
// draws of the behavior models, pure functions of (seed, member, index), are shared.
//
// It shares what the model states of itself: wallets take what the house awarded at the window's
// end, and learn there of payouts that were confirmed.
import EventKernel
import Population
import Quantities
import RewardModel

/// Something that a member does next. At one instant a delivery and a member's way back to
/// the shop come first, then a guarantee, a visit last.
struct PlainEvent {
  enum Kind: Int { case delivery, comeBack, guarantee, purchase, scan, visit, passed }

  var time: Instant
  var member: Int
  var kind: Kind

  static func precedes(_ a: PlainEvent, _ b: PlainEvent) -> Bool {
    (a.time, a.member, a.kind.rawValue) < (b.time, b.member, b.kind.rawValue)
  }
}

final class PlainFullWorld {
  let input: WorldInput
  let rules: ProgrammeRules
  let calendar: ProgrammeCalendar
  let mornings: [Instant]
  let programme: PlainProgramme
  let model: BehaviourModel
  let season: SeasonTable
  let shopModel: ShopBehaviour
  let walletModel: WalletBehaviour
  let wholesaleModel: WholesaleModel
  let members: [PlainFullMember]
  /// What is to come, the latest first.
  private var agenda: [PlainEvent] = []
  private(set) var window: Window
  var shop = PlainShop()
  var payouts: PlainPayouts
  var banks: PlainBanks
  var trade: [PlainAccount]
  /// Wholesale orders of the day: account, number, tins.
  var ordered: [(row: Int, number: UInt32, tins: Int64)] = []
  var sunset = PlainSunset()
  /// What the house awarded in the current window: wallets take it at its end.
  var told: [(kind: String, index: Int, amount: Int64, time: Instant)] = []
  /// Counts and sums since the start, by name.
  var totals: [String: Int64] = [:]
  /// Figures of every day by key.
  var figures: [String: [Int64?]] = [:]
  var purchasesByDay: [CivilDate: Int] = [:]
  var submittedByDay: [CivilDate: Int64] = [:]
  var scanTimes: [CivilDate: [Instant]] = [:]
  /// Accepted scans of each day by local hour.
  var scanHours: [[Int64]] = []
  /// The projected health at each day's end.
  var health: [(basisPoints: Int64?, status: BudgetStatus?)] = []

  init(_ input: WorldInput) {
    self.input = input
    rules = input.rules
    calendar = input.calendar
    mornings = ProgrammeRules.mornings(input.calendar)
    model = BehaviourModel(input.population, seed: input.seed)
    season = SeasonTable(input.population.season, calendar: calendar)
    shopModel = ShopBehaviour(
      input.population.shop, stateWeights: rules.states.map { Double($0.weight) },
      share: input.population.tins.shop,
      seed: input.seed)
    walletModel = WalletBehaviour(input.population.wallet, seed: input.seed)
    let signUps = AdoptionCurve.signUps(
      input.population, calendar: calendar, season: season, seed: input.seed)
    wholesaleModel = WholesaleModel(
      input.population, signUps: signUps, calendar: calendar, seed: input.seed)
    programme = PlainProgramme(
      rules: rules, calendar: calendar, members: signUps.count)
    members = signUps.map { _ in PlainFullMember() }
    payouts = PlainPayouts(rules: rules.payouts, prizes: rules.prizes, start: calendar.start)
    let treasury = rules.treasury
    banks = PlainBanks(
      operating: treasury.opening.operatingBank.microunits,
      reserve: treasury.opening.reserveBank.microunits, float: treasury.float.microunits)
    let wholesale = wholesaleModel
    trade = (0..<rules.wholesale.accounts).map {
      PlainAccount(next: wholesale.firstOrder(account: UInt32($0)))
    }
    let windows = Array(World.windows(calendar, length: input.window))
    window = windows[0]
    programme.onPay = { [unowned self] in promise($0, $1, at: $2) }
    programme.onCredit = { [unowned self] kind, index, amount, time in
      if ["comp", "match", "guarantee"].contains(kind) {
        told.append((kind, index, amount, time))
      } else {
        credit(index, kind, amount, at: time)
      }
    }
    programme.isBarred = { [unowned self] in isSuspended($0, on: date($1)) }
    for (index, signUp) in signUps.enumerated() {
      programme.members[index].affiliate = model.referrer(of: UInt32(index)).map(Int.init)
      schedule(.purchase, of: index, at: signUp)
    }
    for window in windows {
      self.window = window
      while true {
        let step = shop.open.first?.next ?? .distantFuture
        let event = agenda.last?.time ?? .distantFuture
        guard min(step, event) < window.end else { break }
        // At one instant what the shop does comes first.
        if step <= event { stepOrder() } else { happen(agenda.removeLast()) }
      }
      endWindow()
    }
  }

  func date(_ instant: Instant) -> CivilDate { programme.date(instant) }

  func count(_ what: String, _ number: Int64 = 1) { totals[what, default: 0] += number }

  /// Whether the state in which a member lives bans rewards on a date.
  func isSuspended(_ index: Int, on date: CivilDate) -> Bool {
    guard !rules.states.isEmpty else { return false }
    let code = rules.states[members[index].state].code
    guard let ban = rules.bans.first(where: { $0.state == code }) else { return false }
    return ban.date <= date
  }

  func schedule(_ kind: PlainEvent.Kind, of member: Int, at time: Instant?) {
    guard let time else { return }
    let event = PlainEvent(time: time, member: member, kind: kind)
    var low = 0
    var high = agenda.count
    while low < high {
      let middle = (low + high) / 2
      if PlainEvent.precedes(event, agenda[middle]) { low = middle + 1 } else { high = middle }
    }
    agenda.insert(event, at: low)
  }

  /// The instant of an operational time, at least a microsecond later; nil behind the run's end.
  func later(_ hours: Double, than now: Instant) -> Instant? {
    let instant = season.instant(atOperationalHours: hours)
    return instant == .distantFuture ? nil : max(instant, now + TimeSpan(microseconds: 1))
  }

  private func happen(_ event: PlainEvent) {
    switch event.kind {
    case .delivery: receiveWholesale(event.member, at: event.time)
    case .comeBack: comeBack(event.member, at: event.time)
    case .passed:
      submit("already_scanned", 1, on: date(event.time))
      count("passed")
    case .guarantee:
      programme.settleGuarantee(event.member, at: event.time)
    case .purchase: purchase(event.member, at: event.time)
    case .scan: scan(event.member, at: event.time)
    case .visit: visit(event.member, at: event.time)
    }
  }

  // MARK: - Buying

  private func signUp(_ index: Int, at now: Instant) {
    let member = members[index]
    if sunset.since != nil { programme.members[index].affiliate = nil }
    programme.signUp(index, at: now)
    count("under_age", model.refusedBefore(UInt32(index)))
    let isReferred = programme.members[index].affiliate != nil
    member.traits = model.traits(member: UInt32(index), referred: isReferred)
    if rules.guarantee.enabled {
      schedule(.guarantee, of: index, at: now + .days(rules.guarantee.afterDays))
    }
    member.state = Int(shopModel.state(of: UInt32(index)))
    guard input.population.wallet.enabled else { return }
    member.visitTraits = walletModel.traits(member: UInt32(index))
    let gap = walletModel.visit(member: UInt32(index), index: 0).gap
    scheduleVisit(index, after: gap, from: now)
  }

  private func purchase(_ index: Int, at now: Instant) {
    let member = members[index]
    if member.traits == nil { signUp(index, at: now) }
    guard let traits = member.traits else { return }
    if member.hasNoMore {
      member.hasLeft = true
      return
    }
    let draw = model.purchase(member: UInt32(index), index: member.purchases)
    let hours = season.operationalHours(at: now)
    let gap = Double(traits.meanGapWeeks) * 168
    let isDrawn = shopModel.isDrawnFromRetail(member: UInt32(index), need: member.purchases)
    if rules.shop.enabled, draw.inShop || isDrawn {
      visitShop(index, need: member.purchases, round: 0, at: now)
    } else {
      if draw.inShop { count("retail_in_shop", Int64(draw.tins)) }
      buyInRetail(draw, index, at: now)
    }
    let leaves = model.leaves(after: draw, index: member.purchases, dropout: traits.dropout)
    member.purchases += 1
    member.hasLeft = leaves
    guard !member.hasLeft else { return }
    if model.model == .paretoNbd, let signUp = programme.members[index].signUp {
      let end = season.operationalHours(at: signUp) + Double(traits.dropout) * 168
      if hours + draw.gap * gap > end {
        member.hasNoMore = true
        return schedule(.purchase, of: index, at: later(end, than: now))
      }
    }
    schedule(.purchase, of: index, at: later(hours + draw.gap * gap, than: now))
  }

  /// Tins that will be scanned come home; if none is open, the first is opened after `wait`
  /// operational hours.
  func takeHome(
    _ tins: Int, _ index: Int, at now: Instant,
    wait: (PlainFullMember, MemberTraits) -> Double
  ) {
    let member = members[index]
    guard tins > 0, let traits = member.traits else { return }
    let isFirst = member.held == 0
    member.held += tins
    member.pace = member.held
    guard isFirst else { return }
    let hours = season.operationalHours(at: now) + wait(member, traits)
    member.nextScan = later(hours, than: now)
    schedule(.scan, of: index, at: member.nextScan)
  }

  // MARK: - Scanning

  private func scan(_ index: Int, at now: Instant) {
    let member = members[index]
    let draw = model.scan(member: UInt32(index), index: member.openings)
    member.openings += 1
    let today = date(now)
    if isSuspended(index, on: today) {
      submit("member_ineligible", 1 + draw.duplicates, on: today)
    } else {
      submit("accepted", 1, on: today)
      scanTimes[today, default: []].append(now)
      submit("already_scanned", draw.duplicates, on: today)
      let before = programme.tier(programme.members[index], on: today)
      programme.scan(index, at: now)
      if programme.tier(programme.members[index], on: today) > before { count("upgrades") }
      for other in model.sharing(member: UInt32(index), index: member.openings - 1) {
        schedule(.passed, of: Int(other.member), at: now + other.delay)
      }
      if rules.chips.enabled {
        for _ in 0..<rules.chips.perScan {
          member.chips.append(PlainGoldChip(birth: today, isBonus: false, rules.chips))
          count("chips_of_scans")
        }
      }
    }
    submit("invalid_code", draw.malformed, on: today)
    submit("unknown_code", draw.guesses, on: today)
    member.held -= 1
    member.nextScan = nil
    guard member.held > 0, let traits = member.traits else { return }
    let spacing = Double(traits.meanGapWeeks) * 168 / Double(member.pace)
    let hours = season.operationalHours(at: now) + draw.gap * spacing
    member.nextScan = later(hours, than: now)
    schedule(.scan, of: index, at: member.nextScan)
  }

  private func submit(_ outcome: String, _ number: Int, on date: CivilDate) {
    count(outcome, Int64(number))
    submittedByDay[date, default: 0] += Int64(number)
  }

  // MARK: - Visiting the wallet

  private func scheduleVisit(_ index: Int, after gap: Double, from now: Instant) {
    let hours = season.operationalHours(at: now) + gap * walletModel.meanGapWeeks * 168
    members[index].visits += 1
    schedule(.visit, of: index, at: later(hours, than: now))
  }

  private func visit(_ index: Int, at now: Instant) {
    let member = members[index]
    let number = member.visits
    let draw = walletModel.visit(member: UInt32(index), index: number)
    if rules.chips.enabled { useChips(index, draw, at: now) }
    stepCard(member)
    let payment = walletModel.payment(member: UInt32(index), index: number)
    if draw.withdraws { withdraw(member, payment, at: now) }
    if draw.spends { spend(member, payment, at: now) }
    // Who has left, has nothing more to open and nothing to come for does not come again before an award.
    let isExpecting = shop.open.contains {
      $0.member == index && $0.draw.fate == .kept && $0.purchase.scanned > 0
    }
    let isIdle =
      member.hasLeft && member.held == 0 && !isExpecting && member.unmet.isEmpty
      && member.wholesale.isEmpty
    member.looksNoMore = isIdle && !hasReasonToLook(member)
    if member.looksNoMore { return }
    scheduleVisit(index, after: draw.gap, from: now)
  }

  /// Money to withdraw or for the card, one day, or chips to redeem.
  private func hasReasonToLook(_ member: PlainFullMember) -> Bool {
    let habits = input.population.wallet
    var mayHaveCard = member.card == "active"
    if let traits = member.visitTraits {
      switch member.card {
      case "none": mayHaveCard = traits.wantsCard
      case "applied": mayHaveCard = true
      case "verified": mayHaveCard = traits.activates
      default: break
      }
    }
    let redeemable = walletModel.chipsToRedeem(of: UInt32(member.chips.count))
    return member.balance >= rules.wallet.minimumWithdrawal.microunits
      || (mayHaveCard && habits.spends > 0 && member.balance >= 10_000)
      || (rules.chips.enabled && habits.redeems > 0 && redeemable > 0)
  }

  private func useChips(_ index: Int, _ draw: WalletVisit, at now: Instant) {
    let member = members[index]
    if draw.redeems {
      let chips = Int(walletModel.chipsToRedeem(of: UInt32(member.chips.count)))
      let worth = Int64(chips) * rules.chips.value.microunits
      member.redeem(chips)
      count("chips_redeemed", Int64(chips))
      programme.pay("chips", worth, at: now, cash: true, accrual: true)
      credit(index, "chip_redemption", worth, at: now)
    }
    if member.visitTraits?.isVaulter == true { member.vault(on: date(now)) }
  }

  private func stepCard(_ member: PlainFullMember) {
    guard let traits = member.visitTraits else { return }
    switch member.card {
    case "none" where traits.wantsCard: member.card = "applied"
    case "applied": member.card = traits.passesKYC ? "verified" : "refused"
    case "verified" where traits.activates: member.card = "active"
    default: return
    }
    count("card_\(member.card)")
  }

  private func withdraw(_ member: PlainFullMember, _ payment: WalletPayment, at now: Instant) {
    let amount = portion(
      member.available, input.population.wallet.withdrawShare.rawValue, of: 10_000)
    guard amount > 0, amount >= rules.wallet.minimumWithdrawal.microunits else { return }
    member.transact("withdrawal", -amount, at: now, failed: payment.withdrawalFails)
    if payment.withdrawalFails {
      member.transact("reversal", amount, at: now)
      count("withdrawals_failed")
    } else {
      count("withdrawals")
      count("withdrawn", amount)
    }
  }

  private func spend(_ member: PlainFullMember, _ payment: WalletPayment, at now: Instant) {
    let wholeCents = member.available / 10_000 * 10_000
    let amount = min(payment.spend.microunits, wholeCents)
    guard member.card == "active", amount > 0 else { return }
    member.transact("card_payment", -amount, at: now)
    count("card_payments")
    count("card_spent", amount)
  }

  /// An award comes into a wallet, pending until its payout is confirmed.
  func credit(_ index: Int, _ kind: String, _ amount: Int64, at time: Instant) {
    guard amount > 0 else { return }
    members[index].transact(kind, amount, at: time, paid: payouts.batch(of: time))
    guard members[index].looksNoMore else { return }
    members[index].looksNoMore = false
    let gap = walletModel.visit(member: UInt32(index), index: members[index].visits).gap
    scheduleVisit(index, after: gap, from: window.end)
  }
}
