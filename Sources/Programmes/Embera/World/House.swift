internal import EventKernel
internal import Quantities
internal import RewardModel

/// The coordinator: what concerns everybody, between windows.
struct House: WindowedHouse {
  let rules: EmberaRules
  private let frame: RunFrame
  var books: EmberaBooks
  var total = EmberaTally()
  var days: [EmberaRecord.Day] = []
  var cohorts: [EmberaRecord.CohortRow] = []
  /// The run's requests, where a journal is kept.
  var journal: [JournalEntry] = []
  private let journals: Bool
  /// Where the orders are written, if anywhere.
  var history: ((HistoryRow) -> Void)?
  /// Checks the laws after every window.
  var audit: EmberaAudit
  /// The running day: sums and tally at its start.
  var opening = (sums: ProgramSums(), placed: Int64(0))

  /// - Parameter journals: Whether a journal is kept, as cells have it, too.
  init(_ frame: RunFrame, _ rules: EmberaRules, journals: Bool) {
    self.frame = frame
    self.journals = journals
    self.rules = rules
    audit = EmberaAudit(frame)
    books = EmberaBooks(rules, month: frame.calendar.dates[0].monthNumber)
  }

  var broadcast: CellBroadcast { CellBroadcast(month: books.month, share: books.share) }

  mutating func conclude(_ window: Window, cells: UnsafeMutableBufferPointer<Cell>) throws {
    for index in cells.indices {
      if let overflow = cells[index].overflow { throw overflow }
      try books.post(cells[index].sums, rules)
      total.add(cells[index].tally)
      journal.append(contentsOf: cells[index].journal)
    }
    if let history { HistoryNotes.write(cells.indices.map { cells[$0].history.rows }, history) }
    let calendar = frame.calendar
    let day = calendar.dayIndex(of: window.start)
    if window.end == calendar.dayStarts[day + 1] || window.end == calendar.end {
      // The first instant after the last day begins a month or does not, whatever is run of it.
      let next = calendar.dates[day].adding(days: 1)
      if next.day == 1, window.end == calendar.dayStarts[day + 1] {
        try closeMonth(cells, at: window.end, isComplete: true)
      }
      try closeDay(calendar.dates[day], cells, at: window.end)
    }
    if audit.isThorough {
      try audit.check(cells, self, at: window.end)
    } else {
      try audit.checkLaws(self, at: window.end)
    }
  }

  private mutating func closeMonth(
    _ cells: UnsafeMutableBufferPointer<Cell>, at end: Instant, isComplete: Bool
  ) throws {
    let month = books.month
    if isComplete {
      for index in cells.indices { try books.post(cells[index].expire(after: month), rules) }
    }
    // A part of a month makes no points a month older.
    var seen = SeenPoints()
    for index in cells.indices where isComplete { seen.add(cells[index].closeMonth()) }
    try books.closeMonth(rules, seen)
    closeCohorts(month, cells)
    // Not asked of the cells: a world where nobody signs up has none.
    if journals {
      journal.append(
        JournalEntry(
          instant: end, member: .max, request: .closeMonth(isComplete: isComplete)))
    }
  }

  private mutating func closeCohorts(
    _ month: Int32, _ cells: UnsafeMutableBufferPointer<Cell>
  ) {
    let first = frame.calendar.dates[0].monthNumber
    var living = [Int64](repeating: 0, count: Int(month - first) + 1)
    for cell in cells {
      for (row, count) in cell.living(months: living.count).enumerated() { living[row] += count }
    }
    for (row, count) in living.enumerated() {
      cohorts.append(
        EmberaRecord.CohortRow(
          cohort: CivilDate.monthLabel(first + Int32(row)), month: CivilDate.monthLabel(month),
          members: count))
    }
  }

  private mutating func closeDay(
    _ date: CivilDate, _ cells: UnsafeMutableBufferPointer<Cell>, at end: Instant
  ) throws {
    let sums = books.total.since(opening.sums)
    let placed = total.placedOnline + total.placedOffline
    var day = EmberaRecord.Day(date: date)
    day.signUps = sums.signUps
    day.placed = placed - opening.placed
    day.orders = sums.orders
    day.deliveries = sums.deliveries
    day.revenue = MicroUSDT(microunits: sums.revenue)
    day.rewardCost = try EmberaBooks.rewardCost(sums, rules)
    day.issued = sums.issued
    day.redeemed = sums.redeemed
    day.expired = sums.expired
    day.outstanding = books.total.outstanding
    for cell in cells {
      for created in cell.live {
        switch rules.status.status(
          created: created, eta: rules.status.eta(created: created), now: end)
        {
        case .processing: day.processing += 1
        case .roasting: day.roasting += 1
        case .shipping: day.shipping += 1
        case .delivered: break
        }
      }
      day.waiting += cell.pool.count
      day.ember += cell.tiers[0]
      day.aura += cell.tiers[1]
      day.halo += cell.tiers[2]
      day.subscribers += cell.subscribers
    }
    days.append(day)
    opening = (books.total, placed)
  }

  /// Closes the run: the current day and month, complete or not.
  mutating func close(_ cells: UnsafeMutableBufferPointer<Cell>, at end: Instant) throws {
    let calendar = frame.calendar
    let day = calendar.dayIndex(of: end - TimeSpan(microseconds: 1))
    if days.count <= day, end > calendar.start {
      try closeDay(calendar.dates[day], cells, at: end)
    }
    if calendar.dates[day].monthNumber == books.month {
      try closeMonth(cells, at: end, isComplete: false)
    }
  }
}

extension CivilDate {
  /// 12 × year + month − 1.
  package var monthNumber: Int32 { Int32(12 * year + month - 1) }

  /// `YYYY-MM` of such a number.
  static func monthLabel(_ number: Int32) -> String {
    CivilDate(year: Int(number) / 12, month: Int(number) % 12 + 1, day: 1).monthLabel
  }
}

extension ProgrammeCalendar {
  /// 24 × weekday (Monday 0) + local hour.
  func weekHour(of instant: Instant) -> Int {
    let seconds = instant.microseconds / 1_000_000 + Int64(offsetSeconds(at: instant))
    return dates[dayIndex(of: instant)].weekday * 24 + Int(seconds % 86_400 / 3_600)
  }
}
