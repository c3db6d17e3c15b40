// Goal: the members and the history of a run are the run: they sum to its totals, change nothing
// of it, and a replay of the history has the same orders and points.
// Method: the two scenarios of EMBERA at reduced size, rows collected as they come.
import Embera
import Foundation
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite(.tags(.slow)) struct MemberListTests {
  private let folder = Checkout.scenarios

  private func scenario(_ name: String) throws -> Scenario {
    try Scenario.load(
      path: folder.appendingPathComponent("\(name).yaml").path,
      overrides: ["population.members=200", "calendar.days=60"].map {
        SettingOverride(argument: $0)
      })
  }

  @Test(arguments: ["embera-first-year", "embera-offline-week"])
  func membersAndOrdersAreTheRun(_ name: String) throws {
    let scenario = try scenario(name)
    let settings = try #require(scenario.settings(of: EmberaProgramme.self))
    let frame = try scenario.plan().frame
    var members: [EmberaMember] = []
    var rows: [HistoryRow] = []
    let record = try EmberaProgramme.simulate(
      frame, settings, threads: 2, checking: false,
      outputs: RunOutputs(history: { rows.append($0) }, members: { members.append($0) })
    ) { _ in true }
    let plain = try EmberaProgramme.simulate(
      frame, settings, threads: 1, checking: false, outputs: RunOutputs()
    ) { _ in true }
    #expect("\(record)" == "\(plain)")

    func sum(_ path: KeyPath<EmberaMember, Int64>) -> Int64 {
      members.reduce(0) { $0 + $1[keyPath: path] }
    }
    let total = record.total
    #expect(total.sums.orders > 100)
    #expect(members.map(\.member) == Array(1...total.members))
    #expect(sum(\.visits) == total.visits)
    #expect(sum(\.orders) == total.sums.orders)
    #expect(sum(\.deliveries) == total.sums.deliveries)
    #expect(sum(\.revenue.microunits) == total.sums.revenue)
    #expect(sum(\.issued) == total.sums.issued)
    #expect(sum(\.redeemed) == total.sums.redeemed)
    #expect(sum(\.expired) == total.sums.expired)
    #expect(Int64(members.count { $0.left != nil }) == total.left)
    for tier in record.tiers {
      #expect(Int64(members.count { $0.tier == tier.tier }) == tier.members)
    }

    let form = EmberaProgramme.history
    let text = form.header + "\n" + rows.map { form.line(of: $0) }.joined()
    let history = try History.read(
      form, bytes: Array(text.utf8), file: "h.csv", zone: scenario.calendar.zone)
    let replayed = try EmberaProgramme.replay(frame, settings, history) { _ in true }
    #expect(replayed.total.sums.orders == total.sums.orders)
    #expect(replayed.total.sums.revenue == total.sums.revenue)
    #expect(replayed.total.sums.issued == total.sums.issued)
  }
}
