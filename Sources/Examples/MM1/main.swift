// M/M/1: customers arrive at random, one server serves them in order of arrival.
// Usage: example-mm1 [SEED]
import EventKernel
import Glibc
import Quantities

/// Arrivals at rate 0.8 a second, service at rate 1: the server is busy 80 % of the time.
struct SingleServer: EventHandler {
  enum Event { case arrival, departure }

  var arrivals: RandomStream
  var services: RandomStream
  var server: QueueResource<Void>
  var waits: BatchMeans

  init(seed: UInt64) throws {
    arrivals = RandomStream(seed: seed, purpose: 1, entity: 0)
    services = RandomStream(seed: seed, purpose: 2, entity: 0)
    server = QueueResource(servers: 1, start: Instant(microseconds: 0))
    waits = try BatchMeans(batchesMinimum: 20, batchLength: 1_000)
  }

  mutating func handle(
    _ event: Event, _ executive: inout Executive<Event>
  ) throws(EstimatorError) {
    switch event {
    case .arrival:
      executive.schedule(.arrival, after: TimeSpan(drawn: arrivals.exponential(mean: 1 / 0.8)))
      if server.arrive((), at: executive.now) == .startsNow {
        try begin(waited: 0, &executive)
      }
    case .departure:
      if let next = server.finish(at: executive.now) {
        try begin(waited: (executive.now - next.arrival).inSeconds, &executive)
      }
    }
  }

  mutating func begin(
    waited seconds: Double, _ executive: inout Executive<Event>
  ) throws(EstimatorError) {
    try waits.add(seconds)
    executive.schedule(.departure, after: TimeSpan(drawn: services.exponential(mean: 1)))
  }
}

extension TimeSpan {
  /// A span drawn in seconds, rounded to the nearest microsecond.
  init(drawn seconds: Double) { self.init(microseconds: Int64((seconds * 1e6).rounded())) }
}

guard let seed = UInt64(CommandLine.arguments.dropFirst().first ?? "1") else {
  let words = "usage: example-mm1 [SEED], a whole number from 0 to \(UInt64.max)\n"
  _ = words.withCString { write(2, $0, strlen($0)) }
  exit(64)
}
var executive = Executive<SingleServer.Event>(start: Instant(microseconds: 0))
var model = try SingleServer(seed: seed)
executive.schedule(.arrival, after: .seconds(0))
try executive.run(&model) { $0.waits.observations.count < 2_000_000 }

let interval = try model.waits.interval()
let busy = try model.server.busyStatistics.mean(at: executive.now) ?? 0
let line = try model.server.lineStatistics.mean(at: executive.now) ?? 0
print("M/M/1, arrival rate 0.8, service rate 1, \(interval.count) batches, seed \(seed)")
print("quantity                 measured   95 % half-width   closed form")
func row(_ name: String, _ value: Double, _ halfWidth: Double?, _ exact: Double) {
  func cell(_ number: Double, _ width: Int) -> String {
    let text = "\((number * 1e5).rounded() / 1e5)"
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }
  let label = name + String(repeating: " ", count: max(0, 22 - name.count))
  let half = halfWidth.map { cell($0, 17) } ?? String(repeating: " ", count: 16) + "–"
  print(label + cell(value, 11) + " " + half + cell(exact, 14))
}
row("wait in line, s", interval.mean, interval.halfWidth, 4)
row("customers in line", line, nil, 3.2)
row("server busy", busy, nil, 0.8)
