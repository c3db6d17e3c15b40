internal import EventKernel
internal import Population
internal import Quantities

/// Rings of accounts that submit codes by program, against the real desks.
///
/// A code is made up, or copied from a tin that somebody has scanned. The accounts are not members,
/// so they are ineligible whatever they find. An account that the rules suspend goes on submitting.
struct BotRings {
  private struct Ring {
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
    rings = input.population.mischief.rings.compactMap { ring in
      guard let day = calendar.dates.firstIndex(of: ring.date) else { return nil }
      return Ring(
        days: day..<min(day + ring.days, calendar.dayCount), settings: ring,
        watch: RefusalWatch(abuse, accounts: ring.accounts))
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
    for row in rings.indices where rings[row].days.contains(day) {
      rings[row].watch.turnDay()
      submit(row, day, cells, &counts)
    }
    return counts
  }

  private mutating func submit(
    _ row: Int, _ day: Int, _ cells: UnsafeMutableBufferPointer<Cell>,
    _ counts: inout OutcomeCounts
  ) {
    let ring = rings[row].settings
    var stream = RandomStream(
      seed: seed, purpose: RandomPurpose.botRing.rawValue,
      entity: UInt64(row) << 32 | UInt64(day))
    let length = calendar.dayStarts[day + 1] - calendar.dayStarts[day]
    let hours = Double(length.microseconds) / 3.6e9
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
      if outcome == .accepted {
        accepted += 1
      } else if rings[row].watch.refuse(account) {
        suspended += 1
      }
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
}
