internal import BlakJaks
internal import GRDB
internal import Quantities
internal import RewardModel

extension RunDatabase {
  /// Inserts all rows. The tables are empty.
  static func insert(_ record: BlakJaksRecord, into database: Database) throws {
    try insertHeader(record, into: database)
    var setting = try Table(database, "setting", columns: 4)
    for (position, row) in record.settings.enumerated() {
      try setting.insert([position, row.path, row.value, row.mark])
    }
    try insertSeries(record, into: database)
    // Prizes stand before the awards that refer to them.
    var prize = try Table(database, "prize", columns: 11)
    for (position, row) in record.prizes.enumerated() {
      try prize.insert([
        position, row.prize.name, row.prize.kind.rawValue, row.prize.amount.microunits,
        row.prize.every, row.prize.requiredTier.key, row.prize.allocation.rawValue,
        row.awarded, row.waiting, row.nextDue, row.away,
      ])
    }
    var award = try Table(database, "award", columns: 8)
    for row in record.awards {
      try award.insert([
        row.award, row.prize, row.kind.rawValue, row.amount.microunits, row.dueScan, row.wonScan,
        row.time.microseconds, row.member,
      ])
    }
    try insertMoney(record, into: database)
    try insertDailyFigures(record, into: database)
  }

  private static func insertHeader(_ record: BlakJaksRecord, into database: Database) throws {
    var run = try Table(database, "run", columns: 23)
    let tiers = record.tiers
    try run.insert([
      1, record.scenario, record.scenarioDescription, record.source.rawValue,
      String(record.seed), record.zone, record.start.microseconds, record.end.microseconds,
      record.interrupted, record.fingerprint, record.members, record.refusedUnderAge,
      record.acceptedScans, record.tinsSold, record.tinsSoldInShop, record.events, tiers.standard,
      tiers.vip,
      tiers.highRoller, tiers.whale, record.timing.wallSeconds, record.timing.threads,
      record.timing.peakMemoryBytes,
    ])
    var affiliate = try Table(database, "affiliate", columns: 11)
    let figures = record.affiliates
    try affiliate.insert([
      1, figures.active, figures.referred, figures.chipsIssued, figures.chipsUnexpired,
      figures.matchPaid.microunits, figures.poolPaid.microunits, figures.floors.standard,
      figures.floors.vip, figures.floors.highRoller, figures.floors.whale,
    ])
    var outcome = try Table(database, "outcome", columns: 3)
    for (position, row) in record.outcomes.enumerated() {
      try outcome.insert([position, row.name, row.count])
    }
  }

  private static func insertSeries(_ record: BlakJaksRecord, into database: Database) throws {
    var day = try Table(database, "day", columns: 17)
    for (position, row) in record.days.enumerated() {
      try day.insert([
        position, row.date.description, row.signups, row.members, row.purchases, row.tinsSold,
        row.submitted, row.acceptedScans, row.tiers.standard, row.tiers.vip,
        row.tiers.highRoller, row.tiers.whale, row.grossProfit.microunits,
        row.spendCash.microunits, row.spendAccrual.microunits, row.projectedBasisPoints,
        row.status?.rawValue,
      ])
    }
    var month = try Table(database, "month", columns: 10)
    for (position, row) in record.months.enumerated() {
      try month.insert([
        position, row.month, row.tinsSold, row.acceptedScans, row.grossProfit.microunits,
        row.budget.microunits, row.spendCash.microunits, row.spendAccrual.microunits,
        row.utilisationBasisPoints, row.status?.rawValue,
      ])
    }
    var quarter = try Table(database, "quarter", columns: 6)
    for (position, row) in record.quarters.enumerated() {
      try quarter.insert([
        position, row.quarter, row.tiers.standard, row.tiers.vip, row.tiers.highRoller,
        row.tiers.whale,
      ])
    }
  }

  private static func insertMoney(_ record: BlakJaksRecord, into database: Database) throws {
    var payout = try Table(database, "payout", columns: 5)
    for (position, row) in record.payouts.enumerated() {
      try payout.insert([
        position, row.type, row.count, row.total.microunits, row.shareBasisPoints,
      ])
    }
    var pool = try Table(database, "pool", columns: 7)
    for (position, row) in record.pools.enumerated() {
      try pool.insert([
        position, row.time.microseconds, row.pool.microunits, row.chips, row.holders,
        row.paid.microunits, row.carry.microunits,
      ])
    }
    var account = try Table(database, "account", columns: 4)
    for (position, row) in record.accounts.enumerated() {
      try account.insert([position, row.account, row.balance.microunits, row.postings])
    }
  }

  /// A text that the database cannot hold.
  struct Unstorable: Error {
    var text: String
  }

  /// One prepared insertion in the order of the table's columns.
  struct Table {
    private let statement: Statement

    init(_ database: Database, _ name: String, columns: Int) throws {
      let marks = Array(repeating: "?", count: columns).joined(separator: ", ")
      statement = try database.makeStatement(sql: "INSERT INTO \(name) VALUES (\(marks))")
    }

    /// - Throws: `Unstorable` for a text with a NUL, which SQLite would cut there.
    mutating func insert(_ values: [(any DatabaseValueConvertible)?]) throws {
      for case let text as String in values where text.utf8.contains(0) {
        throw Unstorable(text: text)
      }
      try statement.execute(arguments: StatementArguments(values))
    }
  }
}
