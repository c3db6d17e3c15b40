// Goal: the fingerprint is the documented digest, depends on every row and on nothing else.
// Method: a golden digest computed with Python's hashlib and struct.pack('<q', …) from the
// documented rendering; then one change at a time.

import BlakJaks
import Quantities
import RewardModel
import RunStore
import Testing

@Suite struct FingerprintTests {
  @Test func goldenDigest() {
    #expect(
      RunFingerprint.of(smallRecord())
        == "5ad5733ca23e950f5a75b05db74c43a4bcd9e372da65abbeb9c93279729b59f0")
  }

  @Test func goldenDigestOfVersion1() {
    #expect(
      RunFingerprint.of(smallRecord(), version: 1)
        == "88856715504855e3494fc50c40ff965e6b59c0dd7ecb7cde3b5d5afce7f3c915")
  }

  @Test("How often an account was posted to says how a run was computed, not what came of it")
  func postingsAreLeftOut() {
    var record = smallRecord()
    record.accounts[1].postings += 1
    #expect(RunFingerprint.of(record) == RunFingerprint.of(smallRecord()))
    #expect(smallRecord().difference(from: record) == nil)
    #expect(
      RunFingerprint.of(record, version: 3) != RunFingerprint.of(smallRecord(), version: 3))
  }

  @Test(
    "Series that came later and tell of nothing new are left out",
    arguments: ["shop.abandoned_cart", "fees.member", "fees.affiliate", "fees.wholesale"])
  func laterSeriesAreLeftOut(key: String) {
    var record = smallRecord()
    let later = BlakJaksRecord.Series(key: key, unit: .count, values: [1, 2])
    record.series.insert(later, at: 1)
    #expect(RunFingerprint.of(record) == RunFingerprint.of(smallRecord()))
    record.series[1].key = "shop.abandoned"
    #expect(RunFingerprint.of(record) != RunFingerprint.of(smallRecord()))
  }

  @Test func emptyRunHasADigest() {
    #expect(RunFingerprint.of(BlakJaksRecord()).count == 64)
  }

  @Test func everyRowCounts() {
    let changes: [(inout BlakJaksRecord) -> Void] = [
      { $0.accounts[0].balance = .zero }, { $0.accounts[1].balance = .zero },
      { $0.accounts.swapAt(0, 1) }, { $0.awards[0].member = "Bob" },
      { $0.awards[0].time = Instant(microseconds: 0) }, { $0.awards[0].kind = .trip },
      { $0.awards[0].wonScan = 2 }, { $0.days[1].submitted = 5 },
      { $0.days[1].tiers.whale = 41 }, { $0.days[0].projectedBasisPoints = 0 },
      { $0.days[1].status = nil }, { $0.months[0].spendAccrual = .zero },
      { $0.months[1].status = .critical }, { $0.quarters[0].tiers.vip = 1 },
      { $0.payouts[0].count = 2 }, { $0.payouts.removeLast() }, { $0.pools[0].carry = .zero },
      { $0.outcomes[1].count = 0 }, { $0.prizes[0].waiting = 1 },
      { $0.prizes[0].prize.allocation = .rollForward },
      { $0.series[0].values[1] = 13 }, { $0.series[0].values[1] = nil },
      { $0.series[2].values[0] = 0 }, { $0.series[0].unit = .duration },
      { $0.series[0].key = "payouts.pending" }, { $0.series.swapAt(0, 1) },
      { $0.scanHours[1][7] = 2 }, { $0.scanHours[1].swapAt(7, 8) },
      { $0.reconciliations[0].balanced = true }, { $0.reconciliations[1].chain = .zero },
      { $0.reconciliations.removeLast() }, { $0.transactions[0].status = "failed" },
      { $0.transactions[0].amount = .whole(5) }, { $0.transactions[0].hash = "0xac" },
      { $0.transactions[1].award = nil }, { $0.transactions[0].award = "match#1" },
      { $0.streams[0].uniqueViewers = 4 }, { $0.streams = [] },
      { $0.proposals[0].closed = nil }, { $0.proposals[1].passed = true },
    ]
    var digests: Set = [RunFingerprint.of(smallRecord())]
    for change in changes {
      var record = smallRecord()
      change(&record)
      digests.insert(RunFingerprint.of(record))
      #expect(smallRecord().difference(from: record) != nil)
    }
    #expect(digests.count == changes.count + 1)
  }

  @Test func machineSettingsNamesAndTheFeedDoNotCount() {
    var record = smallRecord()
    record.timing.wallSeconds = 99
    record.timing.threads = 8
    record.timing.peakMemoryBytes = 0
    record.settings = []
    record.scenario = "other"
    record.seed = 1
    record.fingerprint = "anything"
    record.feed = []
    #expect(RunFingerprint.of(record) == RunFingerprint.of(smallRecord()))
    #expect(smallRecord().difference(from: record) == nil)
  }

  @Test func aDifferenceSaysWhereAndWhat() throws {
    func words(_ change: (inout BlakJaksRecord) -> Void) -> String? {
      var record = smallRecord()
      change(&record)
      return smallRecord().difference(from: record)
    }
    let awarded = smallRecord().awards[0].member
    #expect(words { $0.awards[0].member = "Bob" } == "award 0, member: '\(awarded)' and 'Bob'")
    #expect(words { $0.payouts.removeLast() }?.hasSuffix("rows") ?? false)
    let value = try #require(smallRecord().series[0].values[1])
    #expect(
      words { $0.series[0].values[1] = nil }
        == "series_value 1, value: \(value) and nothing")
  }
}
