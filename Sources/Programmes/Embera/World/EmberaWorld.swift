package import EventKernel
internal import Population
package import Quantities
package import RewardModel

/// The typed values of everything that a scenario of the roastery can set.
package struct EmberaSettings: Sendable, Equatable {
  package var rules = EmberaRules()
  package var population = EmberaPopulation()

  /// The defaults.
  package init() {}
}

/// The synthetic world: members with their devices in cells, one house, one run.
package struct EmberaWorld: ~Copyable {
  let frame: RunFrame
  private let settings: EmberaSettings
  /// Receives the members at the run's end, if anybody does.
  private let members: ((EmberaMember) -> Void)?
  private var executive: WindowedExecutive<House>
  /// The requests that the run made of the program, in order; empty unless a journal is kept.
  package private(set) var journal: [JournalEntry] = []

  /// The end of the last window that was run; the calendar's start before the first.
  package internal(set) var now: Instant

  /// Where the time of the run went; nil unless it is timed.
  package var times: WindowTimes? { executive.times }

  /// Builds the members.
  ///
  /// - Parameters:
  ///   - frame: Name, seed, calendar and lookahead of the run.
  ///   - settings: Within the ranges of a validated scenario.
  ///   - threads: 1 or more; the result does not depend on it.
  ///   - journals: Whether the run keeps a journal, which costs memory for every request.
  ///   - history: Receives the orders; see `RunOutputs.history`.
  ///   - members: Receives the members at the run's end, which costs memory for each of them.
  ///   - isTimed: Whether `times` are kept.
  /// - Complexity: O(members).
  package init(
    _ frame: RunFrame, _ settings: EmberaSettings, threads: Int, journals: Bool = false,
    history: ((HistoryRow) -> Void)? = nil, members: ((EmberaMember) -> Void)? = nil,
    isTimed: Bool = false
  ) {
    self.frame = frame
    now = frame.calendar.start
    self.settings = settings
    self.members = members
    let population = settings.population
    let model = VisitModel(population, settings.rules, seed: frame.seed)
    let season = SeasonTable.of(population.season, calendar: frame.calendar)
    let signUps = AdoptionCurve.signUps(
      population.adoption, members: population.members, calendar: frame.calendar, season: season,
      seed: frame.seed)
    var referred = Array(repeating: false, count: signUps.count)
    model.buying.referrers(
      of: 0..<UInt32(signUps.count), among: model.buying.affiliates(signUps.count)
    ) { referred[Int($0)] = $1 != nil }
    let shared = CellRules(
      settings.rules, model, season, frame.calendar, journals: journals)
    var house = House(frame, settings.rules, journals: journals)
    house.history = history
    let rows = HistoryNotes(isOn: history != nil)
    let terms = ProgramTerms(
      settings.rules, month: house.books.month, share: house.books.share)
    let cells = stride(from: 0, to: signUps.count, by: Cell.capacity).map { first in
      let range = first..<min(first + Cell.capacity, signUps.count)
      return Cell(
        firstMember: UInt32(first), signUps: signUps[range], referred: referred[range],
        shared: shared, terms: terms, lags: EmberaWorld.emptyLags, history: rows,
        keepsMembers: members != nil)
    }
    executive = WindowedExecutive(
      house: house, cells: cells, threads: threads, isTimed: isTimed)
  }

  private static var emptyLags: QuantileSketch {
    do {
      return try QuantileSketch(relativeError: 0.01)
    } catch { fatalError("1 % is a valid error: \(error)") }
  }

  /// Runs to the end, or until somebody asks to stop.
  ///
  /// - Parameters:
  ///   - checking: Whether every invariant is checked after every window and not only at the end;
  ///     those that read counters alone are in every run.
  ///   - checkpoints: Where the state is saved in between and where somebody asks to stop.
  ///   - proceed: Asked after each window; false ends the run there, marked interrupted.
  /// - Throws: `MoneyError.overflow`, a `Violation` of what must always hold, or what `checkpoints`
  ///   throws.
  package mutating func run(
    checking: Bool = false, checkpoints: RunCheckpoints? = nil,
    proceed: (RunProgress) -> Bool = { _ in true }
  ) throws -> EmberaRecord {
    let calendar = frame.calendar
    var goesOn = true
    while goesOn, now < calendar.end {
      let stop = checkpoints?.next(after: now, calendar) ?? calendar.end
      goesOn = try advance(until: stop, checking: checking, proceed: proceed)
      if let checkpoints, now < calendar.end { try checkpoints.save(now) { try save($0) } }
    }
    return try close()
  }

  /// Runs the windows that end at or before an instant.
  ///
  /// - Parameters:
  ///   - stop: An end of a window, such as a local midnight.
  ///   - checking: See `run`.
  ///   - proceed: Asked after each window; false ends the call there.
  /// - Returns: Whether nobody asked to stop.
  /// - Throws: See `run`.
  package mutating func advance(
    until stop: Instant, checking: Bool = false, proceed: (RunProgress) -> Bool = { _ in true }
  ) throws -> Bool {
    executive.house.audit.isThorough = checking
    let (calendar, now) = (frame.calendar, now)
    let length = calendar.end - calendar.start
    let windows = Window.steps(of: frame.window, calendar: calendar)
      .drop { $0.start < now }.prefix { $0.end <= stop }
    var goesOn = true
    let last = try executive.run(windows) { window, house in
      goesOn = proceed(
        RunProgress(
          simulated: window.end,
          done: (window.end - calendar.start).inSeconds / length.inSeconds,
          events: house.total.events, pace: ReportPace("orders", house.books.total.orders)))
      return goesOn
    }
    if let last { self.now = last.end }
    return goesOn
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
  package mutating func close() throws -> EmberaRecord {
    let (frame, end) = (frame, now)
    let settings = settings
    let members = members
    let (record, journal) = try executive.withCells { cells, house in
      if end > frame.calendar.start { try house.close(cells, at: end) }
      try EmberaAudit(frame).check(cells, house, at: end)
      if let members { EmberaWorld.list(cells, members) }
      return (try EmberaRecord(frame, settings, cells, house, end: end), house.journal)
    }
    self.journal = EmberaWorld.ordered(journal)
    return record
  }

  /// The requests of a house's journal in their order.
  static func ordered(_ journal: [JournalEntry]) -> [JournalEntry] {
    // What the program does at an instant, it does to what came before.
    func place(_ entry: JournalEntry) -> Int64 { entry.member == .max ? -1 : Int64(entry.member) }
    return journal.enumerated().sorted {
      ($0.element.instant, place($0.element), $0.offset)
        < ($1.element.instant, place($1.element), $1.offset)
    }.map(\.element)
  }
}

extension Window {
  /// The windows of a run: steps of a length from each local midnight, cut at midnight.
  package static func steps(of length: TimeSpan, calendar: ProgrammeCalendar) -> [Window] {
    var windows: [Window] = []
    var start = calendar.start
    for day in 0..<calendar.dayCount {
      let midnight = min(calendar.dayStarts[day + 1], calendar.end)
      while start < midnight {
        let end = min(start + length, midnight)
        windows.append(Window(index: windows.count, start: start, end: end))
        start = end
      }
    }
    return windows
  }
}
