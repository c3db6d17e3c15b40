internal import BlakJaks
internal import GRDB
internal import Quantities
internal import RewardModel

extension RunDatabase {
  /// Reads all rows.
  ///
  /// - Throws: `Unreadable` for a value that no run holds, or errors of GRDB.
  static func record(from database: Database) throws -> BlakJaksRecord {
    var record = BlakJaksRecord()
    try readHeader(&record, from: database)
    record.settings = try rows("setting", database) { row in
      RunHeader.SettingRow(
        path: try row.text("path"), value: try row.text("value"), mark: try row.text("mark"))
    }
    try readSeries(&record, from: database)
    record.prizes = try rows("prize", database) { row in
      BlakJaksRecord.PrizeRow(
        prize: Prize(
          name: try row.text("name"), kind: try row.choice("kind"),
          amount: try row.money("amount_micro"), every: try row.number("every"),
          requiredTier: try row.tier("required_tier"), allocation: try row.choice("allocation")),
        awarded: try row.number("awarded"), waiting: try row.number("waiting"),
        nextDue: try row.number("next_due"), away: try row.number("away"))
    }
    record.awards = try rows("award", order: "award", database) { row in
      BlakJaksRecord.AwardRow(
        award: try row.number("award"), prize: try row.text("prize"),
        kind: try row.choice("kind"), amount: try row.money("amount_micro"),
        dueScan: try row.number("due_scan"), wonScan: try row.number("won_scan"),
        time: try row.instant("time_us"), member: try row.text("member"))
    }
    try readMoney(&record, from: database)
    return record
  }

  private static func readHeader(_ record: inout BlakJaksRecord, from database: Database) throws {
    guard let run = try Row.fetchOne(database, sql: "SELECT * FROM run").map(Fields.init),
      let affiliate = try Row.fetchOne(database, sql: "SELECT * FROM affiliate").map(Fields.init)
    else { throw Unreadable(description: "the run's header is missing") }
    record.scenario = try run.text("scenario")
    record.scenarioDescription = try run.text("description")
    record.source = try run.choice("source")
    guard let seed = UInt64(try run.text("seed")) else {
      throw Unreadable(description: "seed is no whole number of 64 bits")
    }
    record.seed = seed
    record.zone = try run.text("zone")
    record.start = try run.instant("start_us")
    record.end = try run.instant("end_us")
    record.interrupted = try run.number("interrupted") != 0
    record.fingerprint = try run.text("fingerprint")
    record.members = try run.number("members")
    record.refusedUnderAge = try run.number("refused_under_age")
    record.acceptedScans = try run.number("accepted_scans")
    record.tinsSold = try run.number("tins_sold")
    record.tinsSoldInShop = try run.number("tins_sold_in_shop")
    record.events = try run.number("events")
    record.tiers = try run.tiers()
    record.timing.wallSeconds = try run.row.decode(Double.self, forColumn: "wall_seconds")
    record.timing.threads = Int(try run.number("threads"))
    record.timing.peakMemoryBytes = try run.number("peak_memory_bytes")
    record.affiliates.active = try affiliate.number("active")
    record.affiliates.referred = try affiliate.number("referred")
    record.affiliates.chipsIssued = try affiliate.number("chips_issued")
    record.affiliates.chipsUnexpired = try affiliate.number("chips_unexpired")
    record.affiliates.matchPaid = try affiliate.money("match_paid_micro")
    record.affiliates.poolPaid = try affiliate.money("pool_paid_micro")
    record.affiliates.floors = try affiliate.tiers(prefix: "floor_")
    record.outcomes = try rows("outcome", database) { row in
      BlakJaksRecord.NamedCount(name: try row.text("outcome"), count: try row.number("count"))
    }
  }

  private static func readSeries(_ record: inout BlakJaksRecord, from database: Database) throws {
    record.days = try rows("day", database) { row in
      let text = try row.text("date")
      guard let date = CivilDate(text) else {
        throw Unreadable(description: "'\(text)' is no date")
      }
      var day = BlakJaksRecord.DayRow(date: date)
      day.signups = try row.number("signups")
      day.members = try row.number("members")
      day.purchases = try row.number("purchases")
      day.tinsSold = try row.number("tins_sold")
      day.submitted = try row.number("submitted")
      day.acceptedScans = try row.number("accepted_scans")
      day.tiers = try row.tiers()
      day.grossProfit = try row.money("gross_profit_micro")
      day.spendCash = try row.money("spend_cash_micro")
      day.spendAccrual = try row.money("spend_accrual_micro")
      day.projectedBasisPoints = try row.optionalNumber("projected_bp")
      day.status = try row.status("status")
      return day
    }
    record.months = try rows("month", database) { row in
      var month = BlakJaksRecord.MonthRow(month: try row.text("month"))
      month.tinsSold = try row.number("tins_sold")
      month.acceptedScans = try row.number("accepted_scans")
      month.grossProfit = try row.money("gross_profit_micro")
      month.budget = try row.money("budget_micro")
      month.spendCash = try row.money("spend_cash_micro")
      month.spendAccrual = try row.money("spend_accrual_micro")
      month.utilisationBasisPoints = try row.optionalNumber("utilisation_bp")
      month.status = try row.status("status")
      return month
    }
    record.quarters = try rows("quarter", database) { row in
      BlakJaksRecord.QuarterRow(quarter: try row.text("quarter"), tiers: try row.tiers())
    }
  }

  private static func readMoney(_ record: inout BlakJaksRecord, from database: Database) throws {
    record.payouts = try rows("payout", database) { row in
      BlakJaksRecord.PayoutRow(
        type: try row.text("type"), count: try row.number("count"),
        total: try row.money("total_micro"), shareBasisPoints: try row.number("share_bp"))
    }
    record.pools = try rows("pool", database) { row in
      BlakJaksRecord.PoolRow(
        time: try row.instant("time_us"), pool: try row.money("pool_micro"),
        chips: try row.number("chips"), holders: try row.number("holders"),
        paid: try row.money("paid_micro"), carry: try row.money("carry_micro"))
    }
    record.accounts = try rows("account", database) { row in
      BlakJaksRecord.AccountRow(
        account: try row.text("account"), balance: try row.money("balance_micro"),
        postings: try row.number("postings"))
    }
  }

  /// All rows of a table in the order of a column.
  static func rows<Value>(
    _ table: String, order: String = "position", _ database: Database,
    _ make: (Fields) throws -> Value
  ) throws -> [Value] {
    var values: [Value] = []
    let cursor = try Row.fetchCursor(database, sql: "SELECT * FROM \(table) ORDER BY \(order)")
    while let row = try cursor.next() { values.append(try make(Fields(row: row))) }
    return values
  }

  /// A value in the file that no run holds.
  struct Unreadable: Error, CustomStringConvertible {
    var description: String
  }

  /// The fields of one row; a missing one or one of another type is an error, not a stop.
  struct Fields {
    let row: Row

    func number(_ name: String) throws -> Int64 { try row.decode(Int64.self, forColumn: name) }

    func optionalNumber(_ name: String) throws -> Int64? {
      try row.decode(Int64?.self, forColumn: name)
    }

    func text(_ name: String) throws -> String { try row.decode(String.self, forColumn: name) }

    func money(_ name: String) throws -> MicroUSDT { MicroUSDT(microunits: try number(name)) }

    func instant(_ name: String) throws -> Instant { Instant(microseconds: try number(name)) }

    func choice<Choice: RawRepresentable<String>>(_ name: String) throws -> Choice {
      let text = try text(name)
      guard let choice = Choice(rawValue: text) else {
        throw Unreadable(description: "\(name) is '\(text)', which is none of its values")
      }
      return choice
    }

    func status(_ name: String) throws -> BudgetStatus? {
      try row.decode(String?.self, forColumn: name) == nil ? nil : choice(name)
    }

    func tier(_ name: String) throws -> Tier {
      let key = try text(name)
      guard let tier = Tier.allCases.first(where: { $0.key == key }) else {
        throw Unreadable(description: "\(name) is '\(key)', which is no tier")
      }
      return tier
    }

    func tiers(prefix: String = "") throws -> PerTier<Int64> {
      var counts = PerTier<Int64>(repeating: 0)
      for tier in Tier.allCases { counts[tier] = try number(prefix + tier.key) }
      return counts
    }
  }
}
