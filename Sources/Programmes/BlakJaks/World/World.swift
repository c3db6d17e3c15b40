internal import Dispatch
package import EventKernel
internal import Population
package import Quantities
package import RewardModel

/// The synthetic world: members in cells, one house, one run.
package struct World: ~Copyable {
  let input: WorldInput
  private var executive: WindowedExecutive<House>
  /// The cells' rows lie in it.
  private let memory: MemberMemory
  private let affiliates: [UInt32]
  private let curve: LifeCurve
  private let season: SeasonTable
  /// How many there are.
  private let members: Int
  /// Receives them at the run's end, if anybody does.
  private let receiver: ((BlakJaksMember) -> Void)?
  /// Whether windows in which little happens are run several at once.
  private let mergesWindows: Bool
  /// What members bought and were given, where the record says it.
  private var census: MemberCensus?

  /// The end of the last window that was run; the calendar's start before the first.
  package internal(set) var now: Instant

  /// Where the time of the run went; nil unless it is timed.
  package var times: WindowTimes? { executive.times }

  /// Builds the members.
  ///
  /// - Parameters:
  ///   - threads: 1 or more; the result does not depend on it.
  ///   - journal: Receives every request of the run in the order in which the house decided.
  ///   - history: Receives what members did; see `RunOutputs.history`.
  ///   - members: Receives the members at the run's end, which costs memory for each of them.
  ///   - isTimed: Whether `times` are kept.
  ///   - cellMembers: Members of a cell, a power of two up to 65,536; nil for what suits their number.
  ///     Where bots copy codes it says from whom; beside that it changes nothing.
  ///   - mergesWindows: Whether several windows are run as one, where that changes nothing but how many postings
  ///     the ledger counts.
  /// - Throws: `MoneyError.overflow` when a reward of the rules leaves 64 bits.
  /// - Complexity: O(members).
  package init(
    _ input: WorldInput, threads: Int, journal: ((JournalEntry) -> Void)? = nil,
    history: ((HistoryRow) -> Void)? = nil, members: ((BlakJaksMember) -> Void)? = nil,
    isTimed: Bool = false, cellMembers: Int? = nil, mergesWindows: Bool = true
  ) throws(MoneyError) {
    self.input = input
    self.mergesWindows = mergesWindows
    now = input.calendar.start
    receiver = members
    census =
      input.keepsMembers
      ? MemberCensus(input.calendar, grossProfit: input.rules.economy.grossProfit) : nil
    let behaviour = BehaviourModel(input.population, seed: input.seed)
    season = SeasonTable.of(input.population.season, calendar: input.calendar)
    let states = World.states(input)
    let shared = CellRules(input, behaviour: behaviour, season: season, states: states)
    let signUps = AdoptionCurve.signUps(
      input.population, calendar: input.calendar, season: season, seed: input.seed)
    self.members = signUps.count
    let referrals = World.referrals(behaviour, members: signUps.count, threads: threads)
    affiliates = referrals.members
    var house = try House(
      input, affiliateMembers: referrals.members, signUps: signUps,
      cellSize: cellMembers.map { CellSize(capacity: $0) }, season: season, states: states)
    curve = LifeCurve(
      behaviour: behaviour, season: season, calendar: input.calendar, signUps: signUps,
      wholesaleScans: house.partners.expectedScans)
    let size = house.cellSize
    memory = MemberMemory(
      members: signUps.count, size: size, hasExtras: shared.hasExtras, threads: threads)
    house.journal = journal.map { WorldJournal($0) }
    house.history = history
    let notes = CellJournal(isOn: journal != nil, owners: affiliates)
    let rows = HistoryNotes(isOn: history != nil)
    var cells: [Cell] = []
    var first = 0
    while first < signUps.count {
      let range = first..<min(first + size.capacity, signUps.count)
      cells.append(
        Cell(
          index: cells.count, firstMember: UInt32(first), signUps: signUps[range],
          affiliates: referrals.affiliate[range], shared: shared, memory: memory, journal: notes,
          history: rows, keepsMembers: members != nil || input.keepsMembers,
          broadcast: house.broadcast))
      first = range.upperBound
    }
    World.drawTraits(cells, threads: threads)
    house.harvests = Array(repeating: CellHarvest(), count: cells.count)
    house.outboxes = cells.map(\.outbox)
    house.notes = Array(repeating: [], count: cells.count)
    executive = WindowedExecutive(
      house: house, cells: cells, threads: threads, isTimed: isTimed)
  }

  /// Draws what members are like, side by side: in the windows only one cell at a time has sign-ups.
  private static func drawTraits(_ cells: [Cell], threads: Int) {
    DispatchQueue.concurrentPerform(iterations: threads) { part in
      for cell in stride(from: part, to: cells.count, by: threads) { cells[cell].drawTraits() }
    }
  }

  /// The states of a scenario, which validation has checked.
  private static func states(_ input: WorldInput) -> StateTable {
    do {
      return try StateTable(input.rules.states, bans: input.rules.bans)
    } catch { fatalError("the scenario's states were not checked: \(error)") }
  }

  /// Each member's affiliate row, and the member behind each row, in the order of first referral.
  private static func referrals(
    _ behaviour: BehaviourModel, members: Int, threads: Int
  ) -> (affiliate: [UInt32], members: [UInt32]) {
    let none = MemberAccount.noAffiliate
    // Who referred whom; then the row of whoever referred.
    let region = MemberRegion(count: members, blank: none)
    let affiliates = region.share(members)
    let known = behaviour.affiliates(members)
    DispatchQueue.concurrentPerform(iterations: threads) { part in
      let own = UInt32(members * part / threads)..<UInt32(members * (part + 1) / threads)
      behaviour.referrers(of: own, among: known) { affiliates.rows[Int($0)] = $1 ?? none }
    }
    var rowOf = Array(repeating: none, count: members)
    var owners: [UInt32] = []
    for member in 0..<members where affiliates.rows[member] != none {
      let referrer = affiliates.rows[member]
      if rowOf[Int(referrer)] == none {
        rowOf[Int(referrer)] = UInt32(owners.count)
        owners.append(referrer)
      }
      affiliates.rows[member] = rowOf[Int(referrer)]
    }
    return withExtendedLifetime(region) { (Array(affiliates.rows), owners) }
  }

  /// The windows of a run; see `RunWindows`.
  package static func windows(
    _ calendar: ProgrammeCalendar, length: TimeSpan
  ) -> RunWindows { RunWindows(calendar, length: length, from: calendar.start, to: calendar.end) }

  /// Runs to the end, or until somebody asks to stop.
  ///
  /// - Parameters:
  ///   - checking: Whether every law is checked after every window in which something happened and not
  ///     only at the end, which costs O(members) each time.
  ///   - checkpoints: Where the state is saved in between and where somebody asks to stop.
  ///   - proceed: Asked after each window, or after several which cells ran in one go (see
  ///     `WindowedHouse.letsCellsGoOn`); false ends the run there, marked interrupted.
  /// - Throws: `MoneyError.overflow`, a `RunLimit`, a `Violation` of what must always hold, or what
  ///   `checkpoints` throws.
  package mutating func run(
    checking: Bool = false, checkpoints: RunCheckpoints? = nil,
    proceed: (RunProgress) -> Bool = { _ in true }
  ) throws -> BlakJaksRecord {
    let end = input.calendar.end
    var goesOn = true
    while goesOn, now < end {
      let checkpoint = checkpoints?.next(after: now, input.calendar) ?? end
      let stop = min(checkpoint, census?.next ?? end)
      goesOn = try advance(until: stop, checking: checking, proceed: proceed)
      if now == census?.next { closeMonth() }
      if let checkpoints, now < end, now == checkpoint || !goesOn {
        try checkpoints.save(now) { try save($0) }
      }
    }
    return try close()
  }

  /// Runs the windows that end at or before an instant.
  ///
  /// - Parameters:
  ///   - stop: An end of a window, such as a local midnight.
  ///   - checking: See `run`.
  ///   - proceed: See `run`; false ends the call there.
  /// - Returns: Whether nobody asked to stop.
  /// - Throws: See `run`.
  package mutating func advance(
    until stop: Instant, checking: Bool = false, proceed: (RunProgress) -> Bool = { _ in true }
  ) throws -> Bool {
    executive.house.audit.isThorough = checking
    let (curve, now) = (curve, now)
    let length = windowLength
    // Small worlds gain nothing by a short window.
    let windows = RunWindows(
      input.calendar, length: length,
      lead: length.microseconds > World.wantedMicros ? length : input.window, from: now, to: stop)
    var goesOn = true
    let last = try executive.run(windows) { window, house in
      goesOn = proceed(
        RunProgress(
          simulated: window.end, of: curve, events: house.total.events + house.events,
          pace: ReportPace("scans", house.programme.books.scans)))
      return goesOn
    }
    if let last { self.now = last.end }
    try executive.withCells { cells, house in try house.rest(cells) }
    return goesOn
  }

  /// The length of the windows that are run: the scenario's, or where nobody could tell the difference a
  /// multiple of it, so long that a window has something to do.
  private var windowLength: TimeSpan {
    guard mergesWindows, executive.house.isPatient else { return input.window }
    let window = input.window.microseconds
    let members = Int64(max(members, 1))
    let wanted = max(
      World.leastMemberMicros / members,
      min(World.wantedMicros, World.mostMemberMicros / members))
    // Windows need not begin with a slot, and then end in one more.
    return input.window
      * max(1, min(wanted / window, TimeSpan.days(1).microseconds / window, DueSlots.reach - 1))
  }

  /// A window of a small world is long enough when its length times the members is this: five days of a
  /// thousand.
  private static var leastMemberMicros: Int64 { 1_000 * TimeSpan.days(5).microseconds }

  /// A window of other worlds is this long, unless its scans would no longer fit a processor's own cache:
  /// three hours of three million members.
  private static var wantedMicros: Int64 { TimeSpan.hours(3).microseconds }
  private static var mostMemberMicros: Int64 { 3_000_000 * wantedMicros }

  private mutating func closeMonth() {
    var own = census
    executive.withCells { cells, _ in own?.closeMonth(cells) }
    census = own
  }

  /// See `WindowedExecutive.withCells`.
  mutating func withCells<Answer>(
    _ body: (UnsafeMutableBufferPointer<Cell>, inout House) throws -> Answer
  ) rethrows -> Answer {
    try executive.withCells(body)
  }

  /// Closes the run after the last window that was run; nothing can be run after that.
  ///
  /// - Throws: `MoneyError.overflow`, or a `Violation` of what must always hold.
  package mutating func close() throws -> BlakJaksRecord {
    let calendar = input.calendar
    let input = input
    let affiliates = affiliates
    let season = season
    let receiver = receiver
    var census = census
    let end = now
    return try executive.withCells { cells, house in
      try house.close(cells, at: end)
      var audit = Audit(input)
      try audit.check(cells, house, at: end)
      var record = try house.chronicle.record(
        books: house.programme.books, board: house.programme.board, calendar: input.calendar,
        seed: input.seed)
      record.scenario = input.scenario
      record.scenarioDescription = input.scenarioDescription
      record.seed = input.seed
      record.settings = input.settings
      record.end = end
      record.interrupted = end < calendar.end
      record.refusedUnderAge = house.total.refusedUnderAge
      record.tinsSoldInShop = house.total.tinsSoldInShop + house.total.shop.tins
      record.events = house.allEvents
      record.outcomes = ScanOutcome.allCases.map {
        BlakJaksRecord.NamedCount(name: $0.key, count: house.total.outcomes[$0])
      }
      World.fill(&record, affiliates: affiliates, cells)
      World.fillTiers(&record, cells)
      if let receiver { World.list(cells, affiliates: affiliates, receiver) }
      record.memberValues = census?.close(cells, affiliates: affiliates, at: end)
      if let expectation = input.expectation, !record.interrupted {
        record.controls = PurchaseControls(
          cells, tins: house.total.neededTins, tinsPerPurchase: input.population.tins.perPurchase,
          expectation: expectation, season: season)
      }
      return record
    }
  }

  /// What the members of each tier at the end bought, scanned and were given over the whole run.
  private static func fillTiers(
    _ record: inout BlakJaksRecord, _ cells: UnsafeMutableBufferPointer<Cell>
  ) {
    for cell in cells.indices {
      let rows = cells[cell].rows
      for index in rows.indices where rows[index].account.hasSignedUp {
        let account = rows[index].account
        let standing = account.standing
        record.finalTiers.tins[standing.tier] += Int64(cells[cell].tinsBought[index])
        record.finalTiers.comps[standing.tier] &+=
          account.comps.microunits &+ cells[cell].beside[UInt16(index), default: 0]
        record.finalTiers.scans[standing.tier] += Int64(standing.lifetimeScans)
      }
    }
  }

  private static func fill(
    _ record: inout BlakJaksRecord, affiliates: [UInt32], _ cells: UnsafeMutableBufferPointer<Cell>
  ) {
    var active = Array(repeating: false, count: affiliates.count)
    for cell in cells {
      for row in cell.rows where row.account.hasSignedUp {
        record.affiliates.floors[row.account.standing.floor] += 1
        guard row.account.isReferred else { continue }
        record.affiliates.referred += 1
        active[Int(row.account.affiliate)] = true
      }
    }
    record.affiliates.active = Int64(active.count { $0 })
  }
}

extension World {
  /// Memory of one member besides the bits of claimed tins, in bytes.
  package static var bytesPerMember: Int {
    MemoryLayout<MemberRow>.stride + MemoryLayout<UInt32>.stride
      + 2 * MemoryLayout<UInt16>.stride
  }
}
