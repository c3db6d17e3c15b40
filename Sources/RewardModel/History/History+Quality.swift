package import Quantities

extension History {
  /// The longest time between two rows that needs no word of the caller's, in days.
  package static let gapDaysMaximum: Int64 = 366

  /// What is wrong with the rows before an end, in the order of `HistoryFinding.Fault`, and how many of
  /// them come before the first instant; all rows tell whom and what they contradict, later ones too.
  ///
  /// - Complexity: O(rows), nearly.
  package func findings(
    from first: Instant = .distantPast, until end: Instant = .distantFuture
  ) -> [HistoryFinding] {
    var audit = HistoryAudit(self, from: first)
    for row in rows where row.instant < end { audit.judge(row) }
    return audit.findings
  }

  /// The first row that more than `gapDaysMaximum` days follow before the next, with their number.
  package var gap: (line: UInt32, days: Int64)? {
    for (row, next) in zip(rows, rows.dropFirst()) {
      let days = (next.instant.microseconds - row.instant.microseconds) / 86_400_000_000
      if days > Self.gapDaysMaximum { return (row.line, days) }
    }
    return nil
  }

  /// The rows within a part of time; nil when there are none.
  package func part(from first: Instant, until end: Instant) -> History? {
    let rows = rows.filter { $0.instant >= first && $0.instant < end }
    return rows.isEmpty ? nil : History(form, names: members, fileRows: rows)
  }

  /// The local day at whose first instant the history ends, as its last row is a bare date: all that would
  /// happen on that day comes later. Nil where the last row has a clock.
  package func endsWithBareDate(zone: String) throws(CalendarError) -> CivilDate? {
    guard let last = rows.last, !last.hasClock else { return nil }
    return try ProgrammeCalendar(zone: zone, covering: last.instant, through: last.instant).dates[0]
  }

  /// The local days from one date to another, as far as the history reaches: it tells nothing of the
  /// time before its first row and after its last. What came before them is their warm-up.
  ///
  /// - Parameters:
  ///   - zone: IANA name.
  ///   - from: The first date; nil for that of the first row.
  ///   - to: The last date, which is whole unless the history ends before it; nil ends with the last row.
  /// - Returns: Nil when these days have no row.
  /// - Throws: `CalendarError.unknownZone`.
  package func part(
    zone: String, from: CivilDate?, to: CivilDate?
  ) throws(CalendarError) -> HistoryPart? {
    let parser = try InstantParser(zone: zone)
    let begin = rows[0].instant
    var (first, last) = (begin, rows[rows.count - 1].instant)
    if let from { first = max(first, parser.midnight(of: from)) }
    if let to {
      let close = parser.midnight(of: to.adding(days: 1)) - TimeSpan(microseconds: 1)
      last = last < parser.midnight(of: to) ? last : close
    }
    let end = last + TimeSpan(microseconds: 1)
    guard rows.contains(where: { $0.instant >= first && $0.instant < end }),
      let history = part(from: begin, until: end)
    else { return nil }
    let calendar = try ProgrammeCalendar(zone: zone, covering: begin, through: last)
    return HistoryPart(
      history: history, calendar: calendar, warmUpDays: calendar.dayIndex(of: first),
      findings: findings(from: first, until: end))
  }
}

/// Some days of a history, with all that came before them.
package struct HistoryPart: Sendable {
  /// The rows of these days and those before.
  package let history: History
  /// From the history's first day to the last of these days, with and without rows.
  package let calendar: ProgrammeCalendar
  /// How many of the calendar's days come before these.
  package let warmUpDays: Int
  /// What is wrong with the rows, and how many come before these days.
  package let findings: [HistoryFinding]

  /// These days.
  package var dates: ArraySlice<CivilDate> { calendar.dates[warmUpDays...] }
}

/// Judges the rows of a history in the order of processing.
private struct HistoryAudit {
  private struct Key: Hashable {
    var member: UInt32
    var other: UInt32
    var amount: Int64
    var kind: UInt8
  }

  private let form: HistoryForm
  /// How many rows come before it is said.
  private let first: Instant
  private let hasSignUps: Bool
  private let hasPurchases: Bool
  /// By member: when it signs up; the distant future when it never does.
  private var signUps: [Instant]
  private var isSignedUp: [Bool]
  /// By member: whether it has a row of its own.
  private var isKnown: [Bool]
  private var bought: [Int64]
  private var hasOther: [Bool]
  /// By member: a step toward the one that stands for all who are joined by referrals.
  private var joined: [UInt32]
  private var instant: Instant?
  private var seen: Set<Key> = []
  private var found: [HistoryFinding.Fault: HistoryFinding] = [:]

  init(_ history: History, from first: Instant) {
    form = history.form
    self.first = first
    let count = history.members.count
    signUps = Array(repeating: .distantFuture, count: count)
    isSignedUp = Array(repeating: false, count: count)
    isKnown = isSignedUp
    hasOther = isSignedUp
    bought = Array(repeating: 0, count: count)
    joined = (0..<UInt32(count)).map(\.self)
    for row in history.rows {
      isKnown[Int(row.member)] = true
      if form.events[Int(row.kind)].isSignUp {
        signUps[Int(row.member)] = min(signUps[Int(row.member)], row.instant)
      }
    }
    hasSignUps = signUps.contains { $0 != .distantFuture }
    let isPurchase = history.form.events.map(\.isPurchase)
    hasPurchases = history.rows.contains { isPurchase[Int($0.kind)] }
  }

  var findings: [HistoryFinding] { HistoryFinding.Fault.allCases.compactMap { found[$0] } }

  mutating func judge(_ row: HistoryRow) {
    let event = form.events[Int(row.kind)]
    let member = Int(row.member)
    if row.instant < first { report(.earlier, row) }
    if row.instant != instant {
      instant = row.instant
      seen.removeAll(keepingCapacity: true)
    }
    let key = Key(member: row.member, other: row.other, amount: row.amount, kind: row.kind)
    let isNew = seen.insert(key).inserted
    if !isNew { report(.repeated, row) }
    if hasSignUps {
      if signUps[member] == .distantFuture {
        report(.neverSignedUp, row)
      } else if row.instant < signUps[member] {
        report(.beforeSignUp, row)
      }
    }
    if event.isSignUp {
      if isSignedUp[member] && isNew { report(.signedUpAgain, row) }
      isSignedUp[member] = true
    }
    if event.isPurchase {
      // Many purchases of the largest amount are more than 64 bits hold.
      let (sum, isTooMuch) = bought[member].addingReportingOverflow(row.amount)
      bought[member] = isTooMuch ? .max : sum
    }
    if event.usesPurchases && hasPurchases {
      bought[member] -= row.amount
      if bought[member] < 0 {
        report(.unbought, row)
        bought[member] = 0
      }
    }
    if row.other != .max { refer(row, isNew: isNew) }
  }

  private mutating func refer(_ row: HistoryRow, isNew: Bool) {
    if !isKnown[Int(row.other)] { report(.unknownOther, row) }
    if hasOther[Int(row.member)] {
      if isNew { report(.secondOther, row) }
      return
    }
    hasOther[Int(row.member)] = true
    // The member had no referrer, so it heads all who are joined to it.
    let (head, top) = (root(row.member), root(row.other))
    if head == top {
      report(.cycle, row)
    } else {
      joined[Int(head)] = top
    }
  }

  private mutating func root(_ member: UInt32) -> UInt32 {
    var member = member
    while joined[Int(member)] != member {
      joined[Int(member)] = joined[Int(joined[Int(member)])]
      member = joined[Int(member)]
    }
    return member
  }

  private mutating func report(_ fault: HistoryFinding.Fault, _ row: HistoryRow) {
    let event = form.events[Int(row.kind)].word
    var finding =
      found[fault] ?? HistoryFinding(fault: fault, event: event, count: 0, line: Int64(row.line))
    finding.count += 1
    if finding.event != event { finding.event = "" }
    found[fault] = finding
  }
}
