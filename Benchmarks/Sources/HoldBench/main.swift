// HOLD model over the kernel's pending-event set: pop the earliest, push one at + increment.
// Usage: bench-hold PENDING OPERATIONS DISTRIBUTION [drawn]. Prints nanoseconds a hold and a digest,
// which must equal the digest of Peers/hold.cpp. With 0 pending events it only draws the increments,
// and prints nanoseconds a draw and their sum. With 'drawn', increments are read one after another from
// a table of 2^20 that was drawn before, so that a hold is the work of the set alone.
import EventKernel
import Glibc
import Peer

/// One second of simulated time is 2^32 ticks.
let tick = 4294967296.0

func hold(
  _ set: inout RawEventSet, _ random: inout SplitMix64, _ count: Int,
  _ increment: (inout SplitMix64) -> UInt64
) -> UInt64 {
  var digest: UInt64 = 0
  for _ in 0..<count {
    guard let event = set.pop() else { break }
    digest = (digest ^ event.time ^ event.payload) &* 0x9E37_79B9_7F4A_7C15
    set.push(RawEvent(time: event.time &+ increment(&random), payload: event.payload))
  }
  return digest
}

func printCost(_ time: Duration, _ operations: Int, _ digest: UInt64) {
  let hex = String(digest, radix: 16)
  let padded = String(repeating: "0", count: 16 - hex.count) + hex
  let cost = time / .nanoseconds(1) / Double(operations)
  print((cost * 1000).rounded() / 1000, padded)
}

@inline(__always)
func run(_ pending: Int, _ operations: Int, _ increment: (inout SplitMix64) -> UInt64) {
  var random = SplitMix64(seed: 42)
  guard CommandLine.arguments.count == 5 else {
    return measure(pending, operations, random, increment)
  }
  let table = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 1 << 20)
  defer { table.deallocate() }
  for place in table.indices { table.initializeElement(at: place, to: increment(&random)) }
  let first = UnsafePointer(table.baseAddress!)
  var place = 0
  measure(pending, operations, random) { _ in
    place = (place &+ 1) & (1 << 20 - 1)
    return first[place]
  }
}

@inline(__always)
func measure(
  _ pending: Int, _ operations: Int, _ random: SplitMix64,
  _ increment: (inout SplitMix64) -> UInt64
) {
  var random = random
  let clock = ContinuousClock()
  if pending == 0 {
    var sum: UInt64 = 0
    let start = clock.now
    for _ in 0..<operations { sum &+= increment(&random) }
    return printCost(clock.now - start, operations, sum)
  }
  var set = RawEventSet()
  for index in 0..<pending {
    set.push(RawEvent(time: increment(&random), payload: UInt64(index)))
  }
  // To the steady state first.
  var digest = hold(&set, &random, min(pending, operations), increment)
  let start = clock.now
  digest ^= hold(&set, &random, operations, increment)
  printCost(clock.now - start, operations, digest)
}

let arguments = CommandLine.arguments
guard arguments.count == 4 || (arguments.count == 5 && arguments[4] == "drawn"),
  let pending = Int(arguments[1]), let operations = Int(arguments[2])
else { exit(64) }

switch arguments[3] {
case "exponential":
  run(pending, operations) { UInt64(-log($0.uniform()) * tick) }
case "uniform":
  run(pending, operations) { UInt64($0.uniform() * (2 * tick)) }
case "bimodal":
  run(pending, operations) {
    let u = $0.uniform()
    return UInt64((u < 0.9 ? u * 0.1 : 10 * u) * tick)
  }
case "heavy":
  // Pareto, tail exponent 1.5: U^(-2/3), where the largest of three uniforms is as U^(1/3) is.
  run(pending, operations) {
    let u = max($0.uniform(), max($0.uniform(), $0.uniform()))
    return UInt64(tick / 3 / (u * u))
  }
case "constant":
  run(pending, operations) {
    _ = $0.next()
    return UInt64(tick)
  }
case "whole":
  run(pending, operations) { (1 &+ ($0.next() &>> 60)) &<< 32 }
default:
  exit(64)
}
