package import Quantities
internal import RewardModel

/// The programme at work: money, milestones and the guard, as simulator, replay and service drive
/// them.
package struct LiveProgramme: Sendable, Codable {
  package var books: ProgrammeBooks
  package var board: MilestoneBoard
  /// What a scan pays now, after what the guard leaves of it.
  package private(set) var rewards: ScanRewardTable
  /// Closes the doors to new affiliates when the programme has grown enough.
  package private(set) var sunset: SunsetEngine
  /// Permanent floors reached since midnight, which count from the next one.
  var floorsReached: [FloorReached] = []
  /// Wholesale accounts.
  package private(set) var wholesale: WholesaleDesk

  /// The programme before its first day.
  ///
  /// - Throws: `MoneyError.overflow` when a scan reward leaves 64 bits.
  package init(rules: ProgrammeRules, firstDate: CivilDate) throws(MoneyError) {
    books = try ProgrammeBooks(rules: rules, firstDate: firstDate)
    board = MilestoneBoard(prizes: rules.prizes)
    rewards = try ScanRewardTable(rules.scanReward)
    sunset = SunsetEngine(rules: rules.sunset)
    wholesale = WholesaleDesk(rules: rules.wholesale)
  }

  /// Closes the day, opens the next, raises the permanent floors that were reached, and lets the
  /// guard look at the budget's health: once a day, at local midnight.
  ///
  /// - Throws: `MoneyError.overflow`.
  package mutating func turnDay(_ members: inout some MemberDirectory) throws(MoneyError) {
    try books.turnDay()
    for reached in floorsReached {
      let owner = members.owner(of: reached.affiliate)
      try members.change(owner) { (account) throws(MoneyError) in
        account.raiseFloor(to: reached.floor)
      }
    }
    floorsReached = []
    sunset.closeDay(accepted: books.scansYesterday)
    let guardRules = books.rules.guardPolicy
    let critical = books.health == .critical
    board.deferring = critical && guardRules.policy == .deferMilestones
    rewards = try ScanRewardTable(
      books.rules.scanReward,
      factor: critical && guardRules.policy == .scaleScanReward
        ? guardRules.factor : BasisPoints(10_000))
  }

  /// What every morning at 05:00 brings: on Mondays the weekly pool, then the sunset engine's
  /// check and the treasuries' sweep. The reconciliation follows, once the chain has been read.
  ///
  /// - Parameters:
  ///   - five: The instant.
  ///   - members: Affiliates among them are credited with their shares of the weekly pool.
  /// - Returns: What is to be moved on the chain.
  /// - Throws: `MoneyError.overflow`.
  package mutating func openMorning(
    at five: Instant, _ members: inout some MemberDirectory
  ) throws(MoneyError) -> [ChainTransfer] {
    if books.isMonday {
      let affiliates = members
      let shares = try books.payWeeklyPool(
        at: five,
        isSuspended: { affiliates.isSuspended(affiliates.owner(of: UInt32($0))) },
        owner: { affiliates.keepsReceivers ? affiliates.owner(of: UInt32($0)) : nil })
      for (row, share) in shares where members.keepsReceivers {
        try members.credit(share, .pool, to: members.owner(of: UInt32(row)), at: five)
      }
    }
    sunset.check(at: five)
    return try books.sweep()
  }

  /// Makes the awards available in their receivers' wallets whose payouts were confirmed since the
  /// last call.
  package mutating func releaseCredits(_ members: inout some MemberDirectory) {
    members.release(books.desk.takeConfirmed())
  }

  /// A wholesale account orders: the tins are sold, and it gets the chips and comps that they
  /// bring it.
  ///
  /// - Parameters:
  ///   - account: `0 ..< wholesale.count`.
  ///   - tins: 1 or more.
  /// - Throws: `MoneyError.overflow`.
  package mutating func orderWholesale(
    _ account: Int, tins: Int64, at time: Instant
  ) throws(MoneyError) {
    try books.sellWholesale(tins: tins)
    let earning = try wholesale.order(account, tins: tins)
    try books.pay(.wholesale, count: earning.comps, total: earning.amount, at: time)
  }
}

/// A permanent floor that an affiliate's referred members have just reached.
struct FloorReached: Sendable, Equatable, Codable {
  /// Row in the affiliate table.
  var affiliate: UInt32
  var floor: Tier
}
