// Goal: where a world or its journal breaks a promise its story can be told, and a world is held against the
// whole of its journal.
// Method: small worlds of both programs write journals; they are told up to a midnight, and one gets a member
// more than the world has.
import Quantities
import RewardModel
import Scenario
import Synchronization
import TestSupport
import Testing

@testable import BlakJaks
@testable import Embera

@Suite struct CaseStoryTests {
  private func scenario(_ programme: String) throws -> Scenario {
    try Scenario.load(
      text: """
        name: story
        programme: \(programme)
        calendar: {days: 12}
        population: {members: 20, adoption: {per_day: 10}}
        """, file: "story")
  }

  /// The lines that are told to a plan.
  private func told(_ tell: (CheckPlan) throws -> Void) rethrows -> [TraceLine] {
    let lines = Mutex<[TraceLine]>([])
    var plan = CheckPlan()
    plan.trace = { line in lines.withLock { $0.append(line) } }
    try tell(plan)
    return lines.withLock { $0 }
  }

  private func expectStory(_ lines: [TraceLine], until end: Instant) {
    #expect(lines.contains { $0.text.contains("signs up") && !$0.members.isEmpty })
    #expect(lines.contains { $0.text.hasSuffix("]") }, "money moves")
    #expect(zip(lines, lines.dropFirst()).allSatisfy { $0.time <= $1.time })
    #expect(lines.allSatisfy { $0.time <= end })
  }

  @Test func theJournalOfABlakJaksWorldIsToldUpToAnInstant() throws {
    let scenario = try scenario("blakjaks")
    let frame = try scenario.plan().frame
    let settings = try #require(scenario.settings(of: BlakJaksProgramme.self))
    var entries: [BlakJaks.JournalEntry] = []
    var world = try World(WorldInput(frame, settings), threads: 1) { entries.append($0) }
    _ = try world.run()
    let end = frame.calendar.dayStarts[7]
    let lines = told { BlakJaksCase(frame, settings, $0).tell(entries, until: end) }
    expectStory(lines, until: end)
    #expect(lines.count == entries.count { $0.time <= end } && lines.count < entries.count)
  }

  @Test func theJournalOfAnEmberaWorldIsToldUpToAnInstant() throws {
    let scenario = try scenario("embera")
    let frame = try scenario.plan().frame
    let settings = try #require(scenario.settings(of: EmberaProgramme.self))
    var world = EmberaWorld(frame, settings, threads: 1, journals: true)
    _ = try world.run()
    let end = frame.calendar.dayStarts[7]
    let entries = world.journal
    let lines = told { EmberaCase(frame, settings, $0).tell(entries, until: end) }
    expectStory(lines, until: end)
    #expect(lines.count == entries.count { $0.instant <= end } && lines.count < entries.count)
  }

  @Test(
    "Stories say in words why a request is refused",
    arguments: [
      (.wallet(.notPositive(.zero)), "the amount has to be more than zero"),
      (.wallet(.noActiveCard(.none)), "the member has no active card"),
      (
        .wallet(.cardStep(from: .verified, to: .active)),
        "a card that is verified cannot become active"
      ), (.alreadySignedUp(6), "that member has signed up before"),
      (
        .orderStep(from: .shipped, to: .shipped), "an order that is shipped cannot become shipped"
      ),
    ] as [(RequestRefusal, String)])
  func refusals(_ refusal: RequestRefusal, _ words: String) {
    let line = Story.line(.withdraw(member: 6, amount: .zero), .refused(refusal), [])
    #expect(line == "member 7 withdraws 0.00: refused, \(words)")
  }

  @Test func storiesTellTimesAndOrdersOfDevicesInWords() {
    let wait = TimeSpan(microseconds: 600_000_000)
    #expect(
      Story.line(.payout(.reject(slot: 3)), .payout(.retries(after: wait)), [])
        == "payout 3 fails: again after 10 min")
    let redemption = EmberaRequest.redeem(
      member: 0, channel: .firstDevice, number: 2, offer: "espresso")
    #expect(
      EmberaStory.line(redemption, .refused(.entry(.balance)))
        == "member 1 redeems 'espresso', entry 2 of the first device: refused, the balance does "
        + "not cover the offer")
    #expect(
      EmberaStory.line(redemption, .refused(.passkey(.used))).hasSuffix(
        "refused, the challenge was used before, or never issued"))
  }

  @Test func aMemberOfTheJournalAloneIsADifference() throws {
    let input = try WorldInput(scenario("blakjaks"))
    var entries: [BlakJaks.JournalEntry] = []
    var world = try World(input, threads: 1) { entries.append($0) }
    _ = try world.run()
    var state = try ProgrammeState(
      rules: input.rules, firstDate: input.calendar.dates[0], codes: CodeBook(key: input.seed),
      draws: SeededDraws(seed: input.seed))
    var wins: [Win] = []
    for entry in entries {
      _ = try state.commit(entry.request, at: entry.time)
      wins += state.wins
    }
    var closed = state
    try closed.close()
    let none = world.withCells {
      WorldAgainstJournal.difference($0, $1, closed, wins: wins)?.facts
    }
    #expect(none == nil)
    let members = state.members.accounts.count
    _ = try state.commit(
      .signUp(member: UInt32(members), state: 0), at: input.calendar.end)
    try state.close()
    let facts = world.withCells {
      WorldAgainstJournal.difference($0, $1, state, wins: wins)?.facts
    }
    #expect(facts == "\(members) members signed up, by the journal \(members + 1)")
  }
}
