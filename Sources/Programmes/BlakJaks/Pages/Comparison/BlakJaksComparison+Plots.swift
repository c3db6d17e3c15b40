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

  /// Runs whose curves are equal, each group once, in the order of their first run.
  ///
  /// - Complexity: O(runs² × values).
  func groups<Value: Equatable>(_ values: [Value]) -> [[Int]] {
    var groups: [[Int]] = []
    for (run, value) in values.enumerated() {
      if let place = groups.firstIndex(where: { values[$0[0]] == value }) {
        groups[place].append(run)
      } else {
        groups.append([run])
      }
    }
    return groups
  }

  /// What a curve is called that stands for all runs of a group.
  private func name(_ group: [Int]) -> String {
    group.map { labels[$0] }.joined(separator: " = ")
  }

  private func places(_ run: Int) -> PlotPlaces {
    .texts(Array(times.months.prefix(runs[run].record.months.count)))
  }

  /// Spend since the start against the budget, dotted in the same color.
  var spendPlot: ReportPlot {
    func curves(
      _ word: String, _ amounts: (RunFigures) -> [MicroUSDT]
    ) -> [PlotSeries] {
      let values = runs.map { PageSums.cumulated(amounts($0)) }
      return groups(values).map { group in
        var series = PlotSeries(
          "\(name(group)), \(word)", .points, places(group[0]), values[group[0]],
          .series(group[0]))
        series.group = group[0]
        return series
      }
    }
    let spend = curves("spend") { run in run.record.months.map { run.spend($0) } }.map {
      styled($0, $0.group ?? 0)
    }
    let budget = curves("budget") { $0.record.months.map(\.budget) }.map { series in
      var series = series
      series.weight = .thin
      series.dash = .dotted
      return series
    }
    let inOrder = runs.indices.flatMap { run in (spend + budget).filter { $0.group == run } }
    return ReportPlot(
      "runs-spend", height: 420,
      .curves(
        PlotCurves(
          .categories, [PlotCurves.Panel.money("USDT since the start", .usdt)], inOrder)))
  }

  /// Each month's utilization as a bar a run, with the bounds that all runs share; nil without a
  /// budget.
  var utilisationPlot: ReportPlot? {
    let months = runs.flatMap(\.record.months)
    guard months.contains(where: { $0.utilisationBasisPoints != nil }) else { return nil }
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
          .categories, [PlotCurves.Panel("Utilized", .share, bounds: bounds)], series)))
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

  /// A line a run, by day; runs that are alike share one. A sentence in place of a plot where all
  /// are alike.
  func daysBlock(
    _ id: String, _ title: String, caption: String, _ values: (BlakJaksRecord) -> [Double]
  ) -> ReportBlock {
    let values = runs.map { values($0.record) }
    let groups = groups(values)
    if groups.count == 1 && runs.count > 1 {
      return .paragraph("\(title): the same in all runs.", .soft)
    }
    let series = groups.map { group in
      styled(
        PlotSeries(
          name(group), .line, times.places(group[0]), values[group[0]], .series(group[0])),
        group[0])
    }
    let plot = ReportPlot(
      id, height: 340,
      .curves(
        PlotCurves(times.axis, [PlotCurves.Panel(title, .count, isShort: true)], series)))
    return .plot(plot, caption: caption)
  }

  /// The six balances, a small plot each; nil when no run has any.
  var treasuryPlot: ReportPlot? {
    let known = Self.balances.filter { balance in
      runs.contains { $0.record.series.contains { $0.key == balance.key } }
    }
    guard !known.isEmpty else { return nil }
    let values = known.map { balance in
      runs.map { run in run.record.series.first { $0.key == balance.key }?.values }
    }
    let series = values.enumerated().flatMap { panel, values in
      groups(values).compactMap { group -> PlotSeries? in
        guard let shown = values[group[0]] else { return nil }
        var line = styled(
          PlotSeries(
            labels[group[0]], .line, times.places(group[0]),
            shown.map { $0.map { PageWords.usdt(Int128($0)) } }, .series(group[0])), group[0])
        line.group = group[0]
        line.panel = panel
        return line
      }
    }
    let panels = zip(known, values).map { balance, values in
      let same = groups(values).filter { $0.count > 1 && values[$0[0]] != nil }.map { group in
        group.count == runs.count
          ? "same" : group.map { String(labels[$0].prefix(1)) }.joined(separator: " = ")
      }
      return PlotCurves.Panel.money(
        balance.label + (same.isEmpty ? "" : " (\(same.joined(separator: ", ")))"), .usdt)
    }
    return ReportPlot(
      "runs-treasury",
      .curves(
        PlotCurves(
          times.axis, panels, series, form: .grid)))
  }
}
