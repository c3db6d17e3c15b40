import Embera
import EventKernel
import Population
import Quantities
import RewardModel

/// A second writing of the roastery, slow and plain: objects, lists of points, sets of order ids,
/// one list of events from which the earliest is taken. It shares the draws and the calendar with
/// the world, and no rule.
final class PlainEmbera {
  final class Device {
    var known = Instant.distantPast
    var questions: UInt32 = 0
    var number = 0
    var copy: (held: Int64, earned: Int64) = (0, 0)
    var waiting: [(id: String, wish: Wish, created: Instant, points: Int64)] = []
    var sessionEnds: Instant?
    var counter = 0
    var attempts: UInt32 = 0
    var asleepUntil = Instant.distantPast

    /// The points that the device shows, and those it believes were earned.
    var shown: (held: Int64, earned: Int64) {
      var shown = copy
      for entry in waiting {
        shown.held += entry.points
        if case .bags = entry.wish { shown.earned += entry.points }
      }
      return shown
    }
  }

  enum Wish {
    case bags([Int64], subscribed: Bool)
    case offer(Int)
  }

  final class Member {
    let signUp: Instant
    var kind: MemberKind
    var traits: MemberTraits
    let devices = [Device(), Device()]
    var visits: UInt32 = 0
    var deliveries: UInt32 = 0
    var basket: [Int64] = []
    var subscribes = false
    /// Whether the next visit is only the end of the lifetime.
    var isLeaving = false
    /// Points left by order, oldest first, with the number of the first of them.
    var lots: [(first: Int64, left: Int64)] = []
    var earned: Int64 = 0
    /// Points by order, with the months that had closed before; and what was redeemed in all.
    var awards: [(closed: Int, points: Int64)] = []
    var redeemed: Int64 = 0
    var lastMonth: Int?
    var reached: [TimeSpan] = []

    init(signUp: Instant, kind: MemberKind, traits: MemberTraits) {
      self.signUp = signUp
      self.kind = kind
      self.traits = traits
    }

    var held: Int64 { lots.reduce(0) { $0 + $1.left } }
  }

  enum Kind: Int { case firstSync, secondSync, delivery, visit }
  struct Event {
    var instant: Instant
    var member: Int
    var kind: Kind
  }

  let frame: RunFrame
  let rules: EmberaRules
  let model: VisitModel
  let season: SeasonTable
  var members: [Int: Member] = [:]
  var events: [Event] = []
  var answered: Set<String> = []
  var placed: [Instant] = []
  var counts: [String: Int64] = [:]
  var lags: [Int64] = []
  var months: [[String: Int64]] = []
  var days: [[String: Int64]] = []
  var month: [String: Int64] = [:]
  var day: [String: Int64] = [:]
  var share: Int64
  var referred: [Bool]

  init(_ frame: RunFrame, _ settings: EmberaSettings) {
    self.frame = frame
    rules = settings.rules
    model = VisitModel(settings.population, rules, seed: frame.seed)
    season = SeasonTable(settings.population.season, calendar: frame.calendar)
    let signUps = AdoptionCurve.signUps(
      settings.population.adoption, members: settings.population.members,
      calendar: frame.calendar, season: season, seed: frame.seed)
    share = rules.liability.priorShare.rawValue
    let buying = model.buying
    referred = signUps.indices.map { buying.referrer(of: UInt32($0)) != nil }
    events = signUps.enumerated().map { Event(instant: $1, member: $0, kind: .visit) }
  }

  func count(_ name: String, _ amount: Int64 = 1) {
    counts[name, default: 0] += amount
    month[name, default: 0] += amount
    day[name, default: 0] += amount
  }

  /// Runs the calendar's days.
  func run() {
    let calendar = frame.calendar
    for row in 0..<calendar.dayCount {
      let end = calendar.dayStarts[row + 1]
      while let place = earliest(before: end) { happen(events.remove(at: place)) }
      let date = calendar.dates[row]
      if date.adding(days: 1).day == 1 {
        let now = 12 * date.year + date.month - 1
        if let wait = rules.expiryMonths {
          for number in members.keys.sorted() {
            guard let member = members[number], let last = member.lastMonth, now - last >= wait
            else { continue }
            count("expired", member.held)
            member.lots = []
          }
        }
        closeMonth(isWhole: true)
      }
      closeDay(end)
    }
    if calendar.dates[calendar.dayCount - 1].adding(days: 1).day != 1 {
      closeMonth(isWhole: false)
    }
  }

  func earliest(before end: Instant) -> Int? {
    let candidates = events.indices.filter { events[$0].instant < end }
    return candidates.min {
      (events[$0].instant, events[$0].member, events[$0].kind.rawValue)
        < (events[$1].instant, events[$1].member, events[$1].kind.rawValue)
    }
  }

  func happen(_ event: Event) {
    count("events")
    switch event.kind {
    case .visit: visit(event.member, event.instant)
    case .delivery: deliver(event.member, event.instant)
    case .firstSync: sync(event.member, 0, event.instant)
    case .secondSync: sync(event.member, 1, event.instant)
    }
  }

  func drop(_ kind: Kind, of number: Int) {
    events.removeAll { $0.kind == kind && $0.member == number }
  }

  // MARK: - Members

  func visit(_ number: Int, _ now: Instant) {
    let id = UInt32(number)
    if members[number] == nil {
      members[number] = Member(
        signUp: now, kind: model.kind(of: id),
        traits: model.buying.traits(member: id, referred: referred[number]))
      count("signUps")
    }
    let member = members[number]!
    if member.isLeaving {
      count("left")
      stop(member, number)
      return
    }
    let draw = model.visit(member: id, index: member.visits)
    count("visits")
    checkOut(member, number, draw, now)
    let buying = model.buying
    var hours =
      season.operationalHours(at: now) + draw.buying.gap * Double(member.traits.meanGapWeeks) * 168
    if buying.leaves(
      after: draw.buying.dropout, index: member.visits, dropout: member.traits.dropout)
    {
      hours = .infinity
    }
    if buying.model == .paretoNbd {
      let born = season.operationalHours(at: member.signUp)
      let end = born + Double(member.traits.dropout) * 168
      member.isLeaving = hours > end
      hours = min(hours, end)
    }
    member.visits += 1
    guard hours < .infinity else {
      count("left")
      stop(member, number)
      return
    }
    let next = season.instant(atOperationalHours: hours)
    guard next != .distantFuture else { return }
    events.append(
      Event(
        instant: max(next, Instant(microseconds: now.microseconds + 1)), member: number,
        kind: .visit))
  }

  func stop(_ member: Member, _ number: Int) {
    if member.subscribes { count("stopped") }
    member.subscribes = false
    drop(.delivery, of: number)
  }

  func deliver(_ number: Int, _ now: Instant) {
    let member = members[number]!
    member.deliveries += 1
    placed.append(now)
    count("deliveries")
    serve("s\(number)-\(member.deliveries)", .bags(member.basket, subscribed: true), number, now)
    if model.stops(member: UInt32(number), delivery: member.deliveries - 1) {
      stop(member, number)
    } else {
      events.append(
        Event(
          instant: now + .weeks(Int64(member.kind.intervalWeeks)), member: number,
          kind: .delivery))
    }
  }

  func checkOut(_ member: Member, _ number: Int, _ draw: VisitDraw, _ now: Instant) {
    let row = draw.usesSecond && member.kind.hasSecondDevice ? 1 : 0
    let device = member.devices[row]
    var online = false
    if device.known <= now {
      device.known = model.connection(
        member: UInt32(number), device: row, index: device.questions, known: device.known,
        now: now)
      device.questions += 1
      online = device.known == now
    }
    if online {
      signIn(device, number, row, now)
      device.copy = (member.held, member.earned)
    }
    count("\(draw.payment.key) \(online)")
    guard draw.payment == .success else { return }
    if let offer = model.offer(draw, balance: device.shown.held) {
      if !online { count("reserved") }
      enter(.offer(offer), member, number, row, online, points: -rules.offers[offer].points, now)
    }
    var subscribed = false
    if member.kind.intervalWeeks > 0, member.basket.isEmpty {
      member.basket = (0..<3).map { Int64(draw.bags.once[$0]) }
      member.subscribes = true
      subscribed = true
      count("subscribed")
      events.append(
        Event(
          instant: now + .weeks(Int64(member.kind.intervalWeeks)), member: number,
          kind: .delivery))
    }
    let wish = Wish.bags((0..<3).map { Int64(draw.bags.once[$0]) }, subscribed: subscribed)
    placed.append(now)
    count(online ? "placed online" : "placed offline")
    let tier = self.tier(device.shown.earned)
    let id = enter(
      wish, member, number, row, online, points: points(price(wish).subtotal, tier), now)
    if online, draw.losesAnswer {
      count("resent")
      serve(id, wish, number, now)
    }
    if online { device.copy = (member.held, member.earned) }
    look(number, member.visits, now)
  }

  @discardableResult
  func enter(
    _ wish: Wish, _ member: Member, _ number: Int, _ row: Int, _ online: Bool, points: Int64,
    _ now: Instant
  ) -> String {
    let device = member.devices[row]
    device.number += 1
    let id = "d\(row) \(number)-\(device.number)"
    if online {
      serve(id, wish, number, now)
      device.copy = (member.held, member.earned)
      return id
    }
    if device.waiting.isEmpty {
      events.append(
        Event(instant: device.known, member: number, kind: row == 0 ? .firstSync : .secondSync))
    }
    device.waiting.append((id, wish, now, points))
    return id
  }

  func sync(_ number: Int, _ row: Int, _ now: Instant) {
    let member = members[number]!
    let device = member.devices[row]
    count("syncs")
    for entry in device.waiting {
      let taken = serve(entry.id, entry.wish, number, now)
      if case .offer = entry.wish {
        count(taken ? "confirmed" : "conflicts")
        if !taken { count("points returned", -entry.points) }
      } else {
        lags.append((now - entry.created).microseconds)
      }
    }
    device.waiting = []
    device.copy = (member.held, member.earned)
  }

  func signIn(_ device: Device, _ number: Int, _ row: Int, _ now: Instant) {
    if let ends = device.sessionEnds, now < ends { return }
    guard now >= device.asleepUntil else { return }
    if device.sessionEnds != nil { count("resets") }
    device.sessionEnds = nil
    var clock = now
    for _ in 0..<3 {
      let attempt = model.attempt(member: UInt32(number), device: row, index: device.attempts)
      device.attempts += 1
      switch attempt {
      case .proper:
        clock = clock + .seconds(5)
        count("signed_in")
        device.sessionEnds = clock + rules.passkeys.session
        return
      case .copied:
        clock = clock + .seconds(5)
        count("stale_counter")
      case .late:
        clock = clock + rules.passkeys.challenge
        count("expired_challenge")
      case .replayed: count("used_challenge")
      }
    }
    device.asleepUntil = clock + .hours(1)
  }

  func status(_ created: Instant, _ now: Instant) -> Int {
    let age = now - created
    if age >= rules.status.delivery { return 3 }
    if age < rules.status.processing { return 0 }
    return age < rules.status.processing + rules.status.roasting ? 1 : 2
  }

  func look(_ number: Int, _ visit: UInt32, _ created: Instant) {
    var best = 0
    var last = created
    for look in 0..<3 {
      let seen = model.look(member: UInt32(number), visit: visit, look: look, after: last)
      last = seen.instant
      if last >= frame.calendar.end { return }
      count("looks")
      if status(created, seen.clock) < best { count("held back") }
      best = max(best, status(created, seen.clock))
    }
    if max(last, created + rules.status.delivery) < frame.calendar.end { count("looks") }
  }
}
