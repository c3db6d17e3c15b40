package import Quantities

/// The programme's answer to a submitted code, with the fields of the brief.
package struct ScanAnswer: Sendable, Equatable, Codable {
  /// How far the member has come towards the next tier.
  package struct Progress: Sendable, Equatable, Codable {
    /// The effective tier after the scan.
    package var tier: Tier
    /// Accepted scans this calendar quarter.
    package var quarterScans: UInt32
    /// The tier after the effective one; nil for a Whale.
    package var next: Tier?
    /// Accepted scans of this quarter that `next` still asks for; 0 for a Whale.
    package var scansNeeded: UInt32
  }

  /// A milestone comp that this scan won.
  package struct Milestone: Sendable, Equatable, Codable {
    /// The prize's name.
    package var prize: String
    package var amount: MicroUSDT
    /// The global scan number at which it fell due.
    package var dueScan: Int64
    /// The global scan number of this scan.
    package var wonScan: Int64
    /// Of the award; nil for a prize of nothing.
    package var id: AwardID?
  }

  package let outcome: ScanOutcome
  /// Nil unless the scan was accepted.
  package let product: Product?
  /// Scan reward; zero unless the scan was accepted.
  package let earned: MicroUSDT
  /// Of the reward's award; nil where there is no reward.
  package let rewardID: AwardID?
  /// Multiplier of the scan reward at the effective tier; 10,000 is 1.00.
  package let multiplier: BasisPoints
  package let progress: Progress
  /// In the order of the prizes; empty unless the scan was accepted.
  package let milestones: [Milestone]
  /// Sum of the milestones' amounts.
  package let compEarned: MicroUSDT

  /// - Parameters:
  ///   - outcome: What became of the code.
  ///   - product: What the code's tin holds; nil where nobody knows. It is told with an accepted scan only, so that nobody
  ///     learns from a refusal which codes exist.
  ///   - standing: The member's, after the scan.
  ///   - reward: The scan reward of an accepted scan, after what the guard leaves of it.
  ///   - id: Of the reward's award.
  ///   - wins: The milestone comps that an accepted scan won for its member.
  /// - Throws: `MoneyError.overflow` when the comps' sum leaves 64 bits.
  package init(
    _ outcome: ScanOutcome, product: Product?, standing: MemberStanding, rules: ProgrammeRules,
    reward: MicroUSDT, id: AwardID? = nil, wins: [Win] = []
  ) throws(MoneyError) {
    let isAccepted = outcome == .accepted
    self.outcome = outcome
    self.product = isAccepted ? product : nil
    earned = isAccepted ? reward : .zero
    rewardID = isAccepted ? id : nil
    multiplier = rules.scanReward.multiplier[standing.tier]
    progress = Progress(standing, rules.tiers)
    var won: [Milestone] = []
    var sum = MicroUSDT.zero
    for win in wins where isAccepted {
      let award = win.award
      let prize = rules.prizes[award.prize]
      sum = try sum.adding(prize.amount)
      won.append(
        Milestone(
          prize: prize.name, amount: prize.amount, dueScan: award.dueScan, wonScan: award.wonScan,
          id: win.id))
    }
    milestones = won
    compEarned = sum
  }
}

extension ScanAnswer.Progress {
  /// - Parameter standing: After the scan.
  package init(_ standing: MemberStanding, _ rules: TierRules) {
    tier = standing.tier
    quarterScans = standing.quarterScans
    next = Tier(rawValue: standing.tier.rawValue + 1)
    let threshold: UInt32 =
      switch next {
      case .vip: rules.vip
      case .highRoller: rules.highRoller
      case .whale: rules.whale
      default: 0
      }
    scansNeeded = threshold > quarterScans ? threshold - quarterScans : 0
  }
}
