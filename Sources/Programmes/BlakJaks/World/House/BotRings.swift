internal import Quantities

/// Rings of accounts that submit codes by program, against the real desks.
///
/// A code is made up, or copied from a tin that somebody has scanned. The accounts are not members,
/// so they are ineligible whatever they find. An account that the rules suspend goes on submitting.
struct BotRings {
  private struct Ring {
    /// Its place among the scenario's, by which its random numbers are named.
    var row: Int
    /// Rows of its local days.
    var days: Range<Int>
    var settings: BotRing
    /// What the rules hold against its accounts.
    var watch: RefusalWatch
  }

  private let seed: UInt64
  private let codes: CodeBook
  private var rings: [Ring]
  private let calendar: ProgrammeCalendar
  /// Whether codes are kept for a journal.
  var isRecording = false
  /// The codes of the last day, where a journal is written.
  private(set) var submissions: [TinCode] = []
  private(set) var submitted: Int64 = 0
  private(set) var accepted: Int64 = 0
  private(set) var suspended: Int64 = 0

  init(_ input: WorldInput) {
    seed = input.seed
    let abuse = input.rules.abuse
    codes = CodeBook(key: input.seed)
    let calendar = input.calendar
    self.calendar = calendar
    rings = input.population.mischief.rings.enumerated().compactMap { row, ring in
      ring.days(in: calendar).map {
        Ring(row: row, days: $0, settings: ring, watch: RefusalWatch(abuse))
      }
    }
  }

  /// What changes from day to day.
  struct Saved: Codable {
    fileprivate var watches: [RefusalWatch]
    fileprivate var submitted: Int64
    fileprivate var accepted: Int64
    fileprivate var suspended: Int64
  }

  /// What to save after a window, or where to go on.
  var saved: Saved {
    get {
      Saved(
        watches: rings.map(\.watch), submitted: submitted, accepted: accepted,
        suspended: suspended)
    }
    set {
      for (row, watch) in newValue.watches.enumerated() where row < rings.count {
        rings[row].watch = watch
      }
      (submitted, accepted, suspended) = (
        newValue.submitted, newValue.accepted, newValue.suspended
      )
    }
  }

  /// Whether any ring is part of the scenario.
  var isEmpty: Bool { rings.isEmpty }

  /// Submits a local day's codes at its end, when every tin that members scanned on it is claimed.
  mutating func submit(
    day: Int, _ cells: UnsafeMutableBufferPointer<Cell>
  ) -> OutcomeCounts {
    var counts = OutcomeCounts()
    submissions.removeAll()
    guard rings.contains(where: { $0.days.contains(day) }) else { return counts }
    let tins = OpenedTins(cells: cells.count) { cells[$0].printed }
    for row in rings.indices where rings[row].days.contains(day) {
      rings[row].watch.turnDay()
      submit(row, day, tins, cells, &counts)
    }
    return counts
  }

  private mutating func submit(
    _ row: Int, _ day: Int, _ tins: OpenedTins, _ cells: UnsafeMutableBufferPointer<Cell>,
    _ counts: inout OutcomeCounts
  ) {
    var draws = RingDraws(
      rings[row].settings, row: rings[row].row, day: day, calendar, seed: seed)
    for _ in 0..<draws.count {
      let (account, drawn) = draws.next(tins) { cells[$0].claimedTin(from: $1) }
      let code =
        switch drawn {
        case .madeUp(let code): code
        case .copied(let cell, let tin): codes.code(ofSerial: Self.serial(cell, tin))
        }
      let cell = Int(codes.serial(of: code) >> Cell.serialBits)
      if isRecording { submissions.append(code) }
      let outcome = cell < cells.count ? cells[cell].submitForeign(code) : .unknownCode
      counts[outcome] += 1
      submitted += 1
      if outcome == .accepted { accepted += 1 }
      if rings[row].watch.note(outcome, of: UInt32(account)) { suspended += 1 }
    }
  }

  private static func serial(_ cell: Int, _ tin: UInt64) -> UInt64 {
    UInt64(cell) << Cell.serialBits + tin
  }
}
