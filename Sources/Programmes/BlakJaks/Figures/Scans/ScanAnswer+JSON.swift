internal import Documents
internal import Quantities

extension ScanAnswer {
  /// The answer as one line of JSON, keys in the brief's order, money as exact decimal numbers.
  ///
  /// `product_name` is null unless the scan was accepted; `next_tier` is null for a Whale;
  /// `milestone_hit` is null, or a list, because one scan may win one of each prize. The ids
  /// of the awards follow: `id` of each milestone, `reward_id` of the scan reward, null where
  /// nothing was promised; then `outcome`, the word of `ScanOutcome` that says what became of the
  /// code.
  package var json: String {
    // Written straight: a service answers with it thousands of times a second.
    var text = "{\"success\": "
    text += outcome == .accepted ? "true" : "false"
    text += ", \"product_name\": "
    text += product.map { JSONText.quoted($0.name) } ?? "null"
    text += ", \"usdt_earned\": "
    text += Self.money(earned)
    text += ", \"tier_multiplier\": "
    // Basis points of 1 are hundreds of micro-units of 1.
    text += Self.money(MicroUSDT(microunits: multiplier.rawValue * 100))
    text += ", \"tier_progress\": {\"tier\": "
    text += JSONText.quoted(progress.tier.key)
    text += ", \"scans_this_quarter\": "
    text += String(progress.quarterScans)
    text += ", \"next_tier\": "
    text += progress.next.map { JSONText.quoted($0.key) } ?? "null"
    text += ", \"scans_needed\": "
    text += String(progress.scansNeeded)
    text += "}, \"comp_earned\": "
    text += Self.money(compEarned)
    text += ", \"milestone_hit\": "
    text += milestones.isEmpty ? "null" : JSONText.array(milestones.map(Self.json)).flat
    text += ", \"reward_id\": "
    text += rewardID.map { JSONText.quoted($0.text([])) } ?? "null"
    text += ", \"outcome\": "
    text += JSONText.quoted(outcome.key)
    return text + "}"
  }

  private static func json(_ milestone: Milestone) -> JSONText {
    .line([
      ("prize", .string(milestone.prize)), ("amount", .number(money(milestone.amount))),
      ("due_scan", .integer(milestone.dueScan)), ("won_scan", .integer(milestone.wonScan)),
      ("id", milestone.id.map { .string(AwardID.text(milestone.prize, $0.number)) } ?? .null),
    ])
  }

  /// USDT with at least two decimals and no grouping: `-1234.50`.
  private static func money(_ amount: MicroUSDT) -> String {
    let (cents, rest) = amount.microunits.magnitude.quotientAndRemainder(dividingBy: 10_000)
    guard rest == 0 else { return amount.formatted(minimumDecimals: 2).filter { $0 != "," } }
    let (whole, decimals) = cents.quotientAndRemainder(dividingBy: 100)
    return (amount.microunits < 0 ? "-" : "") + String(whole) + (decimals < 10 ? ".0" : ".")
      + String(decimals)
  }
}
