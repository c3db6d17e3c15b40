import BlakJaks
// A sequential driver of the synthetic population: one list of members, one event at a time in
// the total order (instant, member), windows of the same length. Only the draws of the behavior
// model are shared with the world.
import EventKernel
import Population
import Quantities

struct PlainWorld {
  let programme: PlainProgramme

  private struct Behaviour {
    var traits = MemberTraits?.none
    var purchase: Instant?
    var scan: Instant?
    var purchases: UInt32 = 0
    var held = 0
    var pace = 0
  }

  init(_ input: WorldInput) {
    let model = BehaviourModel(input.population, seed: input.seed)
    let season = SeasonTable(input.population.season, calendar: input.calendar)
    let signUps = AdoptionCurve.signUps(
      input.population, calendar: input.calendar, season: season, seed: input.seed)
    programme = PlainProgramme(
      rules: input.rules, calendar: input.calendar, members: signUps.count)
    for index in signUps.indices {
      programme.members[index].affiliate = model.referrer(of: UInt32(index)).map(Int.init)
    }
    var rows = signUps.map { Behaviour(purchase: $0) }
    let mornings = ProgrammeRules.mornings(input.calendar)
    for window in World.windows(input.calendar, length: input.window) {
      run(until: window.end, model, season, &rows)
      close(window.end, input.calendar, mornings)
    }
  }

  private func next(_ index: Int, _ row: Behaviour) -> Instant? {
    var times = [row.purchase, row.scan].compactMap { $0 }
    let member = programme.members[index]
    if programme.rules.guarantee.enabled, let signUp = member.signUp, !member.guaranteeSettled {
      times.append(signUp + .days(programme.rules.guarantee.afterDays))
    }
    return times.min()
  }

  private func run(
    until end: Instant, _ model: BehaviourModel, _ season: SeasonTable, _ rows: inout [Behaviour]
  ) {
    // Nobody meets anybody inside a window, so the earliest of all is found among those whose
    // next event lies in it.
    var open = rows.indices.filter { (next($0, rows[$0]) ?? .distantFuture) < end }
    while true {
      var first: (time: Instant, index: Int)?
      for index in open {
        guard let time = next(index, rows[index]), time < end else { continue }
        if first == nil || time < first!.time { first = (time, index) }
      }
      guard let (now, index) = first else { return }
      let member = programme.members[index]
      if let signUp = member.signUp, !member.guaranteeSettled, programme.rules.guarantee.enabled,
        signUp + .days(programme.rules.guarantee.afterDays) == now
      {
        programme.settleGuarantee(index, at: now)
      } else if rows[index].purchase == now {
        purchase(index, now, model, season, &rows[index])
      } else {
        scan(index, now, model, season, &rows[index])
      }
      open = open.filter { (next($0, rows[$0]) ?? .distantFuture) < end }
    }
  }

  private func later(_ hours: Double, _ now: Instant, _ season: SeasonTable) -> Instant? {
    let instant = season.instant(atOperationalHours: hours)
    return instant == .distantFuture ? nil : max(instant, now + TimeSpan(microseconds: 1))
  }

  private func purchase(
    _ index: Int, _ now: Instant, _ model: BehaviourModel, _ season: SeasonTable,
    _ row: inout Behaviour
  ) {
    let id = UInt32(index)
    programme.signUp(index, at: now)
    let traits =
      row.traits
      ?? model.traits(member: id, referred: programme.members[index].affiliate != nil)
    row.traits = traits
    let draw = model.purchase(member: id, index: row.purchases)
    programme.sell(draw.tins, at: now)
    programme.members[index].tins += Int64(draw.tins)
    let hours = season.operationalHours(at: now)
    let gap = Double(traits.meanGapWeeks) * 168
    if draw.scanned > 0 {
      let isFirst = row.held == 0
      row.held += draw.scanned
      row.pace = row.held
      if isFirst {
        row.scan = later(hours + draw.firstOpening * gap / Double(row.pace), now, season)
      }
    }
    let leaves = model.leaves(after: draw, index: row.purchases, dropout: traits.dropout)
    row.purchases += 1
    row.purchase = leaves ? nil : later(hours + draw.gap * gap, now, season)
    if model.model == .paretoNbd, let signUp = programme.members[index].signUp {
      let end = season.operationalHours(at: signUp) + Double(traits.dropout) * 168
      if hours + draw.gap * gap > end { row.purchase = nil }
    }
  }

  private func scan(
    _ index: Int, _ now: Instant, _ model: BehaviourModel, _ season: SeasonTable,
    _ row: inout Behaviour
  ) {
    let draw = model.scan(
      member: UInt32(index), index: UInt32(programme.members[index].lifetime))
    programme.scan(index, at: now)
    row.held -= 1
    row.scan = nil
    guard row.held > 0, let traits = row.traits else { return }
    let spacing = Double(traits.meanGapWeeks) * 168 / Double(row.pace)
    row.scan = later(season.operationalHours(at: now) + draw.gap * spacing, now, season)
  }

  private func close(
    _ instant: Instant, _ calendar: ProgrammeCalendar, _ mornings: [Instant]
  ) {
    for (day, date) in calendar.dates.enumerated() {
      if date.weekday == 0, mornings[day] == instant {
        programme.payPool(on: date, at: instant)
      }
      if calendar.dayStarts[day + 1] == instant { programme.closeDay(date) }
    }
  }
}
