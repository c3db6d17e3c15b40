internal import EventKernel
internal import Population
internal import Quantities
internal import RewardModel

/// What a world's members ask for, as it comes about when much goes wrong on the way.
///
/// Each submission has chances of its own, by its place in the journal, so that leaving others out
/// changes nothing for it.
struct EmberaCourse {
  typealias Kind = EmberaFaults.Course

  /// What a member asks for on a channel. The channel numbers it when it comes about.
  struct Wish {
    enum Content {
      case order(OrderContents)
      /// By the offer's id.
      case redemption(String)
      /// The dearest offer, where the balance does not cover it.
      case uncovered
    }

    /// By which it can be asked for again.
    var id: Int
    /// Of the submission that it comes from.
    var place: Int
    var member: UInt32
    var channel: EntryChannel
    var content: Content
    var created: Instant
    /// For how long the channel is cut off from then on.
    var delay = TimeSpan(microseconds: 0)
    var comesTwice = false
    var overtakes = false
    /// Whether the member looks at the order by a clock that steps.
    var looksByWrongClock = false
  }

  enum Action {
    case request(EmberaRequest)
    case wish(Wish)
    /// Both devices spend what they show, cut off for so long.
    case spendTwice(member: UInt32, TimeSpan, TimeSpan)
    case sync(member: UInt32, EntryChannel)
    /// A wish is sent again, with its own contents or others.
    case again(wish: Int, hasOtherContents: Bool)
    /// What lies at the end of what can be written.
    case limits(member: UInt32)
  }

  struct Step {
    var time: Instant
    /// Keeps steps of one instant apart: before a month closes, its close, syncs, all else.
    var rank: Int
    var order: Int
    var action: Action
    /// Of the submission that it comes from; nil of the calendar's.
    var place: Int?
  }

  /// How many submissions the members made.
  let submissions: Int
  /// Faults that are sure to happen.
  private(set) var counts: [Kind: Int64] = [:]
  /// In the order of their times.
  private(set) var steps: [Step] = []
  private let rates: [String: Double]
  private let seed: UInt64
  private var members: [UInt32: UInt32] = [:]
  private var wishes = 0
  private let midnights: [Instant]
  private let monthEnds: [Instant]
  private let clockChanges: [Instant]

  /// - Parameter entries: A world's journal.
  init(_ frame: RunFrame, _ entries: [JournalEntry], _ plan: CheckPlan) {
    rates = plan.rates
    seed = frame.seed
    let calendar = frame.calendar
    midnights = calendar.dayStarts
    monthEnds = calendar.dayStarts.indices.dropFirst().filter { row in
      calendar.dates[row - 1].adding(days: 1).day == 1
    }.map { calendar.dayStarts[$0] }
    clockChanges = calendar.offsets.map(\.from).filter {
      $0 > calendar.start && $0 < calendar.end
    }
    submissions = entries.count { !$0.request.isOfCalendar }
    var place = 0
    for entry in entries {
      if entry.request.isOfCalendar {
        add(.request(entry.request), entry.instant, rank: 1, nil)
        continue
      }
      if plan.kept?.contains(place) ?? true { take(entry, place) }
      place += 1
    }
    steps.sort { ($0.time, $0.rank, $0.order) < ($1.time, $1.rank, $1.order) }
  }

  /// The member's number among those whose sign-up was not left out.
  private func number(_ member: UInt32) -> UInt32 { members[member] ?? .max - 1 }

  private mutating func take(_ entry: JournalEntry, _ place: Int) {
    switch entry.request {
    case .closeMonth: break
    case .signUp:
      members[entry.member] = UInt32(members.count)
      add(.request(entry.request), entry.instant, rank: 3, place)
    case .challenge(let member, let channel):
      request(.challenge(member: number(member), channel: channel), entry.instant, place)
    case .signIn(let member, let channel, let counter):
      request(
        .signIn(member: number(member), channel: channel, counter: counter), entry.instant, place)
    case .order(let member, let channel, _, let contents):
      wish(number(member), channel, .order(contents), entry.instant, place)
    case .redeem(let member, let channel, _, let offer):
      wish(number(member), channel, .redemption(offer), entry.instant, place)
    }
  }

  /// A request that is no entry of a log.
  private mutating func request(_ request: EmberaRequest, _ time: Instant, _ place: Int) {
    var stream = stream(place, 0)
    add(.request(request), time, rank: 3, place)
    if happens(.sentTwice, &stream) {
      add(.request(request), time, rank: 3, place)
      count(.sentTwice)
    }
  }

  private mutating func wish(
    _ member: UInt32, _ channel: EntryChannel, _ content: Wish.Content, _ instant: Instant,
    _ place: Int
  ) {
    var stream = stream(place, 0)
    let (time, rank) = moved(instant, channel, &stream)
    var wish = Wish(
      id: wishes, place: place, member: member, channel: channel, content: content,
      created: time)
    wishes += 1
    if happens(.sentLate, &stream) {
      wish.delay = TimeSpan(microseconds: 1 + Int64(stream.uniform() * 2.592e11))
      count(.sentLate)
    }
    wish.comesTwice = happens(.sentTwice, &stream)
    wish.overtakes = happens(.overtaken, &stream)
    wish.looksByWrongClock = happens(.clockSteps, &stream)
    add(.wish(wish), time, rank: rank, place)
    if wish.delay > TimeSpan(microseconds: 0) {
      add(.sync(member: member, channel), time + wish.delay, rank: 2, place)
    }
    for kind in [Kind.sentAgain, .otherContents] where happens(kind, &stream) {
      let later = TimeSpan(microseconds: Int64(stream.uniform() * 8.64e11))
      add(
        .again(wish: wish.id, hasOtherContents: kind == .otherContents), time + later, rank: 3,
        place)
    }
    accompany(wish, rank, place)
  }

  /// What comes about beside a wish.
  private mutating func accompany(_ wish: Wish, _ rank: Int, _ place: Int) {
    var stream = stream(place, 1)
    let time = wish.created
    if happens(.interleaved, &stream), wish.channel != .subscription, case .order = wish.content {
      var other = wish
      other.id = wishes
      wishes += 1
      other.channel = wish.channel == .firstDevice ? .secondDevice : .firstDevice
      other.delay = TimeSpan(microseconds: 0)
      let isFirst = stream.nextUInt32() & 1 == 0
      add(.wish(other), time, rank: isFirst ? rank - 1 : rank, place)
      count(.interleaved)
    }
    if happens(.samePoints, &stream) {
      let delays = (0..<2).map { _ in
        TimeSpan(microseconds: 1 + Int64(stream.uniform() * 3.6e9))
      }
      add(
        .spendTwice(member: wish.member, delays[0], delays[1]), time, rank: rank, place)
      for (channel, delay) in zip(EntryChannel.devices, delays) {
        add(.sync(member: wish.member, channel), time + delay, rank: 2, place)
      }
    }
    if happens(.uncovered, &stream) {
      var other = Wish(
        id: wishes, place: place, member: wish.member, channel: .firstDevice,
        content: .uncovered, created: time)
      wishes += 1
      if stream.nextUInt32() & 1 == 0 { other.channel = .secondDevice }
      add(.wish(other), time, rank: rank, place)
    }
    if happens(.limit, &stream) {
      add(.limits(member: wish.member), time, rank: rank, place)
      let row = Int(stream.uniformIndex(below: UInt64(EmberaFaults.large.count)))
      let other = Wish(
        id: wishes, place: place, member: wish.member, channel: .secondDevice,
        content: .order(EmberaFaults.large[row]), created: time)
      wishes += 1
      add(.wish(other), time, rank: rank, place)
    }
  }

  /// An instant, or the next midnight, month's end or change of clocks from it on.
  private mutating func moved(
    _ instant: Instant, _ channel: EntryChannel, _ stream: inout RandomStream
  ) -> (time: Instant, rank: Int) {
    var (time, rank) = (instant, 3)
    func next(_ bounds: [Instant]) -> Instant? { bounds.first { $0 >= time } }
    if happens(.boundary, &stream), let bound = next(midnights) {
      time = bound
      count(.boundary)
    }
    if happens(.deliveryAtBoundary, &stream), channel == .subscription,
      let bound = next(midnights)
    {
      time = bound
      count(.deliveryAtBoundary)
    }
    if happens(.clockChange, &stream), let bound = next(clockChanges) {
      time = bound
      count(.clockChange)
    }
    let isBefore = stream.nextUInt32() & 1 == 0
    if happens(.monthEnd, &stream), let bound = next(monthEnds) {
      (time, rank) = (bound, isBefore ? 0 : 3)
      count(.monthEnd)
    }
    return (time, rank)
  }

  private mutating func add(_ action: Action, _ time: Instant, rank: Int, _ place: Int?) {
    steps.append(Step(time: time, rank: rank, order: steps.count, action: action, place: place))
  }

  private mutating func count(_ kind: Kind) { counts[kind, default: 0] += 1 }

  // MARK: - Draws

  /// Whether the state is saved and restored before a step.
  func restarts(_ step: Step) -> Bool {
    guard let place = step.place else { return false }
    var stream = stream(place, 2)
    return happens(.restart, &stream)
  }

  /// The draws of a wish's looks.
  func looks(_ wish: Wish) -> RandomStream { stream(wish.place, 3) }

  private func stream(_ place: Int, _ what: UInt64) -> RandomStream {
    RandomStream(
      seed: seed, purpose: RandomPurpose.fault.rawValue, entity: UInt64(place) << 3 | what)
  }

  private func happens(_ kind: Kind, _ stream: inout RandomStream) -> Bool {
    stream.uniform() < (rates[kind.rawValue] ?? 0)
  }
}

extension EmberaRequest {
  /// Whether the calendar brings it, and no member.
  var isOfCalendar: Bool {
    if case .closeMonth = self { true } else { false }
  }
}
