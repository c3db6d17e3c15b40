internal import Quantities
internal import RewardModel

extension BlakJaksComparison {
  /// The first run is drawn under the others and shows at their edges where they are alike; runs
  /// beyond the palette repeat its colors with another line.
  private func styled(_ series: PlotSeries, _ run: Int) -> PlotSeries {
    var series = series
    series.weight = run == 0 ? .broad : .plain
    series.dash = run < 6 ? .solid : .dashDotted
    return series
  }

  private func places(_ run: Int) -> PlotPlaces {
    .texts(Array(times.months.prefix(runs[run].record.months.count)))
  }

  /// Spend since the start against the budget, dotted in the same color.
  var spendPlot: ReportPlot {
    let series = runs.indices.flatMap { row -> [PlotSeries] in
      let (run, months) = (runs[row], runs[row].record.months)
      var spend = styled(
        PlotSeries(
          labels[row] + ", spend", .points, places(row),
          PageSums.cumulated(months.map { run.spend($0) }), .series(row)), row)
      spend.group = row
      var budget = PlotSeries(
        labels[row] + ", budget", .points, places(row),
        PageSums.cumulated(months.map(\.budget)), .series(row))
      budget.weight = .thin
      budget.dash = .dotted
      budget.group = row
      return [spend, budget]
    }
    return ReportPlot(
      "runs-spend", height: 420,
      .curves(
        PlotCurves(
          .categories, [PlotCurves.Panel.money("USDT since the start", .usdt)], series)))
  }

  /// Each month's utilization as a bar a run, with the bounds that all runs share; nil without a
  /// budget.
  var utilisationPlot: ReportPlot? {
    guard runs.contains(where: { $0.worstMonth != nil }) else { return nil }
    let series = runs.indices.map { row in
      PlotSeries(
        labels[row], .bars, places(row),
        runs[row].record.months.map { $0.utilisationBasisPoints.map { Double($0) / 100 } },
        .series(row))
    }
    let bounds = runs[0].bounds.filter { bound in
      runs.allSatisfy { run in
        run.bounds.contains { $0.tone == bound.tone && $0.value == bound.value }
      }
    }
    return ReportPlot(
      "runs-utilisation", height: 340,
      .curves(
        PlotCurves(
          .categories, [PlotCurves.Panel("Utilised", .share, bounds: bounds)], series)))
  }

  /// Payouts by type, a bar a run.
  var payoutsPlot: ReportPlot {
    let lines = payoutLines
    let series = runs.indices.map { row in
      PlotSeries(
        labels[row], .bars, .texts(lines.map(\.label)),
        lines.map { PageWords.usdt(Int128(paid($0.name, in: runs[row].record).microunits)) },
        .series(row))
    }
    return ReportPlot(
      "runs-payouts", .curves(PlotCurves(.rows, [PlotCurves.Panel.money("USDT", .usdt)], series)))
  }

  /// A line a run, by day.
  func daysPlot(
    _ id: String, _ title: String, _ values: (BlakJaksRecord) -> [Double]
  ) -> ReportPlot {
    let series = runs.indices.map { row in
      styled(
        PlotSeries(
          labels[row], .line, times.places(row), values(runs[row].record), .series(row)), row)
    }
    return ReportPlot(
      id, height: 340,
      .curves(
        PlotCurves(times.axis, [PlotCurves.Panel(title, .count, isShort: true)], series)))
  }

  /// The six balances, a small plot each; nil when no run has any.
  var treasuryPlot: ReportPlot? {
    let known = Self.balances.filter { balance in
      runs.contains { $0.record.series.contains { $0.key == balance.key } }
    }
    guard !known.isEmpty else { return nil }
    let series = known.enumerated().flatMap { panel, balance in
      runs.indices.compactMap { row -> PlotSeries? in
        runs[row].record.series.first { $0.key == balance.key }.map { values in
          var line = styled(
            PlotSeries(
              labels[row], .line, times.places(row),
              values.values.map { $0.map { PageWords.usdt(Int128($0)) } }, .series(row)), row)
          line.group = row
          line.panel = panel
          return line
        }
      }
    }
    return ReportPlot(
      "runs-treasury",
      .curves(
        PlotCurves(
          times.axis, known.map { PlotCurves.Panel.money($0.label, .usdt) }, series, form: .grid)))
  }
}
