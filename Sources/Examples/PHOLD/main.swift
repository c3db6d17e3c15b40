// PHOLD: messages that wander among cells at random, each delay exponential: the standard load for
// parallel simulators (Fujimoto 1990, doi:10.1145/84537.84545), here on the plain executive.
// Usage: example-phold [SEED]
import EventKernel
import Glibc
import Quantities

/// One message is always under way for each member; it hops on to a random cell.
struct Hops: EventHandler {
  static let cells = 64
  static let messages = 4_096
  var streams: [RandomStream]
  /// Hops so far into each cell.
  var visits = [Int](repeating: 0, count: cells)
  var delays = Tally()

  init(seed: UInt64) {
    streams = (0..<UInt64(Self.messages)).map { RandomStream(seed: seed, purpose: 3, entity: $0) }
  }

  mutating func start(_ message: Int, _ executive: inout Executive<Int>) {
    let seconds = streams[message].exponential(mean: 1)
    executive.schedule(message, after: TimeSpan(microseconds: Int64((seconds * 1e6).rounded())))
  }

  mutating func handle(
    _ message: Int, _ executive: inout Executive<Int>
  ) throws(EstimatorError) {
    visits[Int(streams[message].uniformIndex(below: UInt64(Self.cells)))] += 1
    let seconds = streams[message].exponential(mean: 1)
    try delays.add(seconds)
    executive.schedule(message, after: TimeSpan(microseconds: Int64((seconds * 1e6).rounded())))
  }
}

func cell(_ number: Double, _ width: Int) -> String {
  let text = "\((number * 1e4).rounded() / 1e4)"
  return String(repeating: " ", count: max(0, width - text.count)) + text
}

guard let seed = UInt64(CommandLine.arguments.dropFirst().first ?? "1") else {
  let words = "usage: example-phold [SEED], a whole number from 0 to \(UInt64.max)\n"
  _ = words.withCString { write(2, $0, strlen($0)) }
  exit(64)
}
var executive = Executive<Int>(start: Instant(microseconds: 0))
var model = Hops(seed: seed)
for message in 0..<Hops.messages { model.start(message, &executive) }

// Hops in each second of simulated time; Poisson with mean `messages`, independent.
var perSecond = Tally()
for second in 1...500 {
  let hops = try executive.run(until: Instant(microseconds: Int64(second) * 1_000_000), &model)
  try perSecond.add(Double(hops))
}
var shares = Tally()
for visits in model.visits { try shares.add(Double(visits)) }
let rate = try perSecond.interval()
let delay = try model.delays.interval()
let spread = (perSecond.variance ?? 0) / (perSecond.mean ?? 1)

print("PHOLD, \(Hops.messages) messages, \(Hops.cells) cells, 500 s, seed \(seed)")
print("quantity                   measured   95 % half-width   closed form")
print("hops a second           ", cell(rate.mean, 11), cell(rate.halfWidth, 17), cell(4096, 13))
print("delay, s                ", cell(delay.mean, 11), cell(delay.halfWidth, 17), cell(1, 13))
print("variance / mean of hops ", cell(spread, 11), "                –", cell(1, 13))
print(
  "hops a cell             ", cell(shares.mean ?? 0, 11), "                –",
  cell(Double(executive.handled) / Double(Hops.cells), 13))
