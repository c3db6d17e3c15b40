internal import Documents
internal import Quantities

extension ScanAnswer {
  /// The answer as one line of JSON, keys in the brief's order, money as exact decimal numbers.
  ///
  /// `product_name` is null unless the scan was accepted; `next_tier` is null for a Whale;
  /// `milestone_hit` is null, or a list, because one scan may win one of each prize. The ids
  /// of the awards follow: `id` of each milestone, `reward_id` of the scan reward, null where
  /// nothing was promised.
  package var json: String {
    let hits = milestones.map { milestone in
      JSONText.line([
        ("prize", .string(milestone.prize)), ("amount", .money(milestone.amount)),
        ("due_scan", .integer(milestone.dueScan)), ("won_scan", .integer(milestone.wonScan)),
        ("id", milestone.id.map { .string(AwardID.text(milestone.prize, $0.number)) } ?? .null),
      ])
    }
    let tier = JSONText.line([
      ("tier", .string(progress.tier.key)),
      ("scans_this_quarter", .integer(progress.quarterScans)),
      ("next_tier", progress.next.map { .string($0.key) } ?? .null),
      ("scans_needed", .integer(progress.scansNeeded)),
    ])
    return JSONText.line([
      ("success", .bool(outcome == .accepted)),
      ("product_name", product.map { .string($0.name) } ?? .null),
      ("usdt_earned", .money(earned)),
      // Basis points of 1 are hundreds of micro-units of 1.
      ("tier_multiplier", .money(MicroUSDT(microunits: multiplier.rawValue * 100))),
      ("tier_progress", tier),
      ("comp_earned", .money(compEarned)),
      ("milestone_hit", hits.isEmpty ? .null : .array(hits)),
      ("reward_id", rewardID.map { .string($0.text([])) } ?? .null),
    ]).rendered()
  }
}

extension JSONText {
  /// USDT with at least two decimals and no grouping: `-1234.50`.
  fileprivate static func money(_ amount: MicroUSDT) -> JSONText {
    .number(amount.formatted(minimumDecimals: 2).filter { $0 != "," })
  }
}
