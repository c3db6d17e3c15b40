internal import Quantities
internal import RewardModel

extension Insights {
  /// Whether the machinery holds: budget, payouts, scans, vault, reconciliation, tiers.
  static func systems(_ asOf: InsightsAsOf) -> Page {
    asOf.page(
      .systems,
      budget(asOf) + [
        pipeline(asOf), scanVelocity(asOf), heat(asOf),
        vault(asOf), vaultHistory(asOf), health(asOf),
      ] + tiers(asOf))
  }

  private static func budget(_ asOf: InsightsAsOf) -> [PageBlock] {
    let budget = asOf.budget()
    let day = asOf.day
    let left = PageSums.difference(budget.budget, budget.spend)
    // Rounded, the projection may read as if it stood on the other side of its bound.
    let projected = asOf.isLive ? day.projectedBasisPoints : asOf.record.projected(asOf.row)
    let judged = JudgedShare(projected, day.status, asOf.rules.health).words
    return [
      .figures(
        "budget", "Budget health",
        [
          PageFigure(
            "status", "Status", .text, day.status?.verdict ?? .none,
            note: "by the projection"),
          PageFigure(
            "utilisation", "Utilization", .share,
            .known(budget.utilisation), note: "spend ÷ budget to date"),
          PageFigure(
            "projected", "Projected at month's end", .share,
            .known(projected), note: judged == PageWords.percent(projected) ? "" : judged),
          PageFigure(
            "gross_profit", "Month's gross profit", .money,
            .number(budget.grossProfit.microunits)),
          PageFigure("budget", "Month's budget", .money, .number(budget.budget.microunits)),
          PageFigure(
            "spend", "Spend to date", .money, .number(budget.spend.microunits),
            note: "by \(asOf.rules.compPool.recognition.rawValue)"),
          PageFigure("left", "Budget left", .money, .number(left.microunits)),
        ]),
      PageBlock(
        key: "budget_gauge", title: "Projected at month's end",
        body: .gauge(
          PageGauge(
            label: "of the month's budget", value: projected, judged: day.status,
            caution: PageGauge.Bound(
              BudgetStatus.warning.rawValue, asOf.rules.health.warning.rawValue),
            bad: PageGauge.Bound(
              BudgetStatus.critical.rawValue, asOf.rules.health.critical.rawValue),
            empty: "no budget"))),
    ]
  }

  private static func pipeline(_ asOf: InsightsAsOf) -> PageBlock {
    var rate = asOf.value("payouts.attempts")
    if let attempts = asOf.number("payouts.attempts"),
      let succeeded = asOf.number("payouts.succeeded")
    {
      rate = .share(succeeded, of: attempts)
    }
    // The times are those of the day's payouts; the counts after them are of all days so far.
    let ofDay = asOf.isLive ? "of the last 24 hours" : "of those confirmed today"
    func time(_ key: String, _ label: String) -> PageFigure {
      asOf.figure(key, label, .duration, "payouts.\(key)", note: ofDay)
    }
    let transactions = "transactions, of one or more payouts each"
    return .figures(
      "pipeline", "Payout pipeline",
      [
        asOf.figure("queue", "Queue", .count, "payouts.queue", note: transactions),
        time("confirm_mean", "Mean award to confirmed"),
        time("confirm_p95", "P95 award to confirmed"),
        time("submission_mean", "Mean submission to confirmed"),
        time("submission_p95", "P95 submission to confirmed"),
      ] + slowest(asOf) + [
        PageFigure(
          "success_rate", "Success rate", .share, rate,
          note: "of attempts since the start, those under way included"),
        asOf.figure(
          "count_24h", "Paid in 24 hours", .count, "day.payouts.count", note: asOf.dayNote),
        asOf.figure(
          "value_24h", "Value in 24 hours", .money, "day.payouts.value", note: asOf.dayNote),
        asOf.figure("pending", "Pending", .count, "payouts.pending"),
        asOf.figure("pending_value", "Pending value", .money, "payouts.pending_value"),
        asOf.figure("failed", "Failed", .count, "payouts.failed"),
        asOf.figure("failed_value", "Failed value", .money, "payouts.failed_value"),
        asOf.figure(
          "waiting_funds", "Waiting for funds", .count, "payouts.waiting_funds", note: transactions),
        asOf.figure("retries", "Retries", .count, "payouts.retries"),
        asOf.figure("awarded", "Awarded", .count, "payouts.awarded"),
        asOf.figure("awarded_value", "Awarded value", .money, "payouts.awarded_value"),
        asOf.figure("paid", "Paid", .count, "payouts.paid"),
        asOf.figure("paid_value", "Paid value", .money, "payouts.paid_value"),
      ])
  }

  /// The day on which payouts took longest; nothing for a service, which has no days.
  private static func slowest(_ asOf: InsightsAsOf) -> [PageFigure] {
    guard !asOf.isLive else { return [] }
    let days = (0...asOf.row).compactMap { row in
      asOf.number("payouts.confirm_p95", row: row).map { (row: row, time: $0) }
    }
    guard let first = days.first else { return [] }
    let slowest = days.reduce(first) { $1.time > $0.time ? $1 : $0 }
    return [
      PageFigure(
        "slowest_p95", "P95 award to confirmed, slowest day", .duration, .number(slowest.time),
        note: "\(asOf.record.days[slowest.row].date)")
    ]
  }

  private static func scanVelocity(_ asOf: InsightsAsOf) -> PageBlock {
    let day = asOf.day
    let submitted = asOf.number("day.scans.submitted") ?? day.submitted
    let refused = asOf.number("day.scans.refused") ?? (day.submitted - day.acceptedScans)
    let hours = asOf.record.scanHours
    let repeated = asOf.hourNote(of: asOf.rows(last: 1))
    let today = repeated.isEmpty ? "today" : "today; \(repeated)"
    let lastHour = asOf.row < hours.count ? hours[asOf.row].last : nil
    let processed =
      asOf.isLive ? "of the last 1,024 requests, sign-ups included" : "of today's scans"
    return .figures(
      "scan_velocity", "Scan velocity",
      [
        asOf.figure("per_minute", "Scans a minute now", .count, "scans.per_minute_now"),
        asOf.figure("peak_per_minute", "Peak today", .count, "day.scans.peak_per_minute"),
        asOf.figure("last_hour", "Last hour", .count, "scans.last_hour", else: lastHour),
        asOf.figure(
          "peak_per_hour", "Busiest hour", .count, "day.scans.peak_per_hour", note: today),
        asOf.figure(
          "processing_now", "Processing time now", .duration, "scans.processing_now"),
        asOf.figure(
          "processing_mean", "Mean processing time", .duration, "scans.processing_mean",
          note: processed),
        asOf.figure(
          "processing_p95", "P95 processing time", .duration, "scans.processing_p95",
          note: processed),
        asOf.figure(
          "processing_peak", "Longest expected processing time", .duration,
          "day.scans.processing_peak", note: "today"),
        asOf.figure("backlog", "Backlog now", .count, "scans.backlog"),
        asOf.figure(
          "backlog_peak", "Peak backlog", .count, "day.scans.backlog_peak", note: "today"),
        asOf.figure(
          "hours_over_capacity", "Hours over capacity", .count, "day.scans.hours_over_capacity",
          note: today),
        PageFigure(
          "error_rate", "Error rate", .share,
          .share(refused, of: submitted),
          note: "\(refused.grouped) of \(submitted.grouped) codes refused today"),
        asOf.figure("workers", "Workers", .count, "scans.workers"),
      ])
  }

  /// Scans by weekday and local hour over the last 90 days.
  private static func heat(_ asOf: InsightsAsOf) -> PageBlock {
    var days = Array(repeating: Int64(0), count: 7)
    var scans = Array(repeating: Array(repeating: Int64(0), count: 24), count: 7)
    for row in asOf.rows(last: 90) where row < asOf.record.scanHours.count {
      let weekday = asOf.record.days[row].date.weekday
      days[weekday] += 1
      for (hour, count) in asOf.record.scanHours[row].enumerated() where hour < 24 {
        scans[weekday][hour] += count
      }
    }
    return PageBlock(
      key: "scan_heat", title: "Scans by weekday and hour, last 90 days",
      body: .heat(
        PageHeat(
          counted: "scans", days: days, counts: scans, note: asOf.meanNote(of: asOf.rows(last: 90)),
          absence: asOf.record.scanHours.isEmpty ? .notInRun(setting: nil) : nil)))
  }

  /// The gold chips.
  static func vault(_ asOf: InsightsAsOf) -> PageBlock {
    .figures(
      "vault", "Vault economy",
      [
        asOf.figure("issued", "Chips issued", .count, "chips.issued"),
        asOf.figure("bonus", "of them bonus", .count, "chips.bonus"),
        asOf.figure("held", "Held", .count, "chips.held"),
        asOf.figure("vaulted", "Vaulted", .count, "chips.vaulted"),
        asOf.figure("redeemed", "Redeemed", .count, "chips.redeemed"),
        asOf.figure("expired", "Expired", .count, "chips.expired"),
        asOf.figure("liability", "Liability", .money, "chips.liability"),
      ])
  }

  private static func vaultHistory(_ asOf: InsightsAsOf) -> PageBlock {
    PageBlock(
      key: "vault_history", title: "Gold chips, last 90 days",
      body: .history(
        asOf.history(
          .count,
          [
            ("held", "Held", "chips.held"), ("vaulted", "Vaulted", "chips.vaulted"),
            ("redeemed", "Redeemed", "chips.redeemed"), ("expired", "Expired", "chips.expired"),
          ])))
  }

  /// The reconciliation in short; the treasury's page has it by wallet.
  private static func health(_ asOf: InsightsAsOf) -> PageBlock {
    let latest = asOf.latestReconciliations()
    let balanced = latest.count { $0.balanced }
    let alerts = asOf.reconciled.count { !$0.balanced }
    let absent = asOf.reconciliationAbsence
    let status: PageValue =
      latest.isEmpty ? .none : reconciliationVerdict(balanced == latest.count)
    return .figures(
      "reconciliation", "Reconciliation",
      [
        lastSync(asOf),
        PageFigure("status", "Status", .text, absent ?? status),
        PageFigure("wallets", "Wallets", .count, absent ?? .number(Int64(latest.count))),
        PageFigure("balanced", "Balanced", .count, absent ?? .number(Int64(balanced))),
        PageFigure("alerts", "Alerts so far", .count, absent ?? .number(Int64(alerts))),
      ])
  }

  private static func tiers(_ asOf: InsightsAsOf) -> [PageBlock] {
    let counts = asOf.day.tiers
    let table = PageTable(
      [
        ("tier", "Tier", .text), ("members", "Members", .count), ("share", "Share", .share),
      ],
      rows: zip(Tier.allCases, PageSums.shares(of: counts.all, grain: 10)).map { tier, share in
        [.text(tier.name), .number(counts[tier]), .known(share)]
      })
    return [
      PageBlock(key: "tiers", title: "Tier distribution", body: .table(table)),
      PageBlock(
        key: "tier_bars", title: "Members by tier",
        body: .bars(
          PageBars(unit: .count, labels: Tier.allCases.map(\.name), values: counts.all))),
    ]
  }
}
