internal import Population
package import Quantities
internal import RewardModel

/// Collects what a run shows besides money, day by day, and makes the record at its end.
///
/// World and history replay both fill it, so that their records mean the same.
package struct Chronicle: Sendable {
  /// What happened on the current day.
  package struct Day: Sendable, Codable {
    package var signUps: Int64 = 0
    package var purchases: Int64 = 0
    package var submitted: Int64 = 0
  }

  package var today = Day()
  /// The figures of the Insights pages, day by day.
  package var dashboard = Dashboard()
  package private(set) var members: Int64 = 0
  private var rows: [BlakJaksRecord.DayRow] = []
  private var quarters: [BlakJaksRecord.QuarterRow] = []
  private(set) var awards: [BlakJaksRecord.AwardRow] = []
  var streams: [BlakJaksRecord.StreamRow] = []
  var proposals: [BlakJaksRecord.ProposalRow] = []
  /// Transactions of the traced members, in the order in which their wallets took them.
  var notes: [TransactionNote] = []

  /// What changes from window to window.
  struct Saved: Codable {
    fileprivate var today: Day
    fileprivate var dashboard: Dashboard.Saved
    fileprivate var members: Int64
    fileprivate var rows: [BlakJaksRecord.DayRow]
    fileprivate var quarters: [BlakJaksRecord.QuarterRow]
    fileprivate var awards: [BlakJaksRecord.AwardRow]
    fileprivate var streams: [BlakJaksRecord.StreamRow]
    fileprivate var proposals: [BlakJaksRecord.ProposalRow]
    fileprivate var notes: [TransactionNote]
  }

  /// What to save after a window, or where to go on.
  var saved: Saved {
    get {
      Saved(
        today: today, dashboard: dashboard.saved, members: members, rows: rows,
        quarters: quarters, awards: awards, streams: streams, proposals: proposals, notes: notes)
    }
    set {
      today = newValue.today
      dashboard.saved = newValue.dashboard
      members = newValue.members
      rows = newValue.rows
      quarters = newValue.quarters
      awards = newValue.awards
      streams = newValue.streams
      proposals = newValue.proposals
      notes = newValue.notes
    }
  }

  /// Enters a milestone comp.
  package mutating func enter(
    _ award: MilestoneAward, prize: Prize, time: Instant, member: String
  ) {
    awards.append(
      BlakJaksRecord.AwardRow(
        award: Int64(awards.count) + 1, prize: prize.name, kind: prize.kind, amount: prize.amount,
        dueScan: award.dueScan, wonScan: award.wonScan, time: time, member: member))
  }

  /// Closes a day with the tiers at its last instant; closes the quarter where it ends with it.
  ///
  /// - Parameters:
  ///   - date: The day that ends.
  ///   - tiers: Members by effective tier.
  ///   - isLast: Whether the run ends with this day, complete or not.
  package mutating func closeDay(_ date: CivilDate, tiers: PerTier<Int64>, isLast: Bool) {
    members += today.signUps
    var row = BlakJaksRecord.DayRow(date: date)
    row.signups = today.signUps
    row.members = members
    row.purchases = today.purchases
    row.submitted = today.submitted
    row.tiers = tiers
    rows.append(row)
    today = Day()
    dashboard.closeDay()
    let next = date.adding(days: 1)
    if isLast || next.quarter != date.quarter {
      quarters.append(BlakJaksRecord.QuarterRow(quarter: date.quarterLabel, tiers: tiers))
    }
  }

  /// Closes the open quarter of a run that was stopped between two days; one that ended with the last
  /// day has its row already.
  package mutating func closeQuarter() {
    guard let last = rows.last, quarters.last?.quarter != last.date.quarterLabel else { return }
    quarters.append(BlakJaksRecord.QuarterRow(quarter: last.date.quarterLabel, tiers: last.tiers))
  }

  /// The record of a closed run.
  ///
  /// - Parameters:
  ///   - books: After the last day.
  ///   - board: With all awards.
  ///   - calendar: The run's own.
  ///   - seed: The run's seed.
  /// - Throws: `MoneyError.overflow` when the payouts cannot be summed.
  package func record(
    books: ProgrammeBooks, board: MilestoneBoard, calendar: ProgrammeCalendar, seed: UInt64
  ) throws(MoneyError) -> BlakJaksRecord {
    var record = BlakJaksRecord()
    record.rules = books.rules
    record.zone = calendar.zoneName
    record.start = calendar.start
    record.end = calendar.end
    record.members = members
    record.acceptedScans = books.scans
    record.tinsSold = books.tinsSold
    record.tiers = rows.last?.tiers ?? PerTier(repeating: 0)
    record.days = zip(rows, books.days).map { row, day in
      var row = row
      row.enter(day)
      return row
    }
    record.months = books.months.map { month in
      var row = BlakJaksRecord.MonthRow(month: month.label)
      row.tinsSold = month.sums.tinsSold
      row.acceptedScans = month.sums.acceptedScans
      row.grossProfit = month.sums.grossProfit
      row.budget = month.budget
      row.spendCash = month.sums.spendCash
      row.spendAccrual = month.sums.spendAccrual
      row.utilisationBasisPoints = month.utilisationBasisPoints
      row.status = month.status
      return row
    }
    record.quarters = quarters
    record.awards = awards
    try record.enter(books, board)
    record.pools = books.pools.map { BlakJaksRecord.PoolRow($0) }
    record.accounts = LedgerAccount.allCases.map { account in
      BlakJaksRecord.AccountRow(
        account: account.key, balance: books.ledger.balance(account),
        postings: books.ledger.postings(account))
    }
    record.affiliates.chipsIssued = books.affiliates.chipsIssued
    record.affiliates.chipsUnexpired = books.affiliates.chipsHeld
    record.affiliates.matchPaid = books.payouts[.match].total
    record.affiliates.poolPaid = books.payouts[.pool].total
    dashboard.fill(&record)
    record.streams = streams
    record.proposals = proposals
    record.transactions = transactions(books.desk, seed: seed)
    record.reconciliations = books.reconciliations.map { BlakJaksRecord.ReconciliationRow($0) }
    return record
  }

  /// The traced members' transactions. A credit has the id of its award, and is pending until its
  /// payout is confirmed.
  private func transactions(_ desk: PayoutDesk, seed: UInt64) -> [BlakJaksRecord.TransactionRow] {
    struct Credit: Hashable {
      var kind: CreditKind
      var award: Award
    }
    guard !notes.isEmpty else { return [] }
    var unpaid: Set<AwardID> = []
    desk.forEachUnpaid { id, award in
      if award.receiver < desk.tracedMembers { unpaid.insert(id) }
    }
    // Alike credits are a wallet's in the order in which they were promised.
    var ids: [Credit: [AwardID]] = [:]
    for row in desk.traced.reversed() {
      guard let kind = row.id.type.credit(desk.prizes) else { continue }
      ids[Credit(kind: kind, award: row.award), default: []].append(row.id)
    }
    let ordered = notes.sorted {
      ($0.time, $0.member, $0.number) < ($1.time, $1.member, $1.number)
    }
    // A wallet learns of what the house awards in the next window, after what its member did by then.
    var balances: [UInt32: Int64] = [:]
    return ordered.map { note in
      balances[note.member, default: 0] += note.amount
      var row = note.row(seed: seed, balance: balances[note.member] ?? 0)
      guard case .credit(let kind) = note.kind else { return row }
      let award = Award(to: note.member, MicroUSDT(microunits: note.amount), at: note.time)
      let id = ids[Credit(kind: kind, award: award)]?.popLast()
      invariant(id != nil, "a credit of member \(note.member + 1) has no award")
      row.award = id?.text(desk.prizes)
      if id.map(unpaid.contains) ?? false { row.status = "pending" }
      return row
    }
  }
}
