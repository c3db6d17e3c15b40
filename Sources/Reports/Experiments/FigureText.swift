package import Experiments
internal import Foundation
internal import Quantities

/// Figures of experiments in the units that people read.
package enum FigureText {
  /// One value.
  package static func value(_ value: Double, _ unit: FigureCatalog.Unit) -> String {
    switch unit {
    case .ratio: percent(value)
    case .usdt: usdt(value)
    case .days: value >= 10_000 ? "over 27 years" : String(format: "%.0f days", value)
    case .seconds:
      abs(value) >= 1_000
        ? Int64(value.rounded()).grouped + " s" : String(format: "%.3g s", value)
    case .count:
      (value == value.rounded() || abs(value) >= 1_000) && abs(value) < 1e15
        ? Int64(value.rounded()).grouped : String(format: "%.1f", value)
    }
  }

  /// A half-width: with more digits than a value where it is small.
  static func spread(_ width: Double, _ unit: FigureCatalog.Unit) -> String {
    switch unit {
    case .ratio where width < 0.01: String(format: "%.2f %%", width * 100)
    case .usdt where width < 1: String(format: "%.4f", width)
    case .count where width < 10: String(format: "%.2f", width)
    case .days where width < 10: String(format: "%.1f days", width)
    default: value(width, unit)
    }
  }

  /// The heading of a figure, with the number of replications that have it where not all do.
  static func heading(_ figure: Projection.Figure, of count: Int) -> String {
    let has = figure.estimate.count
    return title(figure.name) + (has < count ? " (in \(has) of \(count))" : "")
  }

  /// Money with cents where there are only few USDT.
  package static func usdt(_ value: Double) -> String {
    guard abs(value) < 9e12 else { return String(format: "%.3g USDT", value) }
    if abs(value) >= 1_000 { return Int64(value.rounded()).grouped }
    return String(format: "%.2f", value)
  }

  /// A share with one decimal.
  package static func percent(_ share: Double) -> String {
    let percent = share * 100
    return abs(percent) >= 1_000 && abs(percent) < 1e15
      ? Int64(percent.rounded()).grouped + " %" : String(format: "%.1f %%", percent)
  }

  /// An event's share of replications with its interval.
  package static func chance(_ chance: Projection.Chance) -> String {
    guard chance.of > 0 else { return "– (no budget)" }
    return String(
      format: "%.0f %%  (%.0f to %.0f %%)", chance.share * 100, chance.low * 100,
      chance.high * 100)
  }

  /// An event's share of replications with its interval, for a column of a table.
  static func narrow(_ chance: Projection.Chance) -> String {
    guard chance.of > 0 else { return "–" }
    return String(
      format: "%.0f %% (%.0f to %.0f)", chance.share * 100, chance.low * 100, chance.high * 100)
  }

  /// The ends of an interval, a dash for one that is not known.
  static func ends(_ interval: EstimatedInterval, _ unit: FigureCatalog.Unit) -> String {
    func end(_ value: Double?) -> String { value.map { FigureText.value($0, unit) } ?? "–" }
    guard interval.low != nil || interval.high != nil else { return "–" }
    return "\(end(interval.low)) to \(end(interval.high))"
  }

  /// The heading of a figure; its own name for one that only somebody asked for.
  package static func title(_ name: String) -> String {
    titles[name] ?? (FigureCatalog.unit(of: name) == .usdt ? "\(name), USDT" : name)
  }

  /// The heading of a figure that stands alone, away from the figure that it is a part of.
  package static func name(_ name: String) -> String {
    let parts = "cost_per_scan."
    let heading = title(name).trimmingCharacters(in: .whitespaces)
    guard name.hasPrefix(parts), title(name).hasPrefix(" ") else { return heading }
    return "Payouts for each scan, \(heading.replacing("of it ", with: ""))"
  }

  private static let titles: [String: String] = [
    "budget.utilisation.year": "Utilisation of the whole run",
    "budget.utilisation.max": "Highest month's utilisation",
    "budget.utilisation.mean": "Mean month's utilisation",
    "budget.utilisation.p50": "Median month's utilisation",
    "budget.utilisation.p95": "95th percentile of months' utilisation",
    "members.total": "Members", "scans.error_rate": "Share of scans refused",
    "reconciliation.alerts": "Alerts of the reconciliation",
    "budget.spend.year": "Spend, USDT",
    "budget.months.critical": "Months closing Critical",
    "budget.months.warning": "Months closing Warning",
    "payouts.total": "Payouts of all types, USDT",
    "scans.accepted": "Accepted scans", "tins.sold": "Tins sold",
    "prizes.awarded": "Prizes awarded",
    "guarantee.cost_per_member": "Guarantee for each member, USDT",
    "cost_per_scan.total": "Payouts for each scan, USDT",
    "cost_per_scan.crypto": "  of it crypto comps", "cost_per_scan.casino": "  casino",
    "cost_per_scan.trip": "  trips", "cost_per_scan.scan_reward": "  scan rewards",
    "cost_per_scan.guarantee": "  guarantee", "cost_per_scan.match": "  affiliate match",
    "cost_per_scan.pool": "  affiliate pool", "cost_per_scan.wholesale": "  wholesale",
    "cost_per_scan.chips": "  gold chips",
    "liability.chips": "Liability of gold chips, USDT",
    "liability.trip_reserve": "Trip reserve, USDT",
    "liability.total": "Trips, chips and payouts owed, USDT",
    "liability.trips_accrued": "Trips accrued, USDT", "liability.trips_won": "Trips won, USDT",
    "liability.chips_issued": "Gold chips issued, USDT",
    "liability.chips_redeemed": "Gold chips redeemed, USDT",
    "liability.chips_expired": "Gold chips expired, USDT",
    "liability.payouts_pending": "Payouts under way, USDT",
    "reinvestment.standard": "Reinvestment, Standard", "reinvestment.vip": "Reinvestment, VIP",
    "reinvestment.high_roller": "Reinvestment, High Roller",
    "reinvestment.whale": "Reinvestment, Whale",
    "value.standard": "Value of a Standard member, USDT",
    "value.vip": "Value of a VIP member, USDT",
    "value.high_roller": "Value of a High Roller, USDT",
    "value.whale": "Value of a Whale, USDT",
    "value.retail": "Gross profit a member, retail, USDT",
    "value.shop": "Gross profit a member, shop, USDT",
    "runway.wallet_member": "Runway, member wallet",
    "runway.wallet_affiliate": "Runway, affiliate wallet",
    "runway.wallet_wholesale": "Runway, wholesale wallet",
    "runway.bank_operating": "Runway, Operating account",
    "runway.bank_reserve": "Runway, Reserve account",
    "runway.bank_comp_pool": "Runway, Comp Pool account",
  ]
}
