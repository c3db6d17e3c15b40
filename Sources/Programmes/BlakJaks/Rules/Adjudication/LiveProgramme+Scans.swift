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
    draws: some DrawSource, wins: inout [Win]
  ) throws(MoneyError) {
    let count = batch.accepted.all.reduce(0, +)
    try books.count(scans: count)
    for sum in batch.rewards {
      try books.pay(.scanReward, count: sum.count, total: sum.total, at: sum.time)
    }
    try allotMilestones(&batch, count: count, &members, &wins)
    if board.hasDrawsWaiting { try draw(at: batch.drawTime, &members, draws, &wins) }
    try creditReferrers(batch, &members)
  }

  /// Walks the scans in the total order, stopping only where the board could change.
  private mutating func allotMilestones(
    _ batch: inout some ScanBatch, count: Int64, _ members: inout some MemberDirectory,
    _ wins: inout [Win]
  ) throws(MoneyError) {
    let first = board.scans + 1
    let last = board.scans + count
    let accepted = batch.accepted
    let highest = Tier.allCases.last { accepted[$0] > 0 } ?? .standard
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
      for award in awards { try pay(award, to: scan.member, at: scan.time, &members, &wins) }
      awards.removeAll(keepingCapacity: true)
    }
  }

  private mutating func draw(
    at time: Instant, _ members: inout some MemberDirectory, _ draws: some DrawSource,
    _ wins: inout [Win]
  ) throws(MoneyError) {
    var drawn: [(MilestoneAward, UInt32)] = []
    let directory = members
    board.draw(
      pick: { prize, dueScan in
        let total = directory.drawWeight(atLeast: prize.requiredTier)
        guard total > 0 else { return nil }
        let place = draws.place(of: prize, dueScan: dueScan, below: UInt64(total))
        return directory.member(atLeast: prize.requiredTier, place: Int64(place))
      }, awards: &drawn)
    for (award, member) in drawn { try pay(award, to: member, at: time, &members, &wins) }
  }

  /// Pays a milestone comp and, for crypto won by a referred member, the affiliate's match, unless
  /// the affiliate is suspended.
  private mutating func pay(
    _ award: MilestoneAward, to member: UInt32, at time: Instant,
    _ members: inout some MemberDirectory, _ wins: inout [Win]
  ) throws(MoneyError) {
    let account = members.account(of: member)
    let prize = board.prizes[award.prize]
    var affiliate: UInt32?
    if account.isReferred {
      let owner = members.owner(of: account.affiliate)
      if !members.account(of: owner).isSuspended { affiliate = owner }
    }
    let match = try books.payAward(prize: award.prize, referred: affiliate != nil, at: time)
    if prize.kind != .trip {
      try members.change(member) { (account) throws(MoneyError) in
        try account.count(comp: prize.amount)
      }
    }
    if prize.kind == .crypto { try members.credit(prize.amount, .comp, to: member, at: time) }
    if let affiliate, match > .zero {
      try members.credit(match, .match, to: affiliate, at: time)
    }
    wins.append(
      Win(award: award, member: member, time: time, tier: account.standing.tier, match: match))
  }

  /// Credits the referrers: chips, and one towards the permanent floors for each scan.
  private mutating func creditReferrers(
    _ batch: some ScanBatch, _ members: inout some MemberDirectory
  ) throws(MoneyError) {
    let lot = books.chipLot
    let tiers = books.rules.tiers
    var reached: [(row: Int, floor: Tier)] = []
    try batch.forEachReferral { (rows) throws(MoneyError) in
      books.affiliates.credit(rows, lot: lot) { row, scans in
        if let floor = AffiliateTable.floorReached(referredScans: scans, tiers: tiers) {
          reached.append((row, floor))
        }
      }
    }
    for (row, floor) in reached {
      let owner = members.owner(of: UInt32(row))
      try members.change(owner) { (account) throws(MoneyError) in account.raiseFloor(to: floor) }
    }
  }
}
