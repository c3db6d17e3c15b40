internal import EventKernel
internal import Quantities

/// The accepted scans of one window, put in order only where the rules look.
///
/// The rules ask for the few that are due and for those at which a transaction ends, so that most
/// minutes are never looked at. Of a minute that they look at scans are selected by rank, each among
/// those behind the one before (Paredes and Navarro 2006, doi:10.1137/1.9781611972863.16).
struct WindowScans: ScanBatch {
  /// Lent by the house.
  var harvests: [CellHarvest]
  /// Lent by the house, so that its memory serves every window.
  var byMinute: ScansByMinute
  let window: Window
  let count: Int64
  let highestTier: Tier
  private var runs: RewardRuns
  /// The minute that was looked at last, and how many of its scans are known to come first.
  private var minute = -1
  private var selected = 0
  /// Whether these and all others of the minute are in order.
  private var isSorted = false
  /// The scan asked for last.
  private var latest: AcceptedScan?

  /// - Parameters:
  ///   - harvests: The cells'.
  ///   - accepted: How many there are by the tier after them.
  ///   - byMinute: Their scans.
  init(
    _ window: Window, harvests: consuming [CellHarvest], accepted: PerTier<Int64>,
    byMinute: consuming ScansByMinute, runs: RewardRuns
  ) {
    self.harvests = harvests
    self.byMinute = byMinute
    self.window = window
    count = accepted.sum
    highestTier = accepted.highest
    self.runs = runs
  }

  mutating func scan(at place: Int) -> AcceptedScan {
    if minute < 0 || !byMinute.minutes[minute].places.contains(place) { enterMinute(of: place) }
    let rank = place - byMinute.minutes[minute].places.lowerBound
    if rank == selected - 1, let latest { return latest }
    if rank < selected, !isSorted { restart() }
    // Whoever asks for the next one probably goes through all of them.
    if rank == selected, selected > 0, !isSorted { sort() }
    let found = isSorted ? byMinute.scans[place] : select(place)
    (selected, latest) = (rank + 1, found)
    return found
  }

  private mutating func enterMinute(of place: Int) {
    if minute < 0 || place < byMinute.minutes[minute].places.lowerBound { minute = 0 }
    while byMinute.minutes[minute].places.upperBound <= place { minute += 1 }
    restart()
  }

  private mutating func restart() {
    isSorted = false
    selected = 0
    latest = nil
  }

  /// The scans of the minute that are not known to come first.
  private var rest: Range<Int> {
    byMinute.minutes[minute].places.dropFirst(selected)
  }

  /// Selects a scan by its place among those of the window.
  private mutating func select(_ place: Int) -> AcceptedScan {
    let range = rest
    return byMinute.scans.withUnsafeMutableBufferPointer { scans in
      let rest = UnsafeMutableBufferPointer(rebasing: scans[range])
      let rank = place - range.lowerBound
      rest.select(first: rank + 1)
      var last = 0
      for place in 0...rank where AcceptedScan.precedes(rest[last], rest[place]) { last = place }
      return rest[last]
    }
  }

  /// Puts the scans of the minute that are not known to come first in order.
  private mutating func sort() {
    let range = rest
    byMinute.scans.withUnsafeMutableBufferPointer {
      UnsafeMutableBufferPointer(rebasing: $0[range]).sortMinute()
    }
    isSorted = true
  }

  mutating func scans(after place: Int) -> [UInt32: UInt32] {
    _ = scan(at: place)
    var counts: [UInt32: UInt32] = [:]
    for later in byMinute.scans[(place + 1)...] { counts[later.member, default: 0] += 1 }
    return counts
  }

  func forEachReferral(
    _ body: ([UInt32]) throws(MoneyError) -> Void
  ) throws(MoneyError) {
    for cell in harvests.indices where !harvests[cell].credits.isEmpty {
      try body(harvests[cell].credits)
    }
  }

  /// Pays them minute by minute; see `rewards`.
  mutating func payRewards(_ books: inout ProgrammeBooks) throws(MoneyError) {
    try books.pay(.scanReward, try rewards())
  }

  /// Minute by minute, in order only where `RewardRuns` asks for it.
  mutating func rewards() throws(MoneyError) -> [AwardRun] {
    let start = AwardMinute.minute(of: window.start)
    runs.reserve(minutes: byMinute.busy.count, scans: byMinute.scans.count)
    for row in byMinute.busy where byMinute.minutes[row].rewarded > 0 {
      let own = byMinute.minutes[row]
      if runs.needsOrder(byMinute.scans[own.places]) {
        (minute, selected) = (row, 0)
        sort()
        try runs.add(detailed: byMinute.scans[own.places])
      } else if !runs.add(
        own, of: byMinute.scans[own.places], at: start + .minutes(Int64(row)))
      {
        try runs.add(cutting: &byMinute.scans, own.places)
      }
    }
    minute = -1
    let told = runs.finish()
    let promised = told.reduce(0) { $0 &+ $1.amount.microunits }
    let earned = byMinute.busy.reduce(0) { $0 &+ byMinute.minutes[$1].rewards }
    invariant(promised == earned, "\(promised) micro-USDT promised for \(earned) of rewards")
    return told
  }
}
