// Goal: the members and the history of a run are the run: they sum to its totals, change nothing
// of it, and a replay of the history comes to the same awards.
// Method: every scenario at reduced size, with the members and rows collected as they come.
import BlakJaks
import Foundation
import Population
import Quantities
import RewardModel
import RunStore
import Scenario
import TestSupport
import Testing

@Suite(.tags(.slow)) struct MemberListTests {
  private struct Told {
    var record: BlakJaksRecord
    var members: [BlakJaksMember] = []
    var rows: [HistoryRow] = []
  }

  private func told(_ name: String, _ more: [String] = [], threads: Int = 1) throws -> Told {
    let input = try WorldInput(
      try story(name, ["population.members=300", "calendar.days=120"] + more))
    var members: [BlakJaksMember] = []
    var rows: [HistoryRow] = []
    var world = try World(
      input, threads: threads, history: { rows.append($0) }, members: { members.append($0) })
    return Told(record: try world.run(), members: members, rows: rows)
  }

  private func count(_ told: Told, _ event: BlakJaksEvent) -> Int64 {
    told.rows.filter { $0.event == event }.reduce(0) { $0 + $1.amount }
  }

  @Test("Members sum to the run's totals", arguments: stories)
  func sums(_ name: String) throws {
    let told = try told(name)
    let (record, members) = (told.record, told.members)
    func sum(_ path: KeyPath<BlakJaksMember, Int64>) -> Int64 {
      members.reduce(0) { $0 + $1[keyPath: path] }
    }
    #expect(record.acceptedScans > 100)
    #expect(Int64(members.count) == record.members)
    #expect(members.map(\.member) == Array(1...record.members))
    #expect(sum(\.purchases) == record.days.reduce(0) { $0 + $1.purchases })
    #expect(sum(\.scans) == record.acceptedScans)
    for tier in Tier.allCases {
      let own = members.filter { $0.tier == tier }
      #expect(Int64(own.count) == record.tiers[tier])
      #expect(own.reduce(0) { $0 + $1.tins } == record.finalTiers.tins[tier])
      #expect(own.reduce(0) { $0 + $1.scans } == record.finalTiers.scans[tier])
      #expect(own.reduce(0) { $0 + $1.comps.microunits } == record.finalTiers.comps[tier])
      #expect(
        Int64(members.count { $0.floor == tier }) == record.affiliates.floors[tier], "\(tier)")
    }
    #expect(Int64(members.count { $0.referrer != nil }) == record.affiliates.referred)
    // Wholesale accounts are no members.
    let without = try self.told(name, ["rules.wholesale.accounts=0"])
    let profit = without.members.reduce(0) { $0 + $1.grossProfit.microunits }
    #expect(profit == without.record.days.reduce(0) { $0 + $1.grossProfit.microunits })
    for member in members {
      #expect(member.referrer.map { $0 < member.member } ?? true)
      // Who lost every cart has not bought anything yet.
      guard let last = member.lastPurchase else { continue }
      #expect(last >= member.signUp && last < record.end)
      #expect(member.left.map { $0 >= last } ?? true)
    }
  }

  @Test("Whoever a better shop draws from retail is listed as one who turned to the shop first")
  func channels() throws {
    let shop = ["rules.shop.enabled=true", "population.members=2000", "calendar.days=60"]
    let (usual, better) = (
      try told("launch-year", shop),
      try told("launch-year", shop + ["population.shop.abandoned=10 %"])
    )
    func inShop(_ told: Told) -> Set<Int64> {
      Set(told.members.filter { $0.channel == .shop }.map(\.member))
    }
    let (before, after) = (inShop(usual), inShop(better))
    #expect(usual.members.count == better.members.count && before.isSubset(of: after))
    // A tenth of the carts is abandoned, not most of them.
    var settings = ShopSettings()
    settings.abandoned = 0.1
    let drawn = settings.drawnFromRetail(share: 0.35)
    let retail = Double(usual.members.count - before.count)
    #expect(drawn > 0.1)
    let extra = Double(after.count - before.count)
    #expect(
      abs(extra - drawn * retail) < 4 * (drawn * (1 - drawn) * retail).squareRoot(), "\(extra)")
  }

  @Test("Asking for members and a history changes nothing of a run", arguments: stories)
  func unchanged(_ name: String) throws {
    let asked = try told(name, threads: 2)
    let plain = try BlakJaksTests.told(
      try story(name, ["population.members=300", "calendar.days=120"]))
    #expect(RunFingerprint.of(asked.record) == RunFingerprint.of(plain))
    let daily = try told(name, ["calendar.window=1 d", "population.wallet.enabled=false"])
    let hourly = try told(name, ["population.wallet.enabled=false"])
    #expect(daily.members == hourly.members)
    #expect(daily.rows == hourly.rows)
  }

  @Test("The rows of a history are what the run counted, in order", arguments: stories)
  func rows(_ name: String) throws {
    let told = try told(name)
    #expect(count(told, .signup) == told.record.members)
    #expect(count(told, .scan) == told.record.acceptedScans)
    #expect(count(told, .purchase) == told.members.reduce(0) { $0 + $1.tins })
    #expect(count(told, .refer) == told.record.affiliates.referred)
    let places = zip(told.rows, told.rows.dropFirst())
    #expect(places.allSatisfy { ($0.instant, $0.member) <= ($1.instant, $1.member) })
  }

  /// The history as its file is read.
  private func history(_ told: Told, zone: String) throws -> History {
    let form = BlakJaksProgramme.history
    let text = form.header + "\n" + told.rows.map { form.line(of: $0) }.joined()
    return try History.read(bytes: Array(text.utf8), file: "h.csv", zone: zone)
  }

  @Test("A replay of a run's history accepts the same scans", arguments: stories)
  func replayedScans(_ name: String) throws {
    let told = try told(name)
    let scenario = try story(name)
    let history = try history(told, zone: scenario.calendar.zone)
    #expect(history.members == (1...told.record.members).map { String($0) })
    let record = try scenario.plan(
      calendar: history.calendar(zone: scenario.calendar.zone)
    ).replay(history)
    let replayed = try #require(record as? BlakJaksRecord)
    #expect(replayed.acceptedScans == told.record.acceptedScans)
    #expect(replayed.members == told.record.members)
  }

  @Test("Without shop, wholesale, wallets and bans a replay comes to the same awards")
  func replayedAwards() throws {
    let settings = [
      "population.members=400", "calendar.days=150", "rules.wholesale.accounts=0",
      "rules.guarantee.after=30 d", "rules.guarantee.minimum_scans=2",
    ]
    let told = try told("launch-year", settings)
    let scenario = try story("launch-year", settings)
    let history = try history(told, zone: scenario.calendar.zone)
    let plan = try scenario.plan(calendar: scenario.days())
    let replayed = try #require(try plan.replay(history) as? BlakJaksRecord)
    #expect(told.record.awards.count > 3)
    #expect(texts(replayed.awards) == texts(told.record.awards))
    #expect(texts(replayed.months) == texts(told.record.months))
    #expect(texts(replayed.payouts) == texts(told.record.payouts))
    #expect(replayed.tiers == told.record.tiers)
    #expect("\(replayed.affiliates)" == "\(told.record.affiliates)")
    #expect(history.findings().isEmpty)
  }

  private func texts(_ rows: [some Any]) -> [String] { rows.map { "\($0)" } }
}
