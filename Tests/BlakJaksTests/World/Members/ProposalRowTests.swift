import BlakJaks
// Goal: the record has a row for each proposal, whether or not its voting was over at the run's end.
// Method: a small world in which several are open at the end, and the same world stopped early;
// rows and votes against the daily counts.
import Population
import Quantities
import RewardModel
import Testing

@Suite struct ProposalRowTests {
  private func input() throws -> WorldInput {
    try smallWorld(seed: 7, members: 40, days: 30, window: .days(1)) { input in
      input.population.adoption.model = .cohort
      input.population.chat.enabled = true
      input.population.chat.sampled = 0
      input.population.chat.proposals.perMonth = 60
      input.population.chat.proposals.turnout = 0.8
    }
  }

  private func last(_ record: BlakJaksRecord, _ key: String) -> Int64? {
    record.series.first { $0.key == key }?.values.last.flatMap { $0 }
  }

  /// The rows of those that are open at the end, after what holds for all rows.
  private func open(_ record: BlakJaksRecord) -> [BlakJaksRecord.ProposalRow] {
    #expect(Int64(record.proposals.count) == last(record, "social.proposals"))
    let votes = record.proposals.reduce(0) { $0 + $1.votesFor + $1.votesAgainst }
    #expect(votes == last(record, "social.votes"))
    #expect(record.proposals.map(\.opened) == record.proposals.map(\.opened).sorted())
    for row in record.proposals {
      let closes = row.opened + .days(7)
      #expect(row.closed == (closes <= record.end ? closes : nil))
    }
    return record.proposals.filter { $0.closed == nil }
  }

  @Test("A proposal that is open at the run's end has a row with its votes so far and no close")
  func openAtTheEnd() throws {
    var world = try World(input(), threads: 1)
    let record = try world.run()
    let open = open(record)
    #expect(open.count > 1 && open.count < record.proposals.count)
    #expect(open.allSatisfy { !$0.passed && $0.eligible > 0 })
    #expect(open.contains { $0.votesFor + $0.votesAgainst > 0 })
  }

  @Test func aRunThatIsStoppedHasThemToo() throws {
    let input = try input()
    var world = try World(input, threads: 1)
    _ = try world.advance(until: input.calendar.dayStarts[12])
    let record = try world.close()
    #expect(record.interrupted)
    #expect(open(record).count > 1)
  }
}
