/// How a threshold came out.
package struct ThresholdResult: Sendable, Equatable {
  package var threshold: LoadThreshold
  /// The worst value of any stretch, or that of the whole; nil where nothing was measured.
  package var value: Double?
  /// The second at whose end it was missed first; nil where it was not, or for the whole.
  package var missedAt: Int?
  package var isMet: Bool
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
    var result: ThresholdResult
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
  /// - Parameter open: Requests that have no answer yet, by step, with the nanoseconds since they were
  ///   meant to start. Those that are late already count, so that a service that hangs is seen while
  ///   it does.
  mutating func finishSecond(open: [(step: Int, age: Int64)]) {
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
        let threshold = items[row].threshold
        Self.record(open, of: items[row], in: &all.latency)
        let value = threshold.value(
          all.latency, answered: all.answered, failed: all.failed,
          rate: Double(all.answered) / Double(ring.count))
        if let value { judge(row, value) }
      }
      let place = second % ring.count
      items[row].ring[place].latency.clear()
      items[row].ring[place].answered = 0
      items[row].ring[place].failed = 0
    }
  }

  /// Counts what has waited for so long that it misses the bound already.
  private static func record(
    _ open: [(step: Int, age: Int64)], of item: Item, in latency: inout LatencyRecorder
  ) {
    guard case .percentile = item.threshold.metric else { return }
    for request in open where item.step == nil || item.step == request.step {
      if !item.threshold.isMet(by: Double(request.age)) { latency.record(request.age) }
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

  /// Looks at those of the whole.
  ///
  /// - Parameters:
  ///   - seconds: For how long sessions were to start.
  ///   - open: As above, where the load has ended early. A share of errors is measured only where it
  ///     comes out the same if all fail that have waited longer than any request that was answered.
  mutating func conclude(
    _ measures: LoadMeasures, over seconds: Double, open: [(step: Int, age: Int64)] = []
  ) {
    for row in items.indices where items[row].ring.isEmpty {
      let measure = items[row].step.map { measures.steps[$0] } ?? measures.total
      var latency = measure.latency
      latency.add(measure.lost)
      let greatest = latency.percentile(100)
      let overdue = open.count {
        (items[row].step == nil || items[row].step == $0.step) && $0.age > greatest
      }
      Self.record(open, of: items[row], in: &latency)
      let threshold = items[row].threshold
      func figure(failing more: Int) -> Double? {
        threshold.value(
          latency, answered: measure.answered, failed: measure.failed + more,
          rate: measures.answersPerSecond(measure, of: seconds))
      }
      if let value = figure(failing: 0), let worst = figure(failing: overdue),
        threshold.isMet(by: value) == threshold.isMet(by: worst)
      {
        judge(row, value)
      }
      items[row].result.missedAt = nil
    }
    // What was never measured, as in a load shorter than the stretch, has not been shown to hold.
    for row in items.indices where items[row].result.value == nil {
      items[row].result.isMet = false
    }
  }
}
