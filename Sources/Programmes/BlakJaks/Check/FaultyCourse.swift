internal import EventKernel
internal import Population
internal import Quantities
internal import RewardModel

/// The submissions of a world's members as they reach a service when much goes wrong on the way.
///
/// Each submission has chances of its own, by its place in the journal, so that leaving others out
/// changes nothing for it.
struct FaultyCourse {
  typealias Kind = BlakJaksFaults.Course

  /// What arrives at once.
  struct Arrival {
    var time: Instant
    /// Keeps arrivals of one instant in order.
    var order: Int
    var requests: [ProgrammeRequest]
    /// Of the submission that it comes from.
    var place: Int
    /// Whether it was held back so that others may come before it.
    var isHeldBack = false
  }

  /// How many submissions the members made.
  let submissions: Int
  /// Faults that happened.
  private(set) var counts: [Kind: Int64] = [:]
  private let rates: [String: Double]
  private let seed: UInt64
  private let end: Instant
  private var arrivals: [Arrival] = []
  private var taken = 0
  private var mornings: UInt64 = 0
  private var steps: UInt64 = 0

  /// - Parameters:
  ///   - entries: The world's journal.
  ///   - end: Nothing arrives at or after it, and faults that would are none.
  init(_ input: WorldInput, _ entries: [JournalEntry], _ plan: CheckPlan, until end: Instant) {
    rates = plan.rates
    seed = input.seed
    self.end = end
    let own = entries.filter { !$0.request.isOfCalendar }
    submissions = own.count
    let bounds = (input.calendar.dayStarts + ProgrammeRules.mornings(input.calendar)).sorted()
    let codes = CodeBook(key: input.seed)
    var printed: [UInt32: UInt64] = [:]
    var members: UInt32 = 0
    for (place, entry) in own.enumerated() {
      if case .printTins(let run, let count) = entry.request { printed[run] = count }
      if case .signUp = entry.request { members += 1 }
      guard plan.kept?.contains(place) ?? true else { continue }
      let time = arrive(entry, place, bounds)
      var stream = stream(place, 1)
      if happens(.sameCode, &stream), case .scan(let own, let code) = entry.request {
        let other = UInt32(stream.uniformIndex(below: UInt64(members) + 2))
        let areTwo = own != nil && own != other && other < members && time == entry.time
        add(.scan(member: other, code: code), entry.time, place, areTwo ? .sameCode : nil)
      }
      if happens(.soldOut, &stream), let run = printed.keys.sorted().first {
        let serial = UInt64(run) << 36 + (printed[run] ?? 0) + stream.uniformIndex(below: 3)
        let member = entry.request.member ?? 0
        add(
          .scan(member: member, code: codes.code(ofSerial: serial).text), entry.time, place,
          .soldOut
        )
      }
      if happens(.limit, &stream) {
        for request in BlakJaksFaults.extremes(entry.request.member ?? 0) {
          add(request, entry.time, place, .limit)
        }
      }
    }
    arrivals.sort { ($0.time, $0.order) < ($1.time, $1.order) }
    countReordered()
  }

  /// Counts those that were held back and that others, sent later, have overtaken.
  private mutating func countReordered() {
    var latest = -1
    for arrival in arrivals {
      if arrival.isHeldBack, arrival.place < latest { counts[.reordered, default: 0] += 1 }
      latest = max(latest, arrival.place)
    }
  }

  /// One submission, on time or not, once or more.
  ///
  /// - Returns: When it comes for the first time.
  private mutating func arrive(
    _ entry: JournalEntry, _ place: Int, _ bounds: [Instant]
  ) -> Instant {
    var stream = stream(place, 0)
    var time = entry.time
    var (kinds, isHeldBack): ([Kind], Bool) = ([], false)
    let isMembers = entry.request.member != nil
    if isMembers, happens(.delayed, &stream) {
      time = time + TimeSpan(microseconds: Int64(stream.uniform() * 1.728e11))
      kinds.append(.delayed)
    }
    if isMembers, happens(.reordered, &stream) {
      time = time + TimeSpan(microseconds: Int64(stream.uniform() * 6e8))
      isHeldBack = true
    }
    if isMembers, happens(.boundary, &stream), let next = bounds.first(where: { $0 >= time }) {
      time = next
      kinds.append(.boundary)
    }
    append(entry.request, time, place, kinds, isHeldBack: isHeldBack)
    if isMembers, happens(.duplicated, &stream) { add(entry.request, time, place, .duplicated) }
    if isMembers, happens(.replayed, &stream) {
      let later = TimeSpan(microseconds: Int64(stream.uniform() * 8.64e11))
      add(entry.request, time + later, place, .replayed)
    }
    return time
  }

  private mutating func add(
    _ request: ProgrammeRequest, _ time: Instant, _ place: Int, _ kind: Kind?
  ) {
    append(request, time, place, kind.map { [$0] } ?? [])
  }

  /// Lets a request arrive, and counts the faults that it shows, where it comes before the end.
  private mutating func append(
    _ request: ProgrammeRequest, _ time: Instant, _ place: Int, _ kinds: [Kind],
    isHeldBack: Bool = false
  ) {
    guard time < end else { return }
    for kind in kinds { counts[kind, default: 0] += 1 }
    arrivals.append(
      Arrival(
        time: time, order: arrivals.count, requests: [request], place: place,
        isHeldBack: isHeldBack))
  }

  /// The next arrival.
  mutating func next() -> Arrival? {
    guard taken < arrivals.count else { return nil }
    taken += 1
    return arrivals[taken - 1]
  }

  /// Whether the state is saved and restored before an arrival.
  mutating func restarts(_ arrival: Arrival) -> Bool { drawn(.restart, arrival.place, 2) }

  /// Whether what no sum holds is tried after an arrival.
  func probes(_ arrival: Arrival) -> Bool {
    var stream = stream(arrival.place, 3)
    return stream.uniform() < (rates[Kind.limit.rawValue] ?? 0)
  }

  /// Whether a morning reads what the chain showed a day before.
  mutating func isFeedLate() -> Bool {
    mornings += 1
    return drawn(.lateFeed, Int(mornings), 4)
  }

  /// Whether a step of a payout is told again.
  mutating func isToldAgain() -> Bool {
    steps += 1
    return drawn(.payoutAgain, Int(steps), 5)
  }

  private mutating func drawn(_ kind: Kind, _ place: Int, _ what: UInt64) -> Bool {
    var stream = stream(place, what)
    guard happens(kind, &stream) else { return false }
    counts[kind, default: 0] += 1
    return true
  }

  private func stream(_ place: Int, _ what: UInt64) -> RandomStream {
    RandomStream(
      seed: seed, purpose: RandomPurpose.fault.rawValue, entity: UInt64(place) << 3 | what)
  }

  private func happens(_ kind: Kind, _ stream: inout RandomStream) -> Bool {
    stream.uniform() < (rates[kind.rawValue] ?? 0)
  }
}

extension ProgrammeRequest {
  /// Whether the calendar or the payouts bring it, and no client.
  var isOfCalendar: Bool {
    switch self {
    case .turnDay, .openMorning, .reconcile, .payout, .settleGuarantee: true
    default: false
    }
  }
}
