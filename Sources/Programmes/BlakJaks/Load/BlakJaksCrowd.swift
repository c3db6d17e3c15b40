internal import EventKernel
internal import HeapModule
internal import Population
internal import Quantities
package import RewardModel

/// The members of a scenario as clients of a service.
///
/// What they buy, open, mistype, pass on, withdraw and write is drawn by the models of the simulated
/// world, with its seed and purposes. What the program makes of it is the service's to say: tiers
/// and wallets are known from answers alone. A look at an Insights page follows every twentieth tin,
/// which no model of the world says.
package struct BlakJaksCrowd: LoadCrowd {
  /// Opened tins of which one is followed by a look at an Insights page.
  private static let tinsPerLook: UInt32 = 20

  /// Applicants under age before one member at most, so that a scenario in which nearly all are
  /// refused has an end.
  private static let mostRefused: Int64 = 1_000

  /// What somebody does next, and when.
  struct Event: Comparable {
    enum Kind: UInt8 {
      case buy, open, comeBack, receive, visit, submitPassed, write, look, submitAsRing
      case startStream, watch, endStream
    }
    var time: Instant
    var member: UInt32
    var kind: Kind
    /// What else the kind needs: a place in one of the lists, or a channel.
    var place: UInt32 = 0

    static func < (a: Event, b: Event) -> Bool {
      (a.time, a.member, a.kind.rawValue, a.place) < (b.time, b.member, b.kind.rawValue, b.place)
    }
  }

  /// One member.
  struct Row {
    var course = MemberCourse()
    var signUp: Instant
    /// Tins opened, the index of the next one's draws.
    var opened: UInt32 = 0
    var orders: UInt32 = 0
    var visits: UInt32 = 0
    var tier = Tier.standard
  }

  let behaviour: BehaviourModel
  let shop: ShopBehaviour
  let wallet: WalletBehaviour
  let minimumWithdrawal: MicroUSDT
  let channels: [Channel]
  let calendar: ProgrammeCalendar
  let states: StateTable
  /// Whether the world says where members live.
  private let hasStates: Bool
  let season: SeasonTable
  private let hasShop: Bool
  private let hasVisits: Bool
  var social: SocialModel?
  let streams: StreamSettings
  let viewers: ViewerCurve
  private var signUps: ArraySlice<Instant>
  private(set) var rows: [Row] = []
  private(set) var living = SIMD4<Int>()
  var events = Heap<Event>()
  /// Codes that others have not submitted yet, by the place in their event.
  private var passed: [UInt32: String] = [:]
  private var lastPassed: UInt32 = 0
  private var rings: CrowdRings
  /// What accounts of rings have not submitted yet, by the place in their event.
  private var submissions: [UInt32: CrowdRings.Submission] = [:]
  private var lastSubmission: UInt32 = 0
  /// The hour that the social side is drawn for next.
  var hour = (start: Instant.distantPast, index: UInt64(0))
  private var now: Instant

  /// The members before any of them has acted.
  ///
  /// - Throws: What a `StateTable` throws.
  package init(_ input: WorldInput) throws {
    let rules = input.rules
    states = try StateTable(rules.states, bans: rules.bans)
    hasStates = !states.codes.isEmpty && rules.hasExtras(wallets: input.population.wallet.enabled)
    calendar = input.calendar
    now = input.calendar.start
    behaviour = BehaviourModel(input.population, seed: input.seed)
    season = SeasonTable.of(input.population.season, calendar: input.calendar)
    shop = ShopBehaviour(
      input.population.shop, stateWeights: states.weights, share: input.population.tins.shop,
      seed: input.seed)
    wallet = WalletBehaviour(input.population.wallet, seed: input.seed)
    minimumWithdrawal = rules.wallet.minimumWithdrawal
    hasShop = rules.shop.enabled
    hasVisits = input.population.wallet.enabled
    channels = Channels(rules: rules.social).all
    streams = input.population.chat.streams
    viewers = ViewerCurve(streams)
    if input.population.chat.enabled {
      social = SocialModel(
        input.population.chat,
        channels: channels.map {
          ChannelAccess(
            id: $0.id, isReadOnly: $0.isReadOnly, lowestTier: Int($0.requiredTier.rawValue))
        }, votingTier: Int(rules.social.votingTier.rawValue), calendar: input.calendar,
        seed: input.seed)
    }
    hour.start = input.calendar.start
    signUps =
      AdoptionCurve.signUps(
        input.population, calendar: input.calendar, season: season, seed: input.seed)[...]
    rings = CrowdRings(
      input.population.mischief.rings, members: signUps.count, input.calendar, seed: input.seed)
  }

  /// See `LoadCrowd.absent`.
  package var absent: Set<Int> {
    var absent: Set<Journey> = []
    if !behaviour.sharesTins { absent.insert(.shared) }
    if rings.isEmpty { absent.insert(.ring) }
    if !hasShop { absent.insert(.shop) }
    if !hasVisits { absent.insert(.wallet) }
    if social == nil { absent.formUnion([.chat, .stream]) }
    return Set(absent.map(\.rawValue))
  }

  // MARK: - What comes next

  /// See `LoadCrowd.next`.
  package mutating func next() -> BlakJaksVisit? {
    while true {
      let due = min(events.min?.time ?? .distantFuture, signUps.first ?? .distantFuture)
      if let end = rings.nextEnd, end <= due {
        for submission in rings.drawDay() { plan(submission) }
        continue
      }
      if social != nil, hour.start <= due, hour.start < calendar.end { drawHour() }
      if let first = signUps.first, first <= events.min?.time ?? .distantFuture {
        guard first < calendar.end else { return nil }
        signUps.removeFirst()
        return join(at: first)
      }
      guard let event = events.popMin(), event.time < calendar.end else { return nil }
      now = max(now, event.time)
      if let visit = act(event) { return visit }
    }
  }

  private mutating func join(at time: Instant) -> BlakJaksVisit {
    now = max(now, time)
    let member = UInt32(rows.count)
    var row = Row(signUp: time)
    row.course = MemberCourse(signUp: time)
    let referrer = behaviour.referrer(of: member)
    row.course.begin(behaviour.traits(member: member, referred: referrer != nil))
    rows.append(row)
    living[0] += 1
    events.insert(Event(time: time, member: member, kind: .buy))
    if hasVisits {
      schedule(visitOf: member, after: wallet.visit(member: member, index: 0), time)
    }
    let state = hasStates ? states.codes[Int(shop.state(of: member))] : ""
    return BlakJaksVisit(
      time: time, member: member,
      course: .join(
        Application(
          refusedBefore: Int(min(behaviour.refusedBefore(member), Self.mostRefused)),
          state: state, referrer: referrer)))
  }

  private mutating func plan(_ submission: CrowdRings.Submission) {
    lastSubmission &+= 1
    submissions[lastSubmission] = submission
    events.insert(
      Event(
        time: submission.time, member: submission.account, kind: .submitAsRing,
        place: lastSubmission))
  }

  private mutating func schedule(visitOf member: UInt32, after draw: WalletVisit, _ time: Instant) {
    let hours = season.operationalHours(at: time) + draw.gap * wallet.meanGapWeeks * 168
    rows[Int(member)].visits += 1
    events.insert(Event(time: season.later(hours, than: time), member: member, kind: .visit))
  }

  private mutating func act(_ event: Event) -> BlakJaksVisit? {
    let member = event.member
    func visit(_ course: BlakJaksVisit.Course) -> BlakJaksVisit {
      BlakJaksVisit(time: event.time, member: member, course: course)
    }
    switch event.kind {
    case .buy: return buy(member, event.time).map(visit)
    case .open:
      var opening = open(member, event.time).map(visit)
      if opening != nil { opening?.tin = rings.open(member) }
      return opening
    case .comeBack:
      let (need, round) = Self.need(event.place)
      return visit(.shop(errand(need, round, member)))
    case .receive:
      let draw = behaviour.purchase(member: member, index: event.place)
      takeHome(draw, member, event.time)
      return nil
    case .visit:
      let index = rows[Int(member)].visits
      let draw = wallet.visit(member: member, index: index)
      let row = rows[Int(member)].course
      if !(row.hasLeft && row.tinsHeld == 0) { schedule(visitOf: member, after: draw, event.time) }
      return visit(.wallet(draw, index))
    case .submitPassed:
      return passed.removeValue(forKey: event.place).map { visit(.passedCode($0)) }
    case .submitAsRing:
      return submissions.removeValue(forKey: event.place).map { visit(.ring($0)) }
    case .write:
      return visit(.chat(channel: Int(event.place)))
    case .startStream, .endStream:
      return BlakJaksVisit(
        time: event.time, member: BlakJaksVisit.programme,
        course: .stream(begins: event.kind == .startStream))
    case .watch: return visit(.watch)
    case .look: return visit(.insights(page: Int(event.place)))
    }
  }

  private static func need(_ place: UInt32) -> (need: UInt32, round: UInt16) {
    (place >> 8, UInt16(place & 255))
  }

  private func errand(_ need: UInt32, _ round: UInt16, _ member: UInt32) -> ShopErrand {
    ShopErrand(
      need: need, round: round, course: shop.round(member: member, need: need, round: round))
  }

  private mutating func buy(_ member: UInt32, _ time: Instant) -> BlakJaksVisit.Course? {
    let place = Int(member)
    guard !rows[place].course.leavesNext else {
      leave(place)
      return nil
    }
    let need = rows[place].course.purchases
    let draw = behaviour.purchase(member: member, index: need)
    var errand: ShopErrand?
    if hasShop, draw.inShop || shop.isDrawnFromRetail(member: member, need: need) {
      errand = self.errand(need, 0, member)
    } else {
      takeHome(draw, member, time)
    }
    let goesOn = rows[place].course.goOn(
      after: draw, hours: season.operationalHours(at: time), now: time,
      signUp: rows[place].signUp, behaviour, season)
    if goesOn {
      events.insert(Event(time: rows[place].course.nextPurchase, member: member, kind: .buy))
    } else {
      leave(place)
    }
    return errand.map { .shop($0) }
  }

  private mutating func leave(_ place: Int) {
    rows[place].course.leave()
    living[Int(rows[place].tier.rawValue)] -= 1
  }

  private mutating func takeHome(_ draw: PurchaseDraw, _ member: UInt32, _ time: Instant) {
    let before = rows[Int(member)].course.nextScan
    rows[Int(member)].course.takeHome(
      draw.scanned, firstOpening: draw.firstOpening, now: time, season)
    let next = rows[Int(member)].course.nextScan
    if next != before { events.insert(Event(time: next, member: member, kind: .open)) }
  }

  private mutating func open(_ member: UInt32, _ time: Instant) -> BlakJaksVisit.Course? {
    let place = Int(member)
    guard rows[place].course.nextScan == time else { return nil }
    let index = rows[place].opened
    let draw = behaviour.scan(member: member, index: index)
    rows[place].opened += 1
    rows[place].course.finishTin(draw, now: time, season)
    let next = rows[place].course.nextScan
    if next < .distantFuture { events.insert(Event(time: next, member: member, kind: .open)) }
    if index % Self.tinsPerLook == member % Self.tinsPerLook {
      events.insert(
        Event(
          time: time + .seconds(30), member: member, kind: .look,
          place: (index / Self.tinsPerLook &+ member) % 5))
    }
    return .tin(draw, index)
  }

  // MARK: - What members learn

  /// A member's tier, as an answer tells it.
  mutating func note(_ tier: Tier, of member: UInt32) {
    let before = rows[Int(member)].tier
    guard tier != before else { return }
    rows[Int(member)].tier = tier
    guard !rows[Int(member)].course.hasLeft else { return }
    living[Int(before.rawValue)] -= 1
    living[Int(tier.rawValue)] += 1
  }

  /// A service has accepted the code of the tin that a visit is for.
  mutating func noteScanned(_ visit: BlakJaksVisit) {
    rings.note(visit.code, visit.member, visit.tin)
  }

  /// What somebody of a ring submits.
  func text(_ submission: CrowdRings.Submission) -> String { rings.text(submission) }

  /// The code of a scanned tin is passed on to others.
  mutating func passOn(_ code: String, _ visit: BlakJaksVisit, _ index: UInt32) {
    for other in behaviour.sharing(member: visit.member, index: index) {
      lastPassed &+= 1
      passed[lastPassed] = code
      events.insert(
        Event(
          time: max(now, visit.time + other.delay), member: other.member, kind: .submitPassed,
          place: lastPassed))
    }
  }

  /// A round of visits to the shop is over.
  mutating func finish(_ errand: ShopErrand, _ visit: BlakJaksVisit, ordered: Bool) {
    let member = visit.member
    let draw = behaviour.purchase(member: member, index: errand.need)
    switch errand.course.end {
    case .order where ordered:
      let order = shop.order(member: member, index: rows[Int(member)].orders)
      rows[Int(member)].orders += 1
      guard order.fate == .kept, draw.scanned > 0 else { return }
      let arrival = visit.time + order.processing + order.shipping
      events.insert(
        Event(time: max(now, arrival), member: member, kind: .receive, place: errand.need))
    case .order, .lost: break
    case .retail: takeHome(draw, member, max(now, visit.time))
    case .comeBack:
      guard errand.round < 255, errand.need < 1 << 24 else { return }
      let hours =
        season.operationalHours(at: visit.time) + errand.course.pause.inSeconds / 3_600
      events.insert(
        Event(
          time: max(now, season.later(hours, than: visit.time)), member: member, kind: .comeBack,
          place: errand.need << 8 | UInt32(errand.round + 1)))
    }
  }

  /// What an order's tins are.
  func basket(_ errand: ShopErrand, of member: UInt32) -> Basket {
    let draw = behaviour.purchase(member: member, index: errand.need)
    return shop.basket(member: member, index: rows[Int(member)].orders, tins: draw.tins)
  }
}

extension BlakJaksProgramme: LoadedProgramme {
  /// The members of a `World` of the same settings.
  package static func crowd(_ frame: RunFrame, _ settings: BlakJaksSettings) throws -> BlakJaksCrowd
  {
    try BlakJaksCrowd(WorldInput(frame, settings))
  }
}
