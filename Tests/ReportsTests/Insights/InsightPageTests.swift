// Goal: the pages stand at the day asked for, say what a run does not model, keep to their schema,
// and show nothing of the future.
// Method: boundaries of days and of the run; a feed and a reconciliation put together anew in the
// obvious way; documents against the schema by a small validator; texts that try to break out.

import BlakJaks
import Foundation
import Quantities
import Reports
import RewardModel
import TestSupport
import Testing

@Suite struct InsightPageTests {
  @Test(
    "A date or an instant names its local day",
    arguments: [
      ("2026-01-01", 0), ("2026-12-31", 364), ("2026-01-01T05:00:00Z", 0),
      ("2026-01-02T04:59:59.999999Z", 0), ("2026-01-02T05:00:00Z", 1),
      ("2026-01-01T23:59:59", 0), ("2026-07-01T00:00:00-04:00", 181),
      // Clocks go forward on 8 March and back on 1 November.
      ("2026-03-09T03:59:59Z", 66), ("2026-03-09T04:00:00Z", 67),
      ("2026-11-02T04:59:59Z", 304), ("2026-11-02T05:00:00Z", 305),
      ("2027-01-01T04:59:59.999999Z", 364), ("2027-01-01T05:00:00Z", 364),
    ])
  func dayOfAnInstant(text: String, row: Int) throws {
    let record = try SampleRun.year()
    let asOf = try InsightsAsOf(record, at: text)
    #expect(asOf.row == row)
    #expect(asOf.day.date == record.days[row].date)
    let calendar = try ProgrammeCalendar(
      zone: record.zone, firstDate: record.days[0].date, days: 365)
    #expect(asOf.instant == calendar.dayStarts[row + 1])
    #expect(try InsightsAsOf(record).row == 364)
  }

  @Test(
    "What is outside the run is refused with the run's range",
    arguments: ["2025-12-31", "2027-01-01", "2026-01-01T04:59:59Z", "2027-01-01T05:00:00.000001Z"])
  func outside(text: String) throws {
    let record = try SampleRun.year()
    let error = try #require(throws: PageError.self) {
      try InsightsAsOf(record, at: text)
    }
    #expect(
      error.description == "\(text) is outside the run, which covers 2026-01-01 to 2026-12-31 "
        + "(America/New_York; 2026-01-01T05:00:00.000000Z to 2027-01-01T05:00:00.000000Z); "
        + "choose a day in it")
  }

  @Test(arguments: ["", "now", "2026-02-30", "2026-1-1", "2026-01-01T25:00:00Z", "2026-01-01x"])
  func malformedInstantsAreRefused(text: String) throws {
    let record = try SampleRun.year(days: 3)
    #expect(throws: PageError.malformed(text)) { try InsightsAsOf(record, at: text) }
  }

  @Test func aRunWithoutDaysOrZoneHasNoPage() throws {
    #expect(throws: PageError.noDays) { try InsightsAsOf(BlakJaksRecord()) }
    var record = try SampleRun.year(days: 2)
    record.zone = "Moon/Base"
    #expect(throws: PageError.unknownZone("Moon/Base")) { try InsightsAsOf(record) }
  }

  @Test func anInterruptedDayEndsWhereTheRunEnded() throws {
    var record = try SampleRun.year(days: 3)
    record.end = Instant(microseconds: record.end.microseconds - 3_600_000_000)
    #expect(try InsightsAsOf(record).instant == record.end)
    #expect(try InsightsAsOf(record, at: "2026-01-02").instant < record.end)
  }

  @Test("Every page keeps to its schema", arguments: InsightPage.allCases)
  func schema(name: InsightPage) throws {
    let value = try JSONSerialization.jsonObject(
      with: Data(PageSchema.text(of: BlakJaksProgramme.self).utf8))
    var root = try #require(value as? [String: Any])
    let choices = try #require(root["oneOf"] as? [[String: String]])
    #expect(choices.count == InsightPage.allCases.count)
    #expect(choices.contains(["$ref": "#/$defs/\(name.rawValue)"]))
    root["oneOf"] = nil
    root["$ref"] = "#/$defs/\(name.rawValue)"
    let own = try JSONSerialization.data(withJSONObject: root)
    let schema = try MiniSchema(String(decoding: own, as: UTF8.self))
    for record in [try SampleRun.yearWithInsights(days: 70), try SampleRun.year(days: 70)] {
      for day in ["2026-01-01", "2026-03-11"] {
        let text = PageJSON.text(Insights.page(name, try InsightsAsOf(record, at: day)))
        #expect(schema.problems(in: text) == [])
        #expect(schema.problems(in: text.replacing("\"page\"", with: "\"leaf\"")) != [])
      }
    }
  }

  @Test("What the run does not model is null, listed, and named with its setting")
  func absence() throws {
    let asOf = try InsightsAsOf(try SampleRun.year(), at: "2026-05-05")
    let expected: [(InsightPage, String, String?)] = [
      (.overview, "programme.active_members", nil),
      (.overview, "shop.orders", "rules.shop.enabled"),
      (.overview, "streams", "population.chat.enabled"), (.treasury, "payout_ledger", nil),
      (.treasury, "wallets.member_micro", nil),
      (.treasury, "transactions", "population.wallet.enabled"),
      (.systems, "vault.liability_micro", "rules.chips.enabled"), (.systems, "scan_heat", nil),
      (.systems, "vault_history", "rules.chips.enabled"),
      (.partners, "sunset.status", "rules.sunset.enabled"),
      (.partners, "wholesale.comps", "rules.wholesale.accounts"),
    ]
    for (name, figure, setting) in expected {
      let page = Insights.page(name, asOf)
      let document = try #require(
        JSONSerialization.jsonObject(with: Data(PageJSON.text(page).utf8)) as? [String: Any])
      let missing = try #require(document["not_in_this_run"] as? [[String: Any]])
      let row = try #require(missing.first { $0["figure"] as? String == figure }, "\(figure)")
      #expect(row["setting"] as? String == setting)
      var value: Any? = document["data"]
      for key in figure.split(separator: ".") { value = (value as? [String: Any])?[String(key)] }
      #expect(value is NSNull, "\(figure)")
      let text = PageText.text(page)
      #expect(text.contains("not in this run"))
      if let setting { #expect(text.replacing("\n", with: " ").contains("\(setting) switches")) }
    }
    let complete = try InsightsAsOf(try SampleRun.yearWithInsights(), at: "2026-05-05")
    for name in InsightPage.allCases {
      let page = Insights.page(name, complete)
      #expect(PageJSON.text(page).contains("\"not_in_this_run\": []"), "\(name)")
      #expect(!PageText.text(page).contains("not in this run"), "\(name)")
    }
  }

  @Test("A rule that is switched off is not in the run, and its setting is named")
  func switchedOff() throws {
    var record = try SampleRun.year()
    record.settings = [
      RunHeader.SettingRow(path: "rules.guarantee.enabled", value: "false", mark: "set"),
      RunHeader.SettingRow(path: "rules.affiliates.weekly_pool", value: "false", mark: "set"),
    ]
    let asOf = try InsightsAsOf(record)
    let comps = PageText.text(Insights.page(.comps, asOf))
    #expect(comps.contains("Topped up, Awarded; rules.guarantee.enabled switches them on"))
    let partners = PageText.text(Insights.page(.partners, asOf))
    #expect(
      partners.replacing("\n", with: " ").contains(
        "Carried over, Accruing; rules.affiliates.weekly_pool switches them on"))
  }

  @Test("Sums of a record whose program began before it say since when they are")
  func sumsSinceTheOpening() throws {
    var record = try SampleRun.yearWithInsights(days: 3)
    func text(_ page: InsightPage) throws -> String {
      PageText.text(Insights.page(page, try InsightsAsOf(record)))
    }
    #expect(try text(.partners).contains("of crypto comps won"))
    for page in InsightPage.allCases { #expect(try !text(page).contains("since 2026-01-01")) }
    record.opening.acceptedScans = 7
    #expect(try text(.partners).contains("of crypto comps won, since 2026-01-01"))
    #expect(try text(.treasury).contains("Payout ledger, since 2026-01-01"))
    #expect(try text(.comps).contains("Prizes, awarded since 2026-01-01"))
    for (page, label) in [
      (.treasury, "Gas paid"), (.systems, "Awarded value"), (.systems, "Paid value"),
      (.systems, "Retries"), (.systems, "Chips issued"), (.comps, "Topped up"),
    ] as [(InsightPage, String)] {
      let line = try text(page).split(separator: "\n").first { $0.hasPrefix(label) }
      #expect(line?.hasSuffix("since 2026-01-01") == true, "\(label): \(line ?? "no line")")
    }
  }

  @Test("The end of a run without daily figures has those that the record holds of its end")
  func theEndWithoutSeries() throws {
    let record = try SampleRun.year()
    let last = try PageData(.partners, record, day: 364)
    #expect(last.number("affiliates", "active") == record.affiliates.active)
    #expect(last.number("floors", "vip") == record.affiliates.floors.vip)
    #expect(last.number("affiliates", "match_paid_micro") == record.affiliates.matchPaid.microunits)
    #expect(try PageData(.partners, record, day: 363).number("affiliates", "active") == nil)
    let ledger = try PageData(.treasury, record, day: 364).rows("payout_ledger")
    #expect(ledger.dropLast().map { $0["count"] as? Int64 } == record.payouts.map(\.count))
    #expect(
      ledger.last?["total_micro"] as? Int64 == record.payoutTotal.total.microunits)
  }

  @Test("The weekly pool was paid on the last Monday, and accrues since the week began")
  func weeklyPool() throws {
    let record = try SampleRun.year()
    // A Thursday, the Sunday after it, and the Monday on which that week's pool is paid.
    for (day, weekday) in [(104, 2), (108, 6), (109, 0)] {
      #expect(record.days[day].date.weekday == weekday)
      let page = try PageData(.partners, record, day: day)
      let monday = day - weekday
      let pools = record.days[...day].count { $0.date.weekday == 0 }
      let last = record.pools[pools - 1]
      #expect(page.text("weekly_pool", "last_paid") == last.time.description)
      #expect(page.number("weekly_pool", "last_amount_micro") == last.paid.microunits)
      #expect(page.number("weekly_pool", "last_holders") == last.holders)
      let profit = record.days[monday...day].reduce(0) { $0 + $1.grossProfit.microunits }
      #expect(page.number("weekly_pool", "accruing_micro") == profit / 20 + last.carry.microunits)
      let paid = record.pools[..<pools].reduce(0) { $0 + $1.paid.microunits }
      #expect(page.number("affiliates", "pool_paid_micro") == paid)
    }
    #expect(try PageData(.partners, record, day: 3).text("weekly_pool", "last_paid") == nil)
  }

  @Test(
    "Reconciliation shows each wallet's latest row and counts its alerts",
    arguments: [0, 49, 99, 364])
  func reconciliation(day: Int) throws {
    let record = try SampleRun.yearWithInsights()
    let rows = try PageData(.treasury, record, day: day).rows("reconciliation")
    #expect(rows.map { $0["wallet"] as? String } == ["member", "affiliate", "wholesale"])
    // Three rows a day, at 05:00.
    let seen = record.reconciliations.prefix(3 * (day + 1))
    for (row, last) in zip(rows, seen.suffix(3)) {
      #expect(row["time"] as? String == last.time.description)
      #expect(row["chain_micro"] as? Int64 == last.chain.microunits)
      #expect(row["difference_micro"] as? Int64 == last.difference.microunits)
      #expect(row["status"] as? String == (last.balanced ? "Balanced" : "Alert"))
      let alerts = seen.count { $0.wallet == last.wallet && !$0.balanced }
      #expect(row["alerts"] as? Int == alerts)
    }
    let health = try PageData(.systems, record, day: day)
    #expect(health.text("reconciliation", "last_sync") == seen.last?.time.description)
    #expect(health.number("reconciliation", "alerts") == Int64(seen.count { !$0.balanced }))
    #expect(
      health.text("reconciliation", "status")
        == (seen.suffix(3).allSatisfy(\.balanced) ? "Balanced" : "Alert"))
  }

  @Test(
    "The feed is the last 20 happenings before the day's end, newest first",
    arguments: [0, 30, 250])
  func feed(day: Int) throws {
    let record = try SampleRun.yearWithInsights()
    let end = try InsightsAsOf(record, at: record.days[day].date.description).instant
    var all: [(time: Instant, kind: String)] = record.awards.map { ($0.time, "award") }
    all += record.pools.map { ($0.time, "pool") }
    all += record.reconciliations.filter { !$0.balanced }.map { ($0.time, "reconciliation") }
    all += record.feed.map { ($0.time, $0.kind) }
    let expected = all.filter { $0.time < end }.map(\.time).sorted(by: >).prefix(20)
    let rows = try PageData(.feed, record, day: day).rows("feed")
    #expect(rows.map { $0["time"] as? String } == expected.map(\.description))
    let partners = try PageData(.partners, record, day: day).rows("partner_feed")
    let own = all.filter { $0.time < end && ["pool", "wholesale"].contains($0.kind) }
    let latest = own.map(\.time).sorted(by: >).prefix(20)
    let times: [String?] = partners.map { $0["time"] as? String }
    #expect(times == latest.map(\.description))
  }

  @Test("What happens at a day's last microsecond is on its page, at midnight on the next one's")
  func theEndOfADayIsExclusive() throws {
    var record = try SampleRun.year(days: 3)
    record.awards = []
    record.pools = []
    let midnight = try InsightsAsOf(record, at: "2026-01-02").instant
    for (offset, rows) in [(Int64(-1), 1), (0, 0)] {
      let time = Instant(microseconds: midnight.microseconds + offset)
      record.awards = [
        BlakJaksRecord.AwardRow(
          award: 1, prize: "Crypto $100", kind: .crypto, amount: .whole(100), dueScan: 1,
          wonScan: 1, time: time, member: "7")
      ]
      record.reconciliations = [
        BlakJaksRecord.ReconciliationRow(
          time: time, wallet: "member", ledger: .zero, chain: .zero, difference: .zero,
          balanced: true)
      ]
      #expect(try PageData(.feed, record, day: 1).rows("feed").count == rows)
      #expect(try PageData(.feed, record, day: 2).rows("feed").count == 1)
      #expect(
        try PageData(.comps, record, day: 1).rows("prizes")[0]["awarded"] as? Int == rows)
      #expect(try PageData(.treasury, record, day: 1).rows("reconciliation").count == rows)
    }
  }

  @Test("A stream, a proposal's votes and a transaction are not told before they happened")
  func nothingOfTheFuture() throws {
    let record = try SampleRun.yearWithInsights()
    let first = try PageData(.overview, record, day: 0)
    #expect(first.rows("streams").isEmpty && first.rows("proposals").isEmpty)
    // Opened on day 1, closed at noon of day 8.
    let open = try #require(try PageData(.overview, record, day: 7).rows("proposals").first)
    #expect(
      open["votes_for"] is NSNull && open["passed"] is NSNull && open["eligible"] as? Int == 90)
    let closed = try PageData(.overview, record, day: 8).rows("proposals")
    #expect(closed.map { $0["votes_for"] as? Int } == [nil, 1])
    let traced = try PageData(.treasury, record, day: 30).rows("transactions")
    let balances: [Int64?] = traced.map { $0["balance_micro"] as? Int64 }
    let expected: [Int64?] = (Int64(11)...30).reversed().map { day in day * 1_000_000 }
    #expect(balances == expected)
  }

  @Test("A traced transaction has the status of the day asked for, as far as the record knows it")
  func statusOfTheDay() throws {
    var record = try SampleRun.yearWithInsights(days: 3)
    let (noon, hash) = (record.start + .hours(12), "0x00")
    record.transactions = [
      ("scan_reward", "confirmed"), ("comp", "pending"), ("withdrawal", "confirmed"),
      ("withdrawal", "failed"),
    ].map { kind, status in
      BlakJaksRecord.TransactionRow(
        time: noon, member: 1, kind: kind, amount: .whole(1), balance: .whole(1), status: status,
        hash: hash)
    }
    func statuses(_ day: Int) throws -> [String?] {
      try PageData(.treasury, record, day: day).rows("transactions").reversed()
        .map { $0["status"] as? String }
    }
    #expect(
      try statuses(1) == ["pending or confirmed", "pending", "confirmed", "failed"])
    #expect(try statuses(2) == ["confirmed", "pending", "confirmed", "failed"])
  }

  @Test("A stream that is on at the run's end has no duration")
  func streamWithoutEnd() throws {
    var record = try SampleRun.yearWithInsights()
    let last = try #require(record.streams.indices.last)
    record.streams[last].end = record.end + .hours(1)
    let rows = try PageData(.overview, record, day: record.days.count - 1).rows("streams")
    #expect(rows.map { $0["duration_us"] is NSNull } == [true, false, false, false, false])
  }
}
