internal import Quantities
internal import RewardModel

/// The pages of Insights, every figure of which is looked up in or summed from a run's rows.
package enum Insights {
  /// A page as of the end of a day.
  ///
  /// - Complexity: O(rows of the record).
  package static func page(_ name: InsightPageName, _ asOf: InsightsAsOf) -> InsightPage {
    switch name {
    case .overview: overview(asOf)
    case .treasury: treasury(asOf)
    case .systems: systems(asOf)
    case .comps: comps(asOf)
    case .partners: partners(asOf)
    case .feed: asOf.page(.feed, [feed(asOf)])
    }
  }

  /// A block of figures.
  static func figures(_ key: String, _ title: String, _ figures: [InsightFigure]) -> InsightBlock {
    InsightBlock(key: key, title: title, body: .figures(figures))
  }

  /// The feed as a block.
  static func feed(
    _ asOf: InsightsAsOf, key: String = "feed", title: String = "Activity feed",
    partners: Bool = false
  ) -> InsightBlock {
    let items = asOf.feed(partners: partners)
    return InsightBlock(
      key: key, title: title,
      body: .table(
        InsightTable(
          [
            InsightTable.Column("time", "Time (UTC)", .instant),
            InsightTable.Column("kind", "Kind", .text), InsightTable.Column("text", "What", .text),
          ],
          rows: items.map {
            [.number($0.time.microseconds), .text($0.kind), .text($0.text)]
          }, empty: "nothing has happened yet")))
  }
}
