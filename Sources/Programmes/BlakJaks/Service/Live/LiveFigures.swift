internal import Quantities
internal import RewardModel

/// What the pages show of a service besides the program's own state: today, the trailing day, the
/// last 90 days, what was last told. Everything in it is bounded but for 4 bytes a member.
///
/// It follows from the requests as the state does, and is saved with it.
struct LiveFigures: Sendable, Equatable, Codable {
  /// What was counted on the current local day.
  struct Today: Sendable, Equatable, Codable {
    var signUps: Int64 = 0
    var purchases: Int64 = 0
    var submitted: Int64 = 0
    var refused: Int64 = 0
    /// Accepted scans of the busiest minute.
    var peakPerMinute: Int64 = 0
    /// Accepted scans by local hour.
    var hours = [Int64](repeating: 0, count: 24)
    /// Those of them in hours that the clock showed for the second time; nil on other days.
    var repeatedHours: [Int64]?

    /// Those of the busiest hour.
    var peakPerHour: Int64? {
      let repeated = repeatedHours ?? Array(repeating: 0, count: 24)
      return ScanVelocity.hoursApart(hours, repeated: repeated).max()
    }
  }

  /// What was counted since the service began.
  struct Totals: Sendable, Equatable, Codable {
    var referred: Int64 = 0
    var submitted: Int64 = 0
    var refusedMessages: Int64 = 0
    var orders: Int64 = 0
    /// Orders that came to each status, in the order of `OrderStatus`.
    var statuses = [Int64](repeating: 0, count: OrderStatus.allCases.count)
    var shopTins: Int64 = 0
    var subtotal = MicroUSDT.zero
    var shipping = MicroUSDT.zero
    var tax = MicroUSDT.zero
    var withdrawals: Int64 = 0
    var withdrawn = MicroUSDT.zero
    var cardPayments: Int64 = 0
    var cardSpent = MicroUSDT.zero
  }

  /// Closed local days that are kept.
  static let daysKept = 90
  /// Rows kept of what is told, of each kind.
  private static let told = 25
  /// Alerts of the reconciliation that are kept: more than a year of all wallets.
  private static let alertsKept = 1_200

  private(set) var today = Today()
  private(set) var totals = Totals()
  /// Accepted scans of the last minute and of the last day.
  private(set) var seconds = TrailingCounts(60, of: .seconds(1))
  private(set) var minutes = TrailingCounts(1_440, of: .minutes(1))
  /// Payouts confirmed within the last day.
  private(set) var payouts = TrailingCounts(1_440, of: .minutes(1))
  private(set) var payoutMicros = TrailingCounts(1_440, of: .minutes(1))
  private(set) var confirmations = ConfirmationTimes()
  private(set) var active: ActiveMembers
  /// Members by permanent floor, those without one left out.
  private(set) var floors = PerTier<Int64>(repeating: 0)
  /// What was last told, by kind, oldest first.
  @SavedSorted private(set) var feed: [String: [BlakJaksRecord.FeedRow]] = [:]
  private(set) var awards: [BlakJaksRecord.AwardRow] = []
  private(set) var pools: [BlakJaksRecord.PoolRow] = []
  /// Last morning's, one a wallet.
  private(set) var reconciled: [BlakJaksRecord.ReconciliationRow] = []
  private(set) var alerts: [BlakJaksRecord.ReconciliationRow] = []
  private(set) var days: [BlakJaksRecord.DayRow] = []
  /// One value a row of `days`.
  private(set) var series: [DailySeries] = []
  /// Accepted scans by local hour, one row a row of `days`.
  @Packed private(set) var scanHours: [[Int64]] = []

  /// Nothing has happened.
  init(firstDate: CivilDate) { active = ActiveMembers(today: firstDate.dayNumber) }

  // MARK: - Requests

  /// Something worth telling.
  typealias Told = BlakJaksRecord.FeedRow

  /// What has to be known of the state from before a request.
  struct Before {
    /// Of the member who scans.
    fileprivate var tier = Tier.standard
    fileprivate var floors: [(member: UInt32, from: Tier, to: Tier)] = []

  }

  /// A function and not an initializer, whose arguments are copied.
  static func before(_ step: ProgrammeRequest, _ state: ProgrammeState) -> Before {
    var before = Before()
    switch step {
    case .scan(let member?, _) where state.members.knows(member):
      before.tier = state.members.accounts[Int(member)].standing.tier
    case .turnDay:
      var seen: [UInt32: Tier] = [:]
      for reached in state.programme.floorsReached {
        let owner = state.members.owner(of: reached.affiliate)
        let from = seen[owner] ?? state.members.account(of: owner).standing.floor
        guard reached.floor > from else { continue }
        seen[owner] = reached.floor
        before.floors.append((owner, from, reached.floor))
      }
    default: break
    }
    return before
  }

  /// Counts a request that was answered.
  ///
  /// - Parameters:
  ///   - hour: The local hour at an instant.
  ///   - submitted: When a payout was submitted that is confirmed, where that is known.
  ///   - state: After the request; nothing that ended was taken away from it.
  /// - Returns: What is to be told of it.
  mutating func note(
    _ step: ProgrammeRequest, _ answer: ProgrammeAnswer, _ before: Before,
    _ state: ProgrammeState, hour: LocalHour, submitted: Instant?, at time: Instant
  ) -> [Told] {
    var told = tellWins(state)
    switch (step, answer) {
    case (.scan(let member, _), .scan(let scan)):
      enter(scan, of: member, hour: hour, at: time)
      if let member, scan.outcome == .accepted, scan.progress.tier > before.tier {
        let text = ActivityFeed.text(Self.name(member), scan.progress.tier)
        told.append(Told(time: time, kind: FeedKind.tier.rawValue, text: text))
      }
    case (.signUp(let member, _), .done):
      today.signUps += 1
      let text = ActivityFeed.text(Self.name(member), nil)
      told.append(Told(time: time, kind: FeedKind.signUp.rawValue, text: text))
    case (.refer, .done): totals.referred += 1
    case (.turnDay, .done): told += raise(before.floors, at: time)
    case (.openMorning, .transfers):
      guard let pool = state.programme.books.pools.last, pool.time == time else { break }
      pools = (pools + [BlakJaksRecord.PoolRow(pool)]).suffix(Self.told)
      told.append(Told(BlakJaksRecord.PoolRow(pool)))
    case (.reconcile, .done):
      reconciled = state.programme.books.reconciliations.filter { $0.time == time }
        .map { BlakJaksRecord.ReconciliationRow($0) }
      let new = reconciled.filter { !$0.balanced }
      alerts = (alerts + new).suffix(Self.alertsKept)
      told += new.map { Told($0) }
    case (.payout(let step), .payout):
      enter(step, state.programme.books.desk, submitted: submitted, at: time)
    default: enterMoney(step, answer)
    }
    for row in told { keep(row) }
    return told
  }

  private static func name(_ member: UInt32) -> String { String(member + 1) }

  private mutating func tellWins(_ state: ProgrammeState) -> [Told] {
    guard !state.wins.isEmpty else { return [] }
    let made = state.programme.board.awarded.reduce(0, +)
    var told: [Told] = []
    for (place, win) in state.wins.enumerated() {
      let prize = state.rules.prizes[win.award.prize]
      let row = BlakJaksRecord.AwardRow(
        award: made - Int64(state.wins.count - 1 - place), prize: prize.name, kind: prize.kind,
        amount: prize.amount, dueScan: win.award.dueScan, wonScan: win.award.wonScan,
        time: win.time, member: Self.name(win.member))
      awards = (awards + [row]).suffix(Self.told)
      told.append(Told(row))
    }
    // Amounts that the books took can be told.
    let more = try? ActivityFeed.told(of: state.wins, state.programme) { Self.name($0) }
    for row in more ?? [] {
      told.append(Told(time: row.time, kind: row.kind.rawValue, text: row.text))
    }
    return told
  }

  private mutating func enter(
    _ scan: ScanAnswer, of member: UInt32?, hour: LocalHour, at time: Instant
  ) {
    today.submitted += 1
    totals.submitted += 1
    guard scan.outcome == .accepted, let member else {
      today.refused += 1
      return
    }
    seconds.add(1, at: time)
    minutes.add(1, at: time)
    today.peakPerMinute = max(today.peakPerMinute, minutes.current)
    today.hours[hour.number] += 1
    if hour.isRepeated {
      today.repeatedHours = today.repeatedHours ?? Array(repeating: 0, count: 24)
      today.repeatedHours?[hour.number] += 1
    }
    active.scan(member)
  }

  private mutating func raise(
    _ raised: [(member: UInt32, from: Tier, to: Tier)], at time: Instant
  ) -> [Told] {
    raised.map { row in
      if row.from > .standard { floors[row.from] -= 1 }
      floors[row.to] += 1
      return Told(
        time: time, kind: FeedKind.affiliate.rawValue,
        text: ActivityFeed.text(Self.name(row.member), forLife: row.to))
    }
  }

  private mutating func enter(
    _ step: PayoutStep, _ desk: PayoutDesk, submitted: Instant?, at time: Instant
  ) {
    switch step {
    case .begin(let slot) where desk[slot].status == .submitted:
      confirmations.begin(slot, at: time)
    case .confirm(let slot):
      let payout = desk[slot]
      payouts.add(payout.count, at: time)
      payoutMicros.add(payout.amount.microunits, at: time)
      confirmations.confirm(slot, payout, submitted: submitted, at: time)
    default: break
    }
  }

  private mutating func enterMoney(_ step: ProgrammeRequest, _ answer: ProgrammeAnswer) {
    func sum(_ amount: MicroUSDT, _ other: MicroUSDT) -> MicroUSDT {
      PageSums.sum([amount, other])
    }
    switch (step, answer) {
    case (.placeOrder, .order(let amounts)), (.orderCart, .cartOrder(let amounts, _)):
      today.purchases += 1
      totals.orders += 1
      totals.statuses[Int(OrderStatus.processing.rawValue)] += 1
      totals.shopTins += amounts.tins
      totals.subtotal = sum(totals.subtotal, amounts.subtotal)
      totals.shipping = sum(totals.shipping, amounts.shipping)
      totals.tax = sum(totals.tax, amounts.tax)
    case (.moveOrder(_, _, let status), .order(let amounts)):
      totals.statuses[Int(status.rawValue)] += 1
      guard status == .cancelled || status == .refunded else { return }
      // Its money goes back: exactly what it had brought.
      let back = amounts.refund
      totals.shopTins += back.tins
      totals.subtotal = sum(totals.subtotal, back.subtotal)
      totals.shipping = sum(totals.shipping, back.shipping)
      totals.tax = sum(totals.tax, back.tax)
    case (.post, .refused): totals.refusedMessages += 1
    case (.withdraw, .amount(let amount)):
      totals.withdrawals += 1
      totals.withdrawn = sum(totals.withdrawn, amount)
    case (.payByCard, .amount(let amount)):
      totals.cardPayments += 1
      totals.cardSpent = sum(totals.cardSpent, amount)
    default: break
    }
  }

  private mutating func keep(_ row: Told) {
    // Awards, pools and alerts are kept as rows of their own.
    guard FeedKind(rawValue: row.kind) != nil else { return }
    feed[row.kind, default: []].append(row)
    if feed[row.kind, default: []].count >= 2 * Self.told {
      feed[row.kind]?.removeFirst(Self.told)
    }
  }

  // MARK: - Days

  /// Ends the local day, before the state does.
  mutating func closeDay(_ row: BlakJaksRecord.DayRow, _ values: [DailySeries]) {
    series = with(values)
    days.append(row)
    scanHours.append(today.hours)
    if days.count > Self.daysKept {
      days.removeFirst()
      scanHours.removeFirst()
      for place in series.indices { series[place].values.removeFirst() }
    }
    today = Today()
    active.turnDay()
  }

  /// The kept series with one more value each; nil for a series that has none.
  func with(_ values: [DailySeries]) -> [DailySeries] {
    var all = series
    for (place, new) in values.enumerated() {
      // Keys come in the same order every day.
      let known =
        place < all.count && all[place].key == new.key
        ? place : all.firstIndex { $0.key == new.key }
      if let known {
        all[known].values += new.values
      } else {
        let blanks = [Int64?](repeating: nil, count: days.count)
        all.append(DailySeries(key: new.key, unit: new.unit, values: blanks + new.values))
      }
    }
    for place in all.indices where all[place].values.count <= days.count {
      all[place].values.append(nil)
    }
    return all
  }
}
