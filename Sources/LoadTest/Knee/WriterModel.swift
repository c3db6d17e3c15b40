internal import EventKernel
internal import Foundation
internal import Quantities

/// What the writer of a service did in some time, as its metrics tell.
package struct WriterWork: Sendable, Equatable {
  /// Requests that became durable, and the transactions that they took.
  package var requests: Double
  package var batches: Double
  /// Seconds in the rules and on the disk.
  package var writing: Double
  /// Seconds of all processors that the service took outside of its writer; nil where it does not
  /// say.
  package var processor: Double?
  /// Processors that the service may use at once; nil where it does not say.
  package var processors: Int?

  /// See the properties.
  package init(
    requests: Double, batches: Double, writing: Double, processor: Double? = nil,
    processors: Int? = nil
  ) {
    self.processors = processors
    self.requests = requests
    self.batches = batches
    self.writing = writing
    self.processor = processor
  }

  /// Reads the metrics of `pitboss serve`.
  ///
  /// - Returns: Nil where the text is not of one.
  package init?(metrics text: String) {
    var values: [Substring: Double] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ")
      if words.count == 2 { values[words[0]] = Double(words[1]) }
    }
    guard let requests = values["pitboss_requests_total"],
      let batches = values["pitboss_batches_total"],
      let rules = values["pitboss_rules_seconds_total"],
      let disk = values["pitboss_disk_seconds_total"]
    else { return nil }
    var processor: Double?
    if let all = values["process_cpu_seconds_total"],
      let writer = values["pitboss_writer_cpu_seconds_total"]
    {
      processor = all - writer
    }
    self.init(
      requests: requests, batches: batches, writing: rules + disk, processor: processor,
      processors: values["pitboss_processors"].flatMap { Int(exactly: $0) })
  }

  /// What was done since.
  package func since(_ before: WriterWork) -> WriterWork {
    WriterWork(
      requests: requests - before.requests, batches: batches - before.batches,
      writing: writing - before.writing,
      processor: processor.flatMap { now in before.processor.map { now - $0 } },
      processors: processors)
  }
}

/// The queueing model of a service: one writer takes all that waits, up to a bound, and makes it
/// durable together; what comes meanwhile is the next batch. Around it every request takes a constant
/// time of a processor and of the network.
package struct WriterModel: Sendable, Equatable {
  /// Seconds of a batch, whatever is in it.
  package var batch: Double
  /// Seconds of each request in it.
  package var request: Double
  /// Seconds of a processor that a request takes outside of the writer.
  package var handling: Double
  /// Seconds that a request takes outside of all queues.
  package var constant: Double
  /// Processors that handle requests, beside the writer.
  package var processors: Int
  /// The share of requests that go to the writer, 0...1.
  package var writes: Double
  /// The most requests of a batch: as many as wait at most.
  package var largest = 16_384

  /// See the properties.
  package init(
    batch: Double, request: Double, handling: Double, constant: Double, processors: Int,
    writes: Double = 1, largest: Int = 16_384
  ) {
    self.batch = batch
    self.request = request
    self.handling = handling
    self.constant = constant
    self.processors = processors
    self.writes = writes
    self.largest = largest
  }

  /// What is known of a service at rates that it carries easily.
  ///
  /// Seconds of batch and request are fitted to the writer's time by least squares; what a median
  /// request takes beyond them is constant.
  ///
  /// - Parameters:
  ///   - points: At least two, with the writer's work and different sizes of batches.
  ///   - processors: Of the service's machine, where the service does not say how many it may use.
  package init?(_ points: [KneeSearch.Point], processors: Int) {
    let known = points.filter(Self.isFitted(to:))
    guard known.count >= 2 else { return nil }
    var (bb, bn, nn, bw, nw) = (0.0, 0.0, 0.0, 0.0, 0.0)
    var (handled, taken, written) = (0.0, 0.0, 0.0)
    for point in known {
      guard let work = point.work else { continue }
      // Each point counts by its shape, not by its length.
      let scale = 1 / max(work.requests, 1)
      let (b, n, w) = (work.batches * scale, work.requests * scale, work.writing * scale)
      bb += b * b
      bn += b * n
      nn += n * n
      bw += b * w
      nw += n * w
      handled += Double(point.measures.total.answered)
      written += work.requests
      taken += max(work.processor ?? 0, 0)
    }
    let determinant = bb * nn - bn * bn
    guard determinant > 1e-12 * bb * nn else { return nil }
    var batch = (bw * nn - nw * bn) / determinant
    var request = (nw * bb - bw * bn) / determinant
    if batch < 0 { (batch, request) = (0, nw / nn) }
    if request < 0 { (batch, request) = (bw / bb, 0) }
    let handling = handled > 0 ? taken / handled : 0
    let fastest = known.compactMap { $0.measures.total.latency.summary?.median }.min() ?? 0
    self.init(
      batch: batch, request: request, handling: handling,
      constant: max(Double(fastest) / 1e9 - batch - request - handling, 0),
      processors: max(known.last?.work?.processors ?? processors, 1),
      writes: handled > 0 ? min(written / handled, 1) : 1)
  }

  /// Whether a rate tells what the model is fitted to: its conditions are met, and the writer has written a
  /// batch or more.
  package static func isFitted(to point: KneeSearch.Point) -> Bool {
    (point.work?.batches ?? 0) >= 1 && point.isMet
  }

  /// What the model says of a rate.
  package struct Prediction: Sendable, Equatable {
    /// Answers a second.
    package var throughput: Double
    /// Seconds from the start to the answer.
    package var median: Double
    package var p99: Double
    /// Mean requests of a batch.
    package var batchSize: Double
  }

  /// Simulates Poisson arrivals.
  ///
  /// - Parameters:
  ///   - rate: Requests a second.
  ///   - seconds: Simulated, after a tenth of it has warmed it up.
  /// - Complexity: O(rate × seconds).
  package func predict(rate: Double, seconds: Double, seed: UInt64) -> Prediction {
    var system = WriterSystem(self, rate: rate, seconds: seconds, seed: seed)
    var executive = Executive<WriterSystem.Event>(start: Instant(microseconds: 0))
    executive.schedule(.arrival, after: TimeSpan(microseconds: 0))
    executive.run(&system)
    return system.prediction
  }

  /// Requests a second that it cannot exceed.
  package var capacity: Double {
    let writer = writes * (request + batch / Double(largest))
    return min(
      writer > 0 ? 1 / writer : .infinity, handling > 0 ? Double(processors) / handling : .infinity)
  }
}

/// The model as events: arrivals, the end of a handling, the end of a batch.
private struct WriterSystem: EventHandler {
  enum Event {
    case arrival
    case handled(Double)
    case written
  }

  /// What the kernel counts as microseconds are hundredths of one here.
  private static let ticks = 1e8
  /// No model draws from it.
  private static let purpose: UInt32 = 83

  private let model: WriterModel
  private let rate: Double
  private let end: Double
  private let warm: Double
  private var arrivals: RandomStream
  private var handlers: QueueResource<Double>
  private var line: [Double] = []
  private var batch: [Double] = []
  private var latency = LatencyRecorder()
  private var batches = 0
  private var written = 0
  private var answered = 0

  init(_ model: WriterModel, rate: Double, seconds: Double, seed: UInt64) {
    self.model = model
    self.rate = rate
    warm = seconds * 0.1
    end = seconds * 1.1
    arrivals = RandomStream(seed: seed, purpose: Self.purpose, entity: 0)
    handlers = QueueResource(servers: model.processors, start: Instant(microseconds: 0))
  }

  mutating func handle(_ event: Event, _ executive: inout Executive<Event>) {
    let now = Double(executive.now.microseconds) / Self.ticks
    switch event {
    case .arrival:
      if now < end {
        executive.schedule(.arrival, after: Self.span(arrivals.exponential(mean: 1 / rate)))
      }
      if handlers.arrive(now, at: executive.now) == .startsNow {
        executive.schedule(.handled(now), after: Self.span(model.handling))
      }
    case .handled(let start):
      if let next = handlers.finish(at: executive.now) {
        executive.schedule(.handled(next.customer), after: Self.span(model.handling))
      }
      if arrivals.uniform() < model.writes {
        line.append(start)
        if batch.isEmpty { write(&executive) }
      } else {
        answer(start, now)
      }
    case .written:
      for start in batch { answer(start, now) }
      batch.removeAll(keepingCapacity: true)
      if !line.isEmpty { write(&executive) }
    }
  }

  private mutating func write(_ executive: inout Executive<Event>) {
    let count = min(line.count, model.largest)
    batch.append(contentsOf: line[..<count])
    line.removeFirst(count)
    batches += 1
    written += count
    executive.schedule(
      .written, after: Self.span(model.batch + Double(count) * model.request))
  }

  private mutating func answer(_ start: Double, _ now: Double) {
    guard start >= warm, start < end else { return }
    if now < end { answered += 1 }
    latency.record(Int64((now - start + model.constant) * 1e9))
  }

  private static func span(_ seconds: Double) -> TimeSpan {
    TimeSpan(microseconds: Int64((seconds * ticks).rounded()))
  }

  var prediction: WriterModel.Prediction {
    WriterModel.Prediction(
      throughput: Double(answered) / (end - warm), median: Double(latency.percentile(50)) / 1e9,
      p99: Double(latency.percentile(99)) / 1e9,
      batchSize: batches == 0 ? 0 : Double(written) / Double(batches))
  }
}
