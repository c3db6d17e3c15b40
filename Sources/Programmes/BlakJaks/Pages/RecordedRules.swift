internal import Foundation
internal import Quantities
internal import RewardModel

/// The rules of a run as the settings in its record say them: the one place that reads them back.
struct RecordedRules: Sendable {
  private let settings: [String: String]

  init(_ header: RunHeader) {
    settings = Dictionary(
      header.settings.map { ($0.path, $0.value) }, uniquingKeysWith: { $1 })
  }

  /// The comp pool's share of gross profit.
  var poolShare: BasisPoints {
    share("rules.comp_pool.share") ?? CompPoolRules().share
  }

  /// The weekly affiliate pool's share of gross profit.
  var affiliateShare: BasisPoints {
    share("rules.comp_pool.affiliate_share") ?? CompPoolRules().affiliateShare
  }

  /// The affiliates' share of a comp that their referred member won, in words.
  var matchShare: String {
    let share = share("rules.affiliates.match") ?? AffiliateRules().match
    return PageWords.percent(share.rawValue, decimals: share.rawValue % 100 == 0 ? 0 : 2)
  }

  /// How a trip counts in a month's utilisation.
  var recognition: TripRecognition {
    settings["rules.comp_pool.recognition"].flatMap(TripRecognition.init) ?? .accrual
  }

  /// Where the status turns to Warning, in basis points.
  var warningBound: Int64 {
    bound("rules.budget_health.warning") ?? BudgetHealthRules().warning.rawValue
  }

  /// Above which the status is Critical, in basis points.
  var criticalBound: Int64 {
    bound("rules.budget_health.critical") ?? BudgetHealthRules().critical.rawValue
  }

  /// Whether the weekly pool is paid.
  var paysWeeklyPool: Bool { settings["rules.affiliates.weekly_pool"] != "false" }

  /// Whether new members are guaranteed an amount.
  var guarantees: Bool { settings["rules.guarantee.enabled"] != "false" }

  /// The sunset engine's threshold, in words; nil when the run has none.
  var sunsetThreshold: String? { settings["rules.sunset.threshold"] }

  /// Whether a payout is charged to the comp pool.
  ///
  /// - Parameter prizes: The run's prizes, in the order of its rules.
  func chargesCompPool(_ type: PayoutType, prizes: [Prize]) -> Bool {
    let standard = PayoutCharges()
    let (key, charge) =
      switch type {
      case .prize(let row):
        switch prizes[row].kind {
        case .crypto: ("crypto", standard.crypto)
        case .casino: ("casino", standard.casino)
        case .trip: ("trip", standard.trip)
        }
      case .guarantee: ("guarantee", standard.guarantee)
      case .match: ("match", standard.match)
      case .pool: ("pool", standard.pool)
      case .wholesale: ("wholesale", standard.wholesale)
      case .scanReward: ("scan_reward", standard.scanReward)
      case .chipRedemption: ("chips", standard.chips)
      }
    let set = settings["rules.comp_pool.charges.\(key)"].flatMap(ChargeAccount.init)
    return (set ?? charge) == .compPool
  }

  /// A share in basis points, read exactly; nil when it is not there.
  private func share(_ path: String) -> BasisPoints? {
    guard let text = settings[path], text.hasSuffix("%") else { return nil }
    let parts = text.dropLast().split(separator: " ").joined()
      .split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first.flatMap({ Int64($0) }), whole >= 0, parts.count <= 2 else {
      return nil
    }
    let decimals = parts.count == 2 ? String(parts[1]) : ""
    guard decimals.utf8.count <= 2, decimals.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    let padded = Int64(decimals + String(repeating: "0", count: 2 - decimals.utf8.count)) ?? 0
    return BasisPoints(whole * 100 + padded)
  }

  private func bound(_ path: String) -> Int64? {
    share(path).flatMap { $0.rawValue > 0 ? $0.rawValue : nil }
  }
}

extension BlakJaksRecord {
  /// What a line of the payout ledger was for: the one place that reads it from the line's name.
  ///
  /// - Returns: Nil for a line that this version does not know.
  func type(of row: PayoutRow) -> PayoutType? {
    if let prize = prizes.firstIndex(where: { $0.prize.name == row.type }) { return .prize(prize) }
    return PayoutLedger(prizes: []).lines.first { $0.name == row.type }?.type
  }
}
