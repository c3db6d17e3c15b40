internal import Quantities
package import RewardModel

extension BlakJaksProgramme {
  /// Headlines first: thresholds are mostly about them. Derived ones follow.
  package static let figures = FigureCatalog(
    BlakJaksFigures.budget + BlakJaksFigures.headlines + BlakJaksFigures.wholeCost
      + BlakJaksFigures.costs
      + BlakJaksFigures.liabilities + BlakJaksFigures.trips + BlakJaksFigures.shortfalls
      + BlakJaksFigures.runways
      + BlakJaksFigures.tiers + BlakJaksFigures.channels,
    series: BlakJaksSeries.catalog, currency: .usdt,
    choices: FigureChoices(
      cost: "cost.total", members: "members.total", utilisation: "budget.utilisation.year",
      spend: "budget.spend.year", isSpendAccrued: true,
      generosity: "payouts.total", projection: BlakJaksFigures.shown,
      sweep: [
        "budget.utilisation.year", "budget.utilisation.max", "budget.months.critical",
        "budget.spend.year",
      ],
      keys: (events: "awards", kind: "prize", heat: "scans_by_weekday_and_hour"),
      controls: ["purchases", "tins"],
      events: FigureChoices.Section("Prizes", "Mean number of each prize awarded by month."),
      heat: FigureChoices.Section(
        "When members scan",
        "Accepted scans of the whole run by weekday and local hour, mean of replications."),
      owed: BlakJaksFigures.owed))
}

/// The figures of a BlakJaks run, each declared once.
enum BlakJaksFigures {
  typealias Entry = Figure<BlakJaksRecord>

  /// A figure of the program.
  static func figure(
    _ id: String, _ title: String, _ meaning: String, _ unit: MeasureUnit, setting: String? = nil,
    range: ClosedRange<Double>? = nil, partTitle: String? = nil, absence: String? = nil,
    isUtilisation: Bool = false, unknownInReplay: String? = nil,
    _ value: @escaping @Sendable (BlakJaksRecord) -> Double?
  ) -> Entry {
    Figure(
      FigureDescription(
        id, title, meaning, unit, setting: setting, range: range, partTitle: partTitle,
        absence: absence, isUtilisation: isUtilisation, unknownInReplay: unknownInReplay),
      value: value)
  }

  private static let counted: ClosedRange<Double> = 0 ... .infinity

  /// Recognized spend against the budget. Percentiles are taken over the run's months, by the
  /// smallest month that at least that share of months does not exceed. A month that spent without a
  /// budget exceeds all others, and where a figure rests on one it has no value.
  static let budget: [Entry] = [
    figure(
      "budget.utilisation.year", "Utilization of the whole run",
      "Recognized spend over the budget of the whole run.", .share,
      isUtilisation: true
    ) { record in
      let budget = record.months.reduce(0.0) { $0 + Double($1.budget.microunits) }
      return budget > 0 ? record.spend / budget : nil
    },
    figure(
      "budget.utilisation.max", "Highest month's utilization",
      "Recognized spend over budget of the month in which it is highest.", .share,
      isUtilisation: true
    ) { $0.utilisation(percentile: 1) },
    figure(
      "budget.utilisation.mean", "Mean month's utilization",
      "Mean over months of recognized spend over budget.", .share,
      isUtilisation: true
    ) { record in
      let all = record.utilisations
      let sum = all.reduce(0, +)
      return all.isEmpty || sum.isInfinite ? nil : sum / Double(all.count)
    },
    figure(
      "budget.utilisation.p50", "Median month's utilization",
      "Median over months of recognized spend over budget; of an even number of months the lower of the "
        + "two in the middle.", .share,
      isUtilisation: true
    ) { $0.utilisation(percentile: 0.5) },
    figure(
      "budget.utilisation.p95", "95th percentile of months' utilization",
      "95th percentile over months of recognized spend over budget; of fewer than 20 months the highest.",
      .share,
      isUtilisation: true
    ) { $0.utilisation(percentile: 0.95) },
    figure(
      "budget.spend.year", "Spend, USDT", "Recognized spend of the whole run.", .money
    ) { $0.spend / 1e6 },
    figure(
      "budget.months.warning", "Months closing Warning", "Months that close Warning.", .count,
      range: counted
    ) { Double($0.months.count { $0.status == .warning }) },
    figure(
      "budget.months.critical", "Months closing Critical", "Months that close Critical.", .count,
      range: counted
    ) { Double($0.months.count { $0.status == .critical }) },
  ]

  /// What a run is known by.
  static let headlines: [Entry] = [
    figure("members.total", "Members", "Members signed up.", .count, range: counted) {
      Double($0.members)
    },
    figure("scans.accepted", "Accepted scans", "Accepted scans.", .count, range: counted) {
      Double($0.acceptedScans)
    },
    figure(
      "tins.sold", "Tins sold", "Tins sold in retail, shop and wholesale.", .count, range: counted
    ) {
      Double($0.tinsSold)
    },
    figure(
      "payouts.total", "Payouts of all types, USDT", "Everything promised to members and partners.",
      .money
    ) { Double($0.payoutTotal.total.microunits) / 1e6 },
    figure(
      "prizes.awarded", "Prizes awarded", "Milestone prizes awarded.", .count, range: counted
    ) { Double($0.awards.count) },
    figure(
      "scans.error_rate", "Share of scans refused", "Refused submissions over all submissions.",
      .share, range: 0...1
    ) { record in
      let submitted = record.outcomes.reduce(0) { $0 + $1.count }
      return submitted > 0 ? Double(submitted - record.acceptedScans) / Double(submitted) : nil
    },
    figure(
      "reconciliation.alerts", "Alerts of the reconciliation",
      "Reconciliations of a wallet in which ledger and chain differed by more than is tolerated.",
      .count, range: counted
    ) { Double($0.reconciliations.count { !$0.balanced }) },
  ]

  /// What a run costs in all, and who carries it.
  static let wholeCost: [Entry] =
    [
      figure(
        "cost.total", "Cost in all, USDT",
        "Everything awarded and, where trips count as they accrue, what is set aside for those not yet "
          + "won, whoever carries it.",
        .money
      ) { ProgrammeCost($0).total.usdt }
    ]
    + ChargeAccount.allCases.map { account in
      figure(
        "cost.\(account.rawValue)", "Cost carried by the \(account.label), USDT",
        "What of the cost in all is charged to the \(account.label).", .money
      ) { ProgrammeCost($0)[account].usdt }
    }

  /// The figures that a projection shows, in this order; the rest is in its files.
  static let shown =
    [
      "cost.total", "budget.spend.year", "budget.utilisation.year", "budget.utilisation.max",
      "budget.months.critical", "payouts.total", "scans.accepted", "tins.sold",
    ] + costs.dropFirst().map(\.description.id) + ["guarantee.cost_per_member"]
    + Tier.allCases.map { "reinvestment.\($0.key)" } + Tier.allCases.map { "value.\($0.key)" }
    + [
      "value.retail", "value.shop", "liability.total", "liability.chips", "liability.trip_reserve",
      "trips.first_day",
    ]
    + [
      Treasury.operatingBank, .compPoolBank, .reserveBank, .memberWallet, .affiliateWallet,
      .wholesaleWallet,
    ].map { "runway.\($0.key)" }
}

extension BlakJaksRecord {
  /// A figure by its id; see `BlakJaksProgramme.figures`.
  package func figure(_ id: String) -> Double? { BlakJaksProgramme.figures.value(id, self) }

  /// Recognized spend of the whole run in micro-units; for comparison with thresholds only.
  fileprivate var spend: Double {
    months.reduce(0.0) { $0 + Double(recognised($1).microunits) }
  }

  /// Whether trips count when they are won; else they count as they accrue.
  package var recognisesCash: Bool { rulesInForce.compPool.recognition == .cash }

  /// A month's spend as the rules recognize it.
  func recognised(_ month: MonthRow) -> MicroUSDT {
    recognisesCash ? month.spendCash : month.spendAccrual
  }

  /// Spend over budget of the months that have either, ascending; infinite for those that spent
  /// without a budget.
  fileprivate var utilisations: [Double] {
    months.compactMap { month in
      if let used = month.utilisationBasisPoints { return Double(used) / 10_000 }
      return month.status == .critical ? .infinity : nil
    }.sorted()
  }

  fileprivate func utilisation(percentile share: Double) -> Double? {
    let all = utilisations
    guard !all.isEmpty else { return nil }
    let rank = Int((share * Double(all.count)).rounded(.up))
    let used = all[max(rank, 1) - 1]
    return used.isFinite ? used : nil
  }
}
