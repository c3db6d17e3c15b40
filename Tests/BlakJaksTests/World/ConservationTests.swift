import BlakJaks
// Goal: what must hold after every window holds in every BlakJaks scenario of the repository.
// Method: each such file of Scenarios/ is run at reduced size with every law checked after every window
// against a count made anew from rows, vaults, wallets, payouts and open orders.
import Foundation
import Population
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite(.tags(.slow)) struct ConservationTests {
  @Test("Every law holds after every window", arguments: stories)
  func laws(_ name: String) throws {
    let replay = CheckedStories.replay(name)
    do {
      let record = try CheckedStories.record(name)
      #expect(record.acceptedScans > 0, "\(replay)")
    } catch {
      Issue.record("\(error); \(replay)")
    }
  }

  /// Everything on, with every fault and refusal likely, so that rare branches are taken.
  @Test("Every law holds in a world of faults", arguments: UInt64(1)...3)
  func lawsUnderFaults(seed: UInt64) throws {
    let scenario = try Scenario.load(
      text: """
        name: faults
        seed: \(seed)
        calendar: {start: 2026-01-15, days: 150, window: 3 h}
        rules:
          guarantee: {after: 40 d, minimum_scans: 3}
          chips: {enabled: true, per_scan: 3, expiry_days: 40, compounding: true}
          shop: {enabled: true}
          wholesale: {accounts: 3, comp_every: 2000}
          sunset: {threshold: 150, days: 30}
          bans: [{state: CA, date: 2026-03-10}, {state: TX, date: 2026-04-01}]
          treasury: {opening: {operating_bank: 300, member_wallet: 0, comp_pool_bank: 0}}
          payouts: {failure: 0.4, retries: 1, review: 2 d, batch_limit: 5}
          prizes:
            - {name: Small, kind: crypto, amount: 20, every: 40}
            - {name: Drawn, kind: crypto, amount: 30, every: 90, allocation: draw}
            - {name: Trip, kind: trip, amount: 300, every: 700, tier: high_roller}
        population:
          members: 120
          adoption: {model: bass}
          referral: {affiliates: 0.5, referred: 0.5}
          wallet: {enabled: true, visits_per_week: 4, redeems: 0.2, withdraws: 0.5, withdrawal_fails: 0.2}
          shop: {cancelled: 0.2, refunded: 0.2}
          wholesale: {reference_members: 120, scanned: 0.02}
          chat: {enabled: true}
          mischief: {rings: [{date: 2026-02-01, accounts: 3, per_hour: 20}]}
        faults:
          chain: {unbooked_fee: 0.1, failed: 0.1, duplicated: 0.1, late: 0.1}
          payouts:
            lost_response: 0.2
            outages:
              - {date: 2026-02-10, lasts: 30 h}
              - {date: 2026-03-01, hour: 6, lasts: 9 h, kind: reject}
        """, file: "faults.yaml")
    var world = try World(try WorldInput(scenario), threads: 2)
    let record = try world.run(checking: true)
    func last(_ key: String) -> Int64 {
      (record.series.first { $0.key == key }?.values.last ?? nil) ?? 0
    }
    func most(_ key: String) -> Int64 {
      record.series.first { $0.key == key }?.values.compactMap { $0 }.max() ?? 0
    }
    let replay = "replay: seed \(seed)"
    for key in [
      "chips.bonus", "chips.expired", "chips.redeemed", "shop.cancelled", "shop.refunded",
      "wallet.withdrawals", "wallet.card_payments", "wholesale.comps", "sunset.active",
      "payouts.retries", "payouts.repeats_refused", "bots.suspended", "social.messages",
      "wallet.withdrawals_failed",
    ] {
      #expect(last(key) > 0, "\(key) never happened; \(replay)")
    }
    #expect(most("payouts.failed") > 0, "no payout ever failed; \(replay)")
    #expect(most("payouts.waiting_funds") > 0, "no payout ever waited for funds; \(replay)")
    #expect(record.reconciliations.contains { !$0.balanced }, "no alert; \(replay)")
    let refused = record.outcomes.first { $0.name == "member_ineligible" }?.count ?? 0
    #expect(refused > 0, "no scan was refused in a state with a ban; \(replay)")
    #expect(!record.transactions.isEmpty)
  }

  @Test(
    "A traced wallet is the sum of its transactions, however late it learns of an award",
    arguments: ["1 h", "1 d"])
  func aTracedWalletIsTheSumOfItsTransactions(window: String) throws {
    let scenario = try Scenario.load(
      text: """
        name: traced
        calendar: {days: 200, window: \(window)}
        rules: {chips: {enabled: true}}
        population:
          members: 60
          adoption: {model: cohort}
          wallet: {enabled: true, visits_per_week: 3, traced: 60, withdrawal_fails: 0.2}
        """, file: "traced.yaml")
    var world = try World(try WorldInput(scenario), threads: 1)
    let record = try world.run(checking: true)
    var balances: [Int64: Int64] = [:]
    var hashes = Set<String>()
    for row in record.transactions {
      balances[row.member, default: 0] += row.amount.microunits
      #expect(row.balance.microunits == balances[row.member], "member \(row.member)")
      #expect(row.hash.count == 66 && hashes.insert(row.hash).inserted)
      #expect(row.balance >= .zero)
    }
    // Every award that a wallet is credited has an id of its own, and nothing else has one.
    let payments: Set = ["withdrawal", "reversal", "card_payment"]
    #expect(record.transactions.allSatisfy { ($0.award == nil) == payments.contains($0.kind) })
    let awards = record.transactions.compactMap(\.award)
    #expect(Set(awards).count == awards.count)
    // All members are traced: the ids of each type count its payouts.
    for payout in record.payouts {
      let ids = Set(awards.filter { $0.hasPrefix("\(payout.type)#") })
      guard !ids.isEmpty else { continue }
      #expect(ids == Set((1...payout.count).map { "\(payout.type)#\($0)" }))
    }
    #expect(record.payouts.count { row in awards.contains("\(row.type)#1") } >= 4)
    let held = record.series.first { $0.key == "wallet.balance" }?.values.last
    #expect(balances.values.reduce(0, +) == held)
    #expect(Set(record.transactions.map(\.kind)).count >= 6)
    #expect(record.transactions.contains { $0.status == "failed" })
  }
}
