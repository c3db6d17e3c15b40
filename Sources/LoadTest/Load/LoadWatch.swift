/// How a threshold came out.
package struct ThresholdResult: Sendable, Equatable {
  package var threshold: LoadThreshold
  /// The worst value of any stretch, or that of the whole; nil where nothing was measured.
  package var value: Double?
  /// The second at whose end it was missed first; nil where it was not, or for the whole.
  package var missedAt: Int?
  package var isMet: Bool
}

/// A request that has no answer yet.
struct OpenRequest: Sendable {
  /// An index into the program's steps.
  var step: Int
  /// Nanoseconds since it was meant to start.
  var age: Int64
}

/// Looks at thresholds while a load runs.
struct LoadWatch: Sendable {
  /// One second of what a threshold looks at.
  private struct Second: Sendable {
    var latency = LatencyRecorder(isCoarse: true)
    var answered = 0
    var failed = 0
  }

  private struct Item: Sendable {
    let threshold: LoadThreshold
    /// Index of the step; nil for all.
    let step: Int?
    /// The last seconds, the one that goes on among them; empty where the whole is looked at.
    var ring: [Second]
    /// The last whole stretch; nil before there is one.
    var stretch: Second?
    var result: ThresholdResult

    /// What is known of requests of this item at one time.
    func value(_ all: Second, rate: Double) -> Double? {
      threshold.value(all.latency, answered: all.answered, failed: all.failed, rate: rate)
    }

    /// Those of the requests that this item looks at.
    func own(_ open: [OpenRequest]) -> [OpenRequest] {
      open.filter { step == nil || step == $0.step }
    }
  }

  private var items: [Item]
  private var second = 0

  init(_ thresholds: [LoadThreshold], steps: [String]) {
    items = thresholds.map { threshold in
      let empty = threshold.seconds.map { Array(repeating: Second(), count: $0) } ?? []
      return Item(
        threshold: threshold, step: threshold.step.flatMap { steps.firstIndex(of: $0) },
        ring: empty,
        result: ThresholdResult(threshold: threshold, value: nil, missedAt: nil, isMet: true))
    }
  }

  var results: [ThresholdResult] { items.map(\.result) }

  /// Whether one was missed in some stretch.
  var isMissed: Bool { items.contains { !$0.result.isMet } }

  mutating func answered(_ step: Int, _ latency: Int64) {
    for row in items.indices where items[row].step == nil || items[row].step == step {
      guard !items[row].ring.isEmpty else { continue }
      let place = second % items[row].ring.count
      items[row].ring[place].latency.record(latency)
      items[row].ring[place].answered += 1
    }
  }

  mutating func failed(_ step: Int) {
    for row in items.indices where items[row].step == nil || items[row].step == step {
      guard !items[row].ring.isEmpty else { continue }
      items[row].ring[second % items[row].ring.count].failed += 1
    }
  }

  /// A request was given up.
  mutating func gaveUp(_ step: Int, _ latency: Int64) {
    for row in items.indices where items[row].step == nil || items[row].step == step {
      guard !items[row].ring.isEmpty else { continue }
      items[row].ring[second % items[row].ring.count].latency.record(latency)
    }
  }

  /// Whether a stretch is looked at.
  var looksAtStretches: Bool { items.contains { !$0.ring.isEmpty } }

  /// Ends a whole second.
  ///
  /// - Parameter open: Those that are late already count, so that a service that hangs is seen while
  ///   it does.
  mutating func finishSecond(open: [OpenRequest]) {
    second += 1
    for row in items.indices where !items[row].ring.isEmpty {
      let ring = items[row].ring
      if second >= ring.count {
        var all = Second()
        for part in ring {
          all.latency.add(part.latency)
          all.answered += part.answered
          all.failed += part.failed
        }
        items[row].stretch = all
        Self.record(open, of: items[row], in: &all.latency)
        let rate = Double(all.answered) / Double(ring.count)
        if let value = items[row].value(all, rate: rate) { judge(row, value) }
      }
      let place = second % ring.count
      items[row].ring[place].latency.clear()
      items[row].ring[place].answered = 0
      items[row].ring[place].failed = 0
    }
  }

  /// Counts what has waited for so long that it misses the bound already.
  private static func record(
    _ open: [OpenRequest], of item: Item, in latency: inout LatencyRecorder
  ) {
    guard case .percentile = item.threshold.metric else { return }
    for request in item.own(open) where !item.threshold.isMet(by: Double(request.age)) {
      latency.record(request.age)
    }
  }

  private mutating func judge(_ row: Int, _ value: Double) {
    let threshold = items[row].threshold
    let worst = items[row].result.value ?? value
    items[row].result.value = threshold.wantsLess ? max(worst, value) : min(worst, value)
    guard items[row].result.isMet, !threshold.isMet(by: value) else { return }
    items[row].result.isMet = false
    items[row].result.missedAt = second
  }

  /// Looks at those of the whole, and where the load has ended early at what that leaves open.
  ///
  /// - Parameters:
  ///   - seconds: For how long sessions were to start.
  ///   - open: Where the load has ended early. A percentile or a share of errors is measured only where
  ///     it comes out the same if those that have waited longer than any answer of their step took are
  ///     never answered.
  mutating func conclude(
    _ measures: LoadMeasures, over seconds: Double, open: [OpenRequest] = []
  ) {
    let greatest = measures.steps.map { $0.latency.percentile(100) }
    let overdue = open.filter { $0.age > greatest[$0.step] }
    for row in items.indices {
      if let stretch = items[row].stretch {
        let rate = Double(stretch.answered) / Double(items[row].ring.count)
        let (_, isCertain) = Self.figure(stretch, rate: rate, of: items[row], open, overdue)
        // One that was missed stays missed.
        if items[row].result.isMet, !isCertain { items[row].result.value = nil }
      } else if items[row].ring.isEmpty {
        let measure = items[row].step.map { measures.steps[$0] } ?? measures.total
        var all = Second(
          latency: measure.latency, answered: measure.answered, failed: measure.failed)
        all.latency.add(measure.lost)
        let rate = measures.answersPerSecond(measure, of: seconds)
        let (value, isCertain) = Self.figure(all, rate: rate, of: items[row], open, overdue)
        if let value, isCertain { judge(row, value) }
        items[row].result.missedAt = nil
      }
    }
    // What was never measured, as in a load shorter than the stretch, has not been shown to hold.
    for row in items.indices where items[row].result.value == nil {
      items[row].result.isMet = false
    }
  }

  /// The value of what ended, with what is open and late, and whether the threshold is met or missed
  /// whatever becomes of the overdue.
  private static func figure(
    _ ended: Second, rate: Double, of item: Item, _ open: [OpenRequest], _ overdue: [OpenRequest]
  ) -> (value: Double?, isCertain: Bool) {
    var known = ended
    record(open, of: item, in: &known.latency)
    var worst = known
    // Those that miss the bound already are in what is known.
    for request in item.own(overdue) where item.threshold.isMet(by: Double(request.age)) {
      worst.latency.record(LatencyRecorder.longest)
    }
    worst.failed += item.own(overdue).count
    let (value, other) = (item.value(known, rate: rate), item.value(worst, rate: rate))
    let isCertain = value.map(item.threshold.isMet) == other.map(item.threshold.isMet)
    return (value, isCertain)
  }
}
