internal import Quantities
internal import RewardModel

extension Insights {
  /// What anybody asks first: scans, the comp pool, members, payouts, the next milestones.
  static func overview(_ asOf: InsightsAsOf) -> Page {
    let day = asOf.day
    return asOf.page(
      .overview,
      [
        .figures(
          "programme", "Program",
          [
            PageFigure("global_scans", "Global scan counter", .count, .number(asOf.scans)),
            PageFigure("scans_today", "Scans today", .count, .number(day.acceptedScans)),
            PageFigure(
              "comp_pool", "Live comp pool", .money, asOf.compPool(),
              note: "budgets less spend since the "
                + (asOf.sinceOpening.isEmpty ? "start" : "history began")),
            asOf.figure("active_members", "Active members", .count, "members.active"),
            PageFigure(
              "members", "Members", .count, .number(day.members),
              note: "\(day.signups.grouped) joined today"),
            asOf.figure(
              "payouts_24h", "Payouts, 24 hours", .count, "day.payouts.count",
              note: asOf.dayNote),
            asOf.figure(
              "payouts_24h_value", "Paid, 24 hours", .money, "day.payouts.value",
              note: asOf.dayNote),
          ]),
        scansByDay(asOf),
        milestones(asOf, key: "next_milestones", title: "Next milestones"),
        feed(asOf), shop(asOf), social(asOf), socialSample(asOf), channels(asOf), streams(asOf),
        proposals(asOf),
      ])
  }

  /// Accepted scans of the last 90 days.
  private static func scansByDay(_ asOf: InsightsAsOf) -> PageBlock {
    let days = asOf.record.days[asOf.rows(last: 90)]
    return PageBlock(
      key: "scan_history", title: "Scans a day, last 90 days",
      body: .history(
        PageHistory(
          dates: days.map(\.date),
          lines: [
            PageHistory.Line(
              key: "scans", label: "Accepted scans", unit: .count,
              values: days.map(\.acceptedScans))
          ])))
  }

  /// How far each prize is from its next due number.
  static func milestones(_ asOf: InsightsAsOf, key: String, title: String) -> PageBlock {
    let rows = asOf.milestones().map { row -> [PageValue] in
      [
        .text(row.prize.name), .number(row.prize.amount.microunits), .number(row.nextDue),
        .number(row.away), .number(row.progress),
      ]
    }
    return PageBlock(
      key: key, title: title,
      body: .table(
        PageTable(
          [
            ("prize", "Prize", .text), ("amount", "USDT", .money),
            ("next_due", "Next due at scan", .count), ("away", "Away", .count),
            ("progress", "Progress", .share),
          ], rows: rows, empty: "this scenario has no prizes")))
  }

  private static func shop(_ asOf: InsightsAsOf) -> PageBlock {
    .figures(
      "shop", "Shop",
      [
        asOf.figure("visits", "Visits", .count, "shop.visits"),
        asOf.figure("carts", "Carts", .count, "shop.carts"),
        asOf.figure("abandoned", "Abandoned", .count, "shop.abandoned"),
        asOf.figure("abandoned_cart", "Of them in the cart", .count, "shop.abandoned_cart"),
        asOf.figure(
          "abandoned_address", "Of them at the address", .count, "shop.abandoned_address"),
        asOf.figure(
          "abandoned_payment", "Of them at the payment", .count, "shop.abandoned_payment"),
        asOf.figure("refused_age", "Refused by age", .count, "shop.refused_age"),
        asOf.figure("refused_payment", "Refused by payment", .count, "shop.refused_payment"),
        asOf.figure("orders", "Orders", .count, "shop.orders"),
        asOf.figure("come_backs", "To be made later", .count, "shop.come_backs"),
        asOf.figure("to_retail", "Made in retail instead", .count, "shop.to_retail"),
        asOf.figure("lost", "Lost", .count, "shop.lost"),
        asOf.figure("processing", "Processing now", .count, "shop.processing"),
        asOf.figure("shipped", "Shipped so far", .count, "shop.shipped"),
        asOf.figure("delivered", "Delivered so far", .count, "shop.delivered"),
        asOf.figure("cancelled", "Canceled", .count, "shop.cancelled"),
        asOf.figure("refunded", "Refunded", .count, "shop.refunded"),
        asOf.figure("revenue", "Revenue", .money, "shop.revenue"),
        asOf.figure("shipping", "Shipping paid", .money, "shop.shipping"),
        asOf.figure("tax", "Sales tax", .money, "shop.tax"),
      ])
  }

  private static func social(_ asOf: InsightsAsOf) -> PageBlock {
    let requests = asOf.number("social.translations")
    let hits = asOf.number("social.translation_hits")
    var rate: PageValue = asOf.value("social.translation_hits")
    if let requests, let hits {
      rate = .share(hits, of: requests)
    }
    return .figures(
      "social", "Social: counts for all members",
      [
        asOf.figure("messages", "Messages", .count, "social.messages"),
        asOf.figure("refused", "Refused messages", .count, "social.refused"),
        asOf.figure("reactions", "Reactions", .count, "social.reactions"),
        asOf.figure("translations", "Translations asked for", .count, "social.translations"),
        PageFigure(
          "translation_hit_rate", "Served from the cache", .share, rate,
          note: "of a cache that drops nothing"),
        asOf.figure("streams", "Live streams", .count, "social.streams"),
        asOf.figure("viewers_peak", "Most viewers", .count, "social.viewers_peak"),
        asOf.figure("proposals", "Proposals", .count, "social.proposals"),
        asOf.figure("votes", "Votes", .count, "social.votes"),
        asOf.figure("notifications", "Notifications", .count, "social.notifications"),
      ])
  }

  /// What a sample of members did through the rules; the counts of all members are drawn in law, and so may be
  /// less than those of the sample where it has nearly all members.
  private static func socialSample(_ asOf: InsightsAsOf) -> PageBlock {
    .figures(
      "social_sample",
      "Social: a sample, each request through the rules; drawn apart from the counts above",
      [
        asOf.figure("members", "Members sampled", .count, "social.sample.members"),
        asOf.figure("messages", "Messages", .count, "social.sample.messages"),
        asOf.figure(
          "tier_locked", "Refused by a channel's tier", .count, "social.sample.tier_locked"),
        asOf.figure("read_only", "Refused as read-only", .count, "social.sample.read_only"),
        asOf.figure(
          "translations", "Translations asked for", .count, "social.sample.translations"),
        asOf.figure(
          "translation_hits", "Served from the cache", .count, "social.sample.translation_hits",
          note: "of at most "
            + PageWords.counted(
              asOf.rules.social.translationCache, "translation", "translations")),
        asOf.figure("votes", "Votes", .count, "social.sample.votes"),
        asOf.figure("votes_refused", "Votes refused", .count, "social.sample.votes_refused"),
      ])
  }

  private static func channels(_ asOf: InsightsAsOf) -> PageBlock {
    let prefix = "social.messages."
    let keys = asOf.record.series.map(\.key).filter { $0.hasPrefix(prefix) }
    return PageBlock(
      key: "channels", title: "Messages by channel",
      body: .table(
        PageTable(
          [
            ("channel", "Channel", .text), ("messages", "Messages", .count),
          ], rows: keys.map { [.text(String($0.dropFirst(prefix.count))), asOf.value($0)] },
          absence: asOf.value("social.messages").absence)))
  }

  private static func streams(_ asOf: InsightsAsOf) -> PageBlock {
    let rows = asOf.latest(asOf.record.streams, 5, \.start).reversed()
    return PageBlock(
      key: "streams", title: "Latest live streams",
      body: .table(
        PageTable(
          [
            ("start", "Began (UTC)", .instant), ("duration", "Duration", .duration),
            ("peak_viewers", "Most viewers", .count), ("unique_viewers", "Viewers", .count),
            ("messages", "Messages", .count),
          ],
          rows: rows.map { row in
            // A stream that is still on shows what it came to, like every row of the record, but
            // for one that is on at the run's end.
            [
              .number(row.start.microseconds),
              row.end > asOf.record.end ? .none : .number((row.end - row.start).microseconds),
              .number(row.peakViewers), .number(row.uniqueViewers), .number(row.messages),
            ]
          }, absence: asOf.value("social.streams").absence)))
  }

  private static func proposals(_ asOf: InsightsAsOf) -> PageBlock {
    let rows = asOf.latest(asOf.record.proposals, 5, \.opened).reversed()
    return PageBlock(
      key: "proposals", title: "Latest proposals",
      body: .table(
        PageTable(
          [
            ("opened", "Opened (UTC)", .instant), ("closed", "Closed (UTC)", .instant),
            ("votes_for", "For", .count), ("votes_against", "Against", .count),
            ("eligible", "Eligible", .count), ("passed", "Passed", .flag),
          ],
          rows: rows.map { row in
            // Votes are known when a proposal has closed; until then the result is open.
            guard let closed = row.closed, closed < asOf.instant else {
              return [
                .number(row.opened.microseconds), .none, .none, .none, .number(row.eligible), .none,
              ]
            }
            return [
              .number(row.opened.microseconds), .number(closed.microseconds),
              .number(row.votesFor), .number(row.votesAgainst), .number(row.eligible),
              .number(row.passed ? 1 : 0),
            ]
          }, absence: asOf.value("social.proposals").absence)))
  }
}
