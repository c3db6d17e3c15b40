internal import Quantities
package import RewardModel

/// The daily series of an EMBERA run, each declared once, in the order of a record.
package enum EmberaSeries {
  /// All of them.
  package static let catalog = SeriesCatalog(all.map(\.declaration))

  /// The series of a run's days; a replay does not have those that it cannot know.
  ///
  /// - Complexity: O(days).
  package static func series(_ record: EmberaRecord) -> [DailySeries] {
    guard !record.days.isEmpty else { return [] }
    return all.filter { record.source == .simulation || $0.declaration.unknownInReplay == nil }
      .map { $0.series(record.days) }
  }

  private typealias Unknown = EmberaFigures.Unknown

  /// A series, and how it comes out of a day.
  private struct Entry: Sendable {
    var declaration: SeriesDeclaration
    /// Whether the days are added up.
    let adds: Bool
    let value: @Sendable (EmberaRecord.Day) -> Int64

    func series(_ days: [EmberaRecord.Day]) -> DailySeries {
      var sum: Int64 = 0
      return DailySeries(
        key: declaration.key, unit: declaration.unit,
        values: days.map { day in
          guard adds else { return value(day) }
          sum += value(day)
          return sum
        })
    }
  }

  /// What happened since the run's start.
  private static func sum(
    _ key: String, _ unit: MeasureUnit, _ meaning: String,
    _ value: @escaping @Sendable (EmberaRecord.Day) -> Int64
  ) -> Entry {
    Entry(declaration: SeriesDeclaration(key, unit, meaning), adds: true, value: value)
  }

  /// A series that rests on something which a history of orders does not hold.
  private static func simulated(_ unknown: String, _ entry: Entry) -> Entry {
    var entry = entry
    entry.declaration.unknownInReplay = unknown
    return entry
  }

  /// What happened on the day, or the state at its end.
  private static func day(
    _ key: String, _ unit: MeasureUnit, _ meaning: String,
    _ value: @escaping @Sendable (EmberaRecord.Day) -> Int64
  ) -> Entry {
    Entry(declaration: SeriesDeclaration(key, unit, meaning), adds: false, value: value)
  }

  private static let all = flows + states

  private static let flows = [
    sum("members", .count, "Members signed up") { $0.signUps },
    sum("orders.placed", .count, "Orders placed on devices") { $0.placed },
    sum("orders.received", .count, "Orders that the server received") { $0.orders },
    simulated(
      Unknown.subscriptions,
      sum("orders.deliveries", .count, "Deliveries of subscriptions") { $0.deliveries }),
    sum("revenue", .money, "Goods sold, after discounts") { $0.revenue.microunits },
    sum("points.issued", .count, "Points issued") { $0.issued },
    simulated(
      Unknown.redemptions, sum("points.redeemed", .count, "Points redeemed") { $0.redeemed }),
    sum("points.expired", .count, "Points expired") { $0.expired },
    simulated(
      Unknown.cost,
      sum("reward.cost", .money, "Cost of redeemed offers") { $0.rewardCost.microunits }),
    day("day.orders", .count, "Orders that the server received on the day") { $0.orders },
    day("day.revenue", .money, "Goods sold on the day, after discounts") { $0.revenue.microunits },
  ]

  private static let states =
    [day("points.outstanding", .count, "Points that members hold") { $0.outstanding }]
    + [
      day("orders.processing", .count, "Orders in processing") { $0.processing },
      day("orders.roasting", .count, "Orders in roasting") { $0.roasting },
      day("orders.shipping", .count, "Orders in shipping") { $0.shipping },
    ].map { simulated(Unknown.statusByDay, $0) }
    + [
      simulated(
        Unknown.devices, day("sync.waiting", .count, "Entries that wait on devices") { $0.waiting })
    ]
    + [
      day("tier.ember", .count, "Members in Ember") { $0.ember },
      day("tier.aura", .count, "Members in Aura") { $0.aura },
      day("tier.halo", .count, "Members in Halo") { $0.halo },
    ].map { simulated(Unknown.tiersByDay, $0) }
    + [
      simulated(
        Unknown.subscriptions,
        day("subscribers", .count, "Members whose subscription runs") { $0.subscribers })
    ]
}
