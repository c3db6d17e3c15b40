// M/M/1 on the kernel's executive and queue resource. Usage: bench-mm1 CUSTOMERS [splitmix|philox]
// Prints customers a second and the mean wait. With splitmix it draws the numbers that
// Peers/mm1.cpp draws, and must get the same mean wait; philox are the kernel's own streams.
import EventKernel
import Glibc
import Peer
import Quantities

/// Draws gaps and service times, in seconds.
protocol Source {
  mutating func gap() -> Double
  mutating func service() -> Double
}

struct SplitMixSource: Source {
  var arrivals = SplitMix64(seed: 1)
  var services = SplitMix64(seed: 2)
  mutating func gap() -> Double { -log(arrivals.uniform()) * 1.25 }
  mutating func service() -> Double { -log(services.uniform()) }
}

struct PhiloxSource: Source {
  var arrivals = RandomStream(seed: 1, purpose: 1, entity: 0)
  var services = RandomStream(seed: 1, purpose: 2, entity: 0)
  mutating func gap() -> Double { arrivals.exponential(mean: 1.25) }
  mutating func service() -> Double { services.standardExponential() }
}

enum Event { case arrival, departure }

struct Model<Draws: Source>: EventHandler {
  var draws: Draws
  var server = QueueResource<Void>(servers: 1, start: Instant(microseconds: 0))

  @inline(__always)
  mutating func handle(_ event: Event, _ executive: inout Executive<Event>) {
    switch event {
    case .arrival:
      executive.schedule(.arrival, after: span(draws.gap()))
      if server.arrive((), at: executive.now) == .startsNow { begin(&executive) }
    case .departure:
      if server.finish(at: executive.now) != nil { begin(&executive) }
    }
  }

  @inline(__always)
  mutating func begin(_ executive: inout Executive<Event>) {
    executive.schedule(.departure, after: span(draws.service()))
  }

  /// Rounds by adding what leaves no digits behind the point, below 2^51: `rounded()` is a call where Swift
  /// compiles for all processors, and one instruction in a peer that is compiled for this one.
  func span(_ seconds: Double) -> TimeSpan {
    TimeSpan(microseconds: Int64((seconds * 1e6 + 0x1.8p52) - 0x1.8p52))
  }
}

func measure(_ draws: some Source, _ customers: Int) {
  let clock = ContinuousClock()
  let begin = clock.now
  var executive = Executive<Event>(start: Instant(microseconds: 0))
  var model = Model(draws: draws)
  executive.schedule(.arrival, after: .seconds(0))
  executive.run(&model) { $0.server.waits.count < customers }
  let seconds = (clock.now - begin) / .seconds(1)
  let wait = ((model.server.waits.mean ?? 0) * 1e9).rounded() / 1e9
  print(Int(Double(customers) / seconds), wait)
}

let arguments = CommandLine.arguments
guard arguments.count >= 2, let customers = Int(arguments[1]) else { exit(64) }
if arguments.count > 2 && arguments[2] == "philox" {
  measure(PhiloxSource(), customers)
} else {
  measure(SplitMixSource(), customers)
}
