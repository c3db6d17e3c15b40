import BlakJaks
// Goal: every BlakJaks scenario that comes with the program adds up, and its thresholds name figures that
// it has.
// Method: each file is read from Scenarios/ and run in process at reduced size.
import Foundation
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite(.tags(.slow)) struct StoryTests {
  @Test func allScenariosAreFound() { #expect(stories.count >= 12) }

  @Test("Every day of a scenario adds up, and its thresholds name figures", arguments: stories)
  func addsUp(name: String) throws {
    let record = try CheckedStories.record(name)
    for unit in ["", "_value"] {
      let awarded = try record.values("payouts.awarded\(unit)")
      let paid = try record.values("payouts.paid\(unit)")
      let pending = try record.values("payouts.pending\(unit)")
      let failed = try record.values("payouts.failed\(unit)")
      let wrong = awarded.indices.first { awarded[$0] != paid[$0] + pending[$0] + failed[$0] }
      #expect(wrong == nil, "\(name)")
    }
    #expect(record.payoutTotal.count == (try record.values("payouts.awarded").last))
    #expect(record.accounts.reduce(0) { $0 + $1.balance.microunits } == 0)
    let submitted = record.days.reduce(0) { $0 + $1.submitted }
    #expect(record.outcomes.reduce(0) { $0 + $1.count } == submitted)
    #expect(record.days.reduce(0) { $0 + $1.acceptedScans } == record.acceptedScans)
    for threshold in try story(name).expect {
      guard let figure = threshold.figure else { continue }
      #expect(record.figure(figure) != nil, "\(name): \(threshold.text)")
    }
  }

  @Test func aSeriesIsAFigureInTheUnitsOfThresholds() throws {
    var record = BlakJaksRecord()
    record.series = [
      BlakJaksRecord.Series(key: "a.count", unit: .count, values: [3, 9, 4]),
      BlakJaksRecord.Series(key: "b money", unit: .money, values: [nil, 7_500_000, 2_000_000]),
      BlakJaksRecord.Series(key: "c", unit: .duration, values: [nil, nil, 90_000_000]),
      BlakJaksRecord.Series(key: "d", unit: .share, values: [12_500, 9_500, nil]),
      BlakJaksRecord.Series(key: "e", unit: .flag, values: [0, 0, 1]),
      BlakJaksRecord.Series(key: "f", unit: .count, values: [nil, nil, nil]),
    ]
    #expect(record.figure("series.a.count") == 4)
    #expect(record.figure("peak.a.count") == 9)
    #expect(record.figure("series.b money") == 2)
    #expect(record.figure("peak.b money") == 7.5)
    #expect(record.figure("series.c") == 90)
    #expect(record.figure("series.d") == nil)
    #expect(record.figure("peak.d") == 1.25)
    #expect(record.figure("series.e") == 1)
    #expect(record.figure("peak.f") == nil)
    #expect(record.figure("series.g") == nil)
    #expect(record.figure("a.count") == nil)
  }

  @Test func errorRateAndAlertsAreFigures() throws {
    var record = BlakJaksRecord()
    #expect(record.figure("scans.error_rate") == nil)
    #expect(record.figure("reconciliation.alerts") == 0)
    record.acceptedScans = 30
    record.outcomes = [.init(name: "accepted", count: 30), .init(name: "unknown_code", count: 10)]
    record.reconciliations = [true, false, false].map {
      BlakJaksRecord.ReconciliationRow(
        time: record.start, wallet: "w", ledger: .zero, chain: .zero, difference: .zero,
        balanced: $0)
    }
    #expect(record.figure("scans.error_rate") == 0.25)
    #expect(record.figure("reconciliation.alerts") == 2)
  }

  // A member of a banned state leaves the codes of tins unclaimed; a ring that copies them must
  // not get in.
  @Test func codesThatABanLeftUnclaimedAreNotCopied() throws {
    let scenario = try story(
      "bot-ring", "population.members=400", "calendar.days=40",
      "rules.bans=[{state: CA, date: 2026-01-05}]",
      "population.mischief.rings=[{date: 2026-01-20, days: 7, per_hour: 2, copied: 1}]")
    let record = try told(scenario)
    #expect(record.count(of: .memberIneligible) > 50)
    #expect(try record.values("bots.submitted").last! > 10_000)
    #expect(try record.values("bots.accepted").last == 0)
  }
}
