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
  }

  package let outcome: ScanOutcome
  /// Nil unless the scan was accepted.
  package let product: Product?
  /// Scan reward; zero unless the scan was accepted.
  package let earned: MicroUSDT
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
  ///   - awards: The milestone comps that an accepted scan won.
  /// - Throws: `MoneyError.overflow` when the comps' sum leaves 64 bits.
  package init(
    _ outcome: ScanOutcome, product: Product?, standing: MemberStanding, rules: ProgrammeRules,
    reward: MicroUSDT, awards: [MilestoneAward] = []
  ) throws(MoneyError) {
    let isAccepted = outcome == .accepted
    self.outcome = outcome
    self.product = isAccepted ? product : nil
    earned = isAccepted ? reward : .zero
    multiplier = rules.scanReward.multiplier[standing.tier]
    progress = Progress(standing, rules.tiers)
    var won: [Milestone] = []
    var sum = MicroUSDT.zero
    for award in awards where isAccepted {
      let prize = rules.prizes[award.prize]
      sum = try sum.adding(prize.amount)
      won.append(
        Milestone(
          prize: prize.name, amount: prize.amount, dueScan: award.dueScan, wonScan: award.wonScan))
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

extension ScanAnswer {
  /// The answer as one line of JSON, keys in the brief's order, money as exact decimal numbers.
  ///
  /// `product_name` is null unless the scan was accepted; `next_tier` is null for a Whale;
  /// `milestone_hit` is null, or a list, because one scan may win one of each prize.
  package var json: String {
    let name = product.map { JSONWords.quoted($0.name) } ?? "null"
    let next = progress.next.map { JSONWords.quoted($0.key) } ?? "null"
    let hits = milestones.map { milestone in
      "{\"prize\": \(JSONWords.quoted(milestone.prize)), "
        + "\"amount\": \(JSONWords.number(milestone.amount)), "
        + "\"due_scan\": \(milestone.dueScan), \"won_scan\": \(milestone.wonScan)}"
    }
    let tier =
      "{\"tier\": \(JSONWords.quoted(progress.tier.key)), "
      + "\"scans_this_quarter\": \(progress.quarterScans), \"next_tier\": \(next), "
      + "\"scans_needed\": \(progress.scansNeeded)}"
    return [
      "{\"success\": \(outcome == .accepted)",
      "\"product_name\": \(name)",
      "\"usdt_earned\": \(JSONWords.number(earned))",
      "\"tier_multiplier\": \(JSONWords.factor(multiplier))",
      "\"tier_progress\": \(tier)",
      "\"comp_earned\": \(JSONWords.number(compEarned))",
      "\"milestone_hit\": \(hits.isEmpty ? "null" : "[\(hits.joined(separator: ", "))]")}",
    ].joined(separator: ", ")
  }
}

/// Values as JSON writes them.
enum JSONWords {
  /// USDT with at least two decimals and no grouping: `-1234.50`.
  static func number(_ amount: MicroUSDT) -> String {
    amount.formatted(minimumDecimals: 2).filter { $0 != "," }
  }

  /// A ratio with at least two decimals: `1.25`.
  static func factor(_ ratio: BasisPoints) -> String {
    // Basis points of 1 are hundreds of micro-units of 1.
    number(MicroUSDT(microunits: ratio.rawValue * 100))
  }

  /// A JSON string after RFC 8259; control characters are escaped.
  static func quoted(_ text: String) -> String {
    var answer = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": answer += "\\\""
      case "\\": answer += "\\\\"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        answer += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: answer.unicodeScalars.append(scalar)
      }
    }
    return answer + "\""
  }
}
