internal import Quantities
internal import RewardModel

extension Insights {
  /// Affiliates and wholesale accounts: what they brought and what they got.
  static func partners(_ asOf: InsightsAsOf) -> Page {
    asOf.page(
      .partners,
      [
        affiliates(asOf), weeklyPool(asOf), floors(asOf), sunset(asOf), wholesale(asOf),
        .figures(
          "treasuries", "Partner treasuries",
          [
            asOf.figure(
              "wallet_affiliate", "Affiliate wallet", .money, "treasury.wallet_affiliate"),
            asOf.figure(
              "wallet_wholesale", "Wholesale wallet", .money, "treasury.wallet_wholesale"),
            asOf.figure("pool_affiliate", "Affiliate pool", .money, "pool.affiliate"),
            asOf.figure("pool_wholesale", "Wholesale pool", .money, "pool.wholesale"),
            asOf.figure("payable_affiliate", "Owed to affiliates", .money, "payable.affiliate"),
            asOf.figure("payable_wholesale", "Owed to wholesale", .money, "payable.wholesale"),
          ]),
        PageBlock(
          key: "paid_history", title: "Awarded to affiliates since \(asOf.since), last 90 days",
          body: .history(
            asOf.history(
              .money,
              [
                ("match", "Match", "affiliates.match_paid"),
                ("pool", "Weekly pools", "affiliates.pool_paid"),
              ]
                + (asOf.rules.affiliates.weeklyPool
                  ? [("accruing", "Pool accruing", "affiliates.pool_accruing")] : [])))),
        feed(asOf, key: "partner_feed", title: "Partner feed", partners: true),
      ])
  }

  private static func affiliates(_ asOf: InsightsAsOf) -> PageBlock {
    // Without series the record knows the figures of its end only.
    let end = asOf.isLast ? asOf.record.affiliates : nil
    let share = asOf.rules.affiliates.match.rawValue
    let match = PageWords.percent(share, decimals: share % 100 == 0 ? 0 : 2)
    return .figures(
      "affiliates", "Affiliates",
      [
        asOf.figure(
          "active", "Active affiliates", .count, "affiliates.active", else: end?.active),
        asOf.figure(
          "referred", "Referred members", .count, "affiliates.referred", else: end?.referred),
        asOf.figure(
          "chips_issued", "Chips issued", .count, "affiliates.chips_issued",
          else: end?.chipsIssued),
        asOf.figure(
          "chips_unexpired", "Chips not expired", .count, "affiliates.chips_unexpired",
          else: end?.chipsUnexpired),
        asOf.figure(
          "match_paid", "Match awarded", .money, "affiliates.match_paid",
          else: asOf.payout(.match)?.total.microunits,
          note: "\(match) of crypto comps won"
            + (asOf.sinceOpening.isEmpty ? "" : ", \(asOf.sinceOpening)")),
        asOf.figure(
          "pool_paid", "Weekly pools awarded", .money, "affiliates.pool_paid",
          else: PageSums.sum(asOf.poolsPaid.map(\.paid)).microunits),
      ])
  }

  private static func weeklyPool(_ asOf: InsightsAsOf) -> PageBlock {
    let last = asOf.poolsPaid.last
    let off = !asOf.rules.affiliates.weeklyPool
    func value(_ number: Int64?) -> PageValue {
      if off { return .notInRun(setting: "rules.affiliates.weekly_pool") }
      return .known(number)
    }
    return .figures(
      "weekly_pool", "Weekly pool",
      [
        PageFigure("last_paid", "Last distributed", .instant, value(last?.time.microseconds)),
        PageFigure("last_pool", "Pool", .money, value(last?.pool.microunits)),
        PageFigure("last_amount", "Distributed", .money, value(last?.paid.microunits)),
        PageFigure("last_holders", "Affiliates who got a share", .count, value(last?.holders)),
        PageFigure("last_carry", "Carried over", .money, value(last?.carry.microunits)),
        PageFigure(
          "accruing", "Accruing", .money, asOf.weeklyPoolSoFar,
          note: "of the week so far, and the carry"),
      ])
  }

  private static func floors(_ asOf: InsightsAsOf) -> PageBlock {
    let end = asOf.isLast ? asOf.record.affiliates.floors : nil
    let tiers = asOf.rules.tiers
    func from(_ scans: UInt32) -> String {
      "from \(Int64(scans).grouped) scans of referred members"
    }
    return .figures(
      "floors", "Tiers for life",
      [
        asOf.figure(
          "vip", "VIP", .count, "affiliates.floor_vip", else: end?.vip, note: from(tiers.floorVip)),
        asOf.figure(
          "high_roller", "High Roller", .count, "affiliates.floor_high_roller",
          else: end?.highRoller, note: from(tiers.floorHighRoller)),
        asOf.figure(
          "whale", "Whale", .count, "affiliates.floor_whale", else: end?.whale,
          note: from(tiers.floorWhale)),
      ])
  }

  private static func sunset(_ asOf: InsightsAsOf) -> PageBlock {
    var status = asOf.value("sunset.active")
    if case .number(let active) = status { status = .text(active == 0 ? "inactive" : "active") }
    return .figures(
      "sunset", "Sunset engine",
      [
        PageFigure("status", "Status", .text, status),
        asOf.figure("last_check", "Last checked", .instant, "sunset.last_check"),
        asOf.figure(
          "trailing", "Scans of the trailing \(asOf.rules.sunset.days) days", .count,
          "sunset.trailing",
          note: asOf.rules.sunset.enabled
            ? "begins from \(asOf.rules.sunset.threshold.grouped)" : ""),
      ])
  }

  private static func wholesale(_ asOf: InsightsAsOf) -> PageBlock {
    .figures(
      "wholesale", "Wholesale",
      [
        asOf.figure("accounts", "Accounts that have ordered", .count, "wholesale.accounts"),
        asOf.figure("orders", "Orders", .count, "wholesale.orders"),
        asOf.figure("tins", "Tins", .count, "wholesale.tins"),
        asOf.figure("tins_home", "Tins that members took home", .count, "wholesale.tins_home"),
        asOf.figure("chips", "Chips", .count, "wholesale.chips"),
        asOf.figure("comps", "Comps", .count, "wholesale.comps"),
        asOf.figure("comps_value", "Comps awarded", .money, "wholesale.comps_value"),
      ])
  }
}
