internal import EventKernel
internal import Population
package import Quantities

/// The line of scans at the workers who adjudicate them: first come, first served, for an
/// exponential time each, fed by the accepted scans of each minute of the clock.
///
/// Scans come at instants drawn within their minute, as those of a Poisson process do, and what
/// is not done in a minute is carried into the next, over hours and midnights. A minute in which
/// fewer than 1 in 1,000 would have to wait (Erlang C) is not played through: its scans take their
/// own time.
package struct ScanQueue: Sendable, Codable {
  /// What one local day showed.
  package struct Day: Sendable {
    /// Mean time from a scan to its answer; nil without scans.
    package var mean: TimeSpan?
    /// What 95 of 100 scans took at most; nil without scans.
    package var p95: TimeSpan?
    /// The longest that a scan had to expect.
    package var peak: TimeSpan?
    /// What a scan at the day's end has to expect.
    package var now: TimeSpan
    /// Scans that wait for a worker at the day's end.
    package var backlog: Int64
    /// The most that waited.
    package var backlogPeak: Int64
  }

  private struct Staying: Sendable, Codable {
    var old: Double
    var new: Double
  }

  private let workers: Int64
  /// Seconds.
  private let service: Double
  private let seed: UInt64
  /// The largest load, in erlang, at which nobody waits to speak of.
  private let calmLoad: Double
  /// The share of scans in service at a minute's start that are so at its end, and of those that
  /// come in a minute, where nobody waits.
  private let staying: Staying
  /// Scans that wait or are in service.
  private var present: Int64 = 0

  /// Scans of the day that did not wait to speak of.
  private var calm: Int64 = 0
  private var played: Int64 = 0
  /// Seconds that the scans played through had to expect in the line, added up, and at most.
  private var waits = 0.0
  private var longest = 0.0
  private var backlogPeak: Int64 = 0
  /// Seconds from scan to answer of those played through.
  private var sketch = ScanQueue.emptySketch()

  /// A line in which nobody waits.
  ///
  /// - Complexity: O(workers).
  package init(_ rules: ScanningRules, seed: UInt64) {
    workers = Int64(rules.workers)
    service = rules.service.inSeconds
    self.seed = seed
    calmLoad = ScanQueue.calmLoad(servers: rules.workers)
    let old = Elementary.exp(-60 / service)
    staying = Staying(old: old, new: service / 60 * (1 - old))
  }

  private static func emptySketch() -> QuantileSketch {
    do { return try QuantileSketch() } catch { fatalError("the default sketch: \(error)") }
  }

  private static func calmLoad(servers: Int) -> Double {
    var (low, high) = (0.0, Double(servers))
    for _ in 0..<40 {
      let middle = (low + high) / 2
      let waiting = (try? ErlangQueue.erlangC(load: middle, servers: servers)) ?? 1
      if waiting <= 0.001 { low = middle } else { high = middle }
    }
    return low
  }

  /// Whether the next minute can be left out if no scan comes in it.
  package var isEmpty: Bool { present == 0 }

  /// Plays one minute of the clock; minutes come in order, and only while the line is empty may
  /// one without scans be left out.
  ///
  /// - Parameters:
  ///   - minute: Its number, counted from 1970, which names its draws.
  ///   - scans: 0 or more.
  /// - Complexity: O(1) where nobody waits, else O(scans that come or are done).
  package mutating func advance(minute: Int64, scans: Int64) {
    guard scans > 0 || present > 0 else { return }
    let load = Double(present) + Double(scans) * service / 60
    if load <= calmLoad {
      calm += scans
      let left = Double(present) * staying.old + Double(scans) * staying.new
      present = Int64(left.rounded())
      return
    }
    play(minute: minute, scans: Int(scans))
  }

  /// Plays a minute in which scans may have to wait, scan by scan.
  private mutating func play(minute: Int64, scans: Int) {
    var stream = LogStream(
      seed: seed, purpose: RandomPurpose.scanQueue.rawValue, entity: UInt64(bitPattern: minute))
    withUnsafeTemporaryAllocation(of: Double.self, capacity: scans) { times in
      var rest = 60.0
      for place in 0..<scans {
        // What is left after the first of so many uniform instants of the rest of the minute.
        let next = rest * Elementary.exp(stream.logUniform() / Double(scans - place))
        finish(within: rest - next, &stream)
        rest = next
        times[place] = arrive(&stream)
      }
      finish(within: rest, &stream)
      do { try sketch.add(all: UnsafeBufferPointer(times)) } catch {
        fatalError("a drawn time is finite: \(error)")
      }
    }
    played += Int64(scans)
  }

  /// Services end, at the rate of those under way.
  private mutating func finish(within seconds: Double, _ stream: inout LogStream) {
    var left = seconds
    while present > 0 {
      left += stream.logUniform() * service / Double(min(present, workers))
      guard left > 0 else { return }
      present -= 1
    }
  }

  /// - Returns: The seconds from the scan to its answer.
  private mutating func arrive(_ stream: inout LogStream) -> Double {
    // It waits for so many services, each of which ends after service ÷ workers on average.
    let ahead = max(present - workers + 1, 0)
    let pace = service / Double(workers)
    var seconds = -stream.logUniform() * service
    if ahead > 0 { seconds += stream.gamma(shape: Double(ahead), scale: pace) }
    waits += Double(ahead) * pace
    longest = max(longest, Double(ahead) * pace)
    present += 1
    backlogPeak = max(backlogPeak, present - workers)
    return seconds
  }

  /// Ends a day and begins the statistics of the next; the line stays as it is.
  package mutating func closeDay() -> Day {
    let count = calm + played
    let ahead = max(present - workers + 1, 0)
    let backlog = max(present - workers, 0)
    let day = Day(
      mean: count > 0 ? Self.span(service + waits / Double(count)) : nil,
      p95: count > 0 ? Self.span(Self.quantile(0.95, calm, sketch.bins, service)) : nil,
      peak: count > 0 ? Self.span(service + longest) : nil,
      now: Self.span(service + Double(ahead) * service / Double(workers)),
      backlog: backlog, backlogPeak: max(backlogPeak, 0))
    (calm, played, waits, longest, backlogPeak) = (0, 0, 0, 0, backlog)
    sketch = Self.emptySketch()
    return day
  }

  /// The time within which a share of scans was answered: those of calm minutes after an exponential
  /// time, the others as they were drawn.
  ///
  /// - Parameters:
  ///   - share: Above 0 and below 1.
  ///   - calm: How many were of calm minutes.
  ///   - bins: The others, in the order of their times: so many of each; one at least where none is calm.
  ///   - service: The mean of the exponential time.
  /// - Complexity: O(bins).
  package static func quantile(
    _ share: Double, _ calm: Int64, _ bins: [(value: Double, count: Int)], _ service: Double
  ) -> Double {
    let wanted = share * Double(bins.reduce(calm) { $0 + Int64($1.count) })
    // So many calm scans are answered after an exponential time of their own: its quantile.
    func calmTime(_ answered: Double) -> Double {
      answered < Double(calm) ? -service * Elementary.log1p(-answered / Double(calm)) : .infinity
    }
    var drawn = 0
    for bin in bins {
      // The calm ones alone may be enough before the bin's are answered.
      let alone = calmTime(wanted - Double(drawn))
      if alone < bin.value { return alone }
      drawn += bin.count
      let answered = Double(calm) * -Elementary.expm1(-bin.value / service) + Double(drawn)
      if answered >= wanted { return bin.value }
    }
    return calmTime(wanted - Double(drawn))
  }

  private static func span(_ seconds: Double) -> TimeSpan {
    TimeSpan(microseconds: Int64((seconds * 1e6).rounded()))
  }
}
