package import RewardModel

/// The daily series of a BlakJaks run: key, unit and meaning, declared once. What enters a series
/// names its key alone.
package enum BlakJaksSeries {
  /// All of them.
  package static let catalog = SeriesCatalog(
    scans + money + payouts + members + partners + chips + wallets + shop + social)

  /// Series that came after the others and tell of nothing that these do not cover: fingerprints leave them
  /// out, and are the same with and without them.
  static let later: Set = [
    "shop.abandoned_cart", "shop.abandoned_address", "shop.abandoned_payment", "fees.member",
    "fees.affiliate", "fees.wholesale",
  ]

  /// Whether a series of a replay adds up what happened; others are of a day alone, or states.
  ///
  /// - Parameter key: One that a replay of a history has.
  static func addsUp(_ key: String) -> Bool {
    sums.contains(key) || key.hasPrefix("ledger.") || key.hasPrefix("feed.")
      || (key.hasPrefix("prize.") && key.hasSuffix(".awarded"))
  }

  /// Attempts to pay are not among them: one that was made before a warm-up's end may succeed after it,
  /// and a success counts with its attempt.
  private static let sums: Set = [
    "gas", "payouts.awarded", "payouts.awarded_value", "payouts.paid", "payouts.paid_value",
    "payouts.retries", "payouts.repeats_refused", "affiliates.chips_issued",
    "affiliates.match_paid", "affiliates.pool_paid", "chips.issued", "chips.bonus",
    "chips.redeemed", "chips.expired",
  ]

  private typealias Series = SeriesDeclaration

  private static let scans = [
    Series("scans.submitted", .count, "Codes submitted"),
    Series("scans.refused", .count, "Submissions refused"),
    Series("day.scans.submitted", .count, "Codes submitted on the day"),
    Series("day.scans.peak_per_minute", .count, "Accepted scans of the day's busiest minute"),
    Series("scans.per_minute_now", .count, "Accepted scans of the day's last minute"),
    Series("scans.last_hour", .count, "Accepted scans of the day's last hour"),
    Series("day.scans.peak_per_hour", .count, "Accepted scans of the day's busiest hour"),
    Series(
      "day.scans.hours_over_capacity", .count,
      "Hours of the day with more scans than the workers can process"),
    Series(
      "scans.processing_now", .duration, "Time to process a scan that comes at the day's end"),
    Series("scans.processing_mean", .duration, "Mean time to process a scan of the day"),
    Series(
      "scans.processing_p95", .duration,
      "95th percentile of the time to process a scan of the day"),
    Series(
      "day.scans.processing_peak", .duration, "The longest that a scan of the day had to expect"),
    Series("scans.backlog", .count, "Scans that wait for a worker at the day's end"),
    Series("day.scans.backlog_peak", .count, "The most scans that waited at once on the day"),
    Series("scans.workers", .count, "Workers that process scans"),
    Series(
      "scans.shared", .count, "Codes submitted that another member had scanned and passed on",
      setting: "population.mischief.shared"),
    Series(
      "bots.submitted", .count, "Codes submitted by bot rings",
      setting: "population.mischief.rings"),
    Series(
      "bots.accepted", .count, "Scans of bot rings that were accepted",
      setting: "population.mischief.rings"),
    Series(
      "bots.suspended", .count, "Accounts of bot rings suspended",
      setting: "population.mischief.rings"),
  ]

  private static let money =
    Treasury.allCases.map {
      Series("treasury.\($0.key)", .money, "Held in the \($0.title)")
    } + [
      Series("payable.member", .money, "Owed to members"),
      Series("payable.affiliate", .money, "Owed to affiliates"),
      Series("payable.wholesale", .money, "Owed to wholesale accounts"),
      Series(
        "payable.shop", .money, "Refunds and shipping owed by the shop",
        setting: "rules.shop.enabled"),
      Series(
        "bank.shortfall", .money, "What Operating was short of at the last 05:00",
        setting: "rules.shop.enabled"),
      Series(
        "bank.topped_up", .money, "Put into Operating from Reserve so far",
        setting: "rules.shop.enabled"),
      Series("trip_reserve", .money, "Set aside for trips"),
      Series(
        "sales_tax", .money, "Sales tax collected and owed to the states",
        setting: "rules.shop.enabled"),
      Series("pool.comp", .money, "Left of the comp pool's share"),
      Series("pool.affiliate", .money, "Left of the affiliates' share"),
      Series("pool.wholesale", .money, "Left of the wholesale comps' share"),
      Series("gas", .money, "Network fees paid"),
      Series("fees.member", .money, "Network fees of what is owed to members"),
      Series("fees.affiliate", .money, "Network fees of what is owed to affiliates"),
      Series("fees.wholesale", .money, "Network fees of what is owed to wholesale accounts"),
    ]

  private static let payouts = [
    Series("payouts.queue", .count, "Transactions of payouts that wait or are under way"),
    Series("payouts.awarded", .count, "Payouts promised"),
    Series("payouts.awarded_value", .money, "Payouts promised"),
    Series("payouts.pending", .count, "Payouts promised and not yet paid"),
    Series("payouts.pending_value", .money, "Payouts promised and not yet paid"),
    Series("payouts.paid", .count, "Payouts confirmed"),
    Series("payouts.paid_value", .money, "Payouts confirmed"),
    Series("payouts.failed", .count, "Payouts left to a person"),
    Series("payouts.failed_value", .money, "Payouts left to a person"),
    Series("payouts.waiting_funds", .count, "Transactions of payouts that wait for funds"),
    Series("payouts.retries", .count, "Attempts after the first"),
    Series("payouts.attempts", .count, "Attempts to pay"),
    Series("payouts.succeeded", .count, "Attempts that succeeded"),
    Series("payouts.repeats_refused", .count, "Payments refused because they were made before"),
    Series("day.payouts.count", .count, "Payouts confirmed on the day"),
    Series("day.payouts.value", .money, "Payouts confirmed on the day"),
    Series(
      "payouts.confirm_mean", .duration, "Mean time from award to confirmation, on the day"),
    Series(
      "payouts.confirm_p95", .duration,
      "95th percentile of the time from award to confirmation, on the day"),
    Series(
      "payouts.submission_mean", .duration,
      "Mean time from submission to confirmation, of the day's awards"),
    Series(
      "payouts.submission_p95", .duration,
      "95th percentile of the time from submission to confirmation, of the day's awards"),
    Series("ledger.*.count", .count, "Payouts of one type"),
    Series("ledger.*.total", .money, "Payouts of one type"),
    Series("prize.*.awarded", .count, "Awards of one prize", setting: "rules.prizes"),
    Series(
      "prize.*.waiting", .count, "Prizes of one name that are due and not awarded",
      setting: "rules.prizes"),
  ]

  private static let members =
    [
      Series("members.active", .count, "Members who are still there"),
      Series("feed.*", .count, "Happenings of one kind, shown in the feed or not"),
      Series("cohort.*", .count, "Members still there of those who signed up in one month"),
      Series("channel.retail.tins", .count, "Tins sold in retail"),
      Series("channel.shop.tins", .count, "Tins sold in the shop"),
    ]
    + Tier.allCases.flatMap { tier in
      [
        Series("tier.\(tier.key).tins", .count, "Tins bought by members of tier \(tier.name)"),
        Series("tier.\(tier.key).comps", .money, "Given to members of tier \(tier.name)"),
      ]
    }

  private static let partners = [
    Series("affiliates.active", .count, "Members with somebody whom they referred"),
    Series("affiliates.referred", .count, "Members who were referred"),
    Series("affiliates.floor_vip", .count, "Affiliates who are VIP for life"),
    Series("affiliates.floor_high_roller", .count, "Affiliates who are High Roller for life"),
    Series("affiliates.floor_whale", .count, "Affiliates who are Whale for life"),
    Series("affiliates.chips_issued", .count, "Chips of the weekly pool issued"),
    Series("affiliates.chips_unexpired", .count, "Chips of the weekly pool that still count"),
    Series("affiliates.match_paid", .money, "Match promised to affiliates"),
    Series("affiliates.pool_paid", .money, "Weekly pools promised to affiliates"),
    Series(
      "affiliates.pool_accruing", .money, "The weekly pool as it stands",
      setting: "rules.affiliates.weekly_pool"),
    Series(
      "sunset.active", .flag, "Whether the sunset has begun", setting: "rules.sunset.enabled"),
    Series(
      "sunset.trailing", .count, "Scans that the sunset is judged by",
      setting: "rules.sunset.enabled"),
    Series(
      "sunset.last_check", .duration, "When the sunset was judged last, since 1970",
      setting: "rules.sunset.enabled"),
    Series(
      "wholesale.accounts", .count, "Wholesale accounts that have ordered",
      setting: "rules.wholesale.accounts"),
    Series("wholesale.orders", .count, "Wholesale orders", setting: "rules.wholesale.accounts"),
    Series("wholesale.tins", .count, "Tins sold wholesale", setting: "rules.wholesale.accounts"),
    Series(
      "wholesale.tins_home", .count, "Wholesale tins that reached members who scan them",
      setting: "rules.wholesale.accounts"),
    Series(
      "wholesale.chips", .count, "Chips of wholesale accounts",
      setting: "rules.wholesale.accounts"),
    Series("wholesale.comps", .count, "Wholesale comps", setting: "rules.wholesale.accounts"),
    Series(
      "wholesale.comps_value", .money, "Wholesale comps", setting: "rules.wholesale.accounts"),
  ]

  private static let chips =
    [
      ("issued", "Gold chips issued"), ("bonus", "Gold chips issued as a bonus"),
      ("held", "Gold chips held"), ("vaulted", "Gold chips in vaults"),
      ("redeemed", "Gold chips redeemed"), ("expired", "Gold chips expired"),
    ].map { Series("chips.\($0)", .count, $1, setting: "rules.chips.enabled") } + [
      Series(
        "chips.liability", .money, "What the chips held and vaulted would cost",
        setting: "rules.chips.enabled")
    ]

  private static let wallets = [
    ("balance", .money, "Held in members' wallets, pending credits included"),
    ("pending", .money, "Credits of members' wallets whose payouts are not confirmed"),
    ("withdrawals", .count, "Withdrawals"), ("withdrawn", .money, "Withdrawn"),
    ("withdrawals_failed", .count, "Withdrawals that failed"),
    ("card_applied", .count, "Applications for a card"),
    ("card_verified", .count, "Applicants verified"),
    ("card_refused", .count, "Applicants refused"), ("card_active", .count, "Active cards"),
    ("card_payments", .count, "Payments by card"), ("card_spent", .money, "Paid by card"),
  ].map { (key: String, unit: MeasureUnit, meaning: String) in
    Series("wallet.\(key)", unit, meaning, setting: "population.wallet.enabled")
  }

  private static let shop =
    ([
      ("visits", .count, "Visits to the shop"), ("carts", .count, "Carts filled"),
      ("abandoned", .count, "Carts abandoned"),
      ("abandoned_cart", .count, "Carts abandoned in the cart itself"),
      ("abandoned_address", .count, "Carts abandoned at the address"),
      ("abandoned_payment", .count, "Carts abandoned at the page of tax and payment"),
      ("refused_age", .count, "Checkouts refused at the age check"),
      ("refused_payment", .count, "Checkouts whose payment was refused"),
      ("orders", .count, "Orders"),
      ("come_backs", .count, "Purchases not made in the shop for which members come back"),
      ("to_retail", .count, "Purchases not made in the shop but in retail"),
      ("lost", .count, "Purchases not made in the shop, and then nowhere"),
      ("processing", .count, "Orders in processing"),
      ("shipped", .count, "Orders shipped"), ("delivered", .count, "Orders delivered"),
      ("cancelled", .count, "Orders canceled"), ("refunded", .count, "Orders refunded"),
      ("revenue", .money, "Sales of the shop"), ("shipping", .money, "Shipping paid"),
      ("tax", .money, "Sales tax paid"),
    ]
    + Catalogue.products.map {
      (
        "tins.\($0.sku)", .count,
        "Tins of one product ordered in the shop, canceled and refunded orders included"
      )
    })
    .map { (key: String, unit: MeasureUnit, meaning: String) in
      Series("shop.\(key)", unit, meaning, setting: "rules.shop.enabled")
    }

  private static let social = [
    ("messages", "Messages"), ("refused", "Messages refused"), ("reactions", "Reactions"),
    ("translations", "Translations"), ("translation_hits", "Translations found in the cache"),
    ("streams", "Live streams"), ("viewers_peak", "Most viewers of a live stream"),
    ("proposals", "Proposals"), ("votes", "Votes"), ("notifications", "Notifications"),
    ("sample.members", "Sampled members, whose requests go through the rules one by one"),
    ("sample.messages", "Messages of the sample that a channel took"),
    ("sample.tier_locked", "Messages of the sample that a channel's tier refused"),
    ("sample.read_only", "Messages of the sample that a read-only channel refused"),
    ("sample.translations", "Translations that the sample's readers asked for"),
    ("sample.translation_hits", "Translations of the sample found in the cache"),
    ("sample.votes", "Votes of the sample that a ballot took"),
    ("sample.votes_refused", "Votes of the sample that a ballot refused"),
    ("messages.*", "Messages of one channel"),
  ].map { Series("social.\($0)", .count, $1, setting: "population.chat.enabled") }
}

extension Treasury {
  /// As people read it within a sentence.
  var title: String {
    switch self {
    case .memberWallet: "member wallet"
    case .affiliateWallet: "affiliate wallet"
    case .wholesaleWallet: "wholesale wallet"
    case .operatingBank: "Operating account"
    case .reserveBank: "Reserve account"
    case .compPoolBank: "Comp Pool account"
    }
  }
}
