// Goal: payout-outage tells its story: an outage costs time and no money, and reconciliation finds
// what the chain did otherwise than the books say - that, all of it, and nothing else.
// Method: the scenario at reduced size, against the same run without its faults; faults of every
// transaction, which can be counted by the gas that they burn.
import BlakJaks
import Population
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite(.tags(.slow)) struct OutageStoryTests {
  private let noChainFaults = [
    "faults.chain.unbooked_fee=0", "faults.chain.failed=0", "faults.chain.duplicated=0",
    "faults.chain.late=0",
  ]

  /// The scenario itself, run once for all tests.
  private static let told = Result { try outage([]) }

  private static func outage(_ overrides: [String]) throws -> BlakJaksRecord {
    try BlakJaksTests.told(try story("payout-outage", ["population.members=1500"] + overrides))
  }

  @Test func whoStandsStillForThirtySixHoursPaysEverybodyOnTheDayAfter() throws {
    let record = try Self.told.get()
    let queue = try record.values("payouts.queue")
    let pending = try record.values("payouts.pending")
    let failed = try record.values("payouts.failed")
    let paid = try record.values("day.payouts.count")
    let before = try record.day("2026-11-26")
    // From the 27th, 18:00, to the 29th, 06:00: six batches an hour at least wait.
    #expect(queue[before] < 10)
    #expect(queue[before + 1] > 25)
    #expect(queue[before + 2] > 100 + queue[before + 1])
    #expect(paid[before + 2] == 0)
    #expect(pending[before + 2] > pending[before] + 300)
    #expect(queue[before + 4] < 10)
    #expect(pending[before + 4] < 30)
    #expect(failed[before + 4] == 0)
    // The first award of the outage waits for all of it, the last for nothing.
    let wait = record.series.first { $0.key == "payouts.confirm_p95" }
    let longest = try #require(wait?.values[before + 3])
    #expect((30..<37).contains(longest / 3_600_000_000), "\(longest) µs")
    // In the end nothing but the last batch is open.
    let last = record.days.count - 1
    #expect(queue[last] < 10 && pending[last] < 30 && failed[last] == 0)
  }

  @Test func whatTheNetworkRejectsIsReviewedAndPaid() throws {
    let record = try Self.told.get()
    let failed = try record.values("payouts.failed")
    let retries = try record.growth("payouts.retries")
    let day = try record.day("2026-12-12")
    #expect(failed[..<day].allSatisfy { $0 == 0 })
    #expect(failed[day] > 30)
    #expect(failed[(day + 1)...].allSatisfy { $0 == 0 })
    // Five retries each of some 30 transactions, beside those of any day.
    #expect(retries[day] > 100)
    #expect(retries[day] > 10 * (retries[day - 1] + 1))
    #expect(try record.values("payouts.repeats_refused").last! > 0)
  }

  @Test func outagesCostTimeAndNoMoney() throws {
    let hit = try Self.told.get()
    let calm = try Self.outage(noChainFaults + ["faults.payouts.outages=[]"])
    for (a, b) in zip(hit.payouts, calm.payouts) {
      #expect(a.type == b.type && a.count == b.count && a.total == b.total)
    }
    #expect(hit.months.map(\.spendCash) == calm.months.map(\.spendCash))
    #expect(try calm.values("payouts.queue").max()! < 10)
  }

  @Test func anOutageAloneIsNoDifferenceBetweenChainAndBooks() throws {
    let record = try Self.outage(noChainFaults + ["rules.treasury.tolerance=0"])
    #expect(record.reconciliations.count == 3 * record.days.count)
    #expect(record.reconciliations.allSatisfy { $0.balanced && $0.difference == .zero })
  }

  // Every transaction burns a fee of 0.50 that nobody books, and 0.01 of gas that is booked, so
  // the books themselves tell how many there were. Payouts stand still around two mornings, and
  // again until the end of the run, so that what was found last is booked as well.
  @Test func alertsFollowFaultsAndDifferencesBookedAreTheFaults() throws {
    let halts = """
      faults.payouts.outages=[{date: 2026-11-10, hour: 4, lasts: 49 h, kind: halt}, \
      {date: 2026-12-30, hour: 4, lasts: 48 h, kind: halt}]
      """
    let record = try Self.outage(
      noChainFaults + [halts, "faults.chain.unbooked_fee=1", "rules.treasury.tolerance=0"])
    let alerts = record.reconciliations.filter { !$0.balanced }
    #expect(record.reconciliations.allSatisfy { $0.balanced == ($0.difference == .zero) })
    #expect(alerts.allSatisfy { $0.difference.microunits % 500_000 == 0 })
    // The first morning comes after five hours of batches, so that every morning but those within
    // an outage finds something in the members' wallet.
    let fives = record.reconciliations.filter { $0.wallet == "wallet_member" }
    var quiet = [try record.day("2026-11-11"), try record.day("2026-11-12")]
    quiet.append(try record.day("2026-12-31"))
    for (day, row) in fives.enumerated() where day > 0 {
      #expect(row.balanced == quiet.contains(day), "\(record.days[day].date)")
    }
    // A weekly pool is awarded on Monday at 05:00 and found on Tuesday.
    let affiliate = record.reconciliations.filter { $0.wallet == "wallet_affiliate" }
    let tuesdays = record.pools.filter { $0.paid > .zero }.compactMap { pool in
      affiliate.first { $0.time > pool.time }
    }
    #expect(tuesdays.count > 5)
    let found = tuesdays.count { !$0.balanced }
    #expect(found >= tuesdays.count - 1)  // One Tuesday lies within the outage.
    #expect(record.reconciliations.allSatisfy { $0.wallet != "wallet_wholesale" || $0.balanced })
    // All that was found was booked, and it was all.
    let sum = alerts.reduce(Int64(0)) { $0 + $1.difference.microunits }
    let booked = try #require(record.accounts.first { $0.account == "chain_difference" })
    let gas = try #require(try record.values("gas").last)
    #expect(booked.balance.microunits == sum)
    #expect(gas > 10_000 * 1_000)
    #expect(sum == -50 * gas)
  }

  // Of all transactions one in a hundred fails on the chain: money stays there, so that alerts
  // only ever find too much.
  @Test func whatRevertsIsFoundAsTooMuchAndWhatIsDoubledAsTooLittle() throws {
    for (fault, sign) in [("failed", 1), ("duplicated", -1)] as [(String, Int64)] {
      let record = try Self.outage(
        noChainFaults + ["faults.chain.\(fault)=0.01", "rules.treasury.tolerance=0"])
      let alerts = record.reconciliations.filter { !$0.balanced }
      #expect(alerts.count > 10, "\(fault)")
      #expect(alerts.allSatisfy { $0.difference.microunits * sign > 0 }, "\(fault)")
    }
  }
}
