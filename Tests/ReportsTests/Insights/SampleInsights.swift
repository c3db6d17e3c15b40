// Daily series for the sample year: numbers that differ by key and day, so that a figure that is
// taken from another key or another day is seen.

import BlakJaks
import Quantities
import RewardModel
import TestSupport

/// The series of the sample, as the simulator names them.
enum SampleSeries {
  static let money = [
    "treasury.wallet_member", "treasury.wallet_affiliate", "treasury.wallet_wholesale",
    "treasury.bank_operating", "treasury.bank_reserve", "treasury.bank_comp_pool",
    "payable.member", "payable.affiliate", "payable.wholesale", "payable.shop", "trip_reserve",
    "sales_tax", "gas",
    "pool.comp", "pool.affiliate", "pool.wholesale", "payouts.pending_value", "payouts.paid_value",
    "payouts.failed_value", "payouts.awarded_value", "day.payouts.value", "chips.liability",
    "affiliates.match_paid", "affiliates.pool_paid", "affiliates.pool_accruing",
    "wholesale.comps_value", "wallet.balance", "wallet.pending", "wallet.withdrawn",
    "wallet.card_spent", "shop.revenue", "shop.shipping", "shop.tax",
  ]
  static let counts = [
    "members.active", "day.scans.peak_per_minute", "scans.per_minute_now", "scans.last_hour",
    "scans.workers", "scans.backlog", "day.scans.backlog_peak", "day.scans.peak_per_hour",
    "day.scans.hours_over_capacity", "day.scans.refused", "day.scans.submitted", "payouts.queue",
    "payouts.pending", "payouts.paid", "payouts.failed", "payouts.awarded",
    "payouts.waiting_funds", "payouts.retries", "payouts.attempts", "payouts.succeeded",
    "day.payouts.count", "chips.issued", "chips.bonus", "chips.held", "chips.vaulted",
    "chips.redeemed", "chips.expired", "affiliates.active", "affiliates.referred",
    "affiliates.chips_issued", "affiliates.chips_unexpired", "affiliates.floor_vip",
    "affiliates.floor_high_roller", "affiliates.floor_whale", "sunset.trailing",
    "wholesale.accounts", "wholesale.orders", "wholesale.tins", "wholesale.tins_home",
    "wholesale.chips",
    "wholesale.comps", "wallet.withdrawals", "wallet.card_applied", "wallet.card_verified",
    "wallet.card_active", "wallet.card_payments", "shop.visits", "shop.carts", "shop.abandoned",
    "shop.abandoned_cart", "shop.abandoned_address", "shop.abandoned_payment",
    "shop.refused_age", "shop.refused_payment", "shop.orders", "shop.come_backs",
    "shop.to_retail", "shop.lost", "shop.processing", "shop.shipped",
    "shop.delivered", "shop.cancelled", "shop.refunded", "social.messages", "social.refused",
    "social.reactions", "social.translations", "social.translation_hits", "social.streams",
    "social.viewers_peak", "social.proposals", "social.votes", "social.notifications",
    "social.sample.members", "social.sample.messages", "social.sample.tier_locked",
    "social.sample.read_only", "social.sample.translations", "social.sample.translation_hits",
    "social.sample.votes", "social.sample.votes_refused",
    "social.messages.general/general-chat", "social.messages.comps/wallet-talk",
  ]
  static let spans = [
    "scans.processing_mean", "scans.processing_p95", "payouts.confirm_mean", "payouts.confirm_p95",
    "scans.processing_now", "day.scans.processing_peak", "payouts.submission_mean",
    "payouts.submission_p95",
  ]
}

extension SampleRun {
  /// The sample year with everything that a run can record.
  static func yearWithInsights(days: Int = 365) throws -> BlakJaksRecord {
    var record = try year(days: days)
    let calendar = try ProgrammeCalendar(
      zone: record.zone, firstDate: record.days[0].date, days: days)
    addSeries(to: &record, calendar)
    record.scanHours = record.days.map { day in
      // Noon takes what 24 does not divide.
      (0..<24).map { day.acceptedScans / 24 + ($0 == 12 ? day.acceptedScans % 24 : 0) }
    }
    let mornings = ProgrammeRules.mornings(calendar)
    for row in 0..<days {
      for (place, wallet) in ["member", "affiliate", "wholesale"].enumerated() {
        let off: Int64 = (row + 7 * place) % 50 == 49 ? 12_300_000 : Int64(place)
        record.reconciliations.append(
          BlakJaksRecord.ReconciliationRow(
            time: mornings[row], wallet: wallet,
            ledger: .whole(Int64(row)),
            chain: MicroUSDT(microunits: Int64(row) * 1_000_000 + off),
            difference: MicroUSDT(microunits: off), balanced: off < 10_000_000))
      }
      let noon = calendar.dayStarts[row] + .hours(12)
      if row % 9 == 0 {
        record.feed.append(
          BlakJaksRecord.FeedRow(
            time: noon, kind: row % 18 == 0 ? "wholesale" : "tier", text: "n\(row)")
        )
      }
      record.transactions.append(
        BlakJaksRecord.TransactionRow(
          time: noon, member: Int64(row % 3), kind: "withdrawal", amount: .whole(-5),
          balance: .whole(Int64(row)), status: row % 7 == 0 ? "failed" : "confirmed",
          hash: "0x" + String(repeating: "ab", count: 32)))
      if row % 7 == 1 {
        record.streams.append(
          BlakJaksRecord.StreamRow(
            start: noon, end: noon + .hours(2), peakViewers: Int64(row), uniqueViewers: 9,
            messages: 4))
        record.proposals.append(
          BlakJaksRecord.ProposalRow(
            opened: noon, closed: noon + .days(7), votesFor: Int64(row), votesAgainst: 1,
            eligible: 90, passed: true))
      }
    }
    return record
  }

  private static func addSeries(to record: inout BlakJaksRecord, _ calendar: ProgrammeCalendar) {
    let days = record.days.count
    func add(_ key: String, _ unit: MeasureUnit, _ value: (Int64) -> Int64?) {
      record.series.append(
        BlakJaksRecord.Series(key: key, unit: unit, values: (0..<days).map { value(Int64($0)) }))
    }
    for (row, key) in SampleSeries.money.enumerated() {
      add(key, .money) { (Int64(row) + 1) * 1_000_000_000 + $0 * 1_234_567 }
    }
    for (row, key) in SampleSeries.counts.enumerated() {
      add(key, .count) { (Int64(row) + 1) * 1_000 + $0 }
    }
    for (row, key) in SampleSeries.spans.enumerated() {
      // Nothing is confirmed on the first day.
      add(key, .duration) { $0 == 0 ? nil : (Int64(row) + 1) * 1_000 + $0 }
    }
    add("sunset.active", .flag) { $0 >= 200 ? 1 : 0 }
    let mornings = ProgrammeRules.mornings(calendar)
    add("sunset.last_check", .duration) { mornings[Int($0)].microseconds }
    let payouts = record.payouts
    for (row, line) in payouts.enumerated() {
      add("ledger.\(line.type).count", .count) { (Int64(row) + 1) * $0 }
      add("ledger.\(line.type).total", .money) { (Int64(row) + 3) * $0 * 1_000_003 }
    }
  }
}
