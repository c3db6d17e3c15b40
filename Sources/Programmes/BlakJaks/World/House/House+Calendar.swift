internal import EventKernel
internal import Quantities
internal import RewardModel

/// What the calendar asks of a house: ends of days, mornings, and the end of the run.
extension House {
  /// What happens once a local day, before it is closed: bots submit.
  mutating func endDay(
    _ window: Window, _ cells: UnsafeMutableBufferPointer<Cell>, _ sums: inout CellTally
  ) {
    let today = programme.books.today
    sums.outcomes.add(rings.submit(day: today, cells))
    for code in rings.submissions {
      journal?.add(
        window.end - TimeSpan(microseconds: 1), .scan(member: nil, code: code.text))
    }
  }

  /// What a window's end is in the calendar: a morning, a midnight, or neither.
  ///
  /// - Throws: `MoneyError.overflow`.
  mutating func turnCalendar(
    _ window: Window, _ cells: UnsafeMutableBufferPointer<Cell>
  ) throws(MoneyError) {
    if isMorning(window.end) {
      var members = directory(cells)
      try openMorning(at: window.end, &members)
    }
    guard isMidnight(window.end), programme.books.today + 1 < calendar.dayCount else { return }
    closeDay(cells, isLast: false)
    journal?.add(window.end, .turnDay)
    var directory = directory(cells)
    for reached in programme.floorsReached {
      let owner = affiliateMembers[Int(reached.affiliate)]
      chronicle.dashboard.feed.tell(
        window.end, .affiliate, "member \(owner + 1) is \(reached.floor.name) for life")
    }
    try programme.turnDay(&directory)
    floors = directory.floors
    for winner in winners ?? [] { directory.cheer(winner, at: window.end) }
    winners?.removeAll(keepingCapacity: true)
    events += 1
    let date = calendar.dates[programme.books.today]
    next.turnsQuarter = calendar.startsQuarter(programme.books.today)
    next.chipLot = programme.books.rules.chips.lot(ofChipFrom: date)
    let month = ChipLot(monthOf: date)
    if month != next.oldestLot { next.endedMonth = next.oldestLot }
    next.oldestLot = month
    let bans = bans(on: date)
    next.bansChanged = bans != next.bans
    next.bans = bans
  }

  /// What happens every morning, once the payouts until then have been run.
  ///
  /// - Throws: `MoneyError.overflow`.
  mutating func openMorning(
    at five: Instant, _ members: inout some WorldDirectory
  ) throws(MoneyError) {
    let wasActive = programme.sunset.isActive
    journal?.add(five, .openMorning)
    let transfers = try programme.openMorning(at: five, &members)
    try pipeline.chain.carryOut(transfers)
    try pipeline.chain.settle(through: five)
    let readings = pipeline.chain.readings
    journal?.add(five, .reconcile(chain: readings))
    try programme.books.reconcile(at: five, chain: readings)
    if programme.sunset.isActive && !wasActive {
      chronicle.dashboard.feed.tellSunset(five)
    }
    try pipeline.retryFunds(&programme.books)
    journal?.add(pipeline)
    events += 1
  }

  /// The states in which rewards are banned on a date.
  func bans(on date: CivilDate) -> StateFlags {
    var flags = StateFlags()
    for state in 0..<states.count where states.bansRewards(in: UInt8(state), on: date) {
      flags[UInt8(state)] = true
    }
    return flags
  }

  private mutating func closeDay(_ cells: UnsafeMutableBufferPointer<Cell>, isLast: Bool) {
    var tiers = PerTier<Int64>(repeating: 0)
    for index in cells.indices {
      for tier in Tier.allCases { tiers[tier] += cells[index].census.members[tier] }
    }
    chronicle.dashboard.enter(programme, pipeline)
    velocity.closeDay(
      submitted: chronicle.today.submitted, hours: chronicle.dashboard.hours,
      into: &chronicle.dashboard.table)
    enterMembers(cells)
    pipeline.closeDay()
    chronicle.closeDay(
      calendar.dates[programme.books.today], tiers: tiers, isLast: isLast)
  }

  /// Closes the run with the current day, complete or not, or with the day before where the run was
  /// stopped at the midnight between them.
  mutating func close(
    _ cells: UnsafeMutableBufferPointer<Cell>, at end: Instant
  ) throws(MoneyError) {
    collectNotes(cells)
    // The social side is drawn by whole days.
    social?.close(&chronicle, at: calendar.dayStarts.last { $0 <= end } ?? end)
    let today = programme.books.today
    let hasToday = today == 0 || end > calendar.dayStarts[today]
    if hasToday { closeDay(cells, isLast: true) } else { chronicle.closeQuarter() }
    try programme.books.close(hasToday: hasToday)
  }
}
