// Records and folders for the tests of the run store.

import BlakJaks
import Foundation
import Quantities
import RewardModel
import RunStore

/// A record with one or two hand-written rows of everything.
func smallRecord() -> BlakJaksRecord {
  var record = BlakJaksRecord()
  record.scenario = "small"
  record.scenarioDescription = "Two days of one member."
  record.seed = .max
  record.thresholds = [
    RunHeader.ThresholdRow(
      threshold: "members.total > 5", holds: false, figure: "members.total", reached: 3.5)
  ]
  record.findings = [HistoryFinding(fault: .repeated, event: "scan", count: 2, line: 7)]
  record.zone = "UTC"
  record.start = Instant(microseconds: 1_767_225_600_000_000)
  record.end = Instant(microseconds: 1_767_398_400_000_000)
  record.settings = [RunHeader.SettingRow(path: "seed", value: "1", mark: "set")]
  record.members = 1
  record.refusedUnderAge = 2
  record.acceptedScans = 3
  record.tinsSold = 4
  record.events = 5
  record.outcomes = [
    BlakJaksRecord.NamedCount(name: "accepted", count: 3),
    BlakJaksRecord.NamedCount(name: "invalid_code", count: 1),
  ]
  record.tiers = PerTier(standard: 1, vip: 2, highRoller: 3, whale: 4)
  var first = BlakJaksRecord.DayRow(date: CivilDate(year: 2026, month: 1, day: 1))
  first.signups = 1
  var second = BlakJaksRecord.DayRow(date: CivilDate(year: 2026, month: 1, day: 2))
  second.members = 1
  second.purchases = 2
  second.tinsSold = 4
  second.submitted = 4
  second.acceptedScans = 3
  second.tiers = PerTier(standard: 10, vip: 20, highRoller: 30, whale: 40)
  second.grossProfit = .whole(8)
  second.spendCash = MicroUSDT(microunits: 600_000)
  second.spendAccrual = MicroUSDT(microunits: 1_800_000)
  second.projectedBasisPoints = 4_500
  second.status = .normal
  record.days = [first, second]
  var month = BlakJaksRecord.MonthRow(month: "2026-01")
  month.tinsSold = 4
  month.acceptedScans = 3
  month.grossProfit = .whole(8)
  month.budget = .whole(4)
  month.spendCash = MicroUSDT(microunits: 600_000)
  month.spendAccrual = MicroUSDT(microunits: 1_800_000)
  month.utilisationBasisPoints = 4_500
  month.status = .normal
  record.months = [month, BlakJaksRecord.MonthRow(month: "2026-02")]
  record.quarters = [
    BlakJaksRecord.QuarterRow(
      quarter: "2026-Q1", tiers: PerTier(standard: 1, vip: 0, highRoller: 0, whale: 0))
  ]
  let prize = Prize(
    name: "Crypto $100, or \"more\"", kind: .crypto, amount: .whole(100), every: 2,
    requiredTier: .highRoller, allocation: .draw)
  record.prizes = [
    BlakJaksRecord.PrizeRow(prize: prize, awarded: 1, waiting: 0, nextDue: 4, away: 1)
  ]
  record.awards = [
    BlakJaksRecord.AwardRow(
      award: 1, prize: prize.name, kind: .crypto, amount: .whole(100), dueScan: 2, wonScan: 3,
      time: Instant(microseconds: 1_767_312_000_123_456), member: "Ann, \"the\nwhale\"")
  ]
  record.payouts = [
    BlakJaksRecord.PayoutRow(
      type: "Crypto $100", count: 1, total: .whole(100), shareBasisPoints: 9_940),
    BlakJaksRecord.PayoutRow(
      type: "Scan reward", count: 3, total: MicroUSDT(microunits: 600_000), shareBasisPoints: 59),
  ]
  record.pools = [
    BlakJaksRecord.PoolRow(
      time: Instant(microseconds: 1_767_358_800_000_000), pool: .whole(2), chips: 3, holders: 1,
      paid: MicroUSDT(microunits: 1_999_998), carry: MicroUSDT(microunits: 2))
  ]
  record.accounts = [
    BlakJaksRecord.AccountRow(account: "sales", balance: .whole(-8), postings: 2),
    BlakJaksRecord.AccountRow(account: "comp_pool", balance: .whole(8), postings: 7),
  ]
  record.affiliates.active = 1
  record.affiliates.referred = 2
  record.affiliates.chipsIssued = 3
  record.affiliates.chipsUnexpired = 4
  record.affiliates.matchPaid = MicroUSDT(microunits: 5)
  record.affiliates.poolPaid = MicroUSDT(microunits: 6)
  record.affiliates.floors = PerTier(standard: 7, vip: 8, highRoller: 9, whale: 10)
  record.timing.wallSeconds = 0.1 + 0.2
  record.timing.threads = 2
  record.timing.peakMemoryBytes = 1 << 40
  addDailyFigures(to: &record)
  return record
}

/// One or two hand-written rows of everything that schema version 2 added.
private func addDailyFigures(to record: inout BlakJaksRecord) {
  record.series = [
    BlakJaksRecord.Series(key: "payouts.queue", unit: .count, values: [0, 12]),
    BlakJaksRecord.Series(
      key: "ledger.Crypto $100, or \"more\".total", unit: .money, values: [-1, 0]),
    BlakJaksRecord.Series(key: "payouts.confirm_mean", unit: .duration, values: [nil, 14_500_000]),
    BlakJaksRecord.Series(key: "sunset.active", unit: .flag, values: [0, 1]),
    BlakJaksRecord.Series(key: "share", unit: .share, values: [nil, nil]),
  ]
  record.scanHours = [
    Array(repeating: 0, count: 24), (0..<24).map { $0 == 7 ? 3 : 0 },
  ]
  record.reconciliations = [
    BlakJaksRecord.ReconciliationRow(
      time: Instant(microseconds: 1_767_243_600_000_000), wallet: "member", ledger: .whole(100),
      chain: .whole(88), difference: .whole(-12), balanced: false),
    BlakJaksRecord.ReconciliationRow(
      time: Instant(microseconds: 1_767_330_000_000_000), wallet: "member", ledger: .whole(1),
      chain: .whole(1), difference: .zero, balanced: true),
  ]
  record.feed = [
    BlakJaksRecord.FeedRow(
      time: Instant(microseconds: 1_767_312_000_000_000), kind: "sunset", text: "\"over\", so\nit")
  ]
  record.transactions = [
    BlakJaksRecord.TransactionRow(
      time: Instant(microseconds: 1_767_312_000_000_001), member: 1, kind: "withdrawal",
      amount: .whole(-5), balance: .whole(2), status: "pending", hash: "0xab"),
    BlakJaksRecord.TransactionRow(
      time: Instant(microseconds: 1_767_312_000_000_001), member: 1, kind: "comp",
      amount: .whole(100), balance: .whole(102), status: "confirmed", hash: "0xcd",
      award: "Crypto $100, or \"more\"#1"),
  ]
  record.streams = [
    BlakJaksRecord.StreamRow(
      start: Instant(microseconds: 1_767_312_000_000_002),
      end: Instant(microseconds: 1_767_312_000_000_003), peakViewers: 4, uniqueViewers: 5,
      messages: 6)
  ]
  record.proposals = [
    BlakJaksRecord.ProposalRow(
      opened: Instant(microseconds: 7), closed: Instant(microseconds: 8), votesFor: 9,
      votesAgainst: 10, eligible: 11, passed: true),
    BlakJaksRecord.ProposalRow(
      opened: Instant(microseconds: 12), closed: nil, votesFor: 0, votesAgainst: 0, eligible: 0,
      passed: false),
  ]
}

/// The run of BlakJaks in a folder.
func readRun(_ path: String) throws(RunStoreError) -> BlakJaksRecord {
  try RunFolder.read(path, as: BlakJaksProgramme.self)
}

/// Every field of a record, also those that later versions add, as text.
func everyField(_ record: some ProgrammeRecord) -> String {
  var text = ""
  dump(record, to: &text)
  return text
}

/// A fresh folder, removed at the end of `body`.
func withFolder<Value>(_ body: (String) throws -> Value) throws -> Value {
  let folder = NSTemporaryDirectory() + "pitboss-store-" + UUID().uuidString
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try body(folder)
}

/// The names in a folder, hidden ones included, sorted.
func names(in folder: String) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
}

/// A file's text.
func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
