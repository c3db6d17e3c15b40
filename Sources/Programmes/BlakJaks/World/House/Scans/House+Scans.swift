internal import EventKernel
internal import Quantities
internal import RewardModel

/// What the cells handed over after a window besides their harvests.
struct WindowYield: Sendable {
  let window: Window
  var sums: CellTally
}

// What becomes of a window's scans. It asks the cells for nothing, so that the next window's may run
// meanwhile.
extension House {
  /// Takes over what the cells counted and gathered, and leaves them empty lists to fill.
  mutating func takeHarvest(_ cells: UnsafeMutableBufferPointer<Cell>) -> CellTally {
    var sums = CellTally(hasExtras: hasExtras)
    for index in cells.indices where cells[index].hasNews {
      sums.add(cells[index].tally)
      swap(&cells[index].harvest, &harvests[index])
    }
    return sums
  }

  /// Enters what the cells gathered in a window.
  mutating func enterHarvest(_ yield: inout WindowYield) throws {
    byMinute.take(harvests, of: yield.window, next.rewards, &yield.sums.overflow)
    for index in harvests.indices {
      for happening in harvests[index].happenings { chronicle.dashboard.feed.tell(happening) }
      for row in harvests[index].referrals {
        referredMembers += 1
        guard !isActive[Int(row)] else { continue }
        isActive[Int(row)] = true
        activeAffiliates += 1
      }
    }
    chronicle.today.signUps += yield.sums.signUps
    chronicle.today.purchases += yield.sums.purchases
    velocity.enter(byMinute, yield.window, calendar, hours: &chronicle.dashboard.hours)
  }

  /// Refuses sums that left their range, and counts what was submitted.
  mutating func checkSums(_ yield: WindowYield) throws {
    guard !yield.sums.overflow.happened else {
      throw MoneyError.overflow("the money of one window")
    }
    guard !yield.sums.chipsOverflowed else { throw RunLimit.chipsOfOneMonth }
    chronicle.today.submitted += yield.sums.outcomes.total
  }

  /// Lets the rules conclude the window's scans and guarantees, and wholesale accounts trade. What the
  /// cells gathered is then forgotten.
  ///
  /// - Returns: What was won.
  /// - Throws: `MoneyError.overflow`.
  mutating func conclude(
    _ yield: WindowYield, _ members: inout some WorldDirectory
  ) throws(MoneyError) -> [Win] {
    let won =
      yield.sums.outcomes[.accepted] > 0 ? try concludeScans(yield, &members) : []
    if yield.sums.looks > 0 { try settleGuarantees(after: lateWins + won, &members) }
    for index in harvests.indices { harvests[index].removeAll() }
    events += try partners.trade(yield.window, &programme, &chronicle.dashboard.feed, journal)
    return won
  }

  /// Lets the rules conclude the window's accepted scans.
  private mutating func concludeScans(
    _ yield: WindowYield, _ members: inout some WorldDirectory
  ) throws(MoneyError) -> [Win] {
    // Lent as they are: a copy would be kept beside each list that changes.
    var (lent, handed) = (ScansByMinute(), [CellHarvest]())
    swap(&lent, &byMinute)
    swap(&handed, &harvests)
    let runs = RewardRuns(
      next.rewards, programme.books.desk, programme.books.rules.payouts, origin: calendar.start,
      from: yield.window.start, keepsReceivers: hasWallets, numbersAll: journal != nil)
    var batch = WindowScans(
      yield.window, harvests: handed, accepted: yield.sums.scans, byMinute: lent, runs: runs)
    (lent, handed) = (ScansByMinute(), [])
    var won: [Win] = []
    try programme.conclude(&batch, &members, draws: draws, wins: &won)
    swap(&batch.byMinute, &byMinute)
    swap(&batch.harvests, &harvests)
    try chronicle.dashboard.feed.tell(won, programme) { String($0 + 1) }
    for win in won {
      wins.append(win.time)
      winners?.append(win.member)
      let prize = programme.board.prizes[win.award.prize]
      compsByTier[win.tier] += prize.amount.microunits
      if prize.kind == .trip { members.noteTrip(prize.amount, to: win.member) }
      chronicle.enter(
        win.award, prize: prize, time: win.time, member: String(win.member + 1))
    }
    return won
  }

  /// Tops up the members whose guarantees were looked at, in the order of the looks.
  private mutating func settleGuarantees(
    after won: [Win], _ members: inout some WorldDirectory
  ) throws(MoneyError) {
    let looks = harvests.flatMap(\.looks).sorted { ($0.time, $0.member) < ($1.time, $1.member) }
    let topUps = try programme.conclude(looks, after: won, &members)
    for (look, topUp) in zip(looks, topUps) {
      compsByTier[look.tier] = try MicroUSDT(microunits: compsByTier[look.tier])
        .adding(topUp).microunits
    }
  }
}
