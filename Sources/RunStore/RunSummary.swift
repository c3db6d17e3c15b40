package import BlakJaks
package import Foundation
internal import Quantities
internal import RewardModel

/// The summary of a run: `summary.json`, and what `--format json` prints.
///
/// Its keys keep their order, and whole numbers are exact up to 2⁶⁴ − 1. `SummarySchema` describes
/// it. Later versions only append keys; a change of meaning raises `schemaVersion`.
package enum RunSummary {
  /// Version of the summary's shape.
  package static let schemaVersion: Int64 = 1

  /// A file of the run folder as the summary lists it.
  package struct File: Sendable {
    package var name: String
    package var bytes: Int64
    /// Of the content, in lower-case hexadecimal.
    package var sha256: String

    /// - Parameter contents: What the file holds.
    package init(name: String, contents: Data) {
      self.name = name
      bytes = Int64(contents.count)
      sha256 = RunFingerprint.sha256(contents)
    }

    /// A file that stands in a folder that is being written.
    init(name: String, in writer: FolderWriter) throws(RunStoreError) {
      let path = "\(writer.partial)/\(name)"
      guard let contents = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
      else { throw writer.failure("read back \(name)", code: EIO) }
      self.init(name: name, contents: contents)
    }
  }

  /// The summary as JSON text with a line end behind it.
  ///
  /// - Parameter files: The other files of the run folder.
  package static func text(of record: BlakJaksRecord, files: [File] = []) -> String {
    let members =
      header(record) + rows(record) + provenance(record)
      + [
        (
          "files",
          .list(
            files.map { file in
              .object(
                [
                  ("name", .text(file.name)), ("bytes", .integer(file.bytes)),
                  ("sha256", .text(file.sha256)),
                ], inline: true)
            })
        )
      ] + appended(record)
    return OrderedJSON.object(members, inline: false).rendered() + "\n"
  }

  private typealias Members = [(key: String, value: OrderedJSON)]

  private static func header(_ record: BlakJaksRecord) -> Members {
    let wall = record.timing.wallSeconds
    let rate = wall > 0 ? Double(record.acceptedScans) / wall : .nan
    return [
      ("schema_version", .integer(schemaVersion)),
      ("scenario", .text(record.scenario)),
      ("seed", .unsigned(record.seed)),
      ("fingerprint", .text(record.fingerprint)),
      ("interrupted", .bool(record.interrupted)),
      ("members", .integer(record.members)),
      ("accepted_scans", .integer(record.acceptedScans)),
      (
        "outcomes",
        .object(record.outcomes.map { ($0.name, .integer($0.count)) }, inline: false)
      ),
      ("tins_sold", .integer(record.tinsSold)),
      ("events", .integer(record.events)),
      ("wall_seconds", .real(wall, decimals: 6)),
      ("scans_per_second", .real(rate, decimals: 1)),
      ("peak_memory_bytes", .integer(record.timing.peakMemoryBytes)),
    ]
  }

  private static func rows(_ record: BlakJaksRecord) -> Members {
    [
      ("months", .list(record.months.map(month))),
      ("payouts", .list(record.payouts.map(payout))),
      ("prizes", .list(record.prizes.map(prize))),
      ("tiers", tiers(record.tiers)),
    ]
  }

  private static func provenance(_ record: BlakJaksRecord) -> Members {
    let affiliates = record.affiliates
    return [
      ("source", .text(record.source.rawValue)),
      ("start", .text(record.start.description)),
      ("end", .text(record.end.description)),
      ("zone", .text(record.zone)),
      (
        "affiliates",
        .object(
          [
            ("active", .integer(affiliates.active)),
            ("referred", .integer(affiliates.referred)),
            ("chips_issued", .integer(affiliates.chipsIssued)),
            ("chips_unexpired", .integer(affiliates.chipsUnexpired)),
            ("match_paid_micro", .integer(affiliates.matchPaid.microunits)),
            ("pool_paid_micro", .integer(affiliates.poolPaid.microunits)),
            ("floors", tiers(affiliates.floors)),
          ], inline: false)
      ),
      ("pools", .list(record.pools.map(pool))),
      (
        "accounts",
        .list(
          record.accounts.map { row in
            .object(
              [
                ("account", .text(row.account)),
                ("balance_micro", .integer(row.balance.microunits)),
                ("postings", .integer(row.postings)),
              ], inline: true)
          })
      ),
    ]
  }

  private static func appended(_ record: BlakJaksRecord) -> Members {
    [
      ("description", .text(record.scenarioDescription)),
      ("refused_under_age", .integer(record.refusedUnderAge)),
      ("tins_sold_in_shop", .integer(record.tinsSoldInShop)),
      ("payout_total", payout(record.payoutTotal)),
      ("awards", .integer(Int64(record.awards.count))),
      ("threads", .integer(Int64(record.timing.threads))),
    ]
  }

  private static func month(_ row: BlakJaksRecord.MonthRow) -> OrderedJSON {
    .object(
      [
        ("month", .text(row.month)),
        ("tins_sold", .integer(row.tinsSold)),
        ("accepted_scans", .integer(row.acceptedScans)),
        ("gross_profit_micro", .integer(row.grossProfit.microunits)),
        ("budget_micro", .integer(row.budget.microunits)),
        ("spend_cash_micro", .integer(row.spendCash.microunits)),
        ("spend_accrual_micro", .integer(row.spendAccrual.microunits)),
        ("utilisation_bp", .optional(row.utilisationBasisPoints)),
        ("status", .optional(row.status?.rawValue)),
      ], inline: true)
  }

  private static func payout(_ row: BlakJaksRecord.PayoutRow) -> OrderedJSON {
    .object(
      [
        ("type", .text(row.type)), ("count", .integer(row.count)),
        ("total_micro", .integer(row.total.microunits)),
        ("share_bp", .integer(row.shareBasisPoints)),
      ], inline: true)
  }

  private static func prize(_ row: BlakJaksRecord.PrizeRow) -> OrderedJSON {
    .object(
      [
        ("name", .text(row.prize.name)),
        ("kind", .text(row.prize.kind.rawValue)),
        ("amount_micro", .integer(row.prize.amount.microunits)),
        ("every", .integer(row.prize.every)),
        ("required_tier", .text(row.prize.requiredTier.key)),
        ("allocation", .text(row.prize.allocation.rawValue)),
        ("awarded", .integer(row.awarded)),
        ("waiting", .integer(row.waiting)),
        ("next_due", .integer(row.nextDue)),
        ("away", .integer(row.away)),
      ], inline: true)
  }

  private static func pool(_ row: BlakJaksRecord.PoolRow) -> OrderedJSON {
    .object(
      [
        ("time", .text(row.time.description)),
        ("pool_micro", .integer(row.pool.microunits)),
        ("chips", .integer(row.chips)),
        ("holders", .integer(row.holders)),
        ("paid_micro", .integer(row.paid.microunits)),
        ("carry_micro", .integer(row.carry.microunits)),
      ], inline: true)
  }

  private static func tiers(_ counts: PerTier<Int64>) -> OrderedJSON {
    .object(Tier.allCases.map { ($0.key, .integer(counts[$0])) }, inline: true)
  }
}
