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
    var all: [(BlakJaksVisit, [LoadStep])] = []
    while var visit = crowd.next() {
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

  @Test("Members open the tins that they open in the world, at the same instants")
  func tins() throws {
    let input = try WorldInput(
      try story(
        "launch-year",
        ["population.members=1500", "calendar.days=120", "population.mischief.shared=0.1"]))
    let scan = try #require(BlakJaksCrowd.steps.firstIndex { $0.name == "scan" })
    let mine = try sessions(input).filter { $0.1.first?.shape == scan }
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
    for journey in BlakJaksCrowd.journeys { #expect(counts[journey, default: []].count > 50) }
    for (visit, next) in zip(all, all.dropFirst()) { #expect(visit.0.time <= next.0.time) }
  }

  @Test("A crowd is a value: a copy that is asked the same way goes the same way")
  func value() throws {
    let input = try WorldInput(
      try story("full-programme", ["population.members=300", "calendar.days=40"]))
    let first = try sessions(input)
    let second = try sessions(input)
    #expect(first.map(\.1) == second.map(\.1))
  }
}
