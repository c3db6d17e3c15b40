internal import Quantities
internal import RewardModel

/// Figures that are worked out from several numbers of a run.
extension BlakJaksFigures {
  private static let chips = "rules.chips.enabled"

  /// The guarantee for each member, and payouts for each accepted scan: all, and by what they were
  /// for.
  static let costs: [Entry] =
    [
      figure(
        "guarantee.cost_per_member", "Guarantee for each member, USDT",
        "Guarantees awarded, for each member signed up.", .money, setting: "rules.guarantee.enabled"
      ) { $0.members > 0 ? $0.promised([.guarantee]) / Double($0.members) : nil },
      figure(
        "cost_per_scan.total", "Payouts for each scan, USDT",
        "Everything promised, for each accepted scan.", .money
      ) { record in record.perScan(record.payoutTotal.total.usdt) },
      part("crypto", "of which crypto comps") { $0.prizes(.crypto) },
      part("casino", "casino") { $0.prizes(.casino) },
      part("trip", "trips") { $0.prizes(.trip) },
      part("scan_reward", "scan rewards") { _ in [.scanReward] },
      part("guarantee", "guarantee", setting: "rules.guarantee.enabled") { _ in [.guarantee] },
      part("match", "affiliate match") { _ in [.match] },
      part("pool", "affiliate pool", setting: "rules.affiliates.weekly_pool") { _ in [.pool] },
      part("wholesale", "wholesale", setting: "rules.wholesale.accounts") { _ in [.wholesale] },
      part("chips", "gold chips", setting: chips) { _ in [.chipRedemption] },
    ]

  private static func part(
    _ key: String, _ title: String, setting: String? = nil,
    _ types: @escaping @Sendable (BlakJaksRecord) -> [PayoutType]
  ) -> Entry {
    let name = String(title.trimmingPrefix("of which "))
    return figure(
      "cost_per_scan.\(key)", "Payouts for each scan, \(name)",
      "Promised as \(name), for each accepted scan.", .money, setting: setting, partTitle: title
    ) { record in record.perScan(record.promised(types(record))) }
  }

  /// What the program owes. Trips accrued less those won are the trip reserve; chips issued less
  /// those redeemed and expired, at what one is redeemed for, are that of chips; both and what is
  /// promised and not yet paid are all.
  static let liabilities: [Entry] = [
    figure(
      "liability.chips", "Liability of gold chips, USDT",
      "What the gold chips held and vaulted at the run's end would cost.", .money, setting: chips
    ) { $0.last("chips.liability") },
    figure(
      "liability.trip_reserve", "Trip reserve, USDT", "Set aside for trips at the run's end.",
      .money
    ) { $0.last("trip_reserve") },
    figure(
      "liability.total", "Trips, chips and payouts owed, USDT",
      "Trip reserve, gold chips and payouts owed at the run's end.", .money
    ) { record in
      record.last("trip_reserve").map {
        $0 + (record.last("chips.liability") ?? 0) + (record.payoutsOwed ?? 0)
      }
    },
    figure(
      "liability.trips_accrued", "Trips accrued, USDT", "Set aside for trips during the run.",
      .money
    ) { record in
      record.last("trip_reserve").map {
        $0 - record.opening.tripReserve.usdt + record.promised(record.prizes(.trip))
      }
    },
    figure("liability.trips_won", "Trips won, USDT", "Trips won during the run.", .money) {
      record in record.last("trip_reserve").map { _ in record.promised(record.prizes(.trip)) }
    },
    worth("issued"), worth("redeemed"), worth("expired"),
    figure(
      "liability.payouts_pending", "Payouts owed, USDT",
      "Promised and not yet paid at the run's end, those left to a person included.", .money
    ) { $0.payoutsOwed },
  ]

  /// How what is owed at the run's end comes about.
  static let owed: (section: FigureChoices.Section, steps: [FigureChoices.Step]) = (
    FigureChoices.Section(
      "What the run leaves owing",
      "Means over replications: trips accrue with every scan until one is won, chips are "
        + "issued until they are redeemed or expire (breakage), and payouts are yet to be made; the "
        + "last bar is what is owed at the end."),
    [
      FigureChoices.Step("Trips accrued", "liability.trips_accrued"),
      FigureChoices.Step("Trips won", "liability.trips_won", isTaken: true),
      FigureChoices.Step("Chips issued", "liability.chips_issued"),
      FigureChoices.Step("Chips redeemed", "liability.chips_redeemed", isTaken: true),
      FigureChoices.Step("Chips expired", "liability.chips_expired", isTaken: true),
      FigureChoices.Step("Payouts owed", "liability.payouts_pending"),
    ]
  )

  /// Chips at what one is redeemed for.
  private static func worth(_ key: String) -> Entry {
    figure(
      "liability.chips_\(key)", "Gold chips \(key), USDT",
      "Gold chips \(key) during the run, at what one is redeemed for.", .money, setting: chips
    ) { record in
      record.last("chips.\(key)").map { $0 * record.rulesInForce.chips.value.usdt }
    }
  }

  /// When the first trip was won.
  static let trips: [Entry] = [
    figure(
      "trips.first_day", "First day on which a trip is won",
      "Days from the run's first to the one on which a member first won a trip, both included.",
      .days, absence: "none won"
    ) { record in
      guard let won = record.awards.first(where: { $0.kind == .trip }),
        let date = record.days.first?.date,
        let calendar = try? ProgrammeCalendar(
          zone: record.zone, firstDate: date, days: record.days.count)
      else { return nil }
      return Double(calendar.dayStarts.prefix(calendar.dayCount).count { $0 <= won.time })
    }
  ]

  /// Whether the Operating account could pay what the shop owed, and what it took where not.
  static let shortfalls: [Entry] = [
    figure(
      "bank.first_shortfall_day", "First day on which Operating was short",
      "Days from the run's first to the one at whose 05:00 the Operating account first could not "
        + "pay what the shop owed, both included.", .days, setting: shop, absence: "never short"
    ) { OperatingShortfalls($0)?.first.map { Double($0 + 1) } },
    figure(
      "bank.deepest_shortfall", "Deepest shortfall of Operating, USDT",
      "The most that the Operating account was short of at a 05:00 to pay what the shop owed.",
      .money, setting: shop
    ) { OperatingShortfalls($0)?.deepest.usdt },
    figure(
      "bank.topped_up", "Put into Operating from Reserve, USDT",
      "What the Reserve account put into Operating to pay what the shop owed.", .money,
      setting: shop
    ) { OperatingShortfalls($0)?.toppedUp.usdt },
  ]

  private static let shop = "rules.shop.enabled"

  /// Days until a treasury is empty at its mean net outflow of the last 30 days; none where it did not
  /// fall.
  static let runways: [Entry] = Treasury.allCases.map { treasury in
    figure(
      "runway.\(treasury.key)", "Runway, \(treasury.title)",
      "Days until it is empty at its mean net outflow of the last 30 days; none where it does not fall, "
        + "and in a run of 30 days or fewer.", .days,
      absence: "no fall known"
    ) { $0.runway("treasury.\(treasury.key)") }
  }

  /// What members were given while in a tier over the gross profit of what they bought in it; and,
  /// by the tier that members end in, gross profit less what they were given, a member.
  static let tiers: [Entry] =
    Tier.allCases.map { tier in
      figure(
        "reinvestment.\(tier.key)", "Reinvestment, \(tier.name)",
        "Given to members while in the tier over the gross profit of what they bought in it, "
          + "orders that were canceled or refunded included.",
        .share, unknownInReplay: "in which tier members bought"
      ) { record in
        let profit = record.profit(tins: "tier.\(tier.key).tins")
        guard profit > 0, let comps = record.last("tier.\(tier.key).comps") else { return nil }
        return comps / profit
      }
    }
    + Tier.allCases.map { tier in
      figure(
        "value.\(tier.key)", "Value, ending as \(tier.one), USDT",
        "Gross profit of what members who end in the tier bought in the whole run, orders that were "
          + "canceled or refunded included, less what they were given, for each of them.",
        .money, unknownInReplay: "what members of each tier bought"
      ) { record in
        let tins = record.finalTiers.tins[tier]
        guard record.tiers[tier] > 0, tins > 0 else { return nil }
        let profit = Double(tins) * record.rulesInForce.economy.grossProfit.usdt
        let comps = MicroUSDT(microunits: record.finalTiers.comps[tier]).usdt
        return (profit - comps) / Double(record.tiers[tier])
      }
    }

  /// Gross profit of a channel for each member.
  static let channels: [Entry] = ["retail", "shop"].map { channel in
    figure(
      "value.\(channel)", "Gross profit a member, \(channel), USDT",
      "Gross profit of tins sold by the channel, for each member signed up.", .money,
      unknownInReplay: "where tins were sold"
    ) { record in
      guard record.members > 0, let tins = record.last("channel.\(channel).tins") else {
        return nil
      }
      return tins * record.rulesInForce.economy.grossProfit.usdt / Double(record.members)
    }
  }
}

extension BlakJaksRecord {
  /// Payouts under way, and those that failed and are left to a person, in USDT.
  fileprivate var payoutsOwed: Double? {
    last("payouts.pending_value").map { $0 + (last("payouts.failed_value") ?? 0) }
  }

  /// The payout types of prizes of one kind.
  fileprivate func prizes(_ kind: PrizeKind) -> [PayoutType] {
    prizes.indices.filter { prizes[$0].prize.kind == kind }.map { .prize($0) }
  }

  /// What was promised of some types, in USDT. Rows are those of a `PayoutLedger`.
  fileprivate func promised(_ types: [PayoutType]) -> Double {
    let ledger = PayoutLedger(prizes: prizes.map(\.prize))
    guard payouts.count == ledger.lines.count else { return 0 }
    return types.reduce(0) { $0 + payouts[ledger.line(of: $1)].total.usdt }
  }

  fileprivate func perScan(_ amount: Double) -> Double? {
    acceptedScans > 0 ? amount / Double(acceptedScans) : nil
  }

  /// Gross profit of the tins of a series, in USDT.
  fileprivate func profit(tins key: String) -> Double {
    (last(key) ?? 0) * rulesInForce.economy.grossProfit.usdt
  }

  fileprivate func runway(_ key: String) -> Double? {
    guard let series = series.first(where: { $0.key == key }) else { return nil }
    let values = series.values.compactMap(\.self)
    guard let last = values.last, values.count > 30 else { return nil }
    let daily = Double(values[values.count - 31] - last) / 30
    return daily > 0 ? Double(last) / daily : nil
  }
}

extension Tier {
  /// One member of the tier, in words.
  fileprivate var one: String {
    switch self {
    case .standard, .vip: "a \(name) member"
    case .highRoller, .whale: "a \(name)"
    }
  }
}
