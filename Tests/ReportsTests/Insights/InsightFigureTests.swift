// Goal: every figure of the pages is that of the record at the end of the day asked for.
// Method: the JSON of the pages over a made-up year whose series differ by key and day, against
// sums, counts and closed forms worked out here from the rows; no page is compared with a page.

import BlakJaks
import Foundation
import Quantities
import Reports
import RewardModel
import TestSupport
import Testing

/// The `data` of a page.
struct PageData {
  let all: [String: Any]

  init(_ name: InsightPage, _ record: BlakJaksRecord, day: Int) throws {
    let asOf = try InsightsAsOf(record, at: record.days[day].date.description)
    let text = PageJSON.text(Insights.page(name, asOf))
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let document = try #require(value as? [String: Any])
    all = try #require(document["data"] as? [String: Any])
  }

  func block(_ key: String) -> [String: Any] { all[key] as? [String: Any] ?? [:] }

  func rows(_ key: String) -> [[String: Any]] { all[key] as? [[String: Any]] ?? [] }

  func number(_ block: String, _ key: String) -> Int64? {
    (self.block(block)[key] as? NSNumber)?.int64Value
  }

  func text(_ block: String, _ key: String) -> String? { self.block(block)[key] as? String }
}

/// A series' value, found by walking over the series.
func series(_ record: BlakJaksRecord, _ key: String, _ day: Int) -> Int64? {
  record.series.first { $0.key == key }.flatMap { $0.values[day] }
}

@Suite struct InsightFigureTests {
  private static let days = [0, 1, 45, 213, 364]
  private let record: BlakJaksRecord

  init() throws { record = try SampleRun.yearWithInsights() }

  @Test("Figures of the series stand where the page says", arguments: days)
  func seriesStandOnTheirPages(day: Int) throws {
    let places: [(InsightPage, String, String, String)] = [
      (.overview, "programme", "comp_pool_micro", "pool.comp"),
      (.overview, "programme", "active_members", "members.active"),
      (.overview, "programme", "payouts_24h", "day.payouts.count"),
      (.overview, "programme", "payouts_24h_value_micro", "day.payouts.value"),
      (.overview, "shop", "orders", "shop.orders"),
      (.overview, "shop", "tax_micro", "shop.tax"),
      (.overview, "social", "messages", "social.messages"),
      (.treasury, "wallets", "member_micro", "treasury.wallet_member"),
      (.treasury, "wallets", "affiliate_micro", "treasury.wallet_affiliate"),
      (.treasury, "wallets", "wholesale_micro", "treasury.wallet_wholesale"),
      (.treasury, "bank", "operating_micro", "treasury.bank_operating"),
      (.treasury, "bank", "reserve_micro", "treasury.bank_reserve"),
      (.treasury, "bank", "comp_pool_micro", "treasury.bank_comp_pool"),
      (.treasury, "obligations", "payable_affiliate_micro", "payable.affiliate"),
      (.treasury, "obligations", "gas_micro", "gas"),
      (.treasury, "obligations", "pool_accruing_micro", "affiliates.pool_accruing"),
      (.treasury, "member_wallets", "card_active", "wallet.card_active"),
      (.treasury, "member_wallets", "card_spent_micro", "wallet.card_spent"),
      (.systems, "pipeline", "queue", "payouts.queue"),
      (.systems, "pipeline", "confirm_mean_us", "payouts.confirm_mean"),
      (.systems, "pipeline", "confirm_p95_us", "payouts.confirm_p95"),
      (.systems, "pipeline", "submission_mean_us", "payouts.submission_mean"),
      (.systems, "pipeline", "submission_p95_us", "payouts.submission_p95"),
      (.systems, "pipeline", "pending", "payouts.pending"),
      (.systems, "pipeline", "failed_value_micro", "payouts.failed_value"),
      (.systems, "scan_velocity", "per_minute", "scans.per_minute_now"),
      (.systems, "scan_velocity", "peak_per_minute", "day.scans.peak_per_minute"),
      (.systems, "scan_velocity", "last_hour", "scans.last_hour"),
      (.systems, "scan_velocity", "peak_per_hour", "day.scans.peak_per_hour"),
      (.systems, "scan_velocity", "processing_now_us", "scans.processing_now"),
      (.systems, "scan_velocity", "processing_mean_us", "scans.processing_mean"),
      (.systems, "scan_velocity", "processing_p95_us", "scans.processing_p95"),
      (.systems, "scan_velocity", "processing_peak_us", "day.scans.processing_peak"),
      (.systems, "scan_velocity", "backlog", "scans.backlog"),
      (.systems, "scan_velocity", "backlog_peak", "day.scans.backlog_peak"),
      (.systems, "scan_velocity", "hours_over_capacity", "day.scans.hours_over_capacity"),
      (.systems, "scan_velocity", "workers", "scans.workers"),
      (.systems, "vault", "vaulted", "chips.vaulted"),
      (.systems, "vault", "liability_micro", "chips.liability"),
      (.comps, "vault", "redeemed", "chips.redeemed"),
      (.comps, "trip", "reserve_micro", "trip_reserve"),
      (.partners, "affiliates", "active", "affiliates.active"),
      (.partners, "affiliates", "chips_issued", "affiliates.chips_issued"),
      (.partners, "affiliates", "match_paid_micro", "affiliates.match_paid"),
      (.partners, "weekly_pool", "accruing_micro", "affiliates.pool_accruing"),
      (.partners, "floors", "whale", "affiliates.floor_whale"),
      (.partners, "sunset", "trailing", "sunset.trailing"),
      (.partners, "wholesale", "accounts", "wholesale.accounts"),
      (.partners, "wholesale", "comps_value_micro", "wholesale.comps_value"),
      (.partners, "treasuries", "pool_wholesale_micro", "pool.wholesale"),
    ]
    let pages = try InsightPage.allCases.map { try PageData($0, record, day: day) }
    for (page, block, key, name) in places {
      let place = try #require(InsightPage.allCases.firstIndex(of: page))
      let expected = series(record, name, day)
      #expect(pages[place].number(block, key) == expected, "\(page).\(block).\(key)")
      let mayBeEmpty = ["confirm", "processing", "submission"].contains { name.contains($0) }
      #expect(expected != nil || mayBeEmpty, "\(name)")
    }
  }

  @Test("Counters are sums of the days so far", arguments: days)
  func countersAreSums(day: Int) throws {
    let page = try PageData(.overview, record, day: day)
    var scans: Int64 = 0
    for row in 0...day { scans += record.days[row].acceptedScans }
    #expect(page.number("programme", "global_scans") == scans)
    #expect(page.number("programme", "scans_today") == record.days[day].acceptedScans)
    #expect(page.number("programme", "members") == record.days[day].members)
    let history = page.block("scan_history")
    let first = max(0, day - 89)
    #expect(
      history["dates"] as? [String] == record.days[first...day].map(\.date.description))
    #expect(history["scans"] as? [Int64] == record.days[first...day].map(\.acceptedScans))
  }

  @Test("The open month is the sum of its days; at its end it is the month's own row")
  func budgetOfTheOpenMonth() throws {
    var month = 0
    for day in record.days.indices where day % 5 == 0 || record.days[day].date.day == 31 {
      while record.months[month].month != record.days[day].date.monthLabel { month += 1 }
      var (profit, spend): (Int64, Int64) = (0, 0)
      for row in 0...day where record.days[row].date.month == record.days[day].date.month {
        profit += record.days[row].grossProfit.microunits
        spend += record.days[row].spendAccrual.microunits
      }
      let page = try PageData(.systems, record, day: day)
      #expect(page.number("budget", "gross_profit_micro") == profit)
      #expect(page.number("budget", "budget_micro") == profit / 2)
      #expect(page.number("budget", "spend_micro") == spend)
      #expect(page.number("budget", "left_micro") == profit / 2 - spend)
      #expect(page.number("budget", "utilisation_bp") == spend * 10_000 / (profit / 2))
      let date = record.days[day].date
      // A month's last day has nothing left to project.
      let isLast = date.adding(days: 1).monthLabel != date.monthLabel
      #expect(
        page.number("budget", "projected_bp")
          == (isLast
            ? page.number("budget", "utilisation_bp") : record.days[day].projectedBasisPoints))
      #expect(page.text("budget", "status") == record.days[day].status?.rawValue)
      if record.days[day].date.day == 31 {
        let row = record.months[month]
        #expect(page.number("budget", "budget_micro") == row.budget.microunits)
        #expect(page.number("budget", "utilisation_bp") == row.utilisationBasisPoints)
      }
    }
  }

  @Test func recognitionInCashCountsTheCashSpend() throws {
    var cash = record
    cash.settings = [
      RunHeader.SettingRow(path: "rules.comp_pool.recognition", value: "cash", mark: "set"),
      RunHeader.SettingRow(path: "rules.comp_pool.share", value: "12.5 %", mark: "set"),
    ]
    let page = try PageData(.systems, cash, day: 40)
    let days = record.days[31...40]
    let spend = days.reduce(0) { $0 + $1.spendCash.microunits }
    let profit = days.reduce(0) { $0 + $1.grossProfit.microunits }
    #expect(page.number("budget", "spend_micro") == spend)
    #expect(page.number("budget", "budget_micro") == profit / 8)
    // What is set aside for trips is not spent yet, unless another pool was charged with it.
    func compPool(_ run: BlakJaksRecord) throws -> Int64? {
      try PageData(.overview, run, day: 40).number("programme", "comp_pool_micro")
    }
    let pool = try #require(series(record, "pool.comp", 40))
    let reserve = try #require(series(record, "trip_reserve", 40))
    #expect(reserve > 0)
    #expect(try compPool(cash) == pool + reserve && compPool(record) == pool)
    cash.settings.append(
      RunHeader.SettingRow(
        path: "rules.comp_pool.charges.trip", value: "operating", mark: "set"))
    #expect(try compPool(cash) == pool)
  }

  @Test func aWeeklyPoolThatIsNotPaidAccruesNothing() throws {
    var off = record
    off.settings = [
      RunHeader.SettingRow(path: "rules.affiliates.weekly_pool", value: "false", mark: "set")
    ]
    let page = try PageData(.partners, off, day: 40)
    #expect(page.block("weekly_pool")["accruing_micro"] is NSNull)
    #expect(page.block("paid_history").keys.contains { $0.hasPrefix("accruing") } == false)
    let owed = try PageData(.treasury, off, day: 40)
    #expect(owed.block("obligations")["pool_accruing_micro"] is NSNull)
    let paid = try PageData(.partners, record, day: 40)
    #expect(paid.number("weekly_pool", "accruing_micro") != nil)
    #expect(paid.block("paid_history").keys.contains { $0.hasPrefix("accruing") })
  }

  @Test(
    "Milestones follow from the scan counter and the awards before the day's end", arguments: days)
  func milestones(day: Int) throws {
    let page = try PageData(.comps, record, day: day)
    let scans = record.days[...day].reduce(0) { $0 + $1.acceptedScans }
    let zone = try InstantParser(zone: record.zone)
    for (row, prize) in record.prizes.map(\.prize).enumerated() {
      let awarded = record.awards.count {
        $0.prize == prize.name && zone.localDate(of: $0.time) <= record.days[day].date
      }
      let holders = record.days[day].tiers.all[Int(prize.requiredTier.rawValue)...].reduce(0, +)
      let shown = page.rows("prizes")[row]
      #expect(shown["prize"] as? String == prize.name)
      #expect(shown["amount_micro"] as? Int64 == prize.amount.microunits)
      #expect(shown["awarded"] as? Int == awarded)
      #expect(shown["waiting"] as? Int64 == scans / prize.every - Int64(awarded))
      #expect(shown["eligible"] as? Int64 == holders)
      #expect(page.rows("eligibility")[row]["eligible"] as? Int64 == holders)
      let next = page.rows("next_milestones")[row]
      #expect(next["next_due"] as? Int64 == (scans / prize.every + 1) * prize.every)
      #expect(next["away"] as? Int64 == (scans / prize.every + 1) * prize.every - scans)
      #expect(next["progress_bp"] as? Int64 == scans % prize.every * 10_000 / prize.every)
    }
    #expect(page.number("trip", "progress_scans") == scans % 500_000)
    #expect(page.number("trip", "eligible") == record.days[day].tiers.whale)
    if day == record.days.count - 1 {
      #expect(
        page.rows("next_milestones").map { $0["away"] as? Int64 } == record.prizes.map(\.away))
      #expect(page.rows("prizes").map { $0["awarded"] as? Int64 } == record.prizes.map(\.awarded))
    }
  }

  @Test func eligibleMembersAreThoseOfTheTiersThatMayWin() throws {
    let page = try PageData(.comps, record, day: 213)
    let tiers = record.days[213].tiers
    let rows = page.rows("eligibility").map { row in
      ["standard", "vip", "high_roller", "whale"].map { row[$0] as? Int64 }
    }
    #expect(rows[0] == [tiers.standard, tiers.vip, tiers.highRoller, tiers.whale])
    #expect(rows[1] == [0, tiers.vip, tiers.highRoller, tiers.whale])
    #expect(rows[2] == [0, 0, tiers.highRoller, tiers.whale])
    #expect(rows[4] == [0, 0, 0, tiers.whale])
  }

  @Test(
    "The payout ledger has its lines, shares that add up, and its total",
    arguments: days)
  func payoutLedger(day: Int) throws {
    let rows = try PageData(.treasury, record, day: day).rows("payout_ledger")
    #expect(rows.count == record.payouts.count + 1)
    var (count, total): (Int64, Int64) = (0, 0)
    for line in record.payouts {
      count += series(record, "ledger.\(line.type).count", day) ?? 0
      total += series(record, "ledger.\(line.type).total", day) ?? 0
    }
    let rules = ProgrammeRules()
    let types = PayoutType.all(rules.prizes)
    for (line, row) in zip(record.payouts, rows) {
      let type = try #require(types.first { $0.id(rules.prizes) == line.type })
      let amount = series(record, "ledger.\(line.type).total", day) ?? 0
      #expect(row["type"] as? String == type.label(rules))
      #expect(row["count"] as? Int64 == series(record, "ledger.\(line.type).count", day))
      #expect(row["total_micro"] as? Int64 == amount)
      let share = try #require(row["share_bp"] as? Int64)
      let error = abs(share * total - amount * 10_000)
      #expect(error < max(total, 1))
    }
    let shares = rows.dropLast().compactMap { $0["share_bp"] as? Int64 }.reduce(0, +)
    #expect(shares == (total == 0 ? 0 : 10_000))
    #expect(rows.last?["type"] as? String == "Total")
    #expect(rows.last?["count"] as? Int64 == count)
    #expect(rows.last?["total_micro"] as? Int64 == total)
    // What people read is rounded to tenths, and adds up, too.
    let asOf = try InsightsAsOf(record, at: record.days[day].date.description)
    for block in Insights.page(.treasury, asOf).blocks where block.key == "payout_ledger" {
      guard case .table(let table) = block.body else { continue }
      let shown = table.shownRows.compactMap { row -> Int64? in
        if case .number(let share) = row[3] { share } else { nil }
      }
      #expect(shown.count == record.payouts.count && shown.allSatisfy { $0 % 10 == 0 })
      #expect(shown.reduce(0, +) == (total == 0 ? 0 : 10_000))
    }
    let guarantee = try PageData(.comps, record, day: day)
    #expect(
      guarantee.number("guarantees", "paid") == series(record, "ledger.guarantee.count", day))
  }

  @Test("Rates are quotients of their counts, rounded half up")
  func rates() throws {
    let page = try PageData(.systems, record, day: 45)
    func rate(_ part: String, _ whole: String) throws -> Int64 {
      let (a, b) = (series(record, part, 45), series(record, whole, 45))
      return Int64((Double(try #require(a)) * 10_000 / Double(try #require(b))).rounded())
    }
    #expect(
      page.number("pipeline", "success_rate_bp")
        == (try rate("payouts.succeeded", "payouts.attempts")))
    #expect(
      page.number("scan_velocity", "error_rate_bp")
        == (try rate("day.scans.refused", "day.scans.submitted")))
    let social = try PageData(.overview, record, day: 45)
    #expect(
      social.number("social", "translation_hit_rate_bp")
        == (try rate("social.translation_hits", "social.translations")))
  }

  @Test("The heat map holds every scan of the last 90 days once", arguments: days)
  func heat(day: Int) throws {
    let rows = try PageData(.systems, record, day: day).rows("scan_heat")
    let hours = rows.map { $0["scans"] as? [Int64] ?? [] }
    let shown = record.days[max(0, day - 89)...day]
    #expect(hours.joined().reduce(0, +) == shown.reduce(0) { $0 + $1.acceptedScans })
    #expect(rows.reduce(0) { $0 + ($1["days"] as? Int ?? 0) } == shown.count)
    let sundays = shown.filter { $0.date.weekday == 6 }
    #expect(
      hours[6][12] == sundays.reduce(0) { $0 + $1.acceptedScans / 24 + $1.acceptedScans % 24 })
    #expect(hours[6][0] == sundays.reduce(0) { $0 + $1.acceptedScans / 24 })
  }

  @Test("Tiers are those of the day", arguments: days)
  func tiers(day: Int) throws {
    let rows = try PageData(.systems, record, day: day).rows("tiers")
    #expect(rows.map { $0["members"] as? Int64 } == record.days[day].tiers.all)
  }
}
