import BlakJaks
import EventKernel
import Experiments
// Goal: what a program adds and costs are means of paired differences with their intervals; groups and
// sign-up months add up to the whole; what must be put in is what was lacking.
// Method: four pairs of a small world; means, deviations and Student's quantile by hand; members, months
// and accounts read again from the runs' own members and daily series.
import Foundation
import Quantities
import RewardModel
import Scenario
import Testing

@Suite struct RewardWorthTests {
  /// Student's t at 97.5 % with 3 degrees of freedom, from tables.
  private let quantile = 3.182446
  private let response = "population.response.purchase=0.4"

  private func interval(_ values: [Double]) -> (mean: Double, halfWidth: Double) {
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let deviation = (squares / Double(values.count - 1)).squareRoot()
    return (mean, quantile * deviation / Double(values.count).squareRoot())
  }

  /// The two sides of a small scenario.
  private func sides(_ more: [String] = []) throws -> (with: Scenario, without: Scenario) {
    let with = try smallScenario(response, more)
    let removed = try #require(with.withoutRewards).settings.map { "\($0.path)=\($0.value)" }
    return (with, try smallScenario(response, more + removed))
  }

  private func smallScenario(_ first: String, _ more: [String]) throws -> Scenario {
    try Scenario.load(
      text: "name: small\nseed: 7\npopulation: {members: 120}\ncalendar: {days: 70}\n",
      file: "small.yaml", overrides: ([first] + more).map { SettingOverride(argument: $0) })
  }

  private func worth(
    _ more: [String] = [], threads: Int = 1
  ) throws -> (worth: RewardWorth, with: ReplicationRunner, without: ReplicationRunner) {
    let (with, without) = try sides(more)
    let runners = (
      ReplicationRunner(try with.plan(), threads: threads),
      ReplicationRunner(try without.plan(), threads: threads)
    )
    let pairs = try #require(
      try WorthRunner(with: runners.0, without: runners.1, keepsMembers: true).run(0..<4))
    return (
      try RewardWorth(
        pairs, dates: runners.0.plan.frame.calendar.dates.map(\.description),
        settings: ScenarioComparison.differences(with, without)),
      runners.0, runners.1
    )
  }

  @Test func monthsAndTheWholeRunAreThoseOfTheirReplications() throws {
    let (worth, rich, plain) = try worth()
    let with = try #require(try rich.run(0..<4))
    let without = try #require(try plain.run(0..<4))
    #expect(with.map(\.seed) == without.map(\.seed))
    #expect(worth.pairs == 4)
    #expect(worth.months.map(\.label) == ["2026-01", "2026-02", "2026-03"])
    #expect(worth.settings.contains { $0.path == "rules.scan_reward.base" && $0.second == "0" })
    func profits(_ runs: [Replication], _ month: Int) -> [Double] {
      runs.map { $0.months[month].profit ?? .nan }
    }
    for month in 0..<3 {
      let added = zip(profits(with, month), profits(without, month)).map { $0 - $1 }
      let (mean, halfWidth) = interval(added)
      let row = worth.months[month]
      #expect(abs(row.profit.difference.mean - mean) < 1e-9)
      #expect(abs(row.profit.difference.halfWidth - halfWidth) < 1e-4 * max(1, halfWidth))
    }
    let costs = try with.figures("cost.total")
    let added = (0..<4).map { run in
      (0..<3).reduce(0) { $0 + profits(with, $1)[run] - profits(without, $1)[run] }
    }
    let net = interval(zip(added, costs).map { $0 - $1 })
    #expect(abs(worth.whole.cost.difference.mean - interval(costs).mean) < 1e-6)
    #expect(abs(worth.whole.net.difference.mean - net.mean) < 1e-6)
    #expect(abs(worth.whole.net.difference.halfWidth - net.halfWidth) < 1e-3)
    #expect(worth.whole.profit.difference.mean > 0)
  }

  @Test func keepingMembersChangesNoRunAndThreadsChangeNothing() throws {
    let one = try worth().worth
    let two = try worth(threads: 2).worth
    #expect(one.groupings.map { $0.rows.map(\.net) } == two.groupings.map { $0.rows.map(\.net) })
    #expect(one.cash.map(\.putIn) == two.cash.map(\.putIn))
    let (scenario, _) = try sides()
    var plan = try scenario.plan()
    func replication() throws -> Replication {
      let runner = ReplicationRunner(plan, threads: 1) { ($0 as? BlakJaksRecord).map(rows) ?? "" }
      return try #require(try runner.run(0..<1)?.first)
    }
    let before = try replication()
    plan.frame.keepsMembers = true
    let after = try replication()
    #expect(before.fingerprint == after.fingerprint && !before.fingerprint.isEmpty)
    #expect(before.members == nil && after.members?.count ?? 0 > 0)
  }

  @Test func everyWayToSortMembersAddsUpToTheSame() throws {
    let (worth, _, _) = try worth()
    #expect(worth.groupings.count == 4 && worth.action == "Scans")
    for grouping in worth.groupings {
      let members = grouping.rows.reduce(0) { $0 + ($1.members ?? 0) }
      let profit = grouping.rows.reduce(0) { $0 + $1.profit.variantMean }
      let added = grouping.rows.reduce(0) { $0 + $1.profit.difference.mean }
      let cost = grouping.rows.reduce(0) { $0 + $1.cost.variantMean }
      let first = worth.groupings[0].rows
      #expect(abs(members - first.reduce(0) { $0 + ($1.members ?? 0) }) < 1e-9, "\(grouping.title)")
      // Every tin is somebody's, so groups bring what the run brings.
      #expect(abs(profit - worth.whole.profit.variantMean) < 1e-6, "\(grouping.title)")
      #expect(abs(added - worth.whole.profit.difference.mean) < 1e-6, "\(grouping.title)")
      // Partners get some of the cost, and trips are set aside.
      #expect(cost > 0 && cost <= worth.whole.cost.variantMean + 1e-6, "\(grouping.title)")
    }
  }

  @Test func signUpMonthsEndWhereTheirMembersDo() throws {
    let (worth, _, _) = try worth()
    let months = worth.groupings[3].rows
    #expect(worth.cohorts.count == 3)
    for cohort in worth.cohorts {
      let last = try #require(cohort.points.last)
      #expect(last.month == "2026-03")
      let row = try #require(months.first { $0.label == cohort.label })
      #expect(abs(last.members - (row.members ?? 0)) < 1e-9)
      #expect(abs(last.profit - row.profit.variantMean) < 1e-6)
      #expect(abs(last.added - row.profit.difference.mean) < 1e-6)
      #expect(abs(last.cost - row.cost.variantMean) < 1e-6)
      #expect(abs(last.addedValue - row.net.difference.mean) < 1e-6)
      for (before, after) in zip(cohort.points, cohort.points.dropFirst()) {
        #expect(before.actions <= after.actions && before.profit <= after.profit)
        #expect(before.living >= after.living && before.members == after.members)
      }
      #expect(cohort.points.allSatisfy { $0.active <= $0.members + 1e-9 && $0.active > 0 })
    }
  }

  @Test func whatIsLackingMustBePutIn() throws {
    let enough = try worth().worth.cash
    #expect(enough.map(\.id).contains("treasury.bank_comp_pool"))
    #expect(enough.allSatisfy { $0.putIn == 0 && $0.short.estimate == 0 })
    // No money at the start, and nothing that backs the pool.
    let empty = [
      "member_wallet", "affiliate_wallet", "wholesale_wallet", "operating_bank", "reserve_bank",
      "comp_pool_bank",
    ].map { "rules.treasury.opening.\($0)=0" }
    let poor = try worth(
      empty + ["rules.treasury.operating_backs=false", "rules.scan_reward.base=20"]
    ).worth.cash
    let pool = try #require(poor.first { $0.id == "treasury.bank_comp_pool" })
    #expect(pool.putIn > 0 && pool.short.estimate == 1 && pool.opening == 0)
    #expect(abs(pool.months.reduce(0) { $0 + $1.putIn } - pool.putIn) < 1e-6)
    #expect(pool.months.allSatisfy { $0.putIn >= 0 })
    // What is put in is no longer lacking.
    let filled = try worth(
      empty.dropLast() + [
        "rules.treasury.opening.comp_pool_bank=\(Int(pool.putIn * 1.5))",
        "rules.treasury.operating_backs=false", "rules.scan_reward.base=20",
      ]
    ).worth.cash
    let more = try #require(filled.first { $0.id == "treasury.bank_comp_pool" })
    #expect(more.putIn == 0 && more.short.estimate == 0)
  }

  @Test("What is put in covers the fees of what is then paid", arguments: ["0", "0.01", "0.5"])
  func fees(gas: String) throws {
    func pool(opening: Double) throws -> CashNeed {
      let micros = MicroUSDT(microunits: Int64((opening * 1e6).rounded(.up)))
      let money = micros.formatted(minimumDecimals: 2).replacing(",", with: "")
      let cash = try worth([
        "rules.treasury.opening.member_wallet=0", "rules.treasury.opening.operating_bank=0",
        "rules.treasury.opening.comp_pool_bank=\(money)",
        "rules.treasury.operating_backs=false", "rules.scan_reward.base=20",
        "rules.payouts.gas=\(gas)",
      ]).worth.cash
      return try #require(cash.first { $0.id == "treasury.bank_comp_pool" })
    }
    let poor = try pool(opening: 0)
    #expect(poor.short.estimate == 1 && poor.putIn > 0)
    // Of four pairs, the worst is covered.
    let rich = try pool(opening: poor.putIn)
    #expect(rich.short.estimate == 0 && rich.putIn == 0, "\(rich.putIn) of \(poor.putIn)")
  }

  @Test(
    "Runs that are too few for a percentile put in what covers the worst of them",
    arguments: [(2, 2.0, -2.0), (19, 19, -19), (20, 19.05, -19.05), (101, 96, -96)])
  func worstOfFew(count: Int, putIn: Double, lowest: Double) throws {
    let runs = (1...count).shuffled().map { number in
      let month = CashAccount.Month(
        end: 1, lowest: -Double(number), lowestDay: 0, short: Double(number))
      return [CashAccount(id: "bank", title: "Bank", opening: 5, months: [month])]
    }
    let needs = try CashNeed.all(runs, ["2026-01"], ["2026-01-01"])
    let need = try #require(needs.first)
    #expect(abs(need.putIn - putIn) < 1e-9 && abs(need.lowest - lowest) < 1e-9)
    #expect(abs(need.months[0].putIn - putIn) < 1e-9)
    #expect(abs(need.months[0].lowest - lowest) < 1e-9)
    #expect(CashNeed.isPercentile(of: count) == (count >= 20))
  }

  @Test(
    "What no run lacked, or all did, may still be otherwise in others", arguments: [2, 20, 300])
  func exactShares(count: Int) throws {
    func short(_ amount: Double) throws -> EstimatedInterval {
      let month = CashAccount.Month(end: 1, lowest: 0, lowestDay: 0, short: amount)
      let runs = (0..<count).map { _ in
        [CashAccount(id: "bank", title: "Bank", opening: 5, months: [month])]
      }
      return try #require(CashNeed.all(runs, ["2026-01"], ["2026-01-01"]).first).short
    }
    // The share at which so many runs in a row are that unlikely: (1 - p)^n = 0.025.
    let most = 1 - pow(0.025, 1 / Double(count))
    let (none, all) = (try short(0), try short(3))
    #expect(none.estimate == 0 && none.low == 0 && none.count == count)
    #expect(abs(try #require(none.high) - most) < 1e-12)
    #expect(all.estimate == 1 && all.high == 1)
    #expect(abs(try #require(all.low) - (1 - most)) < 1e-12)
  }
}
