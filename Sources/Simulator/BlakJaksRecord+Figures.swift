internal import BlakJaks
internal import Quantities
package import RewardModel
package import Scenario

extension BlakJaksRecord {
  /// A headline figure by the name that thresholds use; nil for unknown names and for figures
  /// that this run does not have (a utilisation without a budget).
  ///
  /// Utilisations are recognised spend over budget. Percentiles are taken over the run's months,
  /// by the smallest month that at least that share of months does not exceed.
  package func figure(_ name: String) -> Double? {
    let utilisations = months.compactMap(\.utilisationBasisPoints).map { Double($0) / 10_000 }
      .sorted()
    func percentile(_ share: Double) -> Double? {
      guard !utilisations.isEmpty else { return nil }
      let rank = Int((share * Double(utilisations.count)).rounded(.up))
      return utilisations[max(rank, 1) - 1]
    }
    switch name {
    case "budget.utilisation.year":
      let budget = months.reduce(0.0) { $0 + Double($1.budget.microunits) }
      return budget > 0 ? spend / budget : nil
    case "budget.utilisation.max": return utilisations.last
    case "budget.utilisation.mean":
      return utilisations.isEmpty
        ? nil : utilisations.reduce(0, +) / Double(utilisations.count)
    case "budget.utilisation.p50": return percentile(0.5)
    case "budget.utilisation.p95": return percentile(0.95)
    case "budget.spend.year": return spend / 1e6
    case "budget.months.warning": return Double(months.count { $0.status == .warning })
    case "budget.months.critical": return Double(months.count { $0.status == .critical })
    case "members.total": return Double(members)
    case "scans.accepted": return Double(acceptedScans)
    case "tins.sold": return Double(tinsSold)
    case "payouts.total": return Double(payoutTotal.total.microunits) / 1e6
    case "prizes.awarded": return Double(awards.count)
    case "scans.error_rate": return errorRate
    case "reconciliation.alerts": return Double(reconciliations.count { !$0.balanced })
    default: return seriesFigure(name)
    }
  }

  /// Refused submissions over all; nil without any.
  private var errorRate: Double? {
    let submitted = outcomes.reduce(0) { $0 + $1.count }
    return submitted > 0 ? Double(submitted - acceptedScans) / Double(submitted) : nil
  }

  /// `series.KEY` is a daily series' value on the run's last day, `peak.KEY` its largest; nil for
  /// any other name, for a series that the run does not have, and where it has no value.
  ///
  /// - Returns: In USDT, seconds, a ratio or a count, by the series' unit.
  private func seriesFigure(_ name: String) -> Double? {
    for prefix in Expectation.prefixes where name.hasPrefix(prefix) {
      let key = name.dropFirst(prefix.count)
      guard let row = series.first(where: { $0.key == key }) else { return nil }
      let value = prefix == "peak." ? row.values.compactMap(\.self).max() : row.values.last ?? nil
      return value.map { Double($0) / row.unit.scale }
    }
    return nil
  }

  /// Recognised spend of the whole run in micro-units; for comparison with thresholds only.
  private var spend: Double {
    months.reduce(0.0) { sum, month in
      let spend = recognisesCash ? month.spendCash : month.spendAccrual
      return sum + Double(spend.microunits)
    }
  }

  private var recognisesCash: Bool {
    settings.contains {
      $0.path == "rules.comp_pool.recognition" && $0.value == TripRecognition.cash.rawValue
    }
  }
}

extension [Expectation] {
  /// The thresholds that a run missed, each with the figure reached; a figure that the run does not
  /// have misses every threshold.
  package func missed(by record: any ProgrammeRecord) -> [(
    expectation: Expectation, figure: Double?
  )] {
    compactMap { expectation in
      let figure = (record as? BlakJaksRecord)?.figure(expectation.figure)
      if let figure, expectation.comparison.holds(figure, expectation.bound) { return nil }
      return (expectation, figure)
    }
  }
}

extension BlakJaksRecord.Unit {
  /// Whole numbers of a series in one unit of a threshold.
  fileprivate var scale: Double {
    switch self {
    case .count, .flag: 1
    case .money, .micros: 1e6
    case .basisPoints: 1e4
    }
  }
}
