internal import Quantities
internal import RewardModel

extension BlakJaksReport {
  /// How many rules are named as eaters of the budget.
  private static let eatersMost = 5

  /// What came out and why, for people who read no further.
  var opening: ReportOpening {
    var blocks: [ReportBlock] = []
    if !record.months.isEmpty {
      blocks.append(
        .plot(
          spendPlot,
          caption: "Budget and spend by \(figures.recognition) of each month; spend has the "
            + "color of the month's status."))
    }
    blocks.append(.pair(eaters, treasury))
    return ReportOpening(
      verdict: figures.verdict, cards: openingCards,
      section: ReportSection(
        "summary", "Where the money goes and where it is", flows: true, blocks))
  }

  private var openingCards: [ReportCard] {
    let breaches = figures.breachMonths
    let worst = figures.worstMonth
    let left = figures.left
    return [
      ReportCard(
        "Members", record.members.grouped, note: "\(record.days.count.grouped) days"),
      ReportCard(
        "Accepted scans", record.acceptedScans.grouped,
        note: "of \(record.tinsSold.grouped) tins sold"),
      ReportCard("Gross profit", PageWords.wholeUSDT(figures.grossProfit), unit: "USDT"),
      ReportCard(
        "Budget", PageWords.wholeUSDT(figures.budget), unit: "USDT", note: "sum of the months"),
      ReportCard(
        "Spend, \(figures.recognition)", PageWords.wholeUSDT(figures.spend), unit: "USDT",
        note: PageWords.percent(figures.utilisation) + " of budget",
        tone: figures.tone(figures.utilisation)),
      ReportCard(
        left < .zero ? "Budget missing" : "Budget left",
        PageWords.wholeUSDT(left < .zero ? PageSums.difference(.zero, left) : left), unit: "USDT"),
      ReportCard(
        "Highest month", PageWords.percent(worst?.utilisationBasisPoints),
        note: worst?.month ?? "no budget", tone: figures.tone(worst?.utilisationBasisPoints)),
      ReportCard(
        "Months over budget", "\(figures.months(.critical))", unit: "of \(record.months.count)",
        note: breaches.isEmpty ? "none" : Self.few(breaches),
        tone: breaches.isEmpty ? .good : .bad),
    ]
  }

  /// The first few of some words.
  private static func few(_ words: [String]) -> String {
    words.count <= 3
      ? words.joined(separator: ", ")
      : words.prefix(2).joined(separator: ", ") + " and \(words.count - 2) more times"
  }

  /// Budget and spend by month.
  private var spendPlot: ReportPlot {
    let months = PlotPlaces.texts(record.months.indices.map { figures.label($0) })
    func bars(
      _ name: String, _ colour: PlotColour, _ amount: (BlakJaksRecord.MonthRow) -> MicroUSDT
    ) -> PlotSeries {
      PlotSeries(
        name, .bars, months,
        record.months.map { PageWords.usdt(Int128(amount($0).microunits)) }, colour)
    }
    var spend = bars("Spend", .main) { figures.spend($0) }
    spend.tones = record.months.map { $0.status?.tone ?? .soft }
    return ReportPlot(
      "summary", height: 230,
      .curves(
        PlotCurves(
          .categories, [PlotCurves.Panel.money("USDT", .usdt)],
          [bars("Budget", .faint) { $0.budget }, spend], hasLegend: false)))
  }

  /// The rules that take the budget, with the settings that govern them.
  private var eaters: [ReportBlock] {
    let heading = ReportBlock.heading("What uses up the budget")
    guard let first = figures.budgetEaters.first else {
      return [heading, .paragraph("Nothing was paid from the comp pool.", .soft)]
    }
    let largest = max(first.shareOfBudget ?? 1, 1)
    let table = ReportTable(
      "What was paid from the comp pool",
      [.text("Rule"), .number("USDT"), .number("Of the budget")],
      rows: figures.budgetEaters.prefix(Self.eatersMost).map { eater in
        [
          ReportCell(eater.name, note: settings(of: eater.type)), ReportCell(eater.total.cents),
          ReportCell(
            PageWords.percent(eater.shareOfBudget),
            bar: Double(eater.shareOfBudget ?? 0) * 100 / Double(largest)),
        ]
      })
    let rest = figures.budgetEaters.count - Self.eatersMost
    let more = ReportBlock.paragraph("and \(rest) more in the payout ledger", .soft)
    return [heading, .table(table)] + (rest > 0 ? [more] : [])
  }

  /// Where a payout type's rule is set; empty when the run's settings do not tell.
  private func settings(of type: PayoutType?) -> String {
    let place: String? =
      switch type {
      case .prize(let row): "rules.prizes[\(row)]"
      case .scanReward: "rules.scan_reward"
      case .guarantee: "rules.guarantee"
      case .match: "rules.affiliates"
      case .chipRedemption: "rules.chips"
      case .wholesale: "rules.wholesale"
      case .pool, nil: nil
      }
    guard let place, record.settings.contains(where: { $0.path.hasPrefix(place) }) else {
      return ""
    }
    return place
  }

  /// Balances, what is owed, and payouts under way at the run's end.
  private var treasury: [ReportBlock] {
    func row(
      _ label: String, _ unit: MeasureUnit, _ key: String, worth: String = ""
    ) -> [ReportCell] {
      let value = figures.value(key)
      var text = PageWords.value(value, unit)
      if case .number(let amount) = figures.value(worth) {
        text += " (\(PageWords.words(amount, .money, in: .usdt)))"
      }
      return [ReportCell(label), ReportCell(text, value.absence == nil ? .plain : .soft)]
    }
    let rows =
      BlakJaksComparison.balances.map { row($0.label, .money, $0.key) } + [
        row("Trip reserve", .money, "trip_reserve"),
        row("Chip liability", .money, "chips.liability"),
        row("Owed to members", .money, "payable.member"),
        row("Payouts pending", .count, "payouts.pending", worth: "payouts.pending_value"),
        row("Payouts failed", .count, "payouts.failed", worth: "payouts.failed_value"),
      ]
    return [
      .heading("Treasury and obligations in USDT"),
      .table(
        ReportTable(
          "Balances and obligations at the end", [.text("At the end"), .number("Value")],
          rows: rows)),
    ]
  }
}
