extension RunSample {
  /// Writes the sample for another process.
  package func pack(into bytes: inout PackedBytes) {
    bytes.put(UInt8(basis == .cash ? 1 : 0))
    bytes.put(bounds.warning)
    bytes.put(bounds.critical)
    bytes.put(months) { $1.pack(into: &$0) }
    bytes.put(spend)
    bytes.put(budget)
    bytes.put(statuses) { $0.put(HealthStatus.code($1)) }
    bytes.put(optionals: projected)
    bytes.put(events) {
      $0.put($1.kind)
      $0.put($1.counts)
    }
    bytes.put(heat)
    bytes.put(cohorts) { $0.put($1) }
    bytes.put(cohortSignUps)
    bytes.put(cash) { $1.pack(into: &$0) }
    bytes.put(optional: members) { $1.pack(into: &$0) }
    bytes.put(controls)
  }

  /// Reads what another process wrote.
  ///
  /// - Throws: `PackedBytes.Broken`.
  package init(unpacking bytes: inout PackedBytes) throws(PackedBytes.Broken) {
    let basis: Basis = try bytes.take(UInt8.self) == 1 ? .cash : .accrual
    self.init(bounds: HealthBounds(warning: try bytes.take(), critical: try bytes.take()))
    self.basis = basis
    months = try bytes.list(Month.init(unpacking:))
    spend = try bytes.take(list: Float.self)
    budget = try bytes.take(list: Float.self)
    statuses = try bytes.list(HealthStatus.status)
    projected = try bytes.optionals(Int64.self)
    events = try bytes.list { (bytes) throws(PackedBytes.Broken) in
      Events(kind: try bytes.text(), counts: try bytes.take(list: Int.self))
    }
    heat = try bytes.take(list: Double.self)
    cohorts = try bytes.list { (bytes) throws(PackedBytes.Broken) in
      try bytes.take(list: Int64.self)
    }
    cohortSignUps = try bytes.take(list: Int64.self)
    cash = try bytes.list(CashAccount.init(unpacking:))
    members = try bytes.optional(MemberValues.init(unpacking:))
    controls = try bytes.take(list: Double.self)
  }
}

extension RunSample.Month {
  fileprivate func pack(into bytes: inout PackedBytes) {
    bytes.put(label)
    bytes.put(spendCash)
    bytes.put(spendAccrual)
    bytes.put(budget)
    bytes.put(HealthStatus.code(status))
    bytes.put(optionals: [utilisation, projected, profit, cost])
  }

  fileprivate init(unpacking bytes: inout PackedBytes) throws(PackedBytes.Broken) {
    self.init(
      label: try bytes.text(), spendCash: try bytes.take(), spendAccrual: try bytes.take(),
      budget: try bytes.take(), status: try HealthStatus.status(&bytes))
    let others = try bytes.optionals(Double.self)
    guard others.count == 4 else { throw PackedBytes.Broken() }
    utilisation = others[0]
    projected = others[1]
    profit = others[2]
    cost = others[3]
  }
}

extension HealthStatus {
  private static let codes: [HealthStatus?] = [nil, .normal, .warning, .critical]

  fileprivate static func code(_ status: HealthStatus?) -> UInt8 {
    UInt8(codes.firstIndex(of: status) ?? 0)
  }

  fileprivate static func status(
    _ bytes: inout PackedBytes
  ) throws(PackedBytes.Broken) -> HealthStatus? {
    let code = Int(try bytes.take(UInt8.self))
    guard codes.indices.contains(code) else { throw PackedBytes.Broken() }
    return codes[code]
  }
}

extension CashAccount {
  fileprivate func pack(into bytes: inout PackedBytes) {
    bytes.put(id)
    bytes.put(title)
    bytes.put(opening)
    bytes.put(months) {
      $0.put($1.end)
      $0.put($1.lowest)
      $0.put($1.lowestDay)
      $0.put($1.short)
    }
  }

  fileprivate init(unpacking bytes: inout PackedBytes) throws(PackedBytes.Broken) {
    self.init(
      id: try bytes.text(), title: try bytes.text(), opening: try bytes.take(),
      months: try bytes.list { (bytes) throws(PackedBytes.Broken) in
        Month(
          end: try bytes.take(), lowest: try bytes.take(), lowestDay: try bytes.take(),
          short: try bytes.take())
      })
  }
}

extension MemberValues {
  fileprivate func pack(into bytes: inout PackedBytes) {
    bytes.put(action)
    bytes.put(groupings) {
      $0.put($1.title)
      $0.put($1.groups) { $0.put($1) }
      $0.put($1.places)
    }
    bytes.put(profit)
    bytes.put(cost)
    bytes.put(cohorts) { $1.pack(into: &$0) }
  }

  fileprivate init(unpacking bytes: inout PackedBytes) throws(PackedBytes.Broken) {
    self.init(
      action: try bytes.text(),
      groupings: try bytes.list { (bytes) throws(PackedBytes.Broken) in
        var grouping = Grouping(
          title: try bytes.text(),
          groups: try bytes.list { (bytes) throws(PackedBytes.Broken) in try bytes.text() })
        grouping.places = try bytes.take(list: UInt16.self)
        return grouping
      })
    profit = try bytes.take(list: Double.self)
    cost = try bytes.take(list: Double.self)
    cohorts = try bytes.list(Cohort.init(unpacking:))
  }
}

extension MemberValues.Cohort {
  fileprivate func pack(into bytes: inout PackedBytes) {
    for count in [signUpMonth, month, members, living, active, purchases, actions] {
      bytes.put(count)
    }
    bytes.put(profit)
    bytes.put(cost)
  }

  fileprivate init(unpacking bytes: inout PackedBytes) throws(PackedBytes.Broken) {
    self.init(signUpMonth: try bytes.take(), month: try bytes.take())
    members = try bytes.take()
    living = try bytes.take()
    active = try bytes.take()
    purchases = try bytes.take()
    actions = try bytes.take()
    profit = try bytes.take()
    cost = try bytes.take()
  }
}
