internal import Quantities
internal import RewardModel

extension EmberaReport {
  private var monthPlaces: PlotPlaces { .texts(monthNames) }

  private var dayPlaces: PlotPlaces { .texts(record.days.map(\.date.description)) }

  private var dayAxis: PlotAxis { .days(record.days.map(\.date)) }

  private func months(
    _ name: String, _ shape: PlotSeries.Shape, _ colour: PlotColour,
    _ value: (EmberaRecord.Month) -> Double?
  ) -> PlotSeries {
    PlotSeries(name, shape, monthPlaces, record.months.map(value), colour)
  }

  /// The reward rate of each month against the bounds of its budget.
  func ratePlot(_ id: String, height: Int) -> ReportPlot {
    var rate = months("Reward rate", .bars, .main) { $0.rate.map { Double($0) / 100 } }
    rate.tones = record.months.map { $0.rate == nil ? .soft : $0.status.tone }
    let panel = PlotCurves.Panel(
      "Reward rate", .share, word: "of revenue", bounds: verdict.budget.plotBounds)
    return ReportPlot(
      id, height: height,
      .curves(PlotCurves(.categories, [panel], [rate], hasLegend: false)))
  }

  /// Revenue by month, and below it orders, by kind where that is known.
  var salesPlot: ReportPlot {
    let revenue = months("Revenue", .points, .main) {
      PageWords.usdt(Int128($0.revenue.microunits))
    }
    var orders =
      knowsKinds
      ? [
        months("Ordered by members", .bars, .second) { Double($0.orders - $0.deliveries) },
        months("Sent by subscription", .bars, .back) { Double($0.deliveries) },
      ] : [months("Orders", .bars, .second) { Double($0.orders) }]
    for place in orders.indices { orders[place].panel = 1 }
    return ReportPlot(
      "sales", height: 460,
      .curves(
        PlotCurves(
          .categories,
          [
            PlotCurves.Panel.money("Revenue, USD", .usd),
            PlotCurves.Panel("Orders", .count, isShort: true),
          ], [revenue] + orders)))
  }

  /// Points issued, redeemed where that is known, and outstanding by month.
  var pointsPlot: ReportPlot {
    var outstanding = months("Outstanding", .points, .reference) { Double($0.outstanding) }
    outstanding.weight = .strong
    return ReportPlot(
      "points", height: 360,
      .curves(
        PlotCurves(
          .categories, [PlotCurves.Panel("Points", .count, isShort: true)],
          [months("Issued", .bars, .main) { Double($0.issued) }]
            + (record.knowsRedemptions
              ? [months("Redeemed", .bars, .second) { Double($0.redeemed) }] : [])
            + [outstanding])))
  }

  /// What is owed for points, both ways, by month.
  var liabilityPlot: ReportPlot {
    ReportPlot(
      "liability", height: 340,
      .curves(
        PlotCurves(
          .categories, [PlotCurves.Panel.money("USD", .usd)],
          [
            months("Contract liability (IFRS 15)", .points, .main) {
              PageWords.usdt(Int128($0.valuation.contractLiability.microunits))
            },
            months("Owed at cost", .points, .second) {
              PageWords.usdt(Int128($0.valuation.net.microunits))
            },
          ])))
  }

  /// Orders under way by status at each day's end.
  var statusPlot: ReportPlot {
    let parts = EmberaOrderStatus.allCases.compactMap { status -> PlotSeries? in
      status.underWay.map { count in
        PlotSeries(
          status.label, .area, dayPlaces, record.days.map { Double($0[keyPath: count]) },
          .level(status.rawValue))
      }
    }
    return ReportPlot(
      "statuses", height: 360,
      .curves(
        PlotCurves(
          dayAxis, [PlotCurves.Panel("Orders", .count)], parts, form: .stacked)))
  }

  /// What waits on devices at each day's end.
  var waitingPlot: ReportPlot {
    ReportPlot(
      "sync", height: 280,
      .curves(
        PlotCurves(
          dayAxis, [PlotCurves.Panel("Waiting", .count)],
          [
            PlotSeries(
              "Waiting on devices", .line, dayPlaces, record.days.map { Double($0.waiting) },
              .main)
          ])))
  }
}
