package import RewardModel

extension BlakJaksRecord {
  package static let facts: [Column<BlakJaksRecord>] =
    [
      .count("members", \.members) { $0.note = "Members signed up." },
      .count("refused_under_age", \.refusedUnderAge),
      .count("accepted_scans", \.acceptedScans) { $0.rate = "scans_per_second" },
      .count("tins_sold", \.tinsSold),
      .count("tins_sold_in_shop", \.tinsSoldInShop) {
        $0.note = "The rest is retail; 0 for a history, which does not tell."
      },
    ] + tierColumns(\.tiers, group: "tiers", note: "Members by effective tier at the end.")
    + tierColumns(
      \.finalTiers.tins, prefix: "final_tins_", group: "final_tins",
      note: "Tins bought in the whole run by members who end in the tier.")
    + tierColumns(
      \.finalTiers.scans, prefix: "final_scans_", group: "final_scans",
      note: "Accepted scans in the whole run of members who end in the tier.")
    + tierColumns(
      \.finalTiers.comps, prefix: "final_comps_", group: "final_comps",
      note: "Micro-USDT given in the whole run to members who end in the tier.")

  package static let tables: [any RecordTable<BlakJaksRecord>] = [
    accountTable, awardTable, dayTable, monthTable, quarterTable, payoutTable, poolTable,
    outcomeTable, prizeTable, affiliateTable, seriesTable, scanHourTable, reconciliationTable,
    feedTable, transactionTable, streamTable, proposalTable, openingTable,
  ]

  package static let files = [
    "awards.csv", "months.csv", "tiers.csv", "payouts.csv", "daily.csv", "pools.csv",
    "ledger.csv", "series.csv", "reconciliations.csv",
  ]

  package static let summaryKeys = [
    "schema_version", "scenario", "seed", "fingerprint", "interrupted", "members",
    "accepted_scans", "outcomes", "tins_sold", "events", "wall_seconds", "scans_per_second",
    "peak_memory_bytes", "months", "payouts", "prizes", "tiers", "source", "start", "end", "zone",
    "affiliates", "pools", "accounts", "files", "description", "refused_under_age",
    "tins_sold_in_shop", "payout_total", "awards", "threads", "data_quality", "final_tins",
    "final_scans", "final_comps", "thresholds",
  ]

  /// Counts by tier, lowest tier first.
  ///
  /// - Parameter group: The key of the object that they are in `summary.json`.
  static func tierColumns<Row>(
    _ path: any WritableKeyPath<Row, PerTier<Int64>> & Sendable, prefix: String = "",
    group: String? = nil, note: String? = nil
  ) -> [Column<Row>] {
    let start = MemoryLayout<Row>.offset(of: path)
    return Tier.allCases.map { tier in
      Column(
        prefix + tier.key, at: start.map { $0 + PerTier<Int64>.offset(of: tier) },
        get: { $0[keyPath: path][tier] },
        set: { $0[keyPath: path][tier] = $1 }
      ) {
        $0.least = 0
        $0.group = group.map { ColumnShape.Group(key: $0, prefix: prefix, note: note) }
      }
    }
  }
}

extension PrizeAllocation: FieldChoice {}
extension PrizeKind: FieldChoice {}

extension Tier: FieldChoice {
  package var word: String { key }
}
