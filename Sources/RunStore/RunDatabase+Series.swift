internal import BlakJaks
internal import GRDB
internal import Quantities

extension RunDatabase {
  /// The tables that version 2 of the schema added.
  static let seriesSchema = """
    CREATE TABLE series (
      position INTEGER NOT NULL PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      unit TEXT NOT NULL CHECK (unit IN ('count', 'money', 'micros', 'basis_points', 'flag'))
    ) STRICT;
    CREATE TABLE series_value (
      series INTEGER NOT NULL REFERENCES series (position),
      day INTEGER NOT NULL REFERENCES day (position),
      value INTEGER, -- NULL where the figure is not defined
      PRIMARY KEY (series, day)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE scan_hour (
      day INTEGER NOT NULL REFERENCES day (position),
      hour INTEGER NOT NULL CHECK (hour BETWEEN 0 AND 23), -- local
      scans INTEGER NOT NULL, -- accepted
      PRIMARY KEY (day, hour)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE reconciliation (
      position INTEGER NOT NULL PRIMARY KEY,
      time_us INTEGER NOT NULL,
      wallet TEXT NOT NULL,
      ledger_micro INTEGER NOT NULL,
      chain_micro INTEGER NOT NULL,
      difference_micro INTEGER NOT NULL, -- chain less ledger
      balanced INTEGER NOT NULL CHECK (balanced IN (0, 1))
    ) STRICT;
    CREATE TABLE feed (
      position INTEGER NOT NULL PRIMARY KEY,
      time_us INTEGER NOT NULL,
      kind TEXT NOT NULL,
      text TEXT NOT NULL
    ) STRICT;
    CREATE TABLE wallet_transaction (
      position INTEGER NOT NULL PRIMARY KEY,
      time_us INTEGER NOT NULL,
      member INTEGER NOT NULL,
      kind TEXT NOT NULL,
      amount_micro INTEGER NOT NULL, -- negative when it leaves the wallet
      balance_micro INTEGER NOT NULL, -- after it
      status TEXT NOT NULL CHECK (status IN ('pending', 'confirmed', 'failed')),
      hash TEXT NOT NULL
    ) STRICT;
    CREATE TABLE stream (
      position INTEGER NOT NULL PRIMARY KEY,
      start_us INTEGER NOT NULL,
      end_us INTEGER NOT NULL,
      peak_viewers INTEGER NOT NULL,
      unique_viewers INTEGER NOT NULL,
      messages INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE proposal (
      position INTEGER NOT NULL PRIMARY KEY,
      opened_us INTEGER NOT NULL,
      closed_us INTEGER, -- NULL while it is open
      votes_for INTEGER NOT NULL,
      votes_against INTEGER NOT NULL,
      eligible INTEGER NOT NULL,
      passed INTEGER NOT NULL CHECK (passed IN (0, 1))
    ) STRICT;
    """

  /// Inserts the rows of `seriesSchema`. The days stand already.
  static func insertDailyFigures(_ record: BlakJaksRecord, into database: Database) throws {
    var series = try Table(database, "series", columns: 3)
    var value = try Table(database, "series_value", columns: 3)
    for (position, row) in record.series.enumerated() {
      try series.insert([position, row.key, row.unit.rawValue])
      for (day, number) in row.values.enumerated() { try value.insert([position, day, number]) }
    }
    var hour = try Table(database, "scan_hour", columns: 3)
    for (day, row) in record.scanHours.enumerated() {
      for (number, scans) in row.enumerated() { try hour.insert([day, number, scans]) }
    }
    var reconciliation = try Table(database, "reconciliation", columns: 7)
    for (position, row) in record.reconciliations.enumerated() {
      try reconciliation.insert([
        position, row.time.microseconds, row.wallet, row.ledger.microunits, row.chain.microunits,
        row.difference.microunits, row.balanced,
      ])
    }
    try insertHappenings(record, into: database)
  }

  private static func insertHappenings(_ record: BlakJaksRecord, into database: Database) throws {
    var feed = try Table(database, "feed", columns: 4)
    for (position, row) in record.feed.enumerated() {
      try feed.insert([position, row.time.microseconds, row.kind, row.text])
    }
    var transaction = try Table(database, "wallet_transaction", columns: 8)
    for (position, row) in record.transactions.enumerated() {
      try transaction.insert([
        position, row.time.microseconds, row.member, row.kind, row.amount.microunits,
        row.balance.microunits, row.status, row.hash,
      ])
    }
    var stream = try Table(database, "stream", columns: 6)
    for (position, row) in record.streams.enumerated() {
      try stream.insert([
        position, row.start.microseconds, row.end.microseconds, row.peakViewers,
        row.uniqueViewers, row.messages,
      ])
    }
    var proposal = try Table(database, "proposal", columns: 7)
    for (position, row) in record.proposals.enumerated() {
      try proposal.insert([
        position, row.opened.microseconds, row.closed?.microseconds, row.votesFor,
        row.votesAgainst, row.eligible, row.passed,
      ])
    }
  }

  /// Reads the rows of `seriesSchema` behind those of version 1.
  static func readDailyFigures(_ record: inout BlakJaksRecord, from database: Database) throws {
    var series = try rows("series", database) { row in
      BlakJaksRecord.Series(key: try row.text("key"), unit: try row.choice("unit"), values: [])
    }
    _ = try rows("series_value", order: "series, day", database) { row in
      let (place, day) = (try row.number("series"), try row.number("day"))
      guard series.indices.contains(Int(place)),
        series[Int(place)].values.count == Int(day)
      else { throw Unreadable(description: "series \(place) lacks a day before day \(day)") }
      series[Int(place)].values.append(try row.optionalNumber("value"))
    }
    record.series = series
    var hours: [[Int64]] = []
    _ = try rows("scan_hour", order: "day, hour", database) { row in
      let (day, hour) = (Int(try row.number("day")), Int(try row.number("hour")))
      if hour == 0 { hours.append([]) }
      guard hours.count == day + 1, hours[day].count == hour else {
        throw Unreadable(description: "day \(day) lacks an hour before hour \(hour)")
      }
      hours[day].append(try row.number("scans"))
    }
    record.scanHours = hours
    record.reconciliations = try rows("reconciliation", database) { row in
      BlakJaksRecord.ReconciliationRow(
        time: try row.instant("time_us"), wallet: try row.text("wallet"),
        ledger: try row.money("ledger_micro"), chain: try row.money("chain_micro"),
        difference: try row.money("difference_micro"), balanced: try row.number("balanced") != 0)
    }
    try readHappenings(&record, from: database)
  }

  private static func readHappenings(_ record: inout BlakJaksRecord, from database: Database) throws
  {
    record.feed = try rows("feed", database) { row in
      BlakJaksRecord.FeedRow(
        time: try row.instant("time_us"), kind: try row.text("kind"), text: try row.text("text"))
    }
    record.transactions = try rows("wallet_transaction", database) { row in
      BlakJaksRecord.TransactionRow(
        time: try row.instant("time_us"), member: try row.number("member"),
        kind: try row.text("kind"), amount: try row.money("amount_micro"),
        balance: try row.money("balance_micro"), status: try row.text("status"),
        hash: try row.text("hash"))
    }
    record.streams = try rows("stream", database) { row in
      BlakJaksRecord.StreamRow(
        start: try row.instant("start_us"), end: try row.instant("end_us"),
        peakViewers: try row.number("peak_viewers"),
        uniqueViewers: try row.number("unique_viewers"), messages: try row.number("messages"))
    }
    record.proposals = try rows("proposal", database) { row in
      BlakJaksRecord.ProposalRow(
        opened: try row.instant("opened_us"),
        closed: try row.optionalNumber("closed_us").map { Instant(microseconds: $0) },
        votesFor: try row.number("votes_for"), votesAgainst: try row.number("votes_against"),
        eligible: try row.number("eligible"), passed: try row.number("passed") != 0)
    }
  }
}

extension BlakJaksRecord {
  /// Why the daily figures cannot be stored, in words; nil when they can.
  ///
  /// Every series has one value a day, every key and every hour of a day occurs once.
  var problemOfDailyFigures: String? {
    var keys: Set<String> = []
    for row in series {
      if row.values.count != days.count {
        return "series '\(row.key)' has \(row.values.count) values for \(days.count) days"
      }
      if !keys.insert(row.key).inserted { return "series '\(row.key)' stands there twice" }
    }
    guard scanHours.isEmpty || scanHours.count == days.count else {
      return "scans by hour are there for \(scanHours.count) of \(days.count) days"
    }
    if let day = scanHours.firstIndex(where: { $0.count != 24 }) {
      return "day \(days[day].date) has \(scanHours[day].count) hours of scans"
    }
    return nil
  }
}
