internal import Quantities
package import RewardModel

/// What members did with what they had bought: how much of it they used, and when.
///
/// A history does not say of which purchase a thing was that is used; the time since the member's
/// latest purchase is what it says.
package struct UseCounts: Sendable, Equatable {
  /// Hours up to which times are told apart: two years.
  package static let hoursMost = 24 * 731

  private let isPurchase: [Bool]
  private let isUse: [Bool]
  private var bought: [Int64] = []
  /// Rows of all members that are purchases.
  private var purchases: Int64 = 0
  private var used: [Int64] = []
  private var latest: [Int64] = []
  /// Things used after a purchase, and the seconds since the latest one, added up.
  private var timedUses: [Int64] = []
  private var waited: [Double] = []
  /// Things used by whole hours since the member's latest purchase; the last place holds all that are
  /// later.
  package private(set) var hours = [Int](repeating: 0, count: hoursMost + 1)
  /// Things used before their member's first purchase.
  package private(set) var early = 0

  /// Nothing yet.
  ///
  /// - Parameter form: Of the history.
  package init(_ form: HistoryForm) {
    isPurchase = form.events.map(\.isPurchase)
    isUse = form.events.map(\.usesPurchases)
  }

  /// Counts a row; rows of a member come in the order of time.
  ///
  /// - Complexity: O(1) amortized.
  package mutating func add(_ row: HistoryRow) {
    let member = Int(row.member)
    while bought.count <= member {
      bought.append(0)
      used.append(0)
      latest.append(.min)
      timedUses.append(0)
      waited.append(0)
    }
    if isPurchase[Int(row.kind)] {
      bought[member] += row.amount
      purchases += 1
      latest[member] = row.instant.microseconds
    } else if isUse[Int(row.kind)] {
      used[member] += row.amount
      if latest[member] == .min {
        early += Int(row.amount)
      } else {
        let seconds = (row.instant.microseconds - latest[member]) / 1_000_000
        hours[min(Int(seconds / 3_600), Self.hoursMost)] += Int(row.amount)
        timedUses[member] += row.amount
        waited[member] += Double(seconds) * Double(row.amount)
      }
    }
  }

  /// What a row that is a purchase brings on average: things, or micro-units of money; nil without one.
  ///
  /// - Complexity: O(members).
  package var meanAmount: Double? {
    purchases > 0 ? bought.reduce(0) { $0 + Double($1) } / Double(purchases) : nil
  }

  /// Things used over things bought, by members.
  package var ratio: ClusterRatio {
    var ratio = ClusterRatio()
    for (above, below) in zip(used, bought) where above > 0 || below > 0 {
      ratio.add(Double(above), of: Double(below))
    }
    return ratio
  }

  /// Days from the member's latest purchase to a use, by members; times later than `hoursMost` count in
  /// full.
  package var wait: ClusterRatio {
    var ratio = ClusterRatio()
    for (above, below) in zip(waited, timedUses) where below > 0 {
      ratio.add(above / 86_400, of: Double(below))
    }
    return ratio
  }

  /// Things used after a purchase.
  package var timed: Int { hours.reduce(0, +) }

  /// Days since the member's latest purchase by which a share of things is used.
  ///
  /// - Parameter share: Above 0, up to 1.
  /// - Returns: The end of the hour; nil where nothing is used.
  package func days(_ share: Double) -> Double? {
    let total = timed
    guard total > 0 else { return nil }
    var seen = 0
    for (hour, count) in hours.enumerated() {
      seen += count
      if Double(seen) >= share * Double(total) { return Double(hour + 1) / 24 }
    }
    return nil
  }

  /// Things used by bins of whole days, the last bin holds all that are later.
  func binned(days width: Int, bins: Int) -> [Int] {
    var counts = [Int](repeating: 0, count: bins)
    for (hour, count) in hours.enumerated() where count > 0 {
      counts[min(hour / 24 / width, bins - 1)] += count
    }
    return counts
  }

  /// The counts of several simulations, members side by side.
  mutating func append(_ other: UseCounts) {
    bought += other.bought
    purchases += other.purchases
    used += other.used
    latest += other.latest
    timedUses += other.timedUses
    waited += other.waited
    early += other.early
    for place in hours.indices { hours[place] += other.hours[place] }
  }

  /// Writes the counts for another process.
  func pack(into bytes: inout PackedBytes) {
    for list in [isPurchase, isUse] { bytes.put(list.map { UInt8($0 ? 1 : 0) }) }
    for list in [bought, used, latest, timedUses] { bytes.put(list) }
    bytes.put(waited)
    bytes.put(hours)
    bytes.put(early)
    bytes.put(purchases)
  }

  /// Reads what another process of this build wrote.
  ///
  /// - Throws: `PackedBytes.Broken`.
  init(unpacking bytes: inout PackedBytes) throws(PackedBytes.Broken) {
    isPurchase = try bytes.take(list: UInt8.self).map { $0 != 0 }
    isUse = try bytes.take(list: UInt8.self).map { $0 != 0 }
    bought = try bytes.take(list: Int64.self)
    used = try bytes.take(list: Int64.self)
    latest = try bytes.take(list: Int64.self)
    timedUses = try bytes.take(list: Int64.self)
    waited = try bytes.take(list: Double.self)
    hours = try bytes.take(list: Int.self)
    early = try bytes.take(Int.self)
    purchases = try bytes.take(Int64.self)
    guard hours.count == Self.hoursMost + 1 else { throw PackedBytes.Broken() }
  }
}
