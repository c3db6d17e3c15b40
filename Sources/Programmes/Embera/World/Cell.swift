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
  var history: HistoryNotes
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
