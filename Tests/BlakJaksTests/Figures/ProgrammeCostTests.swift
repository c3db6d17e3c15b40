// Goal: the headline is the whole cost: what the payout ledger holds, whoever carries it.
// Method: small worlds under several settings; the ledger's rows summed by hand.

import BlakJaks
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite(.tags(.slow)) struct ProgrammeCostTests {
  /// A world with everything on, small and short.
  private func record(_ overrides: [String]) throws -> BlakJaksRecord {
    let small = [
      "population.members=300", "calendar.days=100", "rules.prizes[4].every=3000",
      "rules.prizes[2].every=700", "population.wholesale.reference_members=3000",
    ]
    return try told(try story("full-programme", small + overrides))
  }

  private func sum(_ amounts: [MicroUSDT]) -> Int64 { amounts.reduce(0) { $0 + $1.microunits } }

  @Test(
    "The cost in all is the payout ledger's sum, and by accrual what trips accrued beyond it",
    arguments: [
      [], ["rules.comp_pool.recognition=cash"],
      ["rules.comp_pool.charges.guarantee=operating", "rules.comp_pool.charges.match=operating"],
      ["rules.comp_pool.charges.trip=operating", "rules.comp_pool.charges.pool=comp_pool"],
    ])
  func costInAll(overrides: [String]) throws {
    let record = try record(overrides)
    let cost = ProgrammeCost(record)
    let ledger = sum(record.payouts.map(\.total))
    #expect(ledger > 0 && cost.awarded.microunits == ledger)
    let cash = sum(record.months.map(\.spendCash))
    let spend = record.recognisesCash ? cash : sum(record.months.map(\.spendAccrual))
    // What every scan sets aside, less the trips won, whoever trips are charged to.
    let trip = record.prizes.map(\.prize).filter { $0.kind == .trip }
    let accrued = try trip.reduce(Int64(0)) {
      try $0 + $1.amount.portion(record.acceptedScans, of: $1.every).microunits
    }
    let won = sum(record.payouts.filter { $0.type.hasPrefix("Trip") }.map(\.total))
    let setAside = record.recognisesCash ? 0 : accrued - won
    let isPools = !overrides.contains("rules.comp_pool.charges.trip=operating")
    #expect(cost.total.microunits == ledger + setAside && (setAside != 0 || record.recognisesCash))
    if isPools { #expect(setAside == spend - cash) }
    #expect(sum(cost.carriers.map(\.amount)) == cost.total.microunits)
    // What the comp pool carries is what its budget is judged by.
    #expect(cost[.compPool].microunits == spend)
    #expect(cost.carriers.count > 1, "somebody else carries a part")
    let operating = record.payouts.filter { row in
      let text = overrides.joined()
      return row.type == "guarantee" && text.contains("guarantee=operating")
        || row.type == "match" && text.contains("match=operating")
        || row.type.hasPrefix("Trip") && text.contains("trip=operating")
    }
    #expect(cost[.operating].microunits == sum(operating.map(\.total)) + (isPools ? 0 : setAside))
    #expect(record.figure("cost.total") == Double(cost.total.microunits) / 1e6)
    #expect(record.figure("cost.affiliate_pool") == Double(cost[.affiliatePool].microunits) / 1e6)
  }

  @Test func aRunThatPaidNothingCostsNothing() {
    let cost = ProgrammeCost(BlakJaksRecord())
    #expect(cost.total == .zero)
    #expect(cost.carriers.map(\.account) == [.compPool])
  }
}
