// Goal: the kernel as a whole reproduces queueing theory.
// Method: the model is run with fixed seeds; measured means must cover the closed forms within
// their own intervals, and 95 % intervals must cover in 93 … 97 % of 1,000 replications.
import EventKernel
import Quantities
import TestSupport
import Testing

/// M/M/c with service rate 1.
struct MarkovQueue: EventHandler {
  enum Event { case arrival, departure }

  let gap: Double
  var arrivals: RandomStream
  var services: RandomStream
  var servers: QueueResource<Void>
  var waits: BatchMeans
  var delayed: BatchMeans
  var warmUp: Int

  init(rate: Double, servers count: Int, seed: UInt64, warmUp: Int, batch: Int) throws {
    gap = 1 / rate
    arrivals = RandomStream(seed: seed, purpose: 1, entity: 0)
    services = RandomStream(seed: seed, purpose: 2, entity: 0)
    servers = QueueResource(servers: count, start: Instant(microseconds: 0))
    waits = try BatchMeans(batchesMinimum: 10, batchLength: batch)
    delayed = try BatchMeans(batchesMinimum: 10, batchLength: batch)
    self.warmUp = warmUp
  }

  mutating func handle(
    _ event: Event, _ executive: inout Executive<Event>
  ) throws(EstimatorError) {
    switch event {
    case .arrival:
      executive.schedule(.arrival, after: Self.span(arrivals.exponential(mean: gap)))
      if servers.arrive((), at: executive.now) == .startsNow { try begin(0, 0, &executive) }
    case .departure:
      if let next = servers.finish(at: executive.now) {
        try begin((executive.now - next.arrival).inSeconds, 1, &executive)
      }
    }
  }

  mutating func begin(
    _ seconds: Double, _ isDelayed: Double, _ executive: inout Executive<Event>
  ) throws(EstimatorError) {
    if warmUp > 0 {
      warmUp -= 1
    } else {
      try waits.add(seconds)
      try delayed.add(isDelayed)
    }
    executive.schedule(.departure, after: Self.span(services.exponential(mean: 1)))
  }

  static func span(_ seconds: Double) -> TimeSpan {
    TimeSpan(microseconds: Int64((seconds * 1e6).rounded()))
  }

  static func run(
    rate: Double, servers: Int, seed: UInt64, customers: Int, warmUp: Int, batch: Int
  ) throws -> MarkovQueue {
    var executive = Executive<Event>(start: Instant(microseconds: 0))
    var model = try MarkovQueue(
      rate: rate, servers: servers, seed: seed, warmUp: warmUp, batch: batch)
    executive.schedule(.arrival, after: .seconds(0))
    try executive.run(&model) { $0.waits.observations.count < customers }
    return model
  }
}

@Suite(.tags(.slow)) struct QueueingTheoryTests {
  @Test("Mean waits and waiting probabilities are the closed forms")
  func closedForms() throws {
    for (name, rate, count, wait, probability) in [
      ("M/M/1, rho = 0.8", 0.8, 1, 4.0, 0.8),
      ("M/M/3, lambda = 2", 2.0, 3, 0.444444, 0.444444),
      ("Erlang C, A = 5, c = 6", 5.0, 6, 0.587516, 0.587516),
    ] {
      let model = try MarkovQueue.run(
        rate: rate, servers: count, seed: 7, customers: 200_000, warmUp: 2_000, batch: 1_000)
      let waits = try model.waits.interval(level: 0.99)
      let delayed = try model.delayed.interval(level: 0.99)
      #expect(waits.contains(wait), "\(name): wait \(waits), theory \(wait), seed 7")
      #expect(
        delayed.contains(probability), "\(name): share \(delayed), theory \(probability), seed 7")
      // An interval that covers because it is wide proves nothing.
      #expect(waits.halfWidth < 0.15 * wait, "\(name): wait \(waits)")
      #expect(delayed.halfWidth < 0.05 * probability, "\(name): share \(delayed)")
    }
  }

  @Test("The 95 % interval of M/M/1's wait covers in 93 to 97 % of 1,000 replications")
  func coverage() throws {
    // rho = 0.5: the wait remembers about 12 customers, so batches of 300 are nearly independent.
    let rate = 0.5
    let exact = rate / (1 - rate)
    var covered = 0
    for seed in UInt64(0)..<1_000 {
      let model = try MarkovQueue.run(
        rate: rate, servers: 1, seed: seed, customers: 3_000, warmUp: 100, batch: 300)
      if try model.waits.interval().contains(exact) { covered += 1 }
    }
    #expect(covered >= 930 && covered <= 970, "\(covered) of 1,000 intervals cover \(exact)")
  }
}
