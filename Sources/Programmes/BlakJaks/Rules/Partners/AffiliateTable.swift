package import Quantities
internal import RewardModel

/// Affiliates: what their referred members' scans gave them, one row per affiliate.
///
/// Chips lie in lots by the month with which they expire. A lot's number counts months
/// (12 × year + month − 1); the lots that can be alive at once fill a small ring.
package struct AffiliateTable: Sendable, Codable {
  /// Referred scans, and chips held.
  static var headWords: Int { 2 }
  let rules: AffiliateRules
  let lots: Int
  let stride: Int
  @Packed var words: [Int64] = []
  /// The first lot that has not expired.
  private var firstLiveLot: Int
  /// Chips ever issued.
  package var chipsIssued: Int64 { issued }
  var issued: Int64 = 0
  private var expired: Int64 = 0

  /// A table without rows.
  ///
  /// - Parameter firstDate: The first local date of the run.
  package init(rules: AffiliateRules, firstDate: CivilDate) {
    self.rules = rules
    lots = rules.chipDays / 28 + 3
    stride = AffiliateTable.headWords + lots
    firstLiveLot = AffiliateTable.month(of: firstDate)
  }

  /// Number of affiliates.
  package var count: Int { words.count / stride }

  /// Adds `rows` affiliates without chips and returns the row of the first.
  package mutating func add(rows: Int = 1) -> Int {
    let first = count
    words.append(contentsOf: repeatElement(0, count: rows * stride))
    return first
  }

  /// The lot of chips from a scan on a local date: the month that contains date + chip days.
  package func lot(ofScanOn date: CivilDate) -> Int {
    AffiliateTable.month(of: date.adding(days: rules.chipDays))
  }

  /// Credits one accepted scan of a referred member: chips, and one towards the floors.
  ///
  /// - Returns: The affiliate's referred scans after it.
  /// - Complexity: O(1).
  package mutating func credit(_ row: Int, lot: Int) -> Int64 {
    var scans: Int64 = 0
    credit([UInt32(row)], lot: lot) { _, count in scans = count }
    return scans
  }

  /// Credits one accepted scan for each row named, a row as often as it stands there.
  ///
  /// - Parameter credited: Called after each with the row and its referred scans.
  /// - Complexity: O(rows); nothing in the loop depends on an earlier row, so that the processor
  ///   overlaps the cache misses of several.
  package mutating func credit(
    _ rows: [UInt32], lot: Int, credited: (Int, Int64) -> Void
  ) {
    let stride = stride
    let place = AffiliateTable.headWords + lot % lots
    let chips = Int64(rules.chipsPerScan)
    words.withUnsafeMutableBufferPointer { words in
      for row in rows {
        let base = Int(row) * stride
        words[base] += 1
        words[base + 1] += chips
        words[base + place] += chips
        credited(Int(row), words[base])
      }
    }
    issued += chips * Int64(rows.count)
  }

  /// The permanent floor by an affiliate's referred scans, when the last scan just reached it.
  package static func floorReached(referredScans: Int64, tiers: TierRules) -> Tier? {
    let floor = tiers.floor(referredScans: referredScans)
    return floor > tiers.floor(referredScans: referredScans - 1) ? floor : nil
  }

  /// Lifetime accepted scans of an affiliate's referred members.
  package func referredScans(_ row: Int) -> Int64 { words[row * stride] }

  /// Unexpired chips held by an affiliate.
  package func chips(_ row: Int) -> Int64 { words[row * stride + 1] }

  /// Unexpired chips held by all.
  package var chipsHeld: Int64 { issued - expired }

  /// Enters a month: the lots of earlier months expire.
  package mutating func turnMonth(to date: CivilDate) {
    let month = AffiliateTable.month(of: date)
    while firstLiveLot < month {
      let place = AffiliateTable.headWords + firstLiveLot % lots
      for row in 0..<count {
        let chips = words[row * stride + place]
        words[row * stride + place] = 0
        words[row * stride + 1] -= chips
        expired += chips
      }
      firstLiveLot += 1
    }
  }

  /// Shares a pool by unexpired chips held, each share rounded down.
  ///
  /// - Parameters:
  ///   - isSuspended: Whether the affiliate of a row earns nothing now; the others share.
  ///   - pay: Called for each share above zero, in the order of the rows.
  /// - Returns: The chips that shared, the holders paid and what was paid; the rest is the carry.
  /// - Complexity: O(affiliates).
  package func share(
    _ pool: MicroUSDT, isSuspended: (Int) -> Bool = { _ in false },
    pay: (Int, MicroUSDT) throws(MoneyError) -> Void
  ) throws(MoneyError) -> (chips: Int64, holders: Int64, paid: MicroUSDT) {
    let sharing = (0..<count).filter { chips($0) > 0 && !isSuspended($0) }
    let all = sharing.reduce(Int64(0)) { $0 + chips($1) }
    var paid = MicroUSDT.zero
    var holders: Int64 = 0
    guard all > 0 else { return (0, 0, .zero) }
    for row in sharing {
      let share = try pool.portion(chips(row), of: all)
      guard share > .zero else { continue }
      try pay(row, share)
      paid = try paid.adding(share)
      holders += 1
    }
    return (all, holders, paid)
  }

  private static func month(of date: CivilDate) -> Int { date.year * 12 + date.month - 1 }
}
