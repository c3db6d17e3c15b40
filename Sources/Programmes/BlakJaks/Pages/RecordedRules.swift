internal import Quantities
internal import RewardModel

extension ProgrammeRules {
  /// The rules of a run, as far as its pages need them, as the settings in its record say them:
  /// the one place that reads them back. What is not there has its default.
  init(recordedIn record: BlakJaksRecord) {
    self.init()
    prizes = record.prizes.map(\.prize)
    let settings = RecordedSettings(record.header)
    settings.share("rules.comp_pool.share", &compPool.share)
    settings.share("rules.comp_pool.affiliate_share", &compPool.affiliateShare)
    settings.word("rules.comp_pool.recognition", &compPool.recognition)
    let charges: [(String, WritableKeyPath<PayoutCharges, ChargeAccount>)] = [
      ("scan_reward", \.scanReward), ("crypto", \.crypto), ("casino", \.casino), ("trip", \.trip),
      ("guarantee", \.guarantee), ("match", \.match), ("pool", \.pool), ("wholesale", \.wholesale),
      ("chips", \.chips),
    ]
    for (name, path) in charges {
      settings.word("rules.comp_pool.charges.\(name)", &compPool.charges[keyPath: path])
    }
    settings.share("rules.budget_health.warning", &health.warning)
    settings.share("rules.budget_health.critical", &health.critical)
    settings.share("rules.affiliates.match", &affiliates.match)
    settings.flag("rules.affiliates.weekly_pool", &affiliates.weeklyPool)
    settings.flag("rules.guarantee.enabled", &guarantee.enabled)
    if let amount = settings.decimal("rules.guarantee.amount", places: 6) {
      guarantee.amount = MicroUSDT(microunits: amount)
    }
    settings.flag("rules.sunset.enabled", &sunset.enabled)
    if let threshold = settings.decimal("rules.sunset.threshold", places: 0) {
      sunset.threshold = threshold
    }
  }
}

/// The settings of a record by path, read in their canonical spelling.
private struct RecordedSettings {
  private let values: [String: String]

  init(_ header: RunHeader) {
    values = Dictionary(header.settings.map { ($0.path, $0.value) }, uniquingKeysWith: { $1 })
  }

  func flag(_ path: String, _ value: inout Bool) {
    if let text = values[path] { value = text == "true" }
  }

  func word<Value: RawRepresentable<String>>(_ path: String, _ value: inout Value) {
    value = values[path].flatMap(Value.init) ?? value
  }

  func share(_ path: String, _ value: inout BasisPoints) {
    guard values[path]?.hasSuffix("%") == true, let number = decimal(path, places: 2) else {
      return
    }
    value = BasisPoints(number)
  }

  /// A decimal number times 10 to the power of `places`, read exactly; a percent sign is ignored.
  func decimal(_ path: String, places: Int) -> Int64? {
    guard let text = values[path]?.filter({ $0 != " " && $0 != "%" }), !text.isEmpty else {
      return nil
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let decimals = parts.count == 2 ? String(parts[1]) : ""
    guard parts.count <= 2, decimals.utf8.count <= places,
      (parts[0] + decimals).utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int64(parts[0] + decimals + String(repeating: "0", count: places - decimals.utf8.count))
  }
}

extension BlakJaksRecord {
  /// What a line of the payout ledger was for: the one place that reads it from the line's name.
  ///
  /// - Returns: Nil for a line that this version does not know.
  func type(of row: PayoutRow) -> PayoutType? {
    let prizes = prizes.map(\.prize)
    return PayoutType.all(prizes).first { $0.recordName(prizes) == row.type }
  }

  /// What people call a line of the payout ledger under the rules in force.
  func label(of row: PayoutRow, _ rules: ProgrammeRules) -> String {
    type(of: row)?.label(rules) ?? row.type
  }
}
