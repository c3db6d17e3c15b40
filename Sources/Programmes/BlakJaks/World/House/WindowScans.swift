internal import EventKernel
internal import Quantities

/// The accepted scans of one window, sorted only where the rules look.
struct WindowScans: ScanBatch {
  let cells: UnsafeMutableBufferPointer<Cell>
  let window: Window
  let accepted: PerTier<Int64>
  /// By minute of the clock.
  private let minutes: [ScanMinute]
  private var runs: RewardRuns
  /// Lent by the house, so that its memory serves every window.
  var order: WindowOrder
  private var isLoaded = false
  /// Minutes whose scans were asked for before all were loaded: one look at every scan each, where
  /// loading takes two and a copy.
  private var single: [(minute: Int, scans: [AcceptedScan])] = []
  private static let mostSingle = 3

  init(
    _ window: Window, cells: UnsafeMutableBufferPointer<Cell>, accepted: PerTier<Int64>,
    minutes: [ScanMinute], runs: RewardRuns, order: consuming WindowOrder
  ) {
    self.cells = cells
    self.window = window
    self.accepted = accepted
    self.minutes = minutes
    self.runs = runs
    self.order = order
  }

  private mutating func load() {
    guard !isLoaded else { return }
    order.load(window, cells: cells)
    isLoaded = true
  }

  mutating func scan(at place: Int) -> AcceptedScan {
    guard !isLoaded else { return order[place] }
    var (minute, first) = (0, 0)
    while minute < minutes.count, first + Int(minutes[minute].scans) <= place {
      first += Int(minutes[minute].scans)
      minute += 1
    }
    guard let scans = scans(ofMinute: minute) else {
      load()
      return order[place]
    }
    return scans[place - first]
  }

  /// The scans of a minute in the total order; nil where so many minutes were asked for that all of
  /// them had better be loaded.
  private mutating func scans(ofMinute minute: Int) -> [AcceptedScan]? {
    if let known = single.first(where: { $0.minute == minute }) { return known.scans }
    guard single.count < Self.mostSingle else { return nil }
    let start = AwardMinute.minute(of: window.start) + .minutes(Int64(minute))
    let end = start + .minutes(1)
    var scans: [AcceptedScan] = []
    scans.reserveCapacity(Int(minutes[minute].scans))
    for cell in cells.indices where cells[cell].tally.outcomes[.accepted] > 0 {
      cells[cell].emissions.withUnsafeBufferPointer { list in
        for scan in list where scan.time >= start && scan.time < end { scans.append(scan) }
      }
    }
    scans.sort(by: AcceptedScan.precedes)
    single.append((minute, scans))
    return scans
  }

  mutating func scans(after place: Int) -> [UInt32: UInt32] {
    load()
    var counts: [UInt32: UInt32] = [:]
    for later in place + 1..<max(order.count, place + 1) {
      counts[order[later].member, default: 0] += 1
    }
    return counts
  }

  func forEachReferral(
    _ body: ([UInt32]) throws(MoneyError) -> Void
  ) throws(MoneyError) {
    for cell in cells.indices where !cells[cell].credits.isEmpty { try body(cells[cell].credits) }
  }

  /// Minute by minute, with a look at single scans only where `RewardRuns` asks for it.
  mutating func rewards() throws(MoneyError) -> [AwardRun] {
    if runs.isDetailed {
      load()
      try order.forEach(in: 0..<order.count) { (scan) throws(MoneyError) in try runs.add(scan) }
    } else {
      let firstMinute = AwardMinute.minute(of: window.start)
      var place = 0
      for row in minutes.indices {
        let places = place..<place + Int(minutes[row].scans)
        place = places.upperBound
        let start = firstMinute + .minutes(Int64(row))
        guard !runs.add(minutes[row], at: start) else { continue }
        if !isLoaded, let scans = scans(ofMinute: row) {
          for scan in scans { try runs.add(scan) }
        } else {
          load()
          try order.forEach(in: places) { (scan) throws(MoneyError) in try runs.add(scan) }
        }
      }
    }
    let promised = runs.runs.reduce(0) { $0 &+ $1.amount.microunits }
    let earned = minutes.reduce(0) { $0 &+ $1.rewards }
    invariant(promised == earned, "\(promised) micro-USDT promised for \(earned) of rewards")
    return runs.runs
  }
}
