package import Quantities
package import RewardModel

/// The program refused a row while a history was replayed, or could not go on after it.
package struct EmberaReplayError: ReplayFailure, Equatable, Sendable, CustomStringConvertible {
  /// What was in the way.
  package enum Cause: Equatable, Sendable {
    case refused(EmberaRefusal)
    case money(MoneyError)
  }

  /// Line of the history file.
  package var line: UInt32
  package var cause: Cause

  /// An error; see the properties.
  package init(line: UInt32, cause: Cause) {
    self.line = line
    self.cause = cause
  }

  package var reason: String {
    switch cause {
    case .refused(let refusal): "the order is refused (\(refusal))"
    case .money(let error): "\(error)"
    }
  }
  package var description: String { "line \(line): \(reason)" }
}

/// The rules over orders that really happened, row by row, through `EmberaState.commit`.
///
/// A member signs up with the first order. Nothing is random. A history has no redemptions: the share of
/// points that is redeemed stays the prior one. The record leaves the days of a warm-up out, and what they
/// brought stays with the members.
package struct EmberaReplay {
  private let frame: RunFrame
  private let rules: EmberaRules
  private let orders: [HistoryRow]
  private var state: EmberaState
  private let audit: EmberaAudit
  /// Of the last order that was begun.
  private var line: UInt32 = 0
  /// Number of each member's last order.
  private var numbers: [UInt32] = []
  private var days: [EmberaRecord.Day] = []
  /// The books at the end of the warm-up; nil before it, and without one.
  private var warmUp: EmberaBooks?

  /// - Parameters:
  ///   - frame: Its calendar covers the history.
  ///   - rules: Those of the scenario.
  ///   - history: Of the form `EmberaProgramme.history`.
  package init(_ frame: RunFrame, _ rules: EmberaRules, _ history: History) {
    self.frame = frame
    self.rules = rules
    orders = history.rows
    audit = EmberaAudit(frame)
    state = EmberaState(
      rules, month: frame.calendar.dates[0].monthNumber, hasRedemptions: false)
  }

  /// Replays all orders, day by day.
  ///
  /// - Parameter proceed: Asked after each day; false ends the replay there, marked interrupted.
  /// - Throws: `EmberaReplayError`, or a `Violation` with the row before which a law was found broken.
  package mutating func run(
    proceed: (RunProgress) -> Bool = { _ in true }
  ) throws -> EmberaRecord {
    do {
      return try replayAll(proceed)
    } catch let error as MoneyError {
      throw EmberaReplayError(line: line, cause: .money(error))
    }
  }

  private mutating func replayAll(_ proceed: (RunProgress) -> Bool) throws -> EmberaRecord {
    let calendar = frame.calendar
    var next = 0
    var end = calendar.start
    for day in 0..<calendar.dayCount {
      end = min(calendar.dayStarts[day + 1], calendar.end)
      if day > 0, day == frame.warmUpDays { warmUp = state.books }
      let opening = state.books.total
      let first = next
      while next < orders.count, orders[next].instant < end {
        try replay(next)
        next += 1
      }
      let following = calendar.dates[day].adding(days: 1)
      if following.day == 1, end == calendar.dayStarts[day + 1] {
        _ = try state.commit(.closeMonth(isComplete: true), at: end)
      }
      try closeDay(calendar.dates[day], since: opening, placed: next - first)
      do { try audit.checkLaws(state, at: end) } catch var violation as Violation {
        violation.line = orders[min(next, orders.count - 1)].line
        throw violation
      }
      let progress = RunProgress(
        simulated: end,
        done: Double(next) / Double(max(orders.count, 1)), events: Int64(next),
        pace: ReportPace("orders", Int64(next)))
      guard proceed(progress) else { break }
    }
    let last = calendar.dates[calendar.dayIndex(of: end - TimeSpan(microseconds: 1))]
    if last.monthNumber == state.books.month {
      _ = try state.commit(.closeMonth(isComplete: false), at: end)
    }
    return try record(end: end, replayed: next)
  }

  private mutating func replay(_ row: Int) throws {
    let order = orders[row]
    line = order.line
    while numbers.count <= Int(order.member) {
      _ = try state.commit(.signUp(state: 0), at: order.instant)
      numbers.append(0)
    }
    numbers[Int(order.member)] += 1
    let answer = try state.commit(
      .order(
        member: order.member, channel: .firstDevice, number: numbers[Int(order.member)],
        contents: .amount(MicroUSDT(microunits: order.amount))), at: order.instant)
    if case .refused(let cause) = answer {
      throw EmberaReplayError(line: line, cause: .refused(cause))
    }
  }

  private mutating func closeDay(
    _ date: CivilDate, since opening: ProgramSums, placed: Int
  ) throws {
    let sums = state.books.total.since(opening)
    var day = EmberaRecord.Day(date: date)
    day.signUps = sums.signUps
    day.placed = Int64(placed)
    day.orders = sums.orders
    day.revenue = MicroUSDT(microunits: sums.revenue)
    day.rewardCost = try EmberaBooks.rewardCost(sums, rules)
    day.issued = sums.issued
    day.expired = sums.expired
    day.outstanding = state.books.total.outstanding
    days.append(day)
  }

  private func record(end: Instant, replayed: Int) throws -> EmberaRecord {
    // A replay that was stopped during its warm-up shows nothing.
    let since = frame.warmUpDays > 0 ? warmUp ?? state.books : nil
    var record = try EmberaRecord(frame, rules, state.books, since: since, end: end)
    record.source = .history
    record.events = Int64(replayed)
    record.days = Array(days.dropFirst(frame.warmUpDays))
    let shown = orders[..<replayed].drop { $0.instant < record.start }
    var hours = [Int64](repeating: 0, count: 168)
    for order in shown { hours[frame.calendar.weekHour(of: order.instant)] += 1 }
    record.enter(hours: hours)
    var members = [EmberaTier: Int64]()
    for account in state.accounts {
      members[rules.tiers.tier(earned: account.issued), default: 0] += 1
    }
    record.tiers = EmberaTier.allCases.map { tier in
      EmberaRecord.TierRow(
        tier: tier, members: members[tier, default: 0],
        reached: EmberaTier.allCases.filter { $0 >= tier }
          .reduce(0) { $0 + members[$1, default: 0] },
        meanTimeToReach: nil)
    }
    var statuses = [EmberaOrderStatus: Int64]()
    for order in orders[..<replayed] {
      let eta = rules.status.eta(created: order.instant)
      func status(at now: Instant) -> EmberaOrderStatus {
        rules.status.status(created: order.instant, eta: eta, now: now)
      }
      // What had come before the days that are shown is not among them.
      if order.instant < record.start, status(at: record.start).isFinal { continue }
      statuses[status(at: end), default: 0] += 1
    }
    record.statuses = EmberaOrderStatus.allCases.map {
      EmberaRecord.NamedCount(name: $0.key, count: statuses[$0, default: 0])
    }
    return record
  }
}
