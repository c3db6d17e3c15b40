internal import EventKernel
internal import Quantities

/// The accepted scans of one window, put in order only where the rules look.
///
/// The rules ask for the few that are due and for those at which a transaction ends, so that most
/// minutes are never looked at, and of the others the spans of time in which such scans are.
struct WindowScans: ScanBatch {
  /// Lent by the house.
  var harvests: [CellHarvest]
  /// Lent by the house, so that its memory serves every window.
  var byMinute: ScansByMinute
  let window: Window
  let count: Int64
  let highestTier: Tier
  private var runs: RewardRuns
  /// The minute that was looked at last, whose scans are in spans.
  private var minute = -1
  private var spans = ScanSpans()

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
    let places = byMinute.minutes[minute].places
    byMinute.scans.withUnsafeMutableBufferPointer {
      spans.settle(
        place - places.lowerBound, of: UnsafeMutableBufferPointer(rebasing: $0[places]))
    }
    return byMinute.scans[place]
  }

  private mutating func enterMinute(of place: Int) {
    if minute < 0 || place < byMinute.minutes[minute].places.lowerBound { minute = 0 }
    while byMinute.minutes[minute].places.upperBound <= place { minute += 1 }
    let places = byMinute.minutes[minute].places
    byMinute.scans.withUnsafeMutableBufferPointer {
      spans.spread(UnsafeMutableBufferPointer(rebasing: $0[places]))
    }
  }

  /// Puts the scans of a minute in order.
  private mutating func sort(_ places: Range<Int>) {
    byMinute.scans.withUnsafeMutableBufferPointer {
      let scans = UnsafeMutableBufferPointer(rebasing: $0[places])
      spans.spread(scans)
      spans.settleAll(scans)
    }
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
    let mayNeedOrder = runs.mayNeedOrder
    for row in byMinute.busy where byMinute.minutes[row].rewarded > 0 {
      let own = byMinute.minutes[row]
      if mayNeedOrder, runs.needsOrder(byMinute.scans[own.places]) {
        sort(own.places)
        try runs.add(detailed: byMinute.scans[own.places])
      } else if !runs.add(own, of: byMinute.scans, at: start + .minutes(Int64(row))) {
        try runs.add(cutting: &byMinute.scans, of: own, &spans)
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
