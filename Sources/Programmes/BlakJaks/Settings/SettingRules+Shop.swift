internal import RewardModel

extension SettingRules<BlakJaksSettings> {
  /// States, their bans, and a shop in which some carts become orders.
  mutating func checkShop() {
    checkStates()
    checkBans()
    let shop = values.population.shop
    requireWeight(
      "population.shop.abandoned_at", shop.abandoned == 0 || shop.abandonedAt.hasWeight)
    let ways = ["come_back", "to_retail"].map { "population.shop.\($0)" }
    let sum = Int(((shop.comeBack + shop.toRetail) * 100).rounded())
    require(
      shop.comeBack + shop.toRetail <= 1, of: ways,
      blame: ways.map {
        ($0, "makes the two shares of purchases not made \(sum) %; keep them at 100 % or less")
      })
    let paths = ["abandoned", "age_pass", "payment_pass"].map { "population.shop.\($0)" }
    require(
      shop.completed >= 0.000_1, of: paths,
      blame: paths.map {
        ($0, "leaves fewer than 0.01 % of carts that become orders; keep more of them")
      })
  }

  private mutating func checkStates() {
    let states = values.rules.states
    checkCodes(of: states, at: "rules.states")
    // Nobody needs a state while nothing depends on it.
    let isNeeded = !states.isEmpty || values.rules.shop.enabled
    require(
      !isNeeded || states.contains { $0.weight > 0 }, of: ["rules.states"],
      blame: [
        ("rules.states", "has no weight above 0; write at least one state that members live in")
      ])
  }

  private mutating func checkBans() {
    let codes = values.rules.states.map(\.code)
    var first: [String: Int] = [:]
    for (index, ban) in values.rules.bans.enumerated() {
      let place = "rules.bans[\(index)].state"
      if !codes.contains(ban.state) {
        let meant = codes.first { $0 == ban.state.uppercased() }
        let cure =
          meant.map { "did you mean '\($0)'?" } ?? "write the code of one of rules.states"
        require(
          false, of: ["rules.bans", "rules.states"],
          blame: [(place, "'\(ban.state)' is not a state of this scenario; \(cure)")])
      }
      guard let earlier = first[ban.state] else {
        first[ban.state] = index
        continue
      }
      require(
        false, of: ["rules.bans"],
        blame: [
          (place, "'\(ban.state)' is the state of rules.bans[\(earlier)] too; write each once")
        ])
    }
  }
}

extension AbandonmentWeights {
  /// Whether carts can be abandoned anywhere.
  fileprivate var hasWeight: Bool { cart > 0 || address > 0 || payment > 0 }
}
