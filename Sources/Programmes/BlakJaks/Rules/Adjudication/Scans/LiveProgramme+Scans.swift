package import Quantities

extension LiveProgramme {
  /// The programme's half of accepted scans: global numbers, the trips' reserve, scan rewards,
  /// milestone comps due, draws, the referrers' credit.
  ///
  /// - Parameters:
  ///   - batch: At least one scan; one alone in a replay, a window's in a simulation.
  ///   - wins: Receives the milestone comps won, in order.
  /// - Throws: `MoneyError.overflow`.
  package mutating func conclude(
    _ batch: inout some ScanBatch, _ members: inout some MemberDirectory,
    draws: any DrawSource, wins: inout [Win]
  ) throws(MoneyError) {
    let count = batch.count
    try books.count(scans: count, postings: batch.postings)
    try batch.payRewards(&books)
    try allotMilestones(&batch, count: count, &members, draws, &wins)
    try creditReferrers(batch, members)
  }

  /// The programme's half of guarantees: tops up what members lack at the instants at which their
  /// guarantees were looked at.
  ///
  /// - Parameters:
  ///   - looks: In any order.
  ///   - wins: Milestone comps that the members' halves did not know yet; those before a look
  ///     count for it.
  /// - Returns: What tops each member up, in the order of `looks`.
  /// - Throws: `MoneyError.overflow`.
  package mutating func conclude(
    _ looks: [GuaranteeLook], after wins: [Win], _ members: inout some MemberDirectory
  ) throws(MoneyError) -> [MicroUSDT] {
    var topUps: [MicroUSDT] = []
    for look in looks { topUps.append(try conclude(look, after: wins, &members)) }
    return topUps
  }

  /// The same of one guarantee.
  mutating func conclude(
    _ look: GuaranteeLook, after wins: [Win] = [], _ members: inout some MemberDirectory
  ) throws(MoneyError) -> MicroUSDT {
    var comps = look.comps
    for win in wins where win.member == look.member && win.time < look.time {
      let prize = board.prizes[win.award.prize]
      if prize.kind != .trip { comps = try comps.adding(prize.amount) }
    }
    let topUp = look.topUp(books.rules.guarantee, comps: comps)
    guard topUp > .zero else { return .zero }
    try members.count(comp: topUp, to: look.member)
    try books.pay(.guarantee, total: topUp, at: look.time, to: look.member)
    try members.credit(topUp, .guarantee, to: look.member, at: look.time)
    return topUp
  }

  /// Walks the scans in the total order, stopping only where the board could change.
  private mutating func allotMilestones(
    _ batch: inout some ScanBatch, count: Int64, _ members: inout some MemberDirectory,
    _ draws: any DrawSource, _ wins: inout [Win]
  ) throws(MoneyError) {
    let first = board.scans + 1
    let last = board.scans + count
    let highest = batch.highestTier
    // Most single scans change nothing.
    if last < board.nextDue, board.lowestWaitingTier.map({ $0 > highest }) ?? true {
      return board.skip(through: last)
    }
    var awards: [MilestoneAward] = []
    while board.scans < last {
      let mayTake = board.lowestWaitingTier.map { $0 <= highest } ?? false
      if !mayTake {
        let stop = min(board.nextDue, last + 1) - 1
        if stop > board.scans { board.skip(through: stop) }
        if board.scans == last { break }
      }
      let number = board.scans + 1
      let scan = batch.scan(at: Int(number - first))
      board.accept(scan: number, tier: scan.tier, awards: &awards)
      for award in awards { try pay(award, to: scan, &members, &wins) }
      awards.removeAll(keepingCapacity: true)
      if board.hasDrawsWaiting {
        try draw(after: scan, at: Int(number - first), of: &batch, &members, draws, &wins)
      }
    }
  }

  /// Draws what waits, among the members as they stood after one scan of the batch.
  private mutating func draw(
    after scan: AcceptedScan, at place: Int, of batch: inout some ScanBatch,
    _ members: inout some MemberDirectory, _ draws: any DrawSource, _ wins: inout [Win]
  ) throws(MoneyError) {
    let tiers = books.rules.tiers
    let later = batch.scans(after: place)
    let directory = members
    func earlier(_ member: UInt32) -> MemberAccount {
      var account = directory.account(of: member)
      account.standing = account.standing.before(later[member] ?? 0, tiers)
      return account
    }
    var drawn: [(MilestoneAward, UInt32)] = []
    board.draw(
      afterScanOf: scan.tier,
      pick: { prize, dueScan in
        let tier = prize.requiredTier
        var total = directory.drawWeight(atLeast: tier)
        var weights: [UInt32: Int64] = [:]
        for member in later.keys {
          let weight = earlier(member).drawWeight(atLeast: tier)
          total += weight - directory.account(of: member).drawWeight(atLeast: tier)
          weights[member] = weight
        }
        guard total > 0 else { return nil }
        let place = draws.place(of: prize, dueScan: dueScan, below: UInt64(total))
        return directory.member(atLeast: tier, place: Int64(place), except: weights)
      }, awards: &drawn)
    for (award, member) in drawn {
      let account = earlier(member)
      let winner = AcceptedScan(
        time: scan.time, member: member,
        mark: ScanMark(tier: account.standing.tier, affiliate: account.affiliate))
      try pay(award, to: winner, &members, &wins)
    }
  }

  /// Pays a milestone comp and, for crypto won by a referred member, the affiliate's match, unless
  /// the affiliate is suspended.
  ///
  /// - Parameter winner: The instant, the member, and the tier and affiliate held there.
  private mutating func pay(
    _ award: MilestoneAward, to winner: AcceptedScan, _ members: inout some MemberDirectory,
    _ wins: inout [Win]
  ) throws(MoneyError) {
    let (time, member) = (winner.time, winner.member)
    let prize = board.prizes[award.prize]
    var affiliate: UInt32?
    if let row = winner.mark.affiliate {
      let owner = members.owner(of: row)
      if !members.isSuspended(owner) { affiliate = owner }
    }
    let match = try books.payAward(
      prize: award.prize, to: member, affiliate: affiliate, at: time)
    if prize.kind != .trip { try members.count(comp: prize.amount, to: member) }
    if prize.kind == .crypto { try members.credit(prize.amount, .comp, to: member, at: time) }
    if let affiliate, match > .zero {
      try members.credit(match, .match, to: affiliate, at: time)
    }
    wins.append(
      Win(
        award: award, member: member, time: time, tier: winner.tier, match: match,
        id: prize.amount > .zero ? books.desk.lastAward(.prize(award.prize)) : nil))
  }

  /// Credits the referrers: chips, and one towards the permanent floors for each scan. A floor that
  /// is reached counts from the next local midnight.
  private mutating func creditReferrers(
    _ batch: some ScanBatch, _ members: some MemberDirectory
  ) throws(MoneyError) {
    let lot = books.chipLot
    let tiers = books.rules.tiers
    var reached: [FloorReached] = []
    try batch.forEachReferral { (rows) throws(MoneyError) in
      books.affiliates.credit(rows, lot: lot) { row, scans in
        if let floor = AffiliateTable.floorReached(referredScans: scans, tiers: tiers) {
          reached.append(FloorReached(affiliate: UInt32(row), floor: floor))
        }
      }
    }
    if !reached.isEmpty { floorsReached += reached }
  }
}
