package import Quantities
internal import RewardModel

/// Affiliates: what their referred members' scans gave them, one row per affiliate.
///
/// Chips lie in lots by the month with which they expire. A lot's number counts months
/// (12 × year + month − 1); the lots that can be alive at once fill a small ring.
package struct AffiliateTable: Sendable, Codable {
  let rules: AffiliateRules
  let lots: Int
  /// Chips by row and by lot, those of the open lot not among them.
  @Packed private var chipsOfLots: [Int64] = []
  /// Their sum by row.
  @Packed private var chipsOfRows: [Int64] = []
  // What each scan changes lies close together: two numbers a row.
  /// Referred scans by row.
  @Packed private var scans: [Int64] = []
  /// How many of them gave chips of the open lot.
  @Packed private var openScans: [Int64] = []
  /// The lot of the chips that scans give now.
  private var openLot: Int
  /// The first lot that has not expired.
  private var firstLiveLot: Int
  /// Chips ever issued.
  package var chipsIssued: Int64 { issued }
  private var issued: Int64 = 0
  private var expired: Int64 = 0

  /// A table without rows.
  ///
  /// - Parameter firstDate: The first local date of the run.
  package init(rules: AffiliateRules, firstDate: CivilDate) {
    self.rules = rules
    lots = rules.chipDays / 28 + 3
    firstLiveLot = AffiliateTable.month(of: firstDate)
    openLot = firstLiveLot
  }

  /// Number of affiliates.
  package var count: Int { scans.count }

  /// Adds `rows` affiliates without chips and returns the row of the first.
  package mutating func add(rows: Int = 1) -> Int {
    let first = count
    chipsOfLots.append(contentsOf: repeatElement(0, count: rows * lots))
    chipsOfRows.append(contentsOf: repeatElement(0, count: rows))
    scans.append(contentsOf: repeatElement(0, count: rows))
    openScans.append(contentsOf: repeatElement(0, count: rows))
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
  /// - Complexity: O(rows), and once a lot O(affiliates).
  package mutating func credit(
    _ rows: [UInt32], lot: Int, credited: (Int, Int64) -> Void
  ) {
    if lot != openLot { open(lot) }
    AffiliateTable.count(rows, &_scans.wrappedValue, &_openScans.wrappedValue, credited)
    issued += Int64(rules.chipsPerScan) * Int64(rows.count)
  }

  /// Counts the scans by row. Each array is made the table's own once, and not for every scan.
  private static func count(
    _ rows: [UInt32], _ scans: inout [Int64], _ open: inout [Int64],
    _ credited: (Int, Int64) -> Void
  ) {
    scans.withUnsafeMutableBufferPointer { scans in
      open.withUnsafeMutableBufferPointer { open in
        for row in rows {
          scans[Int(row)] += 1
          open[Int(row)] += 1
          credited(Int(row), scans[Int(row)])
        }
      }
    }
  }

  /// Closes the open lot, and opens another.
  private mutating func open(_ lot: Int) {
    let perScan = Int64(rules.chipsPerScan)
    for row in openScans.indices {
      let chips = openScans[row] * perScan
      chipsOfLots[row * lots + openLot % lots] += chips
      chipsOfRows[row] += chips
      openScans[row] = 0
    }
    openLot = lot
  }

  /// The permanent floor by an affiliate's referred scans, when the last scan just reached it.
  package static func floorReached(referredScans: Int64, tiers: TierRules) -> Tier? {
    let floor = tiers.floor(referredScans: referredScans)
    return floor > tiers.floor(referredScans: referredScans - 1) ? floor : nil
  }

  /// Lifetime accepted scans of an affiliate's referred members.
  package func referredScans(_ row: Int) -> Int64 { scans[row] }

  /// Unexpired chips held by an affiliate.
  package func chips(_ row: Int) -> Int64 {
    chipsOfRows[row] + openScans[row] * Int64(rules.chipsPerScan)
  }

  /// Unexpired chips held by all.
  package var chipsHeld: Int64 { issued - expired }

  /// Enters a month: the lots of earlier months expire.
  package mutating func turnMonth(to date: CivilDate) {
    let month = AffiliateTable.month(of: date)
    while firstLiveLot < month {
      if firstLiveLot >= openLot { open(month) }
      for row in 0..<count {
        let chips = chipsOfLots[row * lots + firstLiveLot % lots]
        chipsOfLots[row * lots + firstLiveLot % lots] = 0
        chipsOfRows[row] -= chips
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
    var sharing: [(row: Int, chips: Int64)] = []
    sharing.reserveCapacity(count)
    var all: Int64 = 0
    for row in 0..<count {
      let chips = chips(row)
      guard chips > 0, !isSuspended(row) else { continue }
      sharing.append((row, chips))
      all += chips
    }
    var paid = MicroUSDT.zero
    var holders: Int64 = 0
    for (row, chips) in sharing {
      let share = try pool.portion(chips, of: all)
      guard share > .zero else { continue }
      try pay(row, share)
      paid = try paid.adding(share)
      holders += 1
    }
    return (all, holders, paid)
  }

  private static func month(of date: CivilDate) -> Int { date.year * 12 + date.month - 1 }
}
