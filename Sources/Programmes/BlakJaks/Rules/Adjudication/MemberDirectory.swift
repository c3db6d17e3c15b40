package import Quantities

/// How the programme's half of a rule reaches the members whom it concerns.
///
/// A simulation has them in cells, replay and service in one list; the rule is the same.
package protocol MemberDirectory {
  /// Whether somebody keeps what each member receives, as wallets and audits of them do.
  var keepsReceivers: Bool { get }

  /// A member's account.
  func account(of member: UInt32) -> MemberAccount

  /// Whether a member is suspended: what the account says.
  func isSuspended(_ member: UInt32) -> Bool

  /// The member behind a row of the affiliate table.
  func owner(of affiliate: UInt32) -> UInt32

  /// Changes a member's account, with everything that is counted by it.
  mutating func change<Answer>(
    _ member: UInt32, _ body: (inout MemberAccount) throws(MoneyError) -> Answer
  ) throws(MoneyError) -> Answer

  /// Counts a comp that the programme awarded: see `MemberAccount.count(comp:)`.
  ///
  /// - Throws: `MoneyError.overflow`.
  mutating func count(comp: MicroUSDT, to member: UInt32) throws(MoneyError)

  /// Credits an award to a member's wallet, where there are wallets.
  ///
  /// - Throws: `MoneyError.overflow`.
  mutating func credit(
    _ amount: MicroUSDT, _ kind: CreditKind, to member: UInt32, at time: Instant
  ) throws(MoneyError)

  /// Makes a credit of a member's wallet available, where there are wallets.
  mutating func release(_ amount: MicroUSDT, to member: UInt32)

  /// Makes many credits available, each as `release` does.
  mutating func release(_ awards: [Award])

  /// The weight of everybody who may win a draw of a prize now, after all scans of a batch.
  func drawWeight(atLeast tier: Tier) -> Int64

  /// The member at a place among the weights in a draw, in the order of member numbers.
  ///
  /// - Parameters:
  ///   - place: 0 or more, below the sum of the weights.
  ///   - weight: The weight of an account in this draw where it differs from
  ///     `MemberAccount.drawWeight`, by member.
  func member(atLeast tier: Tier, place: Int64, except weight: [UInt32: Int64]) -> UInt32?
}

extension MemberDirectory {
  package var keepsReceivers: Bool { true }

  /// Whether a member is suspended: what the account says.
  package func isSuspended(_ member: UInt32) -> Bool { account(of: member).isSuspended }

  /// Counts a comp in the account.
  package mutating func count(comp: MicroUSDT, to member: UInt32) throws(MoneyError) {
    try change(member) { (account) throws(MoneyError) in try account.count(comp: comp) }
  }

  /// Makes many credits available, one after another.
  package mutating func release(_ awards: [Award]) {
    for award in awards { release(award.amount, to: award.receiver) }
  }
}

/// Where the place of a prize draw comes from: a source of chance that the rules do not own.
package protocol DrawSource: Sendable {
  /// A place, uniform in `0 ..< total`.
  ///
  /// - Parameter total: More than 0.
  func place(of prize: Prize, dueScan: Int64, below total: UInt64) -> UInt64
}

/// What a credit to a member's wallet was for.
package enum CreditKind: String, Sendable, CaseIterable, Codable {
  case scanReward = "scan_reward"
  case comp, guarantee, match, pool
  case chipRedemption = "chip_redemption"
}

/// Accepted scans that are concluded together, in the total order.
package protocol ScanBatch {
  /// How many they are.
  var count: Int64 { get }
  /// The highest tier after any of them.
  var highestTier: Tier { get }
  /// How many postings each account sees for them where anything is set aside.
  var postings: Int64 { get }
  /// Pays the scan rewards above zero, in the total order as far as anybody looks at their numbers.
  mutating func payRewards(_ books: inout ProgrammeBooks) throws(MoneyError)
  /// A scan by its place in the total order, asked for in ascending places and seldom.
  mutating func scan(at place: Int) -> AcceptedScan

  /// How many scans of each member follow a place of the total order within the batch.
  mutating func scans(after place: Int) -> [UInt32: UInt32]

  /// Hands over the affiliate rows of the batch's scans by referred members, list by list.
  func forEachReferral(_ body: ([UInt32]) throws(MoneyError) -> Void) throws(MoneyError)
}

extension ScanBatch {
  /// All of them together.
  package var postings: Int64 { 1 }
}

/// An accepted scan: 16 bytes, with all that the programme's half asks of the member.
package struct AcceptedScan: Sendable, BitwiseCopyable {
  package var time: Instant
  package var member: UInt32
  package var mark: ScanMark

  /// A scan of a member.
  @inline(__always)
  package init(time: Instant, member: UInt32, mark: ScanMark) {
    self.time = time
    self.member = member
    self.mark = mark
  }

  /// The member's effective tier after the scan.
  @inline(__always)
  package var tier: Tier { mark.tier }

  /// What the member's tier is worth in a table by tier; see `ScanMark.value`.
  @inline(__always)
  package func value<Value>(in table: UnsafePointer<Value>) -> Value { mark.value(in: table) }
}

/// Where a member stands at a scan: the effective tier after it, and who referred the member.
package struct ScanMark: Sendable, Equatable, BitwiseCopyable {
  /// The affiliate's row in the lower 30 bits, the tier in the upper 2.
  private let bits: UInt32

  /// - Parameter affiliate: A row of the affiliate table, or `MemberAccount.noAffiliate`.
  @inline(__always)
  package init(tier: Tier, affiliate: UInt32) {
    bits = UInt32(tier.rawValue) << 30 | affiliate
  }

  /// The effective tier.
  @inline(__always)
  package var tier: Tier {
    switch bits >> 30 {
    case 0: .standard
    case 1: .vip
    case 2: .highRoller
    default: .whale
    }
  }

  /// What the tier has in a table of four, lowest tier first: read from where it is, as no case of the tier is
  /// looked at, of which the compiler makes a jump to one place of four.
  @inline(__always)
  package func value<Value>(in table: UnsafePointer<Value>) -> Value { table[Int(bits >> 30)] }

  /// Row of the affiliate; nil where nobody referred the member.
  @inline(__always)
  package var affiliate: UInt32? {
    let row = bits & MemberAccount.noAffiliate
    return row == MemberAccount.noAffiliate ? nil : row
  }
}

/// A milestone comp with its winner.
package struct Win: Sendable, Equatable {
  package var award: MilestoneAward
  package var member: UInt32
  package var time: Instant
  /// The winner's tier.
  package var tier: Tier
  /// The affiliate's match; zero without one.
  package var match: MicroUSDT
  /// The award's id; nil for a prize of nothing.
  package var id: AwardID?

  /// A comp won by a member.
  package init(
    award: MilestoneAward, member: UInt32, time: Instant, tier: Tier, match: MicroUSDT,
    id: AwardID? = nil
  ) {
    self.award = award
    self.member = member
    self.time = time
    self.tier = tier
    self.match = match
    self.id = id
  }
}
