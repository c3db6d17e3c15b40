internal import Quantities
internal import RewardModel

/// Several runs side by side; the first is what the others are compared with.
struct BlakJaksComparison {
  let runs: [RunFigures]
  /// What heads a run's column.
  let labels: [String]
  let times: RunTimes

  init(_ runs: [NamedRun<BlakJaksRecord>]) {
    self.runs = runs.map { RunFigures($0.record) }
    labels = runs.map(\.name)
    times = RunTimes(
      days: runs.map { $0.record.days.map(\.date) },
      months: runs.map { $0.record.months.map(\.month) })
  }

  /// - Complexity: O(rows of all records).
  var comparison: RunComparison {
    RunComparison(
      verdicts: runs.map(\.verdict), notes: times.notes, headlines: headlines,
      sections: [budget, payouts, prizes, programme, treasury].compactMap { $0 },
      paces: runs.map(\.pace))
  }

  private func columns(_ first: String) -> [ReportTable.Column] {
    [.text(first)] + labels.map { .number($0) }
  }

  private var budget: ReportSection {
    let title = "Budget and spend"
    guard !times.months.isEmpty else {
      return ReportSection("budget", title, [.paragraph("No day was run.", .soft)])
    }
    let table = ReportTable(
      "Utilization of each month's budget", columns("Month"),
      rows: times.months.enumerated().map { index, month in
        [ReportCell(month)]
          + runs.map { $0.record.months.indices.contains(index) ? cell($0, index) : "–" }
      },
      total: ["Whole run"]
        + runs.map {
          ReportCell(
            $0.share(of: $0.spend).words, note: "\($0.spend.cents) of \($0.budget.cents)")
        })
    let recognition =
      runs.allSatisfy { $0.recognition == runs[0].recognition }
      ? "by \(runs[0].recognition)" : "as each run recognizes trips"
    var blocks: [ReportBlock] = [
      .plot(
        spendPlot,
        caption: "Spend since the start, \(recognition), against the budget (dotted, in the run's "
          + "color).")
    ]
    if let utilisationPlot {
      blocks.append(
        .plot(
          utilisationPlot,
          caption: "How much of each month's budget was used. The dashed lines are the bounds of "
            + "Warning and Critical."))
    }
    blocks += [.heading("The months as a table, USDT spent of budget"), .table(table)]
    return ReportSection("budget", title, blocks)
  }

  private func cell(_ run: RunFigures, _ index: Int) -> ReportCell {
    let month = run.record.months[index]
    let name = times.byCalendar ? "" : "\(month.month): "
    let star = run.partialMonths.contains(index) ? ", in part" : ""
    return ReportCell(
      run.share(month).words, month.status.cell.tone,
      note: "\(name)\(run.spend(month).cents) of \(month.budget.cents)\(star)")
  }

  private var payouts: ReportSection? {
    let lines = payoutLines
    guard !lines.isEmpty else { return nil }
    func row(_ label: String, _ total: (BlakJaksRecord) -> MicroUSDT) -> Headline {
      Headline(label, .money, runs.map { .number(total($0.record).microunits) })
    }
    let table = HeadlineTable(
      "Payouts by type in USDT, each with the difference to \(labels[0])", first: "Type",
      rows: lines.map { line in row(line.label) { self.paid(line.name, in: $0) } },
      total: row("Total") { $0.payoutTotal.total })
    return ReportSection(
      "payouts", "Payouts by type",
      [.plot(payoutsPlot, caption: "What was awarded of each type."), .headlines(table)])
  }

  /// Lines of the ledgers that any run has paid, in the order of the ledgers: the name in the
  /// records, which no setting changes, and what the runs call it, or what all of them can call it
  /// where their settings differ.
  var payoutLines: [(name: String, label: String)] {
    var lines: [(name: String, label: String)] = []
    for run in runs {
      for row in run.record.payouts where row.count > 0 {
        guard !lines.contains(where: { $0.name == row.type }) else { continue }
        let own = run.record.label(of: row, run.rules)
        let isShared = runs.allSatisfy { other in
          other.record.payouts.allSatisfy {
            $0.type != row.type || other.record.label(of: $0, other.rules) == own
          }
        }
        let plain = run.record.type(of: row)?.plainLabel ?? own
        lines.append((row.type, isShared ? own : plain))
      }
    }
    return lines
  }

  /// What a run paid on one line of its ledger.
  func paid(_ name: String, in record: BlakJaksRecord) -> MicroUSDT {
    record.payouts.first { $0.type == name }?.total ?? .zero
  }

  private var prizes: ReportSection? {
    var names: [String] = []
    for run in runs {
      for row in run.record.prizes where !names.contains(row.prize.name) {
        names.append(row.prize.name)
      }
    }
    guard !names.isEmpty else { return nil }
    let table = ReportTable(
      "Prizes awarded", columns("Prize"),
      rows: names.map { name in
        [ReportCell(name)]
          + runs.map { run in
            guard let row = run.record.prizes.first(where: { $0.prize.name == name }) else {
              return ReportCell("–", .soft, note: "no such prize")
            }
            return ReportCell(
              row.awarded.grouped,
              note: "\(row.prize.amount.cents) per \(row.prize.every.grouped) scans"
                + (row.waiting > 0 ? ", \(row.waiting.grouped) waiting" : ""))
          }
      })
    return ReportSection("prizes", "Milestone prizes awarded", flows: true, [.table(table)])
  }

  private var programme: ReportSection? {
    guard runs.contains(where: { !$0.record.days.isEmpty }) else { return nil }
    return ReportSection(
      "programme", "Members and scans", flows: true,
      [
        daysBlock(
          "runs-members", "Members", caption: "Members signed up by the end of each day."
        ) { $0.days.map { Double($0.members) } },
        daysBlock(
          "runs-scans", "Accepted scans a day",
          caption: "Accepted scans a day, as the mean of the last seven days."
        ) { weeklyMeans($0.days) },
      ])
  }

  private var treasury: ReportSection? {
    treasuryPlot.map {
      ReportSection(
        "treasury", "Treasury",
        [.plot($0, caption: "Balances at the end of each day in USDT.")])
    }
  }
}
