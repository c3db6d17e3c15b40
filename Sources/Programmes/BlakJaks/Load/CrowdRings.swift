internal import EventKernel
internal import Population
internal import Quantities

/// The rings of a scenario as clients of a service.
///
/// The world draws what a ring submits on a day at the day's end, from the tins opened by then, and
/// says no instants. Here it is sent over the day that follows, at instants spread evenly by chance.
struct CrowdRings: Sendable {
  /// Accounts of rings are numbered from here on, above any member.
  private static let firstAccount: UInt32 = 1 << 31

  private struct Ring: Sendable {
    /// Its place among the scenario's, as the world counts them.
    var row: Int
    /// Rows of its local days.
    var days: Range<Int>
    var settings: BotRing
    var firstAccount: UInt32
  }

  /// Somebody of a ring submits a code.
  struct Submission: Sendable {
    var time: Instant
    var account: UInt32
    var code: RingCode
    /// What is submitted instead of a copied code that nobody knows, as its scan was before the load.
    var spare: TinCode
  }

  private let rings: [Ring]
  private let calendar: ProgrammeCalendar
  private let seed: UInt64
  /// The day that is drawn next.
  private var day = 0
  /// Codes of opened tins in the order of opening, by cell of members; empty until a service has
  /// accepted them.
  private var tins: [[String]]

  /// - Parameter members: How many there will ever be.
  init(
    _ rings: [BotRing], members: Int, _ calendar: ProgrammeCalendar, seed: UInt64
  ) {
    var first = Self.firstAccount
    self.rings = rings.enumerated().compactMap { row, ring in
      guard let days = ring.days(in: calendar) else { return nil }
      defer { first += UInt32(ring.accounts) }
      return Ring(row: row, days: days, settings: ring, firstAccount: first)
    }
    self.calendar = calendar
    self.seed = seed
    tins = Array(repeating: [], count: (members + CellSize.smallest - 1) / CellSize.smallest)
  }

  /// Whether the scenario has none.
  var isEmpty: Bool { rings.isEmpty }

  /// When the next day ends on which rings submit; nil after the last one.
  var nextEnd: Instant? {
    day < (rings.map(\.days.upperBound).max() ?? 0) ? calendar.dayStarts[day + 1] : nil
  }

  /// A member opens a tin.
  ///
  /// - Returns: Its place in the member's cell.
  mutating func open(_ member: UInt32) -> Int {
    guard !rings.isEmpty else { return 0 }
    let cell = Int(member) / CellSize.smallest
    tins[cell].append("")
    return tins[cell].count - 1
  }

  /// A service has accepted the code of a tin.
  mutating func note(_ code: String, _ member: UInt32, _ tin: Int) {
    guard !rings.isEmpty else { return }
    tins[Int(member) / CellSize.smallest][tin] = code
  }

  /// The text of a code that is submitted now.
  func text(_ submission: Submission) -> String {
    guard case .copied(let cell, let tin) = submission.code else {
      guard case .madeUp(let code) = submission.code else { return "" }
      return code.text
    }
    let code = tins[cell][Int(tin)]
    return code.isEmpty ? submission.spare.text : code
  }

  /// Draws the day that has ended.
  mutating func drawDay() -> [Submission] {
    defer { day += 1 }
    var all: [Submission] = []
    let length = calendar.dayStarts[day + 1] - calendar.dayStarts[day]
    let today = rings.filter { $0.days.contains(day) }
    guard !today.isEmpty else { return all }
    let opened = OpenedTins(cells: tins.count) { UInt64(tins[$0].count) }
    for ring in today {
      var draws = RingDraws(ring.settings, row: ring.row, day: day, calendar, seed: seed)
      // Hours of the social side count from zero; these lie above them.
      var own = RandomStream(
        seed: seed, purpose: RandomPurpose.crowd.rawValue,
        entity: 1 << 63 | UInt64(ring.row) << 32 | UInt64(day))
      for _ in 0..<draws.count {
        let (account, code) = draws.next(opened) { $1 }
        let wait = own.uniformIndex(below: UInt64(length.microseconds))
        all.append(
          Submission(
            time: calendar.dayStarts[day + 1] + TimeSpan(microseconds: Int64(wait)),
            account: ring.firstAccount + UInt32(account), code: code,
            spare: TinCode(bits: own.nextUInt64() >> 4)))
      }
    }
    return all
  }
}
