internal import EventKernel
internal import Population
internal import Quantities

/// Rings of accounts that submit codes by program, against the real desks.
///
/// A code is made up, or copied from a tin that somebody has scanned or at least printed. The
/// accounts are no members, so they are ineligible whatever they find. One whose submissions are
/// refused too often on a day is suspended; that it does not know, and goes on.
struct BotRings {
  private struct Ring {
    var start: Instant
    var end: Instant
    var settings: BotRing
    /// Refused submissions of each account on the current day; nil once suspended.
    var refusals: [Int64?]
  }

  private let seed: UInt64
  private let limit: Int64
  private let codes: CodeBook
  private var rings: [Ring]
  private var day: Int = -1
  private let calendar: ProgrammeCalendar
  /// Whether codes are kept for a journal.
  var isRecording = false
  /// The codes of the last window, where a journal is written.
  private(set) var submissions: [TinCode] = []
  private(set) var submitted: Int64 = 0
  private(set) var accepted: Int64 = 0
  private(set) var suspended: Int64 = 0

  init(_ input: WorldInput) {
    seed = input.seed
    limit = input.rules.abuse.refusals
    codes = CodeBook(key: input.seed)
    let calendar = input.calendar
    self.calendar = calendar
    rings = input.population.mischief.rings.compactMap { ring in
      guard let day = calendar.dates.firstIndex(of: ring.date) else { return nil }
      let last = min(day + ring.days, calendar.dayCount)
      return Ring(
        start: calendar.dayStarts[day], end: calendar.dayStarts[last], settings: ring,
        refusals: Array(repeating: 0, count: ring.accounts))
    }
  }

  /// Whether any ring is part of the scenario.
  var isEmpty: Bool { rings.isEmpty }

  /// Submits the window's codes.
  mutating func submit(
    _ window: Window, _ cells: UnsafeMutableBufferPointer<Cell>
  ) -> OutcomeCounts {
    var counts = OutcomeCounts()
    submissions.removeAll()
    guard !rings.isEmpty else { return counts }
    let today = calendar.dayIndex(of: window.start)
    for row in rings.indices where rings[row].start < window.end && rings[row].end > window.start {
      if today != day {
        for place in rings[row].refusals.indices where rings[row].refusals[place] != nil {
          rings[row].refusals[place] = 0
        }
      }
      submit(row, window, cells, &counts)
    }
    day = today
    return counts
  }

  private mutating func submit(
    _ row: Int, _ window: Window, _ cells: UnsafeMutableBufferPointer<Cell>,
    _ counts: inout OutcomeCounts
  ) {
    let ring = rings[row].settings
    var stream = RandomStream(
      seed: seed, purpose: RandomPurpose.botRing.rawValue,
      entity: UInt64(row) << 32 | UInt64(window.index))
    let hours = Double((window.end - window.start).microseconds) / 3.6e9
    let count = stream.poisson(mean: Double(ring.accounts) * ring.perHour * hours)
    for _ in 0..<count {
      let account = Int(stream.uniformIndex(below: UInt64(ring.accounts)))
      let isCopy = stream.uniform() < ring.copied
      let code = (isCopy ? copied(&stream, cells) : nil) ?? TinCode(bits: stream.nextUInt64() >> 4)
      let cell = Int(codes.serial(of: code) >> Cell.serialBits)
      if isRecording { submissions.append(code) }
      let outcome = cell < cells.count ? cells[cell].submitForeign(code) : .unknownCode
      counts[outcome] += 1
      submitted += 1
      if outcome == .accepted { accepted += 1 } else { refuse(row, account) }
    }
  }

  /// The code of a random printed tin of a random cell; nil unless somebody has scanned it, as
  /// those whom a ban keeps from their rewards leave their codes unclaimed.
  private func copied(
    _ stream: inout RandomStream, _ cells: UnsafeMutableBufferPointer<Cell>
  ) -> TinCode? {
    let cell = Int(stream.uniformIndex(below: UInt64(max(cells.count, 1))))
    guard cell < cells.count, cells[cell].printed > 0 else { return nil }
    let tin = stream.uniformIndex(below: cells[cell].printed)
    let serial = UInt64(cell) << Cell.serialBits + tin
    return cells[cell].isClaimed(serial: serial) ? codes.code(ofSerial: serial) : nil
  }

  private mutating func refuse(_ row: Int, _ account: Int) {
    guard limit > 0, let refused = rings[row].refusals[account] else { return }
    rings[row].refusals[account] = refused + 1
    if refused + 1 >= limit {
      rings[row].refusals[account] = nil
      suspended += 1
    }
  }
}
