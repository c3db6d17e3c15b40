// Goal: the closed forms of M/M/c are those of queueing theory.
// Method: published values; Erlang B against its defining sum; tails against numerical integration
// of the convolution and against a simulated queue; refusals.
import EventKernel
import Foundation
import Quantities
import Testing

@Suite struct ErlangQueueTests {
  @Test(
    "Published values",
    arguments: [
      (0.8, 1, 0.8, 4.0), (2.0, 3, 0.444444, 0.444444), (5.0, 6, 0.587516, 0.587516),
    ])
  func published(rate: Double, servers: Int, probability: Double, wait: Double) throws {
    let queue = try ErlangQueue(arrivalRate: rate, serviceRate: 1, servers: servers)
    #expect(abs(queue.waitProbability - probability) < 1e-6)
    #expect(abs(queue.meanWait - wait) < 1e-6)
    #expect(abs(queue.meanSojourn - wait - 1) < 1e-6)
    #expect(abs(queue.meanLine - rate * wait) < 5e-6)
    #expect(abs(queue.meanPresent - rate * (wait + 1)) < 1e-5)
    #expect(abs(queue.utilisation - rate / Double(servers)) < 1e-12)
  }

  @Test(
    "Erlang B is the share of a^c/c! in the sum of a^k/k!",
    arguments: [(0.0, 1), (0.1, 2), (1.0, 1), (5.0, 6), (20.0, 10), (30.0, 40)])
  func lossSum(load: Double, servers: Int) throws {
    var term = 1.0
    var sum = 1.0
    for count in 1...servers {
      term *= load / Double(count)
      sum += term
    }
    let blocked = try ErlangQueue.erlangB(load: load, servers: servers)
    #expect(abs(blocked - term / sum) < 1e-14)
  }

  @Test func manyServersNeitherOverflowNorLosePrecision() throws {
    // Halfin and Whitt 1981, doi:10.1287/opre.29.3.567: with c = a + √a the probability of waiting
    // tends to 1 / (1 + √(2π)·Φ(1)·e^(1/2)) = 0.22336.
    let load = 1e6
    let waits = try ErlangQueue.erlangC(load: load, servers: 1_001_000)
    #expect(abs(waits - 0.22336) < 5e-4)
    #expect(try ErlangQueue.erlangB(load: 1e5, servers: 10) > 0.999)
  }

  @Test func oneServerHasTheSojournOfAnExponential() throws {
    let queue = try ErlangQueue(arrivalRate: 0.8, serviceRate: 1, servers: 1)
    for time in [0.0, 0.1, 1, 5, 40] {
      #expect(abs(queue.sojournTail(time) - exp(-0.2 * time)) < 1e-14)
      #expect(abs(queue.waitTail(time) - 0.8 * exp(-0.2 * time)) < 1e-14)
    }
    #expect(abs(try queue.sojournQuantile(0.95) - log(20) / 0.2) < 1e-9)
  }

  // c·μ − λ above, below, just beside and at μ.
  @Test(
    "A sojourn is a wait and a service, one after the other",
    arguments: [(2.0, 1.0, 4), (5.5, 1.0, 6), (5.0, 1.0, 6), (5.0 + 1e-9, 1.0, 6), (30.0, 7.0, 5)])
  func convolution(rate: Double, service: Double, servers: Int) throws {
    let queue = try ErlangQueue(arrivalRate: rate, serviceRate: service, servers: servers)
    for time in [0.01, 0.3, 1.0, 3.0] {
      // P(S > t) + ∫ service density(s) · P(W > t − s) ds, by Simpson's rule.
      let parts = 2_000
      let step = time / Double(parts)
      var sum = 0.0
      for place in 0...parts {
        let s = step * Double(place)
        let weight = place == 0 || place == parts ? 1.0 : place % 2 == 1 ? 4 : 2
        sum += weight * service * exp(-service * s) * queue.waitTail(time - s)
      }
      let expected = exp(-service * time) + sum * step / 3
      #expect(abs(queue.sojournTail(time) - expected) < 1e-9, "t = \(time)")
    }
    #expect(queue.sojournTail(-1) == 1)
    #expect(queue.waitTail(-1) == 1)
    #expect(queue.sojournTail(1e6) == 0)
    #expect(queue.sojournTail(.infinity) == 0)
    // The mean is the area under the tail.
    var area = 0.0
    let end = 60 * queue.meanSojourn
    for place in 0..<200_000 { area += queue.sojournTail((Double(place) + 0.5) * end / 200_000) }
    #expect(abs(area * end / 200_000 / queue.meanSojourn - 1) < 1e-5)
  }

  @Test("A quantile is where the tail says", arguments: [0.001, 0.25, 0.5, 0.95, 0.999_999])
  func quantiles(share: Double) throws {
    for (rate, servers) in [(0.8, 1), (5.0, 6), (3.3, 4)] {
      let queue = try ErlangQueue(arrivalRate: rate, serviceRate: 1, servers: servers)
      let time = try queue.sojournQuantile(share)
      #expect(abs(queue.sojournTail(time) - (1 - share)) < 1e-12)
    }
  }

  @Test func theSimulatedQueueHasTheseTails() throws {
    let queue = try ErlangQueue(arrivalRate: 2, serviceRate: 1, servers: 3)
    let model = SojournQueue.run(rate: 2, servers: 3, seed: 11, customers: 120_000)
    for share in [0.5, 0.9, 0.99] {
      let limit = try queue.sojournQuantile(share)
      let above = Double(model.sojourns.count { $0 > limit }) / Double(model.sojourns.count)
      // Sojourns of neighbors are alike: an allowance of four times the independent error.
      let error = (share * (1 - share) / Double(model.sojourns.count)).squareRoot()
      #expect(abs(above - (1 - share)) < 4 * 2 * error, "share \(share): \(above)")
    }
    let mean = model.sojourns.reduce(0, +) / Double(model.sojourns.count)
    #expect(abs(mean / queue.meanSojourn - 1) < 0.03)
  }

  @Test func aQueueWithoutASteadyStateIsRefused() {
    #expect(throws: QueueError.unstable(load: 3, servers: 3)) {
      try ErlangQueue(arrivalRate: 3, serviceRate: 1, servers: 3)
    }
    #expect(throws: QueueError.unstable(load: 4, servers: 3)) {
      try ErlangQueue.erlangC(load: 4, servers: 3)
    }
    #expect(throws: Never.self) { try ErlangQueue.erlangB(load: 4, servers: 3) }
    #expect(throws: QueueError.badServers(0)) { try ErlangQueue.erlangB(load: 1, servers: 0) }
    #expect(throws: QueueError.badArrivalRate(0)) {
      try ErlangQueue(arrivalRate: 0, serviceRate: 1, servers: 1)
    }
    #expect(throws: QueueError.badServiceRate(-1)) {
      try ErlangQueue(arrivalRate: 1, serviceRate: -1, servers: 1)
    }
    #expect(throws: QueueError.badServiceRate(.infinity)) {
      try ErlangQueue(arrivalRate: 1, serviceRate: .infinity, servers: 1)
    }
    #expect(throws: QueueError.badLoad(-0.5)) { try ErlangQueue.erlangB(load: -0.5, servers: 1) }
    #expect(throws: QueueError.self) {
      try ErlangQueue(arrivalRate: .nan, serviceRate: 1, servers: 1)
    }
  }

  @Test("A share that no time reaches is refused", arguments: [1.0, 1.5, -0.1, .infinity])
  func badShares(share: Double) throws {
    let queue = try ErlangQueue(arrivalRate: 1, serviceRate: 1, servers: 2)
    #expect(throws: QueueError.badShare(share)) { try queue.sojournQuantile(share) }
    #expect(try queue.sojournQuantile(0) == 0)
  }
}

/// M/M/c with service rate 1 that keeps each customer's whole time in it.
private struct SojournQueue: EventHandler {
  enum Event {
    case arrival
    case departure(since: Instant)
  }

  let gap: Double
  let warmUp: Int
  var arrivals: RandomStream
  var services: RandomStream
  var servers: QueueResource<Void>
  var served = 0
  var sojourns: [Double] = []

  mutating func handle(_ event: Event, _ executive: inout Executive<Event>) {
    switch event {
    case .arrival:
      executive.schedule(.arrival, after: MarkovQueue.span(arrivals.exponential(mean: gap)))
      if servers.arrive((), at: executive.now) == .startsNow { begin(executive.now, &executive) }
    case .departure(let since):
      served += 1
      if served > warmUp { sojourns.append((executive.now - since).inSeconds) }
      if let next = servers.finish(at: executive.now) { begin(next.arrival, &executive) }
    }
  }

  mutating func begin(_ arrival: Instant, _ executive: inout Executive<Event>) {
    executive.schedule(
      .departure(since: arrival), after: MarkovQueue.span(services.exponential(mean: 1)))
  }

  static func run(rate: Double, servers: Int, seed: UInt64, customers: Int) -> SojournQueue {
    let start = Instant(microseconds: 0)
    var executive = Executive<Event>(start: start)
    var model = SojournQueue(
      gap: 1 / rate, warmUp: 2_000,
      arrivals: RandomStream(seed: seed, purpose: 1, entity: 0),
      services: RandomStream(seed: seed, purpose: 2, entity: 0),
      servers: QueueResource(servers: servers, start: start))
    executive.schedule(.arrival, after: .seconds(0))
    executive.run(&model) { $0.sojourns.count < customers }
    return model
  }
}
