internal import Quantities
package import RewardModel

extension EmberaProgramme {
  /// Every figure of a run, what rewards cost first: thresholds are mostly about it.
  package static let figures = FigureCatalog(
    EmberaFigures.rewards + EmberaFigures.sales + EmberaFigures.points
      + EmberaFigures.liabilities + EmberaFigures.members + EmberaFigures.checkouts
      + EmberaFigures.sync,
    series: EmberaSeries.catalog, currency: .usd,
    choices: FigureChoices(
      cost: "reward.cost", members: "members.total", utilisation: "reward.utilisation",
      spend: "reward.cost", generosity: "points.issued",
      projection: EmberaFigures.shown,
      sweep: ["reward.rate", "reward.cost", "points.issued", "liability.net"],
      keys: (events: "redemptions", kind: "offer", heat: "orders_by_weekday_and_hour"),
      events: FigureChoices.Section("Offers", "Mean number of redemptions of each offer by month."),
      heat: FigureChoices.Section(
        "When members order",
        "Orders placed on devices in the whole run, by weekday and local hour."),
      owed: EmberaFigures.owed))
}

/// The figures of an EMBERA run, each declared once.
enum EmberaFigures {
  typealias Entry = Figure<EmberaRecord>

  /// What a replay does not know, after "a replay does not know".
  enum Unknown {
    static let cost = "what rewards cost"
    static let redemptions = "which points were redeemed"
    static let discounts = "what orders would have cost without a discount"
    static let subscriptions = "who has a subscription"
    static let payments = "which payments failed"
    static let devices = "what happened on members' devices"
    static let tiersByDay = "when members reached their tier"
    static let statusByDay = "the status of orders day by day"
  }

  private static func figure(
    _ id: String, _ title: String, _ meaning: String, _ unit: MeasureUnit,
    range: ClosedRange<Double>? = nil, isUtilisation: Bool = false,
    _ value: @escaping @Sendable (EmberaRecord) -> Double?
  ) -> Entry {
    Figure(
      FigureDescription(id, title, meaning, unit, range: range, isUtilisation: isUtilisation),
      value: value)
  }

  private static func count(
    _ id: String, _ title: String, _ meaning: String,
    _ value: @escaping @Sendable (EmberaRecord) -> Int64
  ) -> Entry {
    figure(id, title, meaning, .count, range: 0 ... .infinity) { Double(value($0)) }
  }

  /// A figure that rests on something which a history of orders does not hold.
  private static func simulated(_ unknown: String, _ entry: Entry) -> Entry {
    var description = entry.description
    description.unknownInReplay = unknown
    return Entry(description, value: entry.value)
  }

  /// What offers cost, and how near that is to the budget.
  static let rewards: [Entry] = [
    figure(
      "reward.rate", "Reward rate", "Cost of redeemed offers over revenue.", .share
    ) { $0.rewardRate },
    figure(
      "reward.utilisation", "Use of the reward budget", "Reward rate over the most it should be.",
      .share, isUtilisation: true
    ) { record in
      let limit = record.budgetRules.limit.rawValue
      guard limit > 0 else { return nil }
      return record.rewardRate.map { $0 * 10_000 / Double(limit) }
    },
    figure(
      "reward.cost", "Reward cost, USD", "What redeemed offers cost the roastery.", .money
    ) { $0.total.rewardCost.usdt },
    count("reward.months.warning", "Months closing Warning", "Months that close Warning.") {
      Int64($0.months.count { $0.status == .warning })
    },
    count("reward.months.critical", "Months closing Critical", "Months that close Critical.") {
      Int64($0.months.count { $0.status == .critical })
    },
  ].map { simulated(Unknown.cost, $0) }

  /// What members bought.
  static let sales: [Entry] = [
    count("orders.total", "Orders", "Orders that the server received, deliveries among them.") {
      $0.total.sums.orders
    },
    figure("revenue.total", "Revenue, USD", "Goods sold, after discounts.", .money) {
      MicroUSDT(microunits: $0.total.sums.revenue).usdt
    },
    simulated(
      Unknown.discounts,
      figure("discounts.total", "Discounts, USD", "Taken off list prices.", .money) {
        MicroUSDT(microunits: $0.total.sums.discount).usdt
      }),
    figure("gross_profit.total", "Gross profit, USD", "Revenue less the cost of goods.", .money) {
      $0.grossProfit.usdt
    },
  ]

  static let points: [Entry] = [
    count("points.issued", "Points issued", "Points given for orders.") { $0.total.sums.issued },
    simulated(
      Unknown.redemptions,
      count("points.redeemed", "Points redeemed", "Points paid for offers.") {
        $0.total.sums.redeemed
      }),
    count("points.expired", "Points expired", "Points that nobody redeemed in time.") {
      $0.total.sums.expired
    },
    count("points.outstanding", "Points outstanding", "Points that members hold at the end.") {
      $0.outstanding
    },
    simulated(
      Unknown.redemptions,
      figure(
        "points.redemption_rate", "Redemption rate", "Points redeemed over points issued.", .share,
        range: 0...1
      ) { $0.redemptionRate }),
    figure(
      "points.breakage", "Breakage", "Share of points expected never to be redeemed.", .share,
      range: 0...1
    ) { $0.breakage },
  ]

  /// What points still owe, at cost and by the price of orders, as the last month's end saw it.
  static let liabilities: [Entry] = [
    figure(
      "liability.gross", "Points outstanding at cost, USD",
      "Points outstanding at the expected cost of a point.", .money
    ) { $0.valuation?.gross.usdt },
    figure(
      "liability.breakage", "Expected breakage, USD",
      "The part of the points' cost that is expected never to be claimed.", .money
    ) { $0.valuation?.breakage.usdt },
    figure(
      "liability.net", "Liability at cost, USD", "Points outstanding at cost, less breakage.",
      .money
    ) { $0.valuation?.net.usdt },
    figure(
      "liability.contract", "Contract liability, USD",
      "Price of orders allotted to points and not recognized yet (IFRS 15).", .money
    ) { $0.valuation?.contractLiability.usdt },
  ]

  static let members: [Entry] =
    [
      count("members.total", "Members", "Members signed up.") { $0.total.members },
      simulated(
        Unknown.subscriptions,
        figure(
          "members.subscription_share", "Share of subscribers",
          "Members whose subscription runs, over all members.", .share, range: 0...1
        ) { $0.subscriptionShare }),
    ]
    + EmberaTier.allCases.map { tier in
      count(
        "tier.\(tier.key)", "Members in \(tier.label)", "Members in \(tier.label) at the end."
      ) { $0.tiers.first { $0.tier == tier }?.members ?? 0 }
    }
    + EmberaTier.allCases.dropFirst().map { tier in
      simulated(
        Unknown.tiersByDay,
        figure(
          "tier.\(tier.key).time", "Time to \(tier.label)",
          "Mean time from signing up to \(tier.label), of those who reached it.", .duration
        ) { $0.tiers.first { $0.tier == tier }?.meanTimeToReach?.inSeconds })
    }

  /// Checkouts by what came of the payment.
  static let checkouts: [Entry] = PaymentOutcome.allCases.map { outcome in
    simulated(
      Unknown.payments,
      count(
        "checkout.\(outcome.key)", outcome.title, "\(outcome.title), with a network or without."
      ) { record in
        record.checkouts.filter { $0.outcome == outcome }.reduce(0) { $0 + $1.online + $1.offline }
      })
  }

  /// How devices and server met.
  static let sync: [Entry] = [
    count("sync.offline_orders", "Orders placed offline", "Orders placed without a network.") {
      $0.sync.offlineOrders
    },
    figure("sync.lag_mean", "Mean wait of an offline order", longWait, .duration) {
      $0.sync.meanLag?.inSeconds
    },
    figure(
      "sync.lag_p95", "95th percentile of that wait",
      "The wait for the server that 95 % did not exceed, of orders placed without a network that "
        + "had reached it by the run's end.",
      .duration
    ) {
      $0.sync.lagP95?.inSeconds
    },
    count(
      "sync.conflicts", "Conflicts at sync",
      "Redemptions made without a network that the server refused."
    ) { $0.sync.conflicts },
  ].map { simulated(Unknown.devices, $0) }

  private static let longWait =
    "How long orders placed without a network waited for the server, of those that had reached it by the "
    + "run's end."

  /// The figures that a projection shows, in this order; the rest is in its files.
  static let shown =
    (rewards + sales + points + liabilities + members + sync).map(\.description.id)

  /// How what is owed at cost at a run's end comes about.
  static let owed: (section: FigureChoices.Section, steps: [FigureChoices.Step]) = (
    FigureChoices.Section(
      "What the run leaves owing",
      "Means over replications: what the points outstanding would cost, less the part that is "
        + "expected never to be claimed; the last bar is what is owed at the end."),
    [
      FigureChoices.Step("Points outstanding at cost", "liability.gross"),
      FigureChoices.Step("Expected breakage", "liability.breakage", isTaken: true),
    ]
  )
}

extension EmberaRecord {
  /// The budget for rewards, as the run's settings say it.
  var budgetRules: RewardBudget { EmberaSettings(recorded: header.settings).rules.budget }
}

extension PaymentOutcome {
  /// Checkouts that ended so, as people read it.
  fileprivate var title: String {
    switch self {
    case .success: "Checkouts paid"
    case .cancelled: "Checkouts canceled"
    case .noCard: "Checkouts without a card"
    case .unavailable: "Checkouts while paying was not available"
    }
  }
}
