internal import Quantities
internal import RewardModel

/// The report of one run, each section from the rows of its record.
struct EmberaReport {
  let record: EmberaRecord
  let verdict: EmberaVerdict
  private let partialMonths: PartialMonths

  init(_ record: EmberaRecord) {
    self.record = record
    verdict = EmberaVerdict(record)
    partialMonths = PartialMonths(record.header, count: record.months.count)
  }

  /// The months as people read them, with a star where one was run in part.
  var monthNames: [String] {
    record.months.enumerated().map { PageWords.monthName($1.month) + partialMonths.star($0) }
  }

  /// What a run's speed is counted in.
  static func pace(of record: EmberaRecord) -> ReportPace {
    ReportPace("orders", record.total.sums.orders)
  }

  /// - Complexity: O(rows of the record).
  var report: RunReport {
    RunReport(
      lead: [verdict.verdict.text, verdict.lead].filter { !$0.isEmpty }.joined(separator: " "),
      size: Self.size(of: record), cards: cards, opening: opening,
      sections: [rewards, sales, points, liability, orders, sync].compactMap { $0 },
      pages: (try? EmberaAsOf(record)).map { asOf in
        EmberaPage.allCases.map { asOf.page($0) }
      } ?? [],
      pace: Self.pace(of: record))
  }

  /// Whether it is known how orders came about, and what they were discounted, shipped and taxed at: a
  /// history tells what was paid.
  var knowsKinds: Bool { record.source != .history }

  private var cards: [ReportCard] {
    let sums = record.total.sums
    let valuation = record.valuation
    return [
      ReportCard("Members", record.total.members.grouped),
      ReportCard(
        "Orders", sums.orders.grouped,
        note: knowsKinds ? "\(sums.deliveries.grouped) by subscription" : ""),
      ReportCard("Revenue", PageWords.wholeUSDT(verdict.revenue), unit: "USD"),
      ReportCard("Gross profit", PageWords.wholeUSDT(record.grossProfit), unit: "USD"),
      ReportCard(
        "Reward cost", verdict.cost(PageWords.wholeUSDT), unit: "USD",
        note: verdict.rateWords.map { $0 + " of revenue" }
          ?? (record.knowsRedemptions ? "no revenue" : "not known"),
        tone: verdict.tone),
      ReportCard(
        "Points outstanding", record.outstanding.grouped,
        note: record.knowsRedemptions
          ? "\(sums.redeemed.grouped) of \(sums.issued.grouped) redeemed"
          : "\(sums.issued.grouped) issued"),
      ReportCard(
        "Owed for points", valuation.map { PageWords.wholeUSDT($0.net) } ?? "–", unit: "USD",
        note: "at cost, less breakage"),
      ReportCard(
        "Contract liability",
        valuation.map { PageWords.wholeUSDT($0.contractLiability) } ?? "–", unit: "USD",
        note: "IFRS 15"),
    ]
  }

  private var opening: ReportOpening {
    var blocks: [ReportBlock] = []
    if !record.months.isEmpty, record.knowsRedemptions {
      blocks.append(
        .plot(
          ratePlot("summary", height: 230),
          caption: "Reward rate of each month. The dashed lines are the bounds of Warning and "
            + "Critical."))
    }
    blocks += record.knowsRedemptions ? [.pair(offerBlocks, tierBlocks)] : tierBlocks
    let title =
      record.knowsRedemptions ? "What rewards cost, and who earns them" : "Who earns points"
    return ReportOpening(
      verdict: verdict.verdict, cards: cards,
      section: ReportSection("summary", title, flows: true, blocks))
  }

  private var offerBlocks: [ReportBlock] {
    let rows = record.offers.map { row -> [ReportCell] in
      let share = PageSums.share(row.cost.microunits, of: record.total.rewardCost.microunits)
      return [
        ReportCell(row.title), ReportCell(row.redemptions.grouped), ReportCell(row.cost.cents),
        ReportCell(
          PageWords.percent(row.cost.microunits, of: record.total.rewardCost.microunits),
          bar: share.map { Double($0) / 100 }),
      ]
    }
    return [
      .heading("Offers redeemed"),
      .table(
        ReportTable(
          "Redemptions and their cost in USD",
          [.text("Offer"), .number("Redemptions"), .number("Cost, USD"), .number("Of the cost")],
          rows: rows)),
    ]
  }

  private var tierBlocks: [ReportBlock] {
    [.heading("Members by tier"), .table(Self.tierTable(record))]
  }

  /// How large a run was.
  static func size(of record: EmberaRecord) -> String {
    PageWords.counted(record.total.members, "member", "members")
  }

  /// Members by tier at the run's end.
  static func tierTable(_ record: EmberaRecord) -> ReportTable {
    ReportTable(
      "Members by tier at the end",
      [
        .text("Tier at the end"), .number("Members"), .number("Share"),
        .number("Mean time to reach"),
      ],
      rows: zip(
        record.tiers, PageSums.shares(of: record.tiers.map(\.members), grain: 10)
      ).map { row, share in
        [
          ReportCell(row.tier.label), ReportCell(row.members.grouped),
          ReportCell(PageWords.percent(share)),
          ReportCell(PageWords.value(row.timeToReach, .duration)),
        ]
      })
  }

  /// What rewards cost by month; nil where that is not known.
  private var rewards: ReportSection? {
    guard !record.months.isEmpty else {
      return ReportSection("rewards", "Reward rate", [.paragraph("No day was run.", .soft)])
    }
    guard record.knowsRedemptions else { return nil }
    let sums = record.total.sums
    let table = ReportTable(
      "Revenue and reward cost by month in USD",
      [
        .text("Month"), .number("Orders"), .number("Revenue"), .number("Gross profit"),
        .number("Reward cost"), .number("Reward rate"), .text("Status"),
      ],
      rows: zip(monthNames, record.months).map { name, month in
        [
          ReportCell(name), ReportCell(month.orders.grouped),
          ReportCell(month.revenue.cents), ReportCell(month.grossProfit.cents),
          ReportCell(month.rewardCost.cents),
          ReportCell(verdict.words(month)), verdict.status(month),
        ]
      },
      total: [
        "Whole run", ReportCell(sums.orders.grouped), ReportCell(verdict.revenue.cents),
        ReportCell(record.grossProfit.cents), ReportCell(record.total.rewardCost.cents),
        ReportCell(verdict.rateWords ?? "–"),
        verdict.rateWords == nil ? "–" : ReportCell(record.total.status.label, verdict.tone),
      ])
    return ReportSection(
      "rewards", "Reward rate",
      [
        .plot(
          ratePlot("reward-rate", height: 340),
          caption:
            "Reward cost as a share of revenue, by month. The dashed lines are the bounds of "
            + "Warning and Critical."
            + (partialMonths.isAny ? " A star marks a month that was run in part." : ""),
          details: [.details("The months as a table", printed: true, [.table(table)])])
      ])
  }

  private var sales: ReportSection? {
    guard !record.months.isEmpty else { return nil }
    let all: [(heading: String, isOfHistories: Bool, value: (EmberaRecord.Month) -> String)] = [
      ("Orders", true, { $0.orders.grouped }),
      ("By subscription", false, { $0.deliveries.grouped }),
      ("Revenue", true, { $0.revenue.cents }),
      ("Discounts", false, { $0.discounts.cents }), ("Shipping", false, { $0.shipping.cents }),
      ("Sales tax", false, { $0.tax.cents }), ("Cost of goods", true, { $0.costOfGoods.cents }),
    ]
    let columns = all.filter { $0.isOfHistories || knowsKinds }
    let table = ReportTable(
      "Orders and money by month in USD",
      [.text("Month")] + columns.map { .number($0.heading) },
      rows: zip(monthNames, record.months).map { name, month in
        [ReportCell(name)] + columns.map { ReportCell($0.value(month)) }
      })
    return ReportSection(
      "sales", "Orders and revenue", flows: true,
      [
        .plot(
          salesPlot,
          caption: knowsKinds
            ? "Revenue after discounts, and orders by kind, by month."
            : "Revenue and orders by month.",
          details: [.details("The months as a table", [.table(table)])])
      ])
  }
}
