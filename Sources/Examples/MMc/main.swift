// M/M/c: random arrivals, several equal servers with one line. Usage: example-mmc [SEED]
import EventKernel
import Glibc
import Quantities

struct Servers: EventHandler {
  enum Event { case arrival, departure }

  let arrivalRate: Double
  var arrivals: RandomStream
  var services: RandomStream
  var servers: QueueResource<Void>
  var waits: BatchMeans
  /// 1 for a customer who had to wait, 0 for one who did not.
  var delayed: BatchMeans

  init(arrivalRate: Double, servers count: Int, seed: UInt64) throws {
    self.arrivalRate = arrivalRate
    arrivals = RandomStream(seed: seed, purpose: 1, entity: UInt64(count))
    services = RandomStream(seed: seed, purpose: 2, entity: UInt64(count))
    servers = QueueResource(servers: count, start: Instant(microseconds: 0))
    waits = try BatchMeans(batchesMinimum: 20, batchLength: 1_000)
    delayed = try BatchMeans(batchesMinimum: 20, batchLength: 1_000)
  }

  mutating func handle(
    _ event: Event, _ executive: inout Executive<Event>
  ) throws(EstimatorError) {
    switch event {
    case .arrival:
      let gap = arrivals.exponential(mean: 1 / arrivalRate)
      executive.schedule(.arrival, after: Self.span(gap))
      if servers.arrive((), at: executive.now) == .startsNow {
        try begin(waited: 0, isDelayed: 0, &executive)
      }
    case .departure:
      if let next = servers.finish(at: executive.now) {
        let seconds = (executive.now - next.arrival).inSeconds
        try begin(waited: seconds, isDelayed: 1, &executive)
      }
    }
  }

  mutating func begin(
    waited seconds: Double, isDelayed: Double, _ executive: inout Executive<Event>
  ) throws(EstimatorError) {
    try waits.add(seconds)
    try delayed.add(isDelayed)
    executive.schedule(.departure, after: Self.span(services.exponential(mean: 1)))
  }

  static func span(_ seconds: Double) -> TimeSpan {
    TimeSpan(microseconds: Int64((seconds * 1e6).rounded()))
  }
}

/// Probability that a customer waits, for offered load `load` and `servers` servers: Erlang's C
/// formula by way of the recursion of his B formula.
func erlangC(load: Double, servers: Int) -> Double {
  var loss = 1.0
  for count in 1...servers { loss = load * loss / (Double(count) + load * loss) }
  let use = load / Double(servers)
  return loss / (1 - use + use * loss)
}

func cell(_ number: Double, _ width: Int) -> String {
  let text = "\((number * 1e6).rounded() / 1e6)"
  return String(repeating: " ", count: max(0, width - text.count)) + text
}

guard let seed = UInt64(CommandLine.arguments.dropFirst().first ?? "1") else {
  let words = "usage: example-mmc [SEED], a whole number from 0 to \(UInt64.max)\n"
  _ = words.withCString { write(2, $0, strlen($0)) }
  exit(64)
}
print("M/M/c, service rate 1, seed \(seed)")
print("system        quantity            measured   95 % half-width   closed form")
for (rate, count) in [(2.0, 3), (5.0, 6)] {
  var executive = Executive<Servers.Event>(start: Instant(microseconds: 0))
  var model = try Servers(arrivalRate: rate, servers: count, seed: seed)
  executive.schedule(.arrival, after: .seconds(0))
  try executive.run(&model) { $0.waits.observations.count < 2_000_000 }
  let probability = erlangC(load: rate, servers: count)
  let rows = [
    ("wait in line, s  ", try model.waits.interval(), probability / (Double(count) - rate)),
    ("share who wait   ", try model.delayed.interval(), probability),
  ]
  for (name, interval, exact) in rows {
    let system = "A = \(Int(rate)), c = \(count)"
    print(
      system, "  ", name, cell(interval.mean, 11), cell(interval.halfWidth, 17), cell(exact, 13))
  }
}
