internal import CKernel
internal import EventKernel
internal import Quantities

/// What the scans of one minute of the clock came to in one window: 32 bytes.
struct ScanMinute: Sendable, BitwiseCopyable {
  var scans: Int32 = 0
  /// The place of its first scan among those of the window; 0 without scans.
  var first: Int32 = 0
  /// Scans that earned a reward.
  var rewarded: Int32 = 0
  /// Micro-USDT.
  var rewards: Int64 = 0
  /// Microseconds from the minute's start to each rewarded scan, added up.
  var offsets: Int64 = 0

  /// Adds up what its scans, one at least, earn.
  ///
  /// - Parameters:
  ///   - scans: Those of the window.
  ///   - start: The minute's, in microseconds.
  mutating func sum(
    _ scans: UnsafeBufferPointer<AcceptedScan>, from start: Int64, _ table: ScanRewardTable,
    _ overflow: inout Overflow
  ) {
    if self.scans <= Self.fewScans {
      return table.amount.withValues { amounts in
        for scan in scans[places] { add(scan, from: start, amounts, &overflow) }
      }
    }
    let sums = AcceptedScan.sums(UnsafeBufferPointer(rebasing: scans[places]), from: start)
    for tier in Tier.allCases where table.amount[tier] > .zero {
      let count = sums.counts[tier]
      rewarded += Int32(truncatingIfNeeded: count)
      offsets += sums.times[tier]
      let (earned, isTooMuch) = table.amount[tier].microunits.multipliedReportingOverflow(by: count)
      if isTooMuch { overflow.note() }
      overflow.add(earned, to: &rewards)
    }
  }

  /// Scans of a minute that are added up faster one by one than in lanes.
  static let fewScans = 12

  /// Adds what one of its scans earns.
  ///
  /// - Parameters:
  ///   - start: The minute's, in microseconds.
  ///   - amounts: By tier.
  @inline(__always)
  mutating func add(
    _ scan: AcceptedScan, from start: Int64, _ amounts: UnsafePointer<MicroUSDT>,
    _ overflow: inout Overflow
  ) {
    let reward = scan.value(in: amounts).microunits
    let isRewarded: Int64 = reward > 0 ? 1 : 0
    rewarded &+= Int32(truncatingIfNeeded: isRewarded)
    offsets &+= (scan.time.microseconds &- start) &* isRewarded
    overflow.add(reward &* isRewarded, to: &rewards)
  }

  /// The place of its scans among those of the window.
  var places: Range<Int> { Int(first)..<Int(first + scans) }
}

/// The accepted scans of one window by minute of the clock, in no order within a minute.
struct ScansByMinute: Sendable {
  /// From the minute of the window's first instant on; at least as many as the window has.
  private(set) var minutes: [ScanMinute] = []
  /// Those that have scans, in order: few of a long window of a small world.
  private(set) var busy: [Int] = []
  /// All scans, minute after minute.
  var scans: [AcceptedScan] = []
  /// The minutes of the scans in the order in which the cells handed them over.
  private var rows: [UInt16] = []

  /// Takes the scans of a window, in place of those of the one before.
  ///
  /// - Parameters:
  ///   - harvests: The cells'.
  ///   - rewards: What a scan of the window pays.
  ///   - overflow: Told when the rewards of a minute leave 64 bits.
  /// - Complexity: O(cells + scans + min(minutes, scans × log scans)).
  mutating func take(
    _ harvests: [CellHarvest], of window: Window, _ rewards: ScanRewardTable,
    _ overflow: inout Overflow
  ) {
    let start = AwardMinute.minute(of: window.start).microseconds
    let last = Self.minute(of: window.end.microseconds - 1, from: start)
    for minute in busy { minutes[minute] = ScanMinute() }
    busy.removeAll(keepingCapacity: true)
    if minutes.count <= last {
      minutes.append(contentsOf: repeatElement(ScanMinute(), count: last + 1 - minutes.count))
    }
    invariant(last <= UInt16.max, "a window of \(last) minutes")
    Self.fit(&rows, to: harvests.reduce(0) { $0 + $1.emissions.count }, by: 0)
    minutes.withUnsafeMutableBufferPointer { minutes in
      rows.withUnsafeMutableBufferPointer {
        Self.count(harvests, from: start, through: last, into: minutes, $0)
      }
      rows.withUnsafeBufferPointer { Self.list(minutes, through: last, by: $0, into: &busy) }
      var all: Int32 = 0
      for minute in busy {
        minutes[minute].first = all
        all += minutes[minute].scans
      }
      Self.fit(&scans, to: Int(all), by: Self.blank)
      // Where minutes have few scans these are added up on their way, while their minute is at hand.
      let isSparse = Int(all) <= ScanMinute.fewScans * busy.count
      scans.withUnsafeMutableBufferPointer { places in
        rows.withUnsafeBufferPointer { rows in
          guard isSparse else {
            return Self.put(harvests, by: rows, minutes, into: places) { _, _, _ in }
          }
          rewards.amount.withValues { amounts in
            Self.put(harvests, by: rows, minutes, into: places) { minute, row, scan in
              minute.pointee.add(
                scan, from: start &+ Int64(row) &* CellRules.minuteMicros, amounts, &overflow)
            }
          }
        }
        for minute in busy {
          minutes[minute].first -= minutes[minute].scans
          guard !isSparse else { continue }
          minutes[minute].sum(
            UnsafeBufferPointer(places), from: start + Int64(minute) * CellRules.minuteMicros,
            rewards, &overflow)
        }
      }
    }
  }

  /// Visits a cell's scans where they are: a list that is gone through is counted and copied from.
  @inline(__always)
  private static func forEach(
    of harvest: CellHarvest, _ body: (UnsafePointer<AcceptedScan>) -> Void
  ) {
    harvest.emissions.withUnsafeBufferPointer { scans in
      guard var next = scans.baseAddress else { return }
      let end = next + scans.count
      while next < end {
        body(next)
        next += 1
      }
    }
  }

  /// Asks for the scans of a cell, which a thread has left in its own cache.
  private static func ask(for harvests: [CellHarvest], _ cell: Int) {
    guard cell < harvests.count else { return }
    harvests[cell].emissions.withUnsafeBytes { bytes in
      guard let first = bytes.baseAddress else { return }
      for offset in stride(from: 0, to: min(bytes.count, 4_096), by: 64) {
        ck_prefetch_far(first + offset)
      }
    }
  }

  /// Counts the scans of each minute, and notes the minute of each scan.
  private static func count(
    _ harvests: [CellHarvest], from start: Int64, through last: Int,
    into minutes: UnsafeMutableBufferPointer<ScanMinute>,
    _ rows: UnsafeMutableBufferPointer<UInt16>
  ) {
    guard var row = rows.baseAddress, let first = minutes.baseAddress else { return }
    for cell in harvests.indices {
      ask(for: harvests, cell + 1)
      forEach(of: harvests[cell]) { scan in
        let minute = minute(of: scan.pointee.time.microseconds, from: start)
        precondition(minute <= last, "a scan is handed over after its own window")
        first[minute].scans &+= 1
        row.pointee = UInt16(truncatingIfNeeded: minute)
        row += 1
      }
    }
  }

  /// Lists the minutes that have scans, in order: those of very few scans are not looked for among all.
  private static func list(
    _ minutes: UnsafeMutableBufferPointer<ScanMinute>, through last: Int,
    by rows: UnsafeBufferPointer<UInt16>, into busy: inout [Int]
  ) {
    guard rows.count < last / 32 else {
      for minute in 0...last where minutes[minute].scans > 0 { busy.append(minute) }
      return
    }
    for row in rows where minutes[Int(row)].first == 0 {
      // Says that it is listed, until the place of its first scan is known.
      minutes[Int(row)].first = 1
      busy.append(Int(row))
    }
    busy.sort()
  }

  /// Puts scans where their minutes' next ones belong.
  ///
  /// - Parameter told: Told of each with its minute.
  @inline(__always)
  private static func put(
    _ harvests: [CellHarvest], by rows: UnsafeBufferPointer<UInt16>,
    _ minutes: UnsafeMutableBufferPointer<ScanMinute>,
    into places: UnsafeMutableBufferPointer<AcceptedScan>,
    _ told: (UnsafeMutablePointer<ScanMinute>, UInt16, AcceptedScan) -> Void
  ) {
    guard var row = rows.baseAddress, let first = minutes.baseAddress,
      let places = places.baseAddress
    else { return }
    for cell in harvests.indices {
      forEach(of: harvests[cell]) { scan in
        let minute = first + Int(row.pointee)
        places[Int(minute.pointee.first)] = scan.pointee
        minute.pointee.first &+= 1
        told(minute, row.pointee, scan.pointee)
        row += 1
      }
    }
  }

  /// What a place holds before a scan is put there.
  private static var blank: AcceptedScan {
    AcceptedScan(
      time: .distantPast, member: 0,
      mark: ScanMark(tier: .standard, affiliate: MemberAccount.noAffiliate))
  }

  /// Makes a list so long; what is in it does not matter.
  private static func fit<Element>(
    _ list: inout [Element], to count: Int, by blank: @autoclosure () -> Element
  ) {
    if list.count > count { return list.removeLast(list.count - count) }
    list.append(contentsOf: repeatElement(blank(), count: count - list.count))
  }

  /// The minute of an instant, counted from the window's first.
  @inline(__always)
  private static func minute(of time: Int64, from start: Int64) -> Int {
    Int(truncatingIfNeeded: UInt64(bitPattern: time &- start) / UInt64(CellRules.minuteMicros))
  }
}

extension AcceptedScan {
  /// How many scans there are of each tier, and how long after an instant they were, added up.
  fileprivate static func sums(
    _ scans: UnsafeBufferPointer<AcceptedScan>, from start: Int64
  ) -> (counts: PerTier<Int64>, times: PerTier<Int64>) {
    // 16 bytes with the tier in the highest two bits: see `ScanMark`.
    let sums = ck_sum_marked(
      UnsafeRawPointer(scans.baseAddress)?.assumingMemoryBound(to: ck_marked.self), scans.count,
      start)
    let (counts, times) = (sums.counts, sums.times)
    return (
      PerTier(standard: counts.0, vip: counts.1, highRoller: counts.2, whale: counts.3),
      PerTier(standard: times.0, vip: times.1, highRoller: times.2, whale: times.3)
    )
  }
}
