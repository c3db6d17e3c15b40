internal import Quantities
internal import RewardModel

/// Several runs side by side; the first is what the others are compared with.
struct EmberaComparison {
  let runs: [EmberaRecord]
  let verdicts: [EmberaVerdict]
  /// What heads a run's column.
  let labels: [String]
  let times: RunTimes

  init(_ runs: [NamedRun<EmberaRecord>]) {
    self.runs = runs.map(\.record)
    verdicts = runs.map { EmberaVerdict($0.record) }
    labels = runs.map(\.name)
    times = RunTimes(
      days: runs.map { $0.record.days.map(\.date) },
      months: runs.map { $0.record.months.map(\.month) })
  }

  /// - Complexity: O(rows of all records).
  var comparison: RunComparison {
    RunComparison(
      verdicts: verdicts.map(\.verdict), notes: times.notes, headlines: headlines,
      sections: [rewards, owed].compactMap { $0 }, paces: runs.map(EmberaReport.pace))
  }

  private func row(
    _ label: String, _ unit: MeasureUnit, _ value: (EmberaRecord) -> Int64?
  ) -> Headline {
    Headline(label, unit, runs.map { .known(value($0)) })
  }

  /// A figure that a replay of history has not.
  private func simulatedRow(
    _ label: String, _ unit: MeasureUnit, _ value: (EmberaRecord) -> Int64?
  ) -> Headline {
    Headline(
      label, unit,
      runs.map { $0.source == .history ? .notInRun(setting: nil) : .known(value($0)) })
  }

  private var headlines: [HeadlineGroup] {
    [
      HeadlineGroup(
        "Rewards",
        [
          Headline(
            "Reward rate", .share, verdicts.map { .known($0.rate) }, tones: verdicts.map(\.tone),
            words: verdicts.map { $0.rateWords ?? "–" }),
          Headline(
            "Budget", .share, verdicts.map { .number($0.budget.limit.rawValue) },
            words: verdicts.map { PageWords.percent($0.budget.limit.rawValue, decimals: 2) }),
          simulatedRow("Reward cost, USD", .money) { $0.total.rewardCost.microunits },
          row("Points issued", .count) { $0.total.sums.issued },
          simulatedRow("Points redeemed", .count) { $0.total.sums.redeemed },
          row("Points expired", .count) { $0.total.sums.expired },
          Headline(
            "Redemption rate", .share,
            runs.map {
              $0.source == .history
                ? .notInRun(setting: nil)
                : .share($0.total.sums.redeemed, of: $0.total.sums.issued)
            }),
        ]),
      HeadlineGroup(
        "Program",
        [
          row("Days", .count) { Int64($0.days.count) },
          row("Members", .count) { $0.total.members },
          row("Orders", .count) { $0.total.sums.orders },
          row("Revenue, USD", .money) { $0.total.sums.revenue },
          row("Gross profit, USD", .money) { $0.grossProfit.microunits },
          simulatedRow("Subscribers at the end", .count) { $0.total.subscribers },
        ]),
      HeadlineGroup(
        "Owed at the end",
        [
          row("Points outstanding", .count) { $0.outstanding },
          row("Owed at cost, USD", .money) { $0.valuation?.net.microunits },
          row("Contract liability (IFRS 15), USD", .money) {
            $0.valuation?.contractLiability.microunits
          },
        ]),
      HeadlineGroup(
        "Sync",
        [
          simulatedRow("Orders placed offline", .count) { $0.sync.offlineOrders },
          simulatedRow("Orders still waiting", .count) { $0.sync.waitingOrders },
          simulatedRow("Mean wait", .duration) { $0.sync.meanLag?.microseconds },
          simulatedRow("P95 wait", .duration) { $0.sync.lagP95?.microseconds },
          simulatedRow("Redemptions refused at sync", .count) { $0.sync.conflicts },
        ]),
      HeadlineGroup(
        "Members by tier at the end",
        EmberaTier.allCases.map { tier in
          row(tier.label, .count) { run in run.tiers.first { $0.tier == tier }?.members }
        }),
    ].filter { !$0.rows.isEmpty }
  }

  private func plot(
    _ id: String, _ panel: PlotCurves.Panel, _ shape: PlotSeries.Shape,
    _ value: (EmberaRecord, EmberaRecord.Month) -> Double?
  ) -> ReportPlot {
    let series = runs.indices.map { run in
      PlotSeries(
        labels[run], shape, .texts(Array(times.months.prefix(runs[run].months.count))),
        runs[run].months.map { value(runs[run], $0) }, .series(run))
    }
    return ReportPlot(id, height: 340, .curves(PlotCurves(.categories, [panel], series)))
  }

  /// What rewards cost by month; nil where no run knows it.
  private var rewards: ReportSection? {
    guard !times.months.isEmpty else {
      return ReportSection("rewards", "Reward rate", [.paragraph("No day was run.", .soft)])
    }
    guard runs.contains(where: \.knowsRedemptions) else { return nil }
    // Bounds are drawn where all runs share them.
    let first = verdicts[0].budget
    let bounds = verdicts.allSatisfy { $0.budget == first } ? first.plotBounds : []
    let table = ReportTable(
      "Reward rate by month", [.text("Month")] + labels.map { .number($0) },
      rows: times.months.enumerated().map { index, name in
        [ReportCell(name)]
          + zip(runs, verdicts).map { run, verdict in
            guard run.months.indices.contains(index) else { return "–" }
            let month = run.months[index]
            let partial = PartialMonths(run.header, count: run.months.count).contains(index)
            return ReportCell(
              verdict.words(month), run.knowsRedemptions ? month.status.tone : .soft,
              note: (run.knowsRedemptions ? "\(month.rewardCost.cents) " : "")
                + "of \(month.revenue.cents) USD" + (partial ? ", in part" : ""))
          }
      })
    return ReportSection(
      "rewards", "Reward rate",
      [
        .plot(
          plot(
            "runs-reward-rate",
            PlotCurves.Panel("Reward rate", .share, word: "of revenue", bounds: bounds), .bars
          ) { run, month in
            run.knowsRedemptions ? month.rate.map { Double($0) / 100 } : nil
          },
          caption: "Reward cost as a share of revenue, by month.",
          details: [.details("The months as a table", printed: true, [.table(table)])])
      ])
  }

  private var owed: ReportSection? {
    guard !times.months.isEmpty else { return nil }
    return ReportSection(
      "owed", "What is owed for points", flows: true,
      [
        .plot(
          plot("runs-owed", PlotCurves.Panel.money("USD", .usd), .points) {
            PageWords.usdt(Int128($1.valuation.contractLiability.microunits))
          },
          caption: "Contract liability under IFRS 15 at each month's end.")
      ])
  }
}
