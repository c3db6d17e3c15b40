internal import EventKernel
internal import Foundation
internal import Population
internal import Quantities
internal import RewardModel

/// The same submissions with faults: a state machine, members' devices with their own books, and a
/// plain reading of both.
struct EmberaTrial {
  typealias Wish = EmberaCourse.Wish

  /// An entry that waits on a channel.
  private struct Waiting {
    var wish: Wish
    var request: EmberaRequest
    /// What it does to the balance that the device shows, worked out plainly.
    var points: Int
    var isOrder: Bool
  }

  /// One channel of a member: a device with its book, or the sender of the subscriptions.
  private struct Sender {
    var book = DeviceBook()
    var waiting: [Waiting] = []
    /// Until when it is cut off.
    var offlineUntil = Instant.distantPast
    /// What the server reported last: points held and earned.
    var reported = (held: 0, earned: 0)
    /// Entries so far.
    var entries: UInt32 = 0

    /// What it should show.
    var shown: (held: Int, earned: Int) {
      waiting.reduce(reported) { sum, entry in
        (sum.held + entry.points, sum.earned + (entry.isOrder ? entry.points : 0))
      }
    }
  }

  private struct Place: Hashable {
    var member: UInt32
    var channel: EntryChannel
  }

  let journal: EmberaCaseJournal
  /// Faults that happened.
  private(set) var counts: [EmberaFaults.Course: Int64] = [:]
  /// Orders under dear rules that left 64 bits.
  var overflows: Int64 = 0
  let frame: RunFrame
  let rules: EmberaRules
  let course: EmberaCourse
  private let terms: ProgramTerms
  private(set) var state: EmberaState
  private var senders: [Place: Sender] = [:]
  /// Wishes that were numbered, as they were sent.
  private var logged: [Int: EmberaRequest] = [:]
  private(set) var now: Instant

  init(
    _ frame: RunFrame, _ rules: EmberaRules, _ course: EmberaCourse,
    trace: (@Sendable (TraceLine) -> Void)?
  ) {
    self.frame = frame
    self.rules = rules
    self.course = course
    let month = frame.calendar.dates[0].monthNumber
    terms = ProgramTerms(rules, month: month, share: rules.liability.priorShare)
    state = EmberaState(rules, month: month)
    journal = EmberaCaseJournal(rules, frame.calendar, trace: trace)
    now = frame.calendar.start
    counts = course.counts
  }

  var recount: EmberaRecount { journal.recount }

  /// Runs the steps before an instant, and where that is after the end, the last sync.
  ///
  /// - Throws: `EmberaRecountFailure`, `Violation` or `MoneyError`.
  mutating func run(until: Instant) throws {
    let end = frame.calendar.end
    for step in course.steps where step.time < until && step.time <= end {
      try pass(to: step.time)
      if course.restarts(step) { try restart() }
      try take(step)
    }
    guard until > end else { return }
    try pass(to: end)
    try syncAll()
    try journal.compare(state)
  }

  private mutating func pass(to instant: Instant) throws {
    now = max(now, instant)
    try journal.pass(to: now, state)
  }

  private mutating func take(_ step: EmberaCourse.Step) throws {
    switch step.action {
    case .request(let request): _ = try send(request)
    case .wish(let wish): try place(wish)
    case .spendTwice(let member, let first, let second):
      try spendTwice(member, [first, second])
    case .sync(let member, let channel): try sync(Place(member: member, channel: channel))
    case .again(let wish, let hasOtherContents): try sendAgain(wish, hasOtherContents)
    case .limits(let member): try tryLimits(member)
    }
  }

  // MARK: - The server

  mutating func send(
    _ request: EmberaRequest, at instant: Instant? = nil
  ) throws -> EmberaAnswer {
    let time = instant ?? now
    let before = state.snapshot
    let answer = try state.commit(request, at: time)
    try journal.take(request, at: time, answer, state)
    if !recount.leavesTrace(answer) {
      try recount.expect(
        .noTrace, state.snapshot == before, request.member.map { [$0] } ?? [],
        "\(request) was refused and changed the state")
    }
    try EmberaAudit(frame).checkLaws(state, at: now)
    return answer
  }

  private mutating func restart() throws {
    let saved = try JSONEncoder().encode(state.snapshot)
    let restored = try JSONDecoder().decode(EmberaState.Snapshot.self, from: saved)
    try recount.expect(
      .restored, restored == state.snapshot, [], "the state that was restored is another")
    state = EmberaState(rules, restoring: restored)
    count(.restart)
  }

  mutating func count(_ kind: EmberaFaults.Course) { counts[kind, default: 0] += 1 }

  // MARK: - Devices

  /// The request of a wish under the channel's next number; nil where nothing is to be asked for.
  private func numbered(
    _ wish: Wish, _ number: UInt32
  ) -> (request: EmberaRequest, offer: Offer?)? {
    func redemption(_ offer: Offer) -> (request: EmberaRequest, offer: Offer?) {
      (
        .redeem(member: wish.member, channel: wish.channel, number: number, offer: offer.id), offer
      )
    }
    switch wish.content {
    case .order(let contents):
      return (
        .order(member: wish.member, channel: wish.channel, number: number, contents: contents), nil
      )
    case .redemption(let id): return rules.offers.first { $0.id == id }.map(redemption)
    case .uncovered:
      let held = recount.account(wish.member)?.held ?? 0
      let offer = rules.offers.max { $0.points < $1.points }
      return offer.flatMap { $0.points > held ? redemption($0) : nil }
    }
  }

  /// A member asks for something on a channel, local first.
  private mutating func place(_ wish: Wish) throws {
    guard recount.account(wish.member) != nil else {
      // Whose sign-up was left out is refused.
      if let first = numbered(wish, 1) { _ = try send(first.request) }
      return
    }
    let place = Place(member: wish.member, channel: wish.channel)
    var sender = senders[place] ?? Sender()
    defer { senders[place] = sender }
    let isOnline =
      wish.delay == TimeSpan(microseconds: 0) && sender.waiting.isEmpty
      && now >= sender.offlineUntil
    if isOnline { try read(&sender, wish.member) }
    guard let (request, offer) = numbered(wish, sender.entries + 1) else { return }
    var isUncovered = false
    if case .uncovered = wish.content { isUncovered = true }
    var entry = Waiting(wish: wish, request: request, points: 0, isOrder: offer == nil)
    if !isOnline, !isUncovered {
      if let offer {
        // A device offers nothing that it does not cover.
        guard try reserve(offer, &sender, wish.member) else { return }
        entry.points = -Int(offer.points)
      } else if case .order(let contents) = wish.content {
        let subtotal = recount.price(contents, of: wish.member).subtotal
        try sender.book.expect(MicroUSDT(microunits: Int64(subtotal)), terms)
        entry.points = recount.points(subtotal, tier: recount.tier(sender.shown.earned))
      }
    }
    sender.entries += 1
    try recount.expect(
      .inOrder, sender.book.nextNumber() == sender.entries, [wish.member],
      "entry \(sender.entries) of a device has the number \(sender.book.lastNumber)")
    logged[wish.id] = request
    if isOnline {
      try sendEntry(entry)
      try read(&sender, wish.member)
    } else {
      journal.tell(wish.member, at: now, EmberaStory.words(request) + ": waits on the device")
      sender.waiting.append(entry)
      sender.offlineUntil = max(sender.offlineUntil, wish.created + wish.delay)
      try checkShown(sender, wish.member)
    }
    if wish.looksByWrongClock, entry.isOrder { try look(wish) }
  }

  private func reserve(
    _ offer: Offer, _ sender: inout Sender, _ member: UInt32
  ) throws -> Bool {
    let covers = sender.shown.held >= offer.points
    try recount.expect(
      .shown, sender.book.reserve(offer.points) == covers, [member],
      "a device that shows \(sender.shown.held) points \(covers ? "refuses" : "offers") "
        + "'\(offer.id)'")
    return covers
  }

  private mutating func sendEntry(_ entry: Waiting) throws {
    let answer = try send(entry.request)
    if case .uncovered = entry.wish.content, answer == .refused(.entry(.balance)) {
      count(.uncovered)
    }
    if entry.wish.comesTwice {
      _ = try send(entry.request)
      count(.sentTwice)
    }
  }

  /// Sends what waits on a channel that is back, in its own order, and reads the account.
  private mutating func sync(_ place: Place) throws {
    guard var sender = senders[place], now >= sender.offlineUntil, !sender.waiting.isEmpty else {
      return
    }
    let waiting = sender.waiting
    for (row, entry) in waiting.enumerated() {
      if row + 1 < waiting.count, waiting[row + 1].wish.overtakes {
        let early = try send(waiting[row + 1].request)
        if early == .refused(.entry(.gap)) { count(.overtaken) }
      }
      try sendEntry(entry)
    }
    sender.waiting = []
    try read(&sender, place.member)
    senders[place] = sender
  }

  /// Reads the server's account into a device's book.
  private func read(_ sender: inout Sender, _ member: UInt32) throws {
    guard let person = recount.account(member) else { return }
    sender.book.read(state.snapshot.members[Int(member)].account)
    sender.reported = (person.held, person.earned)
    let copy = sender.book.copy
    try recount.expect(
      .copies,
      Int(copy.orders) == person.orders.count && copy.issued == Int64(person.earned)
        && copy.redeemed == Int64(person.redeemed) && copy.expired == Int64(person.expired),
      [member], "a device of member \(member + 1) reads \(copy)")
    try checkShown(sender, member)
  }

  private func checkShown(_ sender: Sender, _ member: UInt32) throws {
    try recount.expect(
      .shown, sender.book.balance == Int64(sender.shown.held), [member],
      "a device shows \(sender.book.balance) points, not \(sender.shown.held)")
  }

  private mutating func sendAgain(_ wish: Int, _ hasOtherContents: Bool) throws {
    guard let request = logged[wish] else { return }
    guard hasOtherContents else {
      _ = try send(request)
      return count(.sentAgain)
    }
    switch request {
    case .order(let member, let channel, let number, _):
      _ = try send(
        .order(
          member: member, channel: channel, number: number, contents: .amount(.whole(1_000))))
    case .redeem(let member, let channel, let number, _):
      _ = try send(
        .order(member: member, channel: channel, number: number, contents: .amount(.whole(7))))
    default: return
    }
    count(.otherContents)
  }

  /// Both devices, which knew the same, spend the same points.
  private mutating func spendTwice(_ member: UInt32, _ delays: [TimeSpan]) throws {
    guard recount.account(member) != nil else { return }
    let places = EntryChannel.devices.map { Place(member: member, channel: $0) }
    var pair = places.map { senders[$0] ?? Sender() }
    for row in 0..<2 where pair[row].waiting.isEmpty { try read(&pair[row], member) }
    let shown = pair.map(\.shown.held)
    let offer = rules.offers.filter { $0.points <= min(shown[0], shown[1]) }
      .max { $0.points < $1.points }
    guard let offer, 2 * offer.points > max(shown[0], shown[1]) else { return }
    for row in 0..<2 {
      guard try reserve(offer, &pair[row], member) else { continue }
      pair[row].entries += 1
      let wish = Wish(
        id: -1, place: 0, member: member, channel: places[row].channel,
        content: .redemption(offer.id), created: now, delay: delays[row])
      let request = EmberaRequest.redeem(
        member: member, channel: places[row].channel, number: pair[row].book.nextNumber(),
        offer: offer.id)
      pair[row].waiting.append(
        Waiting(wish: wish, request: request, points: -Int(offer.points), isOrder: false))
      pair[row].offlineUntil = max(pair[row].offlineUntil, now + delays[row])
      try checkShown(pair[row], member)
      senders[places[row]] = pair[row]
    }
    count(.samePoints)
  }

  /// The last sync: all channels send what waits, all devices read, and all copies are equal.
  private mutating func syncAll() throws {
    for number in recount.members.indices {
      let member = UInt32(number)
      for channel in EntryChannel.allCases {
        let place = Place(member: member, channel: channel)
        senders[place, default: Sender()].offlineUntil = .distantPast
        try sync(place)
      }
      let person = recount.members[number]
      let account = state.snapshot.members[number].account
      var copies: [AccountCopy] = []
      for channel in EntryChannel.allCases {
        guard var sender = senders[Place(member: member, channel: channel)] else { continue }
        try recount.expect(
          .arrives,
          sender.waiting.isEmpty && account.answered(channel) == sender.entries
            && person.answered[Int(channel.rawValue)].count == Int(sender.entries), [member],
          "\(account.answered(channel)) of \(sender.entries) entries are answered")
        try read(&sender, member)
        copies.append(sender.book.copy)
        try recount.expect(
          .copies, sender.book.balance == account.balance, [member],
          "a device shows \(sender.book.balance) points of \(account.balance)")
      }
      try recount.expect(
        .copies, copies.allSatisfy { $0 == AccountCopy(account) }, [member],
        "copies of an account differ after the last sync")
    }
  }
}
