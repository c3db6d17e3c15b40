internal import Quantities
internal import RewardModel

extension BlakJaksReport {
  /// Cumulative spend against budget by month, and the utilization of each month below.
  var budgetPlot: ReportPlot {
    let months = record.months
    let places = PlotPlaces.texts(months.indices.map { figures.label($0) })
    let budget = PlotSeries(
      "Budget", .area, places, PageSums.cumulated(months.map(\.budget)), .reference)
    var accrual = PlotSeries(
      "Spend, accrual", .points, places, PageSums.cumulated(months.map(\.spendAccrual)), .main)
    accrual.weight = .strong
    accrual.tones = months.map { $0.status?.tone ?? .soft }
    var cash = PlotSeries(
      "Spend, cash", .points, places, PageSums.cumulated(months.map(\.spendCash)), .second)
    cash.dash = .dotted
    // One series a status, so that the legend names the colors.
    let utilisation = BudgetStatus.allCases.compactMap { status -> PlotSeries? in
      let rows = months.indices.filter { months[$0].status == status }
      guard !rows.isEmpty else { return nil }
      var bars = PlotSeries(
        status.rawValue, .bars, .texts(rows.map { figures.label($0) }),
        rows.map { Double(months[$0].utilisationBasisPoints ?? 0) / 100 }, .tone(status.tone))
      bars.panel = 1
      return bars
    }
    return ReportPlot(
      "budget", height: 560,
      .curves(
        PlotCurves(
          .categories,
          [
            PlotCurves.Panel.money("USDT since the start", .usdt),
            PlotCurves.Panel("Utilized", .share, word: "utilized", bounds: figures.bounds),
          ], [budget, accrual, cash] + utilisation)))
  }

  /// The projected end-of-month utilization at each day's end, and what to say of the plot; nil where
  /// no day has one.
  var projectionPlot: (plot: ReportPlot, caption: String)? {
    let shares = record.days.indices.map { record.projected($0) }
    let days = zip(record.days, shares).filter { $1 != nil }.map(\.0)
    guard !days.isEmpty else { return nil }
    let values = shares.compactMap(\.self).map { Double($0) / 100 }
    // The first days of a program project from very little; they would flatten the rest.
    let highest = values.sorted()[values.count * 98 / 100]
    let critical = Double(figures.rules.health.critical.rawValue) / 100
    let top = (max(critical, highest) * 1.1).rounded(.up)
    var line = PlotSeries(
      "Projected", .points, .texts(days.map(\.date.description)), values, .faint)
    line.weight = .hair
    line.tones = days.map { $0.status?.tone ?? .soft }
    let panel = PlotCurves.Panel(
      "Projected at month's end", .share, bounds: figures.bounds, top: top)
    var caption = "How the month was expected to end, as seen at the end of each day."
    if values.contains(where: { $0 > top }) {
      caption += " Values above \(PageWords.percent(Int64(top * 100), decimals: 0)) are cut off."
    }
    return (
      ReportPlot("projection", height: 280, .curves(PlotCurves(span, [panel], [line]))), caption
    )
  }

  /// Accepted scans a day, and the mean of the last seven days.
  var scansPlot: ReportPlot {
    let places = PlotPlaces.texts(record.days.map(\.date.description))
    let counts = record.days.map { Double($0.acceptedScans) }
    var mean = PlotSeries("Mean of 7 days", .line, places, weeklyMeans(record.days), .main)
    mean.weight = .strong
    return ReportPlot(
      "scans", height: 380,
      .curves(
        PlotCurves(
          span, [PlotCurves.Panel("Accepted scans", .count)],
          [PlotSeries("Scans that day", .bars, places, counts, .back), mean])))
  }

  /// Members by tier at each day's end, stacked, as counts or shares.
  var tiersPlot: ReportPlot {
    let dates = PlotPlaces.texts(record.days.map(\.date.description))
    let parts = Tier.allCases.enumerated().map { step, tier in
      PlotSeries(
        tier.name, .area, dates, record.days.map { Double($0.tiers[tier]) }, .level(step))
    }
    let panel = PlotCurves.Panel("Members", .count)
    return ReportPlot(
      "tiers", height: 420, .curves(PlotCurves(span, [panel], parts, form: .stacked)))
  }

  /// Awards in time, a lane a prize. Those of one prize on one day are one mark.
  func milestonesPlot(_ days: AwardDays) -> ReportPlot {
    ReportPlot(
      "milestones",
      .lanes(
        PlotLanes(
          span,
          record.prizes.map { row in
            (
              row.prize.name,
              days.marks(of: row.prize.name).map {
                PlotLanes.Mark(date: $0.date, count: $0.count, words: $0.words)
              }
            )
          })))
  }

  /// The axis of the run's days, with room at its ends.
  private var span: PlotAxis { PlotAxis.days(record.days.map(\.date)) }
}

/// Accepted scans a day, as the mean of the seven days that end with it, to a tenth.
func weeklyMeans(_ days: [BlakJaksRecord.DayRow]) -> [Double] {
  var sum: Int64 = 0
  return days.indices.map { row in
    sum += days[row].acceptedScans
    if row >= 7 { sum -= days[row - 7].acceptedScans }
    return (Double(sum) / Double(min(row + 1, 7)) * 10).rounded() / 10
  }
}
