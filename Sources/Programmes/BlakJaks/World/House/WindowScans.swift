internal import EventKernel
internal import Quantities

/// The accepted scans of one window, put in order only where the rules look.
///
/// Cells hand them over by minute of the clock. The rules ask for the few that are due and for those at
/// which a transaction ends, so that most minutes are never looked at.
struct WindowScans: ScanBatch {
  let cells: UnsafeMutableBufferPointer<Cell>
  let window: Window
  let accepted: PerTier<Int64>
  /// By minute of the clock.
  private let minutes: [ScanMinute]
  private var runs: RewardRuns
  /// The scans of `minute`; lent by the house, so that its memory serves every window.
  var scans: [AcceptedScan]
  private var minute = -1
  /// The place of the first scan of `minute` among those of the window.
  private var first = 0
  private var isSorted = false

  /// - Parameters:
  ///   - minutes: What the cells' minutes add up to.
  ///   - scans: Of no minute.
  init(
    _ window: Window, cells: UnsafeMutableBufferPointer<Cell>, accepted: PerTier<Int64>,
    minutes: [ScanMinute], runs: RewardRuns, scans: consuming [AcceptedScan]
  ) {
    self.cells = cells
    self.window = window
    self.accepted = accepted
    self.minutes = minutes
    self.runs = runs
    self.scans = scans
  }

  mutating func scan(at place: Int) -> AcceptedScan {
    if minute >= 0, place >= first, place < first + scans.count {
      // Asked a second time: the rules may go through all of them.
      if !isSorted { sort() }
      return scans[place - first]
    }
    if place < first || minute < 0 { (minute, first) = (0, 0) }
    while first + Int(minutes[minute].scans) <= place {
      first += Int(minutes[minute].scans)
      minute += 1
    }
    load(minute)
    let rank = place - first
    scans.withUnsafeMutableBufferPointer { $0.select(first: rank + 1) }
    var last = 0
    for place in 0...rank where AcceptedScan.precedes(scans[last], scans[place]) { last = place }
    return scans[last]
  }

  /// Takes the scans of a minute from the cells.
  private mutating func load(_ minute: Int) {
    scans.removeAll(keepingCapacity: true)
    isSorted = false
    for cell in cells.indices where cells[cell].tally.outcomes[.accepted] > 0 {
      let (first, count) = (cells[cell].minutes[minute].first, cells[cell].minutes[minute].scans)
      guard count > 0 else { continue }
      scans.append(contentsOf: cells[cell].emissions[Int(first)..<Int(first + count)])
    }
  }

  private mutating func sort() {
    scans.sort(by: AcceptedScan.precedes)
    isSorted = true
  }

  mutating func scans(after place: Int) -> [UInt32: UInt32] {
    _ = scan(at: place)
    if !isSorted { sort() }
    var counts: [UInt32: UInt32] = [:]
    for later in scans[(place - first + 1)...] { counts[later.member, default: 0] += 1 }
    for cell in cells.indices where cells[cell].tally.outcomes[.accepted] > 0 {
      let rest = cells[cell].minutes[minute]
      for later in cells[cell].emissions[Int(rest.first + rest.scans)...] {
        counts[later.member, default: 0] += 1
      }
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
    let start = AwardMinute.minute(of: window.start)
    for row in minutes.indices where minutes[row].rewarded > 0 {
      if runs.isDetailed {
        load(row)
        sort()
        for scan in scans { try runs.add(scan) }
      } else if !runs.add(minutes[row], at: start + .minutes(Int64(row))) {
        load(row)
        try runs.add(cutting: &scans)
      }
    }
    // Its scans are in no order that `scan(at:)` knows.
    minute = -1
    let promised = runs.runs.reduce(0) { $0 &+ $1.amount.microunits }
    let earned = minutes.reduce(0) { $0 &+ $1.rewards }
    invariant(promised == earned, "\(promised) micro-USDT promised for \(earned) of rewards")
    return runs.runs
  }
}
