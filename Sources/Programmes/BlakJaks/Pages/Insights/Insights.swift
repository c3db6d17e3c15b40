internal import Quantities
package import RewardModel

/// The pages of Insights: five, and the feed.
package enum InsightPage: String, CaseIterable, Sendable {
  case overview, treasury, systems, comps, partners, feed

  /// Its id and its name as people see it.
  package var description: PageDescription {
    let title =
      switch self {
      case .overview: "Overview"
      case .treasury: "Treasury"
      case .systems: "Systems"
      case .comps: "Comps"
      case .partners: "Partners"
      case .feed: "Activity feed"
      }
    return PageDescription(id: rawValue, title: title)
  }
}

/// The pages of Insights, every figure of which is looked up in or summed from a run's rows.
package enum Insights {
  /// A page as of the end of a day.
  ///
  /// - Complexity: O(rows of the record).
  package static func page(_ name: InsightPage, _ asOf: InsightsAsOf) -> Page {
    switch name {
    case .overview: overview(asOf)
    case .treasury: treasury(asOf)
    case .systems: systems(asOf)
    case .comps: comps(asOf)
    case .partners: partners(asOf)
    case .feed: asOf.page(.feed, [feed(asOf)])
    }
  }

  /// The feed as a block.
  static func feed(
    _ asOf: InsightsAsOf, key: String = "feed", title: String = "Activity feed",
    partners: Bool = false
  ) -> PageBlock {
    let items = asOf.feed(partners: partners)
    return PageBlock(
      key: key, title: title,
      body: .table(
        PageTable(
          [
            ("time", "Time (UTC)", .instant), ("kind", "Kind", .text), ("text", "What", .text),
          ],
          rows: items.map {
            [.number($0.time.microseconds), .text($0.kind), .text($0.text)]
          }, empty: "nothing has happened yet")))
  }
}
