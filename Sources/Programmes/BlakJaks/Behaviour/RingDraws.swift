internal import EventKernel
internal import Population
package import Quantities

/// What an account of a ring submits.
enum RingCode: Sendable, Equatable {
  case madeUp(TinCode)
  /// The code of a tin that somebody has scanned: the number of its cell of members, and its place
  /// among the tins opened there.
  case copied(cell: Int, tin: UInt64)
}

/// The tins that members have opened by the end of a day, to draw one of them.
struct OpenedTins {
  /// Tins opened in each cell of members and in those before it.
  private var ends: [UInt64] = []

  /// - Parameters:
  ///   - cells: How many cells of members there are.
  ///   - opened: Tins opened in a cell by the day's end.
  init(cells: Int, opened: (Int) -> UInt64) {
    var end: UInt64 = 0
    for cell in 0..<cells {
      end += opened(cell)
      ends.append(end)
    }
  }

  /// One of all tins, each as likely as any other; nil where there is none. Logarithmic in the cells.
  func draw(from stream: inout RandomStream) -> (cell: Int, tin: UInt64)? {
    guard let count = ends.last, count > 0 else { return nil }
    let tin = stream.uniformIndex(below: count)
    // The first cell that ends behind it.
    var (low, high) = (0, ends.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] > tin { high = middle } else { low = middle + 1 }
    }
    return (low, low == 0 ? tin : tin - ends[low - 1])
  }
}

/// What the accounts of one ring submit on one local day, one submission after the other.
struct RingDraws {
  /// How many submissions there are.
  let count: Int
  private let ring: BotRing
  private var stream: RandomStream

  /// - Parameters:
  ///   - row: Of the ring among the scenario's.
  ///   - day: Of the calendar.
  init(_ ring: BotRing, row: Int, day: Int, _ calendar: ProgrammeCalendar, seed: UInt64) {
    self.ring = ring
    stream = RandomStream(
      seed: seed, purpose: RandomPurpose.botRing.rawValue,
      entity: UInt64(row) << 32 | UInt64(day))
    let length = calendar.dayStarts[day + 1] - calendar.dayStarts[day]
    let hours = Double(length.microseconds) / 3.6e9
    count = stream.poisson(mean: Double(ring.accounts) * ring.perHour * hours)
  }

  /// The next submission: its account, from 0 on, and its code.
  ///
  /// - Parameters:
  ///   - tins: Those that were opened by the day's end.
  ///   - scanned: The tin of a cell that somebody has scanned, for any tin opened there: those whom a ban
  ///     keeps from their rewards leave their codes unclaimed. Nil where nobody has scanned one.
  mutating func next(
    _ tins: OpenedTins, scanned: (Int, UInt64) -> UInt64?
  ) -> (account: Int, code: RingCode) {
    let account = Int(stream.uniformIndex(below: UInt64(ring.accounts)))
    guard stream.uniform() < ring.copied else { return (account, madeUp()) }
    guard let (cell, tin) = tins.draw(from: &stream) else { return (account, madeUp()) }
    return (account, scanned(cell, tin).map { .copied(cell: cell, tin: $0) } ?? madeUp())
  }

  private mutating func madeUp() -> RingCode {
    .madeUp(TinCode(bits: stream.nextUInt64() >> 4))
  }
}

extension BotRing {
  /// Rows of its local days, those within a calendar; nil where there are none.
  package func days(in calendar: ProgrammeCalendar) -> Range<Int>? {
    let first = date.dayNumber - calendar.dates[0].dayNumber
    let end = min(first + days, calendar.dayCount)
    return max(first, 0) < end ? max(first, 0)..<end : nil
  }
}
