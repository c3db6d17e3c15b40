package import BlakJaks
internal import Quantities
internal import RewardModel
internal import Scenario
internal import Simulator

/// The figures that experiments measure in every replication, in a fixed order.
package struct FigureCatalog: Sendable {
  /// What a figure is measured in.
  package enum Unit: String, Sendable {
    case ratio, usdt, count, days, seconds
  }

  package let names: [String]

  /// The figures of every experiment, and those that it asks for beside.
  ///
  /// - Parameter asked: Names that `BlakJaksRecord.figure` knows; others are never reached.
  package init(asked: [String] = []) {
    var all = Expectation.figures + FigureCatalog.derived
    for name in asked where !all.contains(name) { all.append(name) }
    names = all
  }

  /// The row of a figure; nil when nobody asked for it.
  package func row(of name: String) -> Int? { names.firstIndex(of: name) }

  /// Whether a name can be a figure: one of every experiment, or `series.KEY` or `peak.KEY`, of
  /// which only a run shows whether it has the key.
  package static func knows(_ name: String) -> Bool {
    Expectation.figures.contains(name) || derived.contains(name)
      || Expectation.prefixes.contains { name.hasPrefix($0) && name.count > $0.count }
  }

  /// Figures that are worked out from several others of a run.
  static let derived: [String] = {
    var names = ["guarantee.cost_per_member", "cost_per_scan.total"]
    names += [
      "crypto", "casino", "trip", "scan_reward", "guarantee", "match", "pool", "wholesale", "chips",
    ].map { "cost_per_scan.\($0)" }
    names += [
      "chips", "trip_reserve", "total", "trips_accrued", "trips_won", "chips_issued",
      "chips_redeemed", "chips_expired", "payouts_pending",
    ].map { "liability.\($0)" }
    names += Treasury.allCases.map { "runway.\($0.key)" }
    names += Tier.allCases.map { "reinvestment.\($0.key)" }
    names += Tier.allCases.map { "value.\($0.key)" }
    names += ["value.retail", "value.shop"]
    return names
  }()

  /// What a figure is measured in.
  package static func unit(of name: String) -> Unit {
    if name.hasPrefix("budget.utilisation") || name.hasPrefix("reinvestment.") { return .ratio }
    if name == "scans.error_rate" { return .ratio }
    for prefix in Expectation.prefixes where name.hasPrefix(prefix) {
      switch BlakJaksRecord.unit(ofSeries: String(name.dropFirst(prefix.count))) {
      case .money: return .usdt
      case .micros: return .seconds
      case .basisPoints: return .ratio
      case .count, .flag: return .count
      }
    }
    if name.hasPrefix("runway.") { return .days }
    let money = ["budget.spend", "payouts.total", "guarantee.", "cost_per_scan.", "liability."]
    if money.contains(where: name.hasPrefix) || name.hasPrefix("value.") { return .usdt }
    return .count
  }
}

extension BlakJaksRecord {
  /// A figure of `FigureCatalog`; nil where this run does not have it.
  ///
  /// Runway: days until a treasury is empty at its mean outflow of the last 30 days; nil where it
  /// did not fall. Reinvestment rate of a tier: what its members were given over the gross profit
  /// of what they bought. Value of a member: gross profit less what was given, for each member who
  /// is in the tier at the end, or gross profit of the channel for each member. Liability: trips
  /// accrued less those won are the trip reserve; chips issued less those redeemed and expired, at
  /// what one is redeemed for, are that of chips; both and what is on its way to be paid are all.
  package func experimentFigure(_ name: String) -> Double? {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, FigureCatalog.derived.contains(name) else { return figure(name) }
    switch parts[0] {
    case "guarantee":
      return members > 0 ? payout("$50 Guarantee") / Double(members) : nil
    case "cost_per_scan": return acceptedScans > 0 ? cost(parts[1]) / Double(acceptedScans) : nil
    case "liability": return liability(parts[1])
    case "runway": return runway("treasury.\(parts[1])")
    case "reinvestment":
      let profit = profit(tins: figure("series.tier.\(parts[1]).tins"))
      guard profit > 0, let comps = figure("series.tier.\(parts[1]).comps") else { return nil }
      return comps / profit
    default: return value(parts[1])
    }
  }

  private func liability(_ key: String) -> Double? {
    func chips(_ key: String) -> Double? {
      guard let count = figure("series.chips.\(key)"),
        let value = setting("rules.chips.value").flatMap(Self.number)
      else { return nil }
      return count * value
    }
    let reserve = figure("series.trip_reserve")
    switch key {
    case "chips": return figure("series.chips.liability")
    case "chips_issued": return chips("issued")
    case "chips_redeemed": return chips("redeemed")
    case "chips_expired": return chips("expired")
    case "payouts_pending": return figure("series.payouts.pending_value")
    case "trip_reserve": return reserve
    case "trips_won": return reserve.map { _ in cost("trip") }
    case "trips_accrued": return reserve.map { $0 + cost("trip") }
    default:
      let pending = figure("series.payouts.pending_value") ?? 0
      return reserve.map { $0 + (figure("series.chips.liability") ?? 0) + pending }
    }
  }

  private func value(_ key: String) -> Double? {
    if key == "retail" || key == "shop" {
      let profit = profit(tins: figure("series.channel.\(key).tins"))
      return members > 0 ? profit / Double(members) : nil
    }
    guard let tier = Tier.allCases.first(where: { $0.key == key }), tiers[tier] > 0,
      let comps = figure("series.tier.\(key).comps")
    else { return nil }
    let profit = profit(tins: figure("series.tier.\(key).tins"))
    return (profit - comps) / Double(tiers[tier])
  }

  private func profit(tins: Double?) -> Double {
    (tins ?? 0) * (setting("economy.gross_profit").flatMap(Self.number) ?? 0)
  }

  private func payout(_ type: String) -> Double {
    payouts.first { $0.type == type }?.total.usdt ?? 0
  }

  private func cost(_ family: String) -> Double {
    switch family {
    case "total": payoutTotal.total.usdt
    case "scan_reward": payout("Scan reward")
    case "guarantee": payout("$50 Guarantee")
    case "match": payout("21% Match")
    case "pool": payout("Pool 5%")
    case "wholesale": payout("Wholesale")
    case "chips": payout("Chip redemption")
    default:
      prizes.filter { $0.prize.kind.rawValue == family }.reduce(0) {
        $0 + payout($1.prize.name)
      }
    }
  }

  private func runway(_ key: String) -> Double? {
    guard let series = series.first(where: { $0.key == key }) else { return nil }
    let values = series.values.compactMap(\.self)
    guard let last = values.last, values.count > 30 else { return nil }
    let daily = Double(values[values.count - 31] - last) / 30
    return daily > 0 ? Double(last) / daily : nil
  }

  func setting(_ path: String) -> String? { settings.first { $0.path == path }?.value }

  /// The number in front of a setting's unit: `2.00 USDT`, `50 %`.
  static func number(_ text: String) -> Double? {
    Double(text.prefix { $0.isNumber || $0 == "." || $0 == "-" || $0 == "," }.filter { $0 != "," })
  }

  /// Whether trips count when they are won.
  package var recognisesCash: Bool {
    setting("rules.comp_pool.recognition") == TripRecognition.cash.rawValue
  }

  /// The comp pool's share of gross profit.
  var poolShare: Double { (setting("rules.comp_pool.share").flatMap(Self.number) ?? 50) / 100 }
}
