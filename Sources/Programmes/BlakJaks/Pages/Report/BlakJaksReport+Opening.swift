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
    let worst = figures.worstMonth.map { ($0, figures.share($0)) }
    let left = figures.left
    return costCards + [
      ReportCard(
        left < .zero ? "Budget missing" : "Budget left",
        PageWords.wholeUSDT(left < .zero ? PageSums.difference(.zero, left) : left), unit: "USDT",
        note: "of \(PageWords.wholeUSDT(figures.budget)), a part of "
          + "\(PageWords.wholeUSDT(figures.grossProfit)) gross profit"),
      ReportCard(
        "Highest month", worst?.1.words ?? "–",
        note: [worst?.0.month, worst?.1.basisPoints == nil ? "no budget" : nil]
          .compactMap(\.self).joined(separator: ", "), tone: worst?.1.tone ?? .soft),
      ReportCard(
        "Months over budget", "\(figures.months(.critical))", unit: "of \(record.months.count)",
        note: breaches.isEmpty ? "none" : Self.few(breaches),
        tone: breaches.isEmpty ? .good : .bad),
      ReportCard(
        "Members", record.members.grouped, note: "\(record.days.count.grouped) days"),
      ReportCard(
        "Accepted scans", record.acceptedScans.grouped,
        note: "of \(record.tinsSold.grouped) tins sold"),
    ]
  }

  /// The whole cost first, then who carries it.
  var costCards: [ReportCard] {
    let (cost, share) = (figures.cost, figures.share(of: figures.spend))
    let others = cost.carriers.filter { $0.account != .compPool }
    return [
      ReportCard(
        "Cost in all", PageWords.wholeUSDT(cost.total), unit: "USDT",
        note: cost.setAside == .zero
          ? "all of it awarded"
          : "\(PageWords.wholeUSDT(cost.awarded)) awarded, "
            + (cost.setAside > .zero ? "the rest for trips" : "a part of it set aside before")),
      ReportCard(
        "Carried by the comp pool", PageWords.wholeUSDT(cost[.compPool]), unit: "USDT",
        note: share.basisPoints == nil ? "no budget" : "\(share.words) of its budget",
        tone: share.tone),
      ReportCard(
        "Carried by others", PageWords.wholeUSDT(PageSums.sum(others.map(\.amount))),
        unit: "USDT",
        note: others.isEmpty ? "nobody" : others.map(\.account.label).joined(separator: ", ")),
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

  /// The rules that cost most, with the settings that govern them and who carries them.
  private var eaters: [ReportBlock] {
    let heading = ReportBlock.heading("What it costs, and who carries it")
    let cost = figures.cost
    guard !figures.eaters.isEmpty || cost.total != .zero else {
      return [heading, .paragraph("Nothing was awarded.", .soft)]
    }
    let largest = max(figures.eaters.first?.total.microunits ?? 1, 1)
    func row(
      _ name: String, _ amount: MicroUSDT, _ carrier: String, note: String = ""
    ) -> [ReportCell] {
      [
        ReportCell(name, note: note),
        ReportCell(amount.cents, bar: Double(amount.microunits) * 100 / Double(largest)),
        ReportCell(carrier),
      ]
    }
    var rows = figures.eaters.prefix(Self.eatersMost).map { eater in
      row(eater.name, eater.total, eater.carrier.label, note: settings(of: eater.type))
    }
    let rest = figures.eaters.dropFirst(Self.eatersMost)
    if !rest.isEmpty {
      rows.append(
        row(
          "\(rest.count) more \(rest.count == 1 ? "rule" : "rules")",
          PageSums.sum(rest.map(\.total)), "", note: "in the payout ledger"))
    }
    if cost.setAside != .zero {
      rows.append(
        row(
          cost.setAside > .zero ? "Trips, set aside" : "Trips, less what was set aside before",
          cost.setAside, figures.rules.compPool.charges.trip.label, note: setAsideNote))
    }
    let table = ReportTable(
      "What the program costs in USDT", [.text("Rule"), .number("USDT"), .text("Carried by")],
      rows: rows, total: ["Cost in all", ReportCell(cost.total.cents), ""])
    return [heading, .table(table)]
  }

  /// What the amount set aside for trips is made of: the reserve at either end of the days, where it
  /// did not begin with them.
  private var setAsideNote: String {
    let before = record.opening.tripReserve
    guard before != .zero else { return "accrued less awarded" }
    let after = PageSums.sum([before, figures.cost.setAside])
    return "reserve of \(before.cents) before the days shown, \(after.cents) at their end"
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
      row(label, unit, figures.value(key), worth: worth)
    }
    func sum(_ first: String, _ others: String...) -> PageValue {
      others.reduce(figures.value(first)) { value, key in
        guard case .number(let sum) = value, case .number(let more) = figures.value(key) else {
          return value.absence == nil ? value : figures.value(key)
        }
        return .number(PageSums.sum([sum, more].map(MicroUSDT.init(microunits:))).microunits)
      }
    }
    func row(
      _ label: String, _ unit: MeasureUnit, _ value: PageValue, worth: String = ""
    ) -> [ReportCell] {
      var text = PageWords.value(value, unit)
      if case .number(let amount) = figures.value(worth) {
        text += " (\(PageWords.words(amount, .money, in: .usdt)))"
      }
      return [ReportCell(label), ReportCell(text, value.absence == nil ? .plain : .soft)]
    }
    var rows =
      BlakJaksComparison.balances.map { row($0.label, .money, $0.key) } + [
        row("Trip reserve", .money, "trip_reserve"),
        row("Chip liability", .money, "chips.liability"),
        row(
          "Owed to members and partners", .money,
          sum("payable.member", "payable.affiliate", "payable.wholesale")),
        row("Weekly pool so far", .money, figures.atEnd?.weeklyPoolSoFar ?? .none),
        row("Payouts pending", .count, "payouts.pending", worth: "payouts.pending_value"),
      ]
    // The page has room for what there is.
    let shop = sum("payable.shop", "sales_tax")
    if case .number(1...) = shop {
      rows.append(row("Refunds, shipping and sales tax owed", .money, shop))
    }
    if figures.value("payouts.failed") != .number(0) {
      rows.append(row("Payouts failed", .count, "payouts.failed", worth: "payouts.failed_value"))
    }
    return [
      .heading("Treasury and obligations in USDT"),
      .table(
        ReportTable(
          "Balances and obligations at the end", [.text("At the end"), .number("Value")],
          rows: rows)),
    ]
  }
}
