// Goal: members who act on a service are the members of the simulated world.
// Method: a world writes its journal; the crowd of the same scenario and seed is asked for its
// sessions, each answered as the rules would. Instants, members, and what they submit have to be the
// same, to the microsecond.
import BlakJaks
import Foundation
import Population
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

/// Hands out codes that name their number.
private struct NumberedCodes: LoadSupply {
  var count = 0
  mutating func code() -> String {
    count += 1
    return "AAAA-\(count)"
  }
  mutating func name(of member: UInt32) -> String { "BJ-\(member + 1)" }
}

@Suite struct CrowdTests {
  private struct Act: Hashable, Comparable {
    var time: Instant
    var member: UInt32
    static func < (a: Act, b: Act) -> Bool { (a.time, a.member) < (b.time, b.member) }
  }

  private func sessions(_ input: WorldInput) throws -> [(BlakJaksVisit, [LoadStep])] {
    var crowd = try BlakJaksCrowd(input)
    var supply = NumberedCodes()
    return sessions(of: &crowd, &supply)
  }

  /// The sessions that come next, `most` of them at most.
  private func sessions(
    of crowd: inout BlakJaksCrowd, _ supply: inout NumberedCodes, most: Int = .max
  ) -> [(BlakJaksVisit, [LoadStep])] {
    var all: [(BlakJaksVisit, [LoadStep])] = []
    while all.count < most, var visit = crowd.next() {
      var steps: [LoadStep] = []
      var answer: LoadAnswer?
      while let step = crowd.step(&visit, after: answer, &supply) {
        steps.append(step)
        answer = LoadAnswer(.done, BlakJaksCrowd.steps[step.shape].takes.map { _ in nil })
      }
      all.append((visit, steps))
    }
    return all
  }

  private func journal(_ input: WorldInput) throws -> [JournalEntry] {
    var entries: [JournalEntry] = []
    var world = try World(input, threads: 1, journal: { entries.append($0) })
    _ = try world.run()
    return entries
  }

  @Test("The journeys that a scenario is said not to have are those that nobody makes")
  func absentJourneys() throws {
    let off = [
      "population.members=200", "calendar.days=40", "rules.shop.enabled=false",
      "population.wallet.enabled=false", "population.chat.enabled=false",
      "population.mischief.shared=0",
    ]
    let on = [
      "population.members=200", "calendar.days=40", "rules.shop.enabled=true",
      "population.wallet.enabled=true", "population.chat.enabled=true",
      "population.mischief.shared=0.1",
    ]
    func absent(_ settings: [String]) throws -> [String] {
      let crowd = try BlakJaksCrowd(try WorldInput(try story("steady-state", settings)))
      return crowd.absent.sorted().map { BlakJaksCrowd.journeys[$0] }
    }
    #expect(try absent(off) == ["shared", "ring", "shop", "wallet", "chat", "stream"])
    #expect(try absent(on) == ["ring"])
    let made = try sessions(WorldInput(try story("steady-state", off))).map(\.0.journey)
    #expect(Set(made.map { BlakJaksCrowd.journeys[$0] }) == ["join", "scan", "insights"])
  }

  @Test("Members open the tins that they open in the world, at the same instants")
  func tins() throws {
    let input = try WorldInput(
      try story(
        "launch-year",
        ["population.members=1500", "calendar.days=120", "population.mischief.shared=0.1"]))
    let scan = try #require(BlakJaksCrowd.steps.firstIndex { $0.name == "scan" })
    let mine = try sessions(input).filter { $0.1.first?.shape == scan }
    let shared = mine.filter { BlakJaksCrowd.journeys[$0.0.journey] == "shared" }
    #expect(shared.count > 100 && shared.allSatisfy { $0.1.count == 1 })
    var submitted: [Act: Int] = [:]
    for (visit, steps) in mine {
      submitted[Act(time: visit.time, member: visit.member), default: 0] += steps.count
    }
    var theirs: [Act: Int] = [:]
    for entry in try journal(input) {
      guard case .scan(let member?, _) = entry.request else { continue }
      theirs[Act(time: entry.time, member: member), default: 0] += 1
    }
    #expect(theirs.count > 5_000)
    #expect(submitted == theirs)
  }

  @Test(
    "Members join at the instants, in the states and through the members that the world says",
    arguments: [
      ("launch-year", ["population.members=3000"]),
      ("full-programme", ["population.members=1500", "calendar.days=90"]),
    ])
  func joins(_ name: String, _ settings: [String]) throws {
    let input = try WorldInput(try story(name, settings))
    var mine: [Act: [String]] = [:]
    var refused = 0
    for (visit, steps) in try sessions(input) where visit.journey == BlakJaksCrowd.joining?.journey
    {
      let names = steps.map { BlakJaksCrowd.steps[$0.shape].name }
      #expect(names == Array(repeating: "sign_up", count: names.count - 1) + ["log_in"])
      refused += names.count - 2
      #expect(steps.dropLast(2).allSatisfy { $0.values[1] == "2012-01-31" })
      let own = try #require(steps.dropLast().last)
      #expect(own.values[0] == "0" && own.values[1] == "1986-01-31")
      mine[Act(time: visit.time, member: visit.member)] = Array(own.values[2...])
    }
    var theirs: [Act: [String]] = [:]
    let states = try StateTable(input.rules.states)
    for entry in try journal(input) {
      switch entry.request {
      case .signUp(let member, let state):
        theirs[Act(time: entry.time, member: member)] = [
          state.map { states.codes[Int($0)] } ?? "", "",
        ]
      case .refer(let member, let affiliate):
        theirs[Act(time: entry.time, member: member)]?[1] = "BJ-\(affiliate + 1)"
      default: break
      }
    }
    #expect(theirs.count > 1_000 && mine == theirs)
    #expect(theirs.values.contains { $0[1] != "" } && refused > 10)
    var world = try World(input, threads: 1)
    #expect(try world.run().refusedUnderAge == refused)
  }

  @Test("Rings submit what they submit in the world, a day later, and copy what was scanned before")
  func rings() throws {
    var input = try WorldInput(
      try story("bot-ring", ["population.members=5000", "calendar.days=50"]))
    #expect(input.population.mischief.rings.count == 2)
    input.population.mischief.rings[0].date = try #require(CivilDate("2026-01-28"))
    input.population.mischief.rings[0].accounts = 5
    input.population.mischief.rings[1].date = try #require(CivilDate("2026-02-02"))
    input.population.mischief.rings[1].accounts = 20
    let calendar = input.calendar
    // What the world's rings submit, by day: made-up codes, and cells of members of copied ones.
    var cells: [String: Int] = [:]
    var theirs: [Int: (madeUp: Set<String>, copied: [Int: Int])] = [:]
    for entry in try journal(input) {
      guard case .scan(let member, let code) = entry.request else { continue }
      if let member { cells[code] = cells[code] ?? Int(member) / 4_096 }
      guard member == nil else { continue }
      let day = calendar.dayIndex(of: entry.time)
      if let cell = cells[code] {
        theirs[day, default: ([], [:])].copied[cell, default: 0] += 1
      } else {
        theirs[day, default: ([], [:])].madeUp.insert(code)
      }
    }
    var mine: [Int: (madeUp: Set<String>, copied: [Int: Int])] = [:]
    var seen: [String: (cell: Int, time: Instant)] = [:]
    var accounts: Set<UInt32> = []
    for (visit, steps) in try sessions(input) {
      guard BlakJaksCrowd.journeys[visit.journey] == "ring" else {
        if let code = steps.first?.values.first, code.hasPrefix("AAAA") {
          seen[code] = (Int(visit.member) / 4_096, visit.time)
        }
        continue
      }
      let code = try #require(steps.first?.values.first)
      accounts.insert(visit.member)
      let day = calendar.dayIndex(of: visit.time) - 1
      if let tin = seen[code] {
        #expect(tin.time < calendar.dayStarts[day + 1])
        mine[day, default: ([], [:])].copied[tin.cell, default: 0] += 1
      } else {
        mine[day, default: ([], [:])].madeUp.insert(code)
      }
    }
    #expect(theirs.count == 8 && mine.keys.sorted() == theirs.keys.sorted())
    for (day, their) in theirs {
      #expect(mine[day]?.madeUp == their.madeUp && mine[day]?.copied == their.copied, "\(day)")
    }
    #expect(theirs.values.reduce(0) { $0 + $1.madeUp.count } > 10_000)
    #expect(theirs.values.allSatisfy { $0.copied.count == 2 })
    #expect(accounts.count == 25 && accounts.allSatisfy { $0 > UInt32(Int32.max) })
  }

  @Test("A ring that knows no scanned code makes one up; who is refused is never copied")
  func unknownCopies() throws {
    var input = try WorldInput(
      try story("bot-ring", ["population.members=400", "calendar.days=10"]))
    input.population.mischief.rings.removeLast()
    input.population.mischief.rings[0].date = input.calendar.dates[2]
    input.population.mischief.rings[0].days = 2
    input.population.mischief.rings[0].accounts = 2
    input.population.mischief.rings[0].copied = 1
    var crowd = try BlakJaksCrowd(input)
    var supply = NumberedCodes()
    var texts: [String] = []
    while var visit = crowd.next() {
      guard let step = crowd.step(&visit, after: nil, &supply) else { continue }
      if BlakJaksCrowd.journeys[visit.journey] == "ring" {
        texts.append(step.values[0])
      } else {
        _ = crowd.step(&visit, after: LoadAnswer(.refused), &supply)
      }
    }
    #expect(texts.count > 1_000 && texts.allSatisfy { !$0.hasPrefix("AAAA") && !$0.isEmpty })
    #expect(Set(texts).count == texts.count)
  }

  @Test("Streams begin and end as in the world, and as many members as it counts come to watch")
  func streams() throws {
    let input = try WorldInput(
      try story("stream-night", ["population.members=3000", "calendar.days=40"]))
    var world = try World(input, threads: 1)
    let theirs = try world.run().streams
    var bounds: [String: [Instant]] = [:]
    var viewers: [[BlakJaksVisit]] = []
    for (visit, steps) in try sessions(input)
    where BlakJaksCrowd.journeys[visit.journey] == "stream" {
      let name = BlakJaksCrowd.steps[steps[0].shape].name
      #expect(visit.needsAccount == (name == "stream"))
      guard name == "stream" else {
        bounds[name, default: []].append(visit.time)
        if name == "stream_start" { viewers.append([]) }
        continue
      }
      #expect(steps.count == 2 && steps[1].values == ["general/general-chat"])
      viewers[viewers.count - 1].append(visit)
    }
    #expect(theirs.count == 6 && bounds["stream_start"] == theirs.map(\.start))
    #expect(bounds["stream_end"] == theirs.map(\.end))
    let curve = ViewerCurve(input.population.chat.streams)
    let gathered = curve.share(atHours: 0.25) + curve.viewerHours(toHours: 0.25) * 1.5
    for (their, mine) in zip(theirs, viewers) {
      // The world counts members at the day's end, the crowd at the stream's hour.
      let ratio = Double(mine.count) / Double(their.uniqueViewers)
      #expect(abs(ratio - 1) < 0.25, "\(mine.count)")
      #expect(Set(mine.map(\.member)).count == mine.count)
      #expect(mine.allSatisfy { $0.time >= their.start && $0.time < their.end })
      let early = mine.count { $0.time < their.start + .minutes(15) }
      let share = gathered / curve.reach
      let came = Double(early) / Double(mine.count)
      #expect(abs(came - share) < 0.15, "\(early) of \(mine.count)")
    }
  }

  @Test("Whoever is refused as referred applies again without; whoever is refused then, gives up")
  func refusedJoins() throws {
    let input = try WorldInput(
      try story("launch-year", ["population.members=300", "population.under_age=0"]))
    var crowd = try BlakJaksCrowd(input)
    var supply = NumberedCodes()
    var seen = [false: 0, true: 0]
    while var visit = crowd.next() {
      guard visit.journey == BlakJaksCrowd.joining?.journey else { continue }
      let first = try #require(crowd.step(&visit, after: nil, &supply))
      let isReferred = first.values[3] != ""
      seen[isReferred, default: 0] += 1
      var next = crowd.step(&visit, after: LoadAnswer(.refused), &supply)
      if isReferred {
        #expect(next?.shape == first.shape && next?.values[3] == "")
        next = crowd.step(&visit, after: LoadAnswer(.refused), &supply)
      }
      #expect(next == nil)
    }
    #expect(seen[false, default: 0] > 0 && seen[true, default: 0] > 0)
  }

  @Test("Members order, visit their wallets and write in a scenario that has all of it")
  func everything() throws {
    let input = try WorldInput(
      try story("full-programme", ["population.members=1500", "calendar.days=60"]))
    let all = try sessions(input)
    var orders: [Act: Int] = [:]
    let order = try #require(BlakJaksCrowd.steps.firstIndex { $0.name == "order" })
    for (visit, steps) in all where steps.contains(where: { $0.shape == order }) {
      orders[Act(time: visit.time, member: visit.member), default: 0] += 1
    }
    var theirs: [Act: Int] = [:]
    for entry in try journal(input) {
      guard case .placeOrder(let member, _, _) = entry.request else { continue }
      theirs[Act(time: entry.time, member: member), default: 0] += 1
    }
    #expect(theirs.count > 100 && orders == theirs)
    let counts = Dictionary(grouping: all) { BlakJaksCrowd.journeys[$0.0.journey] }
    for journey in BlakJaksCrowd.journeys {
      let count = counts[journey, default: []].count
      #expect(["shared", "ring"].contains(journey) ? count == 0 : count > 50, "\(journey)")
    }
    for (visit, next) in zip(all, all.dropFirst()) { #expect(visit.0.time <= next.0.time) }
  }

  @Test("A crowd is a value: a copy that is asked the same way goes the same way")
  func value() throws {
    // Before and after the copy all sorts of sessions take place.
    let input = try WorldInput(
      try story(
        "full-programme",
        [
          "population.members=300", "calendar.days=40", "population.mischief.shared=20 %",
          "population.mischief.rings="
            + "[{date: 2026-01-10, days: 20, accounts: 2, per_hour: 1, copied: 0.5}]",
        ]))
    struct Session: Equatable {
      var time: Instant
      var member: UInt32
      var journey: String
      var steps: [LoadStep]
    }
    func rest(of crowd: BlakJaksCrowd, _ supply: NumberedCodes) -> [Session] {
      var (crowd, supply) = (crowd, supply)
      return sessions(of: &crowd, &supply).map {
        Session(
          time: $0.time, member: $0.member, journey: BlakJaksCrowd.journeys[$0.journey], steps: $1)
      }
    }
    var crowd = try BlakJaksCrowd(input)
    var supply = NumberedCodes()
    let all = rest(of: crowd, supply)
    let part = all.count / 2
    #expect(part > 1_000)
    for half in [all.prefix(part), all.dropFirst(part)] {
      #expect(Set(half.map(\.journey)) == Set(BlakJaksCrowd.journeys))
    }
    #expect(sessions(of: &crowd, &supply, most: part).map(\.1) == all.prefix(part).map(\.steps))
    let (copy, copiedSupply) = (crowd, supply)
    let first = sessions(of: &crowd, &supply)
    #expect(first.map(\.1) == all.dropFirst(part).map(\.steps))
    #expect(crowd.next() == nil)
    #expect(rest(of: copy, copiedSupply) == Array(all.dropFirst(part)))
  }
}
